"""Measure the strength of computer players: whole matches of one player among players of another kind.

Every deal is played once from each seat, so that luck with the cards is the same for all. The result of each match is
stored at once as a line of JSON. A run that was stopped goes on from there, as long as the games' sources are the same.
"""

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any, Final

from bench import real_time_match
from bench.report import Machine, say
from games import GAMES, AnyGame, advice
from games.advice import STRENGTHS
from games.strategies import choose, strategy_of

ROWS: Final = Path("artefacts/strength")
"""Folder of the stored matches."""
RANDOM: Final = "random"
PLAYERS: Final = (*STRENGTHS, RANDOM)
"""Kinds of players that a line-up can have."""
NORMAL: Final = 1.96
"""Standard errors to each side of a 95 % interval."""


@dataclass(frozen=True)
class Row:
    """Result of one match for the first of the line-up."""

    number: int
    """Number of the match: it decides the deal and the seat of the first player."""
    win: float
    """1 for first place, 1/n when n players share it, else 0."""
    margin: float
    """Own score minus the mean of the other scores; negative when the others did better."""
    moves: int
    cpu_ms: float
    """Processor time of all moves."""
    slowest_ms: float
    """Processor time of the slowest move."""


@dataclass(frozen=True)
class Strength:
    """`python -m bench strength --game ... --json`: results of the first of the line-up, with 95 % intervals."""

    game: str
    line_up: str
    matches: int
    chance: float
    """Win rate if all players were equal."""
    win_rate: float
    low: float
    high: float
    margin: float
    margin_low: float
    margin_high: float
    cpu_ms_per_move: float
    slowest_move_ms: float
    machine: Machine


def measure(game: str, line_up: Sequence[str], matches: int, rows: Path = ROWS) -> Strength:
    """Play those of `matches` that are not stored yet. Raise ValueError for a line-up that cannot be played."""
    check(game, line_up)
    path = rows / f"{game} {fingerprint(GAMES[game])}" / f"{' '.join(line_up)}.jsonl"
    found = {row.number: row for row in _stored(path)}
    missing = [number for number in range(matches) if number not in found]
    title = f"{game}: {', '.join(line_up)}"
    progress(title, matches - len(missing), matches)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for row in _played(game, line_up, missing):
            file.write("\n" + json.dumps(asdict(row)))  # begins a new line even after one that was cut short
            file.flush()
            found[row.number] = row
            progress(title, sum(number < matches for number in found), matches)
    return _strength(game, line_up, [found[number] for number in range(matches)])


def check(game: str, line_up: Sequence[str]) -> None:
    """Raise ValueError, with what is allowed, for a line-up that cannot be played."""
    if game not in GAMES:
        raise ValueError(f"There is no game {game}; there are {', '.join(GAMES)}.")
    if strangers := sorted(set(line_up) - set(PLAYERS)):
        raise ValueError(f"Nobody is called {', '.join(strangers)}; there are {', '.join(PLAYERS)}.")
    if GAMES[game].real_time and RANDOM in line_up:
        raise ValueError(f"In {GAMES[game].title} the first one wins, and nobody random is ever first.")
    seats = GAMES[game].seats(GAMES[game].Options())
    if len(line_up) not in seats:
        raise ValueError(
            f"{GAMES[game].title} is for {seats[0]} to {seats[-1]} players, not for {len(line_up)}."
        )


def fingerprint(game: AnyGame) -> str:
    """Return a digest of the sources that decide how computers play: stored matches are valid only for these."""
    package = Path(str(sys.modules[type(game).__module__].__file__)).parent
    digest = hashlib.sha256()
    for path in sorted([*package.glob("*.py"), *package.parent.glob("*.py")]):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def _stored(path: Path) -> Iterator[Row]:
    """Yield the matches of earlier runs. A last line that was cut short is skipped."""
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.endswith("}"):
                yield Row(**json.loads(line))


def _played(game: str, line_up: Sequence[str], numbers: Sequence[int]) -> Iterator[Row]:
    """Play matches on all cores that this process may use, and yield each when it ends."""
    with ProcessPoolExecutor(min(len(os.sched_getaffinity(0)), max(1, len(numbers)))) as pool:
        for match in as_completed([pool.submit(play, game, line_up, number) for number in numbers]):
            yield match.result()


def play(slug: str, line_up: Sequence[str], number: int) -> Row:
    """Play the match with that number: each deal once from every seat, then the next deal."""
    game, seats = GAMES[slug], len(line_up)
    deal, first = divmod(number, seats)
    players = [line_up[(seat - first) % seats] for seat in range(seats)]
    state, _ = game.new(game.Options(), seats, f"strength {deal}")
    times = play_out(game, state, players, number)[first]
    outcome = game.outcome(state)
    assert outcome is not None
    win = (outcome.placings[first] == 1) / outcome.placings.count(1)
    return Row(
        number, win, _margin(game, outcome.scores, first), len(times), sum(times), max(times, default=0.0)
    )


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


def _action(game: AnyGame, state: Any, seat: int, player: str, seed: str) -> int:
    if player == RANDOM:
        return Random(seed).choice(game.legal(state, seat))
    return choose(game, game.view(state, seat), _strength_of(player), seed)


def _strength_of(player: str) -> advice.Strength:
    return next(strength for strength in STRENGTHS if strength == player)


def _margin(game: AnyGame, scores: Sequence[int], seat: int) -> float:
    strategy = strategy_of(game)
    over = scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)
    return -over if strategy is not None and strategy.low_wins else over


def _strength(game: str, line_up: Sequence[str], rows: Sequence[Row]) -> Strength:
    wins, margins = sum(row.win for row in rows), [row.margin for row in rows]
    low, high = interval(wins, len(rows))
    margin, error = mean(margins), NORMAL * stdev(margins) / len(rows) ** 0.5 if len(rows) > 1 else 0.0
    return Strength(
        game=game,
        line_up=",".join(line_up),
        matches=len(rows),
        chance=round(1 / len(line_up), 3),
        win_rate=round(wins / len(rows), 3),
        low=round(low, 3),
        high=round(high, 3),
        margin=round(margin, 2),
        margin_low=round(margin - error, 2),
        margin_high=round(margin + error, 2),
        cpu_ms_per_move=round(sum(row.cpu_ms for row in rows) / max(1, sum(row.moves for row in rows)), 2),
        slowest_move_ms=round(max(row.slowest_ms for row in rows), 1),
        machine=Machine(),
    )


def interval(wins: float, matches: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a rate.

    Source: "Probable Inference", Journal of the American Statistical Association 22 (1927).
    """
    rate, z = wins / matches, NORMAL**2 / matches
    middle = (rate + z / 2) / (1 + z)
    reach = (z * (rate * (1 - rate) + z / 4)) ** 0.5 / (1 + z)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def progress(title: str, done: int, matches: int) -> None:
    """Print a progress bar that overwrites itself on a terminal; elsewhere only the finished one."""
    bar = "#" * (20 * done // matches)
    line = f"{title:<44} [{bar:<20}] {done}/{matches}"
    if sys.stderr.isatty():
        print(f"\r{line}", end="\n" if done == matches else "", file=sys.stderr, flush=True)
    elif done == matches:
        say(line)
