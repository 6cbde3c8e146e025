"""The pictures of every game: fully described in words, within Discord's limits, the same each time they are drawn."""

import re

import pytest

from bot.messages.game_ui import Form
from bot.pictures.bands import plate_width
from bot.pictures.drawing import Scene, picture_of
from bot.pictures.encoding import encode
from bot.pictures.fonts import font
from bot.pictures.hand_style import HandStyle, Order
from bot.pictures.line import cut_to_fit
from bot.pictures.painting import WIDTH, _pieces
from bot.pictures.scene import MOST_ALT, Band, BandedTable, HandScene, OpenHands, ScoreSheet, TableScene
from bot.pictures.table import MARGIN, NARROW, WORDS, _plan
from games import GAMES, Event
from games.about import all_seats
from games.types import SEATS
from tests.bot.pictures.written import lines_written
from tests.cogs.positions import Moment, positions
from tests.cogs.reading import ALL_COGS, new

COGS = {slug: cog for slug, cog in ALL_COGS.items() if slug != "twin-it"}
"""The cogs of games whose table is drawn as felt with seats around it. Twin It! has pictures of its own."""
MOST = {slug: all_seats(GAMES[slug])[-1] for slug in COGS}
"""Greatest number of seats of each game."""
NAMES = [f"{number} {'W' * 30}" for number in range(8)]
"""Names of the greatest width."""
LONG = [f"{number} Bartholomew Hodge" for number in range(8)]
"""Names of as many letters as are shown, as wide as usual ones."""
STRANGE = ["李小龍", "🌴🌴🌴", "\u200b", "ﷺ", "Z̷̡a̶l̸g̵o", "👩‍👩‍👧‍👦", "", "א\u202eב"]
every_game = pytest.mark.parametrize("slug", COGS)


def table(slug: str, seen: Moment, names: list[str] = NAMES) -> TableScene:
    scene: TableScene | None = new(COGS[slug]).looks.table(
        seen.game.view(seen.state, None), names[: MOST[slug]]
    )
    assert scene is not None
    return scene


def hands(slug: str, seen: Moment, style: HandStyle) -> list[HandScene]:
    shown = []
    for seat in SEATS[: MOST[slug]]:
        form = Form(1, 2, seen.game.legal(seen.state, seat), style=style)
        scene = new(COGS[slug]).looks.hand(seen.game.view(seen.state, seat), NAMES, form)
        assert scene is not None
        shown.append(scene)
    return shown


def sheets(slug: str, events: list[Event], names: list[str] = NAMES) -> list[ScoreSheet]:
    found = (new(COGS[slug]).looks.score_sheet(event, names[: MOST[slug]]) for event in events)
    return [sheet for sheet in found if sheet is not None]


def moments(slug: str) -> tuple[Moment, ...]:
    return positions(slug, MOST[slug], 3)


