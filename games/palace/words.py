"""Texts of Palace for players: cards, events and views, as Markdown for Discord."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.contract import Event
from games.defaults import naming
from games.defaults import question as question
from games.ending import Ended
from games.palace.cards import (
    ACE,
    EIGHT,
    FIRST_BLIND,
    FIRST_PLAY,
    FITTING,
    FREE,
    KINDS,
    KING,
    MOST,
    NINE,
    ORDINARY,
    QUEEN,
    RANKS,
    SEVEN,
    SHOWS,
    TAKE,
    TEN,
    TWO,
    WILDS,
    expand,
    play,
    ranks,
)
from games.palace.events import (
    Began,
    BlindFailed,
    Dealt,
    Drew,
    PileStarted,
    Played,
    ShowsRevealed,
    Took,
    WentOut,
)
from games.palace.view import View
from games.phrases import chosen, counted, ended, listed, ordinal, short, whose_turn
from games.types import Action, with_seats

DOES: Final = {"hand": "plays ", "table": "plays ", "blind": "turns up and plays "}
"""Verbs of a play on a line of its own, by the zone it comes from."""
ROUND: Final = {1: "clockwise", -1: "counter-clockwise"}
"""Name of each direction of play."""
EFFECTS: Final = {
    NINE: "then lower",
    KING: "highest",
    TWO: "then anything",
    SEVEN: "card below counts",
    ACE: "play again",
}
"""Effect that a play of the kind always has, as on a button."""


def label(action: Action) -> str:
    """Return "Face up: 7 10 A", "Play 9 9", "Turn up card 2" or "Take the pile"."""
    if action < FIRST_PLAY:
        return f"Face up: {ranks(SHOWS[action])}"
    if action < FIRST_BLIND:
        kind, count = play(action)
        return f"Play {ranks([kind] * count)}"
    return "Take the pile" if action == TAKE else f"Turn up card {action - FIRST_BLIND + 1}"


done = naming(label)


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in one or a few short lines; "" when there is nothing to say."""
    match event:
        case Began(dealer=dealer):
            return f"**{names[dealer]} deals:** everybody gets three cards face down and six in hand."
        case Dealt(hand=hand):
            return f"Your hand: {ranks(hand)}."
        case ShowsRevealed(shown=shown):
            cards = (f"{name} **{ranks(three)}**" for name, three in zip(names, shown, strict=True))
            return f"Face up: {' · '.join(cards)}"
        case PileStarted():
            return _pile_started(event, names)
        case Played():
            return f"{played(event, names, DOES)}."
        case Drew(kinds=kinds):
            return f"You draw {ranks(kinds)}."
        case Took() | BlindFailed():
            return f"{took(event, names)}."
        case WentOut(seat=seat, place=place):
            return f"**{names[seat]} has no card left** and takes {ordinal(place)} place."
        case Ended(outcome=outcome):
            return ended(outcome, names, "card")
    return ""  # the table shows who has chosen


def _pile_started(event: PileStarted, names: Sequence[str]) -> str:
    tens = {0: "", 1: "A 10 is turned up and leaves the game. "}.get(
        event.tens, f"{event.tens} 10s are turned up and leave the game. "
    )
    return f"{tens}**{RANKS[event.kind]}** starts the pile. {names[event.next]} begins."


def played(event: Played, names: Sequence[str], verbs: Mapping[str, str]) -> str:
    """Return a play and its effects, without a full stop. `verbs` are by zone and end with a space."""
    cards = f"**{ranks([event.kind] * event.count)}**"
    what = f"{names[event.seat]} {verbs[event.zone]}{cards}{' from the table' * (event.zone == 'table')}"
    effects = _effects(event, names)
    return f"{what}, {listed(effects)}" if effects else what


def _effects(event: Played, names: Sequence[str]) -> list[str]:
    """Return the effects of a play besides covering the pile."""
    effects = []
    if event.gone:
        effects.append(f"clears the pile ({counted(event.gone, 'card')})")
    if event.turned:
        effects.append(f"turns play {ROUND[event.turned]}")
    if event.skipped:
        effects.append(f"skips {listed(names[seat] for seat in event.skipped)}")
    if event.next == event.seat:
        effects.append("plays again")
    return effects


def took(event: Took | BlindFailed, names: Sequence[str]) -> str:
    """Return who takes the pile and why, without a full stop."""
    name, pile = names[event.seat], len(event.pile)
    if isinstance(event, Took):
        return f"{name} {'cannot play and ' * event.forced}takes the pile ({counted(pile, 'card')})"
    failed = f"{name} turns up **{RANKS[event.kind]}**, which does not go on {RANKS[event.top]}"
    return f"{failed}, and takes it and the pile ({counted(1 + pile, 'card')})"


def task(view: View) -> str:
    """Return what the awaited players have to do; "" after the end. It depends only on what everybody sees."""
    if view.phase == "show":
        return "choose three cards to lie face up"
    if view.turn is None:
        return ""
    if not view.hand_sizes[view.turn] and not any(view.shown[view.turn]):
        return "turn up a face-down card"
    card = "a card" if view.hand_sizes[view.turn] else "a face-up card"
    if not view.pile or (_free(view) and not view.options.voluntary_pickup):
        return f"play {card}"
    return f"play {card} or take the pile{'' if view.options.voluntary_pickup else ' if none fits'}"


def _free(view: View) -> bool:
    """Return whether any card goes on the pile."""
    return len(FITTING[view.options.allow_equal][view.top]) == len(KINDS)


def by_kind(number: Sequence[int]) -> str:
    """Return counts by kind as "3 9×4 A×2"."""
    return " ".join(
        RANKS[kind] + (f"×{held}" if held > 1 else "") for kind, held in enumerate(number) if held
    )


