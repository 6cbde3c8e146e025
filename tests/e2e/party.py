"""People at a table of Twin It!, who press the buttons below the faces or claim by a line of numbers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import combinations
from typing import Any

from bot.match.table import Table
from cogs.twin_it.layout import ON_BOARD
from games.twin_it.state import Face, State
from sandbox import Answer, Channel, Message, Person
from tests.e2e.house import House
from tests.e2e.match import answered
from tests.e2e.players import hand_of, open_table

NAMED = "A face by its number, or two faces alike"
LINE = "Two or three faces alike, by their numbers"
"""What a claim is typed into."""


class Party:
    """Table 1, with these people at it."""

    def __init__(self, here: House, people: list[Person], place: Channel, table: Table) -> None:
        self.here = here
        self.box = here.box
        self.people = people
        self.place = place
        self.table = table

    @property
    def state(self) -> State:
        """The cards as they lie."""
        state: State = self.table.state.game_state
        return state

    def shown(self) -> Message | None:
        """The board, None while there is none."""
        card = self.here.bot.publisher.card(self.table, "table")
        return self.place.log.get(card.message.id) if card else None

    @property
    def board(self) -> Message:
        """The board."""
        message = self.shown()
        assert message is not None
        return message

    async def press(self, seat: int, action: str) -> Answer:
        """Press a button that is there, or will be soon; type a hand on a face that has none."""
        if (face := self.without_button(action)) is not None:
            await self.box.until(lambda: "twin-it.name:1" in self.board.custom_ids)
            return await type_hands(self.people[seat], self.board, str(face))
        custom_id = f"twin-it.press:1:{action}"
        await self.box.until(lambda: (board := self.shown()) and custom_id in board.custom_ids)
        return await self.people[seat].click(self.board, custom_id)

    def without_button(self, action: str) -> int | None:
        """The face that a hand is to be laid on, where the board has no button for it."""
        deed, _, number = action.partition(" ")
        card = self.state.showing.get(int(number)) if deed == "hand" else None
        return int(number) if card is not None and self.state.spots[card] not in ON_BOARD else None

    async def pressed(self, seat: int, action: str) -> Answer:
        """Press a button, and be answered without a word."""
        answer = await self.press(seat, action)
        answered(answer)
        return answer

    async def forged(self, seat: int, action: str) -> Answer:
        """Use a button that is not there, or not any more."""
        answer = await self.people[seat].press(self.board, f"twin-it.press:1:{action}")
        answered(answer)
        return answer

    async def pass_time(self, until: float) -> None:
        """Let it be so late (ms of Discord's clock), and let the bot know."""
        self.box.clock.advance(max(0.0, until / 1000 - self.box.clock.now()))
        await self.people[0].slash(self.place, "tables")

    async def happen(self) -> None:
        """Wait until what is due by itself has happened."""
        due, n = self.table.state.due(), self.table.state.n
        assert due is not None
        await self.pass_time(due)
        await self.box.until(lambda: self.table.state.n > n)

    def pairs(self) -> list[tuple[Face, Face]]:
        """Faces that match, each in one pair at most."""
        left = [self.state.face(card) for card in self.state.showing.values()]
        found: list[tuple[Face, Face]] = []
        for one, other in combinations(left, 2):
            if one.design == other.design and not {one, other} & {face for pair in found for face in pair}:
                found.append((one, other))
        return found

    async def until_a_pair_shows(self) -> tuple[int, int]:
        """Flip until two faces match; their numbers."""
        while not self.pairs():
            (seat,) = self.table.state.awaited()
            await self.pressed(seat, "flip")
        one, other = self.pairs()[0]
        return one.number, other.number

    async def open_spread(self) -> list[Message]:
        """Everybody is ready, and has the first page of the spread before them."""
        hands = [await hand_of(person, self.place) for person in self.people]
        for person, hand in zip(self.people, hands, strict=True):
            answered(await person.click(hand, "I am ready"))
        await self.happen()
        for person, hand in zip(self.people, hands, strict=True):
            answered(await person.click(hand, "Open the spread"))
        return hands

    async def rest(self) -> None:
        """Wait until everything is shown."""
        await self.here.bot.publisher.rest()


@asynccontextmanager
async def dealt(here: House, seats: int = 6, **options: Any) -> AsyncIterator[Party]:
    """A match of so many people. Unless a test says otherwise their hands lie longer than a busy machine stops for."""
    options = {"hand_seconds": 15} | options
    people = [*here.people, here.box.person("Fay", here.guild)][:seats]
    card = await open_table(here.room, "twin-it start", *people, **options)
    await people[0].click(card, "Start")
    await here.bot.publisher.rest()
    yield Party(here, people, here.thread(card), await here.bot.tables.get(1))


async def type_hands(person: Person, board: Message, line: str) -> Answer:
    """Lay hands on faces by their numbers, from the board."""
    modal = (await person.click(board, "Type a number")).modal
    assert modal is not None
    return await person.submit(modal, {NAMED: line})


async def type_claim(person: Person, page: Message, line: str) -> Message:
    """Claim by a line of numbers; the page as it is then."""
    modal = (await person.click(page, "Type")).modal
    assert modal is not None
    answer = await person.submit(modal, {LINE: line})
    answered(answer)
    return page
