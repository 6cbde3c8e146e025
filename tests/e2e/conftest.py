"""Fixtures shared by the end-to-end tests."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import inf
from pathlib import Path

import pytest

from bot.match.times import Times
from bot.pictures.encoding import encode
from bot.pictures.picture import Picture
from bot.pictures.worker_client import WorkerClient
from bot.standings.pools import constants_of
from bot.worker_process import WorkerProcess
from games import GAMES, AnyGame
from tests.e2e.card_room import NO_READING, PATIENCE, CardRoom, card_room
from tests.e2e.few_pictures import few, undrawn
from tests.e2e.match import Match, match_of
from tests.simulation.testing import *  # noqa: F403
from tests.simulation.world import World
from tests.toy.registered import register
from tests.toy.rules import GAME as TOY


@lru_cache(1500)
def drawn(picture: Picture) -> bytes:
    """Return the file of a picture, which is drawn in this process if it is one of the few that are."""
    return undrawn(picture.paint) or encode(picture.paint())


@pytest.fixture(autouse=True)
def few_pictures(world: World | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw few pictures. Tests that look at pictures override this."""
    monkeypatch.setattr(WorkerProcess, "ask", few(WorkerProcess.ask))


@pytest.fixture(autouse=True)
def slow_answers_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let interactions be answered late: a busy machine may need longer than Discord's three seconds."""
    monkeypatch.setattr("sandbox.interactions.FIRST_ANSWER", PATIENCE)
    monkeypatch.setattr("bot.messages.admission.LATE", PATIENCE)


@pytest.fixture(autouse=True)
def slow_pictures_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let messages wait for their pictures: a busy machine needs longer than usual for them, too."""
    monkeypatch.setattr("bot.messages.panel.ANSWER_TIMEOUT", PATIENCE)
    for module in ("live_message", "outbox", "records"):
        monkeypatch.setattr(f"bot.messages.{module}.DRAWING_TIMEOUT", PATIENCE)


@pytest.fixture(autouse=True)
def no_rehearsal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw nothing ahead: a bot that begins with each test would draw dozens of pictures that nobody sees."""

    async def prepare(*_: object) -> None:
        pass

    monkeypatch.setattr(WorkerClient, "prepare", prepare)


@pytest.fixture(autouse=True)
def no_call_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Call people at once; the bot normally waits a short time first."""
    monkeypatch.setattr("bot.match.call.GRACE", 0)


@pytest.fixture(autouse=True)
def no_sleep_detection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the bot from treating a jump of the sandbox's clock as a sleep of its machine."""
    monkeypatch.setattr("bot.discord_time.JUMP", inf)


@pytest.fixture(autouse=True)
def frequent_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Edit a message up to ten times a second: the bot waits a whole second between two edits, and so would tests."""
    monkeypatch.setattr("bot.messages.live_message.EDIT_INTERVAL", 0.1)
    monkeypatch.setattr("bot.messages.open_hands.OpenHands.interval", 0.1)


@pytest.fixture
def quickly_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rate Palace as a game with little luck, in which a rating is settled after ten matches."""
    constants = replace(constants_of("palace"), beta=25 / 6, tau=25 / 300)
    monkeypatch.setattr("bot.standings.pools.POOLS", {"palace": constants})


@pytest.fixture
def short_season_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bot look often for seasons that are over."""
    monkeypatch.setattr("cogs.standings.closing.PAUSE", 0.02)


@pytest.fixture
def times() -> Times:
    """Durations that the bot uses; a test module may override them."""
    return Times(reading=NO_READING)


@pytest.fixture
async def here(tmp_path: Path, times: Times) -> AsyncIterator[CardRoom]:
    """A sandbox with the bot; every match is dealt the same cards."""
    async with card_room(tmp_path / "palmhouse.sqlite3", seed=lambda: "e2e", times=times) as room:
        yield room


@pytest.fixture
def unlimited_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Edit messages on every change, so that every state is shown, and draw without another process, so that the bot's
    requests always come in the same order."""

    async def draw(_: WorkerClient, pictures: Sequence[Picture], **__: object) -> list[bytes]:
        return [drawn(picture) for picture in pictures]

    monkeypatch.setattr("bot.messages.live_message.EDIT_INTERVAL", 0.0)
    monkeypatch.setattr("bot.messages.open_hands.OpenHands.interval", 0.0)
    monkeypatch.setattr("bot.messages.live_message.EDITS", inf)
    monkeypatch.setattr(WorkerClient, "draw", draw)
    monkeypatch.setattr(WorkerClient, "keeps", lambda *_: True)


@pytest.fixture(params=[*GAMES.values(), TOY], ids=lambda game: game.slug)
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Each registered game in turn, and the toy, so that the test covers future games, too. A test marked with
    `one_game_is_enough` runs with the toy only."""
    chosen: AnyGame = request.param
    if chosen is TOY:
        register(monkeypatch)
    return chosen


@pytest.fixture
def fast_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry failed posts almost at once."""
    monkeypatch.setattr("bot.messages.publisher.RETRIES", (0.01,))


@pytest.fixture
def clicks_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take clicks as already in order, so that none waits for an earlier one."""
    monkeypatch.setattr("bot.match.click_order.HOLD", 0.0)


@pytest.fixture
def frequent_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the bot check its clock often, because tests advance Discord's."""
    monkeypatch.setattr("bot.clock.HEARTBEAT", 0.02)


@pytest.fixture
def fast_reconnect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the five seconds between two new sessions, as a sandbox without rate limits does not require them."""
    monkeypatch.setattr("bot.shards.IDENTIFY_PAUSE", 0.0)


@pytest.fixture
async def match(
    game: AnyGame, tmp_path: Path, unlimited_edits: None, fast_retries: None, clicks_in_order: None
) -> AsyncIterator[Match]:
    """A match of `game`; its table is not open yet."""
    async with match_of(game, tmp_path / "palmhouse.sqlite3") as match:
        yield match
