"""Who runs out of time, goes, comes back or is replaced: the table goes on, and never for nobody."""

import asyncio

import pytest

from bot.match import seats as seating
from bot.match import votes as voting
from bot.match.call import GRACE, LATELY, Call
from bot.match.call import call as call_of
from bot.match.deadlines import TABLE
from bot.match.entries import CloseReason
from bot.match.log import read
from bot.match.refusal import Refusal
from bot.match.table import Stale, Table
from bot.match.times import Pace, Times
from bot.store import LogRow
from tests.bot.tables import ALICE, BEN, CLEO, DANA, EVE, GUILD, House, move, started
from tests.toy.rules import GAME as TOY


async def ring(house: House, table: Table, seat: int) -> str:
    """The next deadline of that seat comes. What kind of entry it makes."""
    house.time = max(house.time, table.clocks[seat])
    await table.ring(seat)
    return (await house.store.log(table.id))[-1].kind


async def overdue(house: House, *others: int) -> Table:
    """A match in which all but Ben, in seat 1, have picked, and his time is up."""
    table = await started(house, *(others or (BEN, CLEO)))
    for player in table.state.players:
        if player.user != BEN:
            await move(table, player.user)
    assert [await ring(house, table, 1) for _ in range(2)] == ["remind", "overdue"]
    return table


async def away(house: House) -> Table:
    """The same, and a computer keeps his seat."""
    table = await overdue(house)
    assert await ring(house, table, 1) == "caretaker"
    return table


async def answer(table: Table, seat: int) -> None:
    """A computer plays something harmless."""
    await table.answer(seat, table.state.prompts[seat], None)


def call(table: Table) -> Call:
    """What people are called for now."""
    return call_of(table.state, table.clock.times)


def newest(table: Table) -> tuple[int, ...]:
    """Whom the last call mentions."""
    return tuple(user for part in call(table).newest for user in part.users)


def buttons(table: Table) -> list[str]:
    """Of the call, by their labels."""
    return [label for part in call(table).parts for label, *_ in part.links]


def last_line(table: Table) -> str:
    """The last line of the record that the table itself has said."""
    return [item.line for item in table.story.live.items if item.line][-1]


def pace(table: Table) -> str:
    """At which it is played."""
    return table.state.pace


def number(table: Table, subject: int | str) -> int:
    """Of the poll about that seat or pace."""
    polls = table.state.polls.values()
    return next(poll.number for poll in polls if subject in (*poll.seats, poll.pace))


async def untouched(house: House, table: Table) -> None:
    """The log alone says the same as what is in memory."""
    kept = ("phase", "pace", "players", "away", "gone", "reminded", "polls", "polled", "offers", "held")
    before = [getattr(table.state, name) for name in kept], table.clocks
    again = await house.reload(table)
    assert ([getattr(again.state, name) for name in kept], again.clocks) == before


# Time


async def test_all_who_are_late_are_reminded_in_one_message_and_nobody_else_is(house: House) -> None:
    table = await started(house, BEN, CLEO)
    await move(table, ALICE)
    assert await ring(house, table, 1) == "remind"
    assert newest(table) == (BEN, CLEO)
    assert all(part.urgent for part in call(table).newest)
    assert call(table).text == f"⏰ <@{BEN}> and <@{CLEO}>, 0 seconds left."
    assert table.clocks == {1: house.time + 300, 2: house.time + 300}


async def test_an_overdue_seat_is_offered_to_the_table_and_then_kept_by_a_computer(house: House) -> None:
    table = await overdue(house)
    assert buttons(table) == ["Wait", "Computer plays", "End the match"]
    assert table.clocks == {1: house.time + 300}
    await untouched(house, table)
    table = await house.tables.get(table.id)
    assert await ring(house, table, 1) == "caretaker"
    assert table.state.mind(1) == "steady"
    assert table.clocks == {1: house.time + 10}
    await answer(table, 1)
    assert len(table.state.game_state.tricks) == 1


async def test_a_match_whose_player_vanished_in_the_first_round_finishes_and_counts(house: House) -> None:
    table = await away(house)
    while table.is_open:
        seat = table.state.awaited()[0]
        if table.state.mind(seat):
            await answer(table, seat)
        else:
            await move(table, table.state.players[seat].user)
    assert {row.user for row in await house.store.leaderboard(GUILD)} == {ALICE, BEN, CLEO}


async def test_who_moves_in_the_last_moment_is_not_overdue_any_more(house: House) -> None:
    table = await overdue(house)
    await move(table, BEN)
    assert table.state.polls == {}
    assert len(table.state.game_state.tricks) == 1


