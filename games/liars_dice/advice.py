"""Strategy for Liar's Dice: odds, and a search that reads the bidders and cannot be read itself."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from games.advice import Advice, Expired, Strategy
from games.liars_dice import words
from games.liars_dice.actions import BID, CALZA, DOUBT, FACE, QUANTITY
from games.liars_dice.odds import often
from games.liars_dice.reading import Cups, weighed_cups
from games.liars_dice.thumb import Round, support
from games.liars_dice.view import View
from games.types import SEATS, Action

CALLED_EXACT: Final = 0.5
"""Probability from which on a bid is called exact by the rules of thumb."""
HIGHER: Final = 3
"""Quantities above the lowest one that are considered for each face."""
HOPELESS: Final = 0.1
"""Probability below which a bid is not considered."""
GAMBLE: Final = 0.4
"""Probability below which a bid is said to be a gamble."""
EVEN: Final = 0.5
"""Probability from which on a bid without a matching die is not said to be a bluff."""
COIN: Final = 0.45
"""Probability that is said to be half, or more: from here on it is no reason to doubt."""
STAGES: Final = ((40, 4), (60, 3), (80, 3))
"""Worlds of each stage of the search, and the number of actions of each kind that are kept after it."""
WARMTH: Final = 0.03
"""Gain of one action over another, in dice, at which it is chosen about three times as often."""
BLUFFS: Final = 0.35
"""Share of bids on a face that is not the best one of the own cup, where both are about equally good."""
NEAR: Final = 0.12
"""Gain in dice up to which two bids are about equally good."""
# If they always did, it would pay to bluff nearly always.
TRUST: Final = 0.7
"""Share of worlds in which the others believe bids."""


class LiarsDiceStrategy(Strategy[View]):
    """Doubt what is improbable, and bid what is probable, but not always."""

    def advise(self, view: View, legal: Sequence[Action]) -> Advice:
        seen = _seen(view)
        if CALZA in legal and seen.exact() > CALLED_EXACT:
            return Advice(CALZA, _why(view, CALZA, seen.exact(), reads=_reads(seen, CALZA)))
        action = seen.choose()
        return Advice(action, _why(view, action, _chance(seen, action), reads=_reads(seen, action)))

    def blunder(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        # A beginner expects a third of all hidden dice, more or less, and raises the face that is best in the own cup.
        own = support(view.cup, wild=not view.palifico)
        hidden = sum(view.dice) - len(view.cup)
        if DOUBT in legal:
            expected = own[FACE[view.standing]] + hidden / 3 + rng.choice((-1, 0, 1))
            if QUANTITY[view.standing] > expected:
                return DOUBT
        bids = _seen(view).least()
        return (
            max(bids, key=lambda action: (own[FACE[action]] - QUANTITY[action] / 3, action))
            if bids
            else DOUBT
        )

    def think(self, view: View, legal: Sequence[Action], rng: Random, expired: Expired) -> Advice:
        seen = _seen(view)
        trials = [_Trial(action, _leads(seen, action)) for action in _candidates(seen, legal)]
        cups = _cups(view, seen, rng)
        for worlds, kept in STAGES:
            for _ in range(worlds):
                if expired():
                    break
                _try(_world(seen, cups, rng), trials)
            trials = _best(trials, kept)
        if not trials[0].worlds:
            return self.advise(view, legal)
        chosen = _mixed(trials, rng)
        bids_before = any(seat != view.seat for seat, _ in view.bids)
        return Advice(chosen.action, _why(view, chosen.action, chosen.share(), reads=bids_before))


def _seen(view: View) -> Round:
    """Return the round as the view's seat sees it."""
    assert view.seat is not None
    seen = Round(view.dice, view.seat, view.bids, wild=not view.palifico)
    seen.own[view.seat] = support(view.cup, wild=not view.palifico)
    return seen


def _chance(seen: Round, action: Action) -> float:
    return seen.probability(seen.standing if action == DOUBT else action)


def _reads(seen: Round, action: Action) -> bool:
    """Return whether the rules of thumb count others' bids in the chance of what an action is about."""
    return seen.hinted(FACE[seen.standing if action < BID else action]) > 0


def _why(view: View, action: Action, chance: float, *, reads: bool) -> str:
    """Return the reason for an action, given how often the bid that it is about is true (for calza: exact). `reads`
    tells whether the others' bids are part of that chance."""
    about = view.standing if action < BID else action
    own = support(view.cup, wild=not view.palifico)[FACE[about]]
    matching = f"{words.NUMBERS[own]} matching {'dice' if own > 1 else 'die'}"
    if own >= QUANTITY[about] and action != CALZA:
        return f"Your cup alone has {matching}, so the bid is true."
    known = f"with {'your ' * (own > 0)}{matching}{' and the bids so far' * reads}"
    found = f"{known}, {_claim(about, exact=action == CALZA)}"
    if action == DOUBT:
        return f"{found} {_doubtful(view, chance)}.".capitalize()
    return f"{_daring(action, own, chance)}{found} {often(chance)}.".capitalize()