def needed(top: int, allow_equal: bool) -> str:
    """Return what goes on an effective top: "8 or higher, or a wild (2 7 10 A)"."""
    fits = FITTING[allow_equal][top]
    if len(fits) == len(KINDS):
        return "any card"
    ordinary, wild = [RANKS[kind] for kind in fits if kind in ORDINARY], f"a wild ({ranks(WILDS)})"
    if not ordinary:
        return f"only {wild}"
    if top == NINE:
        return f"{ordinary[-1]} or lower, or {wild}"
    return f"{ordinary[0]}{' or higher' * (len(ordinary) > 1)}, or {wild}"


def on_top(view: View) -> list[int]:
    """Return the card of the pile that counts and the 7s on top of it."""
    glass = next((n for n, kind in enumerate(reversed(view.pile)) if kind != SEVEN), len(view.pile))
    return list(view.pile[-glass - 1 :])


def pile(view: View) -> str:
    """Return a line on the pile: the card that counts, the 7s on top of it, and what fits."""
    if not view.pile:
        return "No pile · any card fits"
    if view.top == FREE:
        top = f"only {ranks(view.pile)} (glass)"
    else:
        glass = ranks(on_top(view)[1:])
        top = f"**{RANKS[view.top]}**" + (f" under {glass} (glass)" if glass else " on top")
    return f"Pile of {len(view.pile)}: {top} · fits: {needed(view.top, view.options.allow_equal)}"


def effect(view: View, action: Action, names: Sequence[str]) -> str:
    """Return in a few words the effect of a play besides covering the pile; "" for none."""
    kind, count = play(action)
    if _clears(view, kind, count):
        return "clears the pile" if view.pile else "play again"
    if kind == EIGHT:
        return f"skips {listed(_skipped(view, count, names))}"
    if kind == QUEEN:
        turns = count % 2 and len(view.shown) - len(view.finished) > 2
        return "turns the direction" * bool(turns)
    return EFFECTS.get(kind, "")


def _clears(view: View, kind: int, count: int) -> bool:
    across = view.options.four_across_turns and (*view.pile, *[kind] * count)[-MOST:] == (kind,) * MOST
    return kind == TEN or count == MOST or across


def _skipped(view: View, count: int, names: Sequence[str]) -> list[str]:
    """Return the names of the players that the viewer's 8s would skip; "you" when the count comes round to the
    viewer."""
    assert view.seat is not None
    seats = len(view.shown)
    order = [(view.seat + view.direction * step) % seats for step in range(1, seats + 1)]
    passed = [seat for seat in order if seat not in view.finished] * count
    return ["you" if seat == view.seat else short(names[seat], 12) for seat in passed[:count]]


def describe(view: View, names: Sequence[str]) -> str:
    """Return everything in the view, as text."""
    names = [short(name, 8) for name in names]  # so that eight players fit
    hand = [f"Your hand: {by_kind(view.hand)}."] * any(view.hand)
    lines = [_status(view, names), f"**Palace**{_progress(view)}", *hand]
    if view.phase != "show":
        lines.append(pile(view))
    lines.append(_zones(view, names))
    if view.pile:
        lines.append(f"In the pile, top first: {ranks(reversed(view.pile))}.")
    if any(view.gone):
        lines.append(f"Out of the game: {by_kind(view.gone)}.")
    return "\n".join([*lines, *_remembered(view, names)])


def _progress(view: View) -> str:
    if view.phase == "show":
        return ""
    quiet = f", {view.quiet} since a card was drawn, left the game or was played from the table" * (
        view.quiet >= 20
    )
    return f", stock {view.stock}, play goes {ROUND[view.direction]}, {counted(view.plays, 'play')}{quiet}"


def _status(view: View, names: Sequence[str]) -> str:
    if view.outcome is not None:
        return ended(view.outcome, names, "card")
    turn = whose_turn(view.awaited, names, view.seat, task(view))
    if view.phase == "play":
        return turn
    return " · ".join([turn, f"{names[(view.dealer + 1) % len(names)]} begins", *have_chosen(view)])


def have_chosen(view: View) -> list[str]:
    """Return how many have chosen their face-up cards, and the choice of this seat."""
    own = [] if view.show is None else [chosen(ranks(SHOWS[view.show]))]
    return [f"{sum(view.has_chosen)} of {len(view.has_chosen)} have chosen", *own]


def _zones(view: View, names: Sequence[str]) -> str:
    """Return a table of everybody's zones, at most 34 characters wide."""
    lines = [" " * 10 + " hand up       down"]
    for seat, name in with_seats(names):
        up = ranks(expand(view.shown[seat])) or "-"
        down = "".join(str(place + 1) if lies else "·" for place, lies in enumerate(view.blind[seat]))
        lines.append(f"{seat + 1} {name:8} {view.hand_sizes[seat]:>4} {up:8} {down}")
    return "```\n" + "\n".join(lines) + "\n```"


def _remembered(view: View, names: Sequence[str]) -> list[str]:
    """Return lines on what everybody knows about each hand."""
    lines = []
    for seat, name in with_seats(names):
        known = [f"took up {by_kind(view.known[seat])}"] * any(view.known[seat])
        for bits in sorted(set(view.ruled_out[seat]), reverse=True):
            number = view.ruled_out[seat].count(bits)
            could = ranks(kind for kind in KINDS if not bits >> kind & 1)
            known.append(f"{counted(number, 'card')} from {could}")
        if known:
            lines.append(f"{name}'s hand: {'; '.join(known)}.")
    return lines
