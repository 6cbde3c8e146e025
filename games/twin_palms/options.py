"""Options of a table of Twin Palms."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, StrictBool, StrictInt

from games.options import DescribedOptions
from games.phrases import counted, listed
from games.twin_palms.cards import Mode

_Points: TypeAlias = Annotated[StrictInt, Field(ge=0, le=20)]


class TwinPalmsOptions(DescribedOptions):
    """Settings of a table."""

    mode: Mode = Field(
        default="normal",
        description="Easy: 2 players, one suit. Normal: 2 to 4. Advanced and extreme: 2 to 5, three suits",
    )
    bets: StrictBool = Field(default=True, description="Players can bet on their bids (default: yes)")
    exact_points: tuple[_Points, _Points, _Points, _Points, _Points, _Points] = Field(
        default=(5, 4, 5, 6, 7, 8),
        description="Points for the exact bids 0 to 5, six numbers (default: 5 4 5 6 7 8)",
    )
    half_bet_rounding: Literal["up", "down"] = Field(
        default="up", description="How a half bet is rounded (default: up)"
    )
    rounds: Annotated[StrictInt, Field(ge=1, le=12)] | None = Field(
        default=None, description="Rounds to play, instead of the usual number"
    )

    def seats(self) -> range:
        """Return the numbers of players that the mode allows."""
        return range(2, {"easy": 2, "normal": 4, "advanced": 5, "extreme": 5}[self.mode] + 1)

    def phrases(self) -> dict[str, str]:
        found = {
            "mode": f"{self.mode} mode",
            "bets": "no bets",
            "exact_points": f"{listed(map(str, self.exact_points))} points for exact bids of 0 to 5",
            "rounds": counted(self.rounds or 0, "round"),
        }
        return found | (
            {"half_bet_rounding": f"a half bet is rounded {self.half_bet_rounding}"} if self.bets else {}
        )

    def planned(self, seats: int) -> int:
        """Return the planned number of rounds. A tie at the end adds further ones."""
        return self.rounds or {2: 6, 3: 6, 4: 8, 5: 5}[seats]

    def stakes(self, round_number: int, held: int) -> tuple[int, int, int]:
        """Return the sand dollars at stake with no bet, a half bet and a max bet: never more than `held`."""
        half = (round_number + (self.half_bet_rounding == "up")) // 2
        return (0, min(half, held), min(round_number, held)) if self.bets else (0, 0, 0)
