"""Options of a table of Twin It!."""

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, StrictBool, StrictInt

from games.options import DescribedOptions
from games.phrases import counted

Mode: TypeAlias = Literal["classic", "forbidden", "teams", "cooperative", "timed"]

MOST: Final = 6
"""Most players in any mode."""
RACE_SECONDS: Final = 60
"""Length of a race at a real table, and of a race whose log names no length."""
USUAL_SECONDS: Final = 120
"""Length of a race in Discord unless a table sets another one. It gives as many points as RACE_SECONDS at a real table,
because going through pages is slower than looking over a table (measured by `bench.race_points`)."""
_FEWEST: Final[dict[Mode, int]] = {"classic": 2, "forbidden": 2, "teams": 4, "cooperative": 1, "timed": 2}


def lasting(seconds: int) -> str:
    """Return "2 minutes", "1 minute" or "90 seconds"."""
    return counted(seconds, "second") if seconds % 60 else counted(seconds // 60, "minute")


class TwinItOptions(DescribedOptions):
    mode: Mode = Field(default="classic", description="classic, forbidden, teams, cooperative or timed")
    sets_to_win: Annotated[StrictInt, Field(ge=1, le=9)] = Field(
        default=5, description="a whole number from 1 to 9"
    )
    seconds: Annotated[StrictInt, Field(ge=20, le=300)] = Field(
        default=RACE_SECONDS, description="a whole number from 20 to 300"
    )
    singles: Annotated[StrictInt, Field(ge=1, le=18)] = Field(
        default=10, description="a whole number from 1 to 18"
    )
    hand_seconds: Annotated[StrictInt, Field(ge=1, le=15)] = Field(
        default=4, description="a whole number from 1 to 15"
    )
    tie_ms: Annotated[StrictInt, Field(ge=0, le=2000)] = Field(
        default=400, description="a whole number from 0 to 2000"
    )
    barred: Annotated[StrictInt, Field(ge=0, lt=MOST)] | None = Field(
        default=None, description="the number of a seat from 0 to 5, or nothing for a seat drawn by chance"
    )
    handicap: StrictBool = Field(default=False, description="true or false")

    def seats(self) -> range:
        """Return the numbers of players that the mode allows. The seat with forbidden designs must be among them."""
        fewest = _FEWEST[self.mode]
        if self.mode == "forbidden" and self.barred is not None:
            fewest = max(fewest, self.barred + 1)
        return range(fewest, MOST + 1)

    def sides(self, seats: int) -> int:
        """Return the number of sides at a table of `seats` seats. Seat 0 belongs to side 0, seat 1 to side 1 and so
        on."""
        return {"teams": 2, "cooperative": 1}.get(self.mode, seats)

    @classmethod
    def usual(cls) -> dict[str, Any]:
        return super().usual() | {"seconds": USUAL_SECONDS}

    def phrases(self) -> dict[str, str]:
        found = {
            "mode": self.mode,
            "singles": f"{counted(self.singles, 'design')} on one face only",
            "hand_seconds": f"hands are off for {counted(self.hand_seconds, 'second')} after a mistake",
        }
        if self.against_time:
            return found | {"mode": f"{self.mode}, a race of {lasting(self.seconds)}"}
        found |= {
            "sets_to_win": f"{counted(self.sets_to_win, 'set')} to win",
            "tie_ms": f"ties within {self.tie_ms} ms",
        }
        if self.mode == "forbidden":
            found["barred"] = f"three designs are forbidden for seat {(self.barred or 0) + 1}"
        if self.mode == "teams":
            found["handicap"] = "three designs are forbidden for the bigger team"
        return found

    @property
    def against_time(self) -> bool:
        """True for a race through the whole spread, False for a game of piles and turns."""
        return self.mode in ("cooperative", "timed")

    @property
    def hand_ms(self) -> int:
        """Ms that a hand lies on a face, and that hands are off after a mistake."""
        return self.hand_seconds * 1000
