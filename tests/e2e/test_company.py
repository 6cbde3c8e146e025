"""Playing with computers: in the lobby, at the table, alone at three in the morning, and for practice."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.table import Table
from bot.timing import Times
from games import GAMES, AnyGame
from games.minds import choose
from sandbox import Channel, Message, Person
from tests.e2e.house import House, house
from tests.e2e.players import hand_of, latest, leave, open_table, shown, too_late
from tests.toy.rules import GAME as TOY

pytestmark = pytest.mark.usefixtures("at_once")

AT_ONCE = Times(computer=(0, 1))


@pytest.fixture
def times() -> Times:
    """Computers answer at once."""
    return AT_ONCE


class Evening:
    """One person at a table with computers."""

    def __init__(self, here: House, table: Table, person: Person) -> None:
        self.table = table
        self.person = person
        self._changed = asyncio.Event()
        here.bot.tables.on_change.append(lambda _: self._changed.set())

    @property
    def asked(self) -> bool:
        """Whether it is the person's turn."""
        return self.table.sitting.seat_of(self.person.id) in self.table.sitting.awaited()

    async def wait(self) -> None:
        """Until it is the person's turn, or all is over."""
        async with asyncio.timeout(20):
            while self.table.is_open and not self.asked:
                await self._changed.wait()
                self._changed.clear()

    def choice(self) -> str:
        """The text of a sensible move."""
        sitting = self.table.sitting
        seat = sitting.seat_of(self.person.id)
        return sitting.game.text(
            choose(sitting.game, sitting.game.view(sitting.state, seat), "steady", sitting.n)
        )

    async def move(self, place: Channel) -> None:
        """The person's next turn, from the keyboard. In a game of speed a computer may have been quicker."""
        await self.wait()
        answer = await self.person.slash(place, "move", action=self.choice())
        assert "✅" in answer.text or self.table.sitting.game.real_time

    async def finish(self) -> None:
        """Play on to the end."""
        await self.wait()
        while self.table.is_open:
            move = self.table.sitting.game.parse(self.choice())
            with too_late(self.table.sitting.game):
                await self.table.move(self.person.id, move, self.table.house.now())
            await self.wait()


def labels(message: Message) -> list[str]:
    return [each["label"] for each in message.buttons]


# Alone


@pytest.mark.usefixtures("in_order")
async def test_a_person_alone_at_night_plays_every_game_to_its_end(game: AnyGame, tmp_path: Path) -> None:
    cogs = ("tests.toy.cog",) if game is TOY else ()
    async with house(tmp_path / "house.sqlite3", seed=lambda: "e2e", times=AT_ONCE, extra_cogs=cogs) as here:
        alice = here.people[0]
        computers = game.seats(game.Options()).start - 1
        card = await open_table(here.room, f"{game.slug} start", alice, computers=computers)
        assert "2. 🤖 Fern (steady)" in card.text
        await alice.click(card, "Start")
        await here.bot.publisher.rest()
        evening = Evening(here, await here.bot.tables.get(1), alice)
        await evening.move(here.thread(card))
        await evening.finish()
        await here.bot.publisher.rest()
        assert "🏁" in card.text
        assert "🤖 Fern" in "\n".join(here.transcript(here.thread(card)))
        assert "No match has been finished here" in (await alice.slash(here.room, "leaderboard")).text
        assert {person.id for message in here.room.messages() for person in here.people[1:]} & {
            user for message in here.thread(card).log.values() for user in message.pings
        } == set()


async def test_when_the_only_person_leaves_the_computers_the_table_closes(here: House) -> None:
    alice = here.people[0]
    card = await open_table(here.room, "palmer start", alice, computers=2)
    await alice.click(card, "Start")
    await here.bot.publisher.rest()
    await leave(alice, here.thread(card))
    await here.bot.publisher.rest()
    assert "Closed: everybody has left" in card.text
    assert here.transcript(here.thread(card))[-2:] == [
        "👋 Alice left.",
        "🚪 Table closed: everybody has left; the match does not count.",
    ]


# The lobby