async def test_a_pace_says_how_long_a_move_may_take_and_the_reminder_comes_after_two_thirds(
    house: House,
) -> None:
    table = await house.open(BEN, pace="relaxed")
    await table.start(ALICE, house.time)
    assert table.clocks == dict.fromkeys((0, 1), house.time + 2_400_000)


# Nobody there


async def test_with_nobody_there_the_table_waits_and_then_closes(house: House) -> None:
    table = await started(house, BEN)
    for seat in (0, 1):
        assert await ring(house, table, seat) in ("remind", "overdue")
    while TABLE not in table.clocks:
        await ring(house, table, min(table.clocks, key=lambda seat: table.clocks[seat]))
    assert table.clocks == {TABLE: house.time + 9_000}
    assert "Nobody else is here: the table closes in" in call(table).text
    assert buttons(table) == []
    await untouched(house, table)
    table = await house.tables.get(table.id)
    assert await ring(house, table, TABLE) == "close"
    assert table.state.phase == "closed"


async def test_computers_stop_when_the_last_person_is_away_and_go_on_when_one_is_back(house: House) -> None:
    table = await house.open(BEN, computers=1)
    await table.start(ALICE, house.time)
    assert [await ring(house, table, 0) for _ in range(2)] == ["remind", "overdue"]
    assert set(table.clocks) == {TABLE}
    n = table.state.n
    await answer(table, 1)
    assert table.state.n == n, "nobody plays on for nobody"
    await move(table, ALICE)
    assert 1 in table.clocks


async def test_when_the_last_person_leaves_the_computers_the_table_closes(house: House) -> None:
    table = await house.open(computers=2)
    await table.start(ALICE, house.time)
    await table.leave(ALICE, house.time)
    assert table.state.phase == "closed"
    assert table.clocks == {}


# Alone with computers

DAY = Times().alone


async def alone(house: House, pace: Pace = "live") -> Table:
    """Alice and a computer that has acted; the table waits for her."""
    table = await house.open(computers=1, pace=pace)
    await table.start(ALICE, house.time)
    await answer(table, 1)
    return table


async def test_somebody_alone_with_computers_has_no_clock_but_the_tables_own_of_a_day(house: House) -> None:
    table = await alone(house)
    assert table.clocks == {TABLE: house.time + DAY}
    await untouched(house, table)


async def test_a_match_of_somebody_alone_closes_after_a_day_without_a_move_and_no_word_before(
    house: House,
) -> None:
    table = await alone(house)
    house.time += DAY - 1
    await move(table, ALICE)
    await answer(table, 1)
    house.time += DAY - 1
    await table.ring(TABLE)
    assert table.is_open
    house.time += 1
    await table.ring(TABLE)
    said = [entry.kind for entry in await house.store.log(table.id)]
    assert said == ["join", "computer", "start", "move", "move", "move", "close"]
    assert table.state.reason == "nobody has moved for a day; the match does not count."


async def test_at_a_slow_pace_the_table_waits_for_somebody_alone_as_long_as_for_many(house: House) -> None:
    table = await alone(house, "correspondence")
    assert table.clocks == {TABLE: house.time + 10 * DAY}


async def test_time_runs_again_as_soon_as_another_person_is_back(house: House) -> None:
    table = await overdue(house, BEN)
    assert await ring(house, table, 1) == "caretaker"
    await answer(table, 1)
    assert 0 not in table.clocks
    assert TABLE in table.clocks
    await seating.come_back(table, BEN, house.time)
    assert table.clocks == dict.fromkeys((0, 1), house.time + 600)


# Votes


async def test_more_than_half_of_those_who_are_there_decide_on_an_overdue_seat(house: House) -> None:
    table = await overdue(house, BEN, CLEO, DANA)
    poll = number(table, 1)
    await voting.vote(table, ALICE, poll, "keep", house.time)
    assert table.state.away == set()
    assert call(table).text.splitlines()[-1] == "Computer plays: 1 of 3"
    await untouched(house, table)
    table = await house.tables.get(table.id)
    await voting.vote(table, CLEO, poll, "wait", house.time)
    await voting.vote(table, CLEO, poll, "keep", house.time)
    assert table.state.away == {1}
    with pytest.raises(Refusal, match="vote is over"):
        await voting.vote(table, DANA, poll, "end", house.time)


async def test_a_table_that_waits_gives_a_whole_turn_and_asks_again_by_another_poll(house: House) -> None:
    table = await overdue(house, BEN)
    old = number(table, 1)
    await voting.vote(table, ALICE, old, "wait", house.time)
    assert table.clocks == {1: house.time + 600}
    assert [await ring(house, table, 1) for _ in range(2)] == ["remind", "overdue"]
    assert number(table, 1) != old
    with pytest.raises(Refusal, match="vote is over"):
        await voting.vote(table, ALICE, old, "end", house.time)


