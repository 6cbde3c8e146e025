"""The picture of a table of Twin It!: faces in stable places, and all it shows in its alt text."""

from dataclasses import replace
from io import BytesIO
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from cogs.twin_it.spread import ALT, COLUMNS, WIDTH, Player, Spread, Tile, paint, settle
from cogs.twin_it.tokens import hand, initial, token
from games.twin_it.designs import NAMES

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
numbers = st.lists(st.integers(0, 40), unique=True, max_size=12)


def opened(spread: Spread) -> Image.Image:
    return Image.open(BytesIO(paint(spread).png)).convert("RGB")


def changed(one: Spread, other: Spread) -> tuple[int, int, int, int]:
    """The box of what looks different; a palette may move a colour by a shade."""
    difference = (
        ImageChops.difference(opened(one), opened(other)).convert("L").point(lambda value: 255 * (value > 40))
    )
    box = difference.getbbox()
    assert box is not None
    return box


def with_tile(slot: int, tile: Tile | None) -> Spread:
    return replace(TABLE, tiles=(*TILES[:slot], tile, *TILES[slot + 1 :]))


# Places


@given(numbers, numbers)
def test_what_stays_keeps_its_slot_and_what_is_new_fills_the_first_free_ones(
    first: list[int], then: list[int]
) -> None:
    before = settle((), first)
    after = settle(before, then)
    assert sorted(key for key in after if key is not None) == sorted(then)
    assert all(after[slot] == key for slot, key in enumerate(before) if key in then)
    new = [slot for slot, key in enumerate(after) if key is not None and key not in first]
    free = [slot for slot in range(len(before) + len(new)) if slot >= len(before) or before[slot] not in then]
    assert new == free[: len(new)]
    assert [after[slot] for slot in new] == [key for key in then if key not in first]


def test_slots_at_the_end_are_given_up_when_nothing_lies_there() -> None:
    assert settle((3, 4, 5), [3]) == (3,)
    assert settle((3, 4, 5), [5]) == (None, None, 5)


# The picture


def test_a_picture_has_five_faces_to_a_row() -> None:
    picture = opened(TABLE)
    assert picture.width == WIDTH
    one_row = opened(replace(TABLE, tiles=TILES[:COLUMNS]))
    two_rows = opened(replace(TABLE, tiles=TILES[:COLUMNS] * 2))
    assert picture.height == two_rows.height > one_row.height


def test_a_face_that_goes_changes_its_own_place_only() -> None:
    left, top, right, bottom = changed(TABLE, with_tile(2, None))
    assert right - left < WIDTH / COLUMNS
    assert WIDTH * 2 / COLUMNS < (left + right) / 2 < WIDTH * 3 / COLUMNS
    assert bottom - top < 240


def test_a_hand_lies_on_its_face_and_hides_neither_the_number_nor_the_upper_half() -> None:
    _left, top, _right, bottom = changed(
        TABLE, with_tile(2, Tile(12, NAMES.index("daisy six"), hands=(0, 1)))
    )
    face_top, _ = changed(TABLE, with_tile(2, None))[1::2]
    assert top - face_top > 70
    assert bottom - face_top < 180


def test_whose_turn_it_is_shows_in_the_head_alone() -> None:
    assert changed(TABLE, replace(TABLE, turn=0))[3] < 100


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6])
def test_any_number_of_players_is_shown(seats: int) -> None:
    players = tuple(Player("W" * 32, 9) for _ in range(seats))
    picture = paint(replace(TABLE, players=players + (BEN,) * (2 - seats)))
    assert picture.name == "table.png"


def test_a_table_without_faces_is_a_picture_too() -> None:
    picture = paint(Spread((), (ALICE, BEN)))
    assert "No face shows" in picture.alt


def test_a_full_table_with_two_hands_of_everybody_weighs_less_than_120_kilobytes() -> None:
    tiles = tuple(Tile(n + 100, n * 37 % 119, hands=(n % 6,) if n < 12 else ()) for n in range(25))
    players = tuple(Player(name, 3) for name in ("Alice", "Ben", "Cleo", "Dana", "Eli", "Fay"))
    assert len(paint(Spread(tiles, players)).png) < 120_000


# The alt text


def test_the_alt_text_says_what_the_picture_shows() -> None:
    assert paint(TABLE).alt == (
        "7: sun eight; 8: star five; 12: daisy six; 14: daisy six; 15: fish left; 16: waves three. "
        "Hands: Ben on 14; Alice on 14. Piles: 7 Alice, 20 cards; 8 Ben, 19 cards. Sets: 15 Alice, 2 cards. "
        "Barred: 16. Score: Alice 2; Ben 1, hands at rest. Ben flips next."
    )


def test_a_page_says_first_which_one_it_is() -> None:
    spread = Spread((Tile(3, 0),), (), title="Page 2 of 5")
    assert paint(spread).alt == "Page 2 of 5. 3: daisy six."


def test_every_face_of_a_full_message_is_in_the_alt_text_whatever_the_names_are() -> None:
    tiles = tuple(Tile(800 + n, n, "set", n % 6, 3, tuple(range(6))) for n in range(28))
    text = paint(Spread(tiles, tuple(Player("W" * 32, 9) for _ in range(6)), turn=0)).alt
    assert all(f"{tile.number}: {NAMES[tile.design]}" in text for tile in tiles)
    assert len(text) <= ALT


# Who it is


def test_players_of_the_same_name_are_told_apart_by_shape_alone() -> None:
    shapes = [token(seat, "Alice", 46).getchannel("A") for seat in range(6)]
    for one, two in combinations(shapes, 2):
        difference = ImageChops.difference(one, two)
        assert sum(value > 128 for value in difference.tobytes()) > 20


@pytest.mark.parametrize(("name", "letter"), [("ben", "B"), ("*_Zoë_*", "Z"), ("🌴", "3"), ("<&>", "3")])
def test_a_player_has_an_initial_that_can_be_drawn(name: str, letter: str) -> None:
    assert initial(2, name) == letter
    assert hand(2, name, 60).size == (60, 60)
