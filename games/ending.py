"""The end of a match: the event that tells of it, and the function that makes it."""

from games.contract import Event, MatchState, Outcome, Sink, event


@event
class Ended(Event):
    """The match is over."""

    outcome: Outcome


def end(state: MatchState, outcome: Outcome, events: Sink) -> None:
    """End a match with this result."""
    state.outcome = outcome  # type: ignore[misc]  # the slot is in each subclass
    if events is not None:
        events.append(Ended(outcome))
