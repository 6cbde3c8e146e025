"""Options of a table of Thirty-One."""

from typing import Annotated

from pydantic import Field, StrictBool, StrictInt

from games.options import DescribedOptions
from games.phrases import counted


class ThirtyOneOptions(DescribedOptions):
    tokens: Annotated[StrictInt, Field(ge=1, le=10)] = Field(
        default=3, description="Tokens everyone begins with (default: 3)"
    )
    any_suit: StrictBool = Field(
        default=False,
        description="All three cards count together, whatever their suits (default: no)",
    )
    three_of_a_kind: StrictBool = Field(
        default=False, description="Three of a rank are worth 30½ (default: no)"
    )

    def phrases(self) -> dict[str, str]:
        return {
            "tokens": f"{counted(self.tokens, 'token')} each",
            "any_suit": "cards of any suit count together",
            "three_of_a_kind": "three of a kind are worth 30½",
        }
