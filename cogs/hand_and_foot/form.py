"""The form of a turn of Hand and Foot: pick a rank, change the cards with buttons, then lay or discard them.

Its picks are four numbers, "10-3-1-0": a rank, and how many natural cards, twos and jokers to lay on it.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import discord

from bot.match.refusal import Refusal
from bot.messages.custom_ids import number
from bot.messages.game_ui import NOT_MINE, Form, Move, Picks
from bot.messages.panel import DANGER, PRIMARY, SUCCESS, Item, button, card_button, row, select, text
from games.hand_and_foot import actions
from games.hand_and_foot.actions import (
    AGREE,
    ASK,
    DISCARD,
    DRAW,
    FULL,
    LEAST,
    MELD,
    REFUSE,
    TAKE,
    WAY,
    Way,
    laid_points,
    meld,
    melded,
)
from games.hand_and_foot.cards import (
    IS_WILD,
    MELDABLE,
    RANK,
    RANK_POINTS,
    RANKS,
    SIGN,
    TWO,
    WILD,
    by_rank,
    points,
)
from games.hand_and_foot.melding import MOST_TAKEN, MOST_WILDS, TAKEN, Laid
from games.hand_and_foot.rules import DRAWN
from games.hand_and_foot.state import ASKING, DRAWING
from games.hand_and_foot.view import View
from games.hand_and_foot.words import laid_aside
from games.phrases import counted

MOVES: Final = {"draw": DRAW, "take": TAKE, "ask": ASK, "agree": AGREE, "refuse": REFUSE}
"""Moves by the step of their button."""
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
    def action(self) -> int | None:
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


def form_of(view: View, form: Form) -> list[Item]:
    """Return the components of the present decision."""
    if view.phase == ASKING:
        return _answer(view, form)
    items = _first_row(view, form)
    ranks = _ranks(form)
    if not ranks:
        return items
    chosen = read(form.picks)
    items.append(row(_menu(view, form, ranks, chosen)))
    if chosen is not None and chosen.rank in ranks:
        items += _cards(view, form, chosen)
    return items


def pick(view: View, form: Form, step: str, values: Sequence[str]) -> Picks | Move:
    """Return what a click on the form does."""
    if step in MOVES:
        return Move(actions.TEXTS[MOVES[step]])
    if step == "rank" and len(values) == 1 and number(values[0]) in _ranks(form):
        return Picks(_suggested(form, int(values[0])).text)
    chosen = read(form.picks)
    if chosen is None:
        raise Refusal(NOT_MINE)
    if step in CHANGES or step == NO_WILDS:
        return Picks(_changed(chosen, step).text)
    if step == "lay" and chosen.action is not None:
        return Move(actions.TEXTS[chosen.action])
    held = [card for card in view.hand if RANK[card] == chosen.rank]
    if step == "discard" and held:
        return Move(actions.TEXTS[DISCARD + held[0]])
    raise Refusal(NOT_MINE)


# Parts of the form


def _answer(view: View, form: Form) -> list[Item]:
    """Return the question to the partner, with what it costs the side."""
    foot = " and your foot" if view.seat is not None and view.feet[view.seat] else ""
    cost = f"{counted(points(view.hand), 'point')} in your hand{foot}"
    return [
        text(f"**Your partner asks to go out.** That ends the deal and brings 100, less {cost}."),
        row(
            button("Agree", form.id("agree"), style=SUCCESS),
            button("Refuse", form.id("refuse"), style=DANGER),
        ),
    ]


def _first_row(view: View, form: Form) -> list[Item]:
    """Return buttons for what needs no cards: draw, take the pile, ask to go out; and what a first meld lacks."""
    buttons = []
    if DRAW in form.legal:
        title = "Draw two" if view.stock >= DRAWN else "Draw: this ends the deal"
        buttons.append(button(title, form.id("draw"), style=SUCCESS))
    if TAKE in form.legal:
        top = SIGN[view.discards[-1]]
        title = f"take {counted(min(MOST_TAKEN, len(view.discards)), 'card')}"
        buttons.append(card_button(top, title, form.id("take"), form.emojis, style=PRIMARY))
    if ASK in form.legal:
        buttons.append(button("Ask to go out", form.id("ask"), style=PRIMARY))
    said = first_meld(view, form)
    return [*([text(said)] if said else []), *([row(*buttons)] if buttons else [])]


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


def _ranks(form: Form) -> list[int]:
    """Return the ranks that can be picked: those to lay cards on, and those to discard."""
    ranks = {melded(action)[0] for action in form.legal if action >= MELD}
    ranks |= {RANK[action - DISCARD] for action in form.legal if DISCARD <= action < MELD}
    return sorted(ranks)


def _menu(view: View, form: Form, ranks: Sequence[int], chosen: Chosen | None) -> Item:
    held = by_rank(view.hand)
    options = [
        discord.SelectOption(
            label=f"{RANKS[rank]} · {counted(held[rank], 'card') if held[rank] else 'add a wild card'}",
            value=str(rank),
            description=_use(view, form, rank) or None,
            default=chosen is not None and chosen.rank == rank,
        )
        for rank in ranks
    ]
    title = "Meld or discard: pick a rank" if form.legal[-1] >= MELD else "Discard: pick a rank"
    return select(title, form.id("rank"), options)


def _use(view: View, form: Form, rank: int) -> str:
    """Return the open meld of a rank, and whether cards can be laid on it."""
    assert view.seat is not None
    side = view.side(view.seat)
    melds = view.melds[side] if view.has_opened(side) else view.aside
    found = melds[rank] if rank in MELDABLE else ()
    can = any(action >= MELD and melded(action)[0] == rank for action in form.legal)
    if found:
        return f"{'Add to' if can else 'You have'} a meld of {len(found)}"
    return "Can be melded" if can else ""


def _cards(view: View, form: Form, chosen: Chosen) -> list[Item]:
    """Return the buttons that change the cards, and those that lay or discard them."""
    laying = any(action >= MELD and melded(action)[0] == chosen.rank for action in form.legal)
    discard = _discard(form, chosen.rank)
    if not laying:
        return [row(discard)] if discard else []
    changes = _changes(view, form, chosen)
    ready = chosen.action in form.legal
    lay = button(_lay(chosen), form.id("lay"), style=SUCCESS, disabled=not ready)
    said = _effect(view, chosen) if ready else _lacks(view, chosen)
    return [
        *([text(said)] if said else []),
        *([row(*changes)] if changes else []),
        row(lay, *([discard] if discard else [])),
    ]


def _lay(chosen: Chosen) -> str:
    named = [RANKS[chosen.rank]] * chosen.way.naturals + ["2"] * chosen.way.twos + ["Jo"] * chosen.way.jokers
    return f"Lay {' '.join(named)}" if named else "Lay nothing"


def _discard(form: Form, rank: int) -> Item | None:
    """Return the button that discards a card of a rank: the lowest suit, as suits do not matter."""
    found = next(
        (action for action in form.legal if DISCARD <= action < MELD and RANK[action - DISCARD] == rank), None
    )
    if found is None:
        return None
    return card_button(SIGN[found - DISCARD], "discard", form.id("discard"), form.emojis, style=DANGER)


def _changes(view: View, form: Form, chosen: Chosen) -> list[Item]:
    """Return a button for each change that leads to other cards of the hand."""
    held, way, name = by_rank(view.hand), chosen.way, RANKS[chosen.rank]
    titles = {
        "fewer": f"− {name}" * (way.naturals > 0),
        "more": f"+ {name}" * (way.naturals < held[chosen.rank]),
        "two": "+ 2" * (way.twos < min(MOST_WILDS, held[TWO])),
        "joker": "+ Joker" * (way.jokers < min(MOST_WILDS, held[WILD])),
        NO_WILDS: "No wild" * bool(way.wilds),
    }
    return [button(title, form.id(step)) for step, title in titles.items() if title]


def _changed(chosen: Chosen, step: str) -> Chosen:
    """Return the picks after a click on a button that changes them."""
    if step == NO_WILDS:
        return Chosen(chosen.rank, Way(chosen.way.naturals, 0, 0))
    numbers = (min(FULL, max(0, old + new)) for old, new in zip(chosen.way, CHANGES[step], strict=True))
    return Chosen(chosen.rank, Way(*numbers))


def _suggested(form: Form, rank: int) -> Chosen:
    """Return what to lay when a rank is picked: all natural cards, and as few wild ones as possible."""
    ways = [melded(action)[1] for action in form.legal if action >= MELD and melded(action)[0] == rank]
    best = max(ways, key=lambda way: (-way.wilds, way.naturals, -way.jokers), default=Way(0, 0, 0))
    return Chosen(rank, best)


def _before(view: View, rank: int) -> Laid:
    """Return the cards to which others of this rank are added: those with which the pile is taken are among them."""
    assert view.seat is not None
    side = view.side(view.seat)
    found = view.melds[side][rank] if view.has_opened(side) else view.aside[rank]
    wilds = sum(IS_WILD[card] for card in found)
    top = TAKEN * (view.phase == DRAWING and RANK[view.discards[-1]] == rank)
    return Laid(len(found) - wilds + top, wilds)


def _effect(view: View, chosen: Chosen) -> str:
    """Return what laying these cards brings: a finished pile, or points for the first meld."""
    assert view.seat is not None
    if not view.has_opened(view.side(view.seat)):
        return f"These cards count {counted(laid_points(chosen.rank, chosen.way), 'point')}."
    after = _before(view, chosen.rank).plus(chosen.way)
    if sum(after) < FULL:
        return ""
    return f"This finishes a {'dirty' if after.wilds else 'clean'} pile."


def _lacks(view: View, chosen: Chosen) -> str:
    """Return why these cards cannot be laid."""
    assert view.seat is not None
    after = _before(view, chosen.rank).plus(chosen.way)
    if not chosen.way.cards:
        return "Pick the cards to lay."
    if sum(after) > FULL:
        return f"A meld ends with seven cards, and this makes {sum(after)}."
    if sum(after) < LEAST:
        return "A meld needs at least three cards."
    if after.wilds >= after.naturals:
        return "A meld needs fewer wild cards than natural ones."
    if not view.has_opened(view.side(view.seat)):
        return f"Your hand could not reach {view.minimum} points after this."
    return "Leave a card to discard and one to keep, as you may not go out."
