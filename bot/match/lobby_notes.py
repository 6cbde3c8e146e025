"""Words beside a name in a lobby: rating and reliability."""

from bot.match.state import TableState
from bot.standings.ratings import label, rating_of
from bot.standings.reliability import MATCHES, SPAN, reliability
from bot.store import Store, Unreadable


async def lobby_note(state: TableState, user: int, store: Store, now: int) -> str:
    """Return the words on a person in the lobby of a table, "" when there is nothing to say.

    The rating is that in the pool of the table, if the person's preference shows it. `now` is the time in ms.
    """
    try:
        finishes = await store.finishes(user, since=now - SPAN, limit=MATCHES)
        words = [await _rating(state, user, store, now), reliability(finishes)]
    except Unreadable:  # a seat is more important
        return ""
    return " · ".join(filter(None, words))


async def _rating(state: TableState, user: int, store: Store, now: int) -> str:
    pool = None if state.practice else state.game.pool(state.options)
    if pool is None or (await store.preferences(user)).ratings != "shown":
        return ""
    row = (await store.ratings(pool, [user])).get(user)
    return label(rating_of(row), now) if row else ""
