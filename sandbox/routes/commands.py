"""Routes of application commands, of all guilds and of single ones."""

from sandbox.commands import GLOBAL
from sandbox.routes.table import Call, Created, Json, route
from sandbox.translation import untranslated

_GLOBAL = "/applications/{application_id}/commands"
_GUILD = "/applications/{application_id}/guilds/{guild_id}/commands"


def _scope(call: Call) -> int:
    call.application()
    return call.guild().id if "guild_id" in call.ids else GLOBAL


@route("GET", _GLOBAL)
@route("GET", _GUILD)
def every(call: Call) -> list[Json]:
    """All commands, with their translations only if these are asked for."""
    commands = call.box.commands.all(_scope(call))
    asked = call.query.get("with_localizations") in ("1", "true")
    return commands if asked else [untranslated(command) for command in commands]


@route("PUT", _GLOBAL)
@route("PUT", _GUILD)
def replace(call: Call) -> list[Json]:
    """Make these all commands."""
    return call.box.commands.replace(_scope(call), call.body)


@route("POST", _GLOBAL)
@route("POST", _GUILD)
def create(call: Call) -> Json | Created:
    """Create a command, or update the one of that name."""
    new, command = call.box.commands.upsert(_scope(call), call.body)
    return Created(command) if new else command


@route("GET", _GLOBAL + "/{command_id}")
@route("GET", _GUILD + "/{command_id}")
def one(call: Call) -> Json:
    """One command."""
    return call.box.commands.one(_scope(call), call.id("command_id"))


@route("PATCH", _GLOBAL + "/{command_id}")
@route("PATCH", _GUILD + "/{command_id}")
def update(call: Call) -> Json:
    """Change some fields of a command."""
    return call.box.commands.update(_scope(call), call.id("command_id"), call.body)


@route("DELETE", _GLOBAL + "/{command_id}")
@route("DELETE", _GUILD + "/{command_id}")
def delete(call: Call) -> None:
    """Remove a command."""
    call.box.commands.delete(_scope(call), call.id("command_id"))
