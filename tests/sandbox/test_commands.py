"""Requests for the commands of an application."""

from tests.sandbox.refused_payloads import command
from tests.sandbox.wire import Wire


async def test_a_server_that_did_not_allow_the_scope_of_commands_refuses_them(wire: Wire) -> None:
    """They are not offered there, and the route of its commands answers as if the bot were no member."""
    await wire.put_commands([command()])
    commands = f"/applications/{wire.box.world.bot.id}/guilds/{wire.guild.id}/commands"
    assert (await wire.ask("GET", commands)).body == []
    assert wire.alice.offered(wire.room)
    wire.guild.allows_commands = False
    reply = await wire.ask("GET", commands)
    assert (reply.status, reply.code) == (403, 50001)
    assert wire.alice.offered(wire.room) == []


async def test_the_servers_of_the_bot_are_listed_by_id(wire: Wire) -> None:
    others = [wire.box.guild(f"Server {n}") for n in range(3)]
    wire.box.guild("Elsewhere", bot=False)
    ids = [str(guild.id) for guild in (wire.guild, *others)]

    async def listed(query: str) -> list[str]:
        return [each["id"] for each in (await wire.ask("GET", f"/users/@me/guilds{query}")).body]

    assert await listed("") == ids
    assert await listed("?limit=2") == ids[:2]
    assert await listed(f"?after={ids[1]}") == ids[2:]
    assert await listed(f"?before={ids[3]}&limit=2") == ids[1:3]
    assert (await wire.ask("GET", "/users/@me/guilds?limit=201")).status == 400
