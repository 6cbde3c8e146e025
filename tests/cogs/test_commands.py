"""The slash commands as Discord is told them. A change of `commands.json` is a change that every server sees.

`python -m tests.cogs.test_commands` writes the file anew.
"""

import asyncio
import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from bot.client import Palmhouse
from bot.store import open_store
from games import GAMES, AnyGame
from tests.toy import GAME as TOY

KNOWN = Path(__file__).parent / "commands.json"


async def commands(*extra: str) -> list[dict[str, Any]]:
    """Return every command of the bot, and of `extra` cogs, as it is sent to Discord."""
    with TemporaryDirectory() as folder:
        store = await open_store(Path(folder) / "commands.db")
        async with Palmhouse(store, extra_cogs=extra) as bot:
            await bot.add_cogs()
            found = [command.to_dict(bot.tree) for command in bot.tree.get_commands()]
    return sorted(found, key=lambda command: str(command["name"]))


async def test_discord_is_told_the_commands_that_it_knows() -> None:
    assert json.loads(json.dumps(await commands())) == json.loads(KNOWN.read_text(encoding="utf-8"))


async def test_the_options_of_a_new_game_are_those_of_its_start_without_a_word_in_its_cog() -> None:
    (toy,) = [each for each in await commands("tests.toy.cog") if each["name"] == TOY.slug]
    start, rules = toy["options"]
    assert [each["name"] for each in start["options"]] == ["hands", "computers", "strength", "pace"]
    assert start["options"][0] | {"type": 4, "min_value": 1, "max_value": 5} == start["options"][0]
    assert start["options"][0]["description"] == TOY.Options.model_fields["hands"].description
    assert rules["options"] == []


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_description_that_names_a_default_names_the_right_one(game: AnyGame) -> None:
    for name, value in game.Options.usual().items():
        said = re.search(r"\(default: ([^);]+)", game.Options.model_fields[name].description)
        assert said is None or value is None or said[1] == _said(value)


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


if __name__ == "__main__":
    told = json.dumps(asyncio.run(commands()), indent=1, ensure_ascii=False)
    KNOWN.write_text(told + "\n", encoding="utf-8")
