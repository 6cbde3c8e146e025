"""Readings of the rows of a game night: the games and deals of its rounds, its people, and how its tables count."""

import hashlib
import hmac
import json
from collections.abc import Iterable
from itertools import groupby
from typing import Final

from pydantic import ValidationError

from bot.match.deals import OF_NIGHT
from bot.match.times import Times
from bot.standings.night import NightTable
from bot.standings.ratings import RatedMatch
from bot.standings.seating import Seats
from bot.store import NewNight, Night, NightPerson, NightTableRow
from games import GAMES, AnyGame, Options

MINUTE: Final = 60_000
_SEED: Final = f"{OF_NIGHT}|{{night}}|{{round}}|{{game}}"


def sizes(game: AnyGame, options: Options) -> list[int]:
    """Return the numbers of seats for a table of a night: those with sides, and only those with partners if there are
    any. Empty for a game that is played together."""
    sides = {seats: len({*game.sides(options, seats)}) for seats in game.seats(options)}
    found = [seats for seats, number in sides.items() if number > 1]
    return [seats for seats in found if sides[seats] < seats] or found


def terms(night: Night | NewNight, round_: int) -> tuple[AnyGame, Options] | None:
    """Return game and options of a round; None if the rules have changed since they were chosen."""
    chosen = json.loads(night.games)
    slug, options = chosen[(round_ - 1) % len(chosen)]
    try:
        read_options: Options = GAMES[slug].Options.model_validate(options)
    except (KeyError, ValidationError):
        return None
    return GAMES[slug], read_options


def seed(night: Night, round_: int, game: AnyGame) -> str:
    """Return the seed of all tables of a round: the way to deal, and HMAC-SHA256 with the secret of the night
    (hexadecimal)."""
    message = _SEED.format(night=night.id, round=round_, game=game.slug)
    drawn = hmac.new(bytes.fromhex(night.secret), message.encode(), hashlib.sha256).hexdigest()
    return f"{OF_NIGHT}:{drawn}"


def seal(night: Night) -> str:
    """Return the fingerprint of the secret, which is told when the night is announced."""
    return hashlib.sha256(night.secret.encode()).hexdigest()


def ends(night: Night, times: Times) -> int:
    """Return when a night is over if its matches have their usual lengths, in ms."""
    chosen = filter(None, [terms(night, number) for number in range(1, night.rounds + 1)])
    minutes = sum(game.duration(options) for game, options in chosen)
    return night.starts + minutes * MINUTE + (night.rounds - 1) * times.between_rounds


def present(people: Iterable[NightPerson]) -> dict[int, str]:
    """Return the name of everybody who comes or is there, by user."""
    return {each.user: each.name for each in people if not each.gone and each.user > 0}


def counts(table: NightTableRow) -> NightTable:
    """Return a table as points are computed from it."""
    if table.rated is None:
        return NightTable(people_at(table))
    rated = RatedMatch.from_json(table.rated)
    people: list[int | None] = [None] * len(rated.people)
    for each in table.seats:
        if each.user is not None and each.part is not None:
            people[each.part] = each.user
    scores = [each.merit or 0 for each in table.seats]
    merits = tuple((score, -seat.placing) for score, seat in zip(scores, rated.seats, strict=True))
    # Without scores, as where one of two has left, it cannot be compared.
    is_alike = all(each.merit is not None for each in table.seats)
    return NightTable(tuple(people), rated, merits, "equal" if is_alike else f"table {table.number}")


def rounds_of(tables: Iterable[NightTableRow]) -> list[list[NightTable]]:
    """Return the tables of each round that is over, from all of a night."""
    rounds = [[*rows] for _, rows in groupby(tables, key=lambda table: table.round)]
    return [[*map(counts, rows)] for rows in rounds if all(table.closed for table in rows)]


def people_at(table: NightTableRow) -> Seats:
    """Return the people at a table by seat, None for a computer."""
    return tuple(each.user for each in table.seats)
