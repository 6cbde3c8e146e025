"""Hand and Foot: meld cards of one rank into piles of seven, play the hand, then the foot, and go out."""

from typing import Final

from games.hand_and_foot import facts, record, rulebook, words
from games.hand_and_foot.rules import HandAndFoot

GAME: Final = HandAndFoot(words=words, rulebook=rulebook, record=record, facts=facts)
