"""Commands of the application: global ones and those of single guilds."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sandbox.checks import Json, Refused
from sandbox.refusals import check_commands
from sandbox.world import World

DAY = 24 * 3600
CREATIONS = 200
"""New commands of a scope in a day."""
GUILD_INSTALL, USER_INSTALL = 0, 1
"""Discord's numbers of the ways to install the application."""
GLOBAL = 0
"""Scope of the commands that exist everywhere. Other scopes are guild ids."""


class Commands:
    """Commands by scope. A command that is replaced under its name keeps its id; new ones count towards a daily
    limit."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._scopes: dict[int, dict[tuple[int, str], Json]] = {}
        self._created: dict[int, list[float]] = {}

    def all(self, scope: int) -> list[Json]:
        """Return the commands of a scope."""
        return list(self._scopes.get(scope, {}).values())

    def usable(self, guild: int | None) -> list[Json]:
        """Return the commands usable in a guild, or (None) in direct messages."""
        everywhere = self.all(GLOBAL)
        return everywhere if guild is None else everywhere + self.all(guild)

    def replace(self, scope: int, raw: Sequence[Mapping[str, Any]]) -> list[Json]:
        """Replace all commands of a scope."""
        check_commands(raw, guild=scope != GLOBAL)
        old = self._scopes.get(scope, {})
        self._count_new(scope, [each for each in raw if _key(each) not in old])
        self._scopes[scope] = {_key(each): self._made(scope, each, old.get(_key(each))) for each in raw}
        return self.all(scope)

    def _count_new(self, scope: int, new: Iterable[Mapping[str, Any]]) -> None:
        now = self._world.clock.now()
        created = [each for each in self._created.get(scope, []) if each > now - DAY]
        created += [now for _ in new]
        if len(created) > CREATIONS:
            raise Refused(
                400, 30034, "Max number of daily application command creates has been reached (200)"
            )
        self._created[scope] = created

    def _made(self, scope: int, raw: Mapping[str, Any], old: Json | None) -> Json:
        # Discord's default for `integration_types` are all that the application is configured for.
        everywhere = {
            "contexts": None,
            "integration_types": [GUILD_INSTALL, USER_INSTALL],
            "dm_permission": True,
        }
        settings: Json = {} if scope else everywhere
        blank = {
            "type": 1,
            "description": "",
            "options": [],
            "nsfw": False,
            "default_member_permissions": None,
        }
        own = {
            "id": old["id"] if old else str(self._world.snowflakes.next()),
            "application_id": str(self._world.bot.id),
            "version": str(self._world.snowflakes.next()),
        }
        given = {name: each for name, each in raw.items() if each is not None}
        return settings | blank | given | own | ({"guild_id": str(scope)} if scope else {})


def _key(command: Mapping[str, Any]) -> tuple[int, str]:
    return command.get("type") or 1, command["name"]
