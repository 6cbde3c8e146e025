"""Deciding ahead: what a person has chosen is played when their turn comes, and nobody else can tell before."""

from dataclasses import fields

import pytest

from bot.match import seats as seating
from bot.match.ahead import MOST, decide, may_decide, moment
from bot.match.call import call
from bot.match.deadlines import TABLE, answer_delay
from bot.match.entries import CloseReason
from bot.match.refusal import Refusal
from bot.match.table import Stale, Table
from bot.store import StoreFailed
from games import GAMES
from games.types import Seat
from tests.bot.tables import ALICE, BEN, CLEO, DANA, Room, pass_deadline

THIRTY_ONE = GAMES["thirty-one"]


async def dealt(room: Room, *others: int, game: str = "thirty-one") -> Table:
    """Start a match of turns."""
    table = await room.open(*(others or (BEN, CLEO)), game=GAMES[game])
    await table.start(ALICE, room.time)
    return table


def awaited(table: Table) -> Seat:
    """Return the only awaited seat."""
    (seat,) = table.state.awaited()
    return seat


def after(table: Table, turns: int = 1) -> Seat:
    """Return the seat whose turn comes after some turns."""
    return Seat((awaited(table) + turns) % len(table.state.players))


def user(table: Table, seat: Seat) -> int:
    return table.state.players[seat].user


async def choose(room: Room, table: Table, seat: Seat, text: str) -> None:
    """Decide ahead in the present menu."""
    await decide(table, user(table, seat), text, room.time, moment(table.state, seat))


async def play(room: Room, table: Table, *texts: str) -> None:
    """Let the awaited person move."""
    for text in texts:
        await table.play(user(table, awaited(table)), [text], room.time)


async def end_turn(room: Room, table: Table) -> None:
    """Let the awaited person of Thirty-One draw, and discard what is not a 31."""
    await play(room, table, "draw")
    state, seat = table.state, awaited(table)
    await play(room, table, state.game.text(state.game.fallback(state.game_state, seat)))


async def kinds(room: Room, table: Table) -> list[str]:
    return [row.kind for row in await room.store.log(table.id)]


async def test_what_was_decided_is_played_after_the_pause_of_a_computer(room: Room) -> None:
    table = await dealt(room)
    seat = after(table)
    await choose(room, table, seat, "draw")
    assert seat not in table.deadlines
    await end_turn(room, table)
    assert table.deadlines[seat] == room.time + answer_delay(table.state, seat, room.tables.clock.times)
    table = await room.reload(table)
    assert await pass_deadline(room, table, seat) == "move"
    last = (await room.store.log(table.id))[-1]
    assert (last.seat, last.user, last.body, last.at) == (seat, user(table, seat), "draw", room.time)
    assert table.state.ahead == {}


async def test_nobody_is_called_for_it_and_then_for_the_next_decision_at_once(room: Room) -> None:
    table, times = await dealt(room), room.tables.clock.times
    seat = after(table)
    await choose(room, table, seat, "draw")
    await end_turn(room, table)
    assert call(table.state, times).parts == ()
    await pass_deadline(room, table, seat)
    (asked,) = call(table.state, times).parts
    assert asked.users == (user(table, seat),)
    assert asked.due < room.time, "they need not look at the table"


async def test_what_is_not_possible_any_more_is_dropped_and_its_person_asked(room: Room) -> None:
    table = await dealt(room)
    seat = after(table)
    await choose(room, table, seat, "knock")
    await play(room, table, "knock")
    assert (table.state.ahead, table.state.missed) == ({}, {seat: "knock"})
    assert table.state.stage(seat) == "turn"
    assert call(table.state, room.tables.clock.times).parts[0].users == (user(table, seat),)
    await play(room, table, "draw")
    assert table.state.missed == {}


async def test_whoever_waits_longer_learns_at_once_that_it_is_not_possible_any_more(room: Room) -> None:
    table = await dealt(room)
    seat = after(table, 2)
    await choose(room, table, seat, "knock")
    await play(room, table, "knock")
    assert (awaited(table) != seat, table.state.missed) == (True, {seat: "knock"})
    await choose(room, table, seat, "draw")
    assert (table.state.ahead, table.state.missed) == ({seat: "draw"}, {})


