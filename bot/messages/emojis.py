"""Emojis of cards, owned by the application: on buttons, in menus and in texts that name cards.

A host uploads them once (`upload`). The bot fetches the list at its start, and shows letters for cards without an
emoji. A name at Discord ends in a digest of the drawing, as Discord does not return the picture for comparison. In
texts an emoji has the plain name, which screen readers speak: Discord finds it by its id.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import discord

from bot.pictures import encode, sprite

SIDE: Final = 128
"""Side of a picture, in pixels. Discord shows an emoji at 22 or 48 pixels, on some screens at twice that."""
_OURS: Final = re.compile(r"palmhouse_([a-z0-9_]+)_[0-9a-f]{4}")
_CODE: Final = r"```.*?```|`[^`\n]*`"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing to upload as an emoji. `name` is that of the card: at most 17 letters, digits and underscores."""

    name: str
    svg: str

    @property
    def key(self) -> str:
        """Name at Discord; it changes with the drawing."""
        return f"palmhouse_{self.name}_{sha256(self.svg.encode()).hexdigest()[:4]}"

    def png(self) -> bytes:
        """Return the picture, about 12 kB."""
        return encode(sprite(self.svg, SIDE))


class Emojis:
    """Emojis of a game's cards, by the names of the cards in the engine's texts: ♠Q, 🌴P3."""

    def __init__(self, by_words: Mapping[str, discord.PartialEmoji]) -> None:
        self._by_words = by_words
        longest_first = sorted(by_words, key=len, reverse=True)
        card = "|".join(map(re.escape, longest_first))
        signed = [re.escape(words) for words in longest_first if not words.isascii()]
        bold = rf"(?<=\*\*)(?:{card})(?: (?:{card}))*(?=\*\*)"
        self._card = re.compile(card)
        self._named = re.compile("|".join([_CODE, bold, *signed]), re.DOTALL)

    def __bool__(self) -> bool:
        return bool(self._by_words)

    def get(self, words: str) -> discord.PartialEmoji | None:
        """Return the emoji of a card; None if there is none."""
        return self._by_words.get(words)

    def within(self, text: str) -> str:
        """Return Markdown with emojis for the cards that it names.

        Names with a sign are replaced everywhere, plain letters and digits only in bold, as they may mean something
        else. Code stays as it is: Discord shows no emojis there.
        """
        return self._named.sub(self._drawn, text) if self else text

    def _drawn(self, found: re.Match[str]) -> str:
        if found[0].startswith("`"):
            return found[0]
        return self._card.sub(lambda card: str(self._by_words[card[0]]), found[0])


LETTERS: Final = Emojis({})
"""The empty set: cards are shown by letters."""


def known(drawings: Mapping[str, Drawing], found: Iterable[discord.Emoji]) -> Emojis:
    """Return the emojis that an application has for these drawings, by the same names. An older drawing of a card
    counts, too."""
    ids = {match[1]: each.id for each in found if (match := _OURS.fullmatch(each.name))}
    return Emojis(
        {
            words: discord.PartialEmoji(name=drawing.name, id=ids[drawing.name])
            for words, drawing in drawings.items()
            if drawing.name in ids
        }
    )


async def upload(
    client: discord.Client, drawings: Iterable[Drawing], say: Callable[[str], None]
) -> tuple[int, int]:
    """Upload missing emojis and delete old ones of the bot. An interrupted run can be repeated.

    `say` is called with lines about the progress. Returns the numbers of emojis uploaded and deleted. Raises
    discord.HTTPException if Discord refuses one.
    """
    missing = {drawing.key: drawing for drawing in drawings}
    old = []
    for emoji in await client.fetch_application_emojis():
        up_to_date = missing.pop(emoji.name, None)
        if up_to_date is None and _OURS.fullmatch(emoji.name):
            old.append(emoji)  # an older drawing, a card that is gone, or uploaded twice
    for done, drawing in enumerate(missing.values(), 1):
        picture = await asyncio.to_thread(drawing.png)
        await client.create_application_emoji(name=drawing.key, image=picture)
        say(f"{done} of {len(missing)} uploaded: {drawing.name}")
    for emoji in old:
        await emoji.delete()
        say(f"Deleted: {emoji.name}")
    return len(missing), len(old)
