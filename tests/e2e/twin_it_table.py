"""A table of Twin It!: people press the buttons below the faces or type the numbers of a claim."""

from itertools import combinations
from typing import Any

from bot.match.table import Table
from cogs.twin_it.layout import on_board
from games import GAMES
from games.twin_it.state import Face
from sandbox import Answer, Channel, Message, Person
from tests.e2e.card_room import CardRoom
from tests.e2e.match import check_answer
from tests.e2e.players import hand_of, modal_of, start_match

NAMED = "Two numbers alike, or one of them"
LINE = "Two or three faces alike, by their numbers"
"""Label of the input field for a claim."""


class TwinItTable:
    """Table 1 with these people."""

    def __init__(self, here: CardRoom, people: list[Person], place: Channel, table: Table) -> None:
        self.here = here
        self.box = here.box
        self.people = people
        self.place = place
        self.table = table

    @property
    def state(self) -> Any:
        return self.table.state.game_state

    def shown(self) -> Message | None:
        """Return the board, or None while there is none."""
        card = self.here.bot.publisher.live.get(self.table, "table")
        return self.place.log.get(card.message.id) if card else None

    @property
    def board(self) -> Message:
        message = self.shown()
        assert message is not None
        return message

    async def press(self, seat: int, action: str) -> Answer:
        """Press a button, after waiting for it to appear. For a face without a button, type the hand."""
        if (face := self.without_button(action)) is not None:
            await self.box.until(lambda: "twin-it.name:1" in self.board.custom_ids)
            return await type_hands(self.people[seat], self.board, str(face))
        custom_id = f"twin-it.press:1:{action}"
        await self.box.until(lambda: (board := self.shown()) and custom_id in board.custom_ids)
        return await self.people[seat].click(self.board, custom_id)

    def without_button(self, action: str) -> int | None:
        """Return the face on which the action lays a hand if the board has no button for it."""
        word, _, number = action.partition(" ")
        card = self.state.showing.get(int(number)) if word == "hand" else None
        if card is None or self.state.face(card) in on_board(GAMES["twin-it"].view(self.state, None)):
            return None
        return int(number)

    async def pressed(self, seat: int, action: str) -> Answer:
        """Press a button and check the answer."""
        answer = await self.press(seat, action)
        check_answer(answer)
        return answer

    async def forged(self, seat: int, action: str, board: Message | None = None) -> Answer:
        """Use a button that is not there, or not any more; on the present board by default."""
        answer = await self.people[seat].press(board or self.board, f"twin-it.press:1:{action}")
        check_answer(answer)
        return answer

    async def pass_time(self, until: float) -> None:
        """Advance Discord's clock to a time in ms, and let the bot know."""
        self.box.clock.advance(max(0.0, until / 1000 - self.box.clock.now()))
        await self.people[0].slash(self.place, "tables")

    async def happen(self) -> None:
        """Advance the clock until the next due event has happened."""
        due, n = self.table.state.due(), self.table.state.n
        assert due is not None
        await self.pass_time(due)
        await self.box.until(lambda: self.table.state.n > n)

    def pairs(self) -> list[tuple[Face, Face]]:
        """Return faces that match; each face is in at most one pair."""
        left = [self.state.face(card) for card in self.state.showing.values()]
        found: list[tuple[Face, Face]] = []
        for one, other in combinations(left, 2):
            if one.design == other.design and not {one, other} & {face for pair in found for face in pair}:
                found.append((one, other))
        return found

    async def until_a_pair_shows(self) -> tuple[int, int]:
        """Flip until two faces match, and return their numbers."""
        while not self.pairs():
            (seat,) = self.table.state.awaited()
            await self.pressed(seat, "flip")
        one, other = self.pairs()[0]
        return one.number, other.number

    async def open_spread(self) -> list[Message]:
        """Make everybody ready, and open the first page of the spread for each of them."""
        hands = [await hand_of(person, self.place) for person in self.people]
        for person, hand in zip(self.people, hands, strict=True):
            check_answer(await person.click(hand, "I am ready"))
        await self.happen()
        for person, hand in zip(self.people, hands, strict=True):
            check_answer(await person.click(hand, "Open the spread"))
        return hands

    async def rest(self) -> None:
        await self.here.rest()


async def dealt(here: CardRoom, seats: int = 6, **options: Any) -> TwinItTable:
    """Deal a match. By default hands stay on faces longer than a busy machine may stop."""
    options = {"hand_seconds": 15} | options
    people = [*here.people, here.box.person("Fay", here.guild)][:seats]
    card = await start_match(here, "twin-it start", *people, **options)
    return TwinItTable(here, people, here.thread(card), await here.bot.tables.get(1))


async def type_hands(person: Person, board: Message, line: str, label: str = NAMED) -> Answer:
    """Lay hands on faces by typing their numbers at the board."""
    modal = modal_of(await person.click(board, "Type a number"))
    return await person.submit(modal, {label: line})


async def type_claim(person: Person, page: Message, line: str) -> Message:
    """Claim faces by typing their numbers, and return the page afterwards."""
    modal = modal_of(await person.click(page, "Type"))
    answer = await person.submit(modal, {LINE: line})
    check_answer(answer)
    return page
