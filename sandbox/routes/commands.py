"""Routes of the application's commands."""

from sandbox.checks import Json, Refused
from sandbox.routes.table import Call, route


@route("PUT", "/applications/{application_id}/commands")
def replace(call: Call) -> list[Json]:
    call.check_application()
    return call.services.commands.replace(call.body)


@route("GET", "/applications/{application_id}/guilds/{guild_id}/commands")
def of_guild(call: Call) -> list[Json]:
    """Answer that a guild has no commands of its own. Raises Refused if it is without the scope `applications.commands`
    (50001)."""
    call.check_application()
    if not call.guild().allows_commands:
        raise Refused(403, 50001, "Missing Access")
    return []
