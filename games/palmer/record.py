"""Record of Palmer, one line per round of turns, and the deal that decided a match."""

from collections.abc import Iterable, Iterator, Sequence

from games.contract import Event
from games.ending import Ended
from games.palmer.events import DealScored, Drew, Replaced, Score, Turned
from games.palmer.words import gone, narrate, turn_line
from games.phrases import counted
from games.types import SEATS, Seat, with_seats


def lines(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Return lines about a stretch of play: one per round of turns, and the scores of each deal.

    When a drawn card has been placed, the draw and the placing are described together."""
    lines: list[str] = []
    turns: dict[Seat, str] = {}  # by seat, in order
    for event in events:
        if isinstance(event, Drew | Replaced | Turned):
            places_drawn = isinstance(event, Replaced) and event.drawn
            if event.seat in turns and not places_drawn:
                _end_line(lines, turns)
            turns[event.seat] = _turn(event, names)
        else:
            _end_line(lines, turns)
            lines += _scored(event, names) if isinstance(event, DealScored) else _first_line(event, names)
    _end_line(lines, turns)
    return lines


def _end_line(lines: list[str], turns: dict[Seat, str]) -> None:
    """Move the turns, if any, to a new line."""
    if turns:
        lines.append(" · ".join(turns.values()))
        turns.clear()


def _turn(event: Drew | Replaced | Turned, names: Sequence[str]) -> str:
    return f"{names[event.seat]} draws a card" if isinstance(event, Drew) else turn_line(event, names)


def _first_line(event: Event, names: Sequence[str]) -> list[str]:
    # The end of a match has more lines, but its score sheet shows them.
    return narrate(event, names).splitlines()[:1]


def _scored(event: DealScored, names: Sequence[str]) -> list[str]:
    least = min(score.points for score in event.scores)
    scores = [
        f"{'**' * (score.points == least)}{names[score.seat]} {score.points}{'**' * (score.points == least)} "
        f"(total {score.total})"
        for score in event.scores
    ]
    return [f"**Deal {event.deal}:** {' · '.join(scores)}", *gone(event, names)]


def closes(event: Event) -> bool:
    """Return whether a deal ends with this event."""
    return isinstance(event, DealScored)


def recap(event: Event, names: Sequence[str]) -> str:
    """Return the scores of a deal that this event ended; "" for another event."""
    return " · ".join(lines([event], names)) if closes(event) else ""


def scores_by_round(events: Sequence[Event], _: object) -> list[tuple[int, ...]]:
    """Return the totals by seat after each deal."""
    totals: dict[Seat, int] = {}  # by seat; the first deal has all seats
    found = []
    for event in events:
        if isinstance(event, DealScored):
            totals |= {score.seat: score.total for score in event.scores}
            found.append(tuple(totals.values()))
    return found


def highlight(events: Sequence[Event], names: Sequence[str]) -> str:
    """Return a sentence on the deal in which the winner gained most on the player in second place."""
    end = next((event for event in events if isinstance(event, Ended)), None)
    placings = end.outcome.placings if end else ()
    if end is None or placings.count(1) != 1:
        return ""
    winner = SEATS[placings.index(1)]
    second = min(seat for seat, place in with_seats(placings) if place == 2)
    gains = [found for found in _of_both(events, winner, second) if found[1].points < found[2].points]
    if not gains:
        return ""
    deal, own, other = max(gains, key=lambda gain: gain[2].points - gain[1].points)
    # Without the cards: the last picture has this in a font without suits, and the score sheet shows the squares.
    had = counted(own.points, "point")
    return f"Deal {deal} decided it: {names[winner]} had {had}, {names[second]} had {other.points}."


def _of_both(events: Iterable[Event], one: Seat, other: Seat) -> Iterator[tuple[int, Score, Score]]:
    """Yield each deal that both seats played, with their scores."""
    for event in events:
        if isinstance(event, DealScored):
            scores = {score.seat: score for score in event.scores}
            if one in scores and other in scores:
                yield event.deal, scores[one], scores[other]
