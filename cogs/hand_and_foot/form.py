"""The form of a turn of Hand and Foot: pick a rank, change the cards with buttons, then lay or discard them.

Its picks are four numbers, "10-3-1-0": a rank, and how many natural cards, twos and jokers to lay on it.
"""

from collections.abc import Sequence
from typing import Final

import discord

from bot.match.refusal import Refusal
from bot.messages.custom_ids import number
from bot.messages.game_ui import NOT_MINE, Form, MoveText, Picks
from bot.messages.panel import DANGER, PRIMARY, SUCCESS, Item, button, card_button, row, select, text
from cogs.hand_and_foot.chosen import CHANGES, NO_WILDS, Chosen, changed, read, reserved, suggested
from cogs.hand_and_foot.reasons import effect, first_meld, lacks, leads_to, use, why_no_meld
from games.hand_and_foot import actions
from games.hand_and_foot.actions import (
    AGREE,
    ASK,
    DISCARD,
    DRAW,
    MELD,
    REFUSE,
    TAKE,
    melded,
)
from games.hand_and_foot.cards import (
    RANK,
    RANKS,
    SIGN,
    TWO,
    WILD,
    by_rank,
    points,
)
from games.hand_and_foot.melding import MOST_TAKEN, MOST_WILDS, can_finish
from games.hand_and_foot.rules import DRAWN
from games.hand_and_foot.state import ASKING
from games.hand_and_foot.view import View
from games.phrases import counted

MOVES: Final = {"draw": DRAW, "take": TAKE, "ask": ASK, "agree": AGREE, "refuse": REFUSE}
"""Moves by the step of their button."""


def form_of(view: View, names: Sequence[str], form: Form) -> list[Item]:
    """Return the components of the present decision."""
    if view.phase == ASKING:
        return _answer(view, names, form)
    items, ranks, chosen = _first_row(view, form), _ranks(form), read(form.picks)
    if ranks:
        items.append(row(_menu(view, form, ranks, chosen)))
    if chosen is not None and chosen.rank in ranks:
        items += _cards(view, names, form, chosen)
    if ASK in form.legal and _is_worth_asking(view):
        items.append(row(button("Ask to go out", form.id("ask"))))
    return items


def pick(view: View, form: Form, step: str, values: Sequence[str]) -> Picks | MoveText:
    """Return what a click on the form does."""
    if step in MOVES:
        return MoveText(actions.TEXTS[MOVES[step]])
    if step == "rank" and len(values) == 1 and number(values[0]) in _ranks(form):
        return Picks(suggested(view, form, int(values[0])).text)
    chosen = read(form.picks)
    if chosen is None:
        raise Refusal(NOT_MINE)
    if step in CHANGES or step == NO_WILDS:
        return Picks(changed(chosen, step).text)
    if step == "lay" and chosen.action is not None:
        return MoveText(actions.TEXTS[chosen.action])
    held = [card for card in view.hand if RANK[card] == chosen.rank]
    if step == "discard" and held:
        return MoveText(actions.TEXTS[DISCARD + held[0]])
    raise Refusal(NOT_MINE)


# Parts of the form


def _answer(view: View, names: Sequence[str], form: Form) -> list[Item]:
    """Return the buttons of the asked partner, with what an end of the deal brings and costs the side."""
    assert view.turn is not None
    foot = view.seat is not None and view.feet[view.seat]
    cost = f"{counted(points(view.hand), 'point')} in your {'hand, and your unseen foot' if foot else 'foot'}"
    return [
        text(
            f"If you agree, {names[view.turn]} may end the deal in this turn. That brings 100, less {cost}."
        ),
        row(
            button("Agree", form.id("agree"), style=SUCCESS),
            button("Refuse", form.id("refuse"), style=DANGER),
        ),
    ]


