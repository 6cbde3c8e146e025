"""The advice for Liar's Dice: sensible calls and bids, and a sharp player whose bids do not give the cup away."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from statistics import mean

import pytest

from games.advice import Advice, Strength
from games.liars_dice import GAME
from games.liars_dice.actions import BID, CALZA, FACE, QUANTITY
from games.liars_dice.advice import _why as why
from games.liars_dice.odds import at_least, exactly, often
from games.liars_dice.reading import weighed_cups
from games.liars_dice.thumb import Round, support
from games.strategies import advise
from games.types import Seat
from tests.games.liars_dice.position import position
from tests.seats import FIRST, SECOND, THIRD

OPENINGS = 20


def advised(head: str, cups: str, strength: Strength, seed: int = 1, **options: bool) -> Advice:
    """Return the advice for the player to act."""
    seen = position(f"{head}\n {cups}", **options)
    (seat,) = GAME.awaited(seen.state)
    return advise(GAME, GAME.view(seen.state, seat), strength, seed)


# Odds


def test_the_odds_are_binomial() -> None:
    assert exactly(1, 2, 6) == pytest.approx(10 / 36)
    assert at_least(1, 2, 3) == pytest.approx(5 / 9)
    assert at_least(0, 4, 3) == pytest.approx(1)
    assert at_least(-2, 0, 3) == 1
    assert at_least(3, 2, 3) == exactly(3, 2, 3) == exactly(-1, 2, 3) == 0


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (0.0, "hardly ever"),
        (0.1, "about 1 time in 10"),
        (0.42, "about 4 times in 10"),
        (0.97, "almost always"),
    ],
)
def test_odds_are_said_in_tens(probability: float, words: str) -> None:
    assert often(probability) == words


# Choices

OTHERS = "Ben | 2 2 3 4 6\n Cleo | 2 3 4 4 6"


@pytest.mark.parametrize("strength", ["steady", "sharp"])
def test_an_improbable_bid_is_doubted_and_a_certain_one_is_not(strength: Strength) -> None:
    assert advised("Cleo 11x5", f"Alice | 2 2 3 4 6\n {OTHERS}", strength).action == GAME.parse("doubt")
    assert advised("Cleo 3x5", f"Alice | 1 1 5 5 5\n {OTHERS}", strength).action >= BID


@pytest.mark.parametrize("strength", ["steady", "sharp"])
def test_the_reason_has_the_odds(strength: Strength) -> None:
    advice = advised("Cleo 11x5", f"Alice | 2 2 3 4 5\n {OTHERS}", strength)
    assert advice.reason == (
        "With your one matching die and the bids so far, eleven fives or more are there hardly ever."
    )


@pytest.mark.parametrize(
    ("head", "cup", "action", "chance", "reason"),
    [
        (
            "round 1",
            "1 3 4 4 5",
            "bid 3x4",
            1.0,
            "Your cup alone has three matching dice, so the bid is true.",
        ),
        (
            "round 1",
            "2 3 4 4 5",
            "bid 3x4",
            0.83,
            "With your two matching dice, three fours or more are there about 8 times in 10.",
        ),
        (
            "round 1",
            "2 3 4 4 5",
            "bid 6x4",
            0.28,
            "A gamble: with your two matching dice, six fours or more are there about 3 times in 10.",
        ),
        (
            "round 1",
            "2 3 4 4 5",
            "bid 3x6",
            0.6,
            "With no matching die, three sixes or more are there about 6 times in 10.",
        ),
        (
            "round 1",
            "2 3 4 4 5",
            "bid 5x6",
            0.3,
            "A bluff: with no matching die, five sixes or more are there about 3 times in 10.",
        ),
        (
            "round 1",
            "2 3 4 4 5",
            "bid 1x6",
            0.97,
            "With no matching die, a six is there almost always.",
        ),
        (
            "Cleo 6x4",
            "2 3 4 4 5",
            "doubt",
            0.3,
            "With your two matching dice and the bids so far, six fours or more are there only about 3 times in 10.",
        ),
        (
            "Cleo 2x1",
            "1 2 3 4 5",
            "doubt",
            0.6,
            "With your one matching die and the bids so far, two ones or more are there about 6 times in 10, and "
            "any higher bid is riskier still.",
        ),
        (
            "Cleo 4x4",
            "2 3 4 4 5",
            "doubt",
            0.46,
            "With your two matching dice and the bids so far, four fours or more are there about 5 times in 10, and "
            "any higher bid is riskier still.",
        ),
        (
            "Cleo 15x1",
            "1 1 1 1 2",
            "doubt",
            0.5,
            "With your four matching dice and the bids so far, fifteen ones or more are there about 5 times in 10, "
            "and no higher bid is left.",
        ),
    ],
)
def test_the_reason_agrees_with_the_move(
    head: str, cup: str, action: str, chance: float, reason: str
) -> None:
    seen = position(f"{head}\n Alice | {cup}\n {OTHERS}")
    (seat,) = GAME.awaited(seen.state)
    view = GAME.view(seen.state, seat)
    assert why(view, GAME.parse(action), chance, reads=bool(view.bids)) == reason


FOURS = "round 5, Moss 6x4\n Alice | 2 2 4 5\n Fern | 1 2 3 5 6\n Moss | 1 1 4 4 6"


def test_a_figure_that_counts_the_bids_says_so() -> None:
    """A bid of fours makes ones likelier for the search, too; the rules of thumb count it for fours alone."""
    said = {
        (advice.action, advice.reason) for seed in range(20) for advice in [advised(FOURS, "", "sharp", seed)]
    }
    assert any(FACE[action] == 1 for action, _ in said), "a bid of ones is among these"
    assert all("and the bids so far, " in reason for _, reason in said)
    assert "bids so far" in advised(FOURS, "", "steady").reason
    assert "bids so far" not in advised("Ben 2x5", f"Alice | 4 4 4 2 3\n {OTHERS}", "steady").reason


def test_no_bid_that_is_likelier_than_not_is_called_a_bluff() -> None:
    reasons = [advice.reason for advice, _ in openings()]
    assert not any(
        "bluff" in reason and f"{times} times" in reason for reason in reasons for times in range(6, 10)
    )


def test_an_exact_bid_is_called_so_where_calza_is_played() -> None:
    """Ben is thought to have a five, as he bid on fives."""
    advice = advised("Ben 3x5", "Alice | 5 5\n Ben | 5", "steady", calza=True)
    assert (advice.action, advice.reason) == (
        CALZA,
        "With your two matching dice and the bids so far, exactly three fives are there almost always.",
    )
    assert advised("Ben 2x1", "Alice | 1 1\n Ben | 5", "sharp", calza=True).action == CALZA


def test_a_player_who_bid_on_a_face_is_thought_to_have_one() -> None:
    seen = Round(
        (5, 5, 5), FIRST, [(SECOND, GAME.parse("bid 2x5")), (THIRD, GAME.parse("bid 3x5"))], wild=True
    )
    seen.own[0] = support((2, 2, 3, 4, 5), wild=True)
    assert seen.probability(GAME.parse("bid 3x5")) == 1
    assert seen.probability(GAME.parse("bid 4x5")) == at_least(1, 8, 3)
    assert seen.probability(GAME.parse("bid 3x6")) == at_least(3, 10, 3)


# A sharp player's bids


@cache
def openings() -> list[tuple[Advice, list[int]]]:
    """Return sharp opening bids with full cups, three players at the table, and the matching dice by face."""
    found = []
    for seed in range(OPENINGS):
        state, _ = GAME.new(GAME.Options(), 3, f"opening {seed}")
        (seat,) = GAME.awaited(state)
        advice = advise(GAME, GAME.view(state, seat), "sharp", seed)
        found.append((advice, support(state.cups[seat], wild=True)))
    return found


def opening_bids() -> list[tuple[int, list[int]]]:
    """Return the face of each opening, and the matching dice by face."""
    return [(FACE[advice.action], own) for advice, own in openings()]


def test_a_bid_says_when_no_die_of_the_cup_matches() -> None:
    alone = ["with no matching die" in advice.reason.lower() for advice, _ in openings()]
    assert any(alone)
    assert alone == [own[FACE[advice.action]] == 0 for advice, own in openings()]


def test_a_sharp_player_bids_a_face_that_is_not_the_best_in_between_a_fifth_and_two_thirds_of_the_time() -> (
    None
):
    bluffs = sum(own[face] < max(own) for face, own in opening_bids())
    assert OPENINGS / 5 < bluffs < OPENINGS * 2 / 3


def test_who_takes_every_bid_for_the_best_face_of_the_cup_knows_less_than_who_ignores_the_bids() -> None:
    """Brier scores, summed over the faces: lower is better. 0 says that everything is known."""
    reader = ignorer = 0.0
    for bid, own in opening_bids():
        for face in range(2, 7):
            is_best = own[face] == max(own)
            reader += (is_best - (face == bid)) ** 2
            ignorer += (
                is_best - 0.3
            ) ** 2  # a face is the best of a cup, or one of several, in about 3 of 10 cups
    assert reader > ignorer


def test_in_the_same_position_a_sharp_player_does_not_always_make_the_same_bid() -> None:
    cups = f"Alice | 2 3 5 5 6\n {OTHERS}"
    assert len({advised("", cups, "sharp", seed).action for seed in range(10)}) > 2
    assert len({advised("", cups, "steady", seed).action for seed in range(10)}) == 1


# Reading the others


def thought(bids: Sequence[tuple[Seat, str]], seat: Seat = SECOND) -> list[float]:
    """Return how many dice of a cup of five are thought to match each face, at a table of two."""
    made = [(bidder, GAME.parse(f"bid {text}")) for bidder, text in bids]
    cups, weights = weighed_cups([5, 5], seat, made, Random(1), wild=True)
    mean = [sum(cup[face] * weight for cup, weight in zip(cups, weights, strict=True)) for face in range(7)]
    return [each / sum(weights) for each in mean]


def test_a_bid_lets_one_expect_more_of_its_face_and_the_more_the_higher_it_is() -> None:
    nothing, low, high = thought([])[5], thought([(SECOND, "2x5")])[5], thought([(SECOND, "5x5")])[5]
    assert nothing < low < high


def test_who_bids_a_face_probably_has_fewer_ones_than_who_bids_ones() -> None:
    assert thought([(FIRST, "3x3"), (SECOND, "4x6")])[1] < thought([(FIRST, "3x3"), (SECOND, "2x1")])[1]


def test_what_hints_say_of_bids_comes_true_about_as_often_among_steady_players() -> None:
    said, true = zip(*hinted_bids(), strict=True)
    assert len(said) >= 40
    assert mean(said) == pytest.approx(mean(true), abs=0.12)


def hinted_bids() -> Iterator[tuple[float, bool]]:
    """Yield for each hint that relies on the bids so far how often it says that its bid is true, and whether it is."""
    for seed in range(8):
        state, _ = GAME.new(GAME.Options(), 2, seed)
        while GAME.outcome(state) is None:
            (seat,) = GAME.awaited(state)
            view = GAME.view(state, seat)
            advice = advise(GAME, view, "steady" if seat else "sharp", seed)
            about = re.search("the bids so far, .* (?:about (\\d)|(almost)|hardly)", advice.reason)
            if not seat and about and advice.action >= BID:
                found = sum(support(cup, wild=not view.palifico)[FACE[advice.action]] for cup in state.cups)
                yield int(about[1] or 0) / 10 or bool(about[2]), found >= QUANTITY[advice.action]
            GAME.apply(state, seat, advice.action)
