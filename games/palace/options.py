"""Options of a table of Palace."""

from pydantic import Field, StrictBool

from games.options import DescribedOptions


class PalaceOptions(DescribedOptions):
    """House rules, all off by default."""

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
            "allow_equal": "equal ranks allowed",
            "voluntary_pickup": "the pile may be taken at any time",
            "four_across_turns": "four of a kind across turns",
            "play_for_places": "played on for every place",
        }
