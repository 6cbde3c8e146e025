"""Options of a table of Palace."""

from pydantic import Field, StrictBool

from games.options import DescribedOptions


class PalaceOptions(DescribedOptions):
    """House rules, all off by default."""

    allow_equal: StrictBool = Field(default=False, description="true or false")
    """Allow an ordinary rank on the same rank."""
    voluntary_pickup: StrictBool = Field(default=False, description="true or false")
    """Allow a player who can play to take the pile instead."""
    four_across_turns: StrictBool = Field(default=False, description="true or false")
    """Let four of one rank on top of the pile clear it, whoever played them."""
    play_for_places: StrictBool = Field(default=False, description="true or false")
    """Play on until one player is left."""

    def phrases(self) -> dict[str, str]:
        return {
            "allow_equal": "equal ranks allowed",
            "voluntary_pickup": "the pile may be taken at any time",
            "four_across_turns": "four of a kind across turns",
            "play_for_places": "played on for every place",
        }
