"""Twin It!: spot two alike among bright patterns and lay a hand on each before anybody else does."""

from typing import Final

from games.twin_it import facts, record, rulebook, words
from games.twin_it.rules import TwinIt

GAME: Final = TwinIt(words=words, rulebook=rulebook, record=record, facts=facts)
