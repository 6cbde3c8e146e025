"""Names of people, made safe to print anywhere: in a sentence, in bold, in a code block, beside other names."""

import unicodedata

ROBOT = "🤖"
"""The sign before a computer's name, in text; in pictures it is drawn (`bot.pictures.painting.write`)."""

LONGEST = 20
"""Characters of a name that are shown: five names and their scores fit a phone."""

# Markdown, mentions, links and timestamps all begin with one of these. Escaping would show the backslash in a code
# block and lengthen the name, so each becomes a look-alike that Discord does not read.
LOOK_ALIKES = str.maketrans("*_`~|<>@#:[]()\\", "∗ˍˋ∼∣‹›＠＃：［］（）＼")


def safe(name: str) -> str:
    """`name` without Markdown, mentions, line breaks, invisible and direction marks, and not overlong."""
    kept = "".join(c if c.isspace() or unicodedata.category(c)[0] != "C" else "" for c in name)
    return " ".join(kept.split()).lstrip("-+.").translate(LOOK_ALIKES)[:LONGEST].strip() or "Someone"
