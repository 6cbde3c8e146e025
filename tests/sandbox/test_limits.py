"""Rate limits, faults and complaints."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import aiohttp
import discord
import pytest

from sandbox import Permission, Sandbox, TextChannel
from sandbox.clock import Clock
from sandbox.commands import CREATIONS
from sandbox.faults import Fault
from sandbox.ratelimits import INVALID, RateLimits
from tests.sandbox.bots import Bot, point_at, refusal, running
from tests.simulation.testing import *  # noqa: F403

MESSAGES = "/channels/{channel_id}/messages"
IN_ROOM = {"channel_id": "1"}


def test_a_bucket_accepts_five_requests_and_then_names_the_wait() -> None:
    clock = Clock()
    limits = RateLimits(clock, on=True)
    passed = [limits.take("POST", MESSAGES, IN_ROOM) for _ in range(6)]
    assert [each.retry_after is None for each in passed] == [True] * 5 + [False]
    assert [each.headers["X-RateLimit-Remaining"] for each in passed] == ["4", "3", "2", "1", "0", "0"]
    assert passed[5].retry_after
    assert 4 < passed[5].retry_after <= 5.1
    assert limits.take("POST", MESSAGES, {"channel_id": "2"}).retry_after is None
    clock.advance(5)
    assert limits.take("POST", MESSAGES, IN_ROOM).retry_after is None


def test_the_global_limit_is_50_requests_a_second_without_interactions() -> None:
    limits = RateLimits(Clock(), on=True)
    callback, token = "/interactions/{interaction_id}/{token}/callback", {"token": "t"}
    assert all(limits.take("POST", callback, token).retry_after is None for _ in range(60))
    passed = [limits.take("GET", "/users/@me", {}) for _ in range(51)]
    assert [each.everywhere for each in passed] == [False] * 50 + [True]
    assert limits.take("POST", callback, token).retry_after is None


async def test_the_client_obeys_the_announced_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven edits are sent at once: the last two wait for the next window, and none is lost."""
    async with Sandbox(rate_limits=True) as box:
        point_at(box, monkeypatch)
        room = box.guild("Palm Beach").channel("card-room")
        async with running(box, Bot()) as bot:
            sent = await bot.get_partial_messageable(room.id).send("x")
            await asyncio.gather(*(sent.edit(content=str(n)) for n in range(7)))
        edits = [each.time for each in box.requests if each.method == "PATCH" and each.status == 200]
        assert len(edits) == 7
        assert edits[5] - edits[0] > 4.5


async def test_ten_thousand_refusals_ban_the_bot_for_ten_minutes(
    box: Sandbox, bot: Bot, room: TextChannel
) -> None:
    room.deny(box.world.bot, Permission.SEND_MESSAGES)
    channel = bot.get_partial_messageable(room.id)
    for _ in range(INVALID[0] - 1):
        box.rate_limits.count_answer(403)
    await bot.fetch_user(box.world.owner.id)
    assert await refusal(channel.send("x")) == (403, 50013)
    assert await refusal(bot.fetch_user(box.world.owner.id)) == (429, 0)
    box.clock.advance(601)
    await bot.fetch_user(box.world.owner.id)


async def test_a_429_is_obeyed(box: Sandbox, bot: Bot, room: TextChannel) -> None:
    box.fail("POST", "/messages$", 429)
    await bot.get_partial_messageable(room.id).send("in the end")
    assert [each.text for each in room.messages()] == ["in the end"]


async def test_faults_happen_as_often_as_set(box: Sandbox, bot: Bot, room: TextChannel) -> None:
    box.fail("POST", "/messages$", 503, times=2)
    channel = bot.get_partial_messageable(room.id)
    for _ in range(2):
        with pytest.raises(discord.DiscordServerError):
            await channel.send("x")
    await channel.send("y")
    assert [each.text for each in room.messages()] == ["y"]


async def test_an_answer_can_be_lost_with_the_connection(box: Sandbox, bot: Bot, room: TextChannel) -> None:
    box.fail("POST", "/messages$", 0, after=True)
    with pytest.raises(aiohttp.ClientError):
        await bot.get_partial_messageable(room.id).send("done all the same")
    assert [each.text for each in room.messages()] == ["done all the same"]


async def test_an_answer_can_be_delayed(box: Sandbox, bot: Bot, room: TextChannel) -> None:
    late = Fault("POST", "/messages$", None, delay=600)
    box.faults.add(late)
    slow = asyncio.create_task(bot.get_partial_messageable(room.id).send("slow"))
    await box.until(lambda: late.times == 0)
    await bot.fetch_user(box.world.owner.id)
    assert room.messages() == []
    box.clock.advance(600)
    await slow
    assert [each.text for each in room.messages()] == ["slow"]


async def test_unknown_routes_and_fields_are_refused_and_become_complaints(
    box: Sandbox, bot: Bot, room: TextChannel
) -> None:
    route = discord.http.Route
    assert await refusal(bot.http.request(route("GET", "/nothing/here"))) == (404, 0)
    sent = bot.http.request(
        route("POST", f"/channels/{room.id}/messages"), json={"content": "x", "colour": 1}
    )
    assert await refusal(sent) == (400, 50035)
    assert ["/nothing/here" in box.complaints[0], "colour" in box.complaints[1]] == [True, True]


async def test_requests_are_recorded(box: Sandbox, bot: Bot, room: TextChannel) -> None:
    await bot.get_partial_messageable(room.id).send("x")
    (sent,) = [each for each in box.bodies if each.template == MESSAGES]
    assert (sent.method, sent.body["content"], sent.status) == ("POST", "x", 200)
    assert box.complaints == []


async def test_only_new_commands_count_towards_the_daily_limit(box: Sandbox, bot: Bot) -> None:
    application = f"/applications/{bot.application_id}/commands"
    route = discord.http.Route
    (before,) = box.commands.all()
    (after,) = await bot.tree.sync()
    assert str(after.id) == before["id"]

    def put(*names: str) -> Coroutine[Any, Any, Any]:
        commands = [{"name": name, "description": "x"} for name in names]
        return bot.http.request(route("PUT", application), json=commands)

    await put(*(f"a{number}" for number in range(CREATIONS // 2)))
    await put(*(f"b{number}" for number in range(CREATIONS // 2 - 1)))
    assert await refusal(put("more")) == (400, 30034)
    box.clock.advance(24 * 3600)
    await put("more")


async def test_the_error_of_a_timeout_names_the_last_messages(
    box: Sandbox, bot: Bot, room: TextChannel
) -> None:
    await bot.get_partial_messageable(room.id).send("this was said")
    with pytest.raises(TimeoutError, match="this was said"):
        await box.until(lambda: False, timeout=0.01)
