"""A game described in one line, and the options that allow more players."""

from collections.abc import Iterator
from functools import cache

from games.contract import AnyGame, Options
from games.options import DescribedOptions


def about(game: AnyGame) -> str:
    """Return the game in one line, with players and minutes; at most 100 characters, for a command description."""
    return f"{game.blurb} · {players(all_seats(game))} · {game.minutes} min"


def players(seats: range) -> str:
    """Return "2–5 players", or "2 players"."""
    low, high = seats.start, seats.stop - 1
    return f"{low} players" if low == high else f"{low}–{high} players"


def larger_option(game: AnyGame, options: Options) -> tuple[int, str] | None:
    """Return the largest number of players that changing one option allows, and how to type that option.

    Example: (5, "mode: advanced or extreme"). None when no option allows more players than `options` do."""
    most = {(name, value): game.seats(other).stop - 1 for name, value, other in _variants(options)}
    highest = max(most.values(), default=0)
    if highest < game.seats(options).stop:
        return None
    first = next(name for (name, _), seats in most.items() if seats == highest)
    values = [value for (name, value), seats in most.items() if (name, seats) == (first, highest)]
    return highest, f"{first}: {' or '.join(values)}"


@cache  # an import of standings asks for each of many matches
def all_seats(game: AnyGame) -> range:
    """Return the numbers of players that a game takes under any options."""
    options = game.Options()
    seats = [game.seats(options), *(game.seats(other) for _, _, other in _variants(options))]
    return range(min(each.start for each in seats), max(each.stop for each in seats))


def _variants(options: Options) -> Iterator[tuple[str, str, Options]]:
    """Yield (field, value, options with that value) for each value of each field that a menu can show."""
    if isinstance(options, DescribedOptions):
        for name in type(options).model_fields:
            for value in options.menu(name):
                yield name, str(value), options.model_copy(update={name: value})
