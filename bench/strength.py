"""Measure the strength of computer players: whole matches of one player among players of another kind.

Without options, each player among weaker and stronger ones in every game, which takes hours; with `--games` those of
some games; with `--line-up sharp,steady,steady` just that one, whose first player is the one to measure.

Every deal is played once from each seat, so that luck with the cards is the same for all. The result of each match is
stored at once as a line of JSON. A run that was stopped goes on from there, as long as the games' sources are the same.

`wins` is the share of first places, 1/n when n players share one, and `margin` the own score minus the mean of the
others, negative when they did better; both with 95 % intervals. Wins aim at `aim`, else at an interval above `chance`.
Moves are in ms of processor time.
"""

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any, Final, TypeAlias

from bench import real_time_match
from bench.process import ROOT, Lab
from bench.report import Figures, say
from games import GAMES, AnyGame, advice
from games.advice import STRENGTHS
from games.strategies import choose, strategy_of
from games.types import SEATS, Action, Seat

RANDOM: Final = "random"
PLAYERS: Final = (*STRENGTHS, RANDOM)
"""Kinds of players that a line-up can have."""
NORMAL: Final = 1.96
"""Standard errors to each side of a 95 % interval."""
TABLE: Final = 4
"""Players at a table; fewer in a game that allows fewer."""
AIMED, USUAL = 200, 40
"""Matches of a line-up with an aim, and of one without."""
BIDDING: Final = ("charms", "twin-palms")
SHARP_WINS: Final = 0.6
SHARP_WINS_ALONE: Final = 0.65
STEADY_WINS: Final = 0.9

Row: TypeAlias = dict[str, Any]
"""Result of one match for the first of the line-up, as it is stored. Its number decides the deal and the seat."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    games: tuple[str, ...] = tuple(GAMES)
    line_up: str = ""
    matches: int = 0
    """Matches of each line-up; 0 for 200 with an aim and 40 without."""
    folder: str = str(ROOT / "artefacts/strength")
    """Folder of the stored matches."""


TINY: Final = Sizes(("palmer",), "steady,random,random", 3, "matches")


@dataclass(frozen=True)
class LineUp:
    """Players of one game to be measured. The first of `players` is the one whose wins are counted.

    Raises ValueError, with what is allowed, for players who cannot play.
    """

    game: str
    players: tuple[str, ...]
    matches: int
    aim: float | None = None
    """Share of wins to reach; None when the interval has to lie above chance."""

    def __post_init__(self) -> None:
        game = GAMES[self.game]
        if strangers := sorted(set(self.players) - set(PLAYERS)):
            raise ValueError(f"Nobody is called {', '.join(strangers)}; there are {', '.join(PLAYERS)}.")
        if game.real_time and RANDOM in self.players:
            raise ValueError(f"In {game.title} the first one wins, and nobody random is ever first.")
        seats, number = game.seats(game.Options()), len(self.players)
        if number not in seats:
            raise ValueError(f"{game.title} is for {seats[0]} to {seats[-1]} players, not for {number}.")

    @property
    def title(self) -> str:
        first, *others = self.players
        return f"{self.game}: {first} among {len(others)} {others[0]}"


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Measure one line-up, or all of the games."""
    say("Matches are stored; stop when you like, and the same command goes on where it was.")
    found = {each.title: _measured(each, lab.folder / sizes.folder) for each in _wanted(sizes)}
    return {"line_ups": found}


def _wanted(sizes: Sizes) -> Iterator[LineUp]:
    for slug in sizes.games:
        game = GAMES[slug]
        if sizes.line_up:
            yield LineUp(slug, tuple(sizes.line_up.split(",")), sizes.matches or USUAL)
        elif strategy_of(game) is not None:
            for players, aim in _players(game):
                yield LineUp(slug, players, sizes.matches or (USUAL if aim is None else AIMED), aim)


def _players(game: AnyGame) -> Iterator[tuple[tuple[str, ...], float | None]]:
    """Yield the players of all line-ups of a game, each with its aim."""
    seats = game.seats(game.Options())
    others = min(TABLE, seats[-1]) - 1
    bids = game.slug in BIDDING
    yield ("sharp", *["steady"] * others), SHARP_WINS if bids else None
    if bids and 2 in seats:
        yield ("sharp", "steady"), SHARP_WINS_ALONE
    if not game.real_time:  # a random player is never first where the first one wins
        yield ("steady", *["random"] * others), STEADY_WINS if bids else None
    yield ("casual", *["steady"] * others), None


