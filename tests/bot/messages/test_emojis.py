"""Cards as emojis: their names, their places in sentences, and their upload."""

import re
from collections.abc import AsyncIterator, Iterator
from itertools import combinations

import discord
import pytest
from PIL import Image, ImageChops

from bot.cli.start import card_drawings
from bot.messages.custom_ids import CustomId
from bot.messages.emojis import LETTERS, Emojis, upload, uploaded
from bot.messages.panel import MOST_TEXT, Panel, card_button, row, shown, text
from bot.pictures.emoji import EmojiDrawing, paint
from bot.pictures.emoji_tile import emoji_tile
from bot.pictures.encoding import encode
from bot.pictures.picture import Picture
from bot.pictures.raster import sprite
from bot.pictures.worker_client import WorkerClient
from cogs.charms.cog import Charms
from cogs.common.game import GameCog
from cogs.palace.cog import Palace
from cogs.palmer.cog import Palmer
from cogs.thirty_one.cog import ThirtyOne
from cogs.twin_palms.cog import TwinPalms
from sandbox import TOKEN, Sandbox
from tests.bot.messages.uploaded import put
from tests.sandbox.bots import point_at

CARDS = [
    EmojiDrawing(name, emoji_tile(f"<circle r='{size}'/>"))
    for size, name in enumerate(("ace", "king", "queen"), 9)
]
EMOJIS = Emojis(
    {
        words: discord.PartialEmoji(name=name, id=id_)
        for id_, (words, name) in enumerate(
            {"♠Q": "queen", "♥1": "one", "♥10": "ten", "9": "nine"}.items(), 1
        )
    }
)


# Names and drawings


def test_every_card_has_a_name_that_discord_accepts_and_a_screen_reader_can_say() -> None:
    drawings = card_drawings()
    assert len(drawings) == 52 + 36 + 12 + 13
    for drawing in drawings:
        assert re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", drawing.name)
        assert 2 <= len(drawing.key) <= 32
    assert len({drawing.key for drawing in drawings}) == len(drawings)


def test_cards_with_the_same_name_have_the_same_drawing_in_all_games_so_each_is_uploaded_once() -> None:
    drawn = {
        each for game in (Charms, Palace, Palmer, ThirtyOne, TwinPalms) for each in game.drawings.values()
    }
    assert sorted(each.name for each in drawn) == sorted({each.name for each in drawn})


@pytest.mark.parametrize("game", [Charms, Palace, Palmer, TwinPalms], ids=lambda game: game.__name__)
def test_at_22_pixels_no_two_emojis_of_a_game_look_alike(game: type[GameCog]) -> None:
    grey = [sprite(drawing.svg, 22).convert("L") for drawing in game.drawings.values()]
    for one, other in combinations(grey, 2):
        assert sum(ImageChops.difference(one, other).histogram()[60:]) >= 8


def test_an_emoji_with_another_drawing_has_another_name_at_discord() -> None:
    assert EmojiDrawing("ace", emoji_tile("")).key != EmojiDrawing("ace", emoji_tile("<g/>")).key


# In sentences


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Ben takes ♠Q.", "Ben takes <:queen:1>."),
        ("♥10 ♥1, ♠Q?", "<:ten:3> <:one:2>, <:queen:1>?"),
        ("Ben plays **9 9** from the table", "Ben plays **<:nine:4> <:nine:4>** from the table"),
        ("Ben has 9 points, 9 of 9", "Ben has 9 points, 9 of 9"),
        ("**9 points**, **19**, **1.** Ben", "**9 points**, **19**, **1.** Ben"),
        ("`♠Q` and\n```\n♠Q ♥1\n```\n♠Q", "`♠Q` and\n```\n♠Q ♥1\n```\n<:queen:1>"),
        ("♠ 20, Queen", "♠ 20, Queen"),
    ],
)
def test_emojis_stand_where_a_sentence_names_cards_and_nowhere_else(said: str, shown: str) -> None:
    assert EMOJIS.within(said) == shown
    assert LETTERS.within(said) == said


def test_a_message_that_emojis_would_make_too_long_keeps_its_letters() -> None:
    fits = Panel(text("♠Q" * 100), text("x" * (MOST_TEXT - 1000)))
    too_long = Panel(text("♠Q" * 100), text("x" * (MOST_TEXT - 999)))
    before = too_long.payload()
    assert "<:queen:1>" in str(fits.illustrate(EMOJIS).payload())
    assert too_long.illustrate(EMOJIS).payload() == before


def test_emojis_leave_room_for_the_words_that_stand_for_a_late_picture() -> None:
    def in_words(letters: int) -> int:
        late = shown(Picture("hand", "x" * letters, Image.Image))
        words = Panel(text("♠Q" * 300), late).illustrate(EMOJIS).in_words()
        return len(words.texts())

    assert in_words(1000) == len("<:queen:1>" * 300) + 1 + 1000
    assert in_words(1001) == len("♠Q" * 300) + 1 + 1001


