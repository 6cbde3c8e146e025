"""A process that answers questions: whatever befalls it, whoever asks is told soon, and a new one comes in time."""

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import worker_process as child
from bot.worker_process import Gone, WorkerProcess

DISC = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="9"/></svg>'


@pytest.fixture
def one(caplog: pytest.LogCaptureFixture) -> Iterator[WorkerProcess]:
    """A rasterizer, which may come to harm."""
    caplog.set_level(logging.INFO, "bot")
    process = WorkerProcess("bot.pictures.rasterizer", "the rasterizer")
    yield process
    process.close()


def answers(one: WorkerProcess) -> bool:
    """Ask it for a picture."""
    answer: bytes = one.ask({"svg_string": DISC, "width": 9})
    return answer.startswith(b"\x89PNG")


def running(one: WorkerProcess) -> int:
    """Its process id."""
    assert one.process is not None
    return one.process.pid


@pytest.fixture
def starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have whatever is started die at once, and leave a letter in this file."""
    starts = tmp_path / "starts"
    starts.touch()
    deadly = (sys.executable, "-c", f"open({str(starts)!r}, 'a').write('x')")
    monkeypatch.setattr("bot.worker_process.command", lambda _: deadly)
    return starts


def gone(one: WorkerProcess) -> float:
    """Seconds until it is said that there is no answer."""
    began = time.monotonic()
    with pytest.raises(Gone):
        answers(one)
    return time.monotonic() - began


def test_one_that_has_died_is_replaced_at_once_and_that_is_said_once(
    one: WorkerProcess, caplog: pytest.LogCaptureFixture
) -> None:
    assert answers(one)
    killed = running(one)
    os.kill(killed, signal.SIGKILL)
    assert answers(one)
    assert running(one) != killed
    (said,) = caplog.messages
    assert said.startswith("the rasterizer died")


def test_one_that_hangs_is_ended_and_after_a_pause_a_new_one_answers(
    one: WorkerProcess, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert answers(one)
    monkeypatch.setattr(child, "PATIENCE", 0.1)
    monkeypatch.setattr(child, "PAUSE", 0.3)
    os.kill(running(one), signal.SIGSTOP)
    assert gone(one) >= 0.1
    doubted = [one.is_doubted]
    monkeypatch.setattr(child, "PATIENCE", 10.0)
    time.sleep(0.3)
    assert answers(one)
    assert [*doubted, one.is_doubted] == [True, False]
    assert [said.split(";")[0] for said in caplog.messages] == [
        "the rasterizer hung",
        "the rasterizer works again",
    ]


def test_one_that_dies_at_each_start_is_started_less_and_less_often_and_that_is_said_once(
    one: WorkerProcess, starts: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(child, "PAUSE", 20.0)
    for wanted, pause in ("x", 20.0), ("xx", 40.0):
        gone(one)
        for _ in range(50):
            one.start()
            assert gone(one) < 5, "while it rests, nobody waits"
        assert starts.read_text() == wanted
        assert one._pause == pause
        one._paused_until = 0.0
    monkeypatch.undo()
    assert answers(one)
    assert [said.split(";")[0].split(" (")[0] for said in caplog.messages] == [
        "the rasterizer died",
        "the rasterizer works again",
    ]


def test_pauses_end_at_a_minute_however_often_it_has_failed(
    one: WorkerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.worker_process.command", lambda _: ("/nowhere/python",))
    for _ in range(1_100):  # twice as long each time would soon be more than a float can hold
        one._paused_until = 0.0
        gone(one)
    assert one._pause == child.LONGEST_PAUSE


def test_starting_it_waits_for_nobody_while_it_hangs(one: WorkerProcess) -> None:
    assert answers(one)
    os.kill(running(one), signal.SIGSTOP)
    asking = threading.Thread(target=gone, args=(one,))
    asking.start()
    while not one._lock.locked():
        time.sleep(0.001)
    one.process, process = None, one.process  # as in the moment between two processes
    began = time.monotonic()
    one.start()
    assert time.monotonic() - began < 0.5
    one.process = process
    one.close()
    asking.join()


def test_closing_it_ends_a_thought_and_says_nothing(
    one: WorkerProcess, caplog: pytest.LogCaptureFixture
) -> None:
    assert answers(one)
    os.kill(running(one), signal.SIGSTOP)
    asking = threading.Thread(target=gone, args=(one,))
    asking.start()
    while not one._lock.locked():
        time.sleep(0.001)
    began = time.monotonic()
    one.close()
    asking.join()
    assert time.monotonic() - began < 2
    assert one.process is None
    assert caplog.messages == []
