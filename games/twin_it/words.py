"""Texts of Twin It! for players: faces, events and views, as Markdown for Discord."""

from collections.abc import Iterable, Sequence
from typing import Final

from games.contract import Event, Outcome
from games.defaults import question as question
from games.phrases import counted, ended, listed, short, whose_turn
from games.sides import by_side, opponents
from games.twin_it.actions import label as label
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
from games.twin_it.options import Mode, duration
from games.twin_it.state import ANYBODY, Face
from games.twin_it.view import View
from games.types import SEATS, Action, Seat, with_seats

ROOM: Final = 1400
"""Limit of a description in characters. An ending such as "and 12 more" comes on top of it."""


def done(action: Action, events: Sequence[Event]) -> str:
    """Return the label of an action, and why it was a mistake if its player alone may read that."""
    return ". ".join([label(action), *filter(None, map(unspoken, events))])


def unspoken(event: Event) -> str:
    """Return why a match was a mistake, for its player alone; "" for any other event."""
    if not isinstance(event, Erred) or not event.alike:
        return ""
    return f"{numbers(hand.face for hand in event.hands)} are alike, but their design is forbidden for you"


def face(shown: Face) -> str:
    """Return the number and the design of a face: "12 *daisy six*"."""
    return f"{shown.number} *{NAMES[shown.design]}*"


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in one or a few short lines; "" when there is nothing to say."""
    # Faces are named by their numbers, because names of designs would give matches away. Single hands, cards turned
    # over in a race, and ready players are left out: there are too many of them, and the picture shows them.
    match event:
        case Dealt():
            return _dealt(event, names)
        case Flipped(seat=seat, faces=faces):
            return f"{names[seat]} flips a card.{_new(faces)}"
        case SetWon():
            return _set_won(event, names)
        case Tied():
            who = listed(names[seat] for seat in dict.fromkeys(hand.seat for hand in event.hands))
            return f"**Tie!** {who} were {event.apart} ms apart. The cards turn over.{_new(event.faces)}"
        case Erred():
            return _erred(event, names)
        case Countdown():
            return "**Everybody is ready.**"
        case Opened(faces=faces):
            return f"**Go!** {len(faces)} cards are uncovered."
        case Offered(void=void):
            # Later lines stand beside this one, so it must stay right once everybody is ready.
            race = "The bot was away, so that race does not count. Another one" if void else "The race"
            return f"{race} starts when everybody is ready."
        case Ended(mode=mode, outcome=outcome):
            return result(mode, outcome, names)
    return ""


def moment(at: int) -> str:
    """Return the Markdown with which Discord shows a countdown to a time in ms."""
    return f"<t:{-(-at // 1000)}:R>"


def numbers(faces: Iterable[int]) -> str:
    """Return "12 and 30"."""
    return listed(map(str, faces))


def _new(faces: Iterable[Face]) -> str:
    """Return " New: 12 and 30." for faces that came to show, "" for none."""
    found = [shown.number for shown in faces]
    return f" New: {numbers(found)}." if found else ""


def _dealt(event: Dealt, names: Sequence[str]) -> str:
    few, many = min(event.piles), max(event.piles)
    size = f"{few}" if few == many else f"{few} or {many}"
    lines = [f"**Everybody has a pile of {size} cards.** {names[event.start]} flips first."]
    if event.barred:
        lines.append(f"{_forbids(_barred(event.faces), (names[seat] for seat in event.barred))}.")
    return "\n".join(lines)


def _set_won(event: SetWon, names: Sequence[str]) -> str:
    taken = numbers(touched(event))
    shown = [face for face in event.faces if face.place == "pile"]
    if event.turned is not None:
        shown.append(event.turned)
    return f"**{taken}! {names[event.seat]} {_how_won(event)}.**{_late(event, names)}{_new(shown)}"


def _how_won(event: SetWon) -> str:
    """Return "takes the pair", "adds the third" and so on."""
    if event.from_side is None:
        return ("takes the pair", "takes all three")[event.size - 2]
    return "adds the third copy" if event.from_side == event.side else "robs a pair"


def touched(event: SetWon) -> tuple[int, ...]:
    """Return the numbers of the faces under the winner's hands."""
    # That is every face that has gone, except a third one that was turned over.
    return event.gone[: len(event.gone) - (event.turned is not None)]


def lateness(event: SetWon) -> list[tuple[int, Seat, int]]:
    """Return (ms, seat, face) for each rival's hand that came too late, on a face where the winner's lay already, the
    soonest first."""
    own = len(touched(event))
    won = {hand.face: hand.at for hand in event.hands[:own]}
    return sorted(
        (hand.at - won[hand.face], hand.seat, hand.face)
        for hand in event.hands[own:]
        if hand.at > won.get(hand.face, hand.at)
    )


def _late(event: SetWon, names: Sequence[str]) -> str:
    return "".join(
        f" {names[seat]}'s hand on {face} came {ms} ms later." for ms, seat, face in lateness(event)
    )


def _erred(event: Erred, names: Sequence[str]) -> str:
    rest = (event.until - event.hands[-1].at) // 1000
    touched = numbers(hand.face for hand in event.hands)
    name = names[event.seat]
    text = f"{touched}? {_why(event, name)}! {name}'s hands are off for {counted(rest, 'second')}."
    if event.given is not None:
        text += " The last set goes back under the pile."
    if event.turn is not None:
        text += f" {'Anybody' if event.turn == ANYBODY else names[event.turn]} flips next."
    return text + _new(event.faces)


def _why(event: Erred, name: str) -> str:
    """Return why hands were a mistake, without saying whether the faces are alike: rivals would know then."""
    if event.alone:
        return "Two of a team lay one hand each"
    if barred := [hand.face for hand in event.hands if hand.face in event.barred]:
        return _forbids(barred, [name])
    return f"No match for {name}" if event.barred else "No match"


