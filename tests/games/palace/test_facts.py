"""Facts of Palace: from plays and in agreement with the events of random matches."""

import pytest

from games.contract import Event
from games.palace import GAME
from games.palace.events import BlindFailed, Played, Took
from games.types import SEATS, Seat, with_seats
from tests.contract.matches import finished_match, public
from tests.contract.subjects import SUBJECTS
from tests.games.palace.position import position

PALACE = SUBJECTS["palace"]


def facts(text: str, script: str, **options: bool) -> list[dict[str, int]]:
    """Return by seat the facts of what the script does."""
    seen = position(text, **options)
    seen.act(script)
    events = [event for event in seen.events if event.to is None]
    return [GAME.facts.count(events, seat) for seat in SEATS[: len(seen.names)]]


def test_piles_taken_are_counted_and_the_largest_is_kept() -> None:
    alice, ben = facts(
        "pile 4 4 K\nAlice | hand 3 8\nBen | hand 5 Q Q",
        "Alice: take; Ben: play Q; Alice: play K; Ben: take; Alice: play 4; Ben: play Q; Alice: take",
    )
    assert (alice["piles_taken"], alice["largest_pile"]) == (2, 3)
    assert (ben["piles_taken"], ben["largest_pile"]) == (1, 2)


def test_who_takes_no_pile_has_no_largest_pile() -> None:
    alice, _ = facts("pile 4\nAlice | hand 5 6\nBen | hand 3 8", "Alice: play 5; Ben: play 8")
    assert alice["piles_taken"] == 0
    assert "largest_pile" not in alice


def test_a_pile_is_cleared_by_a_10_and_by_four_of_a_kind() -> None:
    alice, ben = facts(
        "pile 3\nAlice | hand 10 10 5 5 5 5 6 6\nBen | hand 8 8",
        "Alice: play 10; Alice: play 10; Alice: play 5 5 5 5; Alice: play 6; Ben: play 8",
    )
    assert (alice["piles_cleared"], alice["fours"]) == (3, 1)
    assert (ben["piles_cleared"], ben["fours"]) == (0, 0)


def test_four_of_a_kind_over_several_turns_clear_a_pile_but_are_not_four_at_once() -> None:
    text = "pile 2 2\nAlice | hand 2 2 3 3\nBen | hand 3"
    alice, _ = facts(text, "Alice: play 2 2", four_across_turns=True)
    assert (alice["piles_cleared"], alice["fours"]) == (1, 0)


def test_face_down_cards_fit_or_are_taken_with_the_pile() -> None:
    alice, ben = facts(
        "pile 3\nAlice | down 5 6 8\nBen | hand 9 9 4",
        "Alice: blind 1; Ben: play 9; Alice: blind 2",
    )
    assert (alice["blind"], alice["blind_fitted"]) == (2, 2)
    assert ben["blind"] == 0
    (failed, _) = facts("pile 3 K 7\nAlice | down 8 5 6\nBen | hand 3", "Alice: blind 1")
    assert (failed["blind"], failed["blind_fitted"]) == (1, 0)
    assert (failed["piles_taken"], failed["largest_pile"]) == (1, 4)
    assert "plays_in_a_row" not in failed


def test_plays_in_a_row_end_when_somebody_else_acts_or_the_player_takes_the_pile() -> None:
    alice, ben = facts(
        "pile 3\nAlice | hand A A 4 4\nBen | hand 5 K K",
        "Alice: play A; Alice: play A; Alice: play 4; Ben: play 5; Alice: take; Ben: play K",
    )
    assert (alice["plays_in_a_row"], ben["plays_in_a_row"]) == (3, 1)
    alone, _ = facts(
        "pile 3\nAlice | hand A 4 4 4 5\nBen | hand 8 8",
        "Alice: play A; Alice: take; Ben: play 8",
        voluntary_pickup=True,
    )
    assert alone["plays_in_a_row"] == 1


@pytest.mark.parametrize("number", range(20))
def test_facts_agree_with_the_plays_and_cards_of_the_match(number: int) -> None:
    match = finished_match(PALACE, number)
    events = public(match)
    for seat, left in with_seats(match.state.outcome.scores):
        found = GAME.facts.count(events, seat)
        own = [event for event in events if isinstance(event, Played) and event.seat == seat]
        taken = [event for event in events if isinstance(event, Took | BlindFailed) and event.seat == seat]
        assert found["piles_taken"] == len(taken)
        assert found["blind"] == 3 - sum(kind >= 0 for kind in match.state.blind[seat])
        assert found["blind"] == 3 or left
        assert found.get("plays_in_a_row", 0) == longest_turn(events, seat)
        cards = sum(event.drawn - event.count for event in own) + sum(len(event.pile) for event in taken)
        assert left == 9 + cards


def longest_turn(events: list[Event], seat: Seat) -> int:
    """Return the most plays in a row of `seat`, counted from event to event."""
    longest = streak = 0
    for event in events:
        if isinstance(event, Played):
            streak = streak + 1 if event.seat == seat else 0
            longest = max(longest, streak)
        elif isinstance(event, Took | BlindFailed):
            streak = 0
    return longest
