"""A table: the only place where a match changes. (`bot.match.seats` and `bot.match.votes` hold more of its actions.)

Every change holds the table's lock and takes these steps: apply what was due by itself, check the request, apply it and
what votes decide by it to a copy of the state, append that to the store, replace the state by the copy. Only then is
the request acknowledged. When an append fails or is cancelled, this object may lag behind the log. It then refuses all
changes, and `Tables.get` loads the table again.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Final, NamedTuple

from bot.match.announcements import announce, names
from bot.match.answering import answered
from bot.match.click_order import ClickOrder
from bot.match.clock import MatchClock
from bot.match.deadlines import DUE, idle, next_deadlines, on_deadline
from bot.match.deals import LONGEST_CUT, MOST_CUTS, MOST_CUTS_IN_ALL, MOST_STEPS
from bot.match.entries import Ahead, Back, Close, CloseReason, Cut, Join, Leave, Move, Resume, Start
from bot.match.lobby_notes import UNREAD, LobbyNote, lobby_note
from bot.match.log import decided, numbered, read, ticks
from bot.match.names import isolated, printable, seat_names
from bot.match.openings import Limit
from bot.match.pages import Pages, PublicItem
from bot.match.refusal import Refusal, naming
from bot.match.results import counts_for, finished, outlasting
from bot.match.state import LogEntry, Logged, Player, TableState, Words
from bot.store import Finished, Hours, Match, Post, PostKind, Store, StoreFailed
from bot.store.seeds import cut_digest
from games import Event
from games.phrases import listed
from games.texts import read_move
from games.types import Action, Seat

MOST_CLICKS: Final = 64
"""Maximum number of a table's clicks by which a second delivery is known."""

LEFT: Final = "You have left this match. While your seat is free, `/table back` gives it back to you."
"""Refusal for somebody who has left a match that goes on."""
AWAY: Final = "A computer plays for you. Press `I'm back`, then you can decide."
"""Refusal for somebody for whom a caretaker plays, while there is nothing to decide."""
RETURNED: Final = (
    "You have come back in this turn already. Make the move that is awaited: that gives you the seat."
)
"""Refusal for somebody who wants more time again without a move that is awaited."""

MEANS_ELSE: Final = "The table has changed since you were asked. `/table leave` says what leaving means now."
CLOSED: Final = "This table is closed: {}"
BEGINS: Final = "The seats of this table are given, and it begins in a moment. Try again then."
IS_DUE: Final = "This table goes on by itself in a moment, or once its server is back. Try again then."


class Stale(Refusal):
    """The form belongs to an earlier decision. The player is shown the current one."""

    def __init__(self) -> None:
        super().__init__("The table has moved on since this was opened. This is how it stands now.")


class Made(NamedTuple):
    """A new entry of the log, the game's events in it, and what it adds to the public record."""

    logged: Logged
    events: list[Event]
    public: list[PublicItem]


def public_items(made: Sequence[Made]) -> list[PublicItem]:
    """Return what several entries add to the public record."""
    return [item for each in made for item in each.public]


def told_to(seat: Seat, made: Sequence[Made]) -> tuple[Action, list[Event]]:
    """Return the action of the first move in `made`, and what happened by it that its player, at `seat`, may know."""
    # The player may be back with it, and moves of computers may follow.
    move, events = next(
        (each.logged.entry, each.events) for each in made if isinstance(each.logged.entry, Move)
    )
    assert move.action is not None  # only entries that were read have none
    return move.action, [event for event in events if event.to in (None, seat)]


