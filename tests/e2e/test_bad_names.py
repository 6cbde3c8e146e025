"""Names that contain formatting, mentions or right-to-left marks: every game prints them as plain text."""

import re

import pytest

from bot.match.names import safe
from games import GAMES
from games.letters import END_OF_ISOLATE, ISOLATE
from sandbox import Person
from tests.e2e.match import Match
from tests.e2e.players import shown, text_and_alt
from tests.toy import GAME as TOY

NAMES = [
    ("**`bold`**", "__||hidden||__"),
    ("@everyone", "<@{other}>"),
    ("\u202eevil", "a\u200bb\n# c"),
    ("[gift](https://evil.example)", "<:x:1> <t:0:R>"),
    ("- # > 1. x", "~~" * 16),
    ("\u2800", "Z̸̡͝a̵l̶g̷o"),
    ("same", "same"),
    ("\u202eمحمد علي", "דוד **(3)**"),
]
FORBIDDEN = ("@everyone", "\u202e", "\u200b", "**`", "__||", "](", "<:x", "<t:", "~~", "\n# c")
LINK = re.compile(r" · \[see how it ended\]\(https://discord\.com/channels/[\d/]+\)")
"""Markdown that the bot itself writes at the end of a match."""


def public(match: Match) -> list[str]:
    """Return the text of every public message of the bot."""
    world = match.box.world
    logs = (message for place in world.channels.values() for message in place.log.values())
    return [each.text for each in logs if each.author is world.bot and not each.ephemeral]


def is_harmless(text: str, *people: Person) -> bool:
    """Return whether the text contains only names that nothing can interpret. Calls are skipped, as they mention on
    purpose."""
    for person in people:
        text = text.replace(person.mention, "")
    isolated = text.count(ISOLATE) == text.count(END_OF_ISOLATE)
    return isolated and not any(part in text for part in (*FORBIDDEN, "<@"))


def rename_players(match: Match, names: tuple[str, str]) -> None:
    """Give the first two people these names."""
    one, two = match.here.people[:2]
    one.user.name, two.user.name = names[0].format(other=two.id), names[1].format(other=one.id)


# The bot makes names safe in one place, so one game is tested with all of them; each game shows that it prints them.
EVERYWHERE = [(game, NAMES[0]) for game in GAMES.values()] + [(TOY, names) for names in NAMES]


@pytest.mark.parametrize(("game", "names"), EVERYWHERE, indirect=["game"])
async def test_names_are_printed_as_plain_text(match: Match, names: tuple[str, str]) -> None:
    rename_players(match, names)
    await match.deal()
    await match.check_that_play_continues()
    assert safe(match.people[0].name) in match.card.text
    for text in public(match):
        assert is_harmless(text, *match.people), text
    for person in match.people:
        calls = [each for each in person.pings if f"{person.mention}" not in each.text]
        assert calls == []
    assert match.watcher.pings == []


@pytest.mark.parametrize("names", NAMES[:3])
async def test_the_results_print_names_as_plain_text(match: Match, names: tuple[str, str]) -> None:
    rename_players(match, names)
    await match.deal()
    await match.finish()
    board = await match.watcher.slash(match.here.room, "leaderboard")
    tables = await match.people[0].slash(match.here.room, "tables")
    for text in (text_and_alt(shown(board)), tables.text, *(LINK.sub("", each) for each in public(match))):
        assert is_harmless(text, *match.people), text
    assert safe(match.people[0].name) in text_and_alt(shown(board))


async def test_people_play_under_their_nicknames(match: Match) -> None:
    match.here.people[0].rename(match.here.guild, "The Ace")
    await match.gather()
    assert "The Ace" in match.card.text
    assert "Alice" not in match.card.text
