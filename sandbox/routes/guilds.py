"""Routes of guilds and their members."""

from sandbox.checks import Json, Refused
from sandbox.routes.table import Call, route
from sandbox.routes.threads import thread_list


@route("GET", "/guilds/{guild_id}")
def guild(call: Call) -> Json:
    return call.guild().payload()


@route("GET", "/guilds/{guild_id}/channels")
def channels(call: Call) -> list[Json]:
    """List the channels of a guild that the bot sees."""
    return [each.payload() for each in call.guild().channels if each.sees(call.bot)]


@route("GET", "/guilds/{guild_id}/roles")
def roles(call: Call) -> list[Json]:
    """List the roles of a guild, the role of everyone included."""
    return [each.payload() for each in call.guild().roles.values()]


@route("GET", "/guilds/{guild_id}/members/{user_id}")
def member(call: Call) -> Json:
    found = call.guild().members.get(call.id("user_id"))
    if found is None:
        raise Refused(404, 10007, "Unknown Member")
    return found.payload()


@route("GET", "/guilds/{guild_id}/threads/active")
def active_threads(call: Call) -> Json:
    """List the threads of a guild that are not archived."""
    return thread_list(
        call, [each for each in call.guild().threads if each.sees(call.bot) and not each.archived]
    )


@route("DELETE", "/users/@me/guilds/{guild_id}")
def leave(call: Call) -> None:
    """Remove the bot from a guild."""
    call.guild().remove(call.world.bot)
