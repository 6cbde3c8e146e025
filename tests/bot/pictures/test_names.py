"""Names in pictures: every script is shaped and ordered as its readers expect, and cut between letters."""

import re
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.match.names import safe
from bot.pictures import fonts, raster
from bot.pictures.fonts import ALL_SCRIPTS_FILE, drawable, drawable_part
from bot.pictures.line import _typeset, cut_to_fit, text_width
from bot.pictures.painting import WIDTH, wrapped, write
from games.letters import letters

SIZE = 40
SPACE = 12
UNKNOWN = "𒐫"
"""A cuneiform sign that the fonts do not have: without a check it is drawn as a box."""
NAMES = {
    "Chinese": ("李小龍", "张伟"),
    "Japanese": ("さくらカナ", "蒼井優"),
    "Korean": ("김철수", "이영희"),
    "Arabic": ("محمد", "علي"),
    "Persian": ("می‌خواهم", "پگاه"),
    "Hebrew": ("שָׁלוֹם", "דוד"),
    "Thai": ("สวัสดีครับ", "น้ำปิ่น"),
    "Hindi": ("श्रीनिवास", "क्षत्रिय"),
    "Bengali": ("বাংলা", "রবীন্দ্র"),
    "Tamil": ("தமிழ்", "கமல்"),
    "Georgian": ("ქართული", "გიორგი"),
    "Amharic": ("አማርኛ", "ኃይሌ"),
    "Burmese": ("မြန်မာ", "အောင်"),
    "Khmer": ("ខ្មែរ", "សុខ"),
    "emojis": ("🌴🐬", "🕶️"),
    "skin and flags": ("👍🏽🇩🇪", "👍🏿🇫🇷"),
    "fancy": ("𝓐𝓵𝓲𝓬𝓮", "𝕬𝖑𝖎𝖈𝖊"),
    "full width": ("Ａｌｉｃｅ", "Ｂｅｎ"),
    "small capitals": ("ᴀʟɪᴄᴇ", "ʙᴇɴ"),
    "accents of their own": ("e\u0323\u0304a\u0331", "o\u0323\u0304"),
    "ornaments": ("꧁༺★༻꧂", "𓆩♡𓆪"),
}
every_script = pytest.mark.parametrize(("name", "other"), NAMES.values(), ids=NAMES)


def line(text: str, width: int = WIDTH) -> Image.Image:
    """Return a line, written white on black."""
    image = Image.new("L", (WIDTH, 100))
    write(image, text, 0, 50, SIZE, "#ffffff", width=width)
    return image


def seen(text: str) -> Image.Image:
    """Return a text in the typeface of all scripts, as wide as its visible part."""
    return _typeset(text, SIZE)


def alike(one: Image.Image, two: Image.Image) -> bool:
    """Return whether two shapes are equal, up to a part of a pixel to the side."""
    difference = ImageChops.difference(one, two.resize(one.size))
    return ImageStat.Stat(difference).mean[0] < ImageStat.Stat(one).mean[0] / 3


@every_script
def test_a_name_in_any_script_is_drawn_and_told_from_another(name: str, other: str) -> None:
    box = seen(UNKNOWN).tobytes()
    assert line(safe(name)).getbbox() is not None
    assert line(safe(name)).tobytes() != line(safe(other)).tobytes()
    assert drawable_part(safe(name)) == safe(name)
    assert all(seen(letter).tobytes() != box for letter in letters(name))


def test_arabic_letters_are_joined() -> None:
    assert seen("سلام").width < seen("س\u200cل\u200cا\u200cم").width
    assert alike(seen(drawable_part("\ufeb3\ufefc\ufee1")), seen("سلام")), "ready-made forms are taken apart"


def test_the_first_letter_of_a_hebrew_name_is_at_the_right() -> None:
    name, first = seen(safe("שוו")), seen("ש")
    assert alike(first, name.crop((name.width - first.width, 0, *name.size)))
    assert not alike(first, name.crop((0, 0, *first.size)))


@pytest.mark.parametrize("name", ["محمد", "דוד (3)"])
def test_a_line_is_read_from_left_to_right_whatever_the_name_it_begins_with(name: str) -> None:
    whole, before, behind = seen(f"{safe(name)} · 3 👑"), seen(safe(name)), seen("· 3 👑")
    assert alike(before, whole.crop((0, 0, *before.size)))
    assert alike(behind, whole.crop((whole.width - behind.width, 0, *whole.size)))


@pytest.mark.parametrize(
    "words",
    [
        ("שלום", "علي"),
        ("Bén", "श्री"),
        ("श्री", "สวั"),
        ("علي", "👍🏽"),
        ("Bén", "👨‍👩‍👧"),
        ("👨‍👩‍👧", "श्री"),
        ("李", "🇩🇪"),
    ],
)
def test_scripts_that_meet_in_a_name_are_shaped_as_by_themselves(words: tuple[str, str]) -> None:
    apart = sum(seen(word).width for word in words) + SPACE
    assert abs(seen(safe(" ".join(words))).width - apart) < SPACE


