"""Words beside the names in a lobby: rating and reliability."""

from bot.match.state import TableState
from bot.standings.ratings import Rating, label
from bot.standings.reliability import MATCHES, SPAN, reliability
from bot.store import Store, Unreadable


async def lobby_notes(state: TableState, store: Store, now: int) -> dict[int, str]:
    """Return the words by user, only of people about whom there is something to say; none after the lobby.

    A rating is that in the pool of the table, of a person whose preference shows it. `now` is the time in ms.
    """
    if state.phase != "lobby":
        return {}
    try:
        ratings = await _ratings(state, store, now)
        notes = {}
        for user in _users(state):
            finishes = await store.finishes(user, since=now - SPAN, limit=MATCHES)
            notes[user] = " · ".join(filter(None, [ratings.get(user), reliability(finishes)]))
    except Unreadable:  # the card is more important
        return {}
    return {user: note for user, note in notes.items() if note}


async def _ratings(state: TableState, store: Store, now: int) -> dict[int, str]:
    """Return the ratings by user, as people see them."""
    pool = None if state.practice else state.game.pool(state.options)
    if pool is None:
        return {}
    rows = await store.ratings(pool, _users(state))
    return {
        user: label(Rating(row.mu, row.sigma, row.n, row.at), now)
        for user, row in rows.items()
        if (await store.preferences(user)).ratings == "shown"
    }


def _users(state: TableState) -> list[int]:
    return [state.players[seat].user for seat in state.people()]
