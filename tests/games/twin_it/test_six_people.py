"""Six people click in any order, fast and wrong, in every mode of Twin It!, and the cards stay consistent."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from games.contract import Illegal
from games.twin_it import GAME
from games.twin_it.actions import FLIP, HAND, HOLD, LIFT, READY, TURN, claim, on
from games.twin_it.deck import CARDS
from games.twin_it.options import TwinItOptions
from games.twin_it.state import FREE, State, Turns
from games.types import SEATS, Action, Seat, with_seats
from tests.contract.structure import structure
from tests.games.twin_it.referee import Referee
from tests.seats import FIRST

ANY_SEAT = st.sampled_from(SEATS[:6])
PAUSES = st.sampled_from([0, 0, 1, 3, 40, 200, 401, 1100, 5000])
"""Ms between two clicks; sometimes long enough for a hand's time to end."""


class SixPeople(RuleBasedStateMachine):
    """A match of six people, checked by a second referee who receives the same public events."""

    mode: Any

    @initialize(
        seed=st.integers(0, 10**6), wins=st.integers(1, 9), seats=st.integers(5, 6), turns=st.integers(0, 80)
    )
    def begin(self, seed: int, wins: int, seats: int, turns: int) -> None:
        options = TwinItOptions(mode=self.mode, sets_to_win=wins, seconds=20, hand_seconds=1, handicap=True)
        self.state, events = GAME.new(options, seats, seed)
        self.now = 1_000
        self.faces: dict[int, tuple[int, int]] = {}
        self.referee = Referee(options, seats)
        self.receive(events)
        if options.against_time and seed % 8:
            for seat in SEATS[:seats]:
                self.act(seat, READY)
            self.wait(5000)
        self.turn_some(turns)

    @rule(ms=PAUSES)
    def wait(self, ms: int) -> None:
        """Let everything happen that is due by then, as a table does before each action."""
        self.now += ms
        while (due := GAME.due(self.state)) is not None and due <= self.now:
            self.receive(GAME.tick(self.state, due))

    @rule(seat=ANY_SEAT, action=st.sampled_from([FLIP, FLIP, LIFT, READY, Action(-1)]))
    def press(self, seat: Seat, action: Action) -> None:
        self.act(seat, action)

    @rule(seat=ANY_SEAT, which=st.integers(0, 300), use=st.integers(0, 2), ms=PAUSES)
    def click(self, seat: Seat, which: int, use: int, ms: int) -> None:
        """Use any number: of a face that shows, has gone, or never existed."""
        self.now += ms
        self.act(seat, on(1 + which % (self.state.last + 2), use))

    @rule(
        seats=st.lists(ANY_SEAT, min_size=1, max_size=4),
        which=st.integers(0, 99),
        ms=PAUSES,
        three=st.booleans(),
    )
    def claim_match(self, seats: list[Seat], which: int, ms: int, three: bool) -> None:
        """Let several players claim the same match at about the same time, from either end. In teams two members lay
        a hand each."""
        matching = self.matching()
        if not matching:
            return
        faces = matching[which % len(matching)][: 3 if three and self.state.options.against_time else 2]
        clicks = [
            (step * ms + number, seat + 2 * step * (self.mode == "teams"), action)
            for number, seat in enumerate(seats)
            for step, action in enumerate(
                claim(faces[:: 1 - 2 * (number % 2)], lying=bool(self.state.hands[seat % self.state.seats]))
            )
        ]
        start = self.now
        for late, seat, action in sorted(clicks):
            self.now = start + late
            self.act(SEATS[seat % self.state.seats], action)

    @rule(times=st.integers(1, 12))
    def turn_some(self, times: int) -> None:
        """Turn cards while nobody claims anything."""
        for _ in range(times):
            self.now += 300
            faces = list(self.state.showing)
            awaited = GAME.awaited(self.state)
            if awaited:
                self.act(awaited[0], GAME.fallback(self.state, awaited[0]))
            elif self.state.options.against_time and faces:
                self.act(FIRST, on(faces[self.now % len(faces)], TURN))

    @rule(seed=st.integers(0, 10**6), clicks=st.integers(20, 100))
    def crowd(self, seed: int, clicks: int) -> None:
        """Let everybody click as fast as they can, mostly on matches."""
        rng = Random(seed)
        for _ in range(clicks):
            self.wait(rng.choice((0, 1, 40, 200, 500)))
            seat = rng.choice(SEATS[: self.state.seats])
            self.act(seat, self.aimed(seat, rng) if rng.random() < 0.8 else rng.choice((FLIP, FLIP, LIFT)))

    def aimed(self, seat: Seat, rng: Random) -> Action:
        """Return an action on a face of a match or one that fits a hand already laid; sometimes any other, or a
        turn."""
        lying = [hand.face for hand in self.state.hands[seat]] or [
            hand.face for hands in self.state.hands for hand in hands
        ]
        matching = [faces for faces in self.matching() if not lying or {*faces} & {*lying}] or self.matching()
        if not matching or rng.random() < 0.1:
            return on(1 + rng.randrange(self.state.last + 1), rng.choice((HAND, HOLD, TURN, TURN)))
        return on(rng.choice(rng.choice(matching)), rng.choice((HAND, HAND, HAND, HOLD)))

    @rule(often=st.integers(0, 15))
    def outage(self, often: int) -> None:
        """Sometimes let an outage happen."""
        if often == 0 and GAME.due(self.state) is not None:
            self.now += 60_000
            self.receive(GAME.resume(self.state, self.now))

    def act(self, seat: Seat, action: Action) -> None:
        self.wait(0)
        before = self.state.copy()
        try:
            self.receive(GAME.apply(self.state, seat, action, self.now))
        except Illegal:
            assert structure(self.state) == structure(before)

    def receive(self, events: list[Any]) -> None:
        for event in events:
            self.referee.receive(event)
            GAME.words.narrate(event, ["A", "B", "C", "D", "E", "F"][: self.state.seats])

    def matching(self) -> list[list[int]]:
        alike: dict[int, list[int]] = {}
        for face, card in self.state.showing.items():
            alike.setdefault(self.state.design(card), []).append(face)
        return [faces for faces in alike.values() if len(faces) > 1]

    @invariant()
    def every_card_lies_in_one_place(self) -> None:
        state = self.state
        piles = state.piles if isinstance(state, Turns) else []
        lying = Counter(card for cards in (state.table, *piles) for card in cards if card != FREE)
        lying.update(card for sets in state.sets for won in sets for card in won if not state.number[card])
        assert lying == Counter(range(CARDS))

    @invariant()
    def sets_are_two_or_three_alike(self) -> None:
        for won in (won for sets in self.state.sets for won in sets):
            assert len(won) in (2, 3)
            assert len({self.state.design(card) for card in won}) == 1

    @invariant()
    def a_number_always_stands_for_the_same_face(self) -> None:
        deal = GAME.view(self.state, None).deals
        for face, card in self.state.showing.items():
            side = 2 * card + self.state.up[card]
            assert self.faces.setdefault(face, (side, deal)) == (side, deal)

    @invariant()
    def hands_lie_on_visible_faces_at_most_one_of_a_side_on_each(self) -> None:
        state: State = self.state
        lying = [(state.side(seat), hand.face) for seat, hands in with_seats(state.hands) for hand in hands]
        assert all(face in state.showing for _, face in lying)
        if state.options.against_time:
            assert all(len(hands) <= 2 for hands in state.hands)
        else:
            assert len({side for side, _ in lying}) == len(lying)
        assert not any(hands and rest for hands, rest in zip(state.hands, state.rests, strict=True))

    @invariant()
    def the_second_referee_agrees(self) -> None:
        view = GAME.view(self.state, None)
        assert {face.number: face.design for face in view.faces} == {
            number: face.design for number, face in self.referee.visible.items()
        }
        assert {(seat, hand.face) for seat, hands in with_seats(view.hands) for hand in hands} == set(
            self.referee.laid
        )
        assert view.scores == self.referee.scores()

    @invariant()
    def it_waits_for_a_player_or_for_time_until_it_is_over(self) -> None:
        waits = bool(GAME.awaited(self.state)) or GAME.due(self.state) is not None
        assert waits == (GAME.outcome(self.state) is None)
        for seat in GAME.awaited(self.state):
            assert GAME.fallback(self.state, seat) in GAME.legal(self.state, seat)

    def teardown(self) -> None:
        """Check that the match ends when nobody acts any more."""
        for _ in range(2 * GAME.longest if hasattr(self, "state") else 0):
            if GAME.outcome(self.state) is not None:
                return
            awaited, due = GAME.awaited(self.state), GAME.due(self.state)
            if awaited:
                self.act(awaited[0], GAME.fallback(self.state, awaited[0]))
            else:
                assert due is not None
                self.now = max(self.now, due)
                self.receive(GAME.tick(self.state, self.now))
        assert not hasattr(self, "state"), "the match has no end"


@pytest.mark.parametrize("mode", ["classic", "forbidden", "teams", "cooperative", "timed"])
def test_the_cards_stay_consistent_whatever_six_people_click(mode: str) -> None:
    machine = type("SixPeople", (SixPeople,), {"mode": mode})
    few = settings(max_examples=settings().max_examples // 3, stateful_step_count=30)
    run_state_machine_as_test(machine, settings=few)
