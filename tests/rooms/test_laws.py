"""The laws find what they are there to find."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from bot.match.call import Call, Part
from bot.match.entries import Ahead, Back, Caretaker, Leave, Move, Overdue, Remind, Start, Take, Vote
from bot.match.state import LogEntry, Logged, Player, Poll, TableState
from bot.store import LogRow
from games import GAMES
from sandbox.snowflakes import EPOCH
from tests.e2e.viewer import cards_in
from tests.rooms.account import Account
from tests.rooms.ahead import Choices, unexplained_choices
from tests.rooms.attempt import Attempt
from tests.rooms.cluster import Cluster
from tests.rooms.laws import is_left_alone, unexplained
from tests.rooms.presses import Press, lost, unpressed
from tests.rooms.room import TIMES, longest_of, without_seal
from tests.rooms.screens import Screens, essence, french_cards_in
from tests.seats import FIRST, SECOND
from tests.simulation.postgresql import Written

ALICE, BEN = 1, 2


def move(n: int, text: str = "draw", user: int | None = ALICE) -> LogRow:
    return LogRow(n, "move", 0, user, text, at=n)


def made(after: int, text: str = "", *, user: int = ALICE, acknowledged: bool = True) -> Attempt:
    return Attempt(user, after, text, acknowledged)


def test_each_acknowledged_move_explains_its_entry() -> None:
    attempts = [made(3, "draw"), made(4), made(5, "knock", acknowledged=False)]
    assert unexplained(attempts, [move(4), move(5, "take"), move(6, "knock"), move(7, user=None)]) == []


@pytest.mark.parametrize(
    "log",
    [[], [move(3)], [move(4, "take")], [move(4, user=BEN)]],
    ids=["nothing", "an earlier one", "another move", "another person's"],
)
def test_an_acknowledged_move_that_is_not_in_the_log_is_lost(log: list[LogRow]) -> None:
    assert "the acknowledged move 'draw' after entry 3 is lost" in unexplained([made(3, "draw")], log)


def test_a_second_entry_of_one_click_is_found() -> None:
    assert unexplained([made(3, "draw")], [move(4), move(5)]) == ["entry 5 ('draw') was made by no click"]


def test_a_move_that_was_not_acknowledged_may_be_in_the_log_once() -> None:
    attempt = made(3, "draw", acknowledged=False)
    assert unexplained([attempt], []) == []
    assert unexplained([attempt], [move(4)]) == []
    assert len(unexplained([attempt], [move(4), move(5)])) == 1


def test_an_entry_that_two_attempts_explain_is_left_to_the_one_that_explains_no_other() -> None:
    attempts = [made(3, "draw", acknowledged=False), made(3)]
    assert unexplained(attempts, [move(4, "draw"), move(5, "knock")]) == []


OPENED = LogRow(1, "sit", None, BEN, "0 Ben", at=0)


def press(second: int, verb: str, user: int = ALICE) -> Press:
    return Press((second * 1000 - EPOCH) << 22, user, verb, 1)


def left(n: int, kind: str = "leave") -> LogRow:
    return LogRow(n, kind, None, ALICE, "", at=n)


def test_what_somebody_was_told_that_they_have_done_is_in_the_log_as_often() -> None:
    told = [press(1, "join"), press(2, "leave"), press(3, "join"), press(4, "quit")]
    assert lost(told, [OPENED, left(2, "sit"), left(3), left(4, "sit"), left(5)]) == []
    for log in ([OPENED], [OPENED, left(2), left(3, "vote")]):
        assert "was told 2 times of leave" in lost([press(2, "leave"), press(4, "quit")], log)[0]


def test_each_entry_of_a_person_is_pressed_for_before_it_is_seen() -> None:
    log, seen = [OPENED, left(2, "sit"), left(3), left(4, "sit")], {2: 10.0, 3: 20.0, 4: 30.0}
    presses = [press(9, "join"), press(12, "hand"), press(15, "quit"), press(25, "join")]
    assert unpressed(presses, log, seen) == []
    for fewer in (presses[:-1], presses[1:], [*presses[:-1], press(31, "join")]):
        assert "entry 4" in unpressed(fewer, log, seen)[-1]
    assert "entry 3" in unpressed([presses[0], presses[3]], log, seen)[0]


def test_who_was_given_a_seat_has_not_pressed_for_it() -> None:
    assert unpressed([], [OPENED, left(2, "sit"), left(3, "start")], {}, seated=True) == []


def test_a_deal_that_a_kill_kept_from_starting_starts_with_the_next_press_of_play() -> None:
    log = [OPENED, left(2, "start")]
    assert unpressed([press(1, "daily")], log, {}, alone=True) == []
    assert "entry 2" in unpressed([], log, {}, alone=True)[0]
    # A table for several people starts with the press of Start alone.
    assert "entry 2" in unpressed([press(1, "daily")], log, {})[0]


def test_a_deleted_table_comes_back_much_later_where_nobody_is_called_or_somebody_sleeps() -> None:
    asked = Call((Part(4, "Alice's turn", (ALICE,)),))
    assert is_left_alone(Call(()))
    assert is_left_alone(replace(asked, asleep={ALICE: 99}))
    assert not is_left_alone(asked)


def choice(n: int, text: str = "draw") -> LogRow:
    return LogRow(n, "ahead", 0, ALICE, text, at=n)


def test_each_choice_ahead_is_made_by_a_click_or_taken_back_by_a_move() -> None:
    assert unexplained_choices([made(3, "draw"), made(4)], [choice(4), choice(6, "")]) == []
    assert unexplained_choices([made(3, "draw")], [choice(4), choice(5, ""), move(6, "knock")]) == []
    late = [made(3, "draw"), made(5, "knock", acknowledged=False)]
    assert unexplained_choices(late, [choice(4), choice(6, "")]) == []
    assert "is lost" in unexplained_choices([made(3, "draw")], [])[0]
    for log in ([choice(4), choice(5)], [choice(4), choice(5, ""), move(7)]):
        assert "was decided ahead by no click" in unexplained_choices([made(3, "draw")], log)[0]


def test_a_choice_ahead_ends_when_somebody_else_takes_the_seat() -> None:
    game = GAMES["thirty-one"]
    state = TableState(game, game.Options(), "", players=(Player(ALICE, "Alice"), Player(BEN, "Ben")))
    state.apply(Logged(1, 0, Start(ALICE)))
    waiting = next(seat for seat in (FIRST, SECOND) if seat not in state.awaited())
    choices, (action, *_) = Choices(), game.ahead(state.game_state, waiting)
    for entry in (Ahead(waiting, BEN, game.text(action)), Take(waiting, 3, "Cleo")):
        choices.add(entry, LogRow(2, entry.kind, waiting, None, "", at=0), state)
        assert [*choices.chosen] == ([waiting] if entry.kind == "ahead" else [])


def test_cards_of_twin_palms_are_found_in_all_their_forms() -> None:
    forms = {
        "P3": "P3",
        "🌴P10": "P10",
        "play D7 S*=8": "D7 S*",
        "🕶️S wild": "S*",
        "🐬D8 wild": "D*",
        "Palm 3": "P3",
    }
    for form, named in forms.items():
        assert cards_in(f"1. {form}, then") == set(named.split())
    assert cards_in("Palms bid 3, PS 4, Ben 7") == set()


def test_bodies_that_look_alike_have_one_essence() -> None:
    body = {
        "components": [{"content": "Your hand", "id": 1}],
        "attachments": [{"id": "7", "filename": "hand.png"}],
    }
    assert essence(body) == essence(body | {"flags": 64})
    assert essence(body) != essence(body | {"attachments": []})


@pytest.mark.parametrize(("states", "seconds", "found"), [("ABA", 1, 1), ("ABCA", 0.5, 1), ("ABCA", 2, 0)])
def test_a_table_that_shows_what_it_showed_a_moment_ago_is_found(
    states: str, seconds: float, found: int
) -> None:
    table = SimpleNamespace(rows=())
    room: Any = SimpleNamespace(tables={1: table}, plan=SimpleNamespace(processes=1), restored=-inf)
    message: Any = SimpleNamespace(id=7, text="", custom_ids=("hand:1:p0",))
    screens = Screens(room)
    bodies = [{"components": [{"content": each}], "attachments": []} for each in states]
    edits = enumerate(pairwise(bodies), 1)
    assert sum(len([*screens._backwards(message, *each, n * seconds)]) for n, each in edits) == found


def test_a_form_makes_a_move_only_in_the_decision_for_which_it_was_made() -> None:
    attempt = Attempt(ALICE, 3, prompt=7)
    assert unexplained([attempt], [move(4)], {4: 7}) == []
    assert unexplained([attempt], [move(4)], {4: 8}) == ["entry 4 ('draw') was made by no click"]


def test_french_cards_are_found_in_both_forms() -> None:
    assert french_cards_in("Drop ♠7, then 10♥ or ♦A") == {"7S", "10H", "AD"}
    assert french_cards_in("17 of 31, PA♠") == set()


def told(*entries: tuple[int, LogEntry]) -> list[str]:
    """Return what an account of a table of Alice and Ben says of its entries, each with its time in ms."""
    game = GAMES["thirty-one"]
    state = TableState(
        game, game.Options(), "", players=(Player(ALICE, "Alice"), Player(BEN, "Ben")), phase="play"
    )
    state.prompts = [1, 1]
    account, found = Account(), list[str]()
    for n, (at, entry) in enumerate([(0, Start(ALICE)), *entries]):
        row = LogRow(n, entry.kind, None, None, "", at)
        found += account.faults(entry, row, state, TIMES)
        if isinstance(entry, Overdue):
            state.open_poll(Poll(1, seats=entry.seats))
        if isinstance(entry, Vote):
            state.polls[1] = Poll(1, seats=(SECOND,), votes={entry.seat: entry.choice})
        account.add(entry, row, state, TIMES)
    return found


LATE = ((6_000, Remind(3_000, (SECOND,))), (9_000, Overdue(3_000, (SECOND,))))


def test_an_account_allows_what_the_entries_before_allow() -> None:
    away = (*LATE, (12_000, Caretaker((SECOND,))))
    assert (
        told(
            (1, Move(FIRST, "draw", ALICE)),
            *away,
            (13_000, Move(SECOND, "draw")),
            (14_000, Back(SECOND, BEN)),
        )
        == []
    )
    assert told(*LATE, (9_500, Vote(FIRST, ALICE, 1, "keep")), (9_500, Caretaker((SECOND,)))) == []
    assert told((1, Leave(BEN)), (2, Move(SECOND, "draw")), (3, Take(SECOND, 3, "Cleo"))) == []


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        (((1, Move(SECOND, "draw")),), "a computer has moved for seat 1"),
        (((1, Leave(BEN)), (2, Move(SECOND, "draw", BEN))), "which somebody else plays"),
        (((1, Leave(BEN)), (6_000, Remind(3_000, (SECOND,)))), "are called late"),
        (((1, Leave(BEN)), (2, Take(SECOND, ALICE, "Alice"))), "has held seat 0"),
        (((5_999, Remind(3_000, (SECOND,))),), "was promised 6000 ms"),
        ((LATE[0], (8_999, Overdue(3_000, (SECOND,)))), "was promised 3000 ms"),
        ((*LATE, (9_500, Vote(FIRST, ALICE, 1, "keep")), (9_600, Move(FIRST, "draw", ALICE))), "are decided"),
    ],
    ids=[
        "a computer",
        "who has left",
        "a computer that is late",
        "two seats",
        "early",
        "early again",
        "a vote",
    ],
)
def test_an_account_finds_what_they_do_not_allow(
    entries: tuple[tuple[int, LogEntry], ...], said: str
) -> None:
    found = told(*entries)
    assert len(found) == 1
    assert said in found[0]


@pytest.mark.parametrize(("within", "found"), [(0, 0), (2, 6), (4, 6), (5, 50)])
def test_a_loss_is_recent_by_the_time_that_people_have_had_since(within: float, found: float) -> None:
    losses = [(0, 50), (53, 58), (54, 60), (59, 59.5)]
    assert longest_of(losses, 62, within) == found


def test_a_cut_is_the_same_under_another_seal_but_not_with_other_words() -> None:
    cut = LogRow(4, "cut", None, ALICE, "a" * 64 + " blue lamp 548\nAlice", at=4)
    anew, other = (
        replace(cut, body=cut.body.replace(*each)) for each in (("a" * 64, "b" * 64), ("548", "549"))
    )
    assert without_seal(anew) == without_seal(cut) != without_seal(other)


@pytest.mark.parametrize(
    ("entries", "strayed"),
    [
        ([("leave", ALICE), ("caretaker", None)], 0),
        ([("caretaker", None), ("leave", ALICE)], 1),
        ([("leave", ALICE), ("caretaker", None), ("overdue", None)], 1),
    ],
    ids=["a vote that somebody has ended", "before that", "and more"],
)
def test_a_process_ends_a_vote_of_another_one_only_with_the_act_of_a_person(
    entries: Sequence[tuple[str, int | None]], strayed: int
) -> None:
    cluster: Any = SimpleNamespace(_holders=lambda *_: ["other"], strayed=[])
    written = [Written("own", 7, n, *each) for n, each in enumerate(entries, 1)]
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE matches AS SELECT 7 AS id, 1 AS guild, 2 AS channel")
        Cluster._check_fence(cluster, db, written)
    assert len(cluster.strayed) == strayed