async def test_a_move_by_hand_comes_before_the_one_decided_ahead_and_replaces_it(room: Room) -> None:
    table = await dealt(room)
    seat = after(table)
    await choose(room, table, seat, "draw")
    await end_turn(room, table)
    await play(room, table, "knock")
    assert (await kinds(room, table))[-2:] == ["ahead", "move"]
    assert table.state.ahead == {}
    room.time += 1000
    with pytest.raises(Refusal):
        await table.play(user(table, seat), ["draw"], room.time)
    assert awaited(table) != seat


async def test_it_can_be_taken_back_even_while_the_pause_lasts(room: Room) -> None:
    table = await dealt(room)
    seat, shown = after(table), moment(table.state, after(table))
    await choose(room, table, seat, "draw")
    await end_turn(room, table)
    await decide(table, user(table, seat), "", room.time, shown)
    assert (table.state.ahead, table.state.stage(seat)) == ({}, "turn")
    assert table.deadlines[seat] == room.time + 600
    assert call(table.state, room.tables.clock.times).parts[0].users == (user(table, seat),)


async def test_the_same_choice_twice_is_one_entry(room: Room) -> None:
    table = await dealt(room)
    for text in ("", "draw", "draw", "knock", "", ""):
        await choose(room, table, after(table), text)
    assert (await kinds(room, table)).count("ahead") == 3


async def test_an_older_menu_and_a_forged_one_change_nothing(room: Room) -> None:
    table = await dealt(room)
    seat, turn = after(table, 2), awaited(table)
    before = moment(table.state, seat)
    for text in ("discard 7H", "rubbish", "take"):
        with pytest.raises(Refusal):
            await choose(room, table, seat, text)
    with pytest.raises(Refusal, match="your turn now"):
        await choose(room, table, turn, "draw")
    with pytest.raises(Refusal, match="do not sit"):
        await decide(table, DANA, "draw", room.time, before)
    for _ in range(4):
        await end_turn(room, table)
    with pytest.raises(Stale):
        await decide(table, user(table, seat), "draw", room.time, before)
    assert "ahead" not in await kinds(room, table)


async def test_nothing_is_decided_ahead_before_and_after_the_match(room: Room) -> None:
    lobby = await room.open(BEN, game=THIRTY_ONE)
    with pytest.raises(Refusal, match="Nothing is dealt"):
        await decide(lobby, ALICE, "draw", room.time, "0.0")
    table = await dealt(room)
    await choose(room, table, after(table), "draw")
    await table.close(CloseReason.CHANNEL_GONE)
    assert table.state.ahead == {}
    with pytest.raises(Refusal, match="closed"):
        await decide(table, ALICE, "draw", room.time, "0.0")


async def test_it_ends_with_the_deal(room: Room) -> None:
    table = await dealt(room, BEN, CLEO, game="palmer")
    deal, last = table.state.game_state.deal, 0
    while table.state.game_state.deal == deal:
        last, waiting = table.state.rounds, after(table)
        if table.state.game.ahead(table.state.game_state, waiting):
            await choose(room, table, waiting, "draw")
        state = table.state
        await play(room, table, state.game.text(state.game.fallback(state.game_state, awaited(table))))
    assert (table.state.ahead, table.state.rounds) == ({}, last + 1)


async def test_it_ends_when_its_person_leaves_or_hands_the_seat_over(room: Room) -> None:
    table = await dealt(room)
    leaver, giver = after(table), after(table, 2)
    for seat in (leaver, giver):
        await choose(room, table, seat, "draw")
    await table.leave(user(table, leaver), room.time)
    assert table.state.ahead == {giver: "draw"}
    await seating.offer(table, user(table, giver), DANA, "Dana", room.time)
    assert table.state.ahead == {giver: "draw"}, "nobody has the seat yet"
    await seating.accept(table, giver, DANA, "Dana", room.time)
    assert table.state.ahead == {}


