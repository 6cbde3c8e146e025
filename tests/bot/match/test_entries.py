"""Entries of the log: every kind is written and read."""

from dataclasses import FrozenInstanceError, fields

import pytest

from bot.match.announcements import announce
from bot.match.entries import (
    KINDS,
    Ahead,
    Back,
    BadRow,
    Caretaker,
    Close,
    CloseReason,
    Computer,
    Cut,
    Decline,
    DeclineKept,
    Dismiss,
    Give,
    Join,
    KeepPace,
    Leave,
    Move,
    Offer,
    Overdue,
    Practice,
    Propose,
    Release,
    Remind,
    Reserve,
    Restored,
    Resume,
    SetOptions,
    SetPace,
    Start,
    Take,
    Tick,
    Vote,
    Wait,
    Wish,
)
from bot.match.log import numbered, read
from bot.match.state import LogEntry, Logged, TableState
from bot.match.times import Times
from bot.store import LogRow
from tests.seats import FIRST, SECOND, THIRD
from tests.toy import GAME as TOY

ALICE, BEN, CLEO = 101, 102, 103
NAME = "Anna  the 1st"
"""A name with the character that separates the parts of a body."""

WRITTEN: list[tuple[tuple[str, int | None, int | None, str], LogEntry]] = [
    (("sit", None, ALICE, f"71 {NAME}"), Join(ALICE, NAME, 71)),
    (("sit", None, ALICE, f"0 {NAME}"), Join(ALICE, NAME)),
    (("reserve", None, BEN, NAME), Reserve(BEN, NAME)),
    (("release", None, None, ""), Release()),
    (("decline-kept", None, BEN, ""), DeclineKept(BEN)),
    (("cut", None, ALICE, f"{'d' * 64} two words\n{NAME}"), Cut(ALICE, NAME, "two words", "d" * 64)),
    (("cut", None, ALICE, f"{'d' * 64} \nformer player"), Cut(ALICE, "former player", "", "d" * 64)),
    (("computer", None, ALICE, "steady 🤖 Fern"), Computer("steady", "🤖 Fern", ALICE)),
    (("computer", None, None, "sharp 🤖 Moss"), Computer("sharp", "🤖 Moss")),
    (("dismiss", 2, ALICE, ""), Dismiss(THIRD, ALICE)),
    (("options", None, ALICE, '{"hands":2}'), SetOptions(ALICE, '{"hands":2}')),
    (("wish", 2, ALICE, ""), Wish(THIRD, ALICE)),
    (("practice", None, None, ""), Practice()),
    (("start", None, ALICE, "2 0 1"), Start(ALICE, (2, 0, 1))),
    (("start", 2, ALICE, "2 0 1"), Start(ALICE, (2, 0, 1), THIRD)),
    (("start", None, ALICE, ""), Start(ALICE)),
    (("move", 0, ALICE, "play P3 P*=8 🌴"), Move(FIRST, "play P3 P*=8 🌴", ALICE)),
    (("move", 1, None, "draw"), Move(SECOND, "draw")),
    (("ahead", 0, ALICE, "draw"), Ahead(FIRST, ALICE, "draw")),
    (("ahead", 0, ALICE, ""), Ahead(FIRST, ALICE)),
    (("tick", None, None, ""), Tick()),
    (("resume", None, None, ""), Resume()),
    (("restored", None, None, "1700000000000"), Restored(1_700_000_000_000)),
    (("remind", None, None, "30000 0 2"), Remind(30_000, (FIRST, THIRD))),
    (("overdue", None, None, "900000 1"), Overdue(900_000, (SECOND,))),
    (("wait", None, None, "0 1"), Wait((FIRST, SECOND))),
    (("caretaker", None, None, "0"), Caretaker((FIRST,))),
    (("back", 0, ALICE, ""), Back(FIRST, ALICE)),
    (("propose", 1, BEN, "relaxed"), Propose(SECOND, BEN, "relaxed")),
    (("vote", 1, BEN, "12 keep"), Vote(SECOND, BEN, 12, "keep")),
    (("pace", None, None, "correspondence"), SetPace("correspondence")),
    (("keep pace", None, None, "12"), KeepPace(12)),
    (("leave", None, BEN, ""), Leave(BEN)),
    (("offer", 1, BEN, f"103 {NAME}"), Offer(SECOND, BEN, CLEO, NAME)),
    (("decline", 1, CLEO, ""), Decline(SECOND, CLEO)),
    (("give", 1, BEN, NAME), Give(SECOND, BEN, NAME)),
    (("take", 1, CLEO, NAME), Take(SECOND, CLEO, NAME)),
    (("close", None, ALICE, "cancelled"), Close(CloseReason.CANCELLED, ALICE)),
    (("close", None, None, "not started"), Close(CloseReason.NOT_STARTED)),
]
"""Kind, seat, user and body of every kind of row that is written now, and the entry that it holds."""

