"""The picks of the form: a rank, and how many natural cards, twos and jokers to lay on its meld."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.match.refusal import Refusal
from bot.messages.custom_ids import number
from bot.messages.game_ui import NOT_MINE, Form
from games.hand_and_foot.actions import (
    FULL,
    MELD,
    WAY,
    Way,
    meld,
    melded,
)
from games.hand_and_foot.cards import (
    IS_WILD,
    MELDABLE,
    RANK,
    RANKS,
    by_rank,
)
from games.hand_and_foot.melding import TAKEN, Laid
from games.hand_and_foot.state import DRAWING
from games.hand_and_foot.view import View
from games.types import Action

CHANGES: Final = {"fewer": (-1, 0, 0), "more": (1, 0, 0), "two": (0, 1, 0), "joker": (0, 0, 1)}
"""Changes of the numbers of natural cards, twos and jokers by the step of their button."""
NO_WILDS: Final = "tame"
"""Step of the button that takes the wild cards back."""


class Chosen(NamedTuple):
    """The picks of a form."""

    rank: int
    way: Way

    @property
    def text(self) -> str:
        return "-".join(map(str, (self.rank, *self.way)))

    @property
    def action(self) -> Action | None:
        """The action that lays these cards; None when a meld is never laid so."""
        return meld(self.rank, self.way) if self.rank in MELDABLE and self.way in WAY else None


def read(picks: str) -> Chosen | None:
    """Return the picks of a form, None when there are none. Raises Refusal for forged ones."""
    if not picks:
        return None
    found = [number(part) for part in picks.split("-")]
    if len(found) != 4 or None in found:
        raise Refusal(NOT_MINE)
    rank, naturals, twos, jokers = (each or 0 for each in found)
    if rank >= len(RANKS) or max(naturals, twos, jokers) > FULL:
        raise Refusal(NOT_MINE)
    return Chosen(rank, Way(naturals, twos, jokers))


def changed(chosen: Chosen, step: str) -> Chosen:
    """Return the picks after a click on a button that changes them."""
    if step == NO_WILDS:
        return Chosen(chosen.rank, Way(chosen.way.naturals, 0, 0))
    numbers = (min(FULL, max(0, old + new)) for old, new in zip(chosen.way, CHANGES[step], strict=True))
    return Chosen(chosen.rank, Way(*numbers))


def suggested(view: View, form: Form, rank: int) -> Chosen:
    """Return what to lay when a rank is picked: all natural cards, and as few wild ones as possible. Wild cards alone
    are left to the player, if the hand has natural ones of the rank."""
    ways = [melded(action)[1] for action in form.legal if action >= MELD and melded(action)[0] == rank]
    if by_rank(view.hand)[rank]:
        ways = [way for way in ways if way.naturals]
    return Chosen(rank, plainest(ways))


def plainest(ways: Sequence[Way]) -> Way:
    """Return the way with the fewest wild cards, and of these the one with the most natural ones."""
    return max(ways, key=lambda way: (-way.wilds, way.naturals, -way.jokers), default=Way(0, 0, 0))


def reserved(view: View, rank: int) -> int:
    """Return the number of cards of this rank that cannot be laid aside, as the pile is taken with them."""
    return (TAKEN - 1) * (view.phase == DRAWING and RANK[view.discards[-1]] == rank)


def before(view: View, rank: int) -> Laid:
    """Return the cards to which others of this rank are added: those with which the pile is taken are among them."""
    assert view.seat is not None
    side = view.side(view.seat)
    found = view.melds[side][rank] if view.has_opened(side) else view.aside[rank]
    wilds = sum(IS_WILD[card] for card in found)
    top = TAKEN * bool(reserved(view, rank))
    return Laid(len(found) - wilds + top, wilds)
