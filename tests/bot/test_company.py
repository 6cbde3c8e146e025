"""Computers: they see what their seat sees, think in a process of their own, and hold up nobody whatever befalls it."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.computers.players import ComputerPlayers, question
from bot.computers.worker import MEMORY, NICENESS, Question
from bot.computers.worker_client import NoAdvice, WorkerClient
from bot.match import seats as seating
from bot.match.deadlines import answer_delay
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.times import Times
from bot.store import StoreFailed
from games.advice import STRENGTHS
from tests.bot.tables import ALICE, BEN, CLEO, GUILD, House, move, started
from tests.toy.rules import GAME as TOY


@pytest.fixture
async def company(house: House) -> AsyncIterator[ComputerPlayers]:
    """The computers of the house."""
    computers = ComputerPlayers(house.tables)
    yield computers
    await computers.close()


@pytest.fixture
async def thinker() -> AsyncIterator[WorkerClient]:
    """The worker alone."""
    one = WorkerClient()
    yield one
    await one.close()


def asked(seed: str = "seed") -> Question:
    """What a computer is asked at the beginning of a match."""
    state, _ = TOY.new(TOY.Options(), 2, seed)
    return Question(TOY, TOY.view(state, 0), "steady", seed)


async def alone(house: House, computers: int = 2) -> Table:
    """Alice and computers, dealt."""
    table = await house.open(computers=computers)
    await table.start(ALICE, house.time)
    return table


async def answers(house: House, company: ComputerPlayers, table: Table, seat: int) -> None:
    """The moment of a computer comes, and it answers."""
    n = table.state.n
    house.time = max(house.time, table.clocks[seat])
    company.play(table, seat)
    await asyncio.gather(*company._answers.values())
    assert table.state.n == n + 1


async def process_of(thinker: WorkerClient) -> int:
    """The worker's number, once it has answered something."""
    await thinker.ask(asked())
    assert thinker.worker.process is not None
    return thinker.worker.process.pid


# At the table


async def test_a_person_alone_plays_a_whole_match_with_computers_and_it_does_not_count(
    house: House, company: ComputerPlayers
) -> None:
    table = await alone(house)
    while table.is_open:
        seat = table.state.awaited()[0]
        if table.state.mind(seat):
            await answers(house, company, table, seat)
        else:
            await move(table, ALICE)
    assert table.state.phase == "over"
    assert await house.store.leaderboard(GUILD) == []


async def test_where_two_people_play_with_a_computer_it_counts_for_the_people(
    house: House, company: ComputerPlayers
) -> None:
    table = await house.open(BEN, computers=1)
    await table.start(ALICE, house.time)
    while table.is_open:
        seat = table.state.awaited()[0]
        if table.state.mind(seat):
            await answers(house, company, table, seat)
        else:
            await move(table, table.state.players[seat].user)
    assert {row.user for row in await house.store.leaderboard(GUILD)} == {ALICE, BEN}


async def test_a_computer_answers_in_its_moment_after_a_restart_too(
    house: House, company: ComputerPlayers
) -> None:
    table = await alone(house, 1)
    due = table.clocks[1]
    assert house.time < due
    company.play(table, 1)
    assert company._answers == {}, "its moment has not come"
    table = await house.reload(table)
    assert table.clocks[1] == due
    await answers(house, company, table, 1)
    assert (await house.store.log(table.id))[-1].user is None


async def test_a_computer_begins_to_think_as_soon_as_it_is_asked(
    house: House, company: ComputerPlayers
) -> None:
    await alone(house, 1)
    (thought,) = company._thoughts.values()
    assert (await thought).action in range(1, 13)


async def test_what_is_asked_no_more_is_thought_no_further(house: House, company: ComputerPlayers) -> None:
    table = await started(house, BEN)
    await table.leave(BEN, house.time)
    assert len(company._thoughts) == 1
    await seating.take(table, 1, CLEO, "Cleo", house.time)
    assert company._thoughts == {}


