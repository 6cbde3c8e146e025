"""A game in one line, and which of its options let more people play."""

from collections.abc import Iterator
from typing import Literal, get_args, get_origin

from games.contract import AnyGame, Options


def about(game: AnyGame) -> str:
    """Say what the game is, for how many and how long, in at most 100 characters (a command's description)."""
    return f"{game.blurb} · {players(_ever(game))} · {game.minutes} min"


def players(seats: range) -> str:
    """Return "2–5 players", or "2 players"."""
    low, high = seats.start, seats.stop - 1
    return f"{low} players" if low == high else f"{low}–{high} players"


def roomier(game: AnyGame, options: Options) -> tuple[int, str] | None:
    """Return the most people for whom one option makes room, and how to type it: (5, "mode: advanced or extreme").
    None when no option seats more than `options` do."""
    most = {(name, value): game.seats(other).stop - 1 for name, value, other in _varied(options)}
    highest = max(most.values(), default=0)
    if highest < game.seats(options).stop:
        return None
    first = next(name for (name, _), seats in most.items() if seats == highest)
    values = [value for (name, value), seats in most.items() if (name, seats) == (first, highest)]
    return highest, f"{first}: {' or '.join(values)}"


def _ever(game: AnyGame) -> range:
    """From the fewest to the most who can play, whatever is chosen."""
    options = game.Options()
    seats = [game.seats(options), *(game.seats(other) for _, _, other in _varied(options))]
    return range(min(each.start for each in seats), max(each.stop for each in seats))


def _varied(options: Options) -> Iterator[tuple[str, str, Options]]:
    """Yield the options with each value of each field that has named values."""
    for name, field in type(options).model_fields.items():
        if get_origin(field.annotation) is Literal:
            for value in get_args(field.annotation):
                yield name, value, options.model_copy(update={name: value})
