"""Options of a table of Palace."""

from typing import Annotated

from pydantic import Field, StrictBool, StrictInt

from games.options import DescribedOptions


class PalaceOptions(DescribedOptions):
    """The number of packs, and house rules, all off by default."""

    packs: Annotated[StrictInt, Field(ge=1, le=2)] = Field(
        default=2, description="Packs of 52 cards: one for 2 to 4 players is shorter (default: 2)"
    )
    allow_equal: StrictBool = Field(
        default=False, description="An ordinary rank also goes on its own rank (default: no)"
    )
    voluntary_pickup: StrictBool = Field(
        default=False, description="A player able to play may take the pile instead (default: no)"
    )
    four_across_turns: StrictBool = Field(
        default=False, description="Four of one rank on top clear the pile, whoever played them (default: no)"
    )
    play_for_places: StrictBool = Field(
        default=False, description="The match goes on until one player is left (default: no)"
    )

    def phrases(self) -> dict[str, str]:
        return {
            "packs": "one pack" if self.packs == 1 else "two packs",
            "allow_equal": "equal ranks allowed",
            "voluntary_pickup": "the pile may be taken at any time",
            "four_across_turns": "four of a kind across turns",
            "play_for_places": "played on for every place",
        }
