"""Drawn hands leave nothing in the bot's memory: no view or message waits for a click."""

import gc
from collections import Counter

from sandbox import Channel
from tests.e2e.card_room import CardRoom
from tests.e2e.players import deal, hand_of

DRAWN = 50
OURS = ("bot.", "cogs.", "games.", "discord.")
"""Beginnings of the names of modules whose objects are counted."""


async def objects_after_hands(here: CardRoom, place: Channel) -> Counter[str]:
    """Open hands, each in a new message. Return the number of objects by type."""
    for n in range(DRAWN):
        await hand_of(here.people[n % 3], place)
    await here.rest()
    gc.collect()
    kinds = (type(each) for each in gc.get_objects())
    return Counter(f"{each.__module__}.{each.__name__}" for each in kinds if each.__module__.startswith(OURS))


async def test_drawn_hands_use_no_lasting_memory(here: CardRoom) -> None:
    place = await deal(here, 3)
    before = await objects_after_hands(here, place)
    assert await objects_after_hands(here, place) == before
