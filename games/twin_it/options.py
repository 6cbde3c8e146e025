"""Options of a table of Twin It!."""

from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import Field, StrictBool, StrictInt

from games.options import DescribedOptions
from games.phrases import counted
from games.types import Seat

Mode: TypeAlias = Literal["classic", "forbidden", "teams", "cooperative", "timed"]

MOST: Final = 6
"""Maximum number of players in any mode."""
RACE_SECONDS: Final = 60
"""Length of a race at a real table, and of a race whose log names no length."""
# Going through pages is slower than looking over a table.
USUAL_SECONDS: Final = 120
"""Length of a race in Discord unless a table sets another one. It gives the points of RACE_SECONDS at a real table
(measured with computers)."""
_FEWEST: Final[dict[Mode, int]] = {"classic": 2, "forbidden": 2, "teams": 4, "cooperative": 1, "timed": 2}


def duration(seconds: int) -> str:
    """Return "2 minutes", "1 minute" or "90 seconds"."""
    return counted(seconds, "second") if seconds % 60 else counted(seconds // 60, "minute")


class TwinItOptions(DescribedOptions):
    """Settings of a table."""

    always_told = ("mode", "seconds")

    mode: Mode = Field(
        default="classic",
        description="In turns: classic, teams, forbidden (one may not take 3 designs). "
        "By the clock: timed, cooperative",
    )
    sets_to_win: Annotated[StrictInt, Field(ge=1, le=9)] = Field(
        default=5, description="Sets that win (default: 5)"
    )
    seconds: Annotated[StrictInt, Field(ge=20, le=300)] = Field(
        default=RACE_SECONDS,
        description=f"Cooperative and timed: length in seconds "
        f"(default: {USUAL_SECONDS}; {RACE_SECONDS} at a real table)",
    )
    singles: Annotated[StrictInt, Field(ge=1, le=18)] = Field(
        default=10, description="Designs on one face only (default: 10); fewer make more matches"
    )
    hand_seconds: Annotated[StrictInt, Field(ge=1, le=15)] = Field(
        default=4, description="Seconds that a hand stays on a face, and is off after a mistake (default: 4)"
    )
    tie_ms: Annotated[StrictInt, Field(ge=0, le=2000)] = Field(
        default=400, title="Tie, in ms", description="Milliseconds within which two hands tie (default: 400)"
    )
    barred: Annotated[StrictInt, Field(ge=0, le=MOST - 1)] | None = Field(
        default=None,
        description="Forbidden: the seat for which three designs never match "
        "(default: random; rematch: last winner)",
    )
    handicap: StrictBool = Field(
        default=False,
        description="Teams of unequal size: three designs never match for the bigger one (default: no)",
    )

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

    def after(self, winner: Seat | None) -> Self:
        # A seat that the host has named in the lobby of the rematch stays.
        stays = self.mode != "forbidden" or None not in (winner, self.barred)
        return self if stays else self.model_copy(update={"barred": winner})

    @classmethod
    def usual(cls) -> dict[str, Any]:
        return super().usual() | {"seconds": USUAL_SECONDS}

    def said(self, name: str) -> str:
        return (
            f"seat {self.barred + 1}" if name == "barred" and self.barred is not None else super().said(name)
        )

    def phrases(self) -> dict[str, str]:
        found = {
            "mode": self.mode,
            "singles": f"{counted(self.singles, 'design')} on one face only",
            "hand_seconds": f"hands are off for {counted(self.hand_seconds, 'second')} after a mistake",
        }
        if self.against_time:
            return {"mode": self.mode, "seconds": f"a race of {duration(self.seconds)}", **found}
        found |= {
            "sets_to_win": f"{counted(self.sets_to_win, 'set')} to win",
            "tie_ms": f"ties within {self.tie_ms} ms",
        }
        if self.mode == "forbidden" and self.barred is not None:  # only in what was stored before 0.2.0
            found["barred"] = f"three designs are forbidden for whoever draws seat {self.barred + 1}"
        if self.mode == "teams":
            found["handicap"] = "three designs are forbidden for the bigger team"
        return found

    @property
    def against_time(self) -> bool:
        """True for a race through the whole spread, False for a game of piles and turns."""
        return self.mode in ("cooperative", "timed")

    @property
    def unit(self) -> str:
        """The unit of scores, in the singular."""
        return "point" if self.against_time else "set"

    @property
    def hand_ms(self) -> int:
        """Ms that a hand lies on a face, and that hands are off after a mistake."""
        return self.hand_seconds * 1000
