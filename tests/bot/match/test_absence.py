"""Players who run out of time, leave, come back or are replaced: the match goes on, but never without people."""

import asyncio
from pathlib import Path

import pytest

from bot.match import seats as seating
from bot.match import votes as voting
from bot.match.call import Call
from bot.match.call import call as call_of
from bot.match.deadlines import TABLE
from bot.match.entries import CloseReason
from bot.match.openings import WITHIN
from bot.match.refusal import Refusal
from bot.match.table import Stale, Table
from bot.match.times import Pace, Times
from bot.store import FORMER
from games import GAMES
from games.hand_and_foot.actions import MELD
from games.hand_and_foot.state import DRAWING
from games.types import SEATS, Seat
from tests.bot.store.stores import rows
from tests.bot.tables import ALICE, BEN, CLEO, DANA, EVE, GUILD, Room, move, overdue, pass_deadline, started
from tests.seats import FIRST, SECOND, THIRD
from tests.toy import GAME as TOY


async def away(room: Room) -> Table:
    """Start the same match; a computer now plays for Ben."""
    table = await overdue(room)
    assert await pass_deadline(room, table, SECOND) == "caretaker"
    return table


async def answer(table: Table, seat: Seat) -> None:
    """Let the computer of that seat play the fallback move."""
    await table.answer(seat, table.state.prompts[seat], None)


def call(table: Table) -> Call:
    return call_of(table.state, table.clock.times, deadlines=table.deadlines)


def newest(table: Table) -> tuple[int, ...]:
    """Return the users whom the newest part of the call mentions."""
    return tuple(user for part in call(table).newest for user in part.users)


def buttons(table: Table) -> list[str]:
    return [label for part in call(table).parts for label, *_ in part.links]


def last_line(table: Table) -> str:
    """Return the last line that the table itself added to the public record."""
    return [item.line for item in table.pages.live.items if item.line][-1]


def pace(table: Table) -> str:
    return table.state.pace


def number(table: Table, subject: int | str) -> int:
    """Return the number of the poll about that seat or pace."""
    polls = table.state.polls.values()
    return next(poll.number for poll in polls if subject in (*poll.seats, poll.pace))


async def check_reload(room: Room, table: Table) -> Table:
    """Check that the log alone gives the same state as the one in memory. Return the table that was read from it."""
    kept = ("phase", "pace", "players", "away", "gone", "reminded", "polls", "polled", "offers", "held")
    before = [getattr(table.state, name) for name in kept], table.deadlines
    again = await room.reload(table)
    assert ([getattr(again.state, name) for name in kept], again.deadlines) == before
    return again


# Running out of time