async def test_the_host_adds_computers_by_a_button_and_chooses_how_strong(here: House) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben)
    ask = shown(await alice.click(card, "Add computer"))
    assert ask.ephemeral
    assert labels(ask) == ["Casual", "Steady", "Sharp", "Send the last away"]
    for strength in ("Sharp", "Casual"):
        assert shown(await alice.click(ask, strength)) is ask
    assert "🤖 Fern (sharp), 🤖 Moss (casual). All seats are taken." in ask.text
    await here.bot.publisher.rest()
    assert "1. Alice (host)\n2. Ben\n3. 🤖 Fern (sharp)\n4. 🤖 Moss (casual)\n4 of 4 seats taken" in card.text
    await alice.click(ask, "Send the last away")
    await here.bot.publisher.rest()
    assert "Moss" not in card.text


async def test_nobody_but_the_host_adds_computers_nor_at_any_other_time(here: House) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben)
    for person in (ben, cleo):
        assert "Only the host" in (await person.click(card, "Add computer")).text
        assert "Only the host" in (await person.press(card, "computer:1:sharp")).text
        assert "Only the host" in (await person.press(card, "computer:1:dismiss")).text
    assert "not one of mine" in (await alice.press(card, "computer:1:omniscient")).text
    assert "No computer sits here" in (await alice.press(card, "computer:1:dismiss")).text
    await alice.click(card, "Start")
    for rest in ("", ":sharp"):
        assert "The match has begun" in (await alice.press(card, f"computer:1{rest}")).text


async def test_more_computers_than_seats_are_refused_with_a_sentence(here: House) -> None:
    alice = here.people[0]
    told = await alice.slash(here.room, "twin-palms start", computers=4)
    assert told.ephemeral
    assert "Twin Palms is for at most 4 here, so for you and 3 computers." in told.text
    assert "You sit at no table" in (await alice.slash(here.room, "tables")).text


async def test_every_game_is_opened_with_computers_a_strength_and_a_pace(here: House) -> None:
    alice = here.people[0]
    for slug, game in GAMES.items():
        card = await open_table(
            here.room, f"{slug} start", alice, computers=1, strength="sharp", pace="relaxed"
        )
        assert "2. 🤖 Fern (sharp)" in card.text
        assert "· relaxed, 1 hour a move" in card.text
        assert game.title in card.text
        await alice.click(card, "Cancel")


# Practice


async def practise(here: House, **options: Any) -> Message:
    """The card of Alice's table, once it is dealt."""
    card = shown(await here.people[0].slash(here.room, "practice", **options))
    await here.box.until(lambda: "The match is on in" in card.text)
    return card


async def test_practice_is_dealt_at_once_gives_hints_and_does_not_count(here: House) -> None:
    alice, ben, *_ = here.people
    card = await practise(here, game="Palmer", computers=2, strength="casual")
    assert "3. 🤖 Moss (casual)" in card.text
    assert "· practice" in card.text
    place = here.thread(card)
    evening = Evening(here, await here.bot.tables.get(1), alice)
    await evening.wait()
    hand = await hand_of(alice, place)
    assert shown(await alice.click(hand, "Hint")) is hand
    assert hand.text.splitlines()[1].startswith("💡 ")
    assert "You are watching" in (await ben.press(latest(ben, place), "hint:1")).text
    await evening.finish()
    await here.bot.publisher.rest()
    assert "There is nothing for you to decide" in (await alice.press(latest(alice, place), "hint:1")).text
    assert "No match has been finished here" in (await alice.slash(here.room, "leaderboard")).text


async def test_every_game_can_be_practised(here: House) -> None:
    alice = here.people[0]
    for n, game in enumerate(GAMES.values(), start=1):
        card = await practise(here, game=game.title)
        table = await here.bot.tables.get(n)
        evening = Evening(here, table, alice)
        await evening.wait()
        await here.bot.publisher.rest()
        hand = await hand_of(alice, here.thread(card))
        assert "💡" in shown(await alice.click(hand, "Hint")).text
        await leave(alice, here.thread(card))
        await here.bot.publisher.rest()


async def test_a_hint_is_refused_where_it_would_spoil_a_match(here: House) -> None:
    alice = here.people[0]
    card = await open_table(here.room, "twin-palms start", alice, computers=1)
    assert "Hints are for practice" in (await alice.press(card, "hint:1")).text
    await alice.click(card, "Start")
    await here.bot.publisher.rest()
    hand = await hand_of(alice, here.thread(card))
    assert "Hint" not in labels(hand)
    assert "Hints are for practice" in (await alice.press(hand, "hint:1")).text


async def test_practice_against_too_few_or_too_many_is_refused_with_a_sentence(here: House) -> None:
    told = await here.people[0].slash(here.room, "practice", game="Palmer", computers=7)
    assert "Palmer is for at most" in told.text
