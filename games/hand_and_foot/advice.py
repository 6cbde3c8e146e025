"""Strategy for Hand and Foot: rules of thumb for melds, the discard pile and going out; counting for sharp players."""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.advice import Advice, Expired, Strategy
from games.hand_and_foot import words
from games.hand_and_foot.actions import (
    AGREE,
    ASK,
    DISCARD,
    DRAW,
    FULL,
    MELD,
    REFUSE,
    TAKE,
    laid_points,
    melded,
)
from games.hand_and_foot.cards import IS_WILD, MELDABLE, RANK, RANKS, SIGN, THREE
from games.hand_and_foot.danger import Danger
from games.hand_and_foot.melding import MOST_TAKEN
from games.hand_and_foot.prospects import SHARP, STEADY, Prospects
from games.hand_and_foot.state import ASKING, DRAWING
from games.hand_and_foot.view import View
from games.phrases import counted
from games.types import Action


class HandAndFootStrategy(Strategy[View]):
    """Meld early to be rid of the hand, finish clean piles, and go out as soon as the rest of the hand allows."""

    def advise(self, view: View, legal: Sequence[Action]) -> Advice:
        return _Turn(view, legal, None).advice()

    def blunder(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        # A beginner keeps melds in the hand, spoils clean ones with wild cards, and discards without looking.
        melds = [action for action in legal if action >= MELD]
        if view.phase == DRAWING and DRAW in legal:
            return DRAW
        if melds and (rng.random() < 0.5 or len(melds) == len(legal)):
            return rng.choice(melds)
        discards = [action for action in legal if DISCARD <= action < MELD and not IS_WILD[action - DISCARD]]
        return rng.choice(discards or legal)

    def think(self, view: View, legal: Sequence[Action], rng: Random, expired: Expired) -> Advice:  # noqa: ARG002
        return _Turn(view, legal, Danger(view)).advice()


class _Turn:
    """The choice of one action. `danger` counts the cards that the next player may hold; None for a player who does
    not count."""

    def __init__(self, view: View, legal: Sequence[Action], danger: Danger | None) -> None:
        assert view.seat is not None
        self.view = view
        self.legal = legal
        self.danger = danger
        self.side = view.side(view.seat)
        self.prospects = Prospects(view, STEADY if danger is None else SHARP)

    def advice(self) -> Advice:
        if self.view.phase == ASKING:
            return self._answer()
        if self.view.phase == DRAWING:
            return self._draw()
        if ASK in self.legal and self.prospects.can_finish:
            return Advice(ASK, "You can play all cards this turn, so ask whether you may go out.")
        found = self._meld()
        return self._discard() if found is None else found

    def _answer(self) -> Advice:
        own, other = self.prospects.if_out()
        if own >= other:
            return Advice(
                AGREE, f"If the deal ends now, your side gains about {own - other} points on the others."
            )
        return Advice(
            REFUSE, f"Your side would end the deal about {other - own} points behind. Play on for more piles."
        )

    def _draw(self) -> Advice:
        count = min(MOST_TAKEN, len(self.view.discards))
        if TAKE in self.legal:
            top = RANKS[RANK[self.view.discards[-1]]]
            return Advice(TAKE, f"You meld three {top}s at once and get {count} cards instead of two.")
        aside = [action for action in self.legal if action >= MELD]
        if aside and (DRAW not in self.legal or count > 2):
            action = self._towards_minimum(aside)
            return Advice(
                action, "Lay this aside first. With it you can take the discard pile as your first meld."
            )
        only = counted(count, "card")
        return Advice(
            DRAW, f"The discard pile would give you only {only}. Draw two, and wait until it has more."
        )

    # Melds

    def _meld(self) -> Advice | None:
        """Return the best cards to lay, or None when it is better to lay no more."""
        melds = [action for action in self.legal if action >= MELD]
        if self.prospects.goes_out:
            melds = [action for action in melds if self.prospects.leads_out(action)]
        if not melds:
            return None
        if not self.view.has_opened(self.side):
            return Advice(self._towards_minimum(melds), self._why_first())
        merit, action = max((self.prospects.merit(action), action) for action in melds)
        must = self.prospects.goes_out or len(melds) == len(self.legal)
        return Advice(action, self._why(action)) if merit > 0 or must else None

    def _why_first(self) -> str:
        if self.prospects.alone:
            return f"Your first meld needs {self.view.minimum} points; after it you can meld as you like."
        return f"Your side needs {self.view.minimum} points once; then both of you can meld."

    def _towards_minimum(self, melds: Sequence[Action]) -> Action:
        """Return natural cards first, as many as there are; then the fewest wild cards that reach the minimum."""
        missing = self.view.minimum - words.laid_aside(self.view)

        def merit(action: Action) -> tuple[bool, bool, int, int]:
            rank, way = melded(action)
            points = laid_points(rank, way)
            enough = points >= missing
            wilds = laid_points(rank, way._replace(naturals=0))
            return not way.wilds, enough, -wilds if enough else points, way.naturals

        return max(melds, key=merit)

    def _why(self, action: Action) -> str:
        rank, way = melded(action)
        laid = len(self.view.melds[self.side][rank])
        if laid + way.cards == FULL:
            wild = way.wilds or any(IS_WILD[card] for card in self.view.melds[self.side][rank])
            return f"This finishes a {'dirty' if wild else 'clean'} pile of {RANKS[rank]}s."
        if way.wilds:
            return f"Wild cards bring your meld of {RANKS[rank]}s closer to a dirty pile."
        return "Cards on the table count for you; those in your hand count against you."

    # Discards

    def _discard(self) -> Advice:
        discards = [action for action in self.legal if DISCARD <= action < MELD]
        action = min(discards or self.legal, key=lambda action: (self._cost(action - DISCARD), action))
        return Advice(action, self._why_discard(action - DISCARD))

    def _cost(self, card: int) -> float:
        """Return what it costs to discard a card: its use to the own side, and to the next player."""
        return self.prospects.use(card) + (self.danger.cost(card) if self.danger else self._risk(card))

    def _risk(self, card: int) -> float:
        """Return a guess at what the pile gives the next player, without counting cards."""
        if RANK[card] not in MELDABLE:
            return 0.0
        return min(MOST_TAKEN, len(self.view.discards) + 1) * (1.0 if RANK[card] < 8 else 1.5)

    def _why_discard(self, card: int) -> str:
        if RANK[card] == THREE:
            return f"Nobody can meld {SIGN[card]}, and the next player cannot take the pile under it."
        if IS_WILD[card]:
            return "Nobody can take the pile under a wild card, and you have nothing better to give away."
        if self.danger is not None and self.danger.chance(card) < 0.02:
            return f"The next player is very unlikely to hold two {RANKS[RANK[card]]}s and take the pile."
        return f"{SIGN[card]} is of the least use to your side."


STRATEGY: Final = HandAndFootStrategy()
