"""Entries of the game itself: the deal, moves, and what happens by itself."""

from dataclasses import dataclass, field
from typing import Self

from bot.match.announcements import names
from bot.match.deals import dealt_seed, in_drawn_order
from bot.match.entries.rows import BareEntry, joined, numbers_in, seat_of, user_of
from bot.match.state import LogEntry, Player, TableState
from bot.match.times import Times
from bot.store import LogRow
from games import AnyGame, Event
from games.phrases import listed
from games.types import Action, Seat, with_seats


@dataclass(frozen=True, slots=True)
class Start(LogEntry):
    """The host starts the match."""

    kind = "start"

    user: int
    # In the log, so it can be read without the rules of the game.
    order: tuple[int, ...] = ()
    """The players by seat, as the seed draws them, each by their place in the lobby. Empty when the stored seed is used
    as it is: people sit as they came."""
    winner: Seat | None = None
    """The seat of the only winner of the match before, if the rules of a rematch ask for it."""

    @classmethod
    def by(cls, user: int, state: TableState, winner: Player | None = None) -> Self:
        """Return the start of a match in the lobby `state`. `winner`: the one of the match before."""
        places = [*range(len(state.players))]
        if state.seal:
            places = in_drawn_order(places, dealt_seed(state.seed, state.seal), state.pairs)
        seats = (seat for seat, place in with_seats(places) if state.players[place].is_same(winner))
        return cls(user, (*places,) if state.seal else (), next(seats, None))

    @classmethod
    def read(cls, row: LogRow) -> Self:
        return cls(user_of(row), (*numbers_in(row),), None if row.seat is None else seat_of(row))

    def columns(self) -> tuple[Seat | None, int, str]:
        return self.winner, self.user, joined(self.order)

    def apply(self, state: TableState) -> list[Event]:
        options = state.options if self.winner is None else state.options.after(self.winner)
        if state.seal:
            state.seed = dealt_seed(state.seed, state.seal)
            state.players = (*in_drawn_order(state.players, state.seed, state.pairs),)
        state.game_state, events = state.game.new(options, len(state.players), state.seed)
        # A deal can end the match: 31 in Thirty-One, when everybody else pays the last token.
        state.phase = "over" if state.game.outcome(state.game_state) else "play"
        state.prompts = [0] * len(state.players)
        state.changed = [*range(len(state.players))]
        state.held = {state.players[seat].user: seat for seat in state.people()}
        return events

    def announcement(self, state: TableState, _: Times) -> str:
        return f"🪑 Seats, drawn by lot: {listed(names(state))}." if self.order else ""


@dataclass(frozen=True, slots=True)
class Move(LogEntry):
    """A player, or the computer in the seat, makes a move. `text` is its text form."""

    kind = "move"

    seat: Seat
    text: str
    user: int | None = None
    """The player; None for a computer."""
    action: Action | None = field(default=None, compare=False)
    """The action that `text` names; None in an entry that was read from a log, which needs no rules."""

    @classmethod
    def of(cls, game: AnyGame, seat: Seat, action: Action, user: int | None = None) -> Self:
        """Return the entry of an action."""
        return cls(seat, game.text(action), user, action)

    @classmethod
    def read(cls, row: LogRow) -> Self:
        return cls(seat_of(row), row.body, row.user)

    def columns(self) -> tuple[int, int | None, str]:
        return self.seat, self.user, self.text

    def apply(self, state: TableState) -> list[Event]:
        """Apply the move. Raises the game's Illegal."""
        stage, since = state.stage(self.seat), state.since.get(self.seat, 0)
        events = state.advance(lambda: self._act(state), self.seat)
        if self.user is not None:
            state.acted[self.user] = state.n
            state.played_ahead = state.forget_ahead(self.seat)
            # A secret move changes neither when people are called nor, while the seat goes on, what the call says.
            is_public = any(event.to is None for event in events)
            if is_public and not state.played_ahead:
                state.moved[self.user] = state.at
            if is_public or self.seat not in state.awaited():
                state.called.pop(self.seat, None)
            elif stage in ("turn", "reminded"):
                state.since[self.seat] = since
                state.reminded |= {self.seat} if stage == "reminded" else set()
        return events

    def _act(self, state: TableState) -> list[Event]:
        action = state.game.parse(self.text) if self.action is None else self.action
        return state.game.apply(state.game_state, self.seat, action, state.at)

    def calls(self, state: TableState) -> list[Seat]:
        called = _calls(state)
        # A player who moves and must move again is looking at the table already, unless they had decided ahead.
        is_there = self.user is not None and not state.played_ahead
        return [] if is_there and called == [self.seat] else called


@dataclass(frozen=True, slots=True)
class Tick(BareEntry):
    """The game does what was due without an action."""

    kind = "tick"

    def apply(self, state: TableState) -> list[Event]:
        return state.advance(lambda: state.game.tick(state.game_state, state.at))

    def calls(self, state: TableState) -> list[Seat]:
        return _calls(state)


@dataclass(frozen=True, slots=True)
class Resume(BareEntry):
    """The bot is back after an outage in which nobody could act."""

    kind = "resume"

    def apply(self, state: TableState) -> list[Event]:
        return state.advance(lambda: state.game.resume(state.game_state, state.at))


@dataclass(frozen=True, slots=True)
class Restored(LogEntry):
    """The match goes on from a backup, as it was at `until` ms; a sealed lobby has a new secret since.
    `bot.store.sqlite.backup` writes it."""

    kind = "restored"

    until: int

    @classmethod
    def read(cls, row: LogRow) -> Self:
        return cls(int(row.body))

    def columns(self) -> tuple[None, None, str]:
        return None, None, str(self.until)

    def apply(self, state: TableState) -> None:
        state.restored = state.n

    def announcement(self, state: TableState, _: Times) -> str:
        if state.phase == "lobby":
            return ""  # its card says it
        return (
            "⏪ Whoever runs the bot has restored a backup: the match goes on as it was on "
            f"<t:{self.until // 1000}:f>. What was played after that does not count, but what comes next may have "
            "been seen."
        )


def _calls(state: TableState) -> list[Seat]:
    """Return the seats to call after a step of the game."""
    # In real time everybody is looking, and a call would come too late.
    return [] if state.game.real_time else state.asked()
