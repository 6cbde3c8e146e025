"""`Rules` and `/<game> rules`: a first page with a worked example, the full text, the reference, and a practice
button."""

from collections.abc import Iterator

from cogs.common.coded import coded, decoded
from games import GAMES, AnyGame
from tests.e2e.card_room import CardRoom
from tests.e2e.players import labels, open_table, set_preferences, shown

CUSTOM_ID = 100
"""Greatest length of a custom id that Discord allows."""


async def test_rules_open_on_a_first_page_and_buttons_turn_pages_in_place(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, mode="advanced")
    game = GAMES["twin-palms"]
    options = game.Options(mode="advanced")
    page = shown(await ben.click(card, "Rules"))
    assert page.ephemeral
    assert game.blurb in page.text
    assert labels(page) == ["Full rules", "What beats what", "Try it"]
    assert shown(await ben.click(page, "Full rules")) is page
    assert page.text == game.rulebook.rules(options)
    assert labels(page) == ["Short rules", "What beats what", "Try it"]
    assert shown(await ben.click(page, "What beats what")) is page
    assert page.text == game.rulebook.reference(options)
    assert shown(await ben.click(page, "Short rules")) is page
    assert game.blurb in page.text


async def test_try_it_opens_a_practice_table_with_the_same_game_and_options(here: CardRoom) -> None:
    ben = here.people[1]
    page = shown(await ben.slash(here.room, "twin-palms rules", mode="easy"))
    answer = await ben.click(page, "Try it")
    await here.box.until(lambda: "Your practice table is ready" in answer.text)
    state = (await here.bot.tables.get(1)).state
    assert (state.practice, state.options.summary()[0]) == (True, "easy mode")
    assert "Short rules" not in labels(page), "the page stays as it is"
    assert here.room.messages() == []


async def test_in_text_only_the_example_is_in_words(here: CardRoom) -> None:
    alice, *_ = here.people
    assert len(shown(await alice.slash(here.room, "twin-palms rules")).files) == 1
    await set_preferences(alice, here.room, pictures="text only")
    page = shown(await alice.slash(here.room, "twin-palms rules"))
    assert page.files == []
    assert "Alice leads" in page.text


def _extremes() -> Iterator[tuple[AnyGame, dict[str, object]]]:
    """Yield each game with as many and as long options as possible."""
    yield GAMES["twin-palms"], {"mode": "advanced", "bets": False, "exact_points": (20,) * 6, "rounds": 12}
    yield GAMES["twin-it"], {"mode": "teams", "sets_to_win": 9, "seconds": 300, "singles": 18, "tie_ms": 2000}
    yield GAMES["palace"], dict.fromkeys(GAMES["palace"].Options.model_fields, True) | {"packs": 1}
    yield GAMES["charms"], {"hands": 12, "bidding": "open"}
    yield GAMES["thirty-one"], {"tokens": 10, "any_suit": True, "three_of_a_kind": True}
    yield GAMES["palmer"], {"limit": 200}


def test_options_survive_a_round_trip_through_a_custom_id() -> None:
    for game, given in _extremes():
        options = game.Options(**given)
        text = coded(game, options)
        assert len(f"page:0:beats:{text}") <= CUSTOM_ID
        assert decoded(text) == (game, options)
