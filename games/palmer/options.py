"""Options of a table of Palmer."""

from typing import Annotated

from pydantic import Field, StrictInt

from games.options import DescribedOptions


class PalmerOptions(DescribedOptions):
    limit: Annotated[StrictInt, Field(ge=10, le=200)] = Field(
        default=50, description="A player with this many points is out (default: 50)"
    )

    def phrases(self) -> dict[str, str]:
        return {"limit": f"out at {self.limit} points"}