async def test_who_left_and_whose_seat_a_computer_plays_decides_nothing(room: Room) -> None:
    table = await dealt(room)
    seat = awaited(table)
    for _ in range(3):
        await pass_deadline(room, table, seat)
    assert seat in table.state.away
    action = table.state.game.fallback(table.state.game_state, seat)
    for _ in range(2):
        await table.answer(seat, table.state.prompts[seat], None)
    assert action is not None
    with pytest.raises(Refusal, match="I'm back"):
        await choose(room, table, seat, "draw")
    leaver = after(table)
    await table.leave(user(table, leaver), room.time)
    with pytest.raises(Refusal, match="left this match"):
        await choose(room, table, leaver, "draw")


async def test_who_plays_with_computers_alone_is_not_offered_it(room: Room) -> None:
    table = await room.open(computers=2, game=THIRTY_ONE)
    await table.start(ALICE, room.time)
    seat = table.seat(ALICE)
    while seat in table.state.awaited():
        await play(room, table, "knock")
    assert may_decide(table.state, seat) == ()


async def test_it_is_played_also_when_everybody_else_has_left_meanwhile(room: Room) -> None:
    table = await dealt(room)
    seat = after(table, 2)
    await choose(room, table, seat, "draw")
    for turns in (0, 1):
        await table.leave(user(table, after(table, turns)), room.time)
    while awaited(table) != seat:
        await table.answer(awaited(table), table.state.prompts[awaited(table)], None)
    assert await pass_deadline(room, table, seat) == "move"
    assert {*table.deadlines} == {TABLE}, "no time runs for whoever is alone with computers"


async def test_a_vote_and_another_pace_leave_it_as_it_is(room: Room) -> None:
    table = await dealt(room)
    late, seat = awaited(table), after(table)
    await choose(room, table, seat, "draw")
    assert [await pass_deadline(room, table, late) for _ in range(2)] == ["remind", "overdue"]
    assert table.state.ahead == {seat: "draw"}
    assert await pass_deadline(room, table, late) == "caretaker"
    while awaited(table) != seat:
        await table.answer(late, table.state.prompts[late], None)
    assert table.state.stage(seat) == "ahead"


async def test_an_entry_that_was_not_kept_changes_nothing(room: Room) -> None:
    table = await dealt(room)
    other = await room.reload(table)
    await choose(room, other, after(other), "draw")
    with pytest.raises(StoreFailed):
        await choose(room, table, after(table, 2), "draw")
    assert (await room.tables.get(table.id)).state.ahead == {after(other): "draw"}


async def test_a_decision_can_be_changed_some_times_and_always_taken_back(room: Room) -> None:
    table = await dealt(room)
    seat = after(table)
    for step in range(MOST):
        await choose(room, table, seat, ("draw", "knock")[step % 2])
    length = len(await room.store.log(table.id))
    with pytest.raises(Refusal, match="You have chosen 8 times for this turn"):
        await choose(room, await room.reload(table), seat, "draw")
    assert len(await room.store.log(table.id)) == length
    await choose(room, table, seat, "")
    with pytest.raises(Refusal, match="You have chosen 8 times"):
        await choose(room, table, seat, "draw")
    for _ in range(2):
        await end_turn(room, table)
    await choose(room, table, seat, "draw")
    assert table.state.ahead == {seat: "draw"}


async def test_it_changes_neither_deadlines_nor_numbers_nor_what_is_said(room: Room) -> None:
    table = await dealt(room)
    changes = list[Table]()
    room.tables.on_change.append(changes.append)
    before, deadlines = table.state.copy(), dict(table.deadlines)
    room.time += 100
    for text in ("draw", "knock", "", "draw"):
        await choose(room, table, after(table), text)
    assert (changes, table.deadlines) == ([], deadlines)
    own = ("n", "untold", "ahead", "ahead_count", "game_state")
    for name in (each.name for each in fields(before) if each.name not in own):
        assert getattr(table.state, name) == getattr(before, name), name
    assert table.state.told == before.told
    assert [match.id for match in await room.store.unpublished()] == [table.id]
    await room.store.update_match(table.id, published=before.n)
    assert await room.store.unpublished() == []