async def test_a_computer_that_cannot_be_kept_is_asked_again(
    house: House, company: ComputerPlayers, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, append = await alone(house, 1), house.store.append

    async def fail(*_: object, **__: object) -> None:
        monkeypatch.setattr(house.store, "append", append)
        raise StoreFailed("The disk is full.")

    monkeypatch.setattr(house.store, "append", fail)
    house.time = table.clocks[1]
    company.play(table, 1)
    await asyncio.gather(*company._answers.values())
    assert (await house.store.log(table.id))[-1].kind == "start"
    await answers(house, company, await house.tables.get(table.id), 1)


# What they know, and how long they take


async def test_a_computer_learns_nothing_but_its_view_and_a_seed_of_its_own(house: House) -> None:
    state = (await alone(house)).state
    before = question(state, 1, "sharp")
    assert state.seed not in (before.seed, str(before.view))
    state.game_state = TOY.imagine(before.view, Random(5))
    assert question(state, 1, "sharp") == before


async def test_the_moment_of_an_answer_follows_from_the_question_and_not_from_the_cards(house: House) -> None:
    state = (await alone(house)).state
    times = Times()
    moments = [answer_delay(state, seat, times) for seat in (1, 2)]
    state.game_state = TOY.imagine(TOY.view(state.game_state, 0), Random(5))
    assert [answer_delay(state, seat, times) for seat in (1, 2)] == moments
    drawn = set()
    for prompt in range(200):
        state.prompts[1] = prompt
        drawn.add(answer_delay(state, 1, times))
    assert times.computer[0] <= min(drawn) < max(drawn) < times.computer[1]
    assert len(drawn) > 20


def test_a_computer_takes_about_a_second_long_enough_to_be_followed() -> None:
    assert Times().computer == (800, 1_500)


# The worker


async def test_the_same_question_has_the_same_answer(thinker: WorkerClient) -> None:
    assert await thinker.ask(asked()) == await thinker.ask(asked())


async def test_the_worker_is_polite_and_bounded_and_inherits_no_secret(
    thinker: WorkerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "s3cret")
    pid = await process_of(thinker)
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
    assert 0 < resource.prlimit(pid, resource.RLIMIT_AS)[0] <= MEMORY
    assert b"s3cret" not in Path(f"/proc/{pid}/environ").read_bytes()


def test_the_worker_knows_the_games_and_nothing_of_the_house() -> None:
    code = "import bot.computers.worker, sys; print(*sys.modules)"
    known = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert [name for name in known.split() if name.split(".")[0] in ("bot", "discord", "aiohttp")] == [
        "bot",
        "bot.computers",
        "bot.computers.worker",
    ]


async def test_a_question_that_cannot_be_answered_costs_only_itself(thinker: WorkerClient) -> None:
    pid = await process_of(thinker)
    with pytest.raises(NoAdvice):
        await thinker.ask(Question(TOY, None, "steady", "seed"))
    assert await process_of(thinker) == pid


async def test_a_fault_of_a_thought_is_logged_without_its_text_which_may_name_cards(
    thinker: WorkerClient, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(NoAdvice):
        await thinker.ask(Question(TOY, "Alice holds 7 and 9", "steady", "seed"))
    (said,) = caplog.messages
    assert "could not think about" in said
    assert "AttributeError at line" in said
    assert "Alice" not in said


async def test_a_worker_that_was_killed_is_replaced_and_no_answer_is_lost(
    house: House, company: ComputerPlayers
) -> None:
    killed = await process_of(company.worker_client)
    os.kill(killed, signal.SIGKILL)
    await alone(house, 1)
    (thought,) = company._thoughts.values()
    assert (await thought).action
    assert await process_of(company.worker_client) != killed


async def test_when_the_worker_hangs_the_table_goes_on_and_a_new_one_is_started(
    house: House, company: ComputerPlayers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hung = await process_of(company.worker_client)
    monkeypatch.setattr("bot.worker_process.PATIENCE", 0.2)
    monkeypatch.setattr("bot.worker_process.PAUSE", 0.0)
    os.kill(hung, signal.SIGSTOP)
    table = await alone(house, 1)
    await answers(house, company, table, 1)
    assert await harmless(house, table)
    assert "the computers' worker hung" in caplog.text
    monkeypatch.setattr("bot.worker_process.PATIENCE", 10.0)
    assert await process_of(company.worker_client) != hung


async def test_while_no_worker_can_be_started_computers_play_at_once_and_the_log_says_it_once(
    house: House, company: ComputerPlayers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    starts = 0

    def nowhere(_: str) -> tuple[str, ...]:
        nonlocal starts
        starts += 1
        return ("/nowhere/python",)

    monkeypatch.setattr("bot.worker_process.command", nowhere)
    monkeypatch.setattr("bot.worker_process.PAUSE", 60.0)
    for _ in range(3):
        table = await alone(house, 1)
        await answers(house, company, table, 1)
        assert await harmless(house, table)
        with pytest.raises(Refusal, match="No hint right now"):
            await company.hint(table, 0)
    assert starts == 1
    (said,) = caplog.messages
    assert said.startswith("the computers' worker died")


async def test_while_a_worker_is_tried_again_nobody_waits_for_it(
    house: House, company: ComputerPlayers, monkeypatch: pytest.MonkeyPatch
) -> None:
    company.worker_client.worker._pause = 1.0  # it has failed
    os.kill(await started_worker(company.worker_client), signal.SIGSTOP)
    table = await alone(house, 1)
    async with asyncio.timeout(5):
        await answers(house, company, table, 1)
    assert await harmless(house, table)


async def started_worker(thinker: WorkerClient) -> int:
    """The number of a worker that has not been asked anything."""
    thinker.worker.start()
    assert thinker.worker.process is not None
    return thinker.worker.process.pid


async def harmless(house: House, table: Table) -> bool:
    """Return whether the last move is what an absent player would do."""
    before = await house.store.log(table.id)
    return before[-1].body == TOY.text(TOY.fallback(table.state.game_state, 1))


async def test_a_seat_that_is_taken_while_its_computer_thinks_is_no_fault(
    house: House, company: ComputerPlayers, caplog: pytest.LogCaptureFixture
) -> None:
    table = await kept_for_ben(house, company)
    company.play(table, 1)
    await asyncio.sleep(0)
    await seating.take(table, 1, CLEO, "Cleo", house.time)
    await asyncio.gather(*company._answers.values())
    assert caplog.messages == []


async def test_a_seat_that_is_taken_as_its_computers_moment_comes_is_no_fault(
    house: House, company: ComputerPlayers, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, append = await kept_for_ben(house, company), house.store.append

    async def append_then_ring(*entries: Any, **more: Any) -> None:
        await append(*entries, **more)
        company.play(table, 1)  # before the table has heard

    monkeypatch.setattr(house.store, "append", append_then_ring)
    await seating.take(table, 1, CLEO, "Cleo", house.time)
    assert company._answers
    await asyncio.gather(*company._answers.values())
    assert caplog.messages == []


async def kept_for_ben(house: House, company: ComputerPlayers) -> Table:
    """A match in which a computer that keeps Ben's seat has to move, and thinks for long."""
    table = await started(house, BEN)
    os.kill(await started_worker(company.worker_client), signal.SIGSTOP)
    await table.leave(BEN, house.time)
    house.time = table.clocks[1]
    return table


async def test_whatever_becomes_of_a_question_the_next_one_is_answered(
    thinker: WorkerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:

        def fail(_: object) -> None:
            raise RuntimeError("it could not be ended")

        broken.setattr(thinker.worker, "ask", fail)
        with pytest.raises(NoAdvice):
            await thinker.ask(asked())
    assert (await thinker.ask(asked())).action


async def test_a_thought_that_nobody_waits_for_is_not_asked(thinker: WorkerClient) -> None:
    pid = await process_of(thinker)
    os.kill(pid, signal.SIGSTOP)
    first = asyncio.create_task(thinker.ask(asked()))
    second = asyncio.create_task(thinker.ask(asked()))
    third = asyncio.create_task(thinker.ask(asked("another")))
    await asyncio.sleep(0)
    second.cancel()
    os.kill(pid, signal.SIGCONT)
    assert await first == await thinker.ask(asked())
    assert (await third).action
    assert second.cancelled()


async def test_a_hint_is_thought_of_before_the_moves_of_computers(thinker: WorkerClient) -> None:
    order: list[str] = []

    async def ask(name: str, *, first: bool) -> None:
        await thinker.ask(asked(), first=first)
        order.append(name)

    await asyncio.gather(*(ask(f"move {n}", first=False) for n in range(3)), ask("hint", first=True))
    assert order.index("hint") < order.index("move 1")


async def test_when_the_house_closes_the_worker_is_gone() -> None:
    thinker = WorkerClient()
    pid = await process_of(thinker)
    await thinker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


# In the lobby


async def test_the_host_seats_computers_of_any_strength_and_sends_the_last_away(house: House) -> None:
    table = await house.open(BEN)
    for strength in STRENGTHS[:2]:
        await seating.add_computer(table, ALICE, strength, house.time)
    seated = [(player.name, player.strength) for player in table.state.players]
    assert seated == [("P101", None), ("P102", None), ("🤖 Fern", "casual"), ("🤖 Moss", "steady")]
    assert [player.name for player in (await house.reload(table)).state.players] == [n for n, _ in seated]
    table = await house.tables.get(table.id)
    with pytest.raises(Refusal, match="All 4 seats are taken"):
        await seating.add_computer(table, ALICE, "sharp", house.time)
    await seating.dismiss_computer(table, ALICE, house.time)
    await table.leave(BEN, house.time)
    await seating.dismiss_computer(table, ALICE, house.time)
    with pytest.raises(Refusal, match="There is no computer at this table"):
        await seating.dismiss_computer(table, ALICE, house.time)


async def test_only_the_host_seats_computers_and_only_before_the_match(house: House) -> None:
    table = await house.open(BEN)
    for user in (BEN, CLEO):
        with pytest.raises(Refusal, match="Only the host"):
            await seating.add_computer(table, user, "steady", house.time)
        with pytest.raises(Refusal, match="Only the host"):
            await seating.dismiss_computer(table, user, house.time)
    await table.start(ALICE, house.time)
    with pytest.raises(Refusal, match="Computers can join only before the start"):
        await seating.add_computer(table, ALICE, "steady", house.time)


async def test_when_the_host_leaves_computers_behind_the_next_person_is_host_and_the_last_closes(
    house: House,
) -> None:
    table = await house.open(BEN, computers=1)
    await table.leave(ALICE, house.time)
    assert table.state.host.user == BEN
    await table.start(BEN, house.time)
    other = await house.open(user=CLEO, computers=2)
    await other.leave(CLEO, house.time)
    assert other.state.phase == "closed"
