"""A bot whose application has emojis of the cards shows them; without them it shows letters. Both say the same."""

import logging
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from bot.cli.start import unpack_emojis
from bot.client import Palmhouse
from bot.match.state import TableState
from bot.messages.emojis import LETTERS
from bot.messages.posts import live
from cogs.common.game import GameCog
from games import GAMES, AnyGame
from games.twin_palms.words import card
from sandbox import Message, Person
from sandbox.components import GALLERY
from sandbox.faults import Fault
from tests.bot.messages.uploaded import put
from tests.cogs.reading import ALL_COGS
from tests.e2e.card_room import CardRoom, connected_bot, new_sandbox
from tests.e2e.match import Match, check_answer
from tests.e2e.messages import expected_messages, posted_messages
from tests.e2e.players import bid, deal, hand_of, set_preferences, shown

EMOJI = re.compile(r"<:(\w+):\d+>")
GAMES_WITH_CARDS = [cog.game for cog in ALL_COGS.values() if cog.drawings]
STEPS = 4


def face(bot: Palmhouse, game: AnyGame) -> GameCog:
    found = bot.game_uis[game.slug]
    assert isinstance(found, GameCog)
    return found


async def use_emojis(here: CardRoom) -> None:
    """Make the bot use emojis, as after uploading them and starting again."""
    drawings = {drawing.key for each in here.bot.game_uis.values() for drawing in each.drawings.values()}
    put(here.box, *drawings)
    await here.bot.learn_emojis()


@pytest.fixture
async def with_emojis(here: CardRoom) -> CardRoom:
    """A sandbox with a bot that uses emojis."""
    await use_emojis(here)
    return here


def cards(message: Message) -> list[dict[str, Any]]:
    """Return the buttons that stand for one card each."""
    return [button for button in message.buttons if ":card-" in button["custom_id"]]


# With and without emojis


async def test_buttons_and_texts_show_emojis_instead_of_letters(with_emojis: CardRoom) -> None:
    alice, ben, *_ = with_emojis.people
    place = await deal(with_emojis, 2)
    await bid(place, alice, ben)
    hand = await hand_of(ben, place)
    table = await with_emojis.bot.tables.get(1)
    drawings = face(with_emojis.bot, GAMES["twin-palms"]).drawings
    first = card(table.state.game_state.hands[1][0])
    assert cards(hand)[0]["emoji"]["name"] == drawings[first].name
    assert not cards(hand)[0].get("label")
    game = table.state.game
    await ben.slash(place, "move", action=game.text(table.state.legal(table.state.awaited()[0])[0]))
    await with_emojis.bot.publisher.wait()
    assert len(EMOJI.findall("\n".join(with_emojis.transcript(place)))) == 2


async def test_a_deleted_emoji_is_replaced_by_letters_at_once(with_emojis: CardRoom) -> None:
    alice, ben, *_ = with_emojis.people
    place = await deal(with_emojis, 2)
    await bid(place, alice, ben)
    with_emojis.box.world.emojis.clear()
    hand = await hand_of(ben, place)
    assert len(cards(hand)) == 10
    assert [button for button in cards(hand) if "emoji" in button] == []
    assert shown(await ben.click(hand, cards(hand)[0]["custom_id"])) is hand
    await set_preferences(ben, place, hand="dm")
    assert "direct messages" in (await ben.slash(place, "hand")).text
    assert len(cards(ben.sees(ben.dms)[-1])) == 10
    refused = [complaint for complaint in with_emojis.box.complaints if "INVALID_EMOJI" in complaint]
    assert with_emojis.box.complaints == refused
    assert len(refused) == 3
    with_emojis.box.complaints.clear()


@pytest.mark.parametrize("is_picture_refused", [False, True])
async def test_a_deleted_emoji_is_refused_once_in_a_hand_that_follows_which_keeps_its_picture(
    is_picture_refused: bool, with_emojis: CardRoom
) -> None:
    people = with_emojis.people[:2]
    place = await deal(with_emojis, 2)
    hands = [await hand_of(person, place) for person in people]
    if is_picture_refused:  # once, in the edit after the one with an emoji and the one in words
        token = people[0].answers[-1].interaction.token
        for status, times in ((None, 4), (400, 1)):
            with_emojis.box.faults.add(Fault("PATCH", f"/{token}/", status, times))
    with_emojis.box.world.emojis.clear()
    table = await with_emojis.bot.tables.get(1)
    for _ in range(3):  # both bid, and both play two cards, and again
        for _ in people:
            seat = table.state.awaited()[0]
            action = table.state.game.text(table.state.legal(seat)[0])
            await table.play(people[seat].id, [action], table.clock.now())
            await with_emojis.rest()
    assert len(cards(hands[table.state.awaited()[0]])) == 6
    assert all(hand.files for hand in hands)
    assert len(with_emojis.box.complaints) == len(hands)
    with_emojis.box.complaints.clear()


