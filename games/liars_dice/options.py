"""Options of a table of Liar's Dice."""

from pydantic import Field, StrictBool

from games.options import DescribedOptions


class LiarsDiceOptions(DescribedOptions):
    calza: StrictBool = Field(
        default=False, description="Anyone may call a bid exact and win back a die (default: no)"
    )
    palifico: StrictBool = Field(
        default=True, description="A player's first round with one die has no wild ones (default: yes)"
    )

    def phrases(self) -> dict[str, str]:
        return {
            "calza": "with calza",
            "palifico": "with palifico" if self.palifico else "without palifico",
        }
