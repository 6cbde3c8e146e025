"""Texts that people type: each has a length where it is declared, and reading one takes no more than linear time."""

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FrameType
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

UNSAID: Final = 6_000
"""Characters that Discord lets people type where nothing else is said."""
LONG: Final = 100_000
"""Characters of a text that takes a hundredth of a second to read, and ten seconds if the work is quadratic."""
MOST: Final = 1.0
"""Seconds of the processor after which a reading is given up."""

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


def is_read(read: Callable[[str], Any], text: str) -> bool:
    """Return whether a text is read or refused before the reading is given up."""
    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST)
    try:
        with suppress(Refusal, Illegal):
            read(text)
    except TimeoutError:
        return False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return True


def give_up(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


def texts(nasty: str) -> Iterator[str]:
    """Yield long texts of a nasty part again and again, alone and in the place of an argument."""
    for before, after in (("", ""), ("a", "!"), ("bid 7", "x"), ("hand ", " 7")):
        yield f"{before}{nasty * (LONG // len(nasty))}{after}"


@pytest.mark.parametrize("nasty", NASTY.values(), ids=NASTY)
def test_reading_a_text_of_a_person_takes_no_more_than_linear_time(nasty: str) -> None:
    readings = [(name, read, text) for name, read in READERS.items() for text in texts(nasty)]
    assert [(name, text[:20]) for name, read, text in readings if not is_read(read, text)] == []


def test_a_reading_of_quadratic_time_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.MOST", 0.05)
    assert not is_read(re.compile(r" +x").search, " " * LONG)


async def test_every_text_option_of_a_command_has_a_length() -> None:
    found = [option for command in await commands() for option in text_options(command)]
    assert len(found) > 10
    assert [each["name"] for each in found if each.get("max_length", UNSAID) > LONGEST_TYPED] == []


def text_options(command: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the options of a command, and of the commands in it, into which a person types a text of their own."""
    for option in command.get("options", ()):
        if option["type"] == STRING and not option.get("choices"):
            yield option
        yield from text_options(option)
