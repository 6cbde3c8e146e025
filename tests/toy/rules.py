"""High Card: everybody holds three of twelve cards and picks one in secret; the highest card shown wins.

Phases of a hand: deal three cards each from 1 to 12; three tricks, in each of which everyone picks a card
(and may change the pick until the last one is in) and all picks are shown together. A match is several hands.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, Final

from pydantic import Field, StrictInt

from games.chance import shuffled
from games.contract import Event, Game, Illegal, MatchState, Outcome, Sink, event, ranked
from games.defaults import closes as closes
from games.defaults import course as course
from games.defaults import highlight as highlight
from games.defaults import naming
from games.defaults import question as question
from games.defaults import recap as recap
from games.defaults import scores_by_round as scores_by_round
from games.defaults import task as task
from games.facts import FactKind
from games.fields import Public, by_seat, fields, restored, shown
from games.options import DescribedOptions
from games.phrases import counted, whose_turn
from games.types import Action, Seat, with_seats

DECK = range(1, 13)
TRICKS = 3
"""Cards dealt to each seat, and so the number of tricks in a hand."""
CREDIT = "A toy game, made to test the bot."
KINDS: Final[Mapping[str, FactKind]] = {
    "tricks": FactKind("tricks", "sum", shown=False),
    "tricks_won": FactKind("tricks won", "sum", of="tricks"),
    "lowest_winner": FactKind("lowest card to win a trick", "least"),
}


class HighCardOptions(DescribedOptions):
    hands: Annotated[StrictInt, Field(ge=1, le=5)] = Field(
        default=1, description="Times that three cards are dealt (default: 1)"
    )

    def summary(self) -> list[str]:
        return [counted(self.hands, "hand")] * (self.hands != 1)


@fields
class State(MatchState):
    options: Public[HighCardOptions]
    seats: int
    seed: int | str
    hands: list[list[int]] = by_seat([])
    picks: list[int | None] = by_seat(None)
    tricks: Public[list[tuple[int, ...]]] = []
    """The tricks of the hand being played: the card of each seat."""
    won: Public[list[int]] = by_seat(0)
    outcome: Public[Outcome | None] = None


@dataclass(frozen=True, slots=True)
class View:
    """The knowledge of one seat. `hand` and `pick` are its own; `picked` is True for each seat that has picked."""

    options: HighCardOptions
    seat: Seat | None
    hand: tuple[int, ...]
    pick: int | None
    picked: tuple[bool, ...]
    tricks: tuple[tuple[int, ...], ...]
    won: tuple[int, ...]
    outcome: Outcome | None


@event
class Dealt(Event):
    """Three cards are dealt to a seat."""

    cards: tuple[int, ...]


@event
class Picked(Event):
    """A seat has picked, or changed its pick; `ready` seats have picked."""

    seat: Seat
    ready: int


@event
class Shown(Event):
    """The picks of a trick are shown, by seat."""

    cards: tuple[int, ...]


class HighCard(Game[HighCardOptions, State, View]):
    slug = "high-card"
    title = "High Card"
    blurb = "Pick a card in secret; the highest wins"
    minutes = 2
    version = 1
    longest = 5 * TRICKS * 4
    card_names = tuple(map(str, range(13)))
    shuffles = {"deal N": "whole"}
    dealing = "Three cards are dealt at a time, from the start of the list, in the order of seats."
    Options = HighCardOptions

    def seats(self, options: HighCardOptions) -> range:
        return range(2, 5)

    def new(self, options: HighCardOptions, seats: int, seed: int | str) -> tuple[State, list[Event]]:
        self.check_seats(options, seats)
        state = State(options, seats, seed)
        return state, self._deal(state)

    def legal(self, state: State, seat: Seat) -> list[Action]:
        return [Action(card) for card in state.hands[seat] if card != state.picks[seat]]

    def awaited(self, state: State) -> tuple[Seat, ...]:
        return tuple(seat for seat, pick in with_seats(state.picks) if pick is None and not state.outcome)

    def step(self, state: State, seat: Seat, action: Action, events: Sink = None) -> None:
        state.picks[seat] = action
        trick = tuple(pick for pick in state.picks if pick is not None)
        happened: list[Event] = [Picked(seat=seat, ready=len(trick))]
        if len(trick) == state.seats:
            happened = [Shown(cards=trick), *self._show(state, trick)]
        if events is not None:
            events += happened

    def why_not(self, state: State, seat: Seat, action: Action) -> str:
        return f"You cannot pick that now; you may pick: {_listed(self.legal(state, seat))}."

    def view(self, state: State, seat: Seat | None) -> View:
        hand, pick = ([], None) if seat is None else (state.hands[seat], state.picks[seat])
        picked = tuple(each is not None for each in state.picks)
        return shown(View, state, seat=seat, hand=tuple(hand), pick=pick, picked=picked)

    def imagine(self, view: View, rng: Random) -> State:
        unknown = sorted(set(DECK).difference(view.hand, *view.tricks))
        rng.shuffle(unknown)
        size = TRICKS - len(view.tricks)
        state = restored(State(view.options, len(view.picked), rng.getrandbits(64)), view)
        for seat, picked in with_seats(view.picked):
            own = seat == view.seat
            hand = list(view.hand) if own else sorted(unknown.pop() for _ in range(size))
            state.hands[seat] = hand
            state.picks[seat] = view.pick if own else rng.choice(hand) if picked else None
        return state

    def fallback(self, state: State, seat: Seat) -> Action:
        return Action(state.hands[seat][0])

    def text(self, action: Action) -> str:
        return f"pick {action}"

    def pack(self, options: HighCardOptions) -> Sequence[int]:
        return DECK

    def parse(self, text: str) -> Action:
        form = re.fullmatch(r"\s*pick\s*([1-9]|1[0-2])\s*", text, re.IGNORECASE | re.ASCII)
        if form is None:
            raise Illegal("A move reads “pick 7”, with a card from 1 to 12.")
        return Action(int(form[1]))

    def _deal(self, state: State) -> list[Event]:
        deck = shuffled(DECK, state.seed, "deal", sum(state.won))
        state.hands = [sorted(deck[i * TRICKS : (i + 1) * TRICKS]) for i in range(state.seats)]
        state.tricks = []
        return [Dealt(cards=tuple(hand), to=seat) for seat, hand in with_seats(state.hands)]

    def _show(self, state: State, trick: tuple[int, ...]) -> list[Event]:
        for hand, card in zip(state.hands, trick, strict=True):
            hand.remove(card)
        state.picks = [None] * state.seats
        state.tricks.append(trick)
        state.won[trick.index(max(trick))] += 1
        if sum(state.won) == TRICKS * state.options.hands:
            state.outcome = Outcome(ranked(state.won), tuple(state.won), "Most tricks win.")
        elif len(state.tricks) == TRICKS:
            return self._deal(state)
        return []


def _listed(cards: Sequence[int]) -> str:
    return ", ".join(map(str, cards))


def label(action: Action) -> str:
    return f"The {action}"


done = naming(label)


def narrate(event: Event, names: Sequence[str]) -> str:
    match event:
        case Dealt():
            return f"Your cards: {_listed(event.cards)}."
        case Picked():
            return f"{names[event.seat]} has picked; {event.ready} of {len(names)} are in."
        case Shown():
            winner = names[event.cards.index(max(event.cards))]
            picks = zip(names, event.cards, strict=True)
            return ", ".join(f"{name} {card}" for name, card in picks) + f": {winner} wins."
    return ""


def describe(view: View, names: Sequence[str]) -> str:
    awaited = [seat for seat, picked in with_seats(view.picked) if not picked and view.outcome is None]
    lines = [whose_turn(awaited, names, view.seat, "")] if awaited else []
    lines += [
        f"{name}: {points} won{', has picked' if picked else ''}."
        for name, points, picked in zip(names, view.won, view.picked, strict=True)
    ]
    lines += [f"Shown: {_listed(trick)}." for trick in view.tricks]
    if view.hand:
        lines.append(f"You hold {_listed(view.hand)}.")
    if view.pick is not None:
        lines.append(f"You have picked the {view.pick}.")
    return "\n".join(lines)


def lines(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    return [line for event in events if (line := narrate(event, names))]


def rules(options: HighCardOptions) -> str:
    return (
        f"Everyone gets 3 of the cards 1 to 12, {options.hands} times. Pick a card in secret; you may "
        f"change it until all are in. The highest card shown wins the trick, most tricks win.\n\n{CREDIT}"
    )


def reference(_: HighCardOptions) -> str:
    return "12 beats 11 beats 10 ... beats 1."


primer = reference


def count(events: Sequence[Event], seat: Seat) -> dict[str, int]:
    tricks = [event.cards for event in events if isinstance(event, Shown)]
    won = [cards[seat] for cards in tricks if cards[seat] == max(cards)]
    found = {"tricks": len(tricks), "tricks_won": len(won)}
    return {**found, "lowest_winner": min(won)} if won else found
