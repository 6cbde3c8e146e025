"""Deciding ahead in a hand: a menu while others are to move, played by itself when the turn comes."""

import asyncio

import pytest

from bot.messages.game_ui import MOST_AHEAD
from cogs.common.ahead_menu import ASK
from sandbox import Message, Person
from sandbox.components import STRING_SELECT
from tests.e2e.card_room import CardRoom
from tests.e2e.match import check_answer
from tests.e2e.players import Turns, bid, deal, hand_of, labels, leave, shown, start_match
from tests.e2e.test_privacy import exported, settled

MENU = "When your turn comes: …"
PAUSE = 2.0
"""Seconds after which a move that was decided ahead is played."""


class Deal(Turns):
    """A table of Thirty-One; nobody has drawn."""

    async def hand(self, step: int) -> Message:
        return await hand_of(self.person(step), self.place)

    async def choose(self, person: Person, hand: Message, value: str) -> Message:
        answer = await person.select(hand, MENU, [value])
        check_answer(answer)
        return shown(answer)

    async def play(self, *texts: str) -> None:
        """Let the person whose turn it is move."""
        person = self.person(0)
        for text in texts:
            assert "✅" in (await person.slash(self.place, "move", action=text)).text
        await self.here.rest()

    async def until_a_knock_is_offered(self) -> tuple[Person, Message]:
        """Play on until the next person may decide ahead to knock. Return them and their hand."""
        while "Knock" not in offered(hand := await self.hand(1)):
            await self.turn()
        return self.person(1), hand

    async def turn(self) -> None:
        """Let them draw, and put it away."""
        await self.play("draw")
        state = self.table.state
        await self.play(state.game.text(state.game.fallback(state.game_state, state.awaited()[0])))


@pytest.fixture
async def game(here: CardRoom) -> Deal:
    card = await start_match(here, "thirty-one start", *here.people[:3])
    return Deal(here, await here.bot.tables.get(1), here.thread(card))


def offered(hand: Message) -> list[str]:
    return [option["label"] for each in hand.selects for option in each["options"]]


def menus(hand: Message) -> list[str]:
    return [each["placeholder"] for each in hand.selects]


async def test_what_was_chosen_is_shown_and_played_when_the_turn_comes(game: Deal) -> None:
    ben, hand = await game.until_a_knock_is_offered()
    assert offered(hand) == ["Ask me", "Draw from the stock", "Knock"]
    assert "The menu has" not in hand.text
    hand = await game.choose(ben, hand, "knock")
    assert "⏭️ When your turn comes: **Knock**" in hand.text
    assert [option["label"] for option in hand.selects[0]["options"] if option.get("default")] == ["Knock"]
    await game.turn()
    assert "⏭️ Played in a moment: **Knock**" in hand.text
    await asyncio.sleep(PAUSE)
    await game.here.rest()
    assert game.table.state.game_state.knocker == game.table.state.seat_of(ben.id)
    assert "Knock" not in hand.text
    calls = [each.text for each in game.place.log.values() if f"<@{ben.id}>" in each.text]
    assert len(calls) == 1, "only the first table mentions them"


@pytest.mark.parametrize("after", [True, False], ids=["done", "not done"])
async def test_what_was_chosen_is_shown_though_the_answer_was_lost(game: Deal, after: bool) -> None:
    ben, hand = game.person(1), await game.hand(1)
    game.here.box.fail("POST", "/callback$", 0, after=after)
    await ben.select(hand, MENU, ["draw"])
    await game.here.rest()
    assert "⏭️ When your turn comes: **Draw from the stock**" in hand.text
    game.here.box.fail("POST", "/callback$", 0, after=after)
    await ben.select(hand, MENU, [ASK])
    await game.here.rest()
    assert "⏭️" not in hand.text


async def test_the_export_of_others_does_not_tell_that_a_move_is_about_to_be_played(game: Deal) -> None:
    mover, ben, cleo = (game.person(step) for step in range(3))
    await game.choose(ben, await game.hand(1), "draw")
    await mover.slash(game.place, "move", action="draw")
    state = game.table.state
    put_away = state.game.text(state.game.fallback(state.game_state, state.awaited()[0]))
    await mover.slash(game.place, "move", action=put_away)
    assert game.table.deadlines[game.table.seat(ben.id)] < game.here.bot.time.now() + PAUSE * 1_000
    answer = await settled(game.here, await cleo.slash(game.place, "privacy export"))
    assert exported(game.here, answer)["tables"]["clocks"]["rows"] == []


async def test_it_can_be_taken_back(game: Deal) -> None:
    ben, hand = game.person(1), await game.hand(1)
    hand = await game.choose(ben, await game.choose(ben, hand, "draw"), ASK)
    assert "⏭️" not in hand.text
    await game.turn()
    await asyncio.sleep(PAUSE)
    assert game.person(0) is ben
    assert len(game.table.state.game_state.hands[game.table.state.awaited()[0]]) == 3


async def test_a_knock_that_must_be_confirmed_is_left_to_the_turn(game: Deal) -> None:
    hand = await game.hand(1)
    assert offered(hand) == ["Ask me", "Draw from the stock"]
    assert "-# The menu has 1 of 2 moves. You can make the other one on your turn." in hand.text


