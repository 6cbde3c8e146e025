"""Routes of guilds and their members."""

from sandbox import payloads
from sandbox.form import Refused
from sandbox.routes.table import Call, Json, route


@route("GET", "/guilds/{guild_id}")
def guild(call: Call) -> Json:
    """A guild."""
    return payloads.guild(call.guild())


@route("GET", "/guilds/{guild_id}/channels")
def channels(call: Call) -> list[Json]:
    """The channels of a guild that the bot sees."""
    return [each.payload() for each in call.guild().channels if each.sees(call.bot)]


@route("GET", "/guilds/{guild_id}/roles")
def roles(call: Call) -> list[Json]:
    """List the roles of a guild, everyone's own included."""
    return [payloads.role(each) for each in call.guild().roles.values()]


@route("GET", "/guilds/{guild_id}/members/{user_id}")
def member(call: Call) -> Json:
    """A member."""
    found = call.guild().members.get(call.id("user_id"))
    if found is None:
        raise Refused(404, 10007, "Unknown Member")
    return payloads.member(found)


@route("GET", "/guilds/{guild_id}/threads/active")
def active_threads(call: Call) -> Json:
    """The threads of a guild that are not archived."""
    threads = [each for each in call.guild().threads if each.sees(call.bot) and not each.archived]
    members = [each.member(call.bot) for each in threads if call.bot in each.members]
    return {"threads": [each.payload() for each in threads], "members": members, "has_more": False}


@route("DELETE", "/users/@me/guilds/{guild_id}")
def leave(call: Call) -> None:
    """The bot leaves a guild."""
    call.guild().remove(call.box.world.bot)