SENTENCES = {
    CloseReason.CANCELLED: "<@101> cancelled this table.",
    CloseReason.ENDED: "ended by <@101>; the match does not count.",
    CloseReason.EVERYBODY_LEFT: "everybody has left; the match does not count.",
    CloseReason.OUTLASTED: "everybody else has left or was away, so <@101> has won.",
    CloseReason.VOTED: "the table voted to end it; the match does not count.",
    CloseReason.NOT_STARTED: "nobody started it in time.",
    CloseReason.REPLACED: "its player has begun another practice match.",
    CloseReason.ROUND_OVER: "this round of the game night has ended; the match does not count.",
    CloseReason.DESERTED: "nobody was left to play in this round of the game night; the match does not count.",
    CloseReason.DAY_OVER: "its daily deal has closed.",
    CloseReason.NOBODY_THERE: "nobody was left to play; the match does not count.",
    CloseReason.ASLEEP: "nobody has moved for a day; the match does not count.",
    CloseReason.CHANNEL_GONE: "its channel is gone.",
    CloseReason.BOT_REMOVED: "the bot was removed from the server.",
    CloseReason.NOT_SHOWN: "it could not be shown.",
    CloseReason.OUTDATED: "it began under older rules and cannot go on.",
}
"""The sentences that people read."""

every_reason = pytest.mark.parametrize("reason", CloseReason, ids=lambda reason: reason.code)


def kind_of(case: object) -> str:
    return str(case[0]) if isinstance(case, tuple) else type(case).__name__


@pytest.mark.parametrize(("columns", "entry"), WRITTEN, ids=kind_of)
def test_an_entry_is_read_from_the_row_it_is_written_as(
    columns: tuple[str, int | None, int | None, str], entry: LogEntry
) -> None:
    row = LogRow(7, *columns, 1_000)
    assert Logged(7, 1_000, entry).row == row
    assert read(row) == Logged(7, 1_000, entry)


def test_the_examples_are_of_every_kind() -> None:
    assert {columns[0] for columns, _ in WRITTEN} == {*KINDS}
    assert {type(entry) for _, entry in WRITTEN} == {*KINDS.values()}


def test_an_entry_cannot_be_changed() -> None:
    for _, entry in WRITTEN:
        for field in fields(entry):  # type: ignore[arg-type]  # each kind is a dataclass
            with pytest.raises(FrozenInstanceError):
                setattr(entry, field.name, None)
        assert not hasattr(entry, "__dict__")


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (LogRow(7, "dance", 0, ALICE, "", 1), "entry 7 of the log, 'dance', is of an unknown kind"),
        (LogRow(7, "move", None, ALICE, "draw", 1), "entry 7 of the log, 'move', has no seat"),
        (LogRow(7, "sit", None, None, NAME, 1), "entry 7 of the log, 'sit', has no user"),
        (LogRow(7, "close", None, None, "x", 1), "entry 7 of the log, 'close', has the unknown reason 'x'"),
    ],
)
def test_a_row_that_is_no_entry_is_refused_by_its_number_and_fault(row: LogRow, fault: str) -> None:
    with pytest.raises(BadRow) as refused:
        read(row)
    assert str(refused.value) == fault


# Reasons for closing


def lobby() -> TableState:
    """Return a table with two people."""
    state = TableState(TOY, TOY.Options(), "seed")
    for entry in numbered(state, 1, [Join(ALICE, "Alice"), Join(BEN, "Ben")]):
        state.apply(entry)
    return state


def closed(row: LogRow) -> tuple[str, list[str]]:
    """Close a match by a row of the log. Return the reason, and the lines in the public record."""
    state = lobby()
    (start,) = numbered(state, 2, [Start(ALICE)])
    state.apply(start)
    logged = read(row)
    lines = [item.line for item in announce(state, logged, state.apply(logged), Times())]
    assert state.phase == ("over" if state.winner else "closed")
    return state.reason, lines


@every_reason
def test_a_reason_is_a_code_in_the_log_and_a_sentence_for_people(reason: CloseReason) -> None:
    row = Logged(4, 3, Close(reason, ALICE)).row
    assert row.body == reason.code
    won = (
        "🏁 Everybody else has left or was away, so <@101> has won."
        if reason is CloseReason.OUTLASTED
        else ""
    )
    assert closed(row) == (SENTENCES[reason], [won or f"🚪 Table closed: {SENTENCES[reason]}"])


def test_no_two_reasons_have_one_code() -> None:
    assert len({reason.code for reason in CloseReason}) == len(CloseReason)
