"""What the end-to-end tests share."""

from collections.abc import AsyncIterator, Iterable
from math import inf
from pathlib import Path

import discord
import pytest

from bot.match.times import Times
from bot.pictures.picture import Picture, draw_file
from games import GAMES, AnyGame
from tests.e2e.house import PATIENCE, House, house
from tests.e2e.match import Match, match_of
from tests.toy.rules import GAME as TOY


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is answered too late unless a test sees to that."""
    monkeypatch.setattr("sandbox.interactions.FIRST_ANSWER", PATIENCE)


@pytest.fixture(autouse=True)
def called_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is given a moment before they are called unless a test is about that."""
    monkeypatch.setattr("bot.match.call.GRACE", 0)


@pytest.fixture(autouse=True)
def awake(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time that a test lets pass on Discord's clock has passed for the bot, too: it has not slept meanwhile."""
    monkeypatch.setattr("bot.discord_time.JUMP", inf)


@pytest.fixture
def times() -> Times:
    """How long things last in the house."""
    return Times()


@pytest.fixture
async def here(tmp_path: Path, times: Times) -> AsyncIterator[House]:
    """A house whose matches are all dealt the same cards."""
    async with house(tmp_path / "house.sqlite3", seed=lambda: "e2e", times=times) as open_house:
        yield open_house


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards are edited as often as they change, so that every state of theirs is shown; and they are drawn without a
    thread, so that what is asked of Discord comes in the same order every time."""

    async def draw(pictures: Iterable[Picture], *, answer: bool) -> list[discord.File]:
        return [draw_file(picture) for picture in pictures]

    monkeypatch.setattr("bot.messages.live_message.PACE", 0.0)
    monkeypatch.setattr("bot.messages.live_message.EDITS", inf)
    monkeypatch.setattr("bot.messages.panel.draw", draw)


@pytest.fixture(params=[*GAMES.values(), TOY], ids=lambda game: game.slug)
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Each game of the house in turn, and the toy, so that what is tested holds for the next game, too. Where the
    house answers and no game is asked, `house_only` has the toy stand for all."""
    chosen: AnyGame = request.param
    monkeypatch.setitem(GAMES, chosen.slug, chosen)
    return chosen


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be posted is tried again almost at once."""
    monkeypatch.setattr("bot.messages.publisher.RETRIES", (0.01,))


@pytest.fixture
def in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clicks arrive as they were made, so none has to wait for an earlier one."""
    monkeypatch.setattr("bot.match.click_order.HOLD", 0.0)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot looks at its clock often, as tests turn Discord's, and edits cards ten times a second."""
    monkeypatch.setattr("bot.clock.BEAT", 0.02)
    monkeypatch.setattr("bot.messages.live_message.PACE", 0.1)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """discord.py waits five seconds before it identifies again, as Discord asks; here nobody asks."""

    async def no_wait(*_: object, **__: object) -> None: ...

    monkeypatch.setattr("discord.Client.before_identify_hook", no_wait)


@pytest.fixture
async def match(
    game: AnyGame, tmp_path: Path, at_once: None, soon: None, in_order: None
) -> AsyncIterator[Match]:
    """A table of that game to be."""
    async with match_of(game, tmp_path / "house.sqlite3") as match:
        yield match
