"""The picture of a table of Twin It!: faces keep their places, and its alt text says everything it shows."""

import re
from dataclasses import replace
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from bot.match.names import safe
from bot.pictures.encoding import encode
from bot.pictures.scene import MOST_ALT
from cogs.twin_it.colours import FELT
from cogs.twin_it.designs import drawing
from cogs.twin_it.palette import with_palette
from cogs.twin_it.spread import (
    COLUMNS,
    FACE,
    SMALL_COLUMNS,
    SMALL_FACE,
    WIDTH,
    Place,
    Player,
    Spread,
    Tile,
    alt,
    paint,
)
from cogs.twin_it.tokens import hand, initial, token
from games.twin_it.designs import NAMES
from tests.present import present

ALICE, BEN = Player("Alice", 2), Player("Ben", 1, rests=True)
TILES = (
    Tile(7, NAMES.index("sun eight"), "pile", 0, 20),
    Tile(8, NAMES.index("star five"), "pile", 1, 19),
    Tile(12, NAMES.index("daisy six")),
    None,
    Tile(14, NAMES.index("daisy six"), hands=(1, 0)),
    Tile(15, NAMES.index("fish left"), "set", 0, 2),
    Tile(16, NAMES.index("waves three"), "barred"),
)
TABLE = Spread(TILES, (ALICE, BEN), turn=1)


def painted(spread: Spread) -> Image.Image:
    return paint(spread).convert("RGB")


def changed(one: Spread, other: Spread) -> tuple[int, int, int, int]:
    """Return the bounding box of what differs."""
    difference = ImageChops.difference(painted(one), painted(other)).convert("L")
    return present(difference.getbbox())


def with_tile(slot: int, tile: Tile | None) -> Spread:
    return replace(TABLE, tiles=(*TILES[:slot], tile, *TILES[slot + 1 :]))


# The picture


def test_a_row_has_four_faces_like_a_row_of_buttons_on_a_phone() -> None:
    picture = painted(TABLE)
    assert picture.width == WIDTH
    one_row = painted(replace(TABLE, tiles=TILES[:COLUMNS]))
    two_rows = painted(replace(TABLE, tiles=TILES[:COLUMNS] * 2))
    assert picture.height == two_rows.height > one_row.height


def test_a_hand_hides_neither_the_number_nor_the_upper_half_of_its_face() -> None:
    _left, top, _right, bottom = changed(
        TABLE, with_tile(2, Tile(12, NAMES.index("daisy six"), hands=(0, 1)))
    )
    face_top, _ = changed(TABLE, with_tile(2, None))[1::2]
    assert top - face_top > 70
    assert bottom - face_top < 220


@pytest.mark.parametrize("seat", range(6))
def test_of_six_hands_on_a_face_the_marks_of_all_are_seen(seat: int) -> None:
    tiles, names = (Tile(12, 20, hands=tuple(range(6))),), list("ABCDEF")
    others = [*names[:seat], "X", *names[seat + 1 :]]
    pictures = (painted(Spread(tiles, tuple(Player(each, 0) for each in who))) for who in (names, others))
    faces = (picture.crop((0, 150, *picture.size)).tobytes() for picture in pictures)
    assert next(faces) != next(faces)


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6])
def test_any_number_of_players_is_shown(seats: int) -> None:
    players = tuple(Player("W" * 32, 9) for _ in range(seats))
    assert painted(replace(TABLE, players=players + (BEN,) * (2 - seats))).height > 500


def test_a_table_without_faces_can_be_drawn() -> None:
    assert painted(Spread((), (ALICE, BEN))).width == WIDTH
    assert "No face shows" in alt(Spread((), (ALICE, BEN)))


def test_a_full_board_with_two_hands_of_everybody_is_smaller_than_110_kilobytes() -> None:
    tiles = tuple(Tile(n + 100, n * 37 % 119, hands=(n % 6,) if n < 12 else ()) for n in range(20))
    players = tuple(Player(name, 3) for name in ("Alice", "Ben", "Cleo", "Dana", "Eli", "Fay"))
    assert len(encode(paint(Spread(tiles, players)))) < 110_000


def test_the_picture_keeps_every_colour_of_a_design() -> None:
    colours = {
        colour for design in range(len(NAMES)) for colour in re.findall("#[0-9a-f]{6}", drawing(design))
    }
    image = Image.new("RGB", (len(colours), 1))
    for x, colour in enumerate(sorted(colours)):
        image.paste(colour, (x, 0, x + 1, 1))
    assert with_palette(image).convert("RGB").tobytes() == image.tobytes()


# The alt text


def test_the_alt_text_says_what_the_picture_shows() -> None:
    assert alt(TABLE) == (
        "7: sun eight; 8: star five; 12: daisy six; 14: daisy six; 15: fish left; 16: waves three (forbidden). "
        "Alice 2, pile of 20 (7), set of 2 (15), hand on 14. "
        "Ben 1, pile of 19 (8), hand on 14, hands are off, flips next."
    )