async def test_one_message_reminds_all_late_players_and_nobody_else(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    await move(table, ALICE)
    assert await pass_deadline(room, table, SECOND) == "remind"
    assert newest(table) == (BEN, CLEO)
    assert all(part.urgent for part in call(table).newest)
    assert call(table).text == f"⏰ **<@{BEN}>'s and <@{CLEO}>'s turn** · 0 seconds left"
    assert table.deadlines == {1: room.time + 300, 2: room.time + 300}


async def test_at_a_slow_pace_the_call_and_the_vote_say_when_the_time_ends(room: Room) -> None:
    table = await started(room, BEN, CLEO, pace="correspondence")
    (turn,) = call(table).parts
    assert turn.text.endswith(f" · time ends <t:{room.time // 1000 + 86_400}:R>")
    for user in (ALICE, CLEO):
        await move(table, user)
    assert [await pass_deadline(room, table, SECOND) for _ in range(2)] == ["remind", "overdue"]
    ends = f"<t:{room.time // 1000 + 28_800}:R>"
    rule = f"Majority decides. Without one, a computer takes over {ends}; until then P{BEN} can still move."
    assert rule in call(table).text


@pytest.mark.parametrize("is_reminded", [False, True], ids=["turn", "reminded"])
async def test_a_secret_move_does_not_change_when_others_read_that_the_time_ends(
    room: Room, is_reminded: bool
) -> None:
    table = await started(room, BEN, pace="relaxed", game=(game := GAMES["hand-and-foot"]))
    room.time += 1_000
    while True:
        (seat,), state = table.state.awaited(), table.state.game_state
        user = table.state.players[seat].user
        if state.phase == DRAWING and (lays := [each for each in game.legal(state, seat) if each >= MELD]):
            break
        await table.play(user, [game.text(game.fallback(state, seat))], room.time)
    if is_reminded:
        assert await pass_deadline(room, table, seat) == "remind"
    before, due = call(table).text, table.deadlines
    assert "time ends" in before
    room.time += 60_000
    await table.play(user, [game.text(lays[0])], room.time)
    assert any(table.state.game_state.aside)
    assert call(table).text == before
    assert table.deadlines == due
    assert await pass_deadline(room, table, seat) == ("overdue" if is_reminded else "remind")


async def test_a_reminder_of_one_player_leaves_that_of_another_in_the_call(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    await move(table, CLEO)
    room.time += 200
    await table.leave(ALICE, room.time)
    await seating.come_back(table, ALICE, room.time)  # her time begins anew
    for seat in (SECOND, FIRST):
        assert await pass_deadline(room, table, seat) == "remind"
    assert table.deadlines == {FIRST: room.time + 300, SECOND: room.time + 100}
    assert newest(table) == (ALICE,)
    table = await check_reload(room, table)
    assert call(table).text.splitlines() == [
        f"⏰ **<@{BEN}>'s turn** · time ends <t:{(room.time + 100) // 1000}:R>",
        f"⏰ **<@{ALICE}>'s turn** · 0 seconds left",
    ]
    await move(table, BEN)
    assert call(table).text == f"⏰ **<@{ALICE}>'s turn** · 0 seconds left"


async def test_the_table_votes_on_an_overdue_seat_and_then_a_computer_plays_it(room: Room) -> None:
    table = await overdue(room)
    assert buttons(table) == ["Wait", "Computer plays", "End the match"]
    assert table.deadlines == {1: room.time + 300}
    table = await check_reload(room, table)
    assert await pass_deadline(room, table, SECOND) == "caretaker"
    assert table.state.strength_at(SECOND) == "steady"
    assert table.deadlines == {1: room.time + 20}  # twice as long: the others may still change their choices
    await answer(table, SECOND)
    assert len(table.state.game_state.tricks) == 1


async def test_the_pace_limits_the_time_of_a_move_and_the_reminder_comes_after_two_thirds(room: Room) -> None:
    table = await started(room, BEN, pace="relaxed")
    assert table.deadlines == dict.fromkeys((0, 1), room.time + 2_400_000)


# Tables without people


async def test_with_nobody_there_the_table_waits_and_then_closes(room: Room) -> None:
    table = await started(room, BEN)
    for seat in SEATS[:2]:
        assert await pass_deadline(room, table, seat) in ("remind", "overdue")
    while TABLE not in table.deadlines:
        await pass_deadline(room, table, min(table.deadlines, key=lambda seat: table.deadlines[seat]))
    assert table.deadlines == {TABLE: room.time + 9_000}
    assert "Nobody else is here: the table closes in" in call(table).text
    assert buttons(table) == []
    table = await check_reload(room, table)
    assert await pass_deadline(room, table, TABLE) == "close"
    assert table.state.phase == "closed"


async def test_a_vote_says_when_it_ends_though_others_have_come_or_gone_since(room: Room) -> None:
    table = await overdue(room, BEN)
    asked = room.time
    await table.leave(ALICE, room.time)
    assert table.deadlines == {TABLE: asked + 9_000}
    assert f"the table closes <t:{(asked + 9_000) // 1000}:R>." in call(table).text
    room.time += 8_000
    await seating.come_back(table, ALICE, room.time)
    assert table.deadlines[SECOND] == asked + 8_300
    assert f"a computer takes over <t:{(asked + 8_300) // 1000}:R>;" in call(table).text


async def test_a_vote_that_began_with_nobody_there_says_when_it_ends_now(room: Room) -> None:
    table = await started(room, BEN)
    assert [await pass_deadline(room, table, FIRST) for _ in range(2)] == ["remind", "overdue"]
    assert table.deadlines == {TABLE: room.time + 9_000}
    room.time += 1_000
    await move(table, ALICE)
    assert table.deadlines[SECOND] == room.time + 300
    assert f"a computer takes over <t:{table.deadlines[SECOND] // 1000}:R>;" in call(table).text


async def test_an_outage_moves_the_end_of_a_vote_in_the_call(room: Room) -> None:
    table = await overdue(room)
    drawn: list[str] = []
    room.tables.on_change.append(lambda changed: drawn.append(call(changed).text))
    room.time += 60_000
    await room.tables.postpone(60_000, lambda _: True, room.time)
    assert f"a computer takes over <t:{table.deadlines[SECOND] // 1000}:R>;" in drawn[-1]


async def test_computers_stop_when_the_last_person_is_away_and_go_on_when_one_is_back(room: Room) -> None:
    table = await started(room, BEN, computers=1)
    assert [await pass_deadline(room, table, FIRST) for _ in range(2)] == ["remind", "overdue"]
    assert set(table.deadlines) == {TABLE}
    n = table.state.n
    await answer(table, SECOND)
    assert table.state.n == n, "computers do not play on without people"
    await move(table, ALICE)
    assert 1 in table.deadlines


# Alone with computers

DAY = Times().alone


async def alone(room: Room, pace: Pace = "live") -> Table:
    """Start a match of Alice and a computer that has moved; the table waits for her."""
    table = await room.open(computers=1, pace=pace)
    await table.start(ALICE, room.time)
    await answer(table, SECOND)
    return table


async def test_a_match_of_one_person_closes_without_warning_after_a_day_without_a_move(room: Room) -> None:
    table = await alone(room)
    room.time += DAY - 1
    await move(table, ALICE)
    await answer(table, SECOND)
    room.time += DAY - 1
    await table.apply_deadline(TABLE)
    assert table.is_open
    room.time += 1
    await table.apply_deadline(TABLE)
    said = [entry.kind for entry in await room.store.log(table.id)]
    assert said == ["sit", "computer", "start", "move", "move", "move", "close"]
    assert table.state.reason == "nobody has moved for a day; the match does not count."


@pytest.mark.parametrize("leaves", [True, False])
async def test_nobody_is_told_of_a_time_that_does_not_run_for_who_is_alone(room: Room, leaves: bool) -> None:
    room.tables.clock.times = Times()
    table = await started(room, BEN, pace="relaxed")
    if leaves:
        await move(table, BEN)
        await table.leave(BEN, room.time)
    else:
        await move(table, ALICE)
        for kind in ("remind", "overdue", "caretaker"):
            assert await pass_deadline(room, table, SECOND) == kind
        await answer(table, SECOND)
    assert FIRST in table.state.awaited()
    assert FIRST not in table.deadlines, "only the table waits, for a day"
    assert call(table).text == f"**<@{ALICE}>'s turn**"


async def test_nobody_is_told_to_hurry_who_was_reminded_and_is_alone_now(room: Room) -> None:
    table = await started(room, BEN, CLEO, pace="relaxed")
    for user in (BEN, CLEO):
        await move(table, user)
    assert await pass_deadline(room, table, FIRST) == "remind"
    for user in (BEN, CLEO):
        await table.leave(user, room.time)
    assert {*table.deadlines} == {TABLE}
    assert call(table).text == f"⏰ **<@{ALICE}>'s turn**"


async def test_whoever_was_alone_reads_when_their_time_ends_once_somebody_is_back(room: Room) -> None:
    room.tables.clock.times = Times()
    table = await started(room, BEN, pace="relaxed")
    await move(table, BEN)
    await table.leave(BEN, room.time)
    room.time += 5 * 3_600_000
    await seating.come_back(table, BEN, room.time)
    assert table.deadlines == {FIRST: room.time + 2_400_000}, "a third of her hour is left after the reminder"
    assert call(table).text.endswith(f" · time ends <t:{room.time // 1000 + 3600}:R>")


# Votes


async def test_more_than_half_of_the_present_players_decide_on_an_overdue_seat(room: Room) -> None:
    table = await overdue(room, BEN, CLEO, DANA)
    poll = number(table, 1)
    await voting.vote(table, ALICE, poll, "keep", room.time)
    assert table.state.away == set()
    assert call(table).text.splitlines()[-1] == "Computer plays: 1 of 3"
    table = await check_reload(room, table)
    await voting.vote(table, CLEO, poll, "wait", room.time)
    await voting.vote(table, CLEO, poll, "keep", room.time)
    assert table.state.away == {1}
    with pytest.raises(Refusal, match="vote is over"):
        await voting.vote(table, DANA, poll, "end", room.time)


async def test_a_vote_to_wait_gives_a_whole_turn_and_the_next_vote_is_another_poll(room: Room) -> None:
    table = await overdue(room, BEN)
    old = number(table, 1)
    await voting.vote(table, ALICE, old, "wait", room.time)
    assert table.deadlines == {1: room.time + 600}
    assert [await pass_deadline(room, table, SECOND) for _ in range(2)] == ["remind", "overdue"]
    assert number(table, 1) != old
    with pytest.raises(Refusal, match="vote is over"):
        await voting.vote(table, ALICE, old, "end", room.time)


async def test_at_slow_paces_the_voters_are_called_because_they_may_not_look(room: Room) -> None:
    table = await overdue(room, BEN, CLEO)
    assert newest(table) == (BEN,)
    table.state.pace = "correspondence"
    assert newest(table) == (BEN, ALICE, CLEO)
    assert call(table).text.startswith(
        f"⏳ <@{BEN}>, time's up. <@{ALICE}> and <@{CLEO}>: wait, let a computer play, or end the match?\n"
    )


async def test_a_match_that_is_ended_by_vote_does_not_count(room: Room) -> None:
    table = await overdue(room, BEN, CLEO)
    for user in (ALICE, CLEO):
        await voting.vote(table, user, number(table, 1), "end", room.time)
    assert table.state.phase == "closed"
    assert await room.store.leaderboard(GUILD) == []


async def test_one_vote_covers_all_overdue_seats_and_goes_on_about_those_still_missing(room: Room) -> None:
    table = await started(room, BEN, CLEO, DANA)
    await move(table, ALICE)
    assert [await pass_deadline(room, table, SECOND) for _ in range(2)] == ["remind", "overdue"]
    assert call(table).text.startswith(
        f"⏳ <@{BEN}>, <@{CLEO}> and <@{DANA}>, time's up. P101: wait, or let a computer play?"
    )
    assert newest(table) == (BEN, CLEO, DANA)
    poll = number(table, 1)
    assert [number(table, seat) for seat in SEATS[2:4]] == [poll, poll]
    await move(table, CLEO)
    assert call(table).text.startswith(f"⏳ <@{BEN}> and <@{DANA}>, time's up.")
    table = await check_reload(room, table)
    with pytest.raises(Refusal, match="The table is waiting for you"):
        await voting.vote(table, DANA, poll, "wait", room.time)
    await voting.vote(table, CLEO, poll, "keep", room.time)
    await voting.vote(table, ALICE, poll, "keep", room.time)
    assert table.state.away == {1, 3}
    assert last_line(table) == f"🤖 Computers play for P{BEN} and P{DANA} until they press `I'm back`."
    assert (call(table).text, call(table).number, buttons(table)) == (last_line(table), 0, [])


async def test_a_vote_that_is_no_longer_needed_disappears_and_others_stay(room: Room) -> None:
    table = await overdue(room)
    await voting.propose(table, ALICE, "relaxed", room.time)
    assert buttons(table) == ["Wait", "Computer plays", "End the match", "Yes to relaxed", "No to relaxed"]
    await move(table, BEN)
    assert buttons(table) == ["Yes to relaxed", "No to relaxed"]
    await table.close(CloseReason.CHANNEL_GONE)
    assert last_line(table) == "🚪 Table closed: its channel is gone."
    assert call(table).parts == ()


async def test_players_who_have_just_moved_here_are_called_only_after_a_grace_period(room: Room) -> None:
    table = await started(room, BEN)
    assert (newest(table), call(table).due) == ((ALICE, BEN), 0)
    room.time += 1_000
    for user in (ALICE, BEN):
        seat = table.seat(user)
        await table.play(user, [TOY.text(table.state.legal(seat)[0])], room.time)
    assert (newest(table), call(table).due) == ((ALICE, BEN), room.time + Times().grace)
    assert call(table).later == room.time + 2 * Times().grace
    room.time += Times().lately
    for user in (ALICE, BEN):
        seat = table.seat(user)
        await table.play(user, [TOY.text(table.state.legal(seat)[0])], room.time)
    await check_reload(room, table)


async def test_only_present_players_vote_and_no_vote_counts_twice(room: Room) -> None:
    table = await overdue(room, BEN, CLEO, DANA)
    poll = number(table, 1)
    with pytest.raises(Refusal, match="You do not sit"):
        await voting.vote(table, EVE, poll, "end", room.time)
    with pytest.raises(Refusal, match="The table is waiting for you"):
        await voting.vote(table, BEN, poll, "wait", room.time)
    await voting.vote(table, ALICE, poll, "end", room.time)
    with pytest.raises(Refusal, match="voted for that already"):
        await voting.vote(table, ALICE, poll, "end", room.time)
    with pytest.raises(Refusal, match="vote is over"):
        await voting.vote(table, ALICE, poll, "explode", room.time)
    await pass_deadline(room, table, SECOND)
    with pytest.raises(Refusal, match="Only people who are playing can vote"):
        await voting.propose(table, BEN, "relaxed", room.time)
    with pytest.raises(Refusal, match="You do not sit"):
        await voting.propose(table, EVE, "relaxed", room.time)


async def test_more_than_half_change_the_pace_and_it_applies_from_then_on(room: Room) -> None:
    table = await started(room, BEN)
    await voting.propose(table, ALICE, "correspondence", room.time)
    assert pace(table) == "live"
    with pytest.raises(Refusal, match="There is a vote on correspondence already"):
        await voting.propose(table, BEN, "correspondence", room.time)
    await voting.vote(table, BEN, number(table, "correspondence"), "yes", room.time)
    assert pace(table) == "correspondence"
    assert table.deadlines == dict.fromkeys((0, 1), room.time + 57_600_000)
    with pytest.raises(Refusal, match="is correspondence already"):
        await voting.propose(table, ALICE, "correspondence", room.time)
    await check_reload(room, table)


async def test_who_has_left_since_they_proposed_a_pace_is_no_computer(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    await voting.propose(table, ALICE, "relaxed", room.time)
    await table.leave(ALICE, room.time)
    assert f"🗳️ P{ALICE} proposes the relaxed pace" in call(table).text


async def test_whoever_takes_the_seat_of_a_proposer_has_not_proposed_the_pace(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    await voting.propose(table, ALICE, "relaxed", room.time)
    await table.leave(ALICE, room.time)
    await seating.take(table, FIRST, EVE, "Eve", room.time)
    await voting.vote(table, EVE, number(table, "relaxed"), "no", room.time)
    table = await check_reload(room, table)
    assert f"🗳️ P{ALICE} proposes the relaxed pace" in call(table).text


async def test_whoever_hands_over_or_takes_a_seat_is_no_computer_by_their_name(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    await seating.offer(table, ALICE, EVE, "🤖 Eve", room.time)
    await seating.accept(table, FIRST, EVE, "🤖 Eve", room.time)
    assert [item.line for item in table.pages.live.items if "takes over" in item.line] == [
        f"🤝 Eve takes over from P{ALICE}."
    ]
    await table.leave(EVE, room.time)
    await seating.take(table, FIRST, DANA, "Dana", room.time)
    assert last_line(table) == "🪑 Dana plays on for Eve."


async def test_the_proposer_of_a_pace_is_no_computer_by_their_name(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    await table.leave(ALICE, room.time)
    await seating.take(table, FIRST, EVE, "🤖 Eve", room.time)
    await voting.propose(table, EVE, "relaxed", room.time)
    await table.leave(EVE, room.time)
    await seating.take(table, FIRST, DANA, "Dana", room.time)
    assert "🗳️ Eve proposes the relaxed pace" in call(table).text


# Coming back


async def test_a_player_who_comes_back_has_the_seat_at_once_and_a_whole_turn(room: Room) -> None:
    table = await away(room)
    await seating.come_back(table, BEN, room.time)
    assert table.state.strength_at(SECOND) is None
    assert table.deadlines == {1: room.time + 600}
    await check_reload(room, table)


async def test_a_form_from_before_the_computers_move_is_stale_for_its_returning_player(room: Room) -> None:
    table = await away(room)
    prompt = table.state.prompts[1]
    await answer(table, SECOND)
    with pytest.raises(Stale):
        await move(table, BEN, prompt)
    assert table.state.away == {1}, "a refused move changes nothing"
    await seating.come_back(table, BEN, room.time)
    await move(table, BEN)


@pytest.mark.parametrize("first", ["person", "computer"])
async def test_player_and_computer_may_act_at_the_same_moment_in_either_order(room: Room, first: str) -> None:
    table = await away(room)
    doing = [seating.come_back(table, BEN, room.time), answer(table, SECOND)]
    await asyncio.gather(*(doing if first == "person" else reversed(doing)))
    kinds = [entry.kind for entry in await room.store.log(table.id)]
    assert kinds[-2:] == (["caretaker", "back"] if first == "person" else ["move", "back"])
    await move(await check_reload(room, table), BEN)


async def test_only_an_absent_player_can_come_back_also_after_leaving(room: Room) -> None:
    table = await away(room)
    with pytest.raises(Refusal, match="no computer plays for you"):
        await seating.come_back(table, ALICE, room.time)
    with pytest.raises(Refusal, match="You do not sit"):
        await seating.come_back(table, EVE, room.time)
    await table.leave(BEN, room.time)
    await seating.come_back(table, BEN, room.time)
    assert (table.state.gone, table.state.away, table.state.left) == (set(), set(), {})
    await table.leave(BEN, room.time)
    await seating.take(table, SECOND, EVE, "Eve", room.time)
    with pytest.raises(Refusal, match=f"<@{EVE}> has your seat now. Only <@{EVE}> can give it back"):
        await seating.come_back(table, BEN, room.time)
    await table.leave(EVE, room.time)
    await answer(table, SECOND)
    await seating.come_back(table, BEN, room.time)
    assert table.state.players[1].name == "P102"


async def test_nobody_holds_up_a_turn_for_ever_by_coming_back_without_a_move(room: Room) -> None:
    table = await overdue(room)
    await seating.come_back(table, BEN, room.time)
    assert [await pass_deadline(room, table, SECOND) for _ in range(2)] == ["remind", "overdue"]
    with pytest.raises(Refusal, match="Make the move"):
        await seating.come_back(table, BEN, room.time)
    table = await check_reload(room, table)
    assert await pass_deadline(room, table, SECOND) == "caretaker"
    with pytest.raises(Refusal, match="After the next move"):
        await seating.come_back(table, BEN, room.time)
    await move(table, BEN)
    assert table.state.present() == [FIRST, SECOND, THIRD]
    await table.leave(BEN, room.time)
    await seating.come_back(table, BEN, room.time)  # in the next turn


async def fidget(room: Room, table: Table, seat: Seat) -> None:
    """Let a player of Twin It! lay a hand and lift it."""
    face = next(iter(table.state.game_state.showing))
    await table.play(table.state.players[seat].user, [f"hand {face}", "lift"], room.time)


async def test_nobody_holds_up_a_turn_for_ever_by_laying_and_lifting_hands(room: Room) -> None:
    table = await started(room, BEN, game=GAMES["twin-it"])
    (seat,) = table.state.awaited()
    for _ in range(2):  # a first hand gives the seat back, and a whole turn, as `I'm back` does
        for kind in ("remind", "overdue", "caretaker"):
            await fidget(room, table, seat)
            assert await pass_deadline(room, table, seat) == kind
        table = await check_reload(room, table)
    with pytest.raises(Refusal, match="Make the move that is awaited"):
        await fidget(room, table, seat)
    assert table.state.away == {seat}
    await table.play(table.state.players[seat].user, ["flip"], room.time)
    assert table.state.present() == [FIRST, SECOND]


async def test_whoever_flips_and_must_flip_again_has_a_whole_turn(room: Room) -> None:
    table = await started(room, BEN, game=GAMES["twin-it"])
    (seat,) = table.state.awaited()
    table.state.game_state.piles[1 - seat].clear()
    assert [await pass_deadline(room, table, seat) for _ in range(2)] == ["remind", "overdue"]
    await table.play(table.state.players[seat].user, ["flip"], room.time)
    assert table.state.awaited() == (seat,)
    assert table.state.polls == {}
    assert table.deadlines == {seat: room.time + 600}


@pytest.mark.parametrize("takes", [False, True])
async def test_nobody_holds_up_a_turn_for_ever_by_leaving(room: Room, *, takes: bool) -> None:
    table = await overdue(room)

    async def come_back() -> None:
        if takes:
            await seating.take(table, SECOND, BEN, "Ben", room.time)
        else:
            await seating.come_back(table, BEN, room.time)

    await table.leave(BEN, room.time)
    await come_back()
    await table.leave(BEN, room.time)
    with pytest.raises(Refusal, match="After the next move in that seat you can again"):
        await come_back()
    await answer(table, SECOND)
    await come_back()


async def test_two_people_do_not_hold_up_a_turn_for_ever_by_handing_a_seat_over(room: Room) -> None:
    table = await overdue(room)
    for giver, taker in ((BEN, EVE), (EVE, BEN), (BEN, EVE)):
        await seating.offer(table, giver, taker, "P", room.time)
        await seating.accept(table, SECOND, taker, "P", room.time)
    room.time += WITHIN
    await seating.offer(table, EVE, BEN, "P", room.time)
    with pytest.raises(Refusal, match="come back in this turn already"):
        await seating.accept(table, SECOND, BEN, "P", room.time)


@pytest.mark.parametrize("waits", ["for others", "for nobody"])
async def test_whoever_holds_up_nobody_may_come_back_again_and_again(room: Room, waits: str) -> None:
    table = await started(room, BEN)
    if waits == "for others":
        await move(table, BEN)
    while waits == "for nobody" and table.state.present():
        await pass_deadline(room, table, min(table.deadlines, key=lambda seat: table.deadlines[seat]))
    for _ in range(3):
        await table.leave(BEN, room.time)
        await seating.come_back(table, BEN, room.time)


# Seats that get another player


async def test_a_seat_that_was_left_may_be_taken_by_anybody_who_has_seen_no_other_hand(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    await table.leave(BEN, room.time)
    await table.leave(CLEO, room.time)
    assert room.tables.seated(BEN) == []
    with pytest.raises(Refusal, match="played another seat"):
        await seating.take(table, THIRD, BEN, "Ben", room.time)
    with pytest.raises(Refusal, match="already sit at this table"):
        await seating.take(table, THIRD, ALICE, "Alice", room.time)
    with pytest.raises(Refusal, match="That seat is taken"):
        await seating.take(table, FIRST, EVE, "Eve", room.time)
    prompt = table.state.prompts[1]
    await seating.take(table, SECOND, EVE, "Eve", room.time)
    assert newest(table) == (EVE,)
    assert room.tables.seated(EVE) == [table.id]
    with pytest.raises(Stale):
        await move(table, EVE, prompt)
    with pytest.raises(Refusal, match="You are watching"):
        await table.play(BEN, ["pick 1"], room.time)
    await move(table, EVE)
    await seating.take(table, THIRD, CLEO, "Cleo", room.time)
    await check_reload(room, table)


async def test_a_table_that_cannot_be_loaded_keeps_no_other_from_showing_who_was_erased(
    room: Room, tmp_path: Path
) -> None:
    broken, sound = await started(room, BEN, CLEO), await started(room, BEN, CLEO)
    for table in (broken, sound):
        await table.leave(BEN, room.time)
    rows(
        tmp_path / "palmhouse.sqlite3",
        f"UPDATE log SET body = 'nonsense' WHERE match = {broken.id} AND n = 1",
    )
    shown: list[str] = []
    room.tables.on_change.append(lambda table: shown.append(table.state.players[SECOND].name))
    assert await room.tables.erase(BEN)
    assert shown == [FORMER]


async def test_whoever_was_erased_takes_no_other_seat_than_their_own(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    for user in (BEN, CLEO):
        await table.leave(user, room.time)
    assert await room.tables.erase(BEN)
    table = await room.tables.get(table.id)
    with pytest.raises(Refusal, match="You have played another seat"):
        await seating.take(table, THIRD, BEN, "Ben", room.time)
    # The player is not told that it is somebody who was erased.
    await seating.offer(table, ALICE, BEN, "Ben", room.time)
    with pytest.raises(Refusal, match="You have played another seat"):
        await seating.accept(table, FIRST, BEN, "Ben", room.time)
    await seating.take(table, SECOND, BEN, "Ben", room.time)
    await table.leave(BEN, room.time)
    assert await room.tables.erase(BEN)
    table = await room.tables.get(table.id)
    with pytest.raises(Refusal, match="You have played another seat"):
        await seating.take(table, THIRD, BEN, "Ben", room.time)
    await seating.take(table, THIRD, EVE, "Eve", room.time)


async def test_a_seat_is_handed_to_a_named_person_who_accepts(room: Room) -> None:
    table = await started(room, BEN)
    await seating.offer(table, BEN, EVE, "Eve", room.time)
    assert newest(table) == (EVE,)
    table = await check_reload(room, table)
    await move(table, BEN)
    with pytest.raises(Refusal, match="not to you"):
        await seating.accept(table, SECOND, CLEO, "Cleo", room.time)
    await seating.accept(table, SECOND, EVE, "Eve", room.time)
    assert [player.name for player in table.state.players] == ["P101", "Eve"]
    assert (room.tables.seated(BEN), room.tables.seated(EVE)) == ([], [table.id])
    assert (table.id, EVE) in await room.store.members()
    assert (table.id, BEN) not in await room.store.members()
    with pytest.raises(Refusal, match="You are watching"):
        await table.play(BEN, ["pick 1"], room.time)
    with pytest.raises(Refusal, match="offer is over"):
        await seating.accept(table, SECOND, EVE, "Eve", room.time)
    await check_reload(room, table)


async def test_a_person_offers_seats_three_times_within_ten_minutes_at_whichever_tables(room: Room) -> None:
    table, other = await started(room, BEN), await started(room, BEN)
    for meant, to in ((table, EVE), (other, EVE), (table, DANA)):
        await seating.offer(meant, BEN, to, "P", room.time)
    table = await check_reload(room, table)
    n = table.state.n
    for meant, to in ((table, EVE), (other, DANA), (table, CLEO)):
        with pytest.raises(Refusal, match="offered seats 3 times within 10 minutes"):
            await seating.offer(meant, BEN, to, "P", room.time + WITHIN - 1)
    assert table.state.n == n
    await seating.offer(table, ALICE, EVE, "P", room.time)
    await seating.offer(table, BEN, DANA, "P", room.time + WITHIN)


async def test_who_takes_a_seat_is_said_to_play_on_for_whom(room: Room) -> None:
    table = await started(room, BEN)
    await table.leave(BEN, room.time)
    await seating.take(table, SECOND, EVE, "Eve", room.time)
    assert said(table) == "🪑 Eve plays on for P102."
    await table.leave(EVE, room.time)
    await seating.take(table, SECOND, EVE, "Eve", room.time)
    assert said(table) == "🪑 Eve plays on."


def said(table: Table) -> str:
    """Return the line of the last entry in the public record."""
    assert table.state.last is not None
    return table.state.last.announcement(table.state, Times())


async def test_a_seat_is_not_offered_to_its_player_or_to_anybody_who_had_another_seat(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    with pytest.raises(Refusal, match="That is you"):
        await seating.offer(table, BEN, BEN, "Ben", room.time)
    with pytest.raises(Refusal, match="sits at this table already"):
        await seating.offer(table, BEN, ALICE, "Alice", room.time)
    await table.leave(CLEO, room.time)
    with pytest.raises(Refusal, match="played another seat"):
        await seating.offer(table, BEN, CLEO, "Cleo", room.time)
    with pytest.raises(Refusal, match="You do not sit"):
        await seating.offer(table, EVE, DANA, "Dana", room.time)


async def test_an_offer_that_is_declined_leaves_everything_as_it_was(room: Room) -> None:
    table = await started(room, BEN)
    await seating.offer(table, BEN, EVE, "Eve", room.time)
    assert (newest(table), buttons(table)) == ((EVE,), ["Accept", "Decline"])
    with pytest.raises(Refusal, match="not to you"):
        await seating.decline(table, SECOND, CLEO, room.time)
    await seating.decline(table, SECOND, EVE, room.time)
    assert (table.state.offers, newest(table)) == ({}, (ALICE, BEN))
    await move(table, BEN)
    assert "declined" not in call(table).text
    with pytest.raises(Refusal, match="That offer is over"):
        await seating.decline(table, SECOND, EVE, room.time)


async def test_an_offer_to_somebody_who_was_erased_is_over(room: Room) -> None:
    table = await started(room, BEN)
    await seating.offer(table, BEN, EVE, "Eve", room.time)
    assert await room.tables.erase(EVE)
    table = await room.tables.get(table.id)
    assert "offers you" not in call(table).text
    with pytest.raises(Refusal, match="That offer is over"):
        await seating.accept(table, SECOND, CLEO, "Cleo", room.time)


@pytest.mark.parametrize("how", ["takes a free seat", "accepts another offer"])
async def test_nobody_is_offered_a_seat_any_more_who_has_sat_down_at_another_one(
    room: Room, how: str
) -> None:
    table = await started(room, BEN, CLEO)
    giver, other = table.seat(BEN), table.seat(CLEO)
    await seating.offer(table, BEN, EVE, "Eve", room.time)
    if how == "takes a free seat":
        await table.leave(CLEO, room.time)
        await seating.take(table, other, EVE, "Eve", room.time)
    else:
        await seating.offer(table, CLEO, EVE, "Eve", room.time)
        await seating.accept(table, other, EVE, "Eve", room.time)
    with pytest.raises(Refusal):
        await seating.accept(table, giver, EVE, "Eve", room.time)
    assert "offers you their seat" not in call(table).text, "she can never accept it"
    assert "Accept" not in buttons(table)


async def test_a_deadline_that_passes_while_an_earlier_one_waits_for_the_table_is_met_by_the_next_call(
    room: Room,
) -> None:
    table = await overdue(room)
    before = len(await room.store.log(table.id))
    async with table.lock:
        room.time = table.deadlines[1] - 1
        waiting = asyncio.create_task(table.apply_deadline(1))
        await asyncio.sleep(0)
        room.time += 1
    await waiting
    assert len(await room.store.log(table.id)) == before
    assert await pass_deadline(room, table, SECOND) == "caretaker"
