"""Twin It!, the engine. Source: "Twin It!" by Nathalie Saunier, Rémi Saunier and Tom Vuarchex, all five ways to play.

They are two games with the same cards, faces and hands: `turns` has the rules of classic, forbidden and teams, and
`race` those of cooperative and timed. This module has what both share: the hands rest after a mistake, and a match has
a limit of actions.

All times come from Discord with the actions. Everything that happens by itself happens in `tick`: a hand lifts, a rest
ends, a race begins or ends.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

from games.contract import Event, Game, Sink
from games.twin_it import actions, race, refusals, turns
from games.twin_it import view as views
from games.twin_it.deck import deal, sides
from games.twin_it.designs import NAMES
from games.twin_it.events import Ended
from games.twin_it.options import TwinItOptions
from games.twin_it.result import final
from games.twin_it.state import Race, State, Turns, new
from games.twin_it.view import View
from games.types import SEATS, Action, Seat

LATEST: Final = 3_000
"""Limit of actions in a match."""
RACE_POOL: Final = "twin-it-race"
"""Rating pool of timed races, which test other skills than the games of turns."""


class Rules(Protocol):
    """The part of the rules in which `turns` and `race` differ, for a match that is not over."""

    def begin(self, state: Any, events: list[Event], /) -> None: ...
    def legal(self, state: Any, seat: Seat, /) -> list[Action]: ...
    def awaited(self, state: Any, /) -> tuple[Seat, ...]: ...
    def why_not(self, state: Any, seat: Seat, action: Action, /) -> str: ...
    def act(self, state: Any, seat: Seat, action: Action, events: list[Event], /) -> None: ...
    def times(self, state: Any, /) -> Iterator[int]: ...
    def tick(self, state: Any, events: list[Event], /) -> None: ...
    def resume(self, state: Any, events: list[Event], /) -> None: ...
    def reason(self, state: Any, /) -> str: ...


ALONE: Final = "See two alike? Press both numbers."
"""Advice to whoever claims alone."""


def rules_of(state: State) -> Rules:
    """Return the rules of a match."""
    return race if isinstance(state, Race) else turns


class TwinIt(Game[TwinItOptions, State, View]):
    slug = "twin-it"
    title = "Twin It!"
    blurb = "Spot two designs alike before anybody else does"
    minutes = 10
    reference_title = "What counts"
    version = 1
    longest = LATEST
    real_time = True
    # Sides are shuffled: in a dealt deck, two designs in a row are the two sides of a card.
    card_names = NAMES
    shuffles = {"start N": "lot", "barred N": "lot", "deal N N": "whole"}
    dealing = (
        "The list has the sides of all cards: the first two are the first card, up side first, and so on. The "
        "last list of a deal counts."
    )
    Options = TwinItOptions

    def seats(self, options: TwinItOptions) -> range:
        return options.seats()

    def how(self, options: TwinItOptions) -> str:
        if options.against_time:
            return "`Open the spread` shows you the faces, page after page."
        if options.mode == "teams":
            return "See two alike? Press one number; your partner presses the other."
        return ALONE

    def duration(self, options: TwinItOptions) -> int:
        return 5 if options.against_time else self.minutes_of(options.sets_to_win, 5)

    def new(self, options: TwinItOptions, seats: int, seed: int | str) -> tuple[State, list[Event]]:
        self.check_seats(options, seats)
        state = new(options, seats, seed, deal(options.singles, seed, 1))
        events: list[Event] = []
        rules_of(state).begin(state, events)
        return state, events

    def legal(self, state: State, seat: Seat) -> list[Action]:
        return [] if state.outcome else rules_of(state).legal(state, seat)

    def topic(self, state: State, _: Seat) -> object:
        # Whoever flips, or takes a set, may have to flip again. Hands and mistakes leave the cards as they are.
        return state.stirred if isinstance(state, Turns) else None

    def awaited(self, state: State) -> tuple[Seat, ...]:
        return () if state.outcome else rules_of(state).awaited(state)

    def why_not(self, state: State, seat: Seat, action: Action) -> str:
        return refusals.always(action) or rules_of(state).why_not(state, seat, action)

    def apply(self, state: State, seat: Seat, action: Action, at: int = 0) -> list[Event]:
        self.check(state, seat, action)
        state.now = max(state.now, at)
        events: list[Event] = []
        self.step(state, seat, action, events)
        return events

    def step(self, state: State, seat: Seat, action: Action, events: Sink = None) -> None:
        happened: list[Event] = [] if events is None else events
        state.acted += 1
        rules_of(state).act(state, seat, action, happened)
        _end(state, happened)

    def view(self, state: State, seat: Seat | None) -> View:
        return views.view(state, seat, self.awaited(state))

    def fallback(self, state: State, seat: Seat) -> Action:
        return self.legal(state, seat)[0]  # to flip, or to be ready

    def unit(self, options: TwinItOptions) -> str:
        return options.unit

    def sides(self, options: TwinItOptions, seats: int) -> tuple[int, ...]:
        return tuple(seat % options.sides(seats) for seat in SEATS[:seats])

    @property
    def pools(self) -> Mapping[str, str]:
        return {self.slug: self.title, RACE_POOL: f"{self.title}, race"}

    def pool(self, options: TwinItOptions) -> str | None:
        return {"cooperative": None, "timed": RACE_POOL}.get(options.mode, self.slug)

    def due(self, state: State) -> int | None:
        if state.outcome is not None:
            return None
        return min([*filter(None, state.rests), *rules_of(state).times(state)], default=None)

    def tick(self, state: State, at: int) -> list[Event]:
        events: list[Event] = []
        state.now = max(state.now, at)
        state.rests = [0 if rest <= state.now else rest for rest in state.rests]
        rules_of(state).tick(state, events)
        _end(state, events)
        return events

    def resume(self, state: State, at: int) -> list[Event]:
        events: list[Event] = []
        state.now = max(state.now, at)
        if state.outcome is None:
            rules_of(state).resume(state, events)
        return events

    def pack(self, options: TwinItOptions) -> Sequence[int]:
        return sides(options.singles)

    imagine = staticmethod(views.imagine)
    text = staticmethod(actions.text)
    parse = staticmethod(actions.parse)


def _end(state: State, events: list[Event]) -> None:
    """End the match if there is a reason."""
    reason = rules_of(state).reason(state) or "A match ends after 3,000 actions." * (state.acted >= LATEST)
    if state.outcome is None and reason:
        state.outcome = final(state, reason)
        events.append(Ended(state.options.mode, state.outcome))
