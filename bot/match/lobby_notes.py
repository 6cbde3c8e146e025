"""Words beside a name in a lobby: rating and reliability.

While somebody sits in the lobby who wants ratings only after the match, nobody's rating is shown.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from bot.match.state import TableState
from bot.standings.ratings import label, rating_of
from bot.standings.reliability import MATCHES, SPAN, reliability
from bot.store import Store, Unreadable


class LobbyNote(NamedTuple):
    """The words on one person, and whether they hide the ratings of others."""

    rating: str
    """The rating in the pool of the table; "" when there is none, or when the person does not show it."""
    reliability: str
    hides_ratings: bool
    """True when no rating is shown while the person sits in the lobby."""


UNREAD: Final = LobbyNote("", "", hides_ratings=True)
"""The note when the store cannot be read: the person may not want to see ratings."""


async def lobby_note(state: TableState, user: int, store: Store, now: int) -> LobbyNote:
    """Read the note on a person in the lobby of a table. `now` is the time in ms."""
    try:
        wanted = (await store.preferences(user)).ratings
        finishes = await store.finishes(user, since=now - SPAN, limit=MATCHES)
        rating = await _rating(state, user, store, now) if wanted == "shown" else ""
    except Unreadable:  # a seat is more important
        return UNREAD
    return LobbyNote(rating, reliability(finishes), wanted == "after the match")


def lobby_words(notes: Mapping[int, LobbyNote], user: int, seated: Iterable[int]) -> str:
    """Return the words beside a person's name, "" for none. `seated` are the people in the lobby."""
    note = notes.get(user)
    if note is None:
        return ""
    hidden = any(notes[each].hides_ratings for each in seated if each in notes)
    return " · ".join(filter(None, ["" if hidden else note.rating, note.reliability]))


async def _rating(state: TableState, user: int, store: Store, now: int) -> str:
    pool = None if state.practice else state.game.pool(state.options)
    row = (await store.ratings(pool, [user])).get(user) if pool is not None else None
    return label(rating_of(row), now) if row else ""
