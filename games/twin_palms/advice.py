"""How Twin Palms is played well: rules of thumb, and a search that plays the round out in imagined deals.

Bids tell much about hands, so of several deals the search takes the one that fits the bids best.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from games.advice import Advice, Expired, Mind
from games.search import best
from games.twin_palms.cards import BETS, CARDS, DECKS, FIRST_PLAY, RANKING, STRENGTH, TEXT, Mode, plays
from games.twin_palms.playout import NOTHING, best_of, pick, play_out
from games.twin_palms.sets import Made, strongest, table, weakest
from games.twin_palms.state import TRICKS
from games.twin_palms.view import View

SHARE_BELOW: Final[dict[Mode, tuple[float, ...]]] = {
    "easy": (0, 0.54, 1),
    "normal": (0, 0.10, 0.29, 0.48, 0.69, 0.84, 1),
    "advanced": (0, 0.14, 0.25, 0.35, 0.46, 0.74, 0.83, 0.91, 1),
    "extreme": (0, 0.05, 0.10, 0.14, 0.26, 0.36, 0.47, 0.55, 0.63, 0.74, 0.83, 0.91, 1),
}
"""Which part of all sets, when hands are made into the strongest, is below each rank of sets, the weakest first."""

FEW: Final = 1.2
"""Who expects fewer tricks than this may rather want none:"""
SAFE: Final = 0.3
"""if no more than so many are to be feared when all sets are made to lose."""
SURE: Final = 0.3
"""How near to the bid the tricks expected must be for the highest bet."""


class TwinPalmsMind(Mind[View]):
    """Count the sets that should win, keep them together, and waste the rest on each other."""

    bid_worlds = 100
    iterations = 700
    deals = 4

    def advise(self, view: View, legal: Sequence[int]) -> Advice:  # noqa: ARG002
        return _bid(view) if view.phase == "bid" else _play(view)

    def blunder(self, view: View, legal: Sequence[int], rng: Random) -> int:
        # A beginner hopes for one trick more, bets on it, and plays what is strongest.
        if view.phase == "bid":
            tricks = min(TRICKS, round(expected_tricks(view.hand, view)) + 1)
            return tricks * len(BETS) + (rng.choice((0, 1, 2)) if view.options.bets else 0)
        strength = STRENGTH[view.options.mode]
        return max(legal, key=lambda action: strength[action])

    def think(self, view: View, legal: Sequence[int], rng: Random, expired: Expired) -> Advice:
        if view.phase == "bid":
            return self._think_bid(view, rng, expired)
        return self._think_play(view, legal, rng, expired)

    def _think_bid(self, view: View, rng: Random, expired: Expired) -> Advice:
        seat, seats = _own(view), len(view.dollars)
        scale = view.options.exact_points
        plans = [_plan(view.hand, tricks, view.options.mode) for tricks in range(TRICKS + 1)]
        margins = [0.0] * len(plans)
        exact = [0] * len(plans)
        worlds = 0
        while worlds < self.bid_worlds and not (worlds and expired()):
            worlds += 1
            hands = _deal(view, rng)
            bids = [_guess(hand, view).tricks for hand in hands]
            sets = [_plan(hand, tricks, view.options.mode) for hand, tricks in zip(hands, bids, strict=True)]
            for tricks, plan in enumerate(plans):
                bids[seat] = tricks
                need = bids[:]
                play_out([plan[:] if other == seat else row[:] for other, row in enumerate(sets)], need, view.start, [])
                margins[tricks] += _margin(bids, need, (0,) * seats, scale, seat)
                exact[tricks] += not need[seat]
        stake = view.options.stake(2, view.round, view.dollars[seat]) if view.options.bets else 0
        chance = [hits / worlds for hits in exact]
        value = [margin / worlds + max(0, 2 * p - 1) * stake for margin, p in zip(margins, chance, strict=True)]
        tricks = max(range(len(plans)), key=value.__getitem__)
        bet = 2 if stake and chance[tricks] > 0.5 else 0
        return Advice(
            tricks * len(BETS) + bet,
            f"Played out in {worlds} deals that may be, {tricks} came true in {chance[tricks]:.0%}.",
        )

    def _think_play(self, view: View, legal: Sequence[int], rng: Random, expired: Expired) -> Advice:
        assert view.bids is not None
        seat = _own(view)
        advice = self.advise(view, legal)
        rests = _candidates(view, advice.action)
        if len(rests) == 1:
            return advice
        strength = STRENGTH[view.options.mode]
        lying = [strength[action] for action in view.trick]
        bids = [bid // len(BETS) for bid in view.bids]
        need = [bid - won for bid, won in zip(bids, view.won, strict=True)]
        scale, stakes = view.options.exact_points, view.stakes
        assert stakes is not None

        def world() -> list[list[int]]:
            hands = min((_deal(view, rng) for _ in range(self.deals)), key=lambda hands: _misfit(view, hands))
            return [_plan(hand, tricks, view.options.mode) for hand, tricks in zip(hands, need, strict=True)]

        def reward(sets: list[list[int]], action: int) -> float:
            hands = [row[:] for row in sets]
            hands[seat] = rests[action][:]
            missing = need[:]
            play_out(hands, missing, view.leader, [*lying, strength[action]])
            return _margin(bids, missing, stakes, scale, seat)

        others = [action for action in rests if action != advice.action]
        found = best(advice.action, others, world, reward, self.iterations, expired)
        if found.action == advice.action:
            return advice
        return Advice(
            found.action,
            f"Played out in deals that may be, it comes out {found.gain:.1f} sand dollars better than the usual move.",
        )


def _own(view: View) -> int:
    assert view.seat is not None
    return view.seat


def _margin(
    bids: Sequence[int], need: Sequence[int], stakes: Sequence[int], scale: Sequence[int], seat: int
) -> float:
    """The sand dollars of a seat over the mean of the others', when these tricks are missing from the bids."""
    points = [
        scale[bid] + stake if not missing else (bid - missing if bid else 0) - stake
        for bid, missing, stake in zip(bids, need, stakes, strict=True)
    ]
    own = points[seat]
    return own - (sum(points) - own) / (len(points) - 1)


