"""Strategy for Palmer: rules of thumb, and a search that plays out the square of the player to act.

The other players hardly affect a square, so nothing is sampled: `_expected` averages over every card that the pile
and the stock can offer in each turn left. For the present turn the search is more exact: it leaves out the cards
already seen, and counts what the new top card of the pile is worth to the next player.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import Final, TypeAlias

from games import french
from games.advice import Advice, Expired, Strategy
from games.elimination import left_of
from games.palmer import words
from games.palmer.actions import (
    ACTIONS,
    BOTTOM,
    DRAW,
    FACE_DOWN,
    PLACE,
    PLACE_NAMES,
    TAKE,
    TURN_OVER,
    WAY,
    WHERE,
)
from games.palmer.rules import VALUE
from games.palmer.view import View
from games.types import Action

UNSEEN: Final = 6
"""Expected points of an unseen card, roughly."""
WORTH_TAKING: Final = 4
"""Points that the pile's top card must save to be taken; a card from the stock may save more."""
WORTH_REPLACING: Final = 5
"""Least expected points of a face-down card that is worth replacing with a drawn one."""

_RANKS: Final = range(len(french.RANKS))
_POINTS: Final = tuple(
    sum(VALUE[rank] for rank in _RANKS if odd >> rank & 1) for odd in range(1 << len(_RANKS))
)
"""Points of a square, by the set of ranks of which it holds an odd number (a bit for each rank)."""

_Known: TypeAlias = tuple[int, ...]
"""Ranks of known face-down cards, ascending."""


