"""A seat that changes hands, or is a computer's, shows its cards to whoever holds it and to nobody else."""

from pathlib import Path

import pytest

from bot.match.times import Times
from games.twin_palms.cards import card_text
from tests.e2e.eyes import Eyes, cards_in, look_around
from tests.e2e.house import house
from tests.e2e.players import deal, latest, leave, open_table


@pytest.mark.usefixtures("at_once")
async def test_a_seat_that_changes_hands_shows_its_cards_to_whoever_holds_it_and_to_nobody_else(
    tmp_path: Path,
) -> None:
    """Ben leaves and Eve takes his seat, Cleo hands hers to Dana; nobody has played a card yet."""
    async with house(tmp_path / "house.sqlite3", seed=lambda: "e2e") as here:
        _, ben, cleo, dana, eve = here.people
        place = await deal(here, 3, mode="extreme")
        table, eyes = await here.bot.tables.get(1), [Eyes(person) for person in here.people]
        first, second, third = _hands(table.state.game_state.hands)

        async def seen(*hands: set[str]) -> None:
            """What each has seen since the last time names no card but those of the hand they hold."""
            for person in here.people:
                await look_around(person, place)
            await here.bot.publisher.rest()
            for eye, hand in zip(eyes, hands, strict=True):
                named = {card for string in eye.look() for card in cards_in(string)}
                assert named == hand, eye.person.name

        await seen(first, second, third, set(), set())
        await leave(ben, place)
        await here.bot.publisher.rest()
        await seen(first, set(), third, set(), set())
        await eve.click(latest(eve, place, "Take Ben's seat"), "Take Ben's seat")
        await seen(first, set(), third, set(), second)
        await cleo.slash(place, "table hand-over", member=dana)
        await seen(first, set(), third, set(), second)
        await dana.click(latest(dana, place, "Accept"), "Accept")
        await seen(first, set(), set(), third, second)


@pytest.mark.usefixtures("at_once")
async def test_what_a_computer_holds_shows_nowhere(tmp_path: Path) -> None:
    times = Times(computer=(0, 1))
    async with house(tmp_path / "house.sqlite3", seed=lambda: "e2e", times=times) as here:
        alice = here.people[0]
        card = await open_table(here.room, "twin-palms start", alice, mode="extreme", computers=2)
        await alice.click(card, "Start")
        await here.bot.publisher.rest()
        place, table, eyes = here.thread(card), await here.bot.tables.get(1), [*map(Eyes, here.people)]
        own, *_ = _hands(table.state.game_state.hands)
        for person in here.people:
            await look_around(person, place)
        named = [{card for string in eye.look() for card in cards_in(string)} for eye in eyes]
        assert named == [own, set(), set(), set(), set()]


def _hands(hands: list[list[int]]) -> list[set[str]]:
    return [{card_text(kind) for kind in hand} for hand in hands]
