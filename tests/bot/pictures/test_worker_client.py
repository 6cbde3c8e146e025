"""Pictures are drawn by the rasterizer: each one once, those for answers first, and none of its faults is the bot's."""

import asyncio
import logging
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from bot.pictures.artwork import Artwork
from bot.pictures.drawing import picture_of
from bot.pictures.picture import Painting, Picture
from bot.pictures.rasterizer import Draw, Prepare
from bot.pictures.scene import Banner
from bot.pictures.worker_client import DrawingFailed, Late, Limits, NotYet, WorkerClient

SECRET = "the queen of palms"


def picture(title: str) -> Picture:
    """Return a picture that is drawn quickly."""
    return picture_of(Banner(title, ()))


@pytest.fixture
def limits() -> Limits:
    return Limits()


@pytest.fixture
def client(limits: Limits, caplog: pytest.LogCaptureFixture) -> Iterator[WorkerClient]:
    """Yield a client that the test may break."""
    caplog.set_level(logging.INFO, "bot")
    client = WorkerClient(limits=limits)
    yield client
    client.close()


@pytest.fixture
def asked(client: WorkerClient, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the titles of all pictures for which the rasterizer is asked."""
    titles, usual = list[str](), client.worker.ask

    def ask(request: Any) -> Any:
        assert isinstance(request, Draw)
        titles.append(request.paint.scene.title)  # type: ignore[attr-defined]
        return usual(request)

    monkeypatch.setattr(client.worker, "ask", ask)
    return titles


def pid_of(client: WorkerClient) -> int:
    assert client.worker.process is not None
    return client.worker.process.pid


async def test_a_file_is_the_picture(client: WorkerClient) -> None:
    (file,) = await client.draw([picture("Palms")])
    assert Image.open(BytesIO(file)).width == 1000


@pytest.mark.parametrize(("wanted", "total"), [("Hand", 5), ("Table 3", 4)])
async def test_a_picture_for_an_answer_is_drawn_before_others(
    wanted: str, total: int, client: WorkerClient, asked: list[str]
) -> None:
    tables = [client.draw([picture(f"Table {number}")]) for number in range(4)]
    await asyncio.gather(*tables, client.draw([picture(wanted)], answer=True))
    assert asked.index(wanted) <= 1, "the first table was begun already"
    assert len(asked) == total


async def test_the_last_files_are_kept_within_their_bytes(client: WorkerClient, asked: list[str]) -> None:
    sizes = [len((await client.draw([picture(f"Table {number}")]))[0]) for number in range(3)]
    client.limits = Limits(kept_bytes=2 * max(sizes))
    await client.draw([picture("Table 3")])
    assert client._kept_bytes == sum(map(len, client._kept.values())) <= client.limits.kept_bytes
    await client.draw([picture("Table 3")])
    assert asked.count("Table 3") == 1
    await client.draw([picture("Table 0")])
    assert asked.count("Table 0") == 2, "the oldest one was dropped"


async def test_a_picture_that_is_late_is_drawn_all_the_same(client: WorkerClient) -> None:
    await client.draw([picture("Palms")])
    os.kill(pid_of(client), signal.SIGSTOP)
    with pytest.raises(Late):
        await client.draw([picture("Hand")], within=0.05)
    assert not client.keeps(picture("Hand"))
    os.kill(pid_of(client), signal.SIGCONT)
    assert await client.draw([picture("Hand")])
    assert client.keeps(picture("Hand"))


@pytest.mark.parametrize("limits", [Limits(forgotten_after=0)])
async def test_a_picture_in_the_queue_that_nobody_waits_for_any_more_is_not_drawn(
    client: WorkerClient, asked: list[str]
) -> None:
    await client.draw([picture("Palms")])
    os.kill(pid_of(client), signal.SIGSTOP)
    for title in ("Begun", "Forgotten", "Asked for again"):
        with pytest.raises(Late):
            await client.draw([picture(title)], within=0.05)
    again = asyncio.create_task(client.draw([picture("Asked for again")]))
    await asyncio.sleep(0)
    os.kill(pid_of(client), signal.SIGCONT)
    assert await again
    assert asked == ["Palms", "Begun", "Asked for again"]


async def test_a_picture_whose_message_is_gone_is_drawn_only_if_another_waits_for_it(
    client: WorkerClient, asked: list[str]
) -> None:
    await client.draw([picture("Palms")])
    os.kill(pid_of(client), signal.SIGSTOP)
    titles = ["Begun", "Gone", "Gone from one", "Gone from one"]
    tasks = [asyncio.create_task(client.draw([picture(title)])) for title in titles]
    await asyncio.sleep(0)
    for gone in tasks[1:3]:
        gone.cancel()
    await asyncio.gather(*tasks[1:3], return_exceptions=True)
    os.kill(pid_of(client), signal.SIGCONT)
    await asyncio.gather(tasks[0], tasks[3])
    assert asked == ["Palms", "Begun", "Gone from one"]


@pytest.mark.parametrize("limits", [Limits(waiting=3)])
@pytest.mark.parametrize("answer", [True, False])
async def test_when_too_many_pictures_wait_others_are_refused_at_once(
    *, client: WorkerClient, answer: bool
) -> None:
    hands = (client.draw([picture(f"Hand {number}")], answer=answer, within=60) for number in range(20))
    drawn = await asyncio.gather(*hands, return_exceptions=True)
    assert {type(each) for each in drawn} == {list, Late}
    assert await client.draw([picture("Hand 19")], answer=answer, within=60)


@pytest.mark.parametrize("limits", [Limits(waiting=3)])
async def test_a_message_that_waits_as_long_as_it_takes_gets_its_picture_however_many_wait(
    client: WorkerClient,
) -> None:
    """Such as the last one of a game night, which nothing edits any more."""
    tables = (client.draw([picture(f"Table {number}")], within=60) for number in range(20))
    others = asyncio.gather(*tables, return_exceptions=True)
    await asyncio.sleep(0)
    assert await client.draw([picture("Podium")])
    assert Late in {type(each) for each in await others}


@pytest.mark.parametrize("limits", [Limits(waiting=1)])
async def test_a_message_that_was_refused_does_not_count_as_waiting(
    client: WorkerClient, asked: list[str]
) -> None:
    await client.draw([picture("Palms")])
    os.kill(pid_of(client), signal.SIGSTOP)
    begun = asyncio.create_task(client.draw([picture("Begun")]))
    while "Begun" not in asked:  # noqa: ASYNC110 - a thread knows no event
        await asyncio.sleep(0.01)
    with pytest.raises(Late):
        await client.draw([picture("First of two"), picture("Second of two")], within=60)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(client.draw([picture("First of two")]), 0.01)
    os.kill(pid_of(client), signal.SIGCONT)
    assert await begun
    while not client.keeps(picture("Last")):
        with suppress(Late):  # until the queue is empty
            await client.draw([picture("Last")])
        await asyncio.sleep(0)
    assert asked == ["Palms", "Begun", "Last"]


async def test_a_rasterizer_that_hangs_is_replaced_and_the_log_says_so_once(
    client: WorkerClient, caplog: pytest.LogCaptureFixture
) -> None:
    await client.draw([picture("Palms")])
    client.worker.patience, client.worker.pause = 0.1, 0.2
    os.kill(pid_of(client), signal.SIGSTOP)
    several = (client.draw([picture(f"{SECRET} {number}")]) for number in range(3))
    failed = await asyncio.gather(*several, return_exceptions=True)
    assert [type(each) for each in failed] == [NotYet] * 3
    assert len(caplog.messages) == 1
    client.worker.patience = 10.0
    await asyncio.sleep(0.3)
    assert await client.draw([picture(SECRET)])
    assert SECRET not in caplog.text


async def test_where_no_rasterizer_can_be_started_a_kept_picture_is_shown_all_the_same(
    client: WorkerClient, caplog: pytest.LogCaptureFixture
) -> None:
    there = await client.draw([picture("Palms")])
    client.worker.command = ("/nowhere/python",)
    os.kill(pid_of(client), signal.SIGKILL)
    for _ in range(2):
        with pytest.raises(DrawingFailed):
            await client.draw([picture("Charms")])
    assert await client.draw([picture("Palms")]) == there
    assert len(caplog.messages) == 1


async def test_sprites_that_cannot_be_prepared_cause_no_error(client: WorkerClient) -> None:
    client.worker.command = ("/nowhere/python",)
    await client.prepare([Prepare(Artwork("nowhere", "palm"), 30)])


async def test_an_error_in_drawing_is_logged_without_its_text_and_ends_nothing(
    client: WorkerClient, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(DrawingFailed) as failed:
        await client.draw([Picture("card", "A card.", Painting("bot.pictures.banner", SECRET))])
    (said,) = caplog.messages
    assert said.startswith("a picture could not be drawn: AttributeError in ")
    assert SECRET not in f"{said} {failed.value}"
    assert await client.draw([picture("Palms")])