def some_moments(slug: str, step: int) -> tuple[Moment, ...]:
    """Return the first moment and each `step`-th after it; of a long match eight in all, to the end of a round."""
    seen = moments(slug)
    return seen[:: max(step, len(seen) // 7)]


@every_game
def test_every_alt_text_fits_with_the_longest_names(slug: str) -> None:
    for seen in moments(slug):
        scenes: list[TableScene | HandScene | ScoreSheet] = [
            table(slug, seen),
            *hands(slug, seen, HandStyle()),
        ]
        scenes += sheets(slug, seen.events)
        assert max(len(scene.alt) for scene in scenes) < MOST_ALT
        assert not any(scene.alt.endswith("…") for scene in scenes)


@every_game
def test_a_table_names_everybody_and_marks_whose_turn_it_is(slug: str) -> None:
    for seen in moments(slug):
        scene = table(slug, seen)
        assert all(name in scene.alt for name in NAMES[: MOST[slug]])
        acting = [seat for seat, each in enumerate(scene.seats) if each.turn]
        assert acting == list(seen.game.awaited(seen.state))
        assert scene.alt.count("to act") == len(acting)


@every_game
def test_every_text_and_every_card_of_a_picture_is_in_its_alt_text(slug: str) -> None:
    for seen in moments(slug):
        scene = table(slug, seen)
        said = scene.alt
        written = [scene.title, scene.note, *(each.detail for each in scene.seats)]
        written += [pile.caption for pile in scene.piles]
        for hand in hands(slug, seen, HandStyle()):
            said_of_hand = hand.alt
            assert all(card.alt in said_of_hand for card in hand.cards())
            assert all(group.caption in said_of_hand for line in hand.lines for group in line)
        assert all(words in said for words in written)
        assert all(card.alt in said for card in scene.cards())


@every_game
def test_at_a_full_table_the_line_below_a_name_is_complete_and_12_pixels_high_on_a_phone(slug: str) -> None:
    size = WORDS * 5 // 6
    assert size * 390 / WIDTH >= 12
    for seen in moments(slug):
        scene = table(slug, seen)
        if isinstance(scene, BandedTable):
            for band in scene.bands:
                assert all(fits_a_plate(band, player.detail) for player in band.players)
            continue
        plate, digits = _plan(scene).plate, int(font(WORDS).getlength("10")) + 2
        for seat in scene.seats:
            score = (digits + 8) * bool(seat.score and plate < NARROW)
            assert cut_to_fit(seat.detail, size, plate - 2 * MARGIN - score, "Medium") == seat.detail


def fits_a_plate(band: Band, detail: str) -> bool:
    return cut_to_fit(detail, WORDS * 5 // 6, plate_width(band) - 2 * MARGIN, "Medium") == detail


@every_game
def test_all_words_are_11_pixels_high_on_a_phone_and_only_names_are_cut(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = lines_written(monkeypatch)
    for seen in some_moments(slug, 8):
        looks, scenes = new(COGS[slug]).looks, list[Scene]([table(slug, seen, LONG)])
        for seat in SEATS[: MOST[slug]]:
            form = Form(1, 2, seen.game.legal(seen.state, seat))
            scenes.append(looks.hand(seen.game.view(seen.state, seat), LONG, form))
        own = [looks.own_cards(seen.game.view(seen.state, seat), LONG) for seat in SEATS[: MOST[slug]]]
        scenes += [OpenHands((each,)) for each in own if each]
        for scene in [*scenes, *sheets(slug, seen.events, LONG)]:
            picture_of(scene).paint()
    for text, size, weight, width in written:
        fits, smaller = _pieces(text, size, weight, width)[1], size * 5 // 6
        assert (size if fits else smaller) * 390 / WIDTH >= 11, text
        assert fits or _pieces(text, smaller, weight, width)[1] or are_names(text), text


def are_names(text: str) -> bool:
    return all(any(name.startswith(each.rstrip("…")) for name in LONG) for each in text.split(" and "))


@every_game
def test_the_end_of_a_round_or_match_has_a_score_sheet(slug: str) -> None:
    assert any(sheets(slug, seen.events) for seen in moments(slug))


@every_game
def test_pictures_are_1000_pixels_wide_and_small_files(slug: str) -> None:
    for seen in some_moments(slug, 10):
        scenes: list[TableScene | HandScene | ScoreSheet] = [
            table(slug, seen),
            *hands(slug, seen, HandStyle())[:2],
        ]
        for scene in [*scenes, *sheets(slug, seen.events)]:
            image = picture_of(scene).paint()
            assert image.width == 1000
            assert len(encode(image)) < 120_000


@every_game
def test_the_same_scene_is_drawn_the_same_to_the_byte(slug: str) -> None:
    seen = moments(slug)[len(moments(slug)) // 2]
    assert picture_of(table(slug, seen)).paint == picture_of(table(slug, seen)).paint
    first, second = (picture_of(table(slug, seen)).paint().tobytes() for _ in range(2))
    assert first == second
    first, second = (picture_of(hands(slug, seen, HandStyle())[0]).paint().tobytes() for _ in range(2))
    assert first == second


@every_game
def test_names_in_any_script_are_drawn_or_replaced(slug: str) -> None:
    seen = moments(slug)[0]
    picture_of(table(slug, seen, STRANGE)).paint()
    plain = picture_of(table(slug, seen, [f"Seat {number}" for number in range(1, 9)])).paint()
    assert picture_of(table(slug, seen, [""] * 8)).paint().tobytes() == plain.tobytes()


@every_game
def test_large_cards_are_the_same_cards_and_not_smaller(slug: str) -> None:
    for seen in some_moments(slug, 9):
        usual, large = hands(slug, seen, HandStyle())[0], hands(slug, seen, HandStyle(large=True))[0]
        assert usual.alt == large.alt
        assert picture_of(large).paint().height >= picture_of(usual).paint().height


def test_a_hand_is_sorted_in_the_order_its_player_chose() -> None:
    seen = moments("twin-palms")[6]
    orders: tuple[Order, Order] = ("suit", "rank")
    by_suit, by_rank = (hands("twin-palms", seen, HandStyle(order=order))[0] for order in orders)
    assert sorted(card.alt for card in by_suit.own_cards()) == sorted(
        card.alt for card in by_rank.own_cards()
    )
    numbers = [int(found[0]) for card in by_rank.own_cards() if (found := re.search(r"\d+", card.alt))]
    assert numbers == sorted(numbers)
    suits = [card.alt.split()[0] for card in by_suit.own_cards()]
    assert suits == sorted(suits, key=["Palm", "Dolphin", "Sunglasses"].index)
