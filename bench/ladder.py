"""`make bench-strength`: every game's computer players among weaker and stronger ones, and how fast they search."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from bench import search, strength
from bench.report import say
from games import GAMES
from games.strategies import strategy_of

TABLE: Final = 4
"""Players at a table, or as many as the game allows."""
AIMED, USUAL = 200, 40
"""Matches for a line-up with an aim, and for others."""
BIDDING: Final = ("charms", "twin-palms")
SHARP_WINS: Final = 0.6
SHARP_WINS_ALONE: Final = 0.65
STEADY_WINS: Final = 0.9


class Rung(NamedTuple):
    """A line-up of a game. The aim is for the win rate where it is a number, else for the interval: above chance."""

    game: str
    line_up: tuple[str, ...]
    matches: int
    aim: float | None


def rungs() -> Iterator[Rung]:
    """All that is played."""
    for slug, game in GAMES.items():
        if strategy_of(game) is None:
            continue
        others = min(TABLE, game.seats(game.Options())[-1]) - 1
        bids = slug in BIDDING
        yield Rung(slug, ("sharp", *["steady"] * others), AIMED, SHARP_WINS if bids else None)
        if bids and 2 in game.seats(game.Options()):
            yield Rung(slug, ("sharp", "steady"), AIMED, SHARP_WINS_ALONE)
        if not game.real_time:  # where the first one wins, nobody random is ever first
            yield Rung(
                slug,
                ("steady", *["random"] * others),
                AIMED if bids else USUAL,
                STEADY_WINS if bids else None,
            )
        yield Rung(slug, ("casual", *["steady"] * others), USUAL, None)


def climb() -> None:
    """Play it all, printing each line when it is known."""
    say("Matches are stored; stop when you like, and the same command goes on where it was.")
    print(
        f"{'game':<12}{'first':<8}{'among':<10}{'matches':>8}{'wins':>7}{'95 %':>14}{'margin':>18}"
        f"{'ms/move':>9}{'aim':>14}"
    )
    for rung in rungs():
        print(_line(rung, strength.measure(rung.game, rung.line_up, rung.matches)), flush=True)
    print(search.told(search.measure()))


def _line(rung: Rung, found: strength.Strength) -> str:
    first, *others = rung.line_up
    return (
        f"{found.game:<12}{first:<8}{f'{len(others)} {others[0]}':<10}{found.matches:>8}{found.win_rate:>7.0%}"
        f"{f'{found.low:.0%} to {found.high:.0%}':>14}"
        f"{f'{found.margin:.1f} ({found.margin_low:.1f} to {found.margin_high:.1f})':>18}"
        f"{found.cpu_ms_per_move:>9.1f}{_aim(rung, found):>14}"
    )


def _aim(rung: Rung, found: strength.Strength) -> str:
    if rung.aim is not None:
        return f"{rung.aim:.0%} {'met' if found.win_rate >= rung.aim else 'missed'}"
    if rung.line_up[0] == "casual":
        return ""
    return f"> {found.chance:.0%} {'met' if found.low > found.chance else 'missed'}"
