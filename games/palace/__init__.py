"""Palace: get rid of your hand, then of the cards before you, and last of those nobody has looked at."""

from typing import Final

from games.palace.rules import Palace

__all__ = ["GAME"]

GAME: Final = Palace()
