"""What a table of Thirty-One can set."""

from typing import Annotated

from pydantic import Field, StrictBool, StrictInt

from games.options import DescribedOptions


class ThirtyOneOptions(DescribedOptions):
    """Settings of a table."""

    tokens: Annotated[StrictInt, Field(ge=1, le=10)] = Field(
        default=3, description="a whole number from 1 to 10"
    )
    any_suit: StrictBool = Field(default=False, description="true or false")
    three_of_a_kind: StrictBool = Field(default=False, description="true or false")
