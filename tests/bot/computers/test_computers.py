"""Computer players see what their seat sees, think in a worker process, and keep playing if that process fails."""

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
from games.types import SEATS, Seat
from tests.bot.tables import ALICE, BEN, CLEO, Room, move, started
from tests.held import fail
from tests.seats import FIRST, SECOND
from tests.toy import GAME as TOY
from tests.toy import rules
from tests.toy.rules import Shown


@pytest.fixture
async def computers(room: Room) -> AsyncIterator[ComputerPlayers]:
    players = ComputerPlayers(room.tables)
    yield players
    await players.close()


@pytest.fixture
async def worker_client() -> AsyncIterator[WorkerClient]:
    client = WorkerClient()
    yield client
    client.close()


def asked(seed: str = "seed") -> Question:
    """Return the question to a computer at the beginning of a match."""
    state, _ = TOY.new(TOY.Options(), 2, seed)
    return Question(TOY, TOY.view(state, FIRST), "steady", seed)


async def alone(room: Room, computers: int = 2) -> Table:
    """Start a match of Alice and computers."""
    table = await room.open(computers=computers)
    await table.start(ALICE, room.time)
    return table


async def answers(room: Room, computers: ComputerPlayers, table: Table, seat: Seat) -> None:
    """Let the time of a computer's answer come, and wait until it has moved."""
    n = table.state.n
    room.time = max(room.time, table.deadlines[seat])
    computers.play(table, seat)
    await asyncio.gather(*computers._answers.values())
    assert table.state.n == n + 1


async def process_of(worker_client: WorkerClient) -> int:
    """Return the worker's process id after it has answered a question."""
    await worker_client.ask(asked())
    assert worker_client.worker.process is not None
    return worker_client.worker.process.pid


# At the table


async def test_after_a_restart_a_computer_still_answers_at_its_time(
    room: Room, computers: ComputerPlayers
) -> None:
    table = await alone(room, 1)
    due = table.deadlines[1]
    assert room.time < due
    computers.play(table, SECOND)
    assert computers._answers == {}, "it is too early"
    table = await room.reload(table)
    assert table.deadlines[1] == due
    await answers(room, computers, table, SECOND)
    assert (await room.store.log(table.id))[-1].user is None


async def test_a_question_that_is_no_longer_needed_is_dropped(room: Room, computers: ComputerPlayers) -> None:
    table = await started(room, BEN)
    await table.leave(BEN, room.time)
    assert len(computers._thoughts) == 1
    await seating.take(table, SECOND, CLEO, "Cleo", room.time)
    assert computers._thoughts == {}