async def test_a_table_may_end_the_match_which_then_does_not_count(house: House) -> None:
    table = await overdue(house, BEN)
    await voting.vote(table, ALICE, number(table, 1), "end", house.time)
    assert table.state.phase == "closed"
    assert await house.store.leaderboard(GUILD) == []


async def test_all_who_are_overdue_at_once_are_one_vote_that_goes_on_about_who_is_still_missing(
    house: House,
) -> None:
    table = await started(house, BEN, CLEO, DANA)
    await move(table, ALICE)
    assert [await ring(house, table, 1) for _ in range(2)] == ["remind", "overdue"]
    assert call(table).text.startswith(
        f"⏳ <@{BEN}>, <@{CLEO}> and <@{DANA}>, time's up. Wait, let a computer play, or end the match?"
    )
    assert newest(table) == (BEN, CLEO, DANA)
    poll = number(table, 1)
    assert [number(table, seat) for seat in (2, 3)] == [poll, poll]
    await move(table, CLEO)
    assert call(table).text.startswith(f"⏳ <@{BEN}> and <@{DANA}>, time's up.")
    await untouched(house, table)
    table = await house.tables.get(table.id)
    with pytest.raises(Refusal, match="The table is waiting for you"):
        await voting.vote(table, DANA, poll, "wait", house.time)
    await voting.vote(table, CLEO, poll, "keep", house.time)
    await voting.vote(table, ALICE, poll, "keep", house.time)
    assert table.state.away == {1, 3}
    assert last_line(table) == f"🤖 Computers play for P{BEN} and P{DANA} until they press `I'm back`."
    assert (call(table).text, call(table).number, buttons(table)) == (last_line(table), 0, [])


async def test_without_a_decision_computers_keep_all_overdue_seats_at_once(house: House) -> None:
    table = await started(house, BEN, CLEO)
    await move(table, ALICE)
    assert [await ring(house, table, 1) for _ in range(3)] == ["remind", "overdue", "caretaker"]
    assert table.state.away == {1, 2}
    assert table.state.polls == {}


async def test_a_vote_that_is_not_needed_any_more_goes_and_others_stay(house: House) -> None:
    table = await overdue(house)
    await voting.propose(table, ALICE, "relaxed", house.time)
    assert buttons(table) == ["Wait", "Computer plays", "End the match", "Yes", "No"]
    await move(table, BEN)
    assert buttons(table) == ["Yes", "No"]
    await table.close(CloseReason.CHANNEL_GONE)
    assert last_line(table) == "🚪 Table closed: its channel is gone."
    assert call(table).parts == ()


async def test_nobody_is_called_at_once_who_has_just_moved_here(house: House) -> None:
    table = await started(house, BEN)
    assert (newest(table), call(table).due) == ((ALICE, BEN), 0)
    house.time += 1_000
    for user in (ALICE, BEN):
        seat = table.state.seat_of(user)
        assert seat is not None
        await table.move(user, TOY.text(table.state.legal(seat)[0]), house.time)
    assert (newest(table), call(table).due) == ((ALICE, BEN), house.time + GRACE)
    house.time += LATELY
    for user in (ALICE, BEN):
        seat = table.state.seat_of(user)
        assert seat is not None
        await table.move(user, TOY.text(table.state.legal(seat)[0]), house.time)
    await untouched(house, table)


async def test_an_offer_says_how_it_ended_and_is_then_over(house: House) -> None:
    table = await started(house, BEN)
    await seating.offer(table, BEN, EVE, "Eve", house.time)
    assert (newest(table), buttons(table)) == ((EVE,), ["Accept", "Decline"])
    await seating.decline(table, 1, EVE, house.time)
    assert "The offer was declined: P102 plays on." in call(table).text or newest(table)
    await move(table, ALICE)
    assert "declined" not in call(table).text


async def test_a_log_of_the_time_when_each_seat_had_a_vote_of_its_own_replays(house: House) -> None:
    table = await overdue(house)
    state = table.state.copy()
    for kind, body, stage in (("overdue", "300", "overdue"), ("caretaker", "", "computer")):
        state.apply(read(LogRow(state.n + 1, kind, 0, None, body, house.time)))
        assert state.stage(0) == stage