# Equal content


@pytest.mark.parametrize("game", GAMES_WITH_CARDS, indirect=True, ids=lambda game: game.slug)
async def test_with_emojis_everybody_is_shown_the_same_content_as_without(match: Match) -> None:
    """Emojis therefore reveal nothing that the texts do not; other tests check the texts."""
    await use_emojis(match.here)
    await match.deal()
    for _ in range(STEPS):
        check_answer(await match.step())
    await match.rest()
    look = face(match.here.bot, match.game)
    letters = Letters({drawing.name: word for word, drawing in look.drawings.items()})
    table, world = await match.table(), match.box.world
    drawn = [
        letters.of(live(table, look).payload()),
        *[letters.of(await hand(match, p)) for p in match.people],
    ]
    answer = letters.of("\n".join(posted_messages(world, 1, await match.place()).records))
    assert letters.found > STEPS
    look.emojis = LETTERS
    plain = [live(table, look).payload(), *[await hand(match, person) for person in match.people]]
    assert letters.of(plain) == drawn
    log = await match.here.bot.store.log(1)
    state = TableState.of(table.match, match.game)
    assert "\n".join(expected_messages(state, log, match.here.bot.tables.clock.times).records) == answer


async def hand(match: Match, person: Person) -> Any:
    """Return all components of the person's hand as it is drawn now."""
    parts = (await match.hand(person)).body["components"]
    # The address of a picture is new with each upload.
    return deepcopy([part if part["type"] != GALLERY else {"type": GALLERY} for part in parts])


class Letters:
    """Replaces emojis by the words for their cards."""

    def __init__(self, words: dict[str, str]) -> None:
        self.words = words
        self.found = 0

    def of(self, thing: Any) -> Any:
        """Return a copy of a message or component in which the label of each button and option names its card."""
        if isinstance(thing, str):
            self.found += len(EMOJI.findall(thing))
            # No mark against the end of a line is needed beside an emoji.
            return EMOJI.sub(lambda emoji: self.words[emoji[1]], thing).replace("\u2060", "")
        if isinstance(thing, list | tuple):
            return [self.of(each) for each in thing]
        if not isinstance(thing, dict):
            return thing
        if "id" in (thing.get("emoji") or {}):
            self.found += 1
            card, label = self.words[thing["emoji"]["name"]], thing.get("label", "")
            thing = thing | {"label": label if card in label else " · ".join(filter(None, [card, label]))}
        return {name: self.of(each) for name, each in thing.items() if name != "emoji"}


# How the bot gets the emojis


async def test_the_bot_asks_once_which_emojis_exist(file: Path) -> None:
    async with new_sandbox(rate_limits=False) as box:
        box.guild("Palm Beach")
        put(box, "palmhouse_coin_0000")
        async with connected_bot(box, file) as bot:
            assert face(bot, GAMES["charms"]).emojis.get("🪙C")
            assert not face(bot, GAMES["palmer"]).emojis
        assert len([asked for asked in box.requests if asked.template.endswith("/emojis")]) == 1


async def test_the_bot_uploads_the_emojis_to_a_new_sandbox(here: CardRoom) -> None:
    coin = face(here.bot, GAMES["charms"]).drawings["🪙C"]
    for _ in range(2):
        await unpack_emojis(here.bot, lambda: [coin])
    (emoji,) = here.box.world.emojis.values()
    assert str(face(here.bot, GAMES["charms"]).emojis.get("🪙C")) == f"<:coin:{emoji.id}>"


@pytest.mark.parametrize("trouble", [0, 503], ids=["cut off", "refused"])
async def test_if_a_sandbox_refuses_emojis_cards_are_letters_and_the_log_says_so(
    trouble: int, here: CardRoom, caplog: pytest.LogCaptureFixture
) -> None:
    here.box.fail("POST", "/emojis$", trouble)
    await unpack_emojis(here.bot)
    assert "the sandbox has no emojis, or not all" in caplog.text
    assert not any(each.emojis for each in here.bot.game_uis.values())


@pytest.mark.parametrize("trouble", [403, None], ids=["refused", "none-there"])
async def test_if_no_emojis_can_be_fetched_cards_are_letters_and_the_log_says_so_once(
    trouble: int | None, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot")
    async with new_sandbox(rate_limits=False) as box:
        box.guild("Palm Beach")
        if trouble:
            box.fail("GET", "/emojis$", trouble)
        async with connected_bot(box, file) as bot:
            assert not any(each.emojis for each in bot.game_uis.values())
    said = [record for record in caplog.records if "letters" in record.message]
    assert [record.levelname for record in said] == ["INFO"]
