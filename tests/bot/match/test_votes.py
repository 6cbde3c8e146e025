"""A majority is carried out at once, also when it arises because somebody comes or goes."""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext, suppress
from random import Random

import pytest

from bot.match import seats as seating
from bot.match import votes as voting
from bot.match.announcements import poll_result
from bot.match.call import call
from bot.match.entries import Caretaker, Vote
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.times import Pace
from bot.match.waking import HOUR
from games import GAMES, Illegal
from games.types import SEATS
from tests.bot.tables import ALICE, BEN, CLEO, DANA, EVE, Room, move, overdue, pass_deadline, started
from tests.seats import SECOND

PEOPLE = (ALICE, BEN, CLEO, DANA, EVE)
PACES: tuple[Pace, ...] = ("live", "relaxed", "correspondence")


def pace(table: Table) -> Pace:
    return table.state.pace


async def kinds(room: Room, table: Table, number: int) -> list[str]:
    """Return the kinds of the last entries of the log."""
    return [row.kind for row in await room.store.log(table.id)][-number:]


async def test_a_proposal_is_decided_when_the_only_other_person_leaves(room: Room) -> None:
    table = await started(room, BEN)
    await voting.propose(table, ALICE, "relaxed", room.time)
    await table.leave(BEN, room.time)
    assert await kinds(room, table, 2) == ["leave", "pace"]
    assert (table.state.pace, table.state.polls) == ("relaxed", {})
    assert "Yes" not in call(table.state, table.clock.times).text


async def test_the_only_voter_left_has_chosen_to_wait_so_no_computer_takes_the_seat(room: Room) -> None:
    table = await overdue(room, BEN, CLEO)
    await voting.vote(table, ALICE, table.state.polled, "wait", room.time)
    await table.leave(CLEO, room.time)
    assert await kinds(room, table, 2) == ["leave", "wait"]
    assert (table.state.away, table.state.overdue) == (set(), set())


async def test_nobody_ends_a_rated_match_by_their_vote_alone(room: Room) -> None:
    for others in ((BEN,), (BEN, CLEO)):
        table = await overdue(room, *others)
        if CLEO in others:  # the vote of Alice was one of two
            await voting.vote(table, ALICE, table.state.polled, "end", room.time)
            await table.leave(CLEO, room.time)
            assert table.is_open
        with pytest.raises(Refusal, match="Only you are here"):
            await voting.vote(table, ALICE, table.state.polled, "end", room.time)
        asked = call(table.state, table.clock.times)
        assert "end the match" not in asked.text
        assert [label for part in asked.parts for label, *_ in part.links] == ["Wait", "Computer plays"]
        await voting.vote(table, ALICE, table.state.polled, "wait", room.time)
        assert table.state.overdue == set()
        for user in (ALICE, BEN):
            await table.leave(user, room.time)


async def test_a_proposal_that_loses_its_supporters_is_refused_and_the_table_says_that_the_pace_stays(
    room: Room,
) -> None:
    table = await started(room, BEN, CLEO)
    await voting.propose(table, ALICE, "relaxed", room.time)
    await voting.vote(table, BEN, table.state.polled, "no", room.time)
    assert table.state.polls, "Cleo has not voted"
    await table.leave(CLEO, room.time)
    assert await kinds(room, table, 2) == ["leave", "keep pace"]
    assert pace(table) == "live"
    assert poll_result(table.state, table.clock.times) == "⏱️ No majority for another pace: it stays live."
    await voting.propose(table, BEN, "relaxed", room.time)
    assert table.state.polls, "a new proposal is possible"


