"""Palace in words: cards, events and views, as Markdown for Discord."""

from collections.abc import Sequence
from typing import Final

from games.contract import Event
from games.palace.cards import (
    FIRST_BLIND,
    FIRST_PLAY,
    FITTING,
    FREE,
    KINDS,
    NINE,
    ORDINARY,
    RANKS,
    SEVEN,
    SHOWS,
    TAKE,
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
    Ended,
    PileStarted,
    Played,
    ShowsRevealed,
    Took,
    WentOut,
)
from games.palace.view import View
from games.phrases import counted, ended, listed, short

DOES: Final = {"hand": "plays", "table": "plays", "blind": "turns up and plays"}


def label(action: int) -> str:
    """Face up: 7 10 A; Play 9 9; Turn up card 2; Take the pile."""
    if action < FIRST_PLAY:
        return f"Face up: {ranks(SHOWS[action])}"
    if action < FIRST_BLIND:
        kind, count = play(action)
        return f"Play {ranks([kind] * count)}"
    return "Take the pile" if action == TAKE else f"Turn up card {action - FIRST_BLIND + 1}"


def narrate(event: Event, names: Sequence[str]) -> str:
    """One or a few short lines telling the event."""
    match event:
        case Began(dealer=dealer):
            return (
                f"**{names[dealer]} deals** everyone three cards face down and a hand of six. "
                "Choose three of the six to lie face up."
            )
        case Dealt(hand=hand):
            return f"Your hand: {ranks(hand)}."
        case ShowsRevealed(shown=shown):
            cards = (f"{name} {ranks(three)}" for name, three in zip(names, shown, strict=True))
            return f"Face up: {', '.join(cards)}."
        case PileStarted():
            return _pile_started(event, names)
        case Played():
            return _played(event, names)
        case Drew(kinds=kinds):
            return f"You draw {ranks(kinds)}."
        case Took() | BlindFailed():
            return _took(event, names)
        case WentOut(seat=seat, place=place):
            return f"**{names[seat]} has no card left** and takes place {place}."
        case Ended(outcome=outcome):
            return ended(outcome, names, "card")
    return ""  # the table shows who has chosen; a message for each would only be noise


def _pile_started(event: PileStarted, names: Sequence[str]) -> str:
    tens = {0: "", 1: "A 10 is turned up and leaves the game. "}.get(
        event.tens, f"{event.tens} 10s are turned up and leave the game. "
    )
    lower = " and must play lower or wild" if event.kind == NINE else ""
    return f"{tens}**{RANKS[event.kind]}** is turned up to start the pile. {names[event.next]} begins{lower}."


def _played(event: Played, names: Sequence[str]) -> str:
    table = " from the table" * (event.zone == "table")
    what = f"{names[event.seat]} {DOES[event.zone]} **{ranks([event.kind] * event.count)}**{table}"
    effects = _effects(event, names)
    return f"{what}{': ' * bool(effects)}{'; '.join(effects)}."


def _effects(event: Played, names: Sequence[str]) -> list[str]:
    """What a play changes beside the top of the pile."""
    effects = []
    if event.gone:
        effects.append(f"{'the pile, ' * (event.gone > 1)}{counted(event.gone, 'card')}, leaves the game")
    if event.turned:
        effects.append(f"play now goes to the {'left' if event.turned == 1 else 'right'}")
    if event.skipped:
        verb = "is" if len(event.skipped) == 1 else "are"
        effects.append(f"{listed(names[seat] for seat in event.skipped)} {verb} skipped")
    if event.next == event.seat:
        effects.append(f"{names[event.seat]} plays again")
    elif event.kind == NINE and not event.gone and event.next is not None:
        effects.append(f"{names[event.next]} must play lower or wild")
    return effects


def _took(event: Took | BlindFailed, names: Sequence[str]) -> str:
    name, pile = names[event.seat], len(event.pile)
    if isinstance(event, Took):
        return f"{name} {'cannot play and ' * event.forced}takes the pile, {counted(pile, 'card')}."
    failed = f"{name} turns up **{RANKS[event.kind]}**, which does not go on {RANKS[event.top]}"
    return f"{failed}, and takes it and the pile, {counted(1 + pile, 'card')} in all."


