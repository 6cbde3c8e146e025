"""Twin It! in words: faces, events and views, as Markdown for Discord."""

from collections.abc import Iterable, Sequence
from typing import Final

from games.contract import Event, Outcome
from games.phrases import counted, ended, listed, short
from games.twin_it.designs import NAMES
from games.twin_it.events import (
    Countdown,
    Dealt,
    Ended,
    Erred,
    Flipped,
    Offered,
    Opened,
    SetWon,
    Tied,
)
from games.twin_it.options import Mode
from games.twin_it.state import ANYBODY, NOBODY, Face
from games.twin_it.view import View

ROOM: Final = 1400
"""Characters of a description; the rest of what is allowed is for saying how many faces did not fit."""


def face(shown: Face) -> str:
    """12 *its design's name*."""
    return f"{shown.number} *{NAMES[shown.design]}*"


def narrate(event: Event, names: Sequence[str]) -> str:
    """One or a few short lines telling the event. Single hands, turned cards of a spread and who is ready are no
    messages: they are too many and too fast, and the picture shows them."""
    match event:
        case Dealt():
            return _dealt(event, names)
        case Flipped(seat=seat, faces=faces):
            return f"{names[seat]} turns over {face(faces[0])}.{_on_piles(faces[1:])}"
        case SetWon():
            return _set_won(event, names)
        case Tied():
            return _tied(event, names)
        case Erred():
            return _erred(event, names)
        case Countdown():
            return "**Everybody is ready.**"
        case Opened(faces=faces):
            return f"**Go!** {len(faces)} cards are uncovered."
        case Offered(void=void):
            away = "The house was away, so this race does not count. " if void else ""
            return f"{away}All cards lie on one spread, covered until everybody is ready."
        case Ended(mode=mode, outcome=outcome):
            return result(mode, outcome, names)
    return ""


def moment(at: int) -> str:
    """A time, as Discord counts down to it."""
    return f"<t:{-(-at // 1000)}:R>"


def _dealt(event: Dealt, names: Sequence[str]) -> str:
    few, many = min(event.piles), max(event.piles)
    size = f"{few}" if few == many else f"{few} or {many}"
    lines = [
        f"**Everybody has a pile of {size} cards.** {names[event.start]} flips first; hands are free at once."
    ]
    if event.barred:
        designs = (face(shown) for shown in event.faces if shown.place == "barred")
        whose = listed(names[seat] for seat in event.barred)
        lines.append(f"Never a match for {whose}: {listed(designs)}.")
    return "\n".join([*lines, _on_piles(event.faces, "On the piles").strip()])


def _on_piles(faces: Iterable[Face], where: str = "On the pile now") -> str:
    """A sentence with a space before it, or nothing."""
    tops = [face(shown) for shown in faces if shown.place == "pile"]
    return f" {where}: {listed(tops)}." if tops else ""


def _set_won(event: SetWon, names: Sequence[str]) -> str:
    name, design = names[event.seat], f"*{NAMES[event.design]}*"
    if event.from_side is None:
        told = f"**{name} takes {('two', 'three')[event.size - 2]} {design}**"
    elif event.from_side == event.side:
        told = f"**{name} adds the third {design}**"
    else:
        told = f"**{name} robs a pair and has all three {design}**"
    tops = [f", now {shown.number}" for shown in event.faces if shown.place == "set"]
    told += f" ({listed(map(str, event.gone[: _own(event)]))}{''.join(tops)})."
    told += _late(event, names)
    if event.turned is not None:
        told += f" The third copy is turned over: {face(event.turned)}."
    return told + _on_piles(event.faces)


def _late(event: SetWon, names: Sequence[str]) -> str:
    """By how much rivals missed it whose hands came down where the winner's lay first."""
    won = {hand.face: hand.at for hand in event.hands[: _own(event)]}
    late = (
        f" {names[hand.seat]}'s hand on {hand.face} came {hand.at - won[hand.face]} ms later."
        for hand in event.hands[_own(event) :]
        if hand.at > won.get(hand.face, hand.at)
    )
    return "".join(late)


def _own(event: SetWon) -> int:
    """How many of the faces that went were touched by the winner: all but a third that was turned over."""
    return len(event.gone) - (event.turned is not None)


def _tied(event: Tied, names: Sequence[str]) -> str:
    seats = dict.fromkeys(hand.seat for hand in event.hands)
    turned = listed(face(shown) for shown in event.faces)
    tie = (
        f"**{listed(names[seat] for seat in seats)} tie** on *{NAMES[event.design]}*, {event.apart} ms apart."
    )
    return f"{tie} Turned over: {turned}."


