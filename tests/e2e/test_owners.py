"""The facts that docs/owners.md tells owners of servers: how much is posted, where, and who is mentioned."""

from random import Random

from sandbox import Channel, Message
from tests.e2e.card_room import CardRoom
from tests.e2e.players import by_typing, deal


def posted(channel: Channel) -> list[Message]:
    """Return what everybody sees there."""
    return [each for each in channel.messages() if not each.ephemeral and each.author.bot]


async def test_a_match_posts_two_messages_in_its_channel_and_mentions_its_players_alone(
    here: CardRoom,
) -> None:
    players = {person.id: person for person in here.people[:2]}
    place = await deal(here, 2, rounds=1)
    table, mentioned = await here.bot.tables.get(1), set[int]()
    while table.is_open:
        seat, *_ = table.state.awaited()
        await by_typing(players[table.state.players[seat].user], place, Random(table.state.n))
        await here.rest()
        mentioned |= {user for each in posted(place) for user in each.mentions}
    assert mentioned == {*players}
    assert [len(posted(channel)) for channel in (here.room, place)] == [2, 3]
    assert not any(each.mentions for channel in (here.room, place) for each in posted(channel))