async def test_who_watches_is_overdue_or_away_has_no_vote_and_no_vote_counts_twice(house: House) -> None:
    table = await overdue(house, BEN, CLEO, DANA)
    poll = number(table, 1)
    with pytest.raises(Refusal, match="You are watching"):
        await voting.vote(table, EVE, poll, "end", house.time)
    with pytest.raises(Refusal, match="The table is waiting for you"):
        await voting.vote(table, BEN, poll, "wait", house.time)
    await voting.vote(table, ALICE, poll, "end", house.time)
    with pytest.raises(Refusal, match="voted for that already"):
        await voting.vote(table, ALICE, poll, "end", house.time)
    with pytest.raises(Refusal, match="vote is over"):
        await voting.vote(table, ALICE, poll, "explode", house.time)
    await ring(house, table, 1)
    with pytest.raises(Refusal, match="Only people who are playing can vote"):
        await voting.propose(table, BEN, "relaxed", house.time)
    with pytest.raises(Refusal, match="You are watching"):
        await voting.propose(table, EVE, "relaxed", house.time)


async def test_the_pace_is_changed_by_more_than_half_and_counts_from_then_on(house: House) -> None:
    table = await started(house, BEN)
    await voting.propose(table, ALICE, "correspondence", house.time)
    assert pace(table) == "live"
    with pytest.raises(Refusal, match="There is a vote on correspondence already"):
        await voting.propose(table, BEN, "correspondence", house.time)
    await voting.vote(table, BEN, number(table, "correspondence"), "yes", house.time)
    assert pace(table) == "correspondence"
    assert table.clocks == dict.fromkeys((0, 1), house.time + 57_600_000)
    with pytest.raises(Refusal, match="is correspondence already"):
        await voting.propose(table, ALICE, "correspondence", house.time)
    await untouched(house, table)


async def test_a_pace_that_more_than_half_refuse_is_off_the_table(house: House) -> None:
    table = await started(house, BEN, CLEO)
    await voting.propose(table, ALICE, "relaxed", house.time)
    poll = number(table, "relaxed")
    await voting.vote(table, BEN, poll, "no", house.time)
    await voting.vote(table, CLEO, poll, "no", house.time)
    assert pace(table) == "live"
    assert last_line(table) == "⏱️ The pace is live: 0 seconds a move."
    with pytest.raises(Refusal, match="vote is over"):
        await voting.vote(table, CLEO, poll, "yes", house.time)


async def test_who_is_alone_with_computers_changes_the_pace_at_once(house: House) -> None:
    table = await house.open(computers=1)
    await table.start(ALICE, house.time)
    await voting.propose(table, ALICE, "relaxed", house.time)
    assert pace(table) == "relaxed"


# Coming back


async def test_who_is_back_has_the_seat_at_once_and_a_whole_turn(house: House) -> None:
    table = await away(house)
    await seating.come_back(table, BEN, house.time)
    assert table.state.mind(1) is None
    assert table.clocks == {1: house.time + 600}
    await untouched(house, table)


async def test_a_move_says_that_its_player_is_back(house: House) -> None:
    table = await away(house)
    await move(table, BEN)
    assert [entry.kind for entry in await house.store.log(table.id)][-2:] == ["back", "move"]
    assert table.state.away == set()


async def test_a_computers_answer_that_comes_after_its_person_is_back_is_dropped(house: House) -> None:
    table = await away(house)
    prompt = table.state.prompts[1]
    await seating.come_back(table, BEN, house.time)
    n = table.state.n
    await table.answer(1, prompt, TOY.text(TOY.legal(table.state.game_state, 1)[0]))
    assert table.state.n == n
    await move(table, BEN, prompt)


async def test_who_comes_back_right_after_the_computer_has_moved_sees_the_hand_as_it_is_now(
    house: House,
) -> None:
    table = await away(house)
    prompt = table.state.prompts[1]
    await answer(table, 1)
    with pytest.raises(Stale):
        await move(table, BEN, prompt)
    assert table.state.away == {1}, "a refused move changes nothing"
    await seating.come_back(table, BEN, house.time)
    await move(table, BEN)


@pytest.mark.parametrize("first", ["person", "computer"])
async def test_whoever_is_first_when_both_act_in_the_same_moment_is_followed_by_the_other(
    house: House, first: str
) -> None:
    table = await away(house)
    doing = [seating.come_back(table, BEN, house.time), answer(table, 1)]
    await asyncio.gather(*(doing if first == "person" else reversed(doing)))
    kinds = [entry.kind for entry in await house.store.log(table.id)]
    assert kinds[-2:] == (["caretaker", "back"] if first == "person" else ["move", "back"])
    await untouched(house, table)
    await move(await house.tables.get(table.id), BEN)