class PalmerStrategy(Strategy[View]):
    """Make pairs, replace high cards with low ones, and turn over cards that are already good."""

    low_wins = True

    def advise(self, view: View, legal: Sequence[Action]) -> Advice:
        if view.drawn is not None:
            return _place(view, view.drawn)
        saved, action = _best_place(view, TAKE, view.pile[-1])
        if saved >= WORTH_TAKING:
            return Advice(action, _why_card(view, WHERE[action], view.pile[-1], saved))
        counts = {action: _counts(view, WHERE[action]) for action in legal if WAY[action] == TURN_OVER}
        if max(counts.values()) >= WORTH_REPLACING:
            return Advice(
                DRAW,
                "The pile's top card would save you little. A drawn card can replace a card that costs you points.",
            )
        turned = min(counts, key=lambda action: counts[action])
        return Advice(turned, "This card is good. Turn it over to keep it.")

    def blunder(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        # A beginner takes a low card or draws, replaces an unknown card with it, and overlooks pairs.
        placing = [action for action in legal if WAY[action] in (PLACE, TAKE) and WHERE[action] not in BOTTOM]
        low = view.drawn is not None or VALUE[french.RANK[view.pile[-1]]] <= UNSEEN
        if placing and low:
            return rng.choice(placing)
        return DRAW if DRAW in legal else rng.choice(legal)

    def think(self, view: View, legal: Sequence[Action], rng: Random, expired: Expired) -> Advice:  # noqa: ARG002
        outlook = _Outlook(view)
        costs = {action: outlook.cost(action) for action in legal}
        advice = self.advise(view, legal)
        best = min(legal, key=lambda action: costs[action])
        saved = costs[advice.action] - costs[best]
        if saved <= 0:
            return advice
        usual = words.label(advice.action)
        return Advice(best, f"On average, this saves you {saved:.1f} points compared with “{usual}”.")


def _own(view: View) -> tuple[int | None, ...]:
    assert view.seat is not None
    return view.squares[view.seat]


def _down(view: View) -> tuple[int, ...]:
    assert view.seat is not None
    return FACE_DOWN[view.up[view.seat]]


def _odd(cards: Iterable[int | None]) -> int:
    odd = 0
    for card in cards:
        if card is not None:
            odd ^= 1 << french.RANK[card]
    return odd


def _estimate(square: Sequence[int | None]) -> int:
    """Return the expected points of a square, roughly."""
    return _POINTS[_odd(square)] + UNSEEN * square.count(None)


def _counts(view: View, place: int) -> int:
    """Return the points that the card in a place adds to the square; negative if it is one of a pair."""
    square = list(_own(view))
    before = _estimate(square)
    del square[place]
    return before - _estimate(square)


def _best_place(view: View, way: int, card: int) -> tuple[int, Action]:
    """Return the most points that `card` can save, and the action that puts it in the place where it does."""
    square = _own(view)
    before = _estimate(square)
    return max(
        (before - _estimate((*square[:place], card, *square[place + 1 :])), ACTIONS[way + place])
        for place in _down(view)
    )


def _place(view: View, card: int) -> Advice:
    saved, action = _best_place(view, PLACE, card)
    return Advice(action, _why_card(view, WHERE[action], card, saved))


def _why_card(view: View, place: int, card: int, saved: int) -> str:
    others = [own for at, own in enumerate(_own(view)) if at != place]
    old = _own(view)[place]
    instead = "a card nobody has seen" if old is None else f"your {french.SIGN[old]}"
    if _odd(others) >> french.RANK[card] & 1:
        return f"{french.SIGN[card]} makes a pair with another card of yours, so both count 0. It replaces {instead}."
    points = VALUE[french.RANK[card]]
    where = PLACE_NAMES[place]
    if saved <= 0:
        return f"{french.SIGN[card]} counts {points} and must be placed. It costs you least at the {where}."
    return f"{french.SIGN[card]} counts {points}. At the {where} it replaces {instead}, which may cost more."


class _Outlook:
    """Expected costs of the actions.

    They are the points of this player's square, plus a share of the points that the pile's new top card saves the next
    player. With n opponents the share is 1/n, as the mean of their points counts."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        square, down = _own(view), _down(view)
        self.view = view
        self.fixed = _odd(card for place, card in enumerate(square) if place not in down)
        self.known = {place: french.RANK[card] for place in down if (card := square[place]) is not None}
        self.unseen = len(down) - len(self.known)
        self.weights = _unseen_ranks(view)
        following = left_of(view.seat, view.out)
        places = view.squares[following]
        self.help = _help(
            _odd(card for place, card in enumerate(places) if view.up[following] >> place & 1),
            len(FACE_DOWN[view.up[following]]) if following != view.seat else 0,
        )
        self.share = 1 / max(1, view.out.count(0) - 1)

    def cost(self, action: Action) -> float:
        if action == DRAW:
            return self._mean([self._best_placing(rank) for rank in _RANKS])
        place = WHERE[action]
        if WAY[action] == TURN_OVER:
            return self._turned(place) + self._given(french.RANK[self.view.pile[-1]])
        card = self.view.pile[-1] if self.view.drawn is None else self.view.drawn
        return self._placed(french.RANK[card], place)

    def _best_placing(self, rank: int) -> float:
        return min(self._placed(rank, place) for place in _down(self.view))

    def _placed(self, rank: int, place: int) -> float:
        rest = self._after(self.fixed ^ 1 << rank, place)
        if place in self.known:
            return rest + self._given(self.known[place])
        return rest + self._mean([self._given(rank) for rank in _RANKS])

    def _turned(self, place: int) -> float:
        if place in self.known:
            return self._after(self.fixed ^ 1 << self.known[place], place)
        return self._mean([self._after(self.fixed ^ 1 << rank, place) for rank in _RANKS])

    def _after(self, fixed: int, place: int) -> float:
        known = tuple(sorted(rank for other, rank in self.known.items() if other != place))
        return _expected(fixed, known, self.unseen - (place not in self.known))

    def _given(self, rank: int) -> float:
        """Return the cost of leaving a card of this rank on top of the pile, where it helps the next player."""
        return self.share * self.help[rank]

    def _mean(self, values: Sequence[float]) -> float:
        return sum(map(float.__mul__, self.weights, values))


def _unseen_ranks(view: View) -> list[float]:
    """Return, by rank, the probability that an unseen card has it."""
    seen = {*view.pile, view.drawn, *(card for square in view.squares for card in square)}
    unseen = [french.RANK[card] for card in french.PACK if card not in seen]
    return [unseen.count(rank) / len(unseen) for rank in _RANKS]


@cache
def _expected(fixed: int, known: _Known, unseen: int) -> float:
    """Return the expected final points of a square before a turn, when played well and all ranks are equally likely.

    `fixed` has a bit for each rank that an odd number of face-up cards have, `known` the ranks of known face-down
    cards; `unseen` is the number of other face-down cards."""
    if not known and not unseen:
        return float(_POINTS[fixed])
    passing, placing = _ways(fixed, known, unseen)
    return sum(min(passing, offered) for offered in placing) / len(_RANKS)


@cache
def _ways(fixed: int, known: _Known, unseen: int) -> tuple[float, tuple[float, ...]]:
    """Return the expected final points without the pile, and by rank those when its top card is taken."""
    placing = tuple(_best_after(fixed ^ 1 << rank, known, unseen) for rank in _RANKS)
    drawing = sum(placing) / len(_RANKS)
    turning = [
        _expected(fixed ^ 1 << rank, known[:place] + known[place + 1 :], unseen)
        for place, rank in enumerate(known)
    ]
    if unseen:
        turning.append(sum(_expected(fixed ^ 1 << rank, known, unseen - 1) for rank in _RANKS) / len(_RANKS))
    return min(drawing, *turning), placing


def _best_after(fixed: int, known: _Known, unseen: int) -> float:
    """Return the expected final points after replacing the face-down card that is best to replace."""
    rests = [_expected(fixed, known[:place] + known[place + 1 :], unseen) for place in range(len(known))]
    if unseen:
        rests.append(_expected(fixed, known, unseen - 1))
    return min(rests)


@cache
def _help(fixed: int, down: int) -> tuple[float, ...]:
    """Return, by rank, the points that the pile's top card saves a player with `down` face-down cards."""
    if not down:
        return (0.0,) * len(_RANKS)
    passing, placing = _ways(fixed, (), down)
    return tuple(max(0.0, passing - offered) for offered in placing)


STRATEGY: Final = PalmerStrategy()
