"""Record of Hand and Foot, one line per turn, and the best moment of a match."""

from collections.abc import Sequence

from games.contract import Event
from games.ending import Ended
from games.hand_and_foot import words
from games.hand_and_foot.cards import RANKS
from games.hand_and_foot.events import Asked, DealBegan, DealScored, Discarded, Melded, PileMade
from games.hand_and_foot.state import sides
from games.phrases import listed, signed


def lines(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Return lines about a stretch of play, which may begin and end anywhere: one for each turn and each score.

    What only one seat may see has no line, and does not end one.
    """
    lines: list[str] = []
    turn: list[str] = []
    before: Event | None = None
    player = -1
    for event in (event for event in events if event.to is None):
        seat, done = _action_words(event, names)
        if not done or seat != player:
            _end_line(lines, turn)
        if not done:
            lines += _lines(event, names)
        elif turn and isinstance(event, Melded) and isinstance(before, Melded):
            turn[-1] += f", {done.removeprefix('lays ')}"
        else:
            turn.append(done if turn else f"{names[seat]} {done}")
        player, before = seat, event
        if isinstance(event, Discarded):
            _end_line(lines, turn)
    _end_line(lines, turn)
    return lines


def _end_line(lines: list[str], turn: list[str]) -> None:
    """Move the turn, if any, to a new line."""
    if turn:
        lines.append(", ".join(turn))
        turn.clear()


def _action_words(event: Event, names: Sequence[str]) -> tuple[int, str]:
    if isinstance(event, Asked):
        return event.seat, f"asks {names[event.partner]} whether to go out"
    return words.action_words(event)


def _lines(event: Event, names: Sequence[str]) -> list[str]:
    match event:
        case DealBegan():
            return [words.deal_began(event, names)]
        case DealScored():
            return words.deal_scored(event, names)
        case Ended(outcome=outcome):
            return words.match_ended(outcome, names).splitlines()
    return []


def recap(event: Event, names: Sequence[str]) -> str:
    """Return how a deal ended, with the points of each side, in one line; "" for another event."""
    if not isinstance(event, DealScored):
        return ""
    how, *_ = words.deal_scored(event, names)
    sides = [
        f"{listed(names[seat] for seat in score.seats)} {signed(score.points)}"
        for score in words.best_first(event)
    ]
    return f"{how} {' · '.join(sides)}"


def closes(event: Event) -> bool:
    """Return whether a deal ends with this event."""
    return isinstance(event, DealScored)


def scores_by_round(events: Sequence[Event], _: object) -> list[tuple[int, ...]]:
    """Return the totals by seat after each deal."""
    return [_by_seat(event) for event in events if isinstance(event, DealScored)]


def _by_seat(event: DealScored) -> tuple[int, ...]:
    return tuple(event.scores[side].total for side in sides(len(event.held)))


def highlight(events: Sequence[Event], names: Sequence[str]) -> str:
    """Return a sentence on the deal with the most points of any side."""
    deals = [event for event in events if isinstance(event, DealScored)]
    best = [(score.points, -deal.deal, deal, score) for deal in deals for score in deal.scores]
    if not best:
        return ""
    points, _, deal, score = max(best, key=lambda found: found[:2])
    if points <= 0:
        return ""
    clean = " and ".join(_clean(events, deal, score.seats))
    piles = f", with a clean pile of {clean}" if clean and score.clean == 1 else ""
    who = listed(names[seat] for seat in score.seats)
    return f"{who} made {signed(points)} points in deal {deal.deal}{piles}."


def _clean(events: Sequence[Event], deal: DealScored, seats: Sequence[int]) -> list[str]:
    """Return the ranks of the clean piles that these seats made in a deal."""
    number, found = 0, []
    for event in events:
        number += isinstance(event, DealBegan)
        if isinstance(event, PileMade) and number == deal.deal and event.clean and event.seat in seats:
            found.append(f"{RANKS[event.rank]}s")
    return found