def _erred(event: Erred, names: Sequence[str]) -> str:
    rest = (event.until - event.hands[-1].at) // 1000
    touched = listed(str(hand.face) for hand in event.hands)
    told = f"{names[event.seat]} errs with {touched}, and rests for {counted(rest, 'second')}."
    if event.given is not None:
        size = ("two", "three")[event.size - 2]
        told += f" A set of {size} *{NAMES[event.given]}* goes back under the pile."
    return told + _on_piles(event.faces)


def result(mode: Mode, outcome: Outcome, names: Sequence[str]) -> str:
    """How it ended."""
    if mode == "cooperative":
        return f"**{_together(names)} {counted(outcome.scores[0], 'point')}.** {outcome.reason}"
    team = mode == "teams" and len({*outcome.placings}) > 1
    return ended(outcome, names, "point" if mode == "timed" else "set", team=team)


def describe(view: View, names: Sequence[str]) -> str:
    """What the view says, as far as it fits: of many faces the newest."""
    cut = [short(name, 16) for name in names]
    lines = [_heading(view), status(view, cut), *(_seat(view, seat, cut) for seat in range(len(cut)))]
    room = ROOM - sum(len(line) + 1 for line in lines)
    for title, parts in _zones(view):
        if parts and room > len(title):
            lines.append(f"{title}: {_fitted(parts, room - len(title))}.")
            room -= len(lines[-1]) + 1
    return "\n".join(lines)


def _heading(view: View) -> str:
    options = view.options
    goal = (
        f"{options.seconds} seconds"
        if options.against_time
        else f"first to {counted(options.sets_to_win, 'set')}"
    )
    return f"**Twin It!, {options.mode}**, {goal}"


def status(view: View, names: Sequence[str]) -> str:
    """Whose turn it is, when the time is up, or how it ended."""
    if view.outcome is not None:
        return result(view.options.mode, view.outcome, names)
    if view.options.against_time:
        return _race(view, names)
    if view.turn == NOBODY:
        return "The piles are used up; the match ends when nothing is found for 30 seconds."
    if view.turn == ANYBODY:
        return "Whoever has a pile may flip."
    return f"{'You flip' if view.turn == view.seat else f'{names[view.turn]} flips'} next."


def _race(view: View, names: Sequence[str]) -> str:
    if view.ends:
        return f"The time is up {moment(view.ends)}."
    if view.opens:
        return f"The spread is uncovered {moment(view.opens)}."
    return f"Not ready yet: {listed('you' if seat == view.seat else names[seat] for seat in view.awaited)}."


def tally(view: View, names: Sequence[str]) -> list[str]:
    """A line of the points so far, while the time of a race runs."""
    if not view.ends or view.outcome is not None:
        return []
    if view.options.mode == "cooperative":
        return [f"{_together(names)} {counted(view.scores[0], 'point')}."]
    return [f"Points: {listed(f'{name} {score}' for name, score in zip(names, view.scores, strict=True))}."]


def _together(names: Sequence[str]) -> str:
    return "Together you have" if len(names) > 1 else f"{names[0]} has"


def _seat(view: View, seat: int, names: Sequence[str]) -> str:
    """Alice (you): 2 sets, 17 in the pile, a hand on 12."""
    you = " (you)" if seat == view.seat else ""
    parts = [counted(view.scores[seat], "point" if view.options.against_time else "set")]
    if not view.options.against_time:
        parts.append(f"{len(view.piles[seat])} in the pile")
    if view.hands[seat]:
        parts.append(f"a hand on {listed(str(hand.face) for hand in view.hands[seat])}")
    if view.rests[seat]:
        parts.append("hands rest")
    return f"{names[seat]}{you}: {', '.join(parts)}."


def _zones(view: View) -> list[tuple[str, list[str]]]:
    """What lies where, the newest face first, and last what is hidden under faces and was seen."""
    newest = view.faces[::-1]
    titles = {"barred": "Barred", "pile": "On the piles", "table": "On the table", "set": "Won"}
    zones = [
        (title, [face(shown) for shown in newest if shown.place == place]) for place, title in titles.items()
    ]
    under = [f"{shown.number} *{NAMES[shown.hidden]}*" for shown in newest if shown.hidden is not None]
    return [*zones, ("Under them", under)]


def _fitted(parts: Sequence[str], room: int) -> str:
    """As many as fit, and how many more there are."""
    fitting = 0
    for part in parts:
        room -= len(part) + 2
        if room < 0:
            break
        fitting += 1
    left = len(parts) - fitting
    return ", ".join([*parts[:fitting], *([f"and {left} more"] if left else [])])
