"""People who see no pictures can play every game by text alone."""

from random import Random

from bot.match.state import TableState
from games.types import with_seats
from sandbox import Message, Person
from tests.e2e.match import SHORT, Match, every_game
from tests.e2e.players import by_typing, set_preferences, shown

STEPS = 15
"""Number of moves made with text alone; the rest of the match is played by the test."""


@every_game
async def test_a_match_can_be_played_by_text_alone(match: Match) -> None:
    """The text of a hand has all that its seat may know, then who has won, and `/move` suggests every move."""
    await match.gather(**SHORT.get(match.game.slug, {}))
    for person in match.people:
        await set_preferences(person, match.here.room, pictures="text only")
    await match.people[0].click(match.card, "Start")
    await match.rest()
    rng = Random(1)
    table, names = await match.table(), [person.name for person in match.people]
    while table.state.phase == "play" and await match.entries() < STEPS:
        for seat, person in with_seats(match.people):
            hand, state = await _hand(match, person)
            assert hand.files == []
            assert match.game.words.describe(match.game.view(state.game_state, seat), names) in hand.text
        await by_typing(match.people[table.state.awaited()[0]], await match.place(), rng)
    await match.finish()
    for person in match.people:
        hand = shown(await person.slash(await match.place(), "hand", table="1"))
        assert hand.files == []
        assert "🏆 **" in hand.text, "it says who has won"


async def _hand(match: Match, person: Person) -> tuple[Message, TableState]:
    """Return a person's hand with the state that it shows: it is asked for again if time has changed the table
    meanwhile."""
    table = await match.table()
    while True:
        before = table.state.n
        hand = shown(await person.slash(await match.place(), "hand"))
        if table.state.n == before:
            return hand, table.state
