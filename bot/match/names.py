"""Names of people, made safe to print anywhere: in a sentence, in bold, in a code block, beside other names."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Final

from bot.match.refusal import Refusal
from bot.match.state import Player
from games.letters import END_OF_ISOLATE, ISOLATE, JOINERS, ROBOT, VIRAMA, letters

LONGEST = 20
"""Maximum number of characters of a name that are shown: five names with their scores fit a phone."""

LONGEST_TYPED: Final = 100
"""Maximum number of characters that a person may type at once, or have as a name. The rest of a longer text is not
read, and an option or field that takes more is a fault."""

READER: Final = "You"
"""The word for whoever reads the texts and pictures of a table. Nobody else is called that."""

# Markdown, mentions, links and timestamps all begin with one of these. Escaping would show the backslash in a code
# block and lengthen the name, so each becomes a look-alike that Discord does not read.
LOOK_ALIKES = str.maketrans("*_`~|<>@#:[]()\\", "∗ˍˋ∼∣‹›＠＃：［］（）＼")

_BLANK: Final = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164\uffa0"
"""Letters and marks that cannot be seen."""
_MARKS: Final = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_BEFORE_OWN: Final = f"{ROBOT}{JOINERS}\ufe0e\ufe0f -+."
"""Characters that are left out at the beginning of a player's name."""
_HEAPED: Final = re.compile(f"({_MARKS}{{2}}){_MARKS}+")
"""More accents on one letter than any language uses."""


@lru_cache(1_000)  # the letters of one name take 0.1 ms
def safe(name: str) -> str:
    """Return `name` shortened, without Markdown, mentions, line breaks, invisible characters and heaps of accents. A
    name that is read from right to left is isolated from the sentence around it."""
    return isolated(_cut(printable(name).lstrip("-+. ")) or "Someone")


def chosen_name(typed: str) -> str:
    """Return a name that somebody has typed, as `safe` does. Raises Refusal when nothing of it can be seen."""
    name = safe(typed)
    if name == safe("") != typed.strip():
        raise Refusal("Nothing of that name can be seen. Choose one with letters or numbers.")
    return name


def printable(text: str) -> str:
    """Return the first LONGEST_TYPED characters of a text in one line, without Markdown, mentions, invisible characters
    and heaps of accents. It may be empty."""
    text = text[:LONGEST_TYPED]  # sorting the marks on one letter takes quadratic time
    # Again, as long as that changes anything: normalizing moves marks, and a joiner is visible only after some.
    while (kept := unicodedata.normalize("NFC", _visible(text))) != text:
        text = kept
    return " ".join(_HEAPED.sub(r"\1", kept).split()).translate(LOOK_ALIKES)


def isolated(text: str) -> str:
    """Return `text`, isolated from the sentence around it when it is read from right to left."""
    return f"{ISOLATE}{text}{END_OF_ISOLATE}" if _right_to_left(text) else text


@lru_cache(1_000)  # every text of a table has the names of all its seats
def own_name(name: str) -> str:
    """Return the name of somebody at a table, safe to print, without the mark of computers."""
    # Nor does it begin with what `safe` leaves out before the mark.
    return safe(printable(name).lstrip(_BEFORE_OWN))


def seat_names(players: Iterable[Player]) -> list[str]:
    """Return the players' names by seat, safe to print, those that a computer plays with its mark. Equal names are
    numbered from the second on, and READER is the first one of its kind."""
    seats = [*players]
    own = distinct_names([READER, *(own_name(player.name) for player in seats)])[1:]
    return [f"{ROBOT} {name}" if player.strength else name for name, player in zip(own, seats, strict=True)]


def distinct_names(names: Iterable[str]) -> list[str]:
    """Return the names. Equal ones are numbered from the second on: "Alice (2)"."""
    shown: list[str] = []
    for name in names:
        alike = sum(other == name or other.startswith(f"{name} (") for other in shown)
        shown.append(f"{name} ({alike + 1})" if alike else name)
    return shown


def _visible(name: str) -> str:
    """Return the visible characters, spaces, and joiners where they join something."""
    kept = ""
    for character, after in pairwise(f"{name} "):
        seen = unicodedata.category(character)[0] != "C" and character not in _BLANK
        joins = character in JOINERS and kept != "" and _join(kept[-1], after)
        kept += character * (seen or joins or character.isspace())
    return kept


def _join(before: str, after: str) -> bool:
    """Return whether a joiner between these characters changes them: emojis, Indian letters, Arabic letters."""
    emojis = before == "\ufe0f" or unicodedata.category(before) in ("So", "Sk")
    conjunct = unicodedata.combining(before) == VIRAMA and after.isalpha()
    arabic = unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"
    return (emojis and unicodedata.category(after) == "So") or conjunct or arabic


def _cut(name: str) -> str:
    """Return the first whole letters of a name, up to LONGEST; if its first letter alone is longer, a part of that."""
    kept = ""
    for letter in letters(name):
        if len(kept + letter) > LONGEST:
            break
        kept += letter
    return (kept or name[:LONGEST]).strip(f" {JOINERS}")


def _right_to_left(name: str) -> bool:
    return any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in name)
