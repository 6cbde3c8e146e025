"""What a computer does in a race: it leafs through pages, claims what it sees, or turns cards where that is nothing."""

from itertools import pairwise
from typing import Any

import pytest

from games.contract import Event
from games.strategies import STRENGTHS, Strength
from games.twin_it import GAME
from games.twin_it.actions import HOLD, TURN, parts
from games.twin_it.events import Erred, SetWon, Turned
from games.twin_it.race_player import CLICK, LOOK, NEXT_PAGE, TURNS, RacePlayer
from games.twin_it.skill import SKILLS, Skill
from games.twin_it.spread import PER_PAGE, page
from games.twin_it.state import State

BLURRED = Skill(base=0, item=0, sees=1.0, errs=0.5, second=0, pace=1.0)


class Race:
    """A race of one computer."""

    def __init__(self, skill: Skill = SKILLS["steady"], seed: int = 1, **options: Any) -> None:
        self.state: State = GAME.new(GAME.Options(mode="cooperative", seconds=120, **options), 1, seed)[0]
        self.eyes = RacePlayer(skill, f"eyes {seed}")
        self.acts: list[tuple[int, tuple[int, ...]]] = []
        """When it acted, in ms since the start, and how."""
        self.events: list[Event] = []

    def open(self) -> None:
        GAME.apply(self.state, 0, GAME.parse("ready"), 1)
        GAME.tick(self.state, GAME.due(self.state) or 0)

    def run(self) -> "Race":
        """To the end."""
        self.open()
        begun = self.state.now
        while (due := self.eyes.observe(GAME.view(self.state, 0), self.state.now)) is not None:
            if due >= self.state.ends:
                break
            while (tick := GAME.due(self.state)) and tick <= due:
                GAME.tick(self.state, tick)
            actions = tuple(self.eyes.act(GAME.view(self.state, 0), due))
            self.acts.append((due - begun, actions))
            for action in actions:
                self.events += GAME.apply(self.state, 0, action, due)
        GAME.tick(self.state, self.state.ends)
        return self

    def happened(self, kind: type[Event]) -> int:
        return sum(isinstance(event, kind) for event in self.events)


def test_a_covered_spread_moves_nobody() -> None:
    race = Race()
    assert race.eyes.observe(GAME.view(race.state, 0), 1) is None


def test_the_first_thing_comes_when_the_first_page_is_looked_over() -> None:
    race = Race().run()
    assert race.acts[0][0] == LOOK * PER_PAGE + CLICK


def test_a_page_without_a_find_has_some_of_its_cards_turned_over() -> None:
    race = Race(seed=2).run()
    turned = [action for _, actions in race.acts for action in actions if parts(action)[1] == TURN]
    assert len(turned) >= TURNS
    assert race.happened(Turned) == len(turned)


@pytest.mark.parametrize("seed", range(4))
def test_who_leafs_finds_sets_and_never_acts_faster_than_people_click(seed: int) -> None:
    race = Race(seed=seed).run()
    assert race.happened(SetWon) >= 3
    assert race.happened(Erred) <= 1
    assert all(later - sooner >= CLICK for (sooner, _), (later, _) in pairwise(race.acts))
    pauses = [later - sooner for (sooner, _), (later, _) in pairwise(race.acts)]
    assert max(pauses) <= NEXT_PAGE + LOOK * PER_PAGE + 6_000 + CLICK


def test_players_begin_on_pages_of_their_own() -> None:
    state, _ = GAME.new(GAME.Options(mode="timed"), 4, 1)
    for seat in range(4):
        GAME.apply(state, seat, GAME.parse("ready"), 1)
    GAME.tick(state, GAME.due(state) or 0)
    pages = set()
    for seat in range(4):
        eyes = RacePlayer(SKILLS["sharp"], f"{seat}")
        view = GAME.view(state, seat)
        due = eyes.observe(view, state.now)
        assert due is not None
        numbers = [parts(action)[0] for action in eyes.act(view, due)]
        spot = next(face.spot for face in view.faces if face.number in numbers)
        pages.add(spot // PER_PAGE)
        assert spot in page(spot // PER_PAGE)
    assert len(pages) == 4


def test_who_errs_rests_and_goes_on() -> None:
    race = Race(BLURRED).run()
    assert race.happened(Erred) > 2
    assert race.happened(SetWon) > 0


def test_claims_never_join_a_hand_that_was_left_behind() -> None:
    """A claim of two is two hands: one that lay there before would make it another claim."""
    for seed in range(6):
        race = Race(SKILLS["sharp"], seed=seed).run()
        assert race.happened(Erred) == 0
        assert not [a for _, actions in race.acts for a in actions if parts(a)[1] == HOLD]


def test_a_race_that_is_offered_again_is_begun_afresh() -> None:
    race = Race().run()
    again = Race()
    again.eyes = race.eyes
    assert again.eyes.observe(GAME.view(again.state, 0), 1) is None
    assert again.run().acts == Race().run().acts


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_race_replays(strength: Strength) -> None:
    assert Race(SKILLS[strength]).run().acts == Race(SKILLS[strength]).run().acts
