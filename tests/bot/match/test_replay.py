"""The people and moves in a log without the rules of its game, and its steps with them."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.match.replay import PUBLIC, moves_in, people_in, replay_of
from bot.match.times import Times
from bot.store import LogRow
from games import GAMES
from games.types import SEATS
from tests.contract.golden import read
from tests.seats import SECOND
from tests.stored.logs import match_of
from tests.toy import GAME as TOY

ALICE, BEN, CLEO, DAN = 11, 12, 13, 14


def log(*rows: tuple[str, int | None, int | None, str]) -> tuple[LogRow, ...]:
    return tuple(LogRow(n, *row, at=1000 * n) for n, row in enumerate(rows, 1))


LOBBY = (
    ("sit", None, ALICE, "0 Alice"),
    ("sit", None, DAN, "0 Dan"),
    ("computer", None, None, "steady 🤖 Coco"),
    ("sit", None, BEN, "0 Alice"),
    ("leave", None, DAN, ""),
    ("dismiss", 1, ALICE, ""),
    ("start", None, ALICE, ""),
)
MATCH = match_of("high-card", "{}", "seed")
PLAYED = log(
    *LOBBY,
    ("move", 1, BEN, "pick 5"),
    ("leave", None, BEN, ""),
    ("take", 1, CLEO, "Cleo"),
    ("pace", None, None, "relaxed"),
    ("move", 1, CLEO, "pick 6"),
    ("close", None, None, "voted"),
)


def test_everybody_with_a_seat_in_the_match_has_played_it_and_nobody_else() -> None:
    assert people_in(PLAYED) == {ALICE, BEN, CLEO}
    assert people_in(log(*LOBBY[:3])) == {ALICE, DAN}
    assert people_in(()) == set()


def test_an_erased_person_still_counts_as_one_who_played() -> None:
    assert people_in(log(("sit", None, -7, "0 former player"), *LOBBY[1:])) == {-7, BEN}


def test_moves_are_listed_with_the_names_of_that_time() -> None:
    assert moves_in(PLAYED) == [
        "Alice (2): pick 5",
        "Cleo: pick 6",
        "Table closed: the table voted to end it; the match does not count.",
    ]


@pytest.fixture
def played() -> tuple[LogRow, ...]:
    """A match in which Alice picks a card, Ben comes back, and Ben picks a card."""
    seed_rows = log(("sit", None, ALICE, "0 Alice"), ("sit", None, BEN, "0 Ben"), ("start", None, ALICE, ""))
    hands = replay_of(MATCH, TOY, seed_rows, Times()).everything[0].state.hands
    picks = [("move", seat, (ALICE, BEN)[seat], f"pick {hands[seat][0]}") for seat in SEATS[:2]]
    return log(
        *((row.kind, row.seat, row.user, row.body) for row in seed_rows),
        picks[0],
        ("back", 1, BEN, ""),
        picks[1],
    )


def test_steps_are_the_entries_in_which_something_visible_happened(played: tuple[LogRow, ...]) -> None:
    replay = replay_of(MATCH, TOY, played, Times())
    assert len(replay.everything) == 4  # the deal, a pick, the line of the table, the other pick
    assert len(replay.steps(PUBLIC)) == 3, "nothing of the deal was public"
    assert replay.lines(replay.everything[2], PUBLIC) == ["🪑 Ben is back."]
    deal = replay.everything[0]
    assert [line.partition(": ")[0] for line in replay.lines(deal, replay.all_hands)] == [
        "🔒 To Alice",
        "🔒 To Ben",
    ]
    assert len(replay.lines(deal, (SECOND,))) == 1


def test_a_later_step_does_not_change_the_state_of_an_earlier_one(played: tuple[LogRow, ...]) -> None:
    deal, first, *_ = replay_of(MATCH, TOY, played, Times()).everything
    assert deal.state.picks == [None, None]
    assert first.state.picks[0] is not None


def test_a_match_that_was_never_dealt_has_no_steps() -> None:
    assert replay_of(MATCH, TOY, log(*LOBBY[:3]), Times()).everything == ()


def test_a_round_that_ends_with_the_deal_is_no_second_round() -> None:
    golden = Path(__file__).parents[2] / "games" / "thirty_one" / "golden" / "any-suit-made-and-dealt.txt"
    found = read(golden.read_text(encoding="utf-8"))
    people = [("sit", None, seat, f"0 {name}") for seat, name in enumerate(found.names, 1)]
    rows = log(*people, ("start", None, 1, ""))
    match = match_of("thirty-one", found.header["options"], str(found.seed))
    replay = replay_of(match, GAMES["thirty-one"], rows, Times())
    assert replay.rounds(replay.everything) == [0]
    replay = replace(replay, everything=replay.everything * 2)
    assert replay.rounds(replay.everything) == [0]