def result(mode: Mode, outcome: Outcome, names: Sequence[str]) -> str:
    """Return how a match ended."""
    if mode == "cooperative":
        return f"**{_together(names)} {counted(outcome.scores[0], 'point')}.** {outcome.reason}"
    team = mode == "teams" and len({*outcome.placings}) > 1
    if team:
        outcome = by_side(outcome, outcome.placings)  # each of the two teams has a placing
    return ended(outcome, names, "point" if mode == "timed" else "set", team=team)


def describe(view: View, names: Sequence[str]) -> str:
    """Return the view as text. If there are too many faces, the newest are listed."""
    cut = [short(name, 16) for name in names]
    lines = [status(view, cut), _heading(view), *teams(view, cut), *forbidden(view, cut)]
    lines += [_seat(view, seat, cut) for seat in SEATS[: len(cut)]]
    room = ROOM - sum(len(line) + 1 for line in lines)
    for title, parts in _zones(view):
        if parts and room > len(title):
            lines.append(f"{title}: {_fitted(parts, room - len(title))}.")
            room -= len(lines[-1]) + 1
    return "\n".join(lines)


def _heading(view: View) -> str:
    options = view.options
    goal = (
        duration(options.seconds)
        if options.against_time
        else f"first to {counted(options.sets_to_win, 'set')}"
    )
    return f"**Twin It!, {options.mode}**, {goal}"


def teams(view: View, names: Sequence[str]) -> list[str]:
    """Return a line with the two teams while they play, no line in other modes."""
    if view.options.mode != "teams" or view.outcome is not None:
        return []
    return [f"{opponents(names, [seat % 2 for seat, _ in with_seats(names)])}."]


def forbidden(view: View, names: Sequence[str]) -> list[str]:
    """Return a line with the faces whose designs never match for a side while they play, no line if there are none."""
    barred = _barred(view.faces)
    if not barred or view.outcome is not None:
        return []
    sides = view.options.sides(len(names))
    whose = (name for seat, name in with_seats(names) if seat % sides == view.barred_side)
    return [f"{_forbids(barred, whose)}."]


def _barred(faces: Iterable[Face]) -> list[int]:
    return [shown.number for shown in faces if shown.place == "barred"]


def _forbids(barred: Sequence[int], whose: Iterable[str]) -> str:
    """Return "The designs of 1, 2 and 3 are forbidden for Ben"."""
    are = "designs of {} are" if len(barred) > 1 else "design of {} is"
    return f"The {are.format(numbers(barred))} forbidden for {listed(whose)}"


def task(view: View) -> str:
    """Return what the awaited players have to do, "" when nobody is awaited."""
    if not view.awaited:
        return ""
    return "press `I am ready`" if view.turn is None else "flip"


def status(view: View, names: Sequence[str]) -> str:
    """Return whose turn it is, when a race starts or ends, or how the match ended."""
    if view.outcome is not None:
        return result(view.options.mode, view.outcome, names)
    if view.opens:
        return _race(view)
    return whose_turn(view.awaited, names, view.seat, task(view)) or SEARCHING


SEARCHING: Final = "The piles are used up. The match ends when nobody finds a match for 30 seconds."


def _race(view: View) -> str:
    # An open page is not updated, so these sentences must also be right after the time has passed.
    if view.ends:
        return f"End of the race: {moment(view.ends)}."
    return f"**Start of the race: {moment(view.opens)}.** `Open the spread` shows it from then on."


def tally(view: View, names: Sequence[str]) -> list[str]:
    """Return a line with the points so far while a race runs, otherwise no line."""
    if not view.ends or view.outcome is not None:
        return []
    if view.options.mode == "cooperative":
        return [f"{_together(names)} {counted(view.scores[0], 'point')}."]
    return [f"Points: {listed(f'{name} {score}' for name, score in zip(names, view.scores, strict=True))}."]


def _together(names: Sequence[str]) -> str:
    return "Together you have" if len(names) > 1 else f"{names[0]} has"


def _seat(view: View, seat: Seat, names: Sequence[str]) -> str:
    """Return "Alice (you): 2 sets, 17 in the pile, a hand on 12."."""
    you = " (you)" if seat == view.seat else ""
    parts = [counted(view.scores[seat], view.options.unit)]
    if view.piles:
        parts.append(f"{len(view.piles[seat])} in the pile")
    if view.hands[seat]:
        parts.append(f"a hand on {listed(str(hand.face) for hand in view.hands[seat])}")
    if view.rests[seat]:
        parts.append("hands are off")
    return f"{names[seat]}{you}: {', '.join(parts)}."


def _zones(view: View) -> list[tuple[str, list[str]]]:
    """Return (title, faces) by place, the newest face first, and the designs seen on the other sides of cards."""
    newest = view.faces[::-1]
    titles = {"barred": "Forbidden", "pile": "On the piles", "table": "On the table", "set": "Won"}
    zones = [
        (title, [face(shown) for shown in newest if shown.place == place]) for place, title in titles.items()
    ]
    under = [f"{shown.number} *{NAMES[shown.hidden]}*" for shown in newest if shown.hidden is not None]
    return [*zones, ("Seen on other sides", under)]


def _fitted(parts: Sequence[str], room: int) -> str:
    """Return as many parts as fit, and the number of the others."""
    fitting = 0
    for part in parts:
        room -= len(part) + 2
        if room < 0:
            break
        fitting += 1
    left = len(parts) - fitting
    return ", ".join([*parts[:fitting], *([f"and {left} more"] if left else [])])
