"""`make bench-strength`: measure computer players among weaker and stronger ones, and their search speed."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from bench import search, strength
from bench.report import say
from games import GAMES
from games.strategies import strategy_of

TABLE: Final = 4
"""Players at a table; fewer in a game that allows fewer."""
AIMED, USUAL = 200, 40
"""Matches of a line-up with an aim, and of one without."""
BIDDING: Final = ("charms", "twin-palms")
SHARP_WINS: Final = 0.6
SHARP_WINS_ALONE: Final = 0.65
STEADY_WINS: Final = 0.9


class LineUp(NamedTuple):
    """Players of one game to be measured. The first of `players` is the one whose wins are counted."""

    game: str
    players: tuple[str, ...]
    matches: int
    aim: float | None
    """Win rate to reach; None when the interval has to lie above chance."""


def line_ups() -> Iterator[LineUp]:
    """Yield all line-ups of the suite."""
    for slug, game in GAMES.items():
        if strategy_of(game) is None:
            continue
        others = min(TABLE, game.seats(game.Options())[-1]) - 1
        bids = slug in BIDDING
        yield LineUp(slug, ("sharp", *["steady"] * others), AIMED, SHARP_WINS if bids else None)
        if bids and 2 in game.seats(game.Options()):
            yield LineUp(slug, ("sharp", "steady"), AIMED, SHARP_WINS_ALONE)
        if not game.real_time:  # a random player is never first where the first one wins
            yield LineUp(
                slug,
                ("steady", *["random"] * others),
                AIMED if bids else USUAL,
                STEADY_WINS if bids else None,
            )
        yield LineUp(slug, ("casual", *["steady"] * others), USUAL, None)


def run() -> None:
    """Play all line-ups, and print a line for each when it is done."""
    say("Matches are stored; stop when you like, and the same command goes on where it was.")
    print(
        f"{'game':<12}{'first':<8}{'among':<10}{'matches':>8}{'wins':>7}{'95 %':>14}{'margin':>18}"
        f"{'ms/move':>9}{'aim':>14}"
    )
    for each in line_ups():
        print(_line(each, strength.measure(each.game, each.players, each.matches)), flush=True)
    print(search.summary(search.measure()))


def _line(line_up: LineUp, found: strength.Strength) -> str:
    first, *others = line_up.players
    return (
        f"{found.game:<12}{first:<8}{f'{len(others)} {others[0]}':<10}{found.matches:>8}{found.win_rate:>7.0%}"
        f"{f'{found.low:.0%} to {found.high:.0%}':>14}"
        f"{f'{found.margin:.1f} ({found.margin_low:.1f} to {found.margin_high:.1f})':>18}"
        f"{found.cpu_ms_per_move:>9.1f}{_aim(line_up, found):>14}"
    )


def _aim(line_up: LineUp, found: strength.Strength) -> str:
    if line_up.aim is not None:
        return f"{line_up.aim:.0%} {'met' if found.win_rate >= line_up.aim else 'missed'}"
    if line_up.players[0] == "casual":
        return ""
    return f"> {found.chance:.0%} {'met' if found.low > found.chance else 'missed'}"
