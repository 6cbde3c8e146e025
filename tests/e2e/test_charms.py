"""Whole matches of Charms, by people who tap on what they see or type."""

from pathlib import Path
from random import Random

import pytest

from sandbox import Channel, Person
from tests.e2e.house import house
from tests.e2e.players import hand_of, open_table, shown


@pytest.mark.parametrize(("seats", "bidding"), [(3, "open"), (4, "hidden")])
async def test_a_match_is_played_to_its_end(seats: int, bidding: str, tmp_path: Path) -> None:
    async with house(tmp_path / "house.sqlite3", seed=lambda: "e2e") as here:
        people = here.people[:seats]
        card = await open_table(here.room, "charms start", *people, hands=1, bidding=bidding)
        await people[0].click(card, "Start")
        await here.bot.publisher.rest()
        thread, rng = here.thread(card), Random(seats)
        table = await here.bot.tables.get(1)
        while table.sitting.phase == "play":
            seat = rng.choice(table.sitting.awaited())
            turn = rng.choice([by_tapping, by_typing])
            assert "✅" in await turn(people[seat], thread, rng)
        await here.bot.publisher.rest()
        outcome = table.sitting.game.outcome(table.sitting.state)
        assert outcome is not None
        first = outcome.placings.index(1)
        assert f"**1.** {people[first].name}: {outcome.scores[first]}" in card.text
        assert "Scores of hand 1:" in "\n".join(here.transcript(thread))


async def by_tapping(person: Person, place: Channel, rng: Random) -> str:
    """Open the hand, tap at random until a move is made. What the hand says afterwards."""
    hand = await hand_of(person, place)
    while "✅" not in hand.text:
        taps = [button["label"] for button in hand.buttons if button["custom_id"].startswith("form:")]
        hand = shown(await person.click(hand, rng.choice(taps)))
    return hand.text


async def by_typing(person: Person, place: Channel, rng: Random) -> str:
    """Type one of the moves that are suggested."""
    offered = await person.autocomplete(place, "move", "action", "")
    return (await person.slash(place, "move", action=rng.choice(offered)["value"])).text
