"""Options of a table of Hand and Foot."""

from typing import Annotated

from pydantic import Field, StrictInt

from games.options import DescribedOptions
from games.phrases import counted


class HandAndFootOptions(DescribedOptions):
    deals: Annotated[StrictInt, Field(ge=1, le=4)] = Field(
        default=4, description="Deals in a match, about 25 minutes each (default: 4)"
    )

    always_told = ("deals",)  # a match of several deals is long

    def phrases(self) -> dict[str, str]:
        return {"deals": counted(self.deals, "deal")}
