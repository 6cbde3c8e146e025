"""Computers in a race: they look through the pages, claim what they see, and turn over cards when they see nothing."""

from itertools import pairwise
from typing import Any

import pytest

from games.advice import STRENGTHS, Strength
from games.contract import Event
from games.twin_it import GAME
from games.twin_it.actions import HOLD, TURN, parts
from games.twin_it.events import Erred, SetWon, Turned
from games.twin_it.race_player import CLICK, LOOK, NEXT_PAGE, PER_PAGE, TURNS, RacePlayer
from games.twin_it.result import grade
from games.twin_it.skill import SKILLS, Skill
from games.types import SEATS, Action
from tests.seats import FIRST

BLURRED = Skill(base=0, item=0, sees=1.0, errs=0.5, second=0, pace=1.0)


class Race:
    """A race of one computer."""

    def __init__(self, skill: Skill = SKILLS["steady"], seed: int = 1, **options: Any) -> None:
        self.state: Any = GAME.new(GAME.Options(mode="cooperative", seconds=120, **options), 1, seed)[0]
        self.computer = RacePlayer(skill, f"eyes {seed}")
        self.acts: list[tuple[int, tuple[Action, ...]]] = []
        """The computer's actions, each with its time in ms since the start."""
        self.events: list[Event] = []

    def uncover(self) -> None:
        GAME.apply(self.state, FIRST, GAME.parse("ready"), 1)
        GAME.tick(self.state, GAME.due(self.state) or 0)

    def run(self) -> "Race":
        """Play the race to its end and return it."""
        self.uncover()
        begun = self.state.now
        while (due := self.computer.observe(GAME.view(self.state, FIRST), self.state.now)) is not None:
            if due >= self.state.ends:
                break
            while (tick := GAME.due(self.state)) and tick <= due:
                GAME.tick(self.state, tick)
            actions = tuple(self.computer.act(GAME.view(self.state, FIRST), due))
            self.acts.append((due - begun, actions))
            for action in actions:
                self.events += GAME.apply(self.state, FIRST, action, due)
        GAME.tick(self.state, self.state.ends)
        return self

    def count(self, kind: type[Event]) -> int:
        return sum(isinstance(event, kind) for event in self.events)


def test_a_computer_does_nothing_while_the_spread_is_covered() -> None:
    race = Race()
    assert race.computer.observe(GAME.view(race.state, FIRST), 1) is None


def test_the_first_action_comes_after_the_first_page_is_looked_over() -> None:
    race = Race().run()
    assert race.acts[0][0] == LOOK * PER_PAGE + CLICK


def test_a_page_without_a_match_has_some_cards_turned_over() -> None:
    race = Race(seed=2).run()
    turned = [action for _, actions in race.acts for action in actions if parts(action)[1] == TURN]
    assert len(turned) >= TURNS
    assert race.count(Turned) == len(turned)


@pytest.mark.parametrize("seed", range(4))
def test_a_computer_finds_sets_and_is_never_faster_than_people_click(seed: int) -> None:
    race = Race(seed=seed).run()
    assert race.count(SetWon) >= 3
    assert race.count(Erred) <= 1
    assert all(later - sooner >= CLICK for (sooner, _), (later, _) in pairwise(race.acts))
    pauses = [later - sooner for (sooner, _), (later, _) in pairwise(race.acts)]
    assert max(pauses) <= NEXT_PAGE + LOOK * PER_PAGE + 6_000 + CLICK


def test_computers_start_on_different_pages() -> None:
    state, _ = GAME.new(GAME.Options(mode="timed"), 4, 1)
    for seat in SEATS[:4]:
        GAME.apply(state, seat, GAME.parse("ready"), 1)
    GAME.tick(state, GAME.due(state) or 0)
    pages = set()
    for seat in SEATS[:4]:
        computer = RacePlayer(SKILLS["sharp"], f"{seat}")
        view = GAME.view(state, seat)
        due = computer.observe(view, state.now)
        assert due is not None
        numbers = [parts(action)[0] for action in computer.act(view, due)]
        pages |= {view.table.index(face.card) // PER_PAGE for face in view.faces if face.number in numbers}
    assert len(pages) == 4


def test_after_a_mistake_a_computer_waits_and_plays_on() -> None:
    race = Race(BLURRED).run()
    assert race.count(Erred) > 2
    assert race.count(SetWon) > 0


def test_a_claim_never_includes_a_hand_left_from_before() -> None:
    """A claim of two is two hands; one left from before would make it a claim of three."""
    for seed in range(6):
        race = Race(SKILLS["sharp"], seed=seed).run()
        assert race.count(Erred) == 0
        assert not [a for _, actions in race.acts for a in actions if parts(a)[1] == HOLD]


def test_a_repeated_race_starts_from_the_beginning() -> None:
    race = Race().run()
    again = Race()
    again.computer = race.computer
    assert again.computer.observe(GAME.view(again.state, FIRST), 1) is None
    assert again.run().acts == Race().run().acts


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_race_of_a_computer_is_reproducible(strength: Strength) -> None:
    assert Race(SKILLS[strength]).run().acts == Race(SKILLS[strength]).run().acts


def test_every_grade_is_within_reach_of_a_race_of_the_usual_length() -> None:
    """The grades were chosen for people who go through pages, as these computers do."""
    outcomes = [
        GAME.outcome(Race(SKILLS[strength], seed=n).run().state) for strength in STRENGTHS for n in range(4)
    ]
    grades = {grade(1, outcome.scores[0]) for outcome in outcomes if outcome}
    assert grades == {"better luck next time", "prospects", "experts", "geniuses"}