@dataclass(eq=False)
class Table:
    """One table, open or over. `bot.match.tables.Tables` creates it and keeps it in memory."""

    match: Match
    state: TableState
    """The state after the last entry that the store has kept."""
    deadlines: dict[int, int]
    """Deadlines in ms, by seat (see `bot.match.deadlines` for those below 0)."""
    store: Store
    clock: MatchClock
    room_for: Callable[[int], AbstractContextManager[None]]
    """Counts a person as seated while they are about to sit down. Raises Refusal when they sit at too many tables."""
    offers: Limit
    """Counts the offers of seats, those at other tables too."""
    changed: Callable[["Table"], None]
    """Called after each commit."""
    is_run: Callable[[], bool] = lambda: True
    """Returns whether this process runs the table, and no other one."""
    posts: dict[tuple[PostKind, int], Post] = field(default_factory=dict)
    """Its messages, by kind and number."""
    board_notes: dict[tuple[int, Seat], str] = field(default_factory=dict)
    """Notes that only the live table shows, by number of the log entry and by seat. They are not in the log, so a
    restart loses them."""

    # Kept here: reading them from the store at each edit would change the order of edits.
    lobby_notes: dict[int, LobbyNote] = field(default_factory=dict)
    """Notes on the people in the lobby, by user."""

    hours: dict[int, Hours | None] = field(default_factory=dict)
    """By person who sits here, or is offered a seat, unless the table is live: their hours, None for who has set
    none."""

    def __post_init__(self) -> None:
        self.pages = Pages(self.state.game)
        self.lock = asyncio.Lock()
        self.asked: set[int] = set()
        """Those people whose hours were asked for. `hours` has them when the answer is there."""
        self._clicks: deque[int] = deque(maxlen=MOST_CLICKS)
        """The last clicks that made moves."""
        self._order = ClickOrder(self.clock.times.hold / 1000)
        self._behind = False
        """True when this object may lag behind the log. It then refuses all changes."""

    @property
    def id(self) -> int:
        """The match's number, as in custom ids."""
        return self.match.id

    @property
    def is_behind(self) -> bool:
        """True when it may lag behind the log and must be loaded again."""
        return self._behind

    def outdate(self) -> None:
        """Have this table loaded again. Call it with the lock held."""
        self._behind = True

    @property
    def is_open(self) -> bool:
        """True in the lobby and in play."""
        return self.state.phase in ("lobby", "play")

    @property
    def is_sealed(self) -> bool:
        """True when its deal can be checked. False when the stored seed is used as it is, as in a daily deal."""
        return self.state.seal != ""

    @property
    def is_seated(self) -> bool:
        return self.state.is_seated

    @property
    def kept_for(self) -> str:
        """For whom seats are kept, and how long: "Ben, open to all <t:1:R>"; "" when none are, as after the lobby."""
        people = seat_names(self.state.reserved.values()) if self.state.phase == "lobby" else []
        return f"{listed(people)}, open to all <t:{self.deadlines[DUE] // 1000}:R>" if people else ""

    # The lobby

    async def join(self, user: int, name: str, at: int, interaction: int = 0) -> None:
        """Take the next free seat. The id of the interaction becomes part of the seed."""
        async with self.changing(at):
            self.must_be("lobby", "The match has begun; you can watch it.")
            if self.state.seat_of(user) is not None:
                raise Refusal("You already sit at this table.")
            self.check_free(user)
            self.check_steps(user)
            with self.room_for(user):
                await self.note(user)
                await self.commit(at, Join(user, name, interaction))

    async def note(self, user: int) -> None:
        """Read the note on a person in the lobby."""
        self.lobby_notes.setdefault(user, UNREAD)  # from here on `Tables.note` reads it again
        self.lobby_notes[user] = await lobby_note(self.state, user, self.store, self.clock.now())

    async def learn_hours(self, state: TableState) -> None:
        """Read the hours of those people in a state of this table whose hours are not known yet."""
        new = _followed(state) - self.hours.keys()
        if new and state.pace != "live":
            self.asked |= new
            found = await self.store.hours(new)
            self.hours |= {user: found.get(user) for user in new}

    async def start(self, user: int, at: int, winner: Player | None = None) -> None:
        """Start the match. `winner`: the one of the match before (`Tables.last_winner`).

        Raises Refusal for anybody but the host, and when too few or too many players sit here."""
        async with self.changing(at):
            self.must_be("lobby", "The match has begun already.")
            self.must_host(user, "start the match")
            count, seats = len(self.state.players), self.seats()
            if count not in seats:
                raise Refusal(
                    f"{_people(seats)} can play this; {count} sit here. Wait for more to join, or add a computer."
                )
            await self.commit(at, Start.by(user, self.state, winner))

    async def begin(self) -> None:
        """Start a match whose seats are given. Do nothing when it has begun."""
        async with self.changing(now := self.clock.now()):
            if self.state.phase == "lobby":
                await self.commit(now, Start(self.state.host.user), by_itself=True)

    async def cut(self, user: int, name: str, typed: str, at: int, copied: str = "") -> Words | None:
        """Add words of a person, who need not sit here, to the seed of the deal. Return their cut before, if any.

        `copied` is the seal that they could copy. Raises Refusal after the start, and when the seal has changed since.
        """
        async with self.changing(at):
            self.check_cut(user)
            # What came in between is no part of what they copied, so their cut would not prove it.
            if copied not in ("", self.state.seal):
                raise Refusal(
                    "This lobby has changed while you typed, so the seal that you copied is not the present one. "
                    f"Press `Cut` again, and copy the new one. You typed: {isolated(printable(typed)[:LONGEST_CUT])}"
                )
            words = printable(typed)
            if not 1 <= len(words) <= LONGEST_CUT:
                raise Refusal(
                    f"Your cut has {len(words)} visible characters; 1 to {LONGEST_CUT} are allowed. Press `Cut` again."
                )
            earlier = self.state.cuts.get(user)
            await self.commit(at, Cut(user, name, words, cut_digest(self.match.seed, words)))
            return earlier

    def check_steps(self, user: int) -> None:
        """Raise Refusal when a person has changed this lobby too often."""
        if self.state.steps.get(user, 0) >= MOST_STEPS:
            raise Refusal(
                f"You have changed this lobby {MOST_STEPS} times, as often as you may. "
                "Its host can still start or cancel it."
            )

    def check_cut(self, user: int) -> None:
        """Raise Refusal unless `user` may cut."""
        self.must_be(
            "lobby", "The match has begun, so its deal cannot be cut any more. Cut before the next start."
        )
        self.check_steps(user)
        if not self.is_sealed:
            raise Refusal("The deal of this table is the same for everybody, so nobody can cut it.")
        others = len(self.state.cuts.keys() - {user})
        if others >= MOST_CUTS_IN_ALL:
            raise Refusal(f"{MOST_CUTS_IN_ALL} people have cut already, and there is no room for more.")
        if others >= MOST_CUTS and self.state.seat_of(user) is None:
            raise Refusal(
                f"{MOST_CUTS} people have cut already. Only people who sit here still can: press `Join`."
            )

    async def cancel(self, user: int, at: int, *, manages: bool, sure: bool = True) -> None:
        """Close the table; the match does not count. Before the match the host may, and at any time a person who
        `manages` the server and has not played in this rated match. Raises Refusal after the start, unless they are
        `sure`."""
        async with self.changing(at):
            await self.check_cancelling(user, manages=manages)
            if not sure:
                self.must_be("lobby", "The match has begun; `/table end` ends it.")
            lobby = self.state.phase == "lobby"
            reason = CloseReason.CANCELLED if lobby else CloseReason.ENDED
            await self.commit(at, Close(reason, user))

    async def leave(self, user: int, at: int, *, sure: bool = True, told: str | None = None) -> None:
        """Give up the seat of `user`. In the lobby it becomes free; in a match a computer plays on in it.

        Raises Refusal for a match that has begun, unless the user is `sure`. The table closes when nobody is left to
        play (see `last_words`). Raises Refusal, too, when they were `told` that it closes otherwise (see `Close.told`),
        or goes on ("").
        """
        async with self.changing(at):
            seat = self.check_leaving(user)
            if not sure:
                self.must_be("lobby", "The match has begun; `/table leave` leaves it.")
            closing = await self.last_words(user) if seat in self.state.people() else None
            if told not in (None, closing.told if closing else ""):
                raise Refusal(MEANS_ELSE)
            ends = [closing] if closing else []
            has_won = closing is not None and closing.reason is CloseReason.OUTLASTED and closing.user == user
            await self.commit(at, *([] if has_won else [Leave(user)]), *ends)

    async def last_words(self, user: int) -> Close | None:
        """Return the entry that closes the table when this person leaves; None when the match goes on."""
        seat, people = self.seat(user), self.state.people()
        others, now = {*people} - {seat}, self.clock.now()
        since = now - idle(self.state, self.clock.times) if others else now
        # In a match of two the last one there has won, if the other one has left or has long been away.
        if others <= self.state.away and (winner := await self._winner(since)):
            return Close(CloseReason.OUTLASTED, winner)
        return Close(CloseReason.EVERYBODY_LEFT, user) if people == [seat] else None

    async def _winner(self, since: int) -> int:
        """Return who has won if the table closes now (see `Attendance.winner`); 0 for nobody."""
        if self.state.pool is None:
            return 0
        return outlasting(self.match, self.state.game, await self._entries(), since)

    async def is_rated_for(self, user: int) -> bool:
        """Return whether the match is rated for a person, should they leave now."""
        if self.state.pool is None:
            return False
        return counts_for(self.match, self.state.game, await self._entries(), user)

    async def _entries(self) -> list[Logged]:
        """Return all entries of its log. Raises StoreFailed."""
        return [read(row) for row in await self.store.log(self.id)]

    async def close(self, reason: CloseReason) -> None:
        """Close the table for a technical reason, such as a deleted channel. Do nothing when it is over already."""
        async with self.changing(now := self.clock.now()):
            if self.is_open:
                await self.commit(now, Close(reason))

    async def run_out(self, reason: CloseReason) -> None:
        """Close the table because its time is up; one of two people may have won by it, as by a deadline. Call it in
        `changing`."""
        now = self.clock.now()
        winner = await self._winner(now)
        await self.commit(
            now, Close(CloseReason.OUTLASTED, winner) if winner else Close(reason), by_itself=True
        )

    # The match

    async def play(
        self, user: int, texts: Sequence[str], at: int, prompt: int | None = None, click: int | None = None
    ) -> list[Made]:
        """Make the moves that `texts` name, all of them or none. Raises Stale if `prompt` (see TableState.prompts) is
        not the present one, and if the click with the id `click` has moved already.

        Raises Refusal and AgainstTheRules, too. After an error nothing has changed.
        """
        async with self.changing(at):
            self.must_be_dealt()
            seat = self.seat(user)
            if seat in self.state.gone:
                raise Refusal(LEFT)
            # Discord may deliver one twice.
            if click in self._clicks or (prompt is not None and prompt != self.state.prompts[seat]):
                raise Stale
            if seat in self.state.away and not self.state.legal(seat):
                raise Refusal(AWAY)
            # A move also ends the caretaker: the player has the seat back.
            before: list[LogEntry] = [Back(seat, user)] if seat in self.state.away else []
            # Whatever they do by hand replaces what they had decided ahead.
            before += [Ahead(seat, user)] if seat in self.state.ahead else []
            game = self.state.game
            with naming(names(self.state)):
                actions = [read_move(game, self.state.game_state, seat, text) for text in texts]
                again = seat in self.state.away and self.state.has_returned(user)
                if again and not self.state.answers(seat, actions, at):
                    raise Refusal(RETURNED)
                moves = [Move.of(game, seat, action, user) for action in actions]
                return await self.commit(at, *before, *moves, click=click)

    async def answer(self, seat: Seat, prompt: int, text: str | None) -> None:
        """Make a computer's move, the game's fallback for None. An answer that comes too late does nothing."""
        async with self.changing(at := self.clock.now()):
            state = self.state
            if seat not in self.deadlines or not state.strength_at(seat) or state.prompts[seat] != prompt:
                return
            action = None if text is None else state.game.parse(text)
            if action not in state.legal(seat):
                action = state.game.fallback(state.game_state, seat)
            await self.commit(at, Move.of(state.game, seat, action), by_itself=True)

    async def react(self, seat: Seat, choice: Callable[[], Sequence[str]], at: int) -> bool:
        """Make the moves of a computer in a game of speed. `choice` returns their texts. Return whether there are any.

        Raises Illegal if that has made a move impossible.
        """
        async with self.changing(at):
            # Not before: all earlier clicks and everything due up to `at` are handled only now.
            moves = [Move(seat, text) for text in choice()]
            if moves:
                await self.commit(at, *moves, by_itself=True)
        return bool(moves)

    async def apply_deadline(self, seat: int) -> None:
        """Append what follows from a passed deadline, of a person or of the table itself. (`bot.computers.players`
        handles those of computers.)"""
        async with self.changing(now := self.clock.now()):
            # No time has run in an outage or a freeze that has begun since this was called.
            now = min(now, self.clock.witnessed(self.match.guild))
            # Else the player has moved, or the deadline has, since this was called. A deadline that has been set and
            # has passed meanwhile is handled by the next call.
            if seat in self.deadlines and self.deadlines[seat] <= now:
                await self.commit(now, *await self._at_deadline(seat, now), by_itself=True)
            # Or the table was loaded before a commit in doubt came to be seen, or the store is an older copy now.
            elif self.deadlines != await self.store.deadlines(self.id):
                self.outdate()

    async def _at_deadline(self, seat: int, now: int) -> list[LogEntry]:
        entries = on_deadline(self.state, self.deadlines, seat, now, self.clock.times)
        closes = any(isinstance(entry, Close) for entry in entries)
        if closes and (winner := await self._winner(now)):
            # Whoever was left behind need not finish the match against computers.
            return [Close(CloseReason.OUTLASTED, winner)]
        return entries

    def is_due(self, seat: Seat) -> bool:
        """Return whether the deadline of a seat has passed."""
        return seat in self.deadlines and self.deadlines[seat] <= self.clock.now()

    async def resume(self, since: int, at: int) -> None:
        """Tell the game that nobody could act between two times in ms. What was due before that is applied first; the
        game may put off or cancel what is due later. Call it with the lock held, before the outage is given back: from
        then on any click applies what has become due in it."""
        await self._catch_up(since)
        if self.state.due() is not None:
            # Not by `commit`, by which nothing is later than the start of the outage.
            await self._keep(partial(numbered, at=at, entries=[Resume()]))

    # One step

    @asynccontextmanager
    async def changing(self, at: int) -> AsyncIterator[None]:
        """Hold the lock for a change at `at` ms, after applying what was due by itself up to then."""
        # The first one wins, so all earlier clicks go first.
        if self.state.game.real_time and self.state.phase == "play":
            await self._order.turn(at)
        async with self.lock:
            until = min(at, self.clock.witnessed(self.match.guild))
            # Only the process that runs the table knows whether people could act until then.
            if self._has_due(until) and not self.is_run():
                raise Refusal(IS_DUE)
            await self._catch_up(until)
            yield

    def _has_due(self, until: int) -> bool:
        due = self.state.due()
        return due is not None and due <= until

    async def _catch_up(self, until: int) -> None:
        if self._has_due(until):
            await self._keep(partial(ticks, until=until), self.is_run)

    async def commit(
        self, at: int, *new: LogEntry, click: int | None = None, by_itself: bool = False
    ) -> list[Made]:
        """Append entries to the log, then apply them to this table; return what happened. Call it in `changing`.
        `click`: see `Logged`. `by_itself`: nobody asked for it, so only the process that runs the table may do it."""
        # No time runs during an outage, so a click in it gets the time at which the outage began.
        continued = answered if self.match.placeless else numbered
        return await self._keep(
            partial(continued, at=min(at, self.clock.witnessed(self.match.guild)), entries=new, click=click),
            # Asked at the write: a process that was frozen may have lost the table meanwhile.
            self.is_run if by_itself else None,
        )

    async def _keep(
        self, happening: Callable[[TableState], Iterator[Logged]], may: Callable[[], bool] | None = None
    ) -> list[Made]:
        if self._behind:  # an append failed while the caller waited for the lock
            raise StoreFailed("This was not saved: the table is read anew from its log. Try again.")
        state = self.state.copy()
        made: list[Made] = []
        for logged in chain(happening(state), decided(state)):
            events = state.apply(logged)
            made.append(Made(logged, events, announce(state, logged, events, self.clock.times)))
        if not made:
            return []
        due, since = await self._next_deadlines(state)
        try:
            await self._append(state, [each.logged for each in made], due, since, may)
        except BaseException:
            self._behind = True
            raise
        is_seen = due != self.deadlines or any(each.logged.entry.is_told for each in made)
        self.state, self.deadlines = state, due
        # Those of people who have left may change. They counted until now, as what is shown follows from the state.
        self.hours = {user: known for user, known in self.hours.items() if user in _followed(state)}
        for each in made:
            self.add(each.logged, each.public)
        # What nobody is told of must not even shift an edit of what others see.
        if is_seen or not self.is_run():
            self.changed(self)
        return made

    def add(self, logged: Logged, public: Iterable[PublicItem]) -> None:
        """Add an entry of the log to the pages, and remember the click that made it."""
        self.pages.add(public)
        if logged.click and logged.click not in self._clicks:
            self._clicks.append(logged.click)

    async def _next_deadlines(self, state: TableState) -> tuple[dict[int, int], int | None]:
        """Return the deadlines of a state. If another process runs the table, also return the time in ms from which
        they count by the clock of this one, which may have slept and not know it yet; else None."""
        if self.match.placeless:
            return {}, None
        await self.learn_hours(state)
        runs = self.is_run()
        now = self.clock.counted(self.match.guild) if runs else max(self.clock.corrected(), self.state.at)
        due = next_deadlines(state, self.state, self.deadlines, now, self.clock.times, self.hours)
        return due, None if runs else now

    async def _append(
        self,
        state: TableState,
        made: list[Logged],
        deadlines: dict[int, int],
        since: int | None,
        may: Callable[[], bool] | None,
    ) -> None:
        began = state.phase == "play" and self.state.phase == "lobby"
        ended = state.phase in ("over", "closed")
        options = state.options.model_dump_json() if began else self.match.options
        await self.store.append(
            self.id,
            [logged.row for logged in made],
            deadlines=deadlines,
            since=since,
            phase=state.phase if state.phase != self.state.phase else None,
            started=made[-1].at if began else None,
            played_options=options if options != self.match.options else None,
            ended=made[-1].at if ended else None,
            finished=await self._finished(made) if state.phase == "over" else None,
            may=may,
        )

    async def _finished(self, made: list[Logged]) -> Finished:
        """Return the results of the match, whose last entries are `made`."""
        before = await self._entries()
        return finished(self.match, self.state.game, [*before, *made])

    # Checks

    def must_be(self, phase: str, otherwise: str) -> None:
        """Raise Refusal unless the table is in this phase. `otherwise` is its text while the table is open."""
        self._must_not_be_closed()
        if self.state.phase == "over":
            raise Refusal("The match is over.")
        if self.state.phase != phase:
            raise Refusal(otherwise)
        if phase == "lobby" and self.is_seated:
            raise Refusal(BEGINS)

    def must_be_open(self) -> None:
        """Raise Refusal when the table is closed or the match is over."""
        self._must_not_be_closed()
        if self.state.phase == "over":
            raise Refusal("The match is over; its result stands.")

    def _must_not_be_closed(self) -> None:
        if self.state.phase == "closed":
            raise Refusal(CLOSED.format(self.state.reason))

    def must_be_dealt(self) -> None:
        """Raise Refusal unless the match is in play."""
        self.must_be("play", "Nothing is dealt yet.")

    def must_not_be_seated(self, otherwise: str) -> None:
        """Raise Refusal at a table of a game night. `otherwise` is what cannot be done there, and what can."""
        if self.is_seated:
            raise Refusal(f"This is a table of a game night. {otherwise}")

    def must_host(self, user: int, action: str) -> None:
        """Raise Refusal unless `user` is the host. `action` is what only the host can do."""
        if not self.state.is_host(user):
            raise Refusal(f"Only the host of this table, <@{self.state.host.user}>, can {action}.")

    async def check_cancelling(self, user: int, *, manages: bool) -> None:
        """Raise Refusal unless `user` may close the table."""
        self.must_be_open()
        if not manages:
            if self.state.phase == "play":
                raise Refusal(
                    "Only people who manage this server or its tables can end a match; `/table leave` leaves it."
                )
            self.must_host(user, "cancel the table")
        elif await self.plays_rated(user):
            raise Refusal(
                "You play in this match, and it is rated, so you can leave it, but not end it: `/table leave`."
                if self.state.seat_of(user) in self.state.people()
                else "You have played in this match, and it is rated, so you cannot end it while others play. They can "
                "leave it, and somebody else who manages this server or its tables can end it."
            )

    async def plays_rated(self, user: int) -> bool:
        """Return whether the match is rated and in play, and `user` has a seat in it, or had one."""
        rated = self.state.phase == "play" and self.state.pool is not None
        return rated and not self.state.held.keys().isdisjoint(await self.ids_of(user))

    async def ids_of(self, user: int) -> set[int]:
        """Return the ids of a person in this match: their own, and the one from before they erased themselves."""
        former = await self.store.former_ids(user)
        return {user, former.get(self.id, user)}

    def check_leaving(self, user: int) -> int:
        """Return the seat that `user` would leave. Raises Refusal when they have none, or have left it."""
        self.must_be_open()
        seat = self.seat(user)
        if seat in self.state.gone:
            raise Refusal("You have left this match already.")
        if self.state.phase == "lobby" and self.is_seated:
            raise Refusal(BEGINS)
        return seat

    def has_free(self, user: int = 0) -> bool:
        """Return whether a seat is neither taken nor kept for others than `user`."""
        return len(self.state.players) + len(self.state.reserved.keys() - {user}) < self.seats().stop - 1

    def check_free(self, user: int = 0) -> None:
        """Raise Refusal when all seats are taken, or kept for others than `user`."""
        if not self.has_free(user):
            if self.state.reserved.keys() - {user}:
                raise Refusal(f"The free seats are kept for {self.kept_for}.")
            if self.state.seat_of(user) is None:
                instead = " You can watch, or open a table of your own."
            else:
                instead = " Remove a computer first." * any(each.strength for each in self.state.players)
            raise Refusal(f"All {self.seats().stop - 1} seats are taken.{instead}")

    def seat(self, user: int) -> Seat:
        """Return the seat of `user`. Raises Refusal when they have none."""
        seat = self.state.seat_of(user)
        if seat is None:
            raise Refusal(self.lost_seat(user) or "You do not sit at this table.")
        return seat

    def lost_seat(self, user: int) -> str:
        """Return where the seat of a watcher is who had one in this match; "" for others, and after the match."""
        seat = self.state.held.get(user)
        if seat is None or self.state.phase != "play":
            return ""
        if seat in self.state.gone:
            return LEFT
        other = f"<@{self.state.players[seat].user}>"
        return (
            f"You are watching: {other} has your seat now. Only {other} can give it back: `/table hand-over`."
        )

    def seats(self) -> range:
        """Return the numbers of players that the game allows."""
        return self.state.game.seats(self.state.options)


def _followed(state: TableState) -> set[int]:
    """Return the people whose hours count at a table: those who sit there, or are offered a seat."""
    return {*(state.players[seat].user for seat in state.people()), *state.offers.values()}


def _people(seats: range) -> str:
    low, high = seats.start, seats.stop - 1
    return f"Exactly {low} people" if low == high else f"{low} to {high} people"
