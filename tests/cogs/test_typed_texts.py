"""Texts that people type: each has a length where it is declared, and reading one takes no more than linear time."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from math import inf
from typing import Any, Final

import pytest

from bot.match.names import LONGEST_TYPED, chosen_name, printable, safe
from bot.match.refusal import Refusal
from bot.messages.custom_ids import CustomId
from cogs.common.matches import match_meant
from cogs.standings.first_day import first_moment
from cogs.twin_it.pages import numbers
from cogs.twin_palms.cog import TwinPalms
from games import GAMES, Illegal
from sandbox.command_checks import STRING
from tests.cogs.test_commands import commands

SHORT: Final = 6_000
"""Characters that Discord lets people type where nothing else is said."""
GROWTH: Final = 6
"""Factor by which the text is longer at the second time. The square of it is that of quadratic work."""
MOST: Final = 2.5 * GROWTH
"""Factor of the work from which on it is more than linear."""
LEAST: Final = 0.0002
"""Seconds of work that are too few to be measured."""
TRIES: Final = 50
"""Number of measurements, of which the least count: a machine can be busy, or slow for a while."""

READERS: Final[dict[str, Callable[[str], Any]]] = {
    **{f"a move of {slug}": game.parse for slug, game in GAMES.items()},
    "a name": safe.__wrapped__,
    "a chosen name": chosen_name,
    "a cut": printable,
    "numbers of faces": numbers,
    "points": lambda text: TwinPalms.options(object.__new__(TwinPalms), {"exact_points": text}),
    "a first day": lambda text: first_moment(text, 0),
    "a match": match_meant,
    "a custom id": CustomId.read,
}
NASTY: Final = {
    "blanks": " ",
    "line breaks": "\n",
    "signs between blanks": " = ",
    "equals signs": "=",
    "digits": "7",
    "numbers": "7 ",
    "commas": ",",
    "bids": "7x",
    "words": "bid ",
    "cards": "+P3 ",
    "melds": " and go out",
    "hyphens": "-",
    "parentheses": " (2)",
    "accents": "\u0301",
    "accents above and below": "\u0301\u0323",
    "marks outside any heap": "\u05b0\u05bf",
    "bidirectional marks": "\u202e",
    "isolates": "\u2068",
    "joiners": "\u200d",
    "joined emojis": "\u200d💥",
    "flags": "\U0001f1eb",
    "Hangul": "\u1112",
    "ligatures": "\ufdfa",
    "sharp s": "ß",
    "markdown": "*_",
}


def seconds(read: Callable[[str], Any], text: str) -> float:
    """Return the processor time of reading a text."""
    begun = time.process_time()
    with suppress(Refusal, Illegal):
        read(text)
    return time.process_time() - begun


def texts(nasty: str) -> Iterator[tuple[str, str]]:
    """Yield texts of a nasty part again and again, alone and in the place of an argument, each with a longer one."""
    for before, after in (("", ""), ("a", "!"), ("bid 7", "x"), ("hand ", " 7")):
        yield (
            f"{before}{nasty * (SHORT // len(nasty))}{after}",
            f"{before}{nasty * (GROWTH * SHORT // len(nasty))}{after}",
        )


def is_linear(read: Callable[[str], Any], short: str, long: str) -> bool:
    """Return whether the work grows no faster than the text."""
    least = [inf, inf]
    for _ in range(TRIES):
        least = [min(one, seconds(read, text)) for one, text in zip(least, (short, long), strict=True)]
        if least[1] < MOST * max(least[0], LEAST):
            return True
    return False


@pytest.mark.parametrize("nasty", NASTY.values(), ids=NASTY)
def test_reading_a_text_of_a_person_takes_no_more_than_linear_time(nasty: str) -> None:
    slow = [
        (name, short[:20])
        for name, read in READERS.items()
        for short, long in texts(nasty)
        if not is_linear(read, short, long)
    ]
    assert slow == []


async def test_every_text_option_of_a_command_has_a_length() -> None:
    found = [option for command in await commands() for option in text_options(command)]
    assert len(found) > 10
    assert [each["name"] for each in found if each.get("max_length", SHORT) > LONGEST_TYPED] == []


def text_options(command: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the options of a command, and of the commands in it, into which a person types a text of their own."""
    for option in command.get("options", ()):
        if option["type"] == STRING and not option.get("choices"):
            yield option
        yield from text_options(option)
