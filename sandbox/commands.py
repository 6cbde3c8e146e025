"""Commands of the application."""

from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.checks import Json, Refused
from sandbox.refusals import check_commands
from sandbox.world import World

DAY = 24 * 3600
CREATIONS = 200
"""New commands in a day."""
GUILD_INSTALL, USER_INSTALL = 0, 1
"""Discord's numbers of the ways to install the application."""


class Commands:
    """All commands, which exist on every server. A command that is replaced under its name keeps its id; new ones count
    towards a daily limit."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._commands: dict[tuple[int, str], Json] = {}
        self._created: list[float] = []

    def all(self) -> list[Json]:
        return list(self._commands.values())

    def replace(self, raw: Sequence[Mapping[str, Any]]) -> list[Json]:
        """Replace all commands."""
        check_commands(raw)
        old = self._commands
        self._count(sum(_key(each) not in old for each in raw))
        self._commands = {_key(each): self._made(each, old.get(_key(each))) for each in raw}
        return self.all()

    def _count(self, new: int) -> None:
        now = self._world.clock.now()
        created = [*(each for each in self._created if each > now - DAY), *[now] * new]
        if len(created) > CREATIONS:
            raise Refused(
                400, 30034, "Max number of daily application command creates has been reached (200)"
            )
        self._created = created

    def _made(self, raw: Mapping[str, Any], old: Json | None) -> Json:
        blank = {
            "type": 1,
            "description": "",
            "options": [],
            "nsfw": False,
            "default_member_permissions": None,
            "contexts": None,
            # By default all that the application is configured for.
            "integration_types": [GUILD_INSTALL, USER_INSTALL],
            "dm_permission": True,
        }
        own = {
            "id": old["id"] if old else str(self._world.snowflakes.next()),
            "application_id": str(self._world.bot.id),
            "version": str(self._world.snowflakes.next()),
        }
        return blank | {name: each for name, each in raw.items() if each is not None} | own


def _key(command: Mapping[str, Any]) -> tuple[int, str]:
    return command.get("type") or 1, command["name"]
