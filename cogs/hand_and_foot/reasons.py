"""Sentences of the form of Hand and Foot: the effect of cards, and the reason why others cannot be laid."""

from collections.abc import Sequence
from random import Random
from typing import Final

from bot.messages.game_ui import Form
from cogs.hand_and_foot.chosen import Chosen, before, plainest, reserved
from games.hand_and_foot.actions import (
    FULL,
    MELD,
    TAKE,
    laid_points,
    melded,
)
from games.hand_and_foot.cards import (
    IS_WILD,
    MELDABLE,
    RANK,
    RANK_POINTS,
    RANKS,
    TWO,
    WILD,
    by_rank,
)
from games.hand_and_foot.melding import MOST_WILDS, TAKEN, additions
from games.hand_and_foot.refusals import why_not
from games.hand_and_foot.state import DRAWING
from games.hand_and_foot.view import View, imagine
from games.hand_and_foot.words import laid_aside
from games.phrases import addressed, counted

NEVER: Final = f"A meld has at most {FULL} cards, and fewer wild cards than natural ones."
"""Reason why cards that no action lays cannot be laid."""


def first_meld(view: View, form: Form) -> str:
    """Return what the side's first meld still lacks, if cards can be laid aside for it."""
    if view.seat is None or view.has_opened(view.side(view.seat)):
        return ""
    laid = laid_aside(view)
    if laid and TAKE in form.legal:
        return f"{counted(laid, 'point')} are laid aside, enough for the first meld: take the pile."
    if not any(action >= MELD for action in form.legal):
        return ""
    if view.phase == DRAWING:
        group = TAKEN * RANK_POINTS[RANK[view.discards[-1]]]
        missing = view.minimum - laid - group
        return (
            f"To take the pile, lay {missing} more points aside first: {laid} laid, {group} with the top card, "
            f"{view.minimum} needed.{'' if laid else ' They stay laid, and you must take the pile then.'}"
        )
    stays = "" if laid else " Cards laid aside stay laid: once you begin, you lay the rest this turn."
    return f"First meld: **{laid} of {view.minimum}** points laid aside, {view.minimum - laid} more.{stays}"


def use(view: View, form: Form, rank: int) -> str:
    """Return the open meld of a rank, and whether cards can be laid on it."""
    assert view.seat is not None
    side = view.side(view.seat)
    melds = view.melds[side] if view.has_opened(side) else view.aside
    found = melds[rank] if rank in MELDABLE else ()
    ways = [melded(action)[1] for action in form.legal if action >= MELD and melded(action)[0] == rank]
    if found:
        return f"{'Add to' if ways else 'You have'} a meld of {len(found)}"
    return f"Can be melded{' with a wild card' * all(way.wilds for way in ways)}" if ways else ""


def leads_to(view: View, cards: int) -> str:
    """Return what playing this many cards leads to when they are the last ones of the hand."""
    if view.seat is None or cards < len(view.hand):
        return ""
    return " and take up your foot" if view.feet[view.seat] else " and go out"


def why_no_meld(view: View, names: Sequence[str], form: Form, rank: int) -> str:
    """Return why no cards of a rank can be laid, if it is not that there are too few of them."""
    if IS_WILD[4 * rank]:
        can = any(action >= MELD and melded(action)[1].wilds for action in form.legal)
        return "A wild card is laid with another rank: pick the rank of its meld." if can else ""
    if rank not in MELDABLE:
        return "A black 3 cannot be melded. On top of the pile it blocks it for the next player."
    held = by_rank(view.hand)
    ways = additions(
        before(view, rank), min(FULL, held[rank]), min(MOST_WILDS, held[TWO]), min(MOST_WILDS, held[WILD])
    )
    return _refused(view, names, Chosen(rank, plainest(ways))) if ways else ""


def _refused(view: View, names: Sequence[str], chosen: Chosen) -> str:
    """Return the engine's reason why these cards cannot be laid. It depends only on what the view says."""
    assert view.seat is not None
    assert chosen.action is not None
    state = imagine(view, Random(0))  # noqa: S311 - the cards drawn have no influence
    return addressed(why_not(state, view.seat, chosen.action), names)


def effect(view: View, chosen: Chosen) -> str:
    """Return what laying these cards brings: a finished pile, or points for the first meld."""
    assert view.seat is not None
    if not view.has_opened(view.side(view.seat)):
        return f"These cards count {counted(laid_points(chosen.rank, chosen.way), 'point')}."
    after = before(view, chosen.rank).plus(chosen.way)
    if sum(after) < FULL:
        return ""
    return f"This finishes a {'dirty' if after.wilds else 'clean'} pile."


def lacks(view: View, names: Sequence[str], chosen: Chosen) -> str:
    """Return why these cards cannot be laid."""
    if not chosen.way.cards:
        stay = f" Two {RANKS[chosen.rank]}s stay for the pile." * bool(reserved(view, chosen.rank))
        return f"Pick the cards to lay.{stay}"
    if chosen.action is None:
        return NEVER
    return _refused(view, names, chosen)
