"""The commands of an application, as it asks for them."""

import json

from tests.sandbox.offences import Json, argument, choice, command
from tests.sandbox.wire import Wire

GERMAN: Json = {"name_localizations": {"de": "spielen"}}
TRANSLATED = command(options=[argument(choices=[choice(**GERMAN)], **GERMAN)], **GERMAN)


async def test_translations_are_sent_to_those_who_ask_for_them() -> None:
    """In a list; whoever sets a command, or looks at a single one, is shown all of it."""
    async with Wire.open() as wire:
        commands = f"/applications/{wire.box.world.bot.id}/commands"
        replies = [
            await wire.put_commands([TRANSLATED]),
            await wire.ask("GET", f"{commands}?with_localizations=true"),
            await wire.ask("GET", f"{commands}/{wire.box.commands.all(0)[0]['id']}"),
            await wire.ask("GET", commands),
            await wire.ask("GET", f"{commands}?with_localizations=false"),
        ]
        told = [json.dumps(reply.body).count("spielen") for reply in replies]
        assert told == [3, 3, 3, 0, 0]
        assert all(reply.status == 200 for reply in replies)