async def test_only_who_is_away_comes_back(house: House) -> None:
    table = await away(house)
    with pytest.raises(Refusal, match="no computer plays for you"):
        await seating.come_back(table, ALICE, house.time)
    with pytest.raises(Refusal, match="You are watching"):
        await seating.come_back(table, EVE, house.time)
    await table.leave(BEN, house.time)
    with pytest.raises(Refusal, match="You have left this match"):
        await seating.come_back(table, BEN, house.time)


# Seats that change hands


async def test_a_seat_that_was_left_may_be_taken_by_anybody_who_has_seen_no_other_hand(house: House) -> None:
    table = await started(house, BEN, CLEO)
    await table.leave(BEN, house.time)
    await table.leave(CLEO, house.time)
    assert house.tables.seated(BEN) == []
    with pytest.raises(Refusal, match="played another seat"):
        await seating.take(table, 2, BEN, "Ben", house.time)
    with pytest.raises(Refusal, match="already sit at this table"):
        await seating.take(table, 2, ALICE, "Alice", house.time)
    with pytest.raises(Refusal, match="That seat is taken"):
        await seating.take(table, 0, EVE, "Eve", house.time)
    prompt = table.state.prompts[1]
    await seating.take(table, 1, EVE, "Eve", house.time)
    assert newest(table) == (EVE,)
    assert house.tables.seated(EVE) == [table.id]
    with pytest.raises(Stale):
        await move(table, EVE, prompt)
    with pytest.raises(Refusal, match="You are watching"):
        await table.move(BEN, "pick 1", house.time)
    await move(table, EVE)
    await seating.take(table, 2, CLEO, "Cleo", house.time)
    await untouched(house, table)


async def test_a_seat_is_handed_to_a_named_person_who_accepts(house: House) -> None:
    table = await started(house, BEN)
    await seating.offer(table, BEN, EVE, "Eve", house.time)
    assert newest(table) == (EVE,)
    await untouched(house, table)
    table = await house.tables.get(table.id)
    await move(table, BEN)
    with pytest.raises(Refusal, match="not to you"):
        await seating.accept(table, 1, CLEO, "Cleo", house.time)
    await seating.accept(table, 1, EVE, "Eve", house.time)
    assert [player.name for player in table.state.players] == ["P101", "Eve"]
    assert (house.tables.seated(BEN), house.tables.seated(EVE)) == ([], [table.id])
    assert (table.id, EVE) in await house.store.members()
    assert (table.id, BEN) not in await house.store.members()
    with pytest.raises(Refusal, match="You are watching"):
        await table.move(BEN, "pick 1", house.time)
    with pytest.raises(Refusal, match="offer is over"):
        await seating.accept(table, 1, EVE, "Eve", house.time)
    await untouched(house, table)


async def test_a_seat_is_not_handed_to_oneself_nor_to_who_sits_or_sat_elsewhere_here(house: House) -> None:
    table = await started(house, BEN, CLEO)
    with pytest.raises(Refusal, match="That is you"):
        await seating.offer(table, BEN, BEN, "Ben", house.time)
    with pytest.raises(Refusal, match="sits at this table already"):
        await seating.offer(table, BEN, ALICE, "Alice", house.time)
    await table.leave(CLEO, house.time)
    with pytest.raises(Refusal, match="played another seat"):
        await seating.offer(table, BEN, CLEO, "Cleo", house.time)
    with pytest.raises(Refusal, match="You are watching"):
        await seating.offer(table, EVE, DANA, "Dana", house.time)


async def test_an_offer_that_is_declined_leaves_everything_as_it_was(house: House) -> None:
    table = await started(house, BEN)
    await seating.offer(table, BEN, EVE, "Eve", house.time)
    with pytest.raises(Refusal, match="not to you"):
        await seating.decline(table, 1, CLEO, house.time)
    await seating.decline(table, 1, EVE, house.time)
    assert table.state.offers == {}
    await move(table, BEN)
    with pytest.raises(Refusal, match="That offer is over"):
        await seating.decline(table, 1, EVE, house.time)


async def test_in_a_lobby_and_after_the_end_nothing_of_this_is_there(house: House) -> None:
    table = await house.open(BEN)
    for doing in (
        seating.come_back(table, BEN, 0),
        seating.take(table, 1, EVE, "Eve", 0),
        seating.offer(table, BEN, EVE, "Eve", 0),
        voting.vote(table, BEN, 1, "end", 0),
        voting.propose(table, BEN, "relaxed", 0),
    ):
        with pytest.raises(Refusal, match="Nothing is dealt yet"):
            await doing
