"""Measure the engines: whole matches of random play on one core, beside engines of other projects in the same run.

All take turns, round after round, so that other work on the machine slows all of them alike. Figures are medians. A
decision is legal, pick and act; dealing takes time but is no decision. `step` plays as a search does, without checks
and events; `apply` as a table does. Each game has its default options and as many players as they allow. Ratios above
1 are faster than the peer; "–" stands for a peer that is not installed.

`copy`, `view` (of the seat to act) and `imagine` are averaged over the positions of a match. `replay_ms` is for 200
moves of a log, parsed and applied as a load does.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import mean, median
from typing import Any, Final

from bench.peers import PEERS, Play
from bench.process import Lab
from bench.report import Figures, ratio, say
from games import GAMES, AnyGame
from games.types import Action, Seat


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure: each engine plays for some seconds in each round."""

    games: tuple[str, ...] = tuple(GAMES)
    rounds: int = 9
    seconds: float = 0.4


TINY: Final = Sizes(("palmer",), rounds=1, seconds=0)


async def measure(_lab: Lab, sizes: Sizes) -> Figures:
    """Measure games of ours, and the peers that are installed."""
    plays = {name: play for name, peer in PEERS.items() if (play := peer()) is not None}
    for slug in sizes.games:
        game = GAMES[slug]
        plays |= {f"{slug} step": _play(game, game.step), f"{slug} apply": _play(game, game.apply)}
    say(f"{len(plays)} subjects in {sizes.rounds} rounds: {len(plays) * sizes.rounds * sizes.seconds:.0f} s.")
    paces = _paces(plays, sizes)
    peers = {name: paces[name]["decisions_per_s"] if name in paces else None for name in PEERS}
    games = {slug: _figures(slug, paces, peers, sizes.rounds) for slug in sizes.games}
    return {"peers_decisions_per_s": peers, "games": games}


def _play(game: AnyGame, act: Callable[[Any, Seat, Action], object]) -> Play:
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


def _paces(plays: dict[str, Play], sizes: Sizes) -> dict[str, dict[str, float]]:
    rates: dict[str, list[float]] = {name: [] for name in plays}
    lengths: dict[str, list[int]] = {name: [] for name in plays}
    for number in range(sizes.rounds):
        for name, play in plays.items():
            rng, begin, played = Random(number), time.perf_counter(), len(lengths[name])
            lengths[name].append(play(rng))
            while time.perf_counter() - begin < sizes.seconds:
                lengths[name].append(play(rng))
            rates[name].append(sum(lengths[name][played:]) / (time.perf_counter() - begin))
    return {
        name: {"decisions_per_s": median(rates[name]), "decisions_per_match": mean(lengths[name])}
        for name in plays
    }


def _figures(
    slug: str, paces: dict[str, dict[str, float]], peers: dict[str, float | None], rounds: int
) -> Figures:
    game = GAMES[slug]
    step, apply = (paces[f"{slug} {way}"]["decisions_per_s"] for way in ("step", "apply"))
    moves = _moves(game, game.seats(game.Options())[-1])
    log = [(seat, game.text(action)) for _, seat, action in moves]
    views = [game.view(state, seat) for state, seat, _ in moves]
    rng = Random(0)

    def us(work: Callable[[], Sequence[Any]]) -> float:
        return _microseconds(work, rounds)

    return {
        "players": game.seats(game.Options())[-1],
        "step_per_s": step,
        "apply_per_s": apply,
        "decisions_per_match": paces[f"{slug} step"]["decisions_per_match"],
        "apply_to_step": apply / step,
        **{f"step_to_{name}": ratio(step, pace) for name, pace in peers.items()},
        **{f"apply_to_{name}": ratio(apply, pace) for name, pace in peers.items()},
        "copy_us": us(lambda: [state.copy() for state, _, _ in moves]),
        "view_us": us(lambda: [game.view(state, seat) for state, seat, _ in moves]),
        "imagine_us": us(lambda: [game.imagine(view, rng) for view in views]),
        "replay_ms": us(lambda: _replayed(game, moves[0][0], log)) * 200 / 1000,
    }


def _moves(game: AnyGame, players: int) -> list[tuple[Any, Seat, Action]]:
    """Return every position of one random match, with its first awaited seat and the action of that seat."""
    rng = Random(1)
    state, _ = game.new(game.Options(), players, 1)
    moves = []
    while awaited := game.awaited(state):
        action = rng.choice(game.legal(state, awaited[0]))
        moves.append((state.copy(), awaited[0], action))
        game.step(state, awaited[0], action)
    return moves


def _replayed(game: AnyGame, first: Any, log: list[tuple[Seat, str]]) -> list[Any]:
    """Return the events of a match, move by move, from its first state and its log."""
    state = first.copy()
    return [game.apply(state, seat, game.parse(text)) for seat, text in log]


def _microseconds(work: Callable[[], Sequence[Any]], rounds: int) -> float:
    """Return the time for one item of the list that `work` makes."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        made = work()
        times.append((time.perf_counter() - begin) / len(made) * 1e6)
    return median(times)