def by_kind(number: Sequence[int]) -> str:
    """Counts by kind: 3 9×4 A×2."""
    return " ".join(
        RANKS[kind] + (f"×{held}" if held > 1 else "") for kind, held in enumerate(number) if held
    )


def needed(top: int, allow_equal: bool) -> str:
    """What goes on an effective top."""
    fits = FITTING[allow_equal][top]
    if len(fits) == len(KINDS):
        return "Any card goes on it."
    ordinary = ranks(kind for kind in fits if kind in ORDINARY)
    return f"It takes {f'{ordinary} or a wild' if ordinary else 'only a wild'} ({ranks(WILDS)})."


def pile(view: View) -> str:
    """The pile in two sentences: the card that counts, the 7s on it, and what goes on it."""
    if not view.pile:
        return "There is no pile: any card starts one."
    glass = next((n for n, kind in enumerate(reversed(view.pile)) if kind != SEVEN), len(view.pile))
    sevens = ranks([SEVEN] * glass)
    if view.top == FREE:
        top = f"nothing but {sevens}"
    else:
        top = f"**{RANKS[view.top]}**" + (f" under {sevens} (glass)" if glass else " on top")
    return f"Pile of {len(view.pile)}: {top}. {needed(view.top, view.options.allow_equal)}"


def describe(view: View, names: Sequence[str]) -> str:
    """Everything the view says. Names are cut to eight characters: eight players must fit."""
    names = [short(name, 8) for name in names]
    lines = [f"**Palace**{_pace(view)}", _status(view, names), *_own(view)]
    if view.phase != "show":
        lines.append(pile(view))
    lines.append(_zones(view, names))
    if view.pile:
        lines.append(f"In the pile, top first: {ranks(reversed(view.pile))}.")
    if any(view.gone):
        lines.append(f"Out of the game: {by_kind(view.gone)}.")
    return "\n".join([*lines, *_remembered(view, names)])


def _pace(view: View) -> str:
    if view.phase == "show":
        return ""
    direction = "left" if view.direction == 1 else "right"
    quiet = f", {view.quiet} since a card was drawn, left or came from the table" * (view.quiet >= 20)
    return f", stock {view.stock}, play goes to the {direction}, {view.plays} plays{quiet}"


def _status(view: View, names: Sequence[str]) -> str:
    if view.outcome is not None:
        return ended(view.outcome, names, "card")
    awaited = listed("you" if seat == view.seat else names[seat] for seat in view.awaited)
    if view.turn is not None:
        return f"A play is awaited from {awaited}."
    return (
        f"{sum(view.has_chosen)} of {len(names)} have chosen; three cards to lie face up are awaited from {awaited}. "
        f"{names[view.dealer]} deals, and {names[(view.dealer + 1) % len(names)]} begins."
    )


def _own(view: View) -> list[str]:
    lines = [f"Your hand: {by_kind(view.hand)}."] if any(view.hand) else []
    if view.show is not None:
        lines.append(f"Your choice: {label(view.show)}.")
    return lines


def _zones(view: View, names: Sequence[str]) -> str:
    """A table of everybody's zones, at most 34 wide."""
    lines = [" " * 10 + " hand up       down"]
    for seat, name in enumerate(names):
        up = ranks(expand(view.shown[seat])) or "-"
        down = "".join(str(place + 1) if lies else "·" for place, lies in enumerate(view.blind[seat]))
        lines.append(f"{seat + 1} {name:8} {view.hand_sizes[seat]:>4} {up:8} {down}")
    return "```\n" + "\n".join(lines) + "\n```"


def _remembered(view: View, names: Sequence[str]) -> list[str]:
    """What is known of the hands of others, and what others know of one's own."""
    lines = []
    for seat, name in enumerate(names):
        told = [f"took up {by_kind(view.known[seat])}"] * any(view.known[seat])
        for bits in sorted(set(view.ruled_out[seat]), reverse=True):
            number = view.ruled_out[seat].count(bits)
            could = ranks(kind for kind in KINDS if not bits >> kind & 1)
            told.append(f"{number} other{'s are' if number > 1 else ' is'} of {could}")
        if told:
            lines.append(f"{name}'s hand: {'; '.join(told)}.")
    return lines
