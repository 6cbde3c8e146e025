"""A worker process that dies or hangs: the caller soon gets an error, and a new process is started."""

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.pictures.picture import Painting
from bot.pictures.rasterizer import Draw
from bot.pictures.scene import Banner
from bot.worker_process import LONGEST_PAUSE, WorkerGone, WorkerProcess, command


@pytest.fixture
def worker(caplog: pytest.LogCaptureFixture) -> Iterator[WorkerProcess]:
    """Yield a rasterizer that the test may break."""
    caplog.set_level(logging.INFO, "bot")
    process = WorkerProcess(command("bot.pictures.rasterizer"), "the rasterizer")
    yield process
    process.close()


def answers(worker: WorkerProcess) -> bool:
    """Ask the worker for a picture. Return whether it is a PNG."""
    answer: bytes = worker.ask(Draw(Painting("bot.pictures.banner", Banner("Palms", ()))))
    return answer.startswith(b"\x89PNG")


def pid_of(worker: WorkerProcess) -> int:
    assert worker.process is not None
    return worker.process.pid


def seconds_until_gone(worker: WorkerProcess) -> float:
    """Return the seconds until the worker reports that there is no answer."""
    began = time.monotonic()
    with pytest.raises(WorkerGone):
        answers(worker)
    return time.monotonic() - began


def test_a_worker_that_has_died_is_replaced_at_once_and_logged_once(
    worker: WorkerProcess, caplog: pytest.LogCaptureFixture
) -> None:
    assert answers(worker)
    killed = pid_of(worker)
    os.kill(killed, signal.SIGKILL)
    assert answers(worker)
    assert pid_of(worker) != killed
    (said,) = caplog.messages
    assert said.startswith("the rasterizer died")
    assert "Palms" not in said


def test_a_worker_that_hangs_is_ended_and_after_a_pause_a_new_one_answers(
    worker: WorkerProcess, caplog: pytest.LogCaptureFixture
) -> None:
    assert answers(worker)
    worker.patience, worker.pause = 0.1, 0.3
    os.kill(pid_of(worker), signal.SIGSTOP)
    assert seconds_until_gone(worker) >= 0.1
    doubted = [worker.is_doubted]
    worker.patience = 10.0
    time.sleep(0.3)
    assert answers(worker)
    assert [*doubted, worker.is_doubted] == [True, False]
    assert [said.split(";")[0] for said in caplog.messages] == [
        "the rasterizer hung",
        "the rasterizer works again",
    ]


def test_a_worker_that_dies_at_each_start_is_started_less_and_less_often_and_logged_once(
    worker: WorkerProcess, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    worker.pause = 20.0
    starts, right = tmp_path / "starts", worker.command
    worker.command = (sys.executable, "-c", f"open({str(starts)!r}, 'a').write('x')")
    for wanted, pause in ("x", 20.0), ("xx", 40.0):
        seconds_until_gone(worker)
        for _ in range(50):
            worker.start()
            assert seconds_until_gone(worker) < 5, "no caller waits during the pause"
        assert starts.read_text() == wanted
        assert worker._pause == pause
        worker._paused_until = 0.0
    worker.command = right
    assert answers(worker)
    assert [said.split(";")[0].split(" (")[0] for said in caplog.messages] == [
        "the rasterizer died",
        "the rasterizer works again",
    ]


def test_a_pause_takes_a_minute_at_most(worker: WorkerProcess) -> None:
    worker.command = ("/nowhere/python",)
    for _ in range(1_100):  # without the limit, doubling would overflow a float
        worker._paused_until = 0.0
        seconds_until_gone(worker)
    assert worker._pause == LONGEST_PAUSE


def test_start_does_not_wait_for_a_worker_that_hangs(worker: WorkerProcess) -> None:
    assert answers(worker)
    os.kill(pid_of(worker), signal.SIGSTOP)
    asking = threading.Thread(target=seconds_until_gone, args=(worker,))
    asking.start()
    while not worker._lock.locked():
        time.sleep(0.001)
    worker.process, process = None, worker.process  # as after the end of one process and before the next
    began = time.monotonic()
    worker.start()
    assert time.monotonic() - began < worker.patience / 2
    worker.process = process
    worker.close()
    asking.join()


def test_close_ends_an_open_question_and_logs_nothing(
    worker: WorkerProcess, caplog: pytest.LogCaptureFixture
) -> None:
    assert answers(worker)
    os.kill(pid_of(worker), signal.SIGSTOP)
    asking = threading.Thread(target=seconds_until_gone, args=(worker,))
    asking.start()
    while not worker._lock.locked():
        time.sleep(0.001)
    began = time.monotonic()
    worker.close()
    asking.join()
    assert time.monotonic() - began < worker.patience / 2
    assert worker.process is None
    assert caplog.messages == []
