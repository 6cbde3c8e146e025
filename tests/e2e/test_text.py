"""Whoever sees no pictures plays every game by text alone."""

from random import Random

from sandbox.messages import Message
from tests.e2e.match import Match
from tests.e2e.players import by_typing, prefer, shown

STEPS = 60
"""Moves after which what is left of a match is played in the background."""


async def test_a_match_is_played_from_text_alone(match: Match) -> None:
    """Everything that a seat may know stands in the text of its hand, and every move is suggested by `/move`."""
    await match.gather()
    for person in match.people:
        await prefer(person, match.here.room, pictures="text only")
    await match.people[0].click(match.card, "Start")
    await match.rest()
    rng = Random(1)
    table = await match.table()
    while table.state.phase == "play" and await match.entries() < STEPS:
        for person in match.people:
            hand = shown(await person.slash(await match.place(), "hand"))
            assert hand.files == []
            assert _described(match, table.state.game_state, match.people.index(person), hand)
        await by_typing(match.people[table.state.awaited()[0]], await match.place(), rng)
    await match.finish()
    for seat, person in enumerate(match.people):
        hand = shown(await person.slash(await match.place(), "hand", table="1"))
        assert _described(match, table.state.game_state, seat, hand)


def _described(match: Match, state: object, seat: int, hand: Message) -> bool:
    names = [person.name for person in match.people]
    return match.game.describe(match.game.view(state, seat), names) in hand.text


async def test_large_cards_and_the_order_are_kept(match: Match) -> None:
    await match.deal()
    person, place = match.people[0], await match.place()
    usual = shown(await person.slash(place, "hand")).files
    await prefer(person, place, cards="large", order="rank")
    await prefer(person, place, order="suit")
    large = shown(await person.slash(place, "hand")).files
    assert [file["description"] for file in large] == [file["description"] for file in usual]
