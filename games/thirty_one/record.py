"""Record of Thirty-One, one line per round of turns, and the moment that decided a match."""

from collections.abc import Sequence

from games.contract import Event
from games.ending import Ended
from games.phrases import ended, listed
from games.thirty_one import words
from games.thirty_one.events import (
    DealBegan,
    Discarded,
    Drew,
    HadThirtyOne,
    HandsShown,
    Knocked,
    Refilled,
    Took,
)
from games.thirty_one.options import ThirtyOneOptions
from games.thirty_one.words import points
from games.types import Seat


def lines(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Return lines about a stretch of play, which may begin and end anywhere."""
    recorder = _Recorder(names)
    for event in events:
        recorder.add(event)
    return recorder.lines()


def closes(event: Event) -> bool:
    """Return whether a deal ends with this event."""
    return isinstance(event, HadThirtyOne | HandsShown)


def recap(event: Event, names: Sequence[str]) -> str:
    """Return how this event ended a deal; "" for another event."""
    return " · ".join(lines([event], names)) if closes(event) else ""


class _Recorder:
    """Lines so far, and the turns of the unfinished round."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._lines: list[str] = []
        self._round: list[str] = []
        self._acted: list[Seat] = []
        """Seats that have acted in this round, in order."""
        self._head = ""

    def add(self, event: Event) -> None:
        match event:
            case Drew(seat=seat) | Took(seat=seat) | Discarded(seat=seat):
                self._act(seat, words.action(event))
            case Knocked(seat=seat):
                self._act(seat, "knocks")
                self._round[-1] = f"**{self._round[-1]}**"
                self._end_round("Last turns: ")
            case Refilled():
                self._round.append(words.refilled(event))
            case DealBegan():
                self._append(words.deal_began(event, self._names))
            case HadThirtyOne() | HandsShown():
                self._append(*words.deal_ended(event, self._names))
            case Ended(outcome=outcome):
                self._append(*ended(outcome, self._names, "token").splitlines())

    def lines(self) -> list[str]:
        """Return all lines, the unfinished round included."""
        self._end_round()
        return self._lines

    def _act(self, seat: Seat, action: str) -> None:
        """Add an action to the present turn, or begin the next turn or round with it."""
        if self._acted[-1:] == [seat]:
            self._round[-1] += f", {action}"
            return
        if seat in self._acted:
            self._end_round()
        self._acted.append(seat)
        self._round.append(f"{self._names[seat]} {action}")

    def _append(self, *lines: str) -> None:
        self._end_round()
        self._lines += lines

    def _end_round(self, head: str = "") -> None:
        if self._round:
            self._lines.append(self._head + " · ".join(self._round))
        self._round, self._acted, self._head = [], [], head


def scores_by_round(events: Sequence[Event], options: ThirtyOneOptions) -> list[tuple[int, ...]]:
    """Return the tokens left by seat after each deal."""
    found: list[tuple[int, ...]] = []
    for event in events:
        if isinstance(event, HadThirtyOne | HandsShown):
            before = found[-1] if found else (options.tokens,) * len(event.payments)
            found.append(tuple(held - paid for held, paid in zip(before, event.payments, strict=True)))
    return found


def highlight(events: Sequence[Event], names: Sequence[str]) -> str:
    """Return a sentence on a 31 that was dealt, which is rare; else on the best hand of the last deal, if somebody paid
    the last token there. Return "" when neither happened."""
    deals = [event.deal for event in events if isinstance(event, DealBegan)]
    ends = [event for event in events if isinstance(event, HadThirtyOne | HandsShown)]
    for deal, end in zip(deals, ends[:-1], strict=False):
        if isinstance(end, HadThirtyOne) and end.dealt:
            return f"In deal {deal} {_had_thirty_one(end, names)}."
    if not deals or not ends or not ends[-1].out:
        return ""
    last, out = ends[-1], listed(names[seat] for seat in ends[-1].out)
    cost = "their last token" if len(last.out) > 1 else "the last token"
    if isinstance(last, HadThirtyOne):
        return f"In deal {deals[-1]} {_had_thirty_one(last, names)}, which cost {out} {cost}."
    return f"In deal {deals[-1]} {_best(last, names)}, and {out} paid {cost}."


def _had_thirty_one(event: HadThirtyOne, names: Sequence[str]) -> str:
    """Return "Ben was dealt 31" or "Ben made 31"."""
    who = listed(names[hand.seat] for hand in event.shown)
    had = f"{'was' if len(event.shown) == 1 else 'were'} dealt" if event.dealt else "made"
    return f"{who} {had} 31"


def _best(last: HandsShown, names: Sequence[str]) -> str:
    """Return "Ben knocked with 24", "Cleo had 24 against Ben's knock with 19" or "Cleo had the best hand, 24"."""
    most = max(hand.worth for hand in last.shown)
    best = listed(names[hand.seat] for hand in last.shown if hand.worth == most)
    if last.knocker is None:
        return f"{best} had the best hand, {points(most)}"
    own = next(hand.worth for hand in last.shown if hand.seat == last.knocker)
    if own == most:
        return f"{names[last.knocker]} knocked with {points(own)}"
    return f"{best} had {points(most)} against {names[last.knocker]}'s knock with {points(own)}"
