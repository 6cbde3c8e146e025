"""Whole matches of Thirty-One, by people who tap on what they see or type."""

from pathlib import Path
from random import Random

import pytest

from sandbox import Channel, Person
from tests.e2e.house import house
from tests.e2e.players import hand_of, open_table, shown


@pytest.mark.parametrize("seats", [2, 8])
async def test_a_match_is_played_to_its_end(seats: int, tmp_path: Path) -> None:
    async with house(tmp_path / "house.sqlite3", seed=lambda: "e2e") as here:
        others = [here.box.person(name, here.guild) for name in ("Finn", "Gil", "Hal")]
        people = [*here.people, *others][:seats]
        card = await open_table(here.room, "thirty-one start", *people, tokens=1)
        await people[0].click(card, "Start")
        await here.bot.publisher.rest()
        thread, rng = here.thread(card), Random(seats)
        table = await here.bot.tables.get(1)
        while table.sitting.phase == "play":
            (seat,) = table.sitting.awaited()
            turn = rng.choice([by_tapping, by_typing])
            assert "✅" in await turn(people[seat], thread, rng)
        await here.bot.publisher.rest()
        outcome = table.sitting.game.outcome(table.sitting.state)
        assert outcome is not None
        winner = people[outcome.placings.index(1)]
        assert f"**1.** {winner.name}: 1" in card.text
        assert "All hands are shown:" in "\n".join(here.transcript(thread))


async def by_tapping(person: Person, place: Channel, rng: Random) -> str:
    """Open the hand and tap on one of its moves. What the hand says afterwards."""
    hand = await hand_of(person, place)
    ready = [
        button["label"]
        for button in hand.buttons
        if button["custom_id"].startswith("form:") and not button.get("disabled")
    ]
    return shown(await person.click(hand, rng.choice(ready))).text


async def by_typing(person: Person, place: Channel, rng: Random) -> str:
    """Type one of the moves that are suggested."""
    offered = await person.autocomplete(place, "move", "action", "")
    return (await person.slash(place, "move", action=rng.choice(offered)["value"])).text
