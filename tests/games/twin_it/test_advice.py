"""The advice for Twin It!: what a computer sees and what it overlooks."""

from random import Random

import pytest

from games import strategies
from games.advice import Advice
from games.twin_it import GAME
from games.twin_it.advice import STRATEGY
from games.types import SEATS, Seat
from tests.games.twin_it.position import Position, position
from tests.seats import FIRST, SECOND, THIRD


def advised(seen: Position, seat: Seat = FIRST) -> str:
    """Return the advised action as the log writes it."""
    return GAME.text(advice(seen, seat).action)


def advice(seen: Position, seat: Seat = FIRST) -> Advice:
    return STRATEGY.advise(GAME.view(seen.state, seat), GAME.legal(seen.state, seat))


def test_if_nothing_matches_the_advice_is_to_flip() -> None:
    assert advised(position("classic\ntable | A/b\nAlice | C/d\nBen | G/h")) == "flip"


def test_the_first_hand_goes_on_one_face_of_a_pair_and_the_second_on_the_other() -> None:
    seen = position("classic\ntable | A/b A/c\nAlice | C/d\nBen | G/h")
    assert advised(seen) == "hand 2"
    seen.act("100 Alice A.table")
    assert advised(seen) == "hand 2"
    assert advised(seen, SECOND) == "hand 2"


def test_the_third_copy_robs_a_won_pair() -> None:
    seen = position("classic\ntable | A/b\nAlice | C/d\nBen | G/h | won A/i A/j")
    assert advised(seen) in ("hand 1", "hand 4")


def test_a_hand_whose_match_is_gone_is_lifted_if_its_player_cannot_flip() -> None:
    seen = position("classic, Ben flips\ntable | A/b\nAlice | C/d\nBen | G/h")
    seen.act("100 Alice A.table")
    assert advised(seen) == "lift"


@pytest.mark.parametrize(
    ("named", "action", "why"),
    [
        ("A A.table.2", "lift", "1 and 2 match, but no third face does. Claim only these two."),
        ("A E.table", "lift", "1 and 3 do not match, so a claim with them is a mistake."),
        ("I I.table.2", "hand 6", "6 and 4 match."),
    ],
)
def test_whoever_has_named_two_faces_names_a_third_alike_or_lifts(named: str, action: str, why: str) -> None:
    seen = position("cooperative\ntable | A/b A/c E/f I/j I/k I/l\nAlice |")
    first, second = named.split()
    seen.act(f"100 Alice {first}.table; 200 Alice hold {second}")
    assert (advised(seen), advice(seen).reason) == (action, why)


def test_in_teams_the_second_hand_is_a_team_mates() -> None:
    seen = position("teams\ntable | A/b A/c\nAlice | C/d\nBen | G/h\nCleo | I/j\nDana | K/l")
    seen.act("100 Alice A.table")
    assert advised(seen, FIRST) == "flip"
    assert advised(seen, THIRD) == "hand 2"


@pytest.mark.parametrize(
    ("seat", "other", "why"),
    [
        (FIRST, "A", "Your hand waits for another one on its match, which you cannot lay now."),
        (THIRD, "M", "No face matches the one under the hand of a team mate."),
    ],
)
def test_where_each_hand_would_be_a_mistake_the_advice_is_to_wait(seat: Seat, other: str, why: str) -> None:
    seen = position(
        f"teams, Ben flips\ntable | A/b {other}/c\nAlice | C/d\nBen | G/h\nCleo | I/j\nDana | K/l"
    )
    seen.act("100 Alice A.table")
    found = advice(seen, seat)
    assert found.waits
    assert found.reason == f"{why} Wait."


def test_a_hand_without_a_match_is_lifted_before_its_player_flips_for_other_faces_match() -> None:
    seen = position("classic\ntable | A/b M/c M/e\nAlice | C/d\nBen | G/h")
    seen.act("100 Alice A.table")
    assert advised(seen) == "lift"
    seen.act("200 Alice lift")
    assert advised(seen).startswith("hand ")


def test_who_made_a_mistake_in_a_race_is_not_told_that_nothing_matches() -> None:
    seen = position("timed\ntable | A/b A/c M/d\nAlice |\nBen |")
    seen.act("100 Alice A.table; 200 Alice M.table")
    assert advice(seen).reason == "Your hands are off. The other side of a card may match."


def test_a_player_does_not_claim_a_barred_design() -> None:
    seen = position("forbidden\nbarred Alice | A/x\ntable | A/b A/c\nAlice | C/d\nBen | G/h")
    assert advised(seen) == "flip"
    assert advised(seen, SECOND).startswith("hand ")


@pytest.mark.parametrize(
    ("hand", "reason"),
    [
        ("", "Nothing matches for you. The next card may match."),
        ("100 Alice A.table", "The design under your hand is forbidden for you."),
        ("100 Alice A.table; 200 Alice A.barred", "Your hands are off. The next card may match."),
    ],
)
def test_the_advice_does_not_deny_a_match_that_is_forbidden(hand: str, reason: str) -> None:
    seen = position("forbidden\nbarred Alice | A/x\ntable | A/b A/c\nAlice | C/d\nBen | G/h")
    if hand:
        seen.act(hand)
    assert advice(seen).reason == reason


def test_a_team_mates_hand_on_a_forbidden_design_waits_for_nothing() -> None:
    seen = position("teams\nbarred Alice | A/x\ntable | A/b\nAlice | C/d\nBen | G/h\nCleo | I/j")
    seen.act("100 Alice A.table")
    assert advised(seen) == "lift"
    assert advice(seen).reason == "The design under your hand is forbidden for you."
    assert advice(seen, THIRD).reason.startswith(
        "The design under the hand of a team mate is forbidden for you."
    )


def test_in_a_race_the_advice_is_to_get_ready_and_then_to_turn_cards_that_do_not_match() -> None:
    state, _ = GAME.new(GAME.Options(mode="timed"), 2, "advice")
    assert GAME.text(strategies.choose(GAME, GAME.view(state, FIRST), "steady", 1)) == "ready"
    assert advised(position("timed\ntable | A/b C/d\nAlice |\nBen |")) == "turn 1"


@pytest.mark.parametrize("mode", ["classic", "forbidden", "teams"])
def test_computers_alone_can_play_a_match_to_its_end(mode: str) -> None:
    options = GAME.Options.model_validate({"mode": mode})
    state, _ = GAME.new(options, 4, "alone")
    while state.outcome is None:
        at, awaited = state.now + 500, GAME.awaited(state)
        if not awaited or (GAME.due(state) or at) < at:
            GAME.tick(state, max(at, GAME.due(state) or 0))
            continue
        mover = Random(state.acted).choice(SEATS[:4]) if mode == "teams" else awaited[0]
        seat = mover if GAME.legal(state, mover) else awaited[0]
        GAME.apply(state, seat, strategies.choose(GAME, GAME.view(state, seat), "steady", state.acted), at)
    assert max(state.outcome.scores) == options.sets_to_win


def test_a_beginner_sometimes_overlooks_a_match() -> None:
    seen = position("classic\ntable | A/b A/c\nAlice | C/d\nBen | G/h")
    assert (
        GAME.text(STRATEGY.blunder(GAME.view(seen.state, FIRST), GAME.legal(seen.state, FIRST), Random(1)))
        == "flip"
    )
