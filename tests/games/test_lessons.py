"""Every lesson plays to its end on the real engine, and its texts fit a phone."""

import re
from dataclasses import replace

import pytest

from games import GAMES, Illegal
from games.lessons import LEARNER, YOU, Lesson, Step, answer, lessons, moment, picks_only, steps_after
from games.types import SEATS
from tests.games.position import NAMES

every_lesson = pytest.mark.parametrize("slug", lessons())

THIRTY_ONE = GAMES["thirty-one"]


def wrong_moves(slug: str) -> list[tuple[int, str]]:
    """Return the moves that the lesson calls wrong, with their steps."""
    steps = lessons()[slug].steps
    return [(n, tap) for n, step in enumerate(steps) for tap in step.why if not picks_only(tap)]


@every_lesson
def test_a_lesson_has_six_to_twelve_steps_and_plays_to_its_end(slug: str) -> None:
    game, lesson = GAMES[slug], lessons()[slug]
    assert 6 <= len(lesson.steps) <= 12
    for n, step in enumerate(lesson.steps):
        now = moment(game, lesson, n)
        assert picks_only(step.tap) or game.parse(step.tap) in game.legal(now.state, LEARNER), step.tap
    assert moment(game, lesson, len(lesson.steps)).events, "the last tap has an effect to look at"


@every_lesson
def test_a_lesson_after_some_steps_is_the_same_each_time(slug: str) -> None:
    game, lesson = GAMES[slug], lessons()[slug]
    for n in range(len(lesson.steps) + 1):
        one, other = (moment(game, lesson, n) for _ in range(2))
        views = [game.view(each.state, LEARNER) for each in (one, other)]
        assert (views[0], one.events, one.picks) == (views[1], other.events, other.picks)


@every_lesson
def test_no_step_shows_what_only_others_may_know(slug: str) -> None:
    game, lesson = GAMES[slug], lessons()[slug]
    for n in range(len(lesson.steps) + 1):
        assert {event.to for event in moment(game, lesson, n).events} <= {None, LEARNER}


@every_lesson
def test_what_a_lesson_calls_wrong_is_not_what_it_asks_for(slug: str) -> None:
    for n, step in enumerate(lessons()[slug].steps):
        assert step.tap not in step.why, f"step {n + 1}"
    for n, tap in wrong_moves(slug):
        assert GAMES[slug].text(GAMES[slug].parse(tap)) == tap, f"step {n + 1}: written as the log writes it"


@every_lesson
def test_the_texts_of_a_lesson_are_short(slug: str) -> None:
    lesson = lessons()[slug]
    for n, step in enumerate(lesson.steps):
        assert len(step.idea) <= 260, f"step {n + 1}: {len(step.idea)}"
        assert len(step.task) <= 120, f"step {n + 1}: {len(step.task)}"
        assert all(len(why) <= 200 for why in [*step.why.values(), step.otherwise]), f"step {n + 1}"
    assert all(len(line) <= 120 for line in lesson.learned)


@every_lesson
def test_the_version_of_a_lesson_changes_with_its_text(slug: str) -> None:
    lesson = lessons()[slug]
    first, *others = lesson.steps
    changed = replace(lesson, steps=(replace(first, idea="Another idea."), *others))
    assert changed.version != lesson.version
    assert lesson.version == lessons()[slug].version


# Answers to wrong taps, in a lesson of one step

DRAW = Lesson(
    tuple(NAMES[1:3]),
    1,
    (
        Step(
            idea="You begin.",
            task="Press `Draw`.",
            tap="draw",
            why={"knock": "That is too early."},
            otherwise="What is on top is of no use.",
        ),
    ),
    ("One.", "Two.", "Three."),
)


def begun(lesson: Lesson) -> Lesson:
    """Return the lesson with a seed that lets the learner begin."""
    seeds = (seed for seed in range(100) if THIRTY_ONE.new(THIRTY_ONE.Options(), 3, seed)[0].turn == LEARNER)
    return Lesson(lesson.others, next(seeds), lesson.steps, lesson.learned)


@every_lesson
def test_no_answer_names_a_seat(slug: str) -> None:
    """Whatever a player can do in the lesson is tried at each of its steps: an old message may still offer it."""
    game, lesson = GAMES[slug], lessons()[slug]
    moments = [moment(game, lesson, n) for n in range(len(lesson.steps))]
    seats = SEATS[: 1 + len(lesson.others)]
    legal = [game.legal(each.state, seat) for each in moments for seat in seats]
    moves = {game.text(action) for actions in legal for action in actions[:: len(actions) // 20 + 1]}
    answers = {answer(game, lesson, n, move) for n in range(len(moments)) for move in moves}
    assert not [each for each in answers if re.search(r"\b[Ss]eat \d", each)]


def test_a_wrong_tap_is_answered_by_the_lesson_or_by_the_rules() -> None:
    lesson = begun(DRAW)
    assert answer(THIRTY_ONE, lesson, 0, "knock") == "That is too early."
    with pytest.raises(Illegal) as refusal:
        THIRTY_ONE.check(moment(THIRTY_ONE, lesson, 0).state, LEARNER, THIRTY_ONE.parse("discard 5C"))
    assert answer(THIRTY_ONE, lesson, 0, "discard 5C") == str(refusal.value)
    assert answer(THIRTY_ONE, lesson, 0, "take") == "What is on top is of no use."
    assert answer(THIRTY_ONE, lesson, 0, "pick knock") == "What is on top is of no use."


def test_a_shorter_way_to_the_move_skips_picks_only() -> None:
    taps = ("pick 1", "pick 1,2", "draw", "pick 3", "take")
    lesson = Lesson(("Ben",), 1, tuple(Step(idea="", task="", tap=tap) for tap in taps), DRAW.learned)
    assert [steps_after(lesson, 0, tap) for tap in taps] == [1, 2, 3, 0, 0]
    assert [steps_after(lesson, 3, tap) for tap in ("take", "pick 3", "draw")] == [5, 4, 3]


def test_others_and_the_learner_act_by_script() -> None:
    lesson = begun(DRAW)
    hand = moment(THIRTY_ONE, lesson, 0).state.hands[LEARNER]
    script = f"{YOU}: discard {THIRTY_ONE.text(3 + hand[0]).split()[1]}; Ben: knock"
    played = Lesson(
        lesson.others, lesson.seed, (Step(idea="", task="", tap="draw", then=script),), lesson.learned
    )
    state = moment(THIRTY_ONE, played, 1).state
    assert (state.knocker, state.turn) == (1, 2)
