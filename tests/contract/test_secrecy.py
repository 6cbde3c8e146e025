"""No leak: two states that differ only in what a player has never seen look the same to that player, byte for byte."""

import dataclasses
import hashlib
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from random import Random
from typing import Any, cast
from unittest.mock import patch

from games import chance
from games.contract import Event, Illegal
from games.types import Action, Seat
from tests.contract.law import law, law_of_matches
from tests.contract.matches import (
    NAMES,
    Draw,
    LogEntry,
    Match,
    apply_entry,
    begin,
    moment,
    next_entry,
    visible,
)
from tests.contract.structure import structure
from tests.contract.subjects import Subject

MOST_CHANGED = 12
"""Number of changed streams to try for each deal. Dice have a stream each, so there can be thirty."""


@law
def test_swapping_unseen_cards_changes_nothing_that_a_seat_can_learn(subject: Subject, draw: Draw) -> int:
    match, rng = moment(subject, draw), Random(draw.choices)
    pairs = [(seat, twin) for seat in match.viewers for twin in swapped_states(subject, match, seat, rng)]
    for seat, twin in pairs:
        assert visible_to(match, twin, seat) == visible_to(match, match.state, seat)
    return len(pairs)


@law
def test_hidden_choices_of_others_change_nothing_that_a_seat_can_learn(subject: Subject, draw: Draw) -> int:
    match = moment(subject, draw)
    for seat in match.viewers:
        for twin in subject.secrets.choices(match.state, seat):
            assert structure(twin) != structure(match.state), "the choice is another one"
            assert visible_to(match, twin, seat) == visible_to(match, match.state, seat)
    return 1  # a game may have no hidden choices


@law
def test_events_of_an_action_do_not_reveal_hidden_cards_or_choices(subject: Subject, draw: Draw) -> int:
    match, rng = moment(subject, draw), Random(draw.choices)
    compared = 0
    for seat in match.viewers:
        for twin in (*swapped_states(subject, match, seat, rng), *subject.secrets.choices(match.state, seat)):
            compared += sum(
                compare_same_action(match, twin, seat, actor, rng) for actor in match.active_seats()
            )
        compared += sum(
            compare_different_actions(match, seat, actor, rng)
            for actor in match.active_seats()
            if actor != seat
        )
    return compared


@law_of_matches
def test_events_of_a_deal_do_not_reveal_hidden_cards(subject: Subject, draw: Draw) -> int:
    """Every deal of a match is repeated with a few cards of the deck in other places: a seat whose view is the same
    afterwards must have received the same events."""
    match, rng = begin(subject, draw), Random(draw.choices)
    compared = compare_other_deals(
        match, lambda: Reached(match, *match.game.new(match.options, len(match.seats), draw.seed)), rng
    )
    while match.is_open:
        entry = next_entry(match, rng)
        compared += compare_other_deals(match, partial(after_entry, match, match.state, entry), rng)
        match.do(entry)
    return compared


@law
def test_views_are_frozen_plain_data_without_the_seed(subject: Subject, draw: Draw) -> int:
    match = moment(subject, draw)
    for seat in match.viewers:
        view = match.game.view(match.state, seat)
        assert dataclasses.is_dataclass(view)
        assert cast(Any, view).__dataclass_params__.frozen
        assert str(draw.seed) not in structure(view) + structure(
            [visible(events, seat) for events in match.events]
        )
    return 1


@law
def test_the_secrets_module_describes_the_state_correctly(subject: Subject, draw: Draw) -> int:
    """`put` places the cards where `unseen` then finds them, and no seat has seen less than a watcher."""
    match, rng = moment(subject, draw), Random(draw.choices)
    before, secrets = structure(match.state), subject.secrets
    everything = sorted(card for cards in secrets.unseen(match.state, None).values() for card in cards)
    for seat in match.viewers:
        places = shuffled_places(secrets.unseen(match.state, seat), rng)
        twin = secrets.put(match.state, places)
        assert sorted_places(secrets.unseen(twin, seat)) == sorted_places(places)
        assert sorted(secrets.cards(twin)) == sorted(secrets.cards(match.state))
        hidden = sorted(card for cards in places.values() for card in cards)
        assert all(hidden.count(card) <= everything.count(card) for card in hidden)
    assert structure(match.state) == before
    return 1


def swapped_states(subject: Subject, match: Match, seat: Seat | None, rng: Random) -> Iterator[Any]:
    """Yield up to two states that differ from the match's only in cards that `seat` has not seen."""
    places = subject.secrets.unseen(match.state, seat)
    for _ in range(2):
        anew = shuffled_places(places, rng)
        if sorted_places(anew) != sorted_places(places):
            yield subject.secrets.put(match.state, anew)


def shuffled_places(places: dict[str, list[int]], rng: Random) -> dict[str, list[int]]:
    cards = [card for lying in places.values() for card in lying]
    rng.shuffle(cards)
    return {name: [cards.pop() for _ in lying] for name, lying in places.items()}


