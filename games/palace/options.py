"""What a table of Palace can set."""

from pydantic import Field, StrictBool

from games.options import DescribedOptions


class PalaceOptions(DescribedOptions):
    """House rules of a table, all off unless wanted."""

    allow_equal: StrictBool = Field(default=False, description="true or false")
    """An ordinary rank also goes on its own rank."""
    voluntary_pickup: StrictBool = Field(default=False, description="true or false")
    """Who can play may take the pile instead."""
    four_across_turns: StrictBool = Field(default=False, description="true or false")
    """Four of a rank on top count, whoever laid them."""
    play_for_places: StrictBool = Field(default=False, description="true or false")
    """Play goes on until one player is left."""

    def phrases(self) -> dict[str, str]:
        return {
            "allow_equal": "equal ranks may be played",
            "voluntary_pickup": "the pile may be taken at will",
            "four_across_turns": "four of a kind may be laid by several",
            "play_for_places": "played for every place",
        }
