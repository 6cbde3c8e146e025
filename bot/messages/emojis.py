"""Cards as emojis of the application's own: on buttons, in menus, and in sentences that name them.

A host uploads them once (`upload`); the bot learns at its start which there are, and shows letters for those that are
not. A name at Discord ends in a digest of the drawing, for Discord gives no picture back to compare with. In texts an
emoji goes by the plain name, which is what a screen reader says: Discord finds it by its id alone.
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
"""Pixels. Discord shows 22 of them, 48 in a message of nothing but emojis, twice that on fine screens."""
_OURS: Final = re.compile(r"palmhouse_([a-z0-9_]+)_[0-9a-f]{4}")
_CODE: Final = r"```.*?```|`[^`\n]*`"


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is to be an emoji. The name says the card: letters, digits and underscores, at most 17."""

    name: str
    svg: str

    @property
    def key(self) -> str:
        """Its name at Discord, another one when it is drawn otherwise."""
        return f"palmhouse_{self.name}_{sha256(self.svg.encode()).hexdigest()[:4]}"

    def png(self) -> bytes:
        """The picture, some 12 kB."""
        return encode(sprite(self.svg, SIDE))


class Emojis:
    """A game's cards by what its engine's words call them: ♠Q, 🌴P3."""

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
        """The emoji of a card; None when there is none, and its letters must do."""
        return self._by_words.get(words)

    def within(self, text: str) -> str:
        """Markdown with emojis for the cards it names: those that have a sign of their own, and those that stand in
        bold. Bare letters and digits may mean anything else; code shows no emojis."""
        return self._named.sub(self._drawn, text) if self else text

    def _drawn(self, found: re.Match[str]) -> str:
        if found[0].startswith("`"):
            return found[0]
        return self._card.sub(lambda card: str(self._by_words[card[0]]), found[0])


LETTERS: Final = Emojis({})
"""No emojis."""


def known(drawings: Mapping[str, Drawing], found: Iterable[discord.Emoji]) -> Emojis:
    """Those of the drawings that an application has, by the same words; one drawn otherwise serves until it is
    replaced."""
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
    """Bring the application's emojis up to date; those that are not the bot's own are left alone. What is done is
    done: after an interruption the next run does the rest. `say` is told of progress.

    Returns how many were uploaded and how many deleted. Raises discord.HTTPException for what Discord refuses.
    """
    missing = {drawing.key: drawing for drawing in drawings}
    old = []
    for emoji in await client.fetch_application_emojis():
        up_to_date = missing.pop(emoji.name, None)
        if up_to_date is None and _OURS.fullmatch(emoji.name):
            old.append(emoji)  # of another look, of no card any more, or uploaded twice
    for done, drawing in enumerate(missing.values(), 1):
        picture = await asyncio.to_thread(drawing.png)
        await client.create_application_emoji(name=drawing.key, image=picture)
        say(f"{done} of {len(missing)} uploaded: {drawing.name}")
    for emoji in old:
        await emoji.delete()
        say(f"Deleted: {emoji.name}")
    return len(missing), len(old)
