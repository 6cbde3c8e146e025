"""Servers that removed the bot: everything is there when it is invited again, and purged after 30 days otherwise."""

from pathlib import Path
from typing import Any

import pytest

from bot.hosting.recount import redo
from bot.store import open_store
from bot.upkeep.left_guilds import KEPT, LeftGuilds
from sandbox import Permission
from tests.e2e.card_room import CardRoom, card_room
from tests.e2e.players import open_table
from tests.e2e.test_profile import played
from tests.e2e.test_unloadable import break_table

EVER = 2**62


async def remove_bot(here: CardRoom) -> None:
    """Remove the bot from the server, and wait until the server is marked."""
    gone = here.bot.wait_for("guild_remove", timeout=20)
    here.guild.remove(here.box.world.bot)
    await gone
    await marked(here, [here.guild.id])


async def marked(here: CardRoom, expected: list[int]) -> None:
    """Wait until these servers are marked and no others."""
    found: list[int] | None = None
    while found != expected:
        found = await here.bot.store.left_guilds(EVER)


async def purge_in_a_month(here: CardRoom) -> None:
    """Purge what is due when the present servers are to be purged."""
    then = here.bot.time.now() + KEPT
    await LeftGuilds(here.bot.store, lambda: then, here.bot.fetch_guild, lambda _: True).purge()


async def rows(here: CardRoom, match: int) -> Any:
    """Return what is stored about a match."""
    store = here.bot.store
    return await store.match(match), await store.log(match), await store.rating_steps(match)


async def test_a_purged_server_leaves_results_and_ratings_but_no_logs_and_no_id(file: Path) -> None:
    async with card_room(file) as here:
        alice, ben, *_ = here.people
        match = await played(here, alice, ben)
        store = here.bot.store
        before = await store.ratings("palace", [alice.id, ben.id])
        await remove_bot(here)
        await purge_in_a_month(here)
        found = await store.match(match)
        assert found is not None
        assert found.guild < 0
        assert (found.channel, found.place, found.card) == (0, None, None)
        assert await store.log(match) == []
        assert await store.leaderboard(here.guild.id) == []
        assert await store.ratings("palace", [alice.id, ben.id]) == before
        assert await store.left_guilds(EVER) == []
    store = await open_store(file)  # anew, as nothing else may write meanwhile
    recounted = await store.recount(redo, lambda *_: None)
    await store.close()
    assert (recounted.matches, recounted.results, recounted.ratings) == (1, [], [])


async def test_a_server_that_invites_the_bot_again_finds_everything(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    match = await played(here, alice, ben)
    before = await rows(here, match)
    await remove_bot(here)
    await here.bot.left_guilds.purge()  # 30 days have not passed
    here.guild.invite_bot(Permission.ADMINISTRATOR)
    await marked(here, [])
    assert await rows(here, match) == before


async def test_a_server_is_not_purged_before_discord_confirms_that_the_bot_is_out(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    match = await played(here, alice, ben)
    before = await rows(here, match)
    await here.bot.store.mark_left_guilds([], 0)
    await here.bot.left_guilds.purge()
    assert await here.bot.store.left_guilds(EVER) == []
    assert await rows(here, match) == before


async def test_no_server_is_purged_while_discord_cannot_be_asked_or_by_another_process(
    here: CardRoom,
) -> None:
    alice, ben, *_ = here.people
    match = await played(here, alice, ben)
    await here.bot.store.mark_left_guilds([], 0)

    async def fail(_: int) -> None:
        raise OSError("no network")

    store, before = here.bot.store, await rows(here, match)
    with pytest.raises(OSError, match="no network"):
        await LeftGuilds(store, lambda: KEPT, fail, lambda _: True).purge()
    await LeftGuilds(store, lambda: KEPT, fail, lambda _: False).purge()
    await LeftGuilds(store, lambda: KEPT - 1, fail, lambda _: True).purge()  # a millisecond too early
    assert await rows(here, match) == before


async def test_a_server_about_which_discord_cannot_be_asked_keeps_no_other_from_being_purged(
    here: CardRoom,
) -> None:
    alice, ben, *_ = here.people
    match = await played(here, alice, ben)
    await remove_bot(here)
    store, then, before_it = here.bot.store, here.bot.time.now() + KEPT, here.guild.id - 1
    await store.set_board(before_it, 1)
    await store.mark_left_guilds([], 0)
    assert await store.left_guilds(then) == [before_it, here.guild.id]

    async def fetch(guild: int) -> object:
        if guild == before_it:
            raise OSError("no answer")
        return await here.bot.fetch_guild(guild)

    with pytest.raises(OSError, match="no answer"):
        await LeftGuilds(store, lambda: then, fetch, lambda _: True).purge()
    assert await store.left_guilds(EVER) == [before_it]
    found = await store.match(match)
    assert found is not None
    assert found.guild < 0


async def test_a_table_that_cannot_be_loaded_keeps_no_server_from_being_purged(
    here: CardRoom, file: Path
) -> None:
    alice, ben, *_ = here.people
    await open_table(here.room, "twin-palms start", alice, ben, pace="relaxed")
    await break_table(here, file)
    gone = here.bot.wait_for("guild_remove", timeout=20)
    here.guild.remove(here.box.world.bot)
    await gone
    await here.rest()
    await purge_in_a_month(here)
    assert await here.bot.store.match(1) is None
    assert await here.bot.store.left_guilds(EVER) == []