async def test_a_computer_is_asked_again_after_its_move_could_not_be_stored(
    room: Room, computers: ComputerPlayers, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await alone(room, 1)
    fail(monkeypatch, room.store, "append", once=True)
    room.time = table.deadlines[1]
    computers.play(table, SECOND)
    await asyncio.gather(*computers._answers.values())
    assert (await room.store.log(table.id))[-1].kind == "start"
    await answers(room, computers, await room.tables.get(table.id), SECOND)


# Their knowledge and their answer delay


async def test_a_computer_knows_only_its_view_and_a_seed_of_its_own(room: Room) -> None:
    state = (await alone(room)).state
    before = question(state, SECOND, "sharp")
    assert state.seed not in (before.seed, str(before.view))
    state.game_state = TOY.imagine(before.view, Random(5))
    assert question(state, SECOND, "sharp") == before


async def test_the_answer_delay_depends_on_the_question_and_not_on_the_cards(room: Room) -> None:
    state = (await alone(room)).state
    times = Times()
    delays = [answer_delay(state, seat, times) for seat in SEATS[1:3]]
    state.game_state = TOY.imagine(TOY.view(state.game_state, FIRST), Random(5))
    assert [answer_delay(state, seat, times) for seat in SEATS[1:3]] == delays
    drawn = set()
    for prompt in range(200):
        state.prompts[1] = prompt
        drawn.add(answer_delay(state, SECOND, times))
    assert times.computer[0] <= min(drawn) < max(drawn) < times.computer[1]
    assert len(drawn) > 20


async def test_a_computer_waits_longer_when_people_may_act_out_of_turn(room: Room) -> None:
    table = await alone(room)
    usual = answer_delay(table.state, SECOND, Times())
    await move(table, ALICE)  # she may still change her choice
    assert answer_delay(table.state, SECOND, Times()) == 2 * usual


async def test_what_is_asked_while_people_read_a_result_is_due_after_that(
    room: Room, computers: ComputerPlayers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "closes", lambda event: isinstance(event, Shown))
    table = await alone(room, 1)
    times = room.tables.clock.times
    await move(table, ALICE)
    assert table.state.read_until(times) == 0
    await answers(room, computers, table, SECOND)
    read = table.state.read_until(times)
    assert room.time + times.reading[0] <= read <= room.time + times.reading[1]
    assert table.deadlines[1] == read + answer_delay(table.state, SECOND, times)
    await (await room.reload(table)).leave(ALICE, room.time)
    assert (await room.reload(table)).state.read_until(times) == 0  # nobody is there to read it


def test_a_computer_takes_about_a_second_so_that_people_can_follow() -> None:
    assert Times().computer == (800, 1_500)


# The worker


async def test_the_worker_has_low_priority_limited_memory_and_no_secret(
    worker_client: WorkerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "s3cret")
    pid = await process_of(worker_client)
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
    assert 0 < resource.prlimit(pid, resource.RLIMIT_AS)[0] <= MEMORY
    assert b"s3cret" not in Path(f"/proc/{pid}/environ").read_bytes()


def test_the_worker_imports_nothing_of_the_bot_but_itself() -> None:
    code = "import bot.computers.worker, sys; print(*sys.modules)"
    known = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert [name for name in known.split() if name.split(".")[0] in ("bot", "discord", "aiohttp")] == [
        "bot",
        "bot.computers",
        "bot.computers.worker",
    ]


async def test_the_worker_goes_on_after_an_error_which_is_logged_without_its_text_that_may_name_cards(
    worker_client: WorkerClient, caplog: pytest.LogCaptureFixture
) -> None:
    pid = await process_of(worker_client)
    with pytest.raises(NoAdvice):
        await worker_client.ask(Question(TOY, "Alice holds 7 and 9", "steady", "seed"))
    assert await process_of(worker_client) == pid
    (said,) = caplog.messages
    assert "could not think about" in said
    assert "AttributeError at line" in said
    assert "Alice" not in said


async def test_when_the_worker_hangs_the_match_goes_on_and_a_new_worker_is_started(
    room: Room, computers: ComputerPlayers, caplog: pytest.LogCaptureFixture
) -> None:
    hung = await process_of(computers.worker_client)
    worker = computers.worker_client.worker
    worker.patience, worker.pause = 0.2, 0.0
    os.kill(hung, signal.SIGSTOP)
    table = await alone(room, 1)
    await answers(room, computers, table, SECOND)
    assert await played_fallback(room, table)
    async with asyncio.timeout(20):
        while "the computers' worker hung" not in caplog.text:  # noqa: ASYNC110 - a thread knows no event
            await asyncio.sleep(0.01)
    worker.patience = 10.0
    assert await process_of(computers.worker_client) != hung


async def test_while_no_worker_can_be_started_computers_play_at_once_and_one_line_is_logged(
    room: Room, computers: ComputerPlayers, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    starts, worker = tmp_path / "starts", computers.worker_client.worker
    worker.command = (sys.executable, "-c", f"open({str(starts)!r}, 'a').write('x')")
    worker.pause = 60.0
    for _ in range(3):
        table = await alone(room, 1)
        await answers(room, computers, table, SECOND)
        assert await played_fallback(room, table)
        with pytest.raises(Refusal, match="No hint right now"):
            await computers.hint(table, FIRST)
    assert starts.read_text() == "x"
    (said,) = caplog.messages
    assert said.startswith("the computers' worker died")


async def test_the_first_worker_after_a_failure_delays_no_move(
    room: Room, computers: ComputerPlayers
) -> None:
    computers.worker_client.worker._pause = 1.0  # as after a failure
    os.kill(await started_worker(computers.worker_client), signal.SIGSTOP)
    table = await alone(room, 1)
    async with asyncio.timeout(5):
        await answers(room, computers, table, SECOND)
    assert await played_fallback(room, table)


async def started_worker(worker_client: WorkerClient) -> int:
    """Start the worker without a question. Return its process id."""
    worker_client.worker.start()
    assert worker_client.worker.process is not None
    return worker_client.worker.process.pid


async def played_fallback(room: Room, table: Table) -> bool:
    """Return whether the last move is the fallback move."""
    before = await room.store.log(table.id)
    return before[-1].body == TOY.text(TOY.fallback(table.state.game_state, SECOND))


async def test_taking_a_seat_while_its_computer_thinks_logs_no_error(
    room: Room, computers: ComputerPlayers, caplog: pytest.LogCaptureFixture
) -> None:
    table = await kept_for_ben(room, computers)
    computers.play(table, SECOND)
    await asyncio.sleep(0)
    await seating.take(table, SECOND, CLEO, "Cleo", room.time)
    await asyncio.gather(*computers._answers.values())
    assert caplog.messages == []


async def test_taking_a_seat_just_when_its_computer_answers_logs_no_error(
    room: Room, computers: ComputerPlayers, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, append = await kept_for_ben(room, computers), room.store.append

    async def append_then_play(*entries: Any, **more: Any) -> None:
        await append(*entries, **more)
        computers.play(table, SECOND)  # before the table has applied the entry

    monkeypatch.setattr(room.store, "append", append_then_play)
    await seating.take(table, SECOND, CLEO, "Cleo", room.time)
    assert computers._answers
    await asyncio.gather(*computers._answers.values())
    assert caplog.messages == []


async def kept_for_ben(room: Room, computers: ComputerPlayers) -> Table:
    """Start a match in which a computer has to move for Ben, but its worker hangs."""
    table = await started(room, BEN)
    os.kill(await started_worker(computers.worker_client), signal.SIGSTOP)
    await table.leave(BEN, room.time)
    room.time = table.deadlines[1]
    return table


async def test_after_a_failed_question_the_next_one_is_answered(
    worker_client: WorkerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:

        def fail(_: object) -> None:
            raise RuntimeError("it could not be ended")

        broken.setattr(worker_client.worker, "ask", fail)
        with pytest.raises(NoAdvice):
            await worker_client.ask(asked())
    assert (await worker_client.ask(asked())).action


async def test_a_cancelled_question_is_not_sent(worker_client: WorkerClient) -> None:
    pid = await process_of(worker_client)
    os.kill(pid, signal.SIGSTOP)
    first = asyncio.create_task(worker_client.ask(asked()))
    second = asyncio.create_task(worker_client.ask(asked()))
    third = asyncio.create_task(worker_client.ask(asked("another")))
    await asyncio.sleep(0)
    second.cancel()
    os.kill(pid, signal.SIGCONT)
    assert await first == await worker_client.ask(asked())
    assert (await third).action
    assert second.cancelled()


async def test_a_hint_is_asked_for_before_the_moves_of_computers(worker_client: WorkerClient) -> None:
    order: list[str] = []

    async def ask(name: str, *, first: bool) -> None:
        await worker_client.ask(asked(), first=first)
        order.append(name)

    await asyncio.gather(*(ask(f"move {n}", first=False) for n in range(3)), ask("hint", first=True))
    assert order.index("hint") < order.index("move 1")


async def test_close_ends_the_worker() -> None:
    worker_client = WorkerClient()
    pid = await process_of(worker_client)
    worker_client.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
