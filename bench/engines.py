"""Measure the engines: whole matches of random play on one core, beside engines of other projects in the same run.

All take turns, round after round, so that other work on the machine slows all of them alike. Figures are medians.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any, Final, TypeAlias

from bench.peers import Match, oh_hell, uno
from bench.report import Machine, say
from games import GAMES, AnyGame

Peers: TypeAlias = Mapping[str, Callable[[], Match | None]]
PEERS: Final[Peers] = {"oh_hell": oh_hell, "uno": uno}


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure: each engine plays for `seconds` in each of `rounds`."""

    rounds: int = 9
    seconds: float = 0.4


@dataclass(frozen=True)
class Pace:
    """Speed of one engine. A decision is legal, pick and apply; dealing takes time but is no decision."""

    decisions_per_second: float
    decisions_per_match: float


@dataclass(frozen=True)
class GameFigures:
    """One game with its default options and as many players as they allow. Ratios above 1: faster than the peer."""

    players: int
    step: Pace
    """Play by `step`, without checks and events, as a search plays."""
    apply: Pace
    """Play by `apply`, with checks and events, as a table plays."""
    apply_to_step: float
    step_to_oh_hell: float | None
    apply_to_oh_hell: float | None
    step_to_uno: float | None
    apply_to_uno: float | None
    copy_us: float
    """Microseconds of one `copy`, averaged over the positions of a match."""
    view_us: float
    """The same for `view` of the seat to act."""
    imagine_us: float
    """The same for `imagine`."""
    replay_ms: float
    """Milliseconds for 200 moves of a log, parsed and applied as a load does."""


@dataclass(frozen=True)
class Engines:
    """`python -m bench engines --json`. A peer that is not installed is null, and so are the ratios to it."""

    machine: Machine
    oh_hell: Pace | None
    """OpenSpiel's C++ engine, called from Python, with 4 players and 10 cards each."""
    uno: Pace | None
    """RLCard's Python engine, 2 players."""
    games: dict[str, GameFigures]
    """Figures of our games, by slug."""


def measure(sizes: Sizes = Sizes(), peers: Peers = PEERS) -> Engines:
    """Measure every game of ours, and the peers that are installed."""
    machine = Machine()
    matches = {name: match for name, peer in peers.items() if (match := peer()) is not None}
    for slug, game in GAMES.items():
        matches[f"{slug} step"] = _match(game, game.step)
        matches[f"{slug} apply"] = _match(game, game.apply)
    say(
        f"{len(matches)} subjects in {sizes.rounds} rounds: {len(matches) * sizes.rounds * sizes.seconds:.0f} s."
    )
    paces = _paces(matches, sizes)
    games = {slug: _figures(game, slug, paces, sizes) for slug, game in GAMES.items()}
    return Engines(machine, paces.get("oh_hell"), paces.get("uno"), games)


def _match(game: AnyGame, act: Callable[[Any, int, int], object]) -> Match:
    options = game.Options()
    players = game.seats(options)[-1]

    def play(rng: Random) -> int:
        state, _ = game.new(options, players, rng.getrandbits(64))
        random, decisions = rng.random, 0
        while awaited := game.awaited(state):
            actions = game.legal(state, awaited[0])
            act(state, awaited[0], actions[int(random() * len(actions))])
            decisions += 1
        return decisions

    return play


def _paces(matches: dict[str, Match], sizes: Sizes) -> dict[str, Pace]:
    rates: dict[str, list[float]] = {name: [] for name in matches}
    lengths: dict[str, list[int]] = {name: [] for name in matches}
    for number in range(sizes.rounds):
        for name, match in matches.items():
            rng, begin, played = Random(number), time.perf_counter(), len(lengths[name])
            lengths[name].append(match(rng))
            while time.perf_counter() - begin < sizes.seconds:
                lengths[name].append(match(rng))
            rates[name].append(sum(lengths[name][played:]) / (time.perf_counter() - begin))
    return {
        name: Pace(round(median(rates[name])), round(sum(lengths[name]) / len(lengths[name]), 1))
        for name in matches
    }


def _figures(game: AnyGame, slug: str, paces: dict[str, Pace], sizes: Sizes) -> GameFigures:
    step, apply = paces[f"{slug} step"], paces[f"{slug} apply"]
    options = game.Options()
    moves = _moves(game, options, game.seats(options)[-1])
    positions = [(state, seat) for state, seat, _ in moves]
    log = [(seat, game.text(action)) for _, seat, action in moves]
    views = [game.view(state, seat) for state, seat in positions]
    rng = Random(0)
    return GameFigures(
        players=game.seats(options)[-1],
        step=step,
        apply=apply,
        apply_to_step=round(apply.decisions_per_second / step.decisions_per_second, 3),
        step_to_oh_hell=_ratio(step, paces.get("oh_hell")),
        apply_to_oh_hell=_ratio(apply, paces.get("oh_hell")),
        step_to_uno=_ratio(step, paces.get("uno")),
        apply_to_uno=_ratio(apply, paces.get("uno")),
        copy_us=_microseconds(lambda: [game.copy(state) for state, _ in positions], sizes),
        view_us=_microseconds(lambda: [game.view(state, seat) for state, seat in positions], sizes),
        imagine_us=_microseconds(lambda: [game.imagine(view, rng) for view in views], sizes),
        replay_ms=round(_microseconds(lambda: _replayed(game, moves[0][0], log), sizes) * 200 / 1000, 2),
    )


def _ratio(ours: Pace, theirs: Pace | None) -> float | None:
    return None if theirs is None else round(ours.decisions_per_second / theirs.decisions_per_second, 3)


def _moves(game: AnyGame, options: Any, players: int) -> list[tuple[Any, int, int]]:
    """Return every position of one random match, with its first awaited seat and the action of that seat."""
    rng = Random(1)
    state, _ = game.new(options, players, 1)
    moves = []
    while awaited := game.awaited(state):
        action = rng.choice(game.legal(state, awaited[0]))
        moves.append((game.copy(state), awaited[0], action))
        game.step(state, awaited[0], action)
    return moves


def _replayed(game: AnyGame, first: Any, log: list[tuple[int, str]]) -> list[Any]:
    """Return the events of a match, move by move, from its first state and its log."""
    state = game.copy(first)
    return [game.apply(state, seat, game.parse(text)) for seat, text in log]


def _microseconds(work: Callable[[], list[Any]], sizes: Sizes) -> float:
    """Return the time for one item of the list that `work` makes."""
    times = []
    for _ in range(sizes.rounds):
        begin = time.perf_counter()
        made = work()
        times.append((time.perf_counter() - begin) / len(made) * 1e6)
    return round(median(times), 2)
