"""Pictures: SVG becomes sprites, pictures become PNG, and text is set in the bot's own typeface."""

import json
import subprocess
import sys
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from bot.messages.panel import Panel, box, shown, text
from bot.pictures import banner, hand, score_sheet, strip, table
from bot.pictures.artwork import Artwork
from bot.pictures.drawing import picture_of
from bot.pictures.encoding import encode
from bot.pictures.fonts import font
from bot.pictures.line import cut_to_fit
from bot.pictures.painting import WIDTH, card_height, paint_card, width_of, write
from bot.pictures.palette import palette, quantized
from bot.pictures.raster import Sprites, sprite
from bot.pictures.scene import (
    Banner,
    DrawnCard,
    Group,
    HandScene,
    LaidCards,
    Pile,
    ScoreSheet,
    SeatedPlayer,
    Strip,
    TableScene,
)
from bot.pictures.strip import WORDS
from bot.pictures.worker_client import WorkerClient
from tests.bot.pictures.written import smallest_words

DISC = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="{}"/></svg>'
WORD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><text y="16" font-size="16"{}>Ag7</text></svg>'


def disc(colour: str) -> Artwork:
    return Artwork(__name__, "disc_svg", (colour,))


def disc_svg(colour: str) -> str:
    return DISC.format(colour)


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


def test_a_sprite_is_as_wide_as_it_is_asked_for() -> None:
    assert sprite(DISC.format("red"), 48).size == (48, 48)
    assert sprite(WORD.format(""), 80).size == (80, 40)


@pytest.mark.parametrize(("wide", "at_the_top"), [(150, True), (104, False), (70, False)])
def test_a_badge_hides_nothing_of_the_rank_at_the_top_left(wide: int, at_the_top: bool) -> None:
    """The rank of a small card takes two thirds of its width."""
    bare, counted = (Image.new("RGB", (240, 300)) for _ in range(2))
    card = DrawnCard(disc("red"), "10")
    paint_card(bare, card, 40, 40, wide)
    paint_card(counted, card.counted(2), 40, 40, wide)
    box = ImageChops.difference(bare, counted).getbbox()
    assert box is not None
    left, top, _, _ = box
    assert (top < 40) is at_the_top
    assert left > 40 + wide / 2 if at_the_top else top > 40 + card_height(wide) / 2


def test_invalid_svg_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown token"):
        sprite("a palm", 30)


def test_the_rasterizer_knows_no_discord() -> None:
    code = (
        "import sys, bot.pictures.rasterizer, cogs.twin_it.spread, cogs.twin_it.overview; print(*sys.modules)"
    )
    known = subprocess.check_output((sys.executable, "-c", code), text=True)
    assert "discord" not in known.split()


def test_the_cache_keeps_what_was_used_last_within_its_bytes() -> None:
    two = Sprites(2 * 4 * 10 * 10)
    red, _green = two.sprite(DISC.format("red"), 10), two.sprite(DISC.format("green"), 10)
    assert two.sprite(DISC.format("red"), 10) is red
    two.sprite(DISC.format("blue"), 10)
    assert two.kept_bytes() == 800
    assert two.sprite(DISC.format("red"), 10) is red


def test_text_in_svg_is_set_in_the_bots_typeface_whatever_family_it_names() -> None:
    plain = sprite(WORD.format(""), 80)
    assert plain.getbbox() is not None
    assert plain.tobytes() == sprite(WORD.format(' font-family="Inter"'), 80).tobytes()
    assert plain.tobytes() == sprite(WORD.format(' font-family="sans-serif"'), 80).tobytes()
    assert plain.tobytes() != sprite(WORD.format(' font-weight="700"'), 80).tobytes()


def test_a_picture_is_encoded_without_loss_transparency_too() -> None:
    disc = sprite(DISC.format("red"), 40)
    assert opened(encode(disc)).tobytes() == disc.tobytes()


def test_a_palette_keeps_its_colours_and_takes_the_nearest_one_for_others() -> None:
    image = Image.new("RGB", (3, 1))
    for x, colour in enumerate(("#ffcb2e", "#1f3d36", "#8e8430")):
        image.paste(colour, (x, 0, x + 1, 1))
    colours = palette(["#ffcb2e", "#1f3d36"], [("#ffcb2e", "#1f3d36", 0.5)])
    back = opened(encode(quantized(image, colours)))
    assert back.mode == "P"
    assert back.convert("RGB").tobytes().hex(" ", 3) == "ffcb2e 1f3d36 8f8432"


