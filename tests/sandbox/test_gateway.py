"""The gateway: identifying, the events a bot receives, and resuming without missing any."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord
import pytest

from sandbox import Guild, Impossible, Person, Sandbox, TextChannel
from sandbox.gateway import Gateway
from sandbox.refusals import COMMAND
from tests.sandbox.bots import Bot, running
from tests.simulation.testing import *  # noqa: F403

IDENTIFY = {"op": 2, "d": {"token": "sandbox", "intents": 1, "properties": {}}}


async def closed_with(box: Sandbox, *payloads: Any) -> int | None:
    """Return the close code after sending these payloads without a client library."""
    async with aiohttp.ClientSession() as session, session.ws_connect(box.gateway.url) as socket:
        for payload in payloads:
            await socket.send_str(payload if isinstance(payload, str) else json.dumps(payload))
        while (await socket.receive(timeout=20)).type is aiohttp.WSMsgType.TEXT:
            pass
        return socket.close_code


async def test_a_bot_receives_its_guilds_channels_and_threads(
    box: Sandbox, guild: Guild, room: TextChannel
) -> None:
    async with running(box, Bot()) as bot:
        assert [each.name for each in bot.guilds] == ["Palm Beach"]
        assert [each.name for each in bot.guilds[0].text_channels] == ["card-room"]
        thread = await bot.guilds[0].text_channels[0].create_thread(name="table")
    async with running(box, Bot()) as other:
        assert [each.id for each in other.guilds[0].threads] == [thread.id]


async def test_a_second_client_of_a_shard_is_refused_while_the_first_one_answers(
    box: Sandbox, room: TextChannel, alice: Person, bot: Bot
) -> None:
    assert await closed_with(box, IDENTIFY) == 4010
    assert await closed_with(box, identify(0, 1)) == 4010
    assert len(box.gateway.sessions) == 1
    await alice.say(room, "hello")
    await box.until(lambda: bot.said)


async def test_a_client_that_does_not_answer_is_no_obstacle(box: Sandbox) -> None:
    async with aiohttp.ClientSession() as http, http.ws_connect(box.gateway.url) as silent:
        await silent.send_json(IDENTIFY)
        await received(silent, "READY")
        async with http.ws_connect(box.gateway.url) as socket:
            await socket.send_json(IDENTIFY)
            assert await received(socket, "READY")


async def test_a_wrong_token_is_refused(box: Sandbox) -> None:
    async with Bot() as bot:
        with pytest.raises(discord.LoginFailure):
            await bot.login("wrong")


@pytest.mark.parametrize(
    ("payloads", "code"),
    [
        (["not JSON"], 4002),
        ([{"op": 99}], 4001),
        ([{"op": 1, "d": None}, IDENTIFY, {"op": 8, "d": {}}], 4001),
        ([IDENTIFY, IDENTIFY], 4005),
        ([{"op": 2}], 4002),
        ([{"op": 2, "d": {"token": "sandbox", "intents": 1, "shard": [2, 2]}}], 4010),
    ],
)
async def test_an_invalid_payload_closes_the_connection(box: Sandbox, payloads: list[Any], code: int) -> None:
    assert await closed_with(box, *payloads) == code


async def test_events_of_messages_by_others_have_content_only_if_meant_for_the_bot(
    box: Sandbox, room: TextChannel, alice: Person, bot: Bot
) -> None:
    assert bot.user
    await alice.say(room, "hello")
    await alice.say(room, f"hello {bot.user.mention}")
    await alice.say(alice.dms, "psst")
    await box.until(lambda: len(bot.said) == 3)
    assert [each.content for each in bot.said] == ["", f"hello {bot.user.mention}", "psst"]


async def test_a_dropped_connection_resumes_without_missing_events(
    box: Sandbox, room: TextChannel, alice: Person, bot: Bot
) -> None:
    await box.gateway.drop()
    for number in range(20):
        await alice.say(room, str(number))
    written = [each.id for each in alice.sees(room)]
    await box.until(lambda: len(bot.said) == 20)
    assert [each.id for each in bot.said] == written
    assert (bot.events.count("READY"), bot.events.count("RESUMED")) == (1, 1)


@pytest.mark.parametrize("away", [3599.0, 3600.0])
async def test_a_session_can_be_resumed_within_an_hour(box: Sandbox, away: float) -> None:
    async with aiohttp.ClientSession() as http:
        async with http.ws_connect(box.gateway.url) as socket:
            await socket.send_json(IDENTIFY)
            session = (await received(socket, "READY"))["d"]["session_id"]
            await socket.close(code=4000)
        await box.until(lambda: not box.gateway.connected)
        box.clock.advance(away)
        assert await resumed(box, session) == (away < 3600)


async def test_an_unknown_session_is_not_resumed(box: Sandbox) -> None:
    assert not await resumed(box, "guessed")


async def resumed(box: Sandbox, session: str) -> bool:
    """Return whether a session is resumed. If not, the answer must be INVALID_SESSION, not resumable."""
    async with aiohttp.ClientSession() as http, http.ws_connect(box.gateway.url) as socket:
        await socket.receive_json()
        await socket.send_json({"op": 6, "d": {"token": "sandbox", "session_id": session, "seq": 1}})
        answer = await socket.receive_json()
        assert answer.get("t") == "RESUMED" or answer == {"op": 9, "d": False}
        return bool(answer["op"] == 0)


async def received(socket: aiohttp.ClientWebSocketResponse, event: str) -> Any:
    """Read until an event and return its payload."""
    while (payload := await socket.receive_json()).get("t") != event:
        pass
    return payload


async def test_an_interaction_while_the_bot_resumes_is_answered(
    box: Sandbox, room: TextChannel, alice: Person, bot: Bot
) -> None:
    bot.act = lambda it: it.response.send_message("here")
    await box.gateway.drop()
    assert (await alice.slash(room, "do")).text == "here"


async def test_an_interaction_is_not_carried_to_a_client_that_is_asked_to_leave(
    box: Sandbox, room: TextChannel, alice: Person
) -> None:
    async with aiohttp.ClientSession() as http, http.ws_connect(box.gateway.url) as socket:
        await socket.send_json(IDENTIFY)
        await received(socket, "READY")
        clicks = []
        for _ in range(2):
            click = await alice.interact(COMMAND, room, {"name": "do"}, wait=False)
            clicks.append(click.interaction.id)
            await received(socket, "INTERACTION_CREATE")
            await box.gateway.ask_to_reconnect()
        assert [*box.gateway.carried] == clicks[:1]


@pytest.mark.parametrize(
    ("send_away", "back"),
    [
        (lambda gateway: gateway.drop(resumable=False), ["READY", "READY"]),
        (lambda gateway: gateway.invalidate(), ["READY", "READY"]),
        (lambda gateway: gateway.ask_to_reconnect(), ["READY", "RESUMED"]),
    ],
    ids=["dropped for good", "invalidated", "asked to reconnect"],
)
async def test_a_bot_reconnects_however_it_is_disconnected(
    box: Sandbox,
    room: TextChannel,
    alice: Person,
    bot: Bot,
    send_away: Callable[[Gateway], Awaitable[None]],
    back: list[str],
) -> None:
    bot.act = lambda it: it.response.send_message("here")
    await send_away(box.gateway)
    await box.until(lambda: [each for each in bot.events if each in ("READY", "RESUMED")] == back)
    assert (await alice.slash(room, "do")).text == "here"


async def test_a_new_bot_replaces_one_that_was_killed(box: Sandbox, room: TextChannel, alice: Person) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(box.gateway.url) as socket:
        await socket.send_json(IDENTIFY)
        await box.ready()
        assert socket._response.connection
        assert socket._response.connection.transport
        socket._response.connection.transport.abort()  # as when the bot is killed
        await box.until(lambda: not box.gateway.connected)
    async with running(box, Bot()) as bot:
        bot.act = lambda it: it.response.send_message("here")
        assert (await alice.slash(room, "do")).text == "here"


async def test_a_bot_receives_only_the_events_of_its_intents(
    box: Sandbox, guild: Guild, room: TextChannel
) -> None:
    async with running(box, Bot(discord.Intents(guilds=True))) as bot:
        alice = box.person("Alice", guild)
        await alice.say(room, "hello")
        alice.leave(guild)
        guild.channel("another")
        await box.until(lambda: "CHANNEL_CREATE" in bot.events)
        assert bot.events == ["READY", "GUILD_CREATE", "CHANNEL_CREATE"]


async def test_a_server_that_the_bot_joins_is_reported_as_new(box: Sandbox, bot: Bot) -> None:
    """A server that the bot was in before is reported as available."""
    joined: list[str] = []
    known: list[str] = []
    listen(bot, guild_join=joined, guild_available=known)
    box.guild("Coral Bay")
    await box.until(lambda: joined)
    await box.gateway.drop(resumable=False)
    await box.until(lambda: len(known) == 2)
    assert (joined, known) == (["Coral Bay"], ["Palm Beach", "Coral Bay"])


async def test_a_bot_receives_the_start_and_end_of_an_outage_and_no_events_between(
    box: Sandbox, guild: Guild, bot: Bot
) -> None:
    names: list[str] = []
    listen(
        bot, guild_unavailable=names, guild_available=names, guild_remove=names, guild_channel_create=names
    )
    box.gateway.begin_outage(guild)
    guild.channel("unheard of")
    await box.until(lambda: bot.guilds[0].unavailable)
    box.gateway.end_outage(guild)
    await box.until(lambda: len(names) == 2)
    assert names == ["Palm Beach", "Palm Beach"]
    assert [each.name for each in bot.guilds[0].text_channels] == ["card-room", "unheard of"]


async def test_people_cannot_act_in_an_outage(
    box: Sandbox, guild: Guild, room: TextChannel, alice: Person, bot: Bot
) -> None:
    bot.act = lambda it: it.response.send_message("here")
    box.gateway.begin_outage(guild)
    for act in (alice.say(room, "hello"), alice.slash(room, "do")):
        with pytest.raises(Impossible):
            await act
    assert (await alice.slash(alice.dms, "do")).text == "here"
    box.gateway.end_outage(guild)
    assert (await alice.slash(room, "do")).text == "here"


async def test_a_bot_that_starts_in_an_outage_sees_the_server_as_unavailable(
    box: Sandbox, guild: Guild, bot: Bot
) -> None:
    known: list[str] = []
    listen(bot, guild_available=known)
    box.gateway.begin_outage(guild)
    await box.gateway.drop(resumable=False)
    await box.until(lambda: bot.events.count("READY") == 2)
    assert [(each.id, each.unavailable) for each in bot.guilds] == [(guild.id, True)]
    box.gateway.end_outage(guild)
    await box.until(lambda: known)
    assert [(each.name, each.unavailable) for each in bot.guilds] == [("Palm Beach", False)]


# Shards


def identify(shard: int, shards: int) -> dict[str, Any]:
    """Return a payload that begins a session of a shard."""
    return {"op": 2, "d": {"token": "sandbox", "intents": 513, "shard": [shard, shards]}}


async def events(box: Sandbox, shard: int, shards: int, last: str) -> list[Any]:
    """Return the payloads that a shard receives until the event `last`."""
    found: list[Any] = []
    async with aiohttp.ClientSession() as session, session.ws_connect(box.gateway.url) as socket:
        await socket.send_str(json.dumps(identify(shard, shards)))
        while not found or found[-1].get("t") != last:
            found.append(await socket.receive_json(timeout=20))
    return found


async def test_a_shard_receives_its_guilds_alone(box: Sandbox) -> None:
    for number in range(4):
        box.guild(f"G{number}", id_=number << 22 | 7)
    for shard in range(2):
        found = await events(box, shard, 2, "GUILD_CREATE")
        ready = next(each["d"] for each in found if each.get("t") == "READY")
        assert ready["shard"] == [shard, 2]
        assert [int(each["id"]) >> 22 for each in ready["guilds"]] == [shard, shard + 2]


async def test_events_reach_the_shard_of_their_guild_and_direct_messages_the_first(box: Sandbox) -> None:
    guild = box.guild("Palm Beach", id_=1 << 22 | 7)
    alice = box.person("Alice", guild)
    room = guild.channel("card-room")
    async with aiohttp.ClientSession() as session:
        sockets = [await session.ws_connect(box.gateway.url) for _ in range(2)]
        for shard, socket in enumerate(sockets):
            await socket.send_str(json.dumps(identify(shard, 2)))
        await box.until(lambda: len(box.gateway.sessions) == 2)
        await alice.say(room, "hello")
        sent = {each.shard: [payload["t"] for payload in each.sent] for each in box.gateway.sessions.values()}
        assert sent == {0: ["READY"], 1: ["READY", "GUILD_CREATE", "MESSAGE_CREATE"]}
        for socket in sockets:
            await socket.close()


async def test_a_shard_with_too_many_guilds_is_refused(box: Sandbox) -> None:
    box.crowd(2501)
    assert await closed_with(box, identify(0, 1)) == 4011


async def begins(box: Sandbox, shard: int) -> bool:
    """Return whether a session of one of 16 shards may begin now."""
    async with aiohttp.ClientSession() as session, session.ws_connect(box.gateway.url) as socket:
        await socket.receive_json()
        await socket.send_str(json.dumps(identify(shard, 16)))
        return bool((await socket.receive_json(timeout=20))["op"] == 0)


async def test_so_many_sessions_may_begin_within_five_seconds(box: Sandbox) -> None:
    box.gateway.limits_identifies, box.gateway.max_concurrency = True, 2
    assert [await begins(box, shard) for shard in (0, 1, 2, 3)] == [True, True, False, False]
    box.clock.advance(5)
    assert [await begins(box, shard) for shard in (2, 4, 3)] == [True, False, True]
    assert box.gateway.remaining == 1000 - 4


async def test_the_route_of_the_gateway_tells_the_limits(box: Sandbox, bot: Bot) -> None:
    box.gateway.shards, box.gateway.max_concurrency = 3, 16
    shards, _, limits = await bot.http.get_bot_gateway()
    assert (shards, limits["max_concurrency"], limits["remaining"]) == (3, 16, 999)


def listen(bot: Bot, **names: list[str]) -> None:
    """Append the name of its subject to a list when one of these events arrives."""

    def noting(list_: list[str]) -> Callable[[Any], Awaitable[None]]:
        async def append(thing: Any) -> None:
            list_.append(thing.name)

        return append

    for event, list_ in names.items():
        setattr(bot, f"on_{event}", noting(list_))


async def test_a_bot_that_is_removed_is_informed(
    box: Sandbox, guild: Guild, room: TextChannel, bot: Bot
) -> None:
    guild.remove(box.world.bot)
    await box.until(lambda: not list(bot.guilds))
