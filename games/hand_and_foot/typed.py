"""Parsing of what people type in Hand and Foot: texts of actions, and the words that the bot itself shows."""

import re
from collections.abc import Sequence
from typing import Final

from games.contract import Illegal
from games.hand_and_foot.actions import (
    ASK,
    DISCARDS,
    DRAW,
    FULL,
    TAKE,
    TEXTS,
    WAY,
    Way,
    meld,
)
from games.hand_and_foot.cards import CARD, MELDABLE, RANK, RANKS, SIGN, THREE, TWO, WILD
from games.texts import Unread, normalized, parser
from games.types import Action

SUIT: Final = "Name the suit of the card, too: discard KH for ♥K, discard 10S for ♠10."
WHICH: Final = "Say on which meld the wild cards are laid: lay 2 on the Ks."
NO_THREES: Final = "3s are never melded: red ones are laid out for you, and black ones can only be discarded."
TOO_MANY: Final = f"A meld has at most {FULL} cards. Lay fewer of them."

BARE: Final = {
    "DRAW": (DRAW, frozenset({"TWO", "2", "CARDS"})),
    "TAKE": (TAKE, frozenset({"THE", "DISCARD", "PILE", "DISCARDS", "CARD", "CARDS", *"1234567"})),
    "ASK": (ASK, frozenset({"YOUR", "MY", "PARTNER", "MAY", "I", "TO", "GO", "OUT"})),
}
"""Actions of one word, and the words that may follow it."""
_CARD: Final = CARD | {sign.upper(): card for card, sign in enumerate(SIGN)} | {"JO": CARD["JOKER"]}
"""Cards by what people type or read: KH, ♥K, JOKER, and JO as on a button."""
_RANK: Final = {rank.upper(): number for number, rank in enumerate(RANKS)}
_EMOJI_MARK: Final = "\N{VARIATION SELECTOR-16}"
"""Follows a suit that a phone has typed as an emoji."""
_parse: Final = parser(TEXTS)


def parse(text: str) -> Action:
    """Return the action of a text, or of words that the bot shows. Raises Unread, or Illegal with the rule, for any
    other text."""
    try:
        return _parse(text)
    except Unread:
        verb, *words = _words(text) or [""]
    if words[-1:] == ["DISCARD"]:  # the title of a button: "♥K · discard"
        verb, words = "DISCARD", [verb, *words[:-1]]
    action = _shown(verb, words)
    if action is None:
        _check_melded(*normalized(text))
        raise Unread
    return action


def _words(text: str) -> list[str]:
    """Return the words of a label or a button's title in upper case, without what a title says of its effect."""
    plain = re.sub("[:?.,·]", " ", text.upper().replace(_EMOJI_MARK, ""))
    return re.sub(r" AND (GO OUT|TAKE UP).*", "", plain).split()


def _shown(verb: str, words: Sequence[str]) -> Action | None:
    """Return the action of a label or a button's title; None for other words."""
    if verb in BARE:
        action, fillers = BARE[verb]
        return action if fillers.issuperset(words) else None
    if verb == "DISCARD" and len(words) == 1:
        return _discard(words[0])
    return _lay(words) if verb == "LAY" and words else None


def _discard(word: str) -> Action | None:
    if word in _CARD:
        return DISCARDS[_CARD[word]]
    if word in _RANK:
        raise Illegal(SUIT)
    return None


def _lay(words: Sequence[str]) -> Action | None:
    """Return the action of "K K K 2" or of "2 and Joker on the Ks"."""
    laid, on = [*words], []
    if "ON" in laid:
        laid, on = laid[: laid.index("ON")], laid[laid.index("ON") + 1 :]
    ranks = [_rank_of(word) for word in laid if word != "AND"]
    wilds = [rank for rank in ranks if rank in (TWO, WILD)]
    naturals = [rank for rank in ranks if rank not in (TWO, WILD)]
    named = {*naturals, *(_rank_of(word.removesuffix("S")) for word in on if word != "THE")}
    if not named and wilds:
        raise Illegal(WHICH)
    if len(named) != 1:
        return None
    (rank,) = named
    return _meld(rank, Way(len(naturals), wilds.count(TWO), wilds.count(WILD)))


def _rank_of(word: str) -> int | None:
    return RANK[_CARD[word]] if word in _CARD else _RANK.get(word)


def _meld(rank: int | None, way: Way) -> Action | None:
    if rank is None:
        return None
    if rank == THREE:
        raise Illegal(NO_THREES)
    if way.cards > FULL:
        raise Illegal(TOO_MANY)
    return meld(rank, way) if rank in MELDABLE and way in WAY else None


def _check_melded(verb: str, *words: str) -> None:
    """Raise Illegal if the words are those of a meld that nobody can ever lay."""
    if verb != "MELD":
        return
    if [word for word in words if word in RANKS] == [RANKS[THREE]]:
        raise Illegal(NO_THREES)
    numbers = [int(word[1:]) for word in words if re.fullmatch(r"X[0-9]{1,3}", word)]
    if sum(numbers) + sum(word.startswith("+") for word in words) > FULL:
        raise Illegal(TOO_MANY)
