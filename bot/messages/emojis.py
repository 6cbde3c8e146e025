"""Cards as emojis of the Discord application: on buttons, in menus, and in sentences that name cards.

They are uploaded once, when the bot is set up (`upload`). At its start the bot asks Discord which of them exist; all
other cards are shown as letters. The name of an emoji at Discord ends in a digest of its SVG, because Discord does not
return the picture to compare it. In texts an emoji has the plain name of its card, for screen readers: Discord finds an
emoji by its id.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import discord

from bot.pictures.emoji import EmojiDrawing
from bot.pictures.worker_client import WorkerClient

PAUSE: Final = 0.04
"""Seconds after each upload, which leave room within Discord's 50 requests a second."""
_OURS: Final = re.compile(r"palmhouse_([a-z0-9_]+)_[0-9a-f]{4}")
_CODE: Final = r"```.*?```|`[^`\n]*`"


class Emojis:
    """The emojis of a game's cards, by the names that its engine gives the cards in texts: ♠Q, 🌴P3."""

    def __init__(self, by_words: Mapping[str, discord.PartialEmoji]) -> None:
        self._by_words = by_words
        longest_first = sorted(by_words, key=len, reverse=True)
        card = "|".join(map(re.escape, longest_first))
        signed = [re.escape(words) for words in longest_first if not words.isascii()]
        # A name of plain letters and digits is replaced only in bold: elsewhere it can mean something else.
        bold = rf"(?<=\*\*)(?:{card})(?: (?:{card}))*(?=\*\*)"
        self._card = re.compile(card)
        self._named = re.compile("|".join([_CODE, bold, *signed]), re.DOTALL)

    def __bool__(self) -> bool:
        return bool(self._by_words)

    def get(self, words: str) -> discord.PartialEmoji | None:
        """Return the emoji of a card, or None when it has none and is shown as letters."""
        return self._by_words.get(words)

    def within(self, text: str) -> str:
        """Return Markdown with emojis in place of the names of cards."""
        return self._named.sub(self._replaced, text) if self else text

    def _replaced(self, found: re.Match[str]) -> str:
        if found[0].startswith("`"):  # code shows no emojis
            return found[0]
        return self._card.sub(lambda card: str(self._by_words[card[0]]), found[0])


LETTERS: Final = Emojis({})
"""No emojis: all cards are shown as letters."""


def uploaded(drawings: Mapping[str, EmojiDrawing], found: Iterable[discord.Emoji]) -> Emojis:
    """Return the emojis that the application has for these drawings, by names of cards as in `drawings`.

    An emoji with an older drawing of the card is used until `upload` replaces it."""
    ids = {match[1]: each.id for each in found if (match := _OURS.fullmatch(each.name))}
    return Emojis(
        {
            words: discord.PartialEmoji(name=drawing.name, id=ids[drawing.name])
            for words, drawing in drawings.items()
            if drawing.name in ids
        }
    )


async def upload(
    client: discord.Client,
    rasterizer: WorkerClient,
    drawings: Iterable[EmojiDrawing],
    say: Callable[[str], None],
) -> tuple[int, int]:
    """Upload missing emojis and delete outdated ones. Emojis that are not the bot's own stay.

    After an interruption the next run does the rest. `say` is called with a line of text for each emoji. Returns the
    number of uploaded and the number of deleted emojis. Raises discord.HTTPException when Discord refuses one,
    DrawingFailed when one cannot be drawn.
    """
    missing = {drawing.key: drawing for drawing in drawings}
    old = []
    for emoji in await client.fetch_application_emojis():
        up_to_date = missing.pop(emoji.name, None)
        if up_to_date is None and _OURS.fullmatch(emoji.name):
            old.append(emoji)  # an older drawing, a card that no longer exists, or uploaded twice
    for done, drawing in enumerate(missing.values(), 1):
        (picture,) = await rasterizer.draw([drawing.picture])
        await client.create_application_emoji(name=drawing.key, image=picture)
        say(f"{done} of {len(missing)} uploaded: {drawing.name}")
        await asyncio.sleep(PAUSE)
    for emoji in old:
        await emoji.delete()
        say(f"Deleted: {emoji.name}")
    return len(missing), len(old)