def _first_row(view: View, form: Form) -> list[Item]:
    """Return buttons for what needs no cards: draw, take the pile; and what a first meld lacks."""
    buttons = []
    if DRAW in form.legal:
        title = "Draw two" if view.stock >= DRAWN else "Draw: this ends the deal"
        buttons.append(button(title, form.id("draw"), style=SUCCESS))
    if TAKE in form.legal:
        top = SIGN[view.discards[-1]]
        title = f"take {counted(min(MOST_TAKEN, len(view.discards)), 'card')}"
        buttons.append(card_button(top, title, form.id("take"), form.emojis, style=PRIMARY))
    said = first_meld(view, form)
    return [*([text(said)] if said else []), *([row(*buttons)] if buttons else [])]


def _is_worth_asking(view: View) -> bool:
    """Return whether the player could go out now, with a last discard: the partner is asked only once a turn."""
    assert view.seat is not None
    side = view.side(view.seat)
    return can_finish(view.piles[side], view.melds[side], view.hand)


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
            description=use(view, form, rank) or None,
            default=chosen is not None and chosen.rank == rank,
        )
        for rank in ranks
    ]
    return select(f"{_possible(view, form)}: pick a rank", form.id("rank"), options)


def _possible(view: View, form: Form) -> str:
    """Return what can be done with the cards of a rank: "Meld or discard"."""
    assert view.seat is not None
    aside = "Lay aside" if not view.has_opened(view.side(view.seat)) else "Meld"
    discards = any(DISCARD <= action < MELD for action in form.legal)
    if form.legal[-1] < MELD:
        return "Discard"
    return "Meld or discard" if discards else aside


def _cards(view: View, names: Sequence[str], form: Form, chosen: Chosen) -> list[Item]:
    """Return the buttons that change the cards, and those that lay or discard them."""
    laying = any(action >= MELD and melded(action)[0] == chosen.rank for action in form.legal)
    discard = _discard(view, form, chosen.rank)
    if not laying:
        why = why_no_meld(view, names, form, chosen.rank)
        return [*([text(why)] if why else []), *([row(discard)] if discard else [])]
    changes = _changes(view, form, chosen)
    ready = chosen.action in form.legal
    title = f"{_lay(chosen)}{leads_to(view, chosen.way.cards)}"
    lay = button(title, form.id("lay"), style=SUCCESS, disabled=not ready)
    said = effect(view, chosen) if ready else lacks(view, names, chosen)
    return [
        *([text(said)] if said else []),
        *([row(*changes)] if changes else []),
        row(lay, *([discard] if discard else [])),
    ]


def _lay(chosen: Chosen) -> str:
    named = [RANKS[chosen.rank]] * chosen.way.naturals + ["2"] * chosen.way.twos + ["Jo"] * chosen.way.jokers
    return f"Lay {' '.join(named)}" if named else "Lay nothing"


def _discard(view: View, form: Form, rank: int) -> Item | None:
    """Return the button that discards a card of a rank: the lowest suit, as suits do not matter."""
    found = next(
        (action for action in form.legal if DISCARD <= action < MELD and RANK[action - DISCARD] == rank), None
    )
    if found is None:
        return None
    title = f"discard{leads_to(view, 1)}"
    return card_button(SIGN[found - DISCARD], title, form.id("discard"), form.emojis, style=DANGER)


def _changes(view: View, form: Form, chosen: Chosen) -> list[Item]:
    """Return a button for each change that leads to other cards of the hand."""
    held, way, name = by_rank(view.hand), chosen.way, RANKS[chosen.rank]
    held[chosen.rank] -= reserved(view, chosen.rank)
    titles = {
        "fewer": f"− {name}" * (way.naturals > 0),
        "more": f"+ {name}" * (way.naturals < held[chosen.rank]),
        "two": "+ 2" * (way.twos < min(MOST_WILDS, held[TWO])),
        "joker": "+ Joker" * (way.jokers < min(MOST_WILDS, held[WILD])),
        NO_WILDS: "No wild" * bool(way.wilds),
    }
    return [button(title, form.id(step)) for step, title in titles.items() if title]
