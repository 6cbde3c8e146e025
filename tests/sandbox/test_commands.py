"""Requests for the commands of an application."""

import json

from tests.sandbox.refused_payloads import Json, argument, choice, command
from tests.sandbox.wire import Wire

GERMAN: Json = {"name_localizations": {"de": "spielen"}}
TRANSLATED = command(options=[argument(choices=[choice(**GERMAN)], **GERMAN)], **GERMAN)


async def test_translations_are_sent_if_the_query_asks_for_them() -> None:
    """The query matters only for lists: answers about a single command always contain the translations."""
    async with Wire.open() as wire:
        commands = f"/applications/{wire.box.world.bot.id}/commands"
        replies = [
            await wire.put_commands([TRANSLATED]),
            await wire.ask("GET", f"{commands}?with_localizations=true"),
            await wire.ask("GET", f"{commands}/{wire.box.commands.all(0)[0]['id']}"),
            await wire.ask("GET", commands),
            await wire.ask("GET", f"{commands}?with_localizations=false"),
        ]
        numbers = [json.dumps(reply.body).count("spielen") for reply in replies]
        assert numbers == [3, 3, 3, 0, 0]
        assert all(reply.status == 200 for reply in replies)
