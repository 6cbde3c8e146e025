"""Options of a table of Charms."""

from typing import Annotated, Literal

from pydantic import Field, StrictInt

from games.options import DescribedOptions
from games.phrases import counted


class CharmsOptions(DescribedOptions):
    hands: Annotated[StrictInt, Field(ge=1, le=12)] = Field(
        default=4, description="Hands to play (default: 4)"
    )
    bidding: Literal["hidden", "open"] = Field(
        default="hidden",
        description="Hidden: all at once, revealed together (default). Open: in turn, in public",
    )

    def phrases(self) -> dict[str, str]:
        return {"hands": counted(self.hands, "hand"), "bidding": f"{self.bidding} bids"}
