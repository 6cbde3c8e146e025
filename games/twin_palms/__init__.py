"""Twin Palms: a trick-taking game of two-card sets, exact bids and cancelling ties."""

from typing import Final

from games.twin_palms import facts, record, rulebook, words
from games.twin_palms.rules import TwinPalms

GAME: Final = TwinPalms(words=words, rulebook=rulebook, record=record, facts=facts)
