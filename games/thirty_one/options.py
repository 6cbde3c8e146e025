"""Options of a table of Thirty-One."""

from typing import Annotated

from pydantic import Field, StrictBool, StrictInt

from games.options import DescribedOptions
from games.phrases import counted


class ThirtyOneOptions(DescribedOptions):
    tokens: Annotated[StrictInt, Field(ge=1, le=10)] = Field(
        default=3, description="a whole number from 1 to 10"
    )
    any_suit: StrictBool = Field(default=False, description="true or false")
    three_of_a_kind: StrictBool = Field(default=False, description="true or false")

    def phrases(self) -> dict[str, str]:
        return {
            "tokens": f"{counted(self.tokens, 'token')} each",
            "any_suit": "cards of any suit count together",
            "three_of_a_kind": "three of a kind are worth 30½",
        }