async def test_one_refusal_does_not_end_another_proposal(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    await voting.propose(table, ALICE, "relaxed", room.time)
    await voting.propose(table, ALICE, "correspondence", room.time)
    for user in (BEN, CLEO):
        await voting.vote(table, user, 1, "no", room.time)
    assert [poll.pace for poll in table.state.polls.values()] == ["correspondence"]
    assert pace(table) == "live"
    with pytest.raises(Refusal, match="vote is over"):
        await voting.vote(table, CLEO, 1, "yes", room.time)


def shown(table: Table) -> str:
    return call(table.state, table.clock.times, table.hours, table.deadlines).text


async def test_at_another_pace_everybody_has_their_time_anew_also_who_was_late(room: Room) -> None:
    table = await overdue(room, BEN, CLEO)
    await voting.propose(table, ALICE, "relaxed", room.time)
    await voting.vote(table, CLEO, table.state.polled, "yes", room.time)
    assert (pace(table), table.state.overdue) == ("relaxed", set())
    assert "computer" not in shown(table)
    Vote(SEATS[0], ALICE, 1, "wait").apply(table.state)  # so a log of 0.1.0 may go on
    assert table.state.polls == {}


async def test_who_is_late_votes_on_the_pace_too(room: Room) -> None:
    table = await overdue(room, BEN)
    await voting.propose(table, ALICE, "relaxed", room.time)
    assert "Yes to relaxed: 1 of 2" in shown(table)
    await voting.vote(table, BEN, table.state.polled, "yes", room.time)
    assert pace(table) == "relaxed"


@pytest.mark.parametrize("paces", [("correspondence", "live"), ("live", "correspondence")])
async def test_nobody_sets_the_pace_of_a_rated_match_alone_while_others_are_away(
    room: Room, paces: tuple[Pace, Pace]
) -> None:
    before, after = paces
    table = await started(room, BEN, pace=before)
    await move(table, ALICE)
    while SECOND not in table.state.overdue:
        await pass_deadline(room, table, SECOND)
    await voting.propose(table, ALICE, after, room.time)
    await pass_deadline(room, table, SECOND)
    assert await kinds(room, table, 2) == ["caretaker", "keep pace"]
    with pytest.raises(Refusal, match="Only you are here, so the pace of this rated match stays"):
        await voting.propose(table, ALICE, after, room.time)
    await seating.come_back(table, BEN, room.time)
    await voting.propose(table, ALICE, after, room.time)
    await table.leave(BEN, room.time)
    assert pace(table) == after, "whoever has left needs no time"


@pytest.mark.parametrize("mode", ["cooperative", "timed"])
async def test_whoever_proposed_a_pace_and_is_away_does_not_decide_on_it_in_a_match_for_a_rating(
    room: Room, mode: str
) -> None:
    table = await started(room, BEN, game=GAMES["twin-it"], mode=mode)
    await voting.propose(table, BEN, "relaxed", room.time)
    async with table.changing(room.time):
        await table.commit(room.time, Caretaker((table.seat(BEN),)))
    with (
        nullcontext() if table.state.pool is None else pytest.raises(Refusal, match="the pace of this rated")
    ):
        await voting.vote(table, ALICE, table.state.polled, "yes", room.time)
    assert pace(table) == ("relaxed" if table.state.pool is None else "live")


async def test_what_is_said_of_the_end_of_a_time_that_began_anew_is_true(room: Room) -> None:
    table = await started(room, BEN, pace="correspondence")
    room.time += 10 * HOUR
    await voting.propose(table, ALICE, "relaxed", room.time)
    await voting.vote(table, BEN, table.state.polled, "yes", room.time)
    assert f"time ends <t:{(room.time + HOUR) // 1000}:R>" in shown(table)
    await move(table, ALICE)
    for _ in range(2):
        await pass_deadline(room, table, SECOND)
    await voting.vote(table, ALICE, table.state.polled, "wait", room.time)
    assert f"time ends <t:{(room.time + HOUR) // 1000}:R>" in shown(table)


async def test_whoever_takes_a_seat_does_not_inherit_a_vote(room: Room) -> None:
    table = await started(room, BEN, CLEO, DANA)
    await voting.propose(table, ALICE, "relaxed", room.time)
    await voting.vote(table, BEN, 1, "yes", room.time)
    await table.leave(BEN, room.time)
    await seating.take(table, SECOND, EVE, "Eve", room.time)
    assert "Yes to relaxed: 1 of 4" in call(table.state, table.clock.times).text
    await table.leave(DANA, room.time)
    assert pace(table) == "live"
    await voting.vote(table, EVE, 1, "yes", room.time)
    assert pace(table) == "relaxed"


Act = Callable[[], Awaitable[object]]


def anything(table: Table, room: Room, rng: Random) -> Act:
    """Return something that a person, or the time, may do at a table."""
    user, seat, at = rng.choice(PEOPLE), rng.choice(SEATS[: len(table.state.players)]), room.time
    poll, choice = rng.randint(0, table.state.polled), rng.choice(("wait", "keep", "end", "yes", "no"))
    if choice == "end" and rng.random() < 0.8:
        choice = "wait"
    acts: list[tuple[Act, int]] = [
        (lambda: voting.vote(table, user, poll, choice, at), 8),
        (lambda: voting.propose(table, user, rng.choice(PACES), at), 3),
        (lambda: table.leave(user, at), 1),
        (lambda: seating.take(table, seat, user, f"P{user}", at), 2),
        (lambda: seating.come_back(table, user, at), 2),
        (lambda: seating.offer(table, user, rng.choice(PEOPLE), "P", at), 1),
        (lambda: seating.accept(table, seat, user, f"P{user}", at), 1),
        (lambda: move(table, rng.choice(table.state.players).user), 2),
        (lambda: pass_deadline(room, table, rng.choice([*table.deadlines])), 4),
    ]
    (act,) = rng.choices([act for act, _ in acts], [weight for _, weight in acts])
    return act


async def test_between_two_clicks_no_open_poll_has_a_majority(room: Room) -> None:
    rng, decided = Random(1), 0
    for _ in range(40):
        table = await started(room, BEN, CLEO, DANA)
        for _ in range(60):
            before = table.state.n
            with suppress(Refusal, Illegal, IndexError):
                await anything(table, room, rng)()
            if not table.is_open:
                break
            assert not [poll for poll in table.state.polls.values() if table.state.verdict(poll)]
            decided += table.state.n > before + 1 and table.state.ended_polls != []
        for user in PEOPLE:
            with suppress(Refusal):
                await table.leave(user, room.time)
        if table.is_open:
            await table.cancel(ALICE, room.time, manages=True)
    assert decided > 10