def test_a_panel_without_its_emojis_equals_one_made_without_them() -> None:
    def panel(emojis: Emojis) -> Panel:
        return Panel(row(card_button("♠Q", "Take", CustomId("take", 1), emojis)))

    shown = panel(EMOJIS)
    assert shown.payload() != panel(LETTERS).payload()
    assert shown.take_emojis_off()
    assert shown.payload() == panel(LETTERS).payload()
    assert not shown.take_emojis_off()


# Uploading


@pytest.fixture
async def box(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    async with Sandbox(rate_limits=False) as box:
        point_at(box, monkeypatch)
        yield box
        assert box.complaints == []


@pytest.fixture
def rasterizer() -> Iterator[WorkerClient]:
    client = WorkerClient()
    yield client
    client.close()


@pytest.fixture
async def host(box: Sandbox) -> AsyncIterator[discord.Client]:
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        await client.login(TOKEN)
        yield client


def there(box: Sandbox) -> list[str]:
    return sorted(emoji.name for emoji in box.world.emojis.values())


def keys(*drawings: EmojiDrawing) -> list[str]:
    return sorted(drawing.key for drawing in drawings)


def silent(_: str) -> None: ...


async def test_missing_emojis_are_uploaded_and_the_second_run_has_nothing_to_do(
    box: Sandbox, host: discord.Client, rasterizer: WorkerClient
) -> None:
    said: list[str] = []
    assert await upload(host, rasterizer, CARDS, said.append) == (3, 0)
    assert there(box) == keys(*CARDS)
    assert said == ["1 of 3 uploaded: ace", "2 of 3 uploaded: king", "3 of 3 uploaded: queen"]
    pictures = [emoji.picture for emoji in box.world.emojis.values()]
    assert await upload(host, rasterizer, CARDS, silent) == (0, 0)
    assert (
        [emoji.picture for emoji in box.world.emojis.values()]
        == pictures
        == [encode(paint(each)) for each in CARDS]
    )


async def test_an_outdated_emoji_is_replaced_and_one_without_a_card_deleted(
    box: Sandbox, host: discord.Client, rasterizer: WorkerClient
) -> None:
    _, king, _ = CARDS
    await upload(host, rasterizer, CARDS, silent)
    redrawn = EmojiDrawing("ace", emoji_tile("<g/>"))
    assert await upload(host, rasterizer, [redrawn, king], silent) == (1, 2)
    assert there(box) == keys(redrawn, king)


async def test_emojis_that_are_not_the_bots_own_stay(
    box: Sandbox, host: discord.Client, rasterizer: WorkerClient
) -> None:
    others = [emoji.name for emoji in put(box, "ace", "palmhouse", "palmhouse_logo", "my_palmhouse_ace_beef")]
    await upload(host, rasterizer, CARDS, silent)
    await upload(host, rasterizer, [], silent)
    assert there(box) == sorted(others)


async def test_of_an_emoji_that_was_uploaded_twice_one_is_kept(
    box: Sandbox, host: discord.Client, rasterizer: WorkerClient
) -> None:
    put(box, *keys(*CARDS), *keys(*CARDS))
    assert await upload(host, rasterizer, CARDS, silent) == (0, 3)
    assert there(box) == keys(*CARDS)


async def test_after_an_interruption_the_next_run_does_the_rest(
    box: Sandbox, host: discord.Client, rasterizer: WorkerClient
) -> None:
    class Interrupted(Exception): ...

    def interrupt(_: str) -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        await upload(host, rasterizer, CARDS, interrupt)
    box.fail("POST", "/emojis$", 503)
    with pytest.raises(discord.DiscordServerError):
        await upload(host, rasterizer, CARDS, silent)
    assert there(box) == keys(CARDS[0])
    assert await upload(host, rasterizer, CARDS, silent) == (2, 0)
    assert there(box) == keys(*CARDS)


async def test_a_rate_limit_is_waited_for(
    box: Sandbox, host: discord.Client, rasterizer: WorkerClient
) -> None:
    box.fail("POST", "/emojis$", 429, times=2)
    assert await upload(host, rasterizer, CARDS, silent) == (3, 0)
    assert there(box) == keys(*CARDS)


# Finding uploaded emojis


async def test_an_emoji_with_an_older_drawing_is_used_until_it_is_replaced(
    box: Sandbox, host: discord.Client, rasterizer: WorkerClient
) -> None:
    old = put(box, "palmhouse_ace_0000", "king", "palmhouse_of_old_0000")
    emojis = uploaded({"♠A": CARDS[0], "♠K": CARDS[1]}, await host.fetch_application_emojis())
    assert str(emojis.get("♠A")) == f"<:ace:{old[0].id}>"
    assert emojis.get("♠K") is None
    assert emojis.within("♠A ♠K") == f"<:ace:{old[0].id}> ♠K"
