"""Routes of application commands: global ones and those of single guilds."""

from sandbox.checks import Json, Refused
from sandbox.commands import GLOBAL
from sandbox.routes.table import Call, Created, route
from sandbox.translation import untranslated

_GLOBAL = "/applications/{application_id}/commands"
_GUILD = "/applications/{application_id}/guilds/{guild_id}/commands"


def _scope(call: Call) -> int:
    """Return the scope of the path. Raises Refused, of a guild without the scope `applications.commands` (50001)."""
    call.check_application()
    if "guild_id" not in call.ids:
        return GLOBAL
    guild = call.guild()
    if not guild.allows_commands:
        raise Refused(403, 50001, "Missing Access")
    return guild.id


@route("GET", _GLOBAL)
@route("GET", _GUILD)
def every(call: Call) -> list[Json]:
    """List all commands, with their translations only if the query asks for them."""
    commands = call.services.commands.all(_scope(call))
    asked = call.query.get("with_localizations") in ("1", "true")
    return commands if asked else [untranslated(command) for command in commands]


@route("PUT", _GLOBAL)
@route("PUT", _GUILD)
def replace(call: Call) -> list[Json]:
    return call.services.commands.replace(_scope(call), call.body)


@route("POST", _GLOBAL)
@route("POST", _GUILD)
def create(call: Call) -> Json | Created:
    """Create a command, or update the one with the same name."""
    new, command = call.services.commands.upsert(_scope(call), call.body)
    return Created(command) if new else command


@route("GET", _GLOBAL + "/{command_id}")
@route("GET", _GUILD + "/{command_id}")
def one(call: Call) -> Json:
    return call.services.commands.one(_scope(call), call.id("command_id"))


@route("PATCH", _GLOBAL + "/{command_id}")
@route("PATCH", _GUILD + "/{command_id}")
def update(call: Call) -> Json:
    """Change some fields of a command."""
    return call.services.commands.update(_scope(call), call.id("command_id"), call.body)


@route("DELETE", _GLOBAL + "/{command_id}")
@route("DELETE", _GUILD + "/{command_id}")
def delete(call: Call) -> None:
    call.services.commands.delete(_scope(call), call.id("command_id"))
