"""Routes of guilds and their members."""

from sandbox.checks import Json, Refused
from sandbox.guilds import Guild
from sandbox.members import Member
from sandbox.permissions import Permission
from sandbox.routes.table import Call, route


@route("GET", "/guilds/{guild_id}")
def guild(call: Call) -> Json:
    return call.guild().payload()


@route("GET", "/users/@me/guilds")
def own(call: Call) -> list[Json]:
    """List the guilds of the bot by id, with a few fields of each."""
    before, after = (int(call.query.get(name, usual)) for name, usual in (("before", 2**63), ("after", 0)))
    found = [each for id_, each in sorted(call.services.guilds.items()) if before > id_ > after]
    mine = [each for each in found if each.has_bot]
    limit = call.limit(200, usual=200)
    shown = mine[-limit:] if "before" in call.query else mine[:limit]
    return [_summary(each, call.bot) for each in shown]


def _summary(guild: Guild, bot: int) -> Json:
    whole = guild.payload()
    return {name: whole[name] for name in ("id", "name", "icon", "banner", "features")} | {
        "owner": guild.owner.id == bot,
        "permissions": str(int(guild.permissions(bot))),
    }


@route("GET", "/guilds/{guild_id}/roles")
def roles(call: Call) -> list[Json]:
    """List the roles of a guild, the role of everyone included."""
    return [each.payload() for each in call.guild().roles.values()]


@route("GET", "/guilds/{guild_id}/members/{user_id}")
def member(call: Call) -> Json:
    return _member(call).payload()


def _member(call: Call) -> Member:
    found = call.guild().members.get(call.id("user_id"))
    if found is None:
        raise Refused(404, 10007, "Unknown Member")
    return found


@route("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
def give_role(call: Call) -> None:
    """Give a member a role."""
    member, role = _member(call), _role(call)
    if role not in member.roles:
        member.roles.append(role)
        call.guild().member_changed(member.user)


@route("DELETE", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
def take_role(call: Call) -> None:
    """Take a role from a member."""
    member, role = _member(call), _role(call)
    if role in member.roles:
        member.roles.remove(role)
        call.guild().member_changed(member.user)


def _role(call: Call) -> int:
    """Return the role of the path. Raises Refused unless the bot may give it: it must be below its own ones."""
    guild, role = call.guild(), call.guild().roles.get(call.id("role_id"))
    if role is None or role.id == guild.id:
        raise Refused(404, 10011, "Unknown Role")
    own = [guild.roles[each].position for each in guild.members[call.bot].roles]
    if not guild.permissions(call.bot) & Permission.MANAGE_ROLES or role.position >= max(own, default=0):
        raise Refused(403, 50013, "Missing Permissions")
    return role.id
