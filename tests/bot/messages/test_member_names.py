"""Present names of members: learned, asked for once a day, and never waited for longer than a second."""

import asyncio

import discord
import pytest

from bot.messages.member_names import AT_ONCE, KEPT, MOST, RETRY, MemberNames
from tests.simulation.testing import *  # noqa: F403

pytestmark = pytest.mark.usefixtures("calm")

GUILD, OTHER = 5, 6


class Discord:
    """Answers with names, slowly or with an error if a test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []
        self.error: Exception | None = None
        self.slow = asyncio.Event()
        self.slow.set()
        self.time = 0
        self.names = MemberNames(self.fetch, lambda: self.time)

    async def fetch(self, guild: int, user: int) -> str:
        self.asked.append((guild, user))
        await self.slow.wait()
        if self.error is not None:
            raise self.error
        return f"Name {user}"


@pytest.fixture
async def there() -> Discord:
    return Discord()


async def test_a_name_is_asked_for_once_a_day(there: Discord) -> None:
    for _ in range(2):
        await there.names.refresh(GUILD, [1, 2])
    assert there.names.known(GUILD, [1, 2, 3]) == {1: "Name 1", 2: "Name 2"}
    assert there.names.known(OTHER, [1]) == {}
    assert there.asked == [(GUILD, 1), (GUILD, 2)]
    there.time = KEPT
    assert there.names.known(GUILD, [1]) == {}
    await there.names.refresh(GUILD, [1])
    assert there.asked[2:] == [(GUILD, 1)]


async def test_a_learned_name_is_not_asked_for_and_replaces_an_older_one(there: Discord) -> None:
    there.names.learn(GUILD, 1, "Old")
    there.names.learn(GUILD, 1, "New")
    await there.names.refresh(GUILD, [1])
    assert there.names.known(GUILD, [1]) == {1: "New"}
    assert there.asked == []


@pytest.mark.parametrize("error", [None, discord.DiscordException()])
async def test_a_name_that_is_learned_while_discord_is_asked_stays(
    there: Discord, error: Exception | None
) -> None:
    there.slow.clear()
    there.error = error
    asking = asyncio.create_task(there.names.refresh(GUILD, [1]))
    await asyncio.sleep(0.5)
    there.names.learn(GUILD, 1, "New")
    there.slow.set()
    await asking
    assert there.names.known(GUILD, [1]) == {1: "New"}


async def test_erased_people_are_never_asked_for_and_others_ten_at_a_time(there: Discord) -> None:
    await there.names.refresh(GUILD, [-3, 0, *range(1, 30)])
    assert [user for _, user in there.asked] == [*range(1, AT_ONCE + 1)]


async def test_after_an_error_nobody_is_asked_for_again_at_once(there: Discord) -> None:
    there.error = OSError("no connection")
    for _ in range(2):
        await there.names.refresh(GUILD, [1])
    assert there.names.known(GUILD, [1]) == {}
    assert len(there.asked) == 1
    there.time, there.error = RETRY, None
    await there.names.refresh(GUILD, [1])
    assert there.names.known(GUILD, [1]) == {1: "Name 1"}


async def test_slow_answers_are_not_waited_for_but_kept_when_they_come(there: Discord) -> None:
    there.slow.clear()
    await there.names.refresh(GUILD, [1])
    await there.names.refresh(GUILD, [2])  # while Discord is slow for a server, nobody there is asked for
    assert there.asked == [(GUILD, 1)]
    await there.names.refresh(OTHER, [2])
    assert there.asked == [(GUILD, 1), (OTHER, 2)]
    there.slow.set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert there.names.known(GUILD, [1]) == {1: "Name 1"}
    await there.names.refresh(GUILD, [2])
    assert there.names.known(GUILD, [2]) == {2: "Name 2"}


async def test_nothing_is_kept_of_a_server_where_answers_have_come_late(there: Discord) -> None:
    there.slow.clear()
    await there.names.refresh(GUILD, [1])
    there.slow.set()
    await asyncio.sleep(1)
    assert there.names._asking == {}


async def test_who_is_being_asked_for_is_not_asked_for_again_by_another_page(there: Discord) -> None:
    there.slow.clear()
    first = asyncio.create_task(there.names.refresh(GUILD, [1]))
    await asyncio.sleep(0.5)
    there.slow.set()
    while not there.names.known(GUILD, [1]):  # noqa: ASYNC110 - turn by turn
        await asyncio.sleep(0)
    # The first page has not gone on yet.
    there.slow.clear()
    await there.names.refresh(GUILD, [1])
    second = asyncio.create_task(there.names.refresh(GUILD, [2]))
    await first
    await there.names.refresh(GUILD, [2])
    assert there.asked == [(GUILD, 1), (GUILD, 2)]
    there.slow.set()
    await second


async def test_only_so_many_names_are_kept_the_latest_ones(there: Discord) -> None:
    for user in range(1, MOST + 2):
        there.names.learn(GUILD, user, "Name")
    assert [*there.names.known(GUILD, [1, 2, 3])] == [2, 3]
