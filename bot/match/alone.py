"""Matches without a place: one person against computers, shown in ephemeral messages only, without deadlines.

Their channel is 0. The bot posts nothing about them, and they count neither as open tables of their person nor for
any standings. `bot.match.answering` makes the computers' moves.
"""

from collections.abc import Sequence
from contextlib import suppress

from bot.match.refusal import Refusal
from bot.match.seats import named
from bot.match.state import Player
from bot.match.table import Table
from bot.match.tables import Tables, first_entries
from bot.store import NewMatch, StoreFailed
from games import AnyGame, Options
from games.advice import Strength


def against(player: Player, computers: int, strength: Strength) -> list[Player]:
    """Return a person and that number of computers."""
    players = [player]
    for _ in range(computers):
        players.append(Player(0, named([each.name for each in players]), strength))
    return players


def placeless(game: AnyGame, options: Options, seed: str, user: int, at: int) -> NewMatch:
    """Return a new match without a place, for one person."""
    return NewMatch(game.slug, game.version, options.model_dump_json(), seed, 0, 0, user, at)


async def open_practice(
    tables: Tables,
    game: AnyGame,
    options: Options,
    players: Sequence[Player],
    *,
    at: int,
    interaction: int,
) -> Table:
    """Open a practice match without a place, and start it. The first player is its person, `interaction` the id of the
    one that opens it. Raises Refusal when they have opened too many."""
    user = players[0].user
    tables.openings.check(user, at)
    match = placeless(game, options, tables.new_seed(), user, at)
    rows = first_entries(players, "live", practice=True, at=at, interaction=interaction)
    created = await tables.store.create(match, rows, {})
    tables.openings.count(user, at)
    return await started(tables, created.id, at)


async def started(tables: Tables, match: int, at: int) -> Table:
    """Return the table of a match, which is started if it is still a lobby, as after a kill."""
    table = await tables.get(match)
    if table.state.phase == "lobby":
        try:
            with suppress(Refusal):  # a click at the same moment has started it
                await table.start(table.match.host, at)
        except StoreFailed:  # or one by another process, or the answer was lost
            if (table := await tables.get(match)).state.phase == "lobby":
                raise
    return table