def _chance(strength: int, mode: Mode, seats: int) -> float:
    """About how often a set wins a trick."""
    shares = SHARE_BELOW[mode]
    rank, numbers = divmod(strength, 121)
    share = shares[rank - 1] + (shares[rank] - shares[rank - 1]) * numbers / 121
    return share ** (seats - 1)


def expected_tricks(hand: Sequence[int], view: View) -> float:
    """About how many tricks a hand wins when it is made into the strongest sets."""
    mode, seats = view.options.mode, len(view.dollars)
    return sum(_chance(made.strength, mode, seats) for made in strongest(hand, table(mode).high))


def _sets(hand: Sequence[int], need: int, mode: Mode) -> list[Made]:
    """The hand as sets for somebody who needs so many tricks (below 0: all), the weakest first."""
    ways = table(mode)
    strong = strongest(hand, ways.high)[: need if need >= 0 else None]
    left = list(hand)
    for made in strong:
        left.remove(made.low)
        left.remove(made.high)
    return sorted([*weakest(left, ways), *strong])


def _plan(hand: Sequence[int], need: int, mode: Mode) -> list[int]:
    """The strengths of those sets."""
    return [made.strength for made in _sets(hand, need, mode)]


def _action(made: Made, mode: Mode) -> int:
    strength = STRENGTH[mode]
    return next(action for action in plays(sorted((made.low, made.high))) if strength[action] == made.strength)


def _deal(view: View, rng: Random) -> list[list[int]]:
    """Hands at random for all seats, out of the cards this view does not show."""
    unseen = Counter(DECKS[view.options.mode])
    unseen.subtract(view.hand)
    for played in (view.trick, *(trick.plays for trick in view.tricks)):
        for action in played:
            unseen.subtract(CARDS[action])
    stock = list(unseen.elements())
    random = rng.random
    stock.sort(key=lambda _: random())
    return [
        list(view.hand) if seat == view.seat else sorted(stock.pop() for _ in range(size))
        for seat, size in enumerate(view.hand_sizes)
    ]


