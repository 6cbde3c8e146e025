"""The whole bot in a world: all that it asks of Discord follows from the seed."""

from functools import partial
from pathlib import Path
from random import Random

from tests.e2e.card_room import card_room
from tests.e2e.players import by_tapping, open_table
from tests.simulation.test_loop import run

MOVES = 12


async def played(file: Path) -> list[tuple[object, ...]]:
    """Play a few moves against a computer, and return every request of the bot with its answer."""
    async with card_room(file) as here:
        alice, ben, *_ = here.people
        card = await open_table(here.room, "palace start", alice, ben)
        await alice.click(card, "Add computer")
        await alice.click(card, "Start")
        await here.rest()
        table, rng = await here.bot.tables.get(1), Random(1)
        for _ in range(MOVES):
            await here.box.until(lambda: {*table.state.awaited()} & {0, 1})
            seat = next(each for each in table.state.awaited() if each < 2)
            await by_tapping(here.people[seat], here.thread(card), rng)
            await here.rest()
        return [(each.time, each.method, each.path, each.body, each.answer) for each in here.box.requests]


def test_the_same_seed_gives_the_same_requests_and_answers_and_another_seed_others(tmp_path: Path) -> None:
    one, again, other = (
        run(partial(played, tmp_path / f"{number}.sqlite3"), seed) for number, seed in enumerate((1, 1, 2))
    )
    assert len(one) > 3 * MOVES
    assert one == again
    assert [each[1:3] for each in one] != [each[1:3] for each in other]