def test_pictures_have_equal_names_if_and_only_if_they_show_the_same() -> None:
    one, same, other = (picture_of(Banner(title, (KING,))).name for title in ("Palms", "Palms", "Charms"))
    assert one == same
    assert one != other
    assert one == "banner-1f579b269886c552.png", "names stay the same from one start of the bot to the next"


async def test_a_panel_carries_its_pictures_wherever_they_stand() -> None:
    picture = replace(picture_of(Banner("Palms", (KING,))), alt="the three of palms")
    panel = Panel(text("above"), box(shown(picture)))
    rasterizer = WorkerClient()
    assert [file.filename for file in await panel.files(rasterizer)] == [picture.name]
    rasterizer.close()
    assert f'"url": "attachment://{picture.name}"' in json.dumps(panel.payload())
    assert '"description": "the three of palms"' in json.dumps(panel.payload())


def test_a_long_name_is_cut_to_the_width_there_is() -> None:
    shown = cut_to_fit("Maximiliana of the long name", 20, 120)
    assert shown.startswith("Maxim")
    assert shown.endswith("…")
    assert font(20).getlength(shown) <= 120


def test_a_computers_name_begins_with_a_small_robot_in_the_names_colour() -> None:
    computer, person = line("🤖 Fern"), line("Fern")
    mark = computer.crop((0, 0, 50, 60))
    assert mark.getbbox() is not None
    assert max(mark.getcolors() or ())[1] == (0, 0, 0)
    assert (255, 0, 0) in [colour for _, colour in mark.getcolors() or ()]
    assert computer.crop((50, 0, 200, 60)).tobytes() == person.crop((0, 0, 150, 60)).tobytes()


def test_a_computers_long_name_is_cut_to_the_width_there_is() -> None:
    image = Image.new("RGB", (400, 60))
    assert write(image, "🤖 Maximiliana of the Palms", 0, 30, 40, "#ff0000", width=220) <= 222


def line(text: str) -> Image.Image:
    """Return a line, written red on black."""
    image = Image.new("RGB", (400, 60))
    write(image, text, 0, 30, 40, "#ff0000")
    return image


# The strip above a hand

QUEEN, KING = DrawnCard(disc("#ff0000"), "Queen"), DrawnCard(disc("#0000ff"), "King")
OWN = ((Group("Your hand", ((QUEEN,),)),),)


def trick(*best: str) -> Strip:
    """Return a strip after four plays; the players in `best` have the best cards so far."""
    names = ("Alice", "Ben", "You", "Dan")
    return Strip(tuple(LaidCards(name, (KING, KING), name in best, "1/2") for name in names), "Trump: red")


def test_the_alt_text_of_a_hand_has_the_strip_first_then_the_own_cards() -> None:
    lifted = DrawnCard(QUEEN.art, "Queen", lifted=True)
    strip = Strip(
        (LaidCards("Alice", (KING,), best=True, detail="1/2"), LaidCards("You", detail="0/3")), "Trump: red"
    )
    alt = HandScene(((Group("Your hand", ((lifted, QUEEN),)),),), strip=strip).alt
    assert alt == (
        "Trump: red. Alice, best, 1/2: King. You, 0/3. Your hand: Queen, Queen. Can be played now: Queen."
    )


def test_a_card_of_the_strip_is_not_one_of_the_own_cards() -> None:
    scene = HandScene(OWN, strip=Strip((LaidCards("Alice", (DrawnCard(KING.art, "King", lifted=True),)),)))
    assert [card.alt for card in scene.own_cards()] == ["Queen"]
    assert [card.alt for card in scene.cards()] == ["King", "Queen"]
    assert "Can be played now" not in scene.alt


def test_the_strip_makes_a_hand_higher_and_leaves_its_cards_as_they_are() -> None:
    plain, above = hand.paint(HandScene(OWN)), hand.paint(HandScene(OWN, strip=trick()))
    high = strip.height(trick())
    assert above.height == plain.height + high
    below = above.crop((0, high, above.width, above.height))
    assert below.convert("RGB").tobytes() == plain.convert("RGB").tobytes()