async def test_what_became_impossible_is_said_and_its_person_is_called(game: Deal) -> None:
    ben, hand = await game.until_a_knock_is_offered()
    hand = await game.choose(ben, hand, "knock")
    await game.play("knock")
    await asyncio.sleep(PAUSE)
    await game.here.rest()
    assert "⏭️ Knock: not possible any more. Choose again." in hand.text
    assert f"<@{ben.id}>'s turn" in game.place.messages()[-1].text
    await game.play("draw")
    assert "⏭️" not in hand.text


async def test_who_moves_by_hand_before_moves_once(game: Deal) -> None:
    ben, hand = game.person(1), await game.hand(1)
    await game.choose(ben, hand, "draw")
    await game.turn()
    await game.play("knock")
    await asyncio.sleep(PAUSE)
    moves = [
        row.body for row in await game.here.bot.store.log(1) if row.user == ben.id and row.kind == "move"
    ]
    assert moves == ["knock"]


async def test_a_menu_of_an_earlier_moment_is_refused_and_the_present_hand_shown(game: Deal) -> None:
    ben, hand = game.person(1), await game.hand(1)
    old = hand.selects[0]["custom_id"]
    await game.turn()
    mine = await ben.press(hand, old, STRING_SELECT, values=["draw"])
    assert "It is your turn now" in shown(mine).text
    await game.turn()
    stale = await ben.press(hand, old, STRING_SELECT, values=["draw"])
    assert "The table has moved on since this was opened." in shown(stale).text
    assert menus(shown(stale)) == [MENU]
    assert game.table.state.ahead == {}


async def test_somebody_elses_menu_and_a_forged_one_do_nothing(game: Deal) -> None:
    ben, hand = game.person(1), await game.hand(1)
    custom_id = hand.selects[0]["custom_id"]
    watcher = game.here.people[3]
    assert "You do not sit" in (await watcher.press(hand, custom_id, STRING_SELECT, values=["draw"])).text
    for values in (["discard 7H"], ["rubbish"], [], ["draw", "knock"]):
        check_answer(await ben.press(hand, custom_id, STRING_SELECT, values=values))
    for forged in ("ahead:1:", "ahead:1:9.9", "ahead:1:x", "ahead:99:0.0"):
        check_answer(await ben.press(hand, forged, STRING_SELECT, values=["draw"]))
    assert game.table.state.ahead == {}


async def test_who_is_to_move_or_plays_with_computers_alone_has_no_menu(game: Deal) -> None:
    assert MENU not in menus(await game.hand(0))
    assert MENU in menus(await game.hand(1))
    one, other = game.person(1), game.person(2)
    await leave(game.person(0), game.place)
    await leave(other, game.place)
    assert MENU not in menus(await hand_of(one, game.place))


async def test_who_prefers_text_has_the_menu_too(game: Deal) -> None:
    ben = game.person(2)
    await game.here.bot.store.set_preference(ben.id, "pictures", "text only")
    assert menus(await game.hand(2)) == [MENU]


async def test_of_many_plays_some_are_offered_and_a_line_says_so(here: CardRoom) -> None:
    people = here.people[:3]
    place = await deal(here, 3, mode="extreme")
    await bid(place, *people)
    await here.rest()
    table = await here.bot.tables.get(1)
    other = next(each for each in people if table.state.seat_of(each.id) not in table.state.awaited())
    hand = await hand_of(other, place)
    (menu,) = hand.selects
    seat = table.state.seat_of(other.id)
    assert seat is not None
    more = len(table.state.game.ahead(table.state.game_state, seat))
    line = f"-# The menu has {MOST_AHEAD} of {more} moves. You can make the others on your turn."
    assert line in hand.text
    game, values = table.state.game, [each["value"] for each in menu["options"][1:]]
    assert [*map(game.text, map(game.parse, values))] == values
    assert len({*values}) == len(values)
    assert "Play" not in labels(hand)


async def test_of_many_bids_those_near_to_the_expected_number_are_offered(here: CardRoom) -> None:
    card = await start_match(here, "liars-dice start", *here.people[:3])
    table = await here.bot.tables.get(1)
    waiting = next(each for each in here.people if table.state.seat_of(each.id) not in table.state.awaited())
    (menu,) = (await hand_of(waiting, here.thread(card))).selects
    offered = [each["value"] for each in menu["options"][1:]]
    assert len(offered) == MOST_AHEAD
    assert (*offered[:2], offered[-1]) == ("doubt", "bid 2x1", "bid 6x4")


async def test_a_doubt_of_any_bid_can_be_decided_ahead_and_ends_with_the_round(here: CardRoom) -> None:
    card = await start_match(here, "liars-dice start", *here.people[:3])
    game = Deal(here, await here.bot.tables.get(1), here.thread(card))
    doubter, later = game.person(1), game.person(2)
    await game.choose(later, await game.hand(2), "doubt")
    await game.choose(doubter, await game.hand(1), "doubt")
    await game.play("bid 3x4")
    await asyncio.sleep(PAUSE)
    state = game.table.state
    assert state.game_state.last.caller == state.seat_of(doubter.id)
    assert state.ahead == {}