def _claim(about: Action, *, exact: bool) -> str:
    """Return what a bid says, or what a call of it says."""
    if exact:
        return f"exactly {words.faces(QUANTITY[about], FACE[about])} {'is' if QUANTITY[about] == 1 else 'are'} there"
    return f"{words.bid(about)} {'is' if QUANTITY[about] == 1 else 'or more are'} there"


def _doubtful(view: View, chance: float) -> str:
    """Return how often a doubted bid is true, and why it is doubted if that is often."""
    share = often(chance)
    if chance < COIN:
        return f"{'only ' * share.startswith('about')}{share}"
    return f"{share}, and {'any higher bid is riskier still' if words.may_raise(view) else 'no higher bid is left'}"


def _daring(action: Action, own: int, chance: float) -> str:
    """Return what a bid is called that is not likely: a bluff, if no die of the own cup matches, or a gamble."""
    if action < BID or chance >= (GAMBLE if own else EVEN):
        return ""
    return "a gamble: " if own else "a bluff: "


# The search


@dataclass(slots=True)
class _Trial:
    """Results of an action, summed up over worlds."""

    action: Action
    leads: bool
    """True for a bid on the best face of the player's cup."""
    worlds: int = 0
    gain: float = 0.0
    """Dice gained by the player, and lost by the others on average."""
    true: int = 0
    """Worlds in which the bid that the action is about is true; for calza, exact."""

    def mean(self) -> float:
        return self.gain / max(1, self.worlds)

    def share(self) -> float:
        return self.true / self.worlds


def _candidates(seen: Round, legal: Sequence[Action]) -> list[Action]:
    """Return calls, and for each face the lowest bids that have some hope."""
    least = {FACE[action]: QUANTITY[action] for action in seen.least()}
    bids = [
        action
        for action in legal
        if action >= BID
        and QUANTITY[action] <= least[FACE[action]] + HIGHER
        and seen.probability(action) > HOPELESS
    ]
    return [action for action in legal if action < BID] + bids or list(seen.least()[:1])


def _cups(view: View, seen: Round, rng: Random) -> list[Cups]:
    """Return the cups that each seat may have; the own seat has its own."""
    return [
        ([seen.own[seat]], [1.0])
        if seat == view.seat
        else weighed_cups(view.dice, seat, view.bids, rng, wild=seen.wild)
        for seat in SEATS[: len(view.dice)]
    ]


def _world(seen: Round, cups: Sequence[Cups], rng: Random) -> Round:
    """Return the round with cups drawn for all others."""
    own = [rng.choices(*each)[0] for each in cups]
    return seen.with_cups(own, trusting=rng.random() < TRUST)


def _try(world: Round, trials: Sequence[_Trial]) -> None:
    """Play every action out in this world."""
    seat, players = world.turn, sum(dice > 0 for dice in world.dice)
    for trial in trials:
        played = world.with_cups(world.own, trusting=world.trusting)
        if trial.action < BID:
            hit, dice = played.call(trial.action)
        else:
            played.make(trial.action)
            hit, dice = played.play_out()
        trial.worlds += 1
        trial.gain += dice if hit == seat else -dice / (players - 1)
        trial.true += _is_true(world, trial.action)


def _is_true(world: Round, action: Action) -> bool:
    about = world.standing if action < BID else action
    found = sum(own[FACE[about]] for own in world.own if own)
    return found == QUANTITY[about] if action == CALZA else found >= QUANTITY[about]


def _leads(seen: Round, action: Action) -> bool:
    own = seen.own[seen.turn]
    return action >= BID and own[FACE[action]] == max(own)


def _best(trials: Sequence[_Trial], kept: int) -> list[_Trial]:
    """Return the best `kept` actions that lead and the best `kept` others, calls among these, the best first."""
    ordered = sorted(trials, key=_Trial.mean, reverse=True)
    kinds = ([trial for trial in ordered if trial.leads == leads][:kept] for leads in (True, False))
    return sorted((trial for kind in kinds for trial in kind), key=_Trial.mean, reverse=True)


def _mixed(trials: Sequence[_Trial], rng: Random) -> _Trial:
    """Return one of the best actions at random, the better the more often."""
    best = trials[0].mean()
    # At random, so no bid gives a cup away.
    weights = [math.exp((trial.mean() - best) / WARMTH) for trial in trials]
    if trials[0].action < BID:
        return rng.choices(trials, weights)[0]
    near = {trial.leads for trial in trials if trial.action >= BID and trial.mean() >= best - NEAR}
    if len(near) == 2:
        leading = rng.random() >= BLUFFS
        weights = [
            weight * (trial.action >= BID and trial.leads == leading)
            for trial, weight in zip(trials, weights, strict=True)
        ]
    return rng.choices(trials, weights)[0]


STRATEGY: Final = LiarsDiceStrategy()
