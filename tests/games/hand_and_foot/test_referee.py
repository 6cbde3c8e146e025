"""Matches of computers and of random play, checked event by event by a referee who knows only the rules' text."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from games.contract import Event
from games.hand_and_foot import GAME
from games.hand_and_foot.events import DealScored, Melded
from games.hand_and_foot.options import HandAndFootOptions
from games.hand_and_foot.state import State
from games.strategies import choose
from tests.games.hand_and_foot.referee import Referee

MATCHES = [(seats, seed) for seats in range(2, 7) for seed in range(8)]
Step = tuple[list[Counter[int]], list[Event]]
"""The cards known of each hand, and the new public events."""


@cache
def play(seats: int, seed: int) -> tuple[Step, ...]:
    """Return the steps of a deal: after the deal, and after each action of casual computers, who now and then play at
    random."""
    return tuple(_play(seats, seed))


def _play(seats: int, seed: int) -> Iterator[Step]:
    state, events = GAME.new(HandAndFootOptions(deals=1), seats, seed)
    rng = Random(seed)
    yield known(state), public(events)
    while awaited := GAME.awaited(state):
        (seat,) = awaited
        if rng.random() < 0.1:
            action = rng.choice(GAME.legal(state, seat))
        else:
            action = choose(GAME, GAME.view(state, seat), "casual", rng.random().hex())
        events = GAME.apply(state, seat, action)
        yield known(state), public(events)


def known(state: State) -> list[Counter[int]]:
    return [Counter(cards) for cards in state.known]


def public(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if event.to is None]


def public_events(seats: int, seed: int) -> list[Event]:
    """Return the public events of a deal."""
    return [event for _, events in play(seats, seed) for event in events]


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_every_event_follows_the_rules_and_cards_taken_in_public_stay_known(seats: int, seed: int) -> None:
    referee = Referee(HandAndFootOptions(deals=1), seats)
    for cards, events in play(seats, seed):
        for event in events:
            referee.receive(event)
        assert referee.over or referee.known == cards
    assert referee.over


def test_the_matches_show_what_the_rules_are_about() -> None:
    kinds = {type(event).__name__ for match in MATCHES for event in public_events(*match)}
    assert {"Asked", "FootTaken", "LaidReds", "PileMade", "Took"} <= kinds
    outs = {
        event.out is None
        for match in MATCHES
        for event in public_events(*match)
        if isinstance(event, DealScored)
    }
    assert outs == {True, False}


def test_the_referee_objects_to_a_wrong_score_and_a_wrong_meld() -> None:
    events = public_events(3, 1)
    scored = next(event for event in events if isinstance(event, DealScored))
    wrong = replace(scored, scores=(scored.scores[0]._replace(points=1), *scored.scores[1:]))
    laid = next(event for event in events if isinstance(event, Melded))
    few = replace(laid, groups=(laid.groups[0][:1], *laid.groups[1:]))
    for true, false in ((scored, wrong), (laid, few)):
        referee = Referee(HandAndFootOptions(deals=1), 3)
        for event in events[: events.index(true)]:
            referee.receive(event)
        with pytest.raises(AssertionError):
            referee.receive(false)
