"""Hand and Foot in the real client: a usual turn, a first meld, the discard pile, and what only some people see."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from bot.match.table import Table
from games import GAMES
from games.hand_and_foot.melding import can_finish
from games.hand_and_foot.state import ASKING, PLAYING
from games.strategies import choose
from games.types import Seat
from sandbox import Channel, Message, Person
from tests.e2e.card_room import CardRoom
from tests.e2e.players import hand_of, labels, latest, open_table, shown, text_and_alt

GAME = GAMES["hand-and-foot"]


class Room:
    """A table of Hand and Foot with people alone."""

    def __init__(self, here: CardRoom, place: Channel, table: Table) -> None:
        self.here = here
        self.place = place
        self.table = table

    @property
    def state(self) -> Any:
        return self.table.state.game_state

    @property
    def seat(self) -> Seat:
        return self.table.state.awaited()[0]

    @property
    def person(self) -> Person:
        """The person awaited."""
        return self.here.people[self.seat]

    async def play_until(self, condition: Callable[[], bool]) -> None:
        """Let everybody play as a computer would until the condition holds."""
        while not condition():
            move = choose(GAME, GAME.view(self.state, self.seat), "steady", self.table.state.n)
            await self.table.play(self.person.id, [GAME.text(move)], self.table.clock.now())

    def legal(self) -> list[str]:
        return [GAME.text(action) for action in GAME.legal(self.state, self.seat)]

    def may_go_out(self) -> bool:
        """Return whether the player may ask, with more than the last two cards in hand, and can lay all but one."""
        hand, side = self.state.hands[self.seat], self.state.side(self.seat)
        finishes = can_finish(self.state.piles[side], self.state.melds[side], hand)
        return "ask" in self.legal() and len(hand) > 2 and finishes

    def others(self, person: Person) -> list[Person]:
        return [other for other in self.here.people[: self.state.seats] if other is not person]


async def room_of(here: CardRoom, seats: int, **options: Any) -> Room:
    card = await open_table(here.room, "hand-and-foot start", *here.people[:seats], **options)
    await here.people[0].click(card, "Start")
    await here.rest()
    return Room(here, here.thread(card) if card.thread else here.room, await here.bot.tables.get(1))


def step(hand: Message, name: str) -> str:
    """Return the custom id of the form's button for this step."""
    return str(next(each["custom_id"] for each in hand.buttons if each["custom_id"].endswith(f":{name}")))


async def test_the_live_table_says_once_who_plays_with_whom(here: CardRoom) -> None:
    room = await room_of(here, 4)
    await room.play_until(lambda: room.state.deal == 1 and all(map(room.state.has_opened, (0, 1))))
    await here.rest()
    who = [player.name for player in room.table.state.players]
    table = text_and_alt(latest(room.person, room.place, "What counts"))
    for partners in (who[::2], who[1::2]):
        assert len(re.findall(f": . {partners[0]},[^:]* and . {partners[1]},[^:]*: ", table)) == 1
    card = latest(here.people[0], here.room, "Watch").text
    for seat, name in enumerate(who):
        assert f"{seat + 1}. {name} · with {who[(seat + 2) % 4]}\n" in card


async def test_the_lobby_says_how_pairs_are_found_and_how_long_the_deals_take(here: CardRoom) -> None:
    card = await open_table(here.room, "hand-and-foot start", here.people[0], deals=1)
    assert "4 or 6 play in pairs · partner: `More`" in card.text
    assert "table 1 · 25 min · 90 seconds a move · 1 deal\n" in card.text
    slow = await open_table(here.room, "hand-and-foot start", here.people[1], pace="correspondence")
    assert "table 2 · 4 deals · 1 day a move\n" in slow.text, "no minutes beside a day for a move"


async def test_a_first_meld_is_seen_by_nobody_else_before_it_is_complete(here: CardRoom) -> None:
    room = await room_of(here, 2)
    await room.play_until(lambda: any(room.state.aside) and room.state.phase == PLAYING)
    person = room.person
    points = room.state.laid_aside()
    hand = await hand_of(person, room.place)
    assert f"**{points} of {room.state.minimum}** points laid aside" in hand.text
    (other,) = room.others(person)
    for message in (*room.place.messages(), await hand_of(other, room.place)):
        if message is not hand:
            assert "aside" not in text_and_alt(message)
    rank = hand.selects[0]["options"][0]
    hand = shown(await person.select(hand, hand.selects[0]["custom_id"], [rank["value"]]))
    assert shown(await person.click(hand, step(hand, "lay"))) is hand
    assert "✅ Lay" in hand.text


@pytest.mark.parametrize("answer", ["Agree", "Refuse"])
async def test_the_partner_is_asked_and_answers_in_private(here: CardRoom, answer: str) -> None:
    room = await room_of(here, 4)
    await room.play_until(room.may_go_out)
    asker = room.person
    hand = await hand_of(asker, room.place)
    await asker.click(hand, "Ask to go out")
    assert room.state.phase == ASKING
    partner = room.person
    question = await hand_of(partner, room.place)
    assert f"{asker.name} asks whether to go out: agree or refuse" in question.text
    assert labels(question)[:2] == ["Agree", "Refuse"]
    await partner.click(question, answer)
    await here.rest()
    said = {"Agree": "agrees: you may go out", "Refuse": "refuses, so you may not go out this turn"}[answer]
    assert f"{partner.name} {said}" in (await hand_of(asker, room.place)).text
    strangers = [each for each in room.others(asker) if each is not partner]
    for stranger in strangers:
        await hand_of(stranger, room.place)
        seen = "\n".join(text_and_alt(message) for message in stranger.sees(room.place))
        assert not any(word in seen for word in ("agrees", "agreed", "refuses", "refused"))
