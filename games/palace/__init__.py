"""Palace: get rid of your hand, then of your face-up cards, then of your face-down cards."""

from typing import Final

from games.palace import facts, record, rulebook, words
from games.palace.rules import Palace

GAME: Final = Palace(words=words, rulebook=rulebook, record=record, facts=facts)
