"""No leak: nobody can tell apart two worlds that differ only in what they have never seen, byte for byte."""

import dataclasses
import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any, cast
from unittest.mock import patch

from games import chance
from games.contract import Event, Illegal
from tests.contract.law import law, law_of_matches
from tests.contract.matches import NAMES, Done, Draw, Match, after, begin, coming, moment, visible
from tests.contract.structure import structure
from tests.contract.subjects import Subject

Told = tuple[Any, list[Event]]
"""A state and the events that led to it."""


@law
def test_swapping_unseen_cards_changes_nothing_a_seat_can_learn(subject: Subject, draw: Draw) -> int:
    match, rng = moment(subject, draw), Random(draw.choices)
    pairs = [(seat, twin) for seat in match.onlookers for twin in swapped(subject, match, seat, rng)]
    for seat, twin in pairs:
        assert learnt(match, twin, seat) == learnt(match, match.state, seat)
    return len(pairs)


@law
def test_hidden_choices_of_others_change_nothing_a_seat_can_learn(subject: Subject, draw: Draw) -> int:
    match = moment(subject, draw)
    for seat in match.onlookers:
        for twin in subject.secrets.choices(match.state, seat):
            assert structure(twin) != structure(match.state), "the choice is another one"
            assert learnt(match, twin, seat) == learnt(match, match.state, seat)
    return 1  # a game need not have hidden choices


@law
def test_what_is_told_of_an_action_does_not_depend_on_what_stays_hidden(subject: Subject, draw: Draw) -> int:
    match, rng = moment(subject, draw), Random(draw.choices)
    compared = 0
    for seat in match.onlookers:
        for twin in (*swapped(subject, match, seat, rng), *subject.secrets.choices(match.state, seat)):
            compared += sum(told_alike(match, twin, seat, actor, rng) for actor in match.actors())
        compared += sum(chosen_alike(match, seat, actor, rng) for actor in match.actors() if actor != seat)
    return compared


@law_of_matches
def test_what_is_told_of_a_deal_does_not_depend_on_what_stays_hidden(subject: Subject, draw: Draw) -> int:
    """Each deal of a match is dealt again with a few cards of its deck in other places: who sees no difference
    in the state afterwards was told of none."""
    match, rng = begin(subject, draw), Random(draw.choices)
    compared = dealt_alike(match, partial(match.game.new, match.options, len(match.seats), draw.seed), rng)
    while match.is_open:
        done = coming(match, rng)
        compared += dealt_alike(match, partial(later, match, match.state, done), rng)
        match.do(done)
    return compared


@law
def test_views_are_frozen_plain_data_without_the_seed(subject: Subject, draw: Draw) -> int:
    match = moment(subject, draw)
    for seat in match.onlookers:
        view = match.game.view(match.state, seat)
        assert dataclasses.is_dataclass(view)
        assert cast(Any, view).__dataclass_params__.frozen
        assert str(draw.seed) not in structure(view) + structure([visible(told, seat) for told in match.told])
    return 1


@law
def test_the_tests_know_what_is_secret(subject: Subject, draw: Draw) -> int:
    """`put` puts the cards where `unseen` then finds them, and no seat has seen less than a watcher."""
    match, rng = moment(subject, draw), Random(draw.choices)
    before, secrets = structure(match.state), subject.secrets
    everything = sorted(card for cards in secrets.unseen(match.state, None).values() for card in cards)
    for seat in match.onlookers:
        places = shuffled_places(secrets.unseen(match.state, seat), rng)
        twin = secrets.put(match.state, places)
        assert sorted_places(secrets.unseen(twin, seat)) == sorted_places(places)
        assert sorted(secrets.cards(twin)) == sorted(secrets.cards(match.state))
        hidden = sorted(card for cards in places.values() for card in cards)
        assert all(hidden.count(card) <= everything.count(card) for card in hidden)
    assert structure(match.state) == before
    return 1


def swapped(subject: Subject, match: Match, seat: int | None, rng: Random) -> Iterator[Any]:
    """Two states that differ from the match's in cards `seat` has not seen, if there are any to swap."""
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


def learnt(match: Match, state: Any, seat: int | None) -> str:
    """Everything `seat` can find out in `state` without anybody doing anything."""
    game, view = match.game, match.game.view(state, seat)
    words = game.describe(view, NAMES[: len(match.seats)])
    public = structure([view, words, game.awaited(state), game.outcome(state)])
    if seat is None:
        return public
    legal = list(game.legal(state, seat))
    fallback = game.fallback(state, seat) if seat in game.awaited(state) else None
    return public + structure([legal, fallback, refusals(match, state, seat)])


def refusals(match: Match, state: Any, seat: int) -> list[str]:
    """What `seat` reads when it tries what it may not do: nonsense, and what anybody could do now."""
    theirs = {action for other in match.seats for action in match.game.legal(match.state, other)}
    own = set(match.game.legal(match.state, seat))
    texts = []
    for action in (-1, 10**9, *sorted(theirs - own)[:40]):
        try:
            match.game.apply(match.game.copy(state), seat, action)
        except Illegal as refusal:
            texts.append(str(refusal))
        else:
            texts.append("accepted")
    return texts


def later(match: Match, state: Any, done: Done) -> Told:
    """The state one entry later, and what happened."""
    twin = match.game.copy(state)
    return twin, after(match, twin, done)


def told_alike(match: Match, twin: Any, seat: int | None, actor: int, rng: Random) -> bool:
    """Let `actor` do the same in the match's state and in its twin; see `alike`."""
    both = set(match.game.legal(match.state, actor)).intersection(match.game.legal(twin, actor))
    if not both:
        return False
    done = Done(actor, rng.choice(sorted(both)), match.now)
    return alike(match, seat, later(match, match.state, done), later(match, twin, done))


def chosen_alike(match: Match, seat: int | None, actor: int, rng: Random) -> bool:
    """Let `actor` do one thing or another in the match's state; see `alike`."""
    legal = match.game.legal(match.state, actor)
    one, other = (later(match, match.state, Done(actor, rng.choice(legal), match.now)) for _ in range(2))
    return alike(match, seat, one, other)


def alike(match: Match, seat: int | None, one: Told, other: Told) -> bool:
    """Whether these are different states that look the same to `seat`, which then was told the same."""
    game, names = match.game, NAMES[: len(match.seats)]
    if structure(one[0]) == structure(other[0]):
        return False
    if structure(game.view(one[0], seat)) != structure(game.view(other[0], seat)):
        return False
    seen, seen_too = (visible(events, seat) for _, events in (one, other))
    assert structure(seen) == structure(seen_too)
    assert [game.narrate(event, names) for event in seen] == [
        game.narrate(event, names) for event in seen_too
    ]
    return True


class RiggedChance:
    """Stands in for `hashlib` in `games.chance`: the stream asked for as number `which` has one draw changed,
    which moves three cards of the deck."""

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


def dealt_alike(match: Match, deal: Callable[[], Told], rng: Random) -> int:
    """Deal with true and with rigged chance; returns how often somebody could not tell the two apart."""
    true = RiggedChance(None, rng)
    with patch.object(chance, "hashlib", true):
        first = deal()
    compared = 0
    for which in [*range(true.asked)] * 3:
        with patch.object(chance, "hashlib", RiggedChance(which, rng)):
            again = deal()
        compared += sum(alike(match, seat, first, again) for seat in match.onlookers)
    return compared