def _measured(line_up: LineUp, folder: Path) -> Figures:
    game = GAMES[line_up.game]
    path = folder / f"{game.slug} {fingerprint(game)}" / f"{' '.join(line_up.players)}.jsonl"
    rows = played(path, line_up.title, line_up.matches, partial(_play, game.slug, line_up.players))
    wins, margins = sum(row["win"] for row in rows), [row["margin"] for row in rows]
    low, high = interval(wins, len(rows))
    error = NORMAL * stdev(margins) / len(rows) ** 0.5 if len(rows) > 1 else 0.0
    found: Figures = {
        "matches": len(rows),
        "wins": wins / len(rows),
        "low": low,
        "high": high,
        "chance": 1 / len(line_up.players),
        "aim": line_up.aim,
        "margin": mean(margins),
        "margin_low": mean(margins) - error,
        "margin_high": mean(margins) + error,
        "ms_per_move": sum(row["cpu_ms"] for row in rows) / max(1, sum(row["moves"] for row in rows)),
        "slowest_ms": max(row["slowest_ms"] for row in rows),
    }
    say(f"{line_up.title}: wins {found['wins']:.0%} ({low:.0%} to {high:.0%}), margin {found['margin']:.1f}")
    return found


def interval(wins: float, matches: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a rate.

    Source: "Probable Inference", Journal of the American Statistical Association 22 (1927).
    """
    rate, z = wins / matches, NORMAL**2 / matches
    middle = (rate + z / 2) / (1 + z)
    reach = (z * (rate * (1 - rate) + z / 4)) ** 0.5 / (1 + z)
    return max(0.0, middle - reach), min(1.0, middle + reach)


# Stored matches


def fingerprint(game: AnyGame) -> str:
    """Return a digest of the sources that decide how computers play: stored matches are valid only for these."""
    package = Path(str(sys.modules[type(game).__module__].__file__)).parent
    digest = hashlib.sha256()
    for path in sorted([*package.glob("*.py"), *package.parent.glob("*.py")]):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def played(path: Path, title: str, matches: int, play: Callable[[int], Row]) -> list[Row]:
    """Return the first matches by number. Those that are not stored in the file yet are played, on all cores that this
    process may use."""
    found = {row["number"]: row for row in _stored(path)}
    missing = [number for number in range(matches) if number not in found]
    path.parent.mkdir(parents=True, exist_ok=True)
    workers = min(len(os.sched_getaffinity(0)), max(1, len(missing)))
    with path.open("a", encoding="utf-8") as file, ProcessPoolExecutor(workers) as pool:
        for done, match in enumerate(
            as_completed([pool.submit(play, number) for number in missing]), start=1
        ):
            row = match.result()
            file.write("\n" + json.dumps(row))  # begins a new line even after one that was cut short
            file.flush()
            found[row["number"]] = row
            _progress(title, matches - len(missing) + done, matches)
    return [found[number] for number in range(matches)]


def _stored(path: Path) -> Iterator[Row]:
    """Yield the matches of earlier runs. A last line that was cut short is skipped."""
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.endswith("}"):
                yield json.loads(line)


def _progress(title: str, done: int, matches: int) -> None:
    """Print a progress bar that overwrites itself on a terminal, and nothing elsewhere."""
    if sys.stderr.isatty():
        bar = f"\r{title:<44} [{'#' * (20 * done // matches):<20}] {done}/{matches}"
        print(bar, end="\n" if done == matches else "", file=sys.stderr, flush=True)


# Matches


def _play(slug: str, line_up: Sequence[str], number: int) -> Row:
    """Play the match with that number: each deal once from every seat, then the next deal."""
    game, seats = GAMES[slug], len(line_up)
    deal, first = divmod(number, seats)
    players = [line_up[(seat - first) % seats] for seat in range(seats)]
    state, _ = game.new(game.Options(), seats, f"strength {deal}")
    times = play_out(game, state, players, number)[first]
    outcome = game.outcome(state)
    assert outcome is not None
    return {
        "number": number,
        "win": (outcome.placings[first] == 1) / outcome.placings.count(1),
        "margin": _margin(game, outcome.scores, SEATS[first]),
        "moves": len(times),
        "cpu_ms": sum(times),
        "slowest_ms": max(times, default=0.0),
    }


def play_out(game: AnyGame, state: Any, players: Sequence[str], number: int) -> list[list[float]]:
    """Play to the end, and return the processor time of each move in ms, by seat."""
    if game.real_time:
        return real_time_match.play(game, state, [_strength_of(player) for player in players], f"{number}")
    times: list[list[float]] = [[] for _ in players]
    moves = 0
    while awaited := game.awaited(state):
        seat = awaited[0]
        begin = time.process_time()
        action = _action(game, state, seat, players[seat], f"{number}/{moves}")
        times[seat].append((time.process_time() - begin) * 1000)
        game.step(state, seat, action)
        moves += 1
    return times


def _action(game: AnyGame, state: Any, seat: Seat, player: str, seed: str) -> Action:
    if player == RANDOM:
        return Random(seed).choice(game.legal(state, seat))
    return choose(game, game.view(state, seat), _strength_of(player), seed)


def _strength_of(player: str) -> advice.Strength:
    return next(strength for strength in STRENGTHS if strength == player)


def _margin(game: AnyGame, scores: Sequence[int], seat: Seat) -> float:
    strategy = strategy_of(game)
    over = scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)
    return -over if strategy is not None and strategy.low_wins else over
