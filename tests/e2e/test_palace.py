"""Whole matches of Palace, by as few and as many people as may play, from the keyboard and by the form."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from games import GAMES
from sandbox import Channel, Message, Person
from tests.e2e.house import House, house
from tests.e2e.players import hand_of, open_table, shown

GAME = GAMES["palace"]


async def dealt(here: House, seats: int, **options: Any) -> tuple[list[Person], Channel, Message]:
    """A match of so many people; who sits there, where it is played, and its card."""
    more = [here.box.person(name, here.guild) for name in ("Finn", "Gina", "Hal")]
    people = [*here.people, *more][:seats]
    card = await open_table(here.room, "palace start", *people, **options)
    await people[0].click(card, "Start")
    await here.bot.publisher.rest()
    return people, here.thread(card), card


@pytest.mark.parametrize("seats", [2, 8])
async def test_a_match_is_played_to_its_end_from_the_keyboard(seats: int, tmp_path: Path) -> None:
    async with house(tmp_path / "house.sqlite3", seed=lambda: "e2e") as here:
        people, place, card = await dealt(here, seats)
        table, rng = await here.bot.tables.get(1), Random(seats)
        while table.sitting.phase == "play":
            seat = table.sitting.awaited()[0]
            move = GAME.text(rng.choice(table.sitting.legal(seat)))
            assert "✅" in (await people[seat].slash(place, "move", action=move)).text
        await here.bot.publisher.rest()
        outcome = GAME.outcome(table.sitting.state)
        assert outcome is not None
        assert f"**1.** {people[outcome.placings.index(1)].name}: {min(outcome.scores)}" in card.text
        assert outcome.reason in card.text


async def test_a_match_is_played_to_its_end_by_tapping_on_the_form(tmp_path: Path) -> None:
    async with house(tmp_path / "house.sqlite3", seed=lambda: "e2e") as here:
        people, place, card = await dealt(here, 3, play_for_places=True)
        table, rng = await here.bot.tables.get(1), Random(3)
        while table.sitting.phase == "play":
            assert "✅" in await take_turn(people[table.sitting.awaited()[0]], place, rng)
        await here.bot.publisher.rest()
        assert "🏁" in card.text
        assert any("is out**, in place 1" in told for told in here.transcript(place))


async def take_turn(person: Person, place: Channel, rng: Random) -> str:
    """Open the hand, choose from its menu if it has one, and press a button. What the hand says afterwards."""
    hand = await hand_of(person, place)
    if hand.selects:
        menu = hand.selects[0]
        values = [option["value"] for option in menu["options"]]
        hand = shown(await person.select(hand, menu["custom_id"], rng.sample(values, menu["max_values"])))
    moves = ("Lay ", "Play ", "Turn up ", "Take the pile ")
    buttons = [b["label"] for b in hand.buttons if b["label"].startswith(moves)]
    return shown(await person.click(hand, rng.choice(buttons))).text
