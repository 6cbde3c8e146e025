"""Routes of application commands: global ones and those of single guilds."""

from sandbox.checks import Json, Refused
from sandbox.commands import GLOBAL
from sandbox.routes.table import Call, route

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
    return call.services.commands.all(_scope(call))


@route("PUT", _GLOBAL)
@route("PUT", _GUILD)
def replace(call: Call) -> list[Json]:
    return call.services.commands.replace(_scope(call), call.body)