def test_the_alt_text_of_a_full_message_is_complete_with_any_names() -> None:
    piles = [Tile(800 + seat, 17 + seat, "pile", seat, 20) for seat in range(6)]
    rest = [
        Tile(806 + n, 90 - n, "set" if n < 8 else "table", n % 6, 3, (n % 6,) if n < 12 else ())
        for n in range(22)
    ]
    tiles = (*piles, *(tile if tile.place == "set" else replace(tile, owner=None) for tile in rest))
    text = alt(Spread(tiles, tuple(Player("W" * 32, 9) for _ in range(6)), turn=5))
    assert all(f"{tile.number}: {NAMES[tile.design]}" in text for tile in tiles)
    assert text.endswith("flips next.")
    assert len(text) <= MOST_ALT


# Players


def test_players_of_the_same_name_have_different_shapes() -> None:
    shapes = [token(seat, "Alice", 46).getchannel("A") for seat in range(6)]
    for one, two in combinations(shapes, 2):
        difference = ImageChops.difference(one, two)
        assert sum(value > 128 for value in difference.tobytes()) > 20


@pytest.mark.parametrize(
    ("name", "letter"),
    [
        ("ben", "B"),
        ("*_Zoë_*", "Z"),
        ("<&>", "3"),
        ("李小龍", "李"),
        (safe("محمد"), "م"),
        ("स्थिर", "स्थि"),
        ("🌴 🌴 (2)", "🌴"),
        ("🌴 Cleo", "C"),
    ],
)
def test_a_player_has_an_initial_that_can_be_drawn(name: str, letter: str) -> None:
    assert initial(2, name) == letter
    assert hand(2, name, 60).size == (60, 60)


@pytest.mark.parametrize("name", ["李小龍", safe("محمد علي"), "สวัสดี", "🌴🐬"])
def test_a_name_in_any_script_is_drawn(name: str) -> None:
    players = ((Player(each, 2), BEN) for each in ("𒐫", name))
    nobody, somebody = (replace(TABLE, tiles=TILES[2:4], players=each) for each in players)
    left, top, right, bottom = changed(nobody, somebody)
    assert (right - left > 80, bottom - top < 60) == (True, True)
    assert name in alt(somebody)


def test_a_name_that_cannot_be_drawn_is_replaced_by_the_seat() -> None:
    heads = (painted(replace(TABLE, tiles=(), players=(BEN, Player(name, 2)))) for name in ("𒐫", "Seat 2"))
    unnamed, named = (head.crop((WIDTH // 2 + 60, 0, *head.size)) for head in heads)  # right of the mark
    assert unnamed.tobytes() == named.tobytes()


def test_with_very_many_faces_the_alt_text_has_the_first_ones_and_all_players() -> None:
    tiles = tuple(Tile(number, number % len(NAMES)) for number in range(1, 136))
    words = alt(Spread(tiles, (ALICE, BEN), turn=0))
    faces, *players = words.split(". ")
    text = faces.split("; ")
    assert len(words) <= MOST_ALT
    assert text[-2] == f"{len(text) - 1}: {NAMES[len(text) - 1]}"
    assert text[-1] == f"and {135 - len(text) + 1} more"
    assert players == ["Ali… 2, flips next", "Ben 1, hands are off."]


def test_faces_without_buttons_are_small_and_below_the_others() -> None:
    more = replace(TABLE, small=(Tile(30, 3), None, Tile(31, 4, hands=(1,))))
    _left, top, _right, bottom = changed(replace(more, small=(None,) * 3), more)
    assert painted(TABLE).height - 20 < top
    assert bottom - top < 220
    assert "30: dahlia six; 31: dahlia eight. " in alt(more)
    assert "hand on 31" in alt(more)


PILES = tuple(Tile(800 + n, 20, "pile", 0, 20) for n in range(12))


@pytest.mark.parametrize("small", [False, True])
def test_a_number_keeps_its_distance_from_the_frames_above_and_below(small: bool) -> None:
    def spread(*first: Tile | None) -> Spread:
        tiles = first + PILES[len(first) :]
        return replace(TABLE, tiles=() if small else tiles, small=tiles if small else ())

    row = SMALL_COLUMNS if small else COLUMNS
    frame = changed(spread(), spread(None))[1]
    height = changed(spread(*PILES[:row]), spread(*PILES[:row], None))[1] - frame
    size = SMALL_FACE if small else FACE
    _, top, _, bottom = changed(spread(), spread(replace(PILES[0], number=100)))
    assert top - (frame + size + 16) >= 3
    assert frame + height - bottom >= 9


def test_the_number_of_cards_of_a_pile_is_twelve_pixels_high_on_a_phone() -> None:
    _, top, _, bottom = changed(with_tile(0, replace(TILES[0], cards=11)), TABLE)
    assert (bottom - top) * 390 >= 12 * WIDTH


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("place", ["pile", "set", "barred"])
def test_a_number_of_three_digits_is_whole_and_beside_what_is_said_of_its_card(
    place: Place, small: bool
) -> None:
    tile = Tile(1, 20, place, None if place == "barred" else 0, 3)

    def line(number: int) -> Image.Image:
        tiles = (replace(tile, number=number),)
        image = painted(replace(TABLE, tiles=() if small else tiles, small=tiles if small else ()))
        return image.crop((0, image.height - 70, image.width, image.height - 16))

    def end(number: int) -> int:
        box = present(ImageChops.difference(line(number), line(number - 1)).getbbox())
        return box[2]

    beside = line(1).crop((end(1), 0, WIDTH, 54))
    box = present(ImageChops.difference(beside, Image.new("RGB", beside.size, FELT)).getbbox())
    assert end(888) <= end(1) + box[0]