@pytest.mark.parametrize("emoji", ["👨‍👩‍👧‍👦", "👍🏽", "🇩🇪", "❤️‍🔥", "🤷‍♀️"])
def test_an_emoji_of_several_characters_is_one_sign(emoji: str) -> None:
    assert letters(emoji) == [emoji]
    assert seen(safe(emoji)).width < 1.5 * SIZE


@every_script
def test_a_long_name_in_any_script_is_cut_between_letters_to_the_width_there_is(
    name: str, other: str
) -> None:
    long = safe(f"{name} {other} {name}")
    shown = cut_to_fit(long, SIZE, 90)
    assert text_width(shown, SIZE) <= 90
    assert shown.endswith("…")
    assert letters(shown)[:-1] == letters(long)[: len(letters(shown)) - 1]
    assert line(long, 90).getbbox()[2] <= 92  # type: ignore[index]


@pytest.mark.parametrize("widest", ["Ｗ", "꧁", "ဪ", "👨‍👩‍👧‍👦", "𝓦", "﷽", "ஔ"])
def test_32_of_the_widest_letters_stay_within_their_width(widest: str) -> None:
    assert (line(safe(widest * 32), 200).getbbox() or (0, 0, 0, 0))[2] <= 202


@pytest.mark.parametrize("widest", ["௵", "ဪ", "ஔ"])
def test_no_letter_at_the_end_of_a_line_is_cut_in_two(widest: str) -> None:
    assert text_width(widest * 6, SIZE) > 5.5 * text_width(widest, SIZE)


def test_the_number_that_tells_namesakes_apart_is_not_cut_off() -> None:
    for name in ("Maximiliana of the Palms", "محمد علي كلاي"):
        shown = cut_to_fit(f"{safe(name)} (2)", SIZE, 200)
        assert shown.endswith("… (2)")
        assert text_width(shown, SIZE) <= 200


def test_stacked_accents_are_no_higher_than_a_line() -> None:
    heap = Image.new("L", (WIDTH, 400))
    write(heap, "Z" + "\u0301" * 30 + "a" + "\u0323" * 30, 0, 200, SIZE, "#ffffff")
    _, top, _, bottom = heap.getbbox() or (0, 0, 0, 400)
    assert bottom - top < 2 * SIZE


@pytest.mark.parametrize(
    "mark", ["\u200b", "\u200e", "\u202e", "\u2067", "\u2800", "\u3164", "\ufeff", UNKNOWN]
)
def test_characters_that_are_invisible_or_missing_in_the_fonts_are_left_out(mark: str) -> None:
    assert drawable_part(f"A{mark}lice") == "Alice"
    assert drawable_part(mark) == ""
    assert line(mark).getbbox() is None


def test_names_that_inter_has_need_neither_rasterizer_nor_another_font(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def needed(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(raster, "_png", needed)
    monkeypatch.setattr(fonts, "_all_scripts", needed)
    for name in ("Zoë", "Ярослав", "Nguyễn", "Ελένη", "Ben"):
        assert line(f"{safe(name)} (2), of whom nobody has drawn a picture yet").getbbox() is not None
        assert line(safe(name) * 9, 222).getbbox() is not None


@pytest.mark.parametrize("name", ["</text><image href='x'/>李", "李&#65;", "李]]><!--", '李" x="0'])
def test_a_name_that_looks_like_markup_is_drawn_as_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def coverage(svg: str, width: int) -> Image.Image:
        drawn.append(svg)
        return Image.new("L", (width, SIZE))

    monkeypatch.setattr("bot.pictures.line.coverage", coverage)
    _typeset.__wrapped__(name, SIZE)
    (text,) = ElementTree.fromstring(drawn[0])
    assert re.sub("[\u2066-\u2069]", "", text.text or "") == name, "isolates are added"
    assert (list(text), text.attrib["x"]) == ([], str(SIZE))


def test_a_sentence_is_drawn_with_names_of_any_script_but_not_with_emojis_for_cards() -> None:
    assert drawable(f"In hand 3 {safe('محمد')} hit 4, and 李小龍 went ahead.")
    assert not drawable("Ben won with 🌴 9.")


def test_a_name_read_from_right_to_left_stays_on_one_line() -> None:
    sentence = f"In hand 3 {safe('محمد علي كلاي')} hit 4, and went ahead of {safe('דוד בן דוד')} for good."
    lines = wrapped(sentence, SIZE, 400)
    assert " ".join(lines) == sentence
    assert len(lines) > 2
    assert all(each.count("\u2068") == each.count("\u2069") for each in lines)


def test_the_typeface_of_all_scripts_is_at_most_6500_kilobytes() -> None:
    assert ALL_SCRIPTS_FILE.stat().st_size < 6_500_000