def test_the_best_so_far_has_a_frame_and_a_word() -> None:
    plain, framed = (
        hand.paint(HandScene(OWN, strip=strip)).convert("RGB") for strip in (trick(), trick("Ben"))
    )
    gold = (255, 197, 61)
    place = (strip._place_width(trick()) + strip.GAP, 0, 500, strip.height(trick()))
    counts = [image.crop(place).getcolors(4096) or [] for image in (plain, framed)]
    assert [sum(count for count, colour in found if colour == gold) > 5000 for found in counts] == [
        False,
        True,
    ]
    assert strip._words_below(trick("Ben").laid[1]) == "best · 1/2"


def test_the_smallest_words_of_a_strip_are_33_pixels_high() -> None:
    assert smallest_words(HandScene(OWN, strip=trick("Ben"))) >= 33


def test_a_pile_of_any_size_fits_the_width_of_the_picture() -> None:
    for size in (0, 1, 5, 20):
        pile = Strip((LaidCards(f"Pile of {size}", (QUEEN,) * size),))
        image = Image.new("RGB", (WIDTH, strip.height(pile)))
        strip.paint(image, pile)
        edges = [image.crop((x, 0, x + strip.EDGE, image.height)) for x in (0, WIDTH - strip.EDGE)]
        assert all(len(edge.getcolors() or []) == 1 for edge in edges)


def test_three_in_a_row_leave_room_for_their_names() -> None:
    """Alone, that picture is as high as its rows, and each card has the words to its right."""
    many = Strip(tuple(LaidCards(name, (QUEEN,), detail="5 dice") for name in "ABCDEF"), in_threes=True)
    few = Strip(many.laid[:3], in_threes=True)
    assert strip.height(many) - 2 * strip.EDGE == 2 * (strip.height(few) - 2 * strip.EDGE)
    assert all(
        width_of(name, WORDS * 5 // 6) <= strip.BESIDE for name in ("Maximilian", "🤖 Bamboo", "🤖 Orchid")
    )
    images = [Image.new("RGB", (WIDTH, strip.height(few))) for _ in range(2)]
    for image, laid in zip(images, (few.laid, (*few.laid[:2], LaidCards("Other", (QUEEN,)))), strict=True):
        strip.paint(image, Strip(laid, in_threes=True))
    left, _, right, _ = ImageChops.difference(*images).getbbox() or (0, 0, 0, 0)
    assert WIDTH * 2 // 3 + strip.LARGEST < left < right <= WIDTH


# The table


@pytest.mark.parametrize("piles", [2, 3])
def test_a_long_name_below_a_pile_leaves_the_piles_beside_it_alone(piles: int) -> None:
    seats, others = (SeatedPlayer("Ben", rows=((QUEEN,),)),) * 2, (Pile((), "Cleo"),) * (piles - 1)
    usual, long = (
        table.paint(TableScene("", "", seats, (Pile((), name), *others))) for name in ("Alice", "W" * 20)
    )
    difference = ImageChops.difference(usual.convert("RGB"), long.convert("RGB")).getbbox()
    assert difference is not None
    left, _, right, _ = difference
    assert table.EDGE < left < right < WIDTH // 2 - (piles - 2) * 160


# The scores


def test_a_row_of_a_score_sheet_is_not_named_by_a_seat_as_it_can_stand_at_any_place() -> None:
    without, named = (
        ScoreSheet("The match is over", ("", "place"), ((name, "1st"), ("Ben", "2nd")))
        for name in ("𒐫", "Player 1")
    )
    assert score_sheet.paint(without).tobytes() == score_sheet.paint(named).tobytes()


# The banner of a game


@pytest.mark.parametrize("size", [1, 3, 5])
def test_a_banner_is_wide_and_low_and_its_cards_leave_its_title_alone(size: int) -> None:
    cards, bare = banner.paint(Banner("Palms", (QUEEN,) * size)), banner.paint(Banner("Palms", ()))
    assert cards.width == WIDTH
    assert cards.height < WIDTH / 3
    title = (0, 0, banner.EDGE + banner.TITLE_WIDTH, cards.height)
    assert cards.crop(title).convert("RGB").tobytes() == bare.crop(title).convert("RGB").tobytes()