def _misfit(view: View, hands: list[list[int]]) -> float:
    """How badly hands go with the bids their players made, counting the cards they have played."""
    assert view.bids is not None
    held = [hand[:] for hand in hands]
    seats = len(hands)
    for leader, played in ((view.leader, view.trick), *((t.leader, t.plays) for t in view.tricks)):
        for place, action in enumerate(played):
            held[(leader + place) % seats] += CARDS[action]
    return sum(
        abs(expected_tricks(sorted(hand), view) - bid // len(BETS))
        for seat, (hand, bid) in enumerate(zip(held, view.bids, strict=True))
        if seat != view.seat
    )


def _need(view: View) -> int:
    assert view.bids is not None
    return view.bids[_own(view)] // len(BETS) - view.won[_own(view)]


def _candidates(view: View, usual: int) -> dict[int, list[int]]:
    """The plays worth comparing, the usual one first, each with the strengths of the sets that are left after it."""
    mode, need, left = view.options.mode, _need(view), len(view.hand) // 2
    strength = STRENGTH[mode]
    to_beat = best_of([strength[action] for action in view.trick])
    found = [usual]
    for aim in {max(0, min(left, need + more)) for more in (-1, 0, 1)}:
        found += [_action(made, mode) for made in _sets(view.hand, aim, mode)]
    legal = sorted(plays(view.hand), key=strength.__getitem__)
    above = [action for action in legal if strength[action] > to_beat]
    below = [action for action in legal if strength[action] <= to_beat]
    found += [*above[:1], *above[-1:], *below[-2:], *below[:1], *legal[:1]]
    return {action: _rest(view, action, need - (strength[action] > to_beat)) for action in found}


def _rest(view: View, action: int, need: int) -> list[int]:
    hand = list(view.hand)
    for kind in CARDS[action]:
        hand.remove(kind)
    return _plan(hand, need, view.options.mode)


class Guess(NamedTuple):
    """A bid by rules of thumb: the tricks, and how many a hand wins that is played for them."""

    tricks: int
    expected: float


def _guess(hand: Sequence[int], view: View) -> Guess:
    mode, seats = view.options.mode, len(view.dollars)
    expected = expected_tricks(hand, view)
    if expected < FEW:
        feared = sum(_chance(made.strength, mode, seats) for made in weakest(hand, table(mode)))
        if feared < SAFE:
            return Guess(0, feared)
    return Guess(max(1, min(TRICKS, round(expected))), expected)


def _bid(view: View) -> Advice:
    tricks, expected = _guess(view.hand, view)
    bet = 0
    if view.options.bets:
        bet = 2 if abs(expected - tricks) < SURE else 1
    way = "Played to win, your sets take" if tricks else "Played to lose, your sets take"
    surely = ("", ", near enough to a whole number for half a bet", ", so near to a whole number that a bet pays")
    return Advice(tricks * len(BETS) + bet, f"{way} about {expected:.1f} tricks{surely[bet]}.")


def _play(view: View) -> Advice:
    mode, need = view.options.mode, _need(view)
    strength = STRENGTH[mode]
    to_beat = best_of([strength[action] for action in view.trick])
    sets = _sets(view.hand, need, mode)
    place = pick([made.strength for made in sets], need, to_beat, len(view.trick) == len(view.dollars) - 1)
    chosen = sets[place]
    return Advice(_action(chosen, mode), _why(need, chosen.strength > to_beat))


def _why(need: int, ahead: bool) -> str:
    if need == 0:
        if ahead:
            return "You want no more tricks, and this has the best chance to be beaten or costs you least."
        return "You want no more tricks, and this is the strongest set you can get rid of."
    if need < 0:
        return "Your bid is missed already, so every trick is welcome: it is worth 1 and missing to somebody else."
    if ahead:
        return f"You need {need} more, and this can win."
    return f"You need {need} more, but not this one: it cannot be won, so waste what you need least."


MIND: Final = TwinPalmsMind()