def sorted_places(places: dict[str, list[int]]) -> dict[str, list[int]]:
    return {name: sorted(lying) for name, lying in places.items()}


def visible_to(match: Match, state: Any, seat: Seat | None) -> str:
    """Return everything that `seat` can find out in `state` without any action taking effect."""
    game, view = match.game, match.game.view(state, seat)
    words = game.words.describe(view, NAMES[: len(match.seats)])
    public = structure([view, words, game.awaited(state), game.outcome(state)])
    if seat is None:
        return public
    legal = list(game.legal(state, seat))
    fallback = game.fallback(state, seat) if seat in game.awaited(state) else None
    about, ahead = game.topic(state, seat), list(game.ahead(state, seat))
    return public + structure([legal, fallback, about, ahead, refusals(match, state, seat)])


def refusals(match: Match, state: Any, seat: Seat) -> list[str]:
    """Return the answers to actions that `seat` may not take now: nonsense, and whatever other seats could do now."""
    theirs = {action for other in match.seats for action in match.game.legal(match.state, other)}
    own = set(match.game.legal(match.state, seat))
    texts = []
    for action in (Action(-1), Action(10**9), *sorted(theirs - own)[:40]):
        try:
            match.game.apply(state.copy(), seat, action)
        except Illegal as refusal:
            texts.append(str(refusal))
        else:
            texts.append("accepted")
    return texts


class Reached:
    """A state, and the events that led to it. As text, each is written once, however often it is compared."""

    def __init__(self, match: Match, state: Any, events: list[Event]) -> None:
        self.match = match
        self.state = state
        self.events = events
        self.views: dict[int | None, str] = {}

    @cached_property
    def text(self) -> str:
        return structure(self.state)

    def view(self, seat: Seat | None) -> str:
        if seat not in self.views:
            self.views[seat] = structure(self.match.game.view(self.state, seat))
        return self.views[seat]


def after_entry(match: Match, state: Any, entry: LogEntry) -> Reached:
    """Return what is reached by one more entry."""
    twin = state.copy()
    return Reached(match, twin, apply_entry(match, twin, entry))


def compare_same_action(match: Match, twin: Any, seat: Seat | None, actor: Seat, rng: Random) -> bool:
    """Compare the match's state with `twin` after the same action of `actor`; see `compare`."""
    both = set(match.game.legal(match.state, actor)).intersection(match.game.legal(twin, actor))
    if not both:
        return False
    entry = LogEntry(actor, rng.choice(sorted(both)), match.now)
    return compare(seat, after_entry(match, match.state, entry), after_entry(match, twin, entry))


def compare_different_actions(match: Match, seat: Seat | None, actor: Seat, rng: Random) -> bool:
    """Compare two random actions of `actor` in the match's state; see `compare`."""
    legal = match.game.legal(match.state, actor)
    one, other = (
        after_entry(match, match.state, LogEntry(actor, rng.choice(legal), match.now)) for _ in range(2)
    )
    return compare(seat, one, other)


def compare(seat: Seat | None, one: Reached, other: Reached) -> bool:
    """Return whether two different states have the same view for `seat`; if so, assert that it received the same
    events."""
    if one.text == other.text or one.view(seat) != other.view(seat):
        return False
    game, names = one.match.game, NAMES[: len(one.match.seats)]
    seen, seen_too = (visible(each.events, seat) for each in (one, other))
    assert structure(seen) == structure(seen_too)
    assert [game.words.narrate(event, names) for event in seen] == [
        game.words.narrate(event, names) for event in seen_too
    ]
    return True


class RiggedChance:
    """Replacement for `hashlib` in `games.chance`. Changes one draw of the stream number `which`, which moves three
    cards of the deck."""

    def __init__(self, which: int | None, rng: Random) -> None:
        self.which = which
        self.rng = rng
        self.asked = 0

    def shake_128(self, purpose: bytes) -> "RiggedChance":
        self.true = hashlib.shake_128(purpose)
        self.asked += 1
        return self

    def digest(self, length: int) -> bytes:
        stream = bytearray(self.true.digest(length))
        if self.asked - 1 == self.which and length > 8:
            start = 8 * self.rng.randrange(1, length // 8)
            stream[start : start + 8] = self.rng.randbytes(8)
        return bytes(stream)


def compare_other_deals(match: Match, deal: Callable[[], Reached], rng: Random) -> int:
    """Deal with the true and with a changed stream; return the number of comparisons made."""
    true = RiggedChance(None, rng)
    with patch.object(chance, "hashlib", true):
        first = deal()
    compared = 0
    streams = [*range(true.asked)] * 3
    for which in rng.sample(streams, min(len(streams), MOST_CHANGED)):
        with patch.object(chance, "hashlib", RiggedChance(which, rng)):
            again = deal()
        compared += sum(compare(seat, first, again) for seat in match.viewers)
    return compared
