"""A table: the only place where a match changes.

Everything happens under the table's lock, in this order: check, apply to a copy, append to the store, and only then
believe the copy. Acknowledged means committed. If an append fails, or whoever waited for it is cancelled, this object
may lag behind the log: it is forgotten, and the next touch loads the table anew.
"""

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.narration import Told, told
from bot.order import Order
from bot.refusal import Refusal
from bot.sitting import Sitting
from bot.store import Entry, Match, Result, Store, StoreFailed

if TYPE_CHECKING:
    from bot.tables import Tables

TABLE = -1
"""The seat under which the store keeps the clock of the table itself."""


class Stale(Refusal):
    """The form that was sent belongs to an earlier decision; the reader wants to see the present one."""

    def __init__(self) -> None:
        super().__init__("The table has moved on since this was opened. This is how it stands now.")


@dataclass(frozen=True, slots=True)
class Times:
    """How long the table waits, in ms: for a move, for a lobby to fill, and before playing for who has left."""

    move: int = 90_000
    lobby: int = 3_600_000
    gone: int = 2_000


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry that has no number yet."""

    kind: str
    seat: int | None = None
    user: int | None = None
    body: str = ""


@dataclass(eq=False)
class Table:
    """One table, open or over. `sitting` is as far as the log is committed; `clocks` holds deadlines by seat in ms."""

    match: Match
    sitting: Sitting
    clocks: dict[int, int]
    house: "Tables"
    spoken: int = 0
    """How many public messages the log has come to, told or not."""
    untold: deque[Told] = field(default_factory=deque)
    """What is committed but not yet posted, oldest first."""

    def __post_init__(self) -> None:
        self.lock = asyncio.Lock()
        self._order = Order()
        self._behind = False
        """Whether this object may lag behind the log, so that it must change nothing any more."""

    @property
    def id(self) -> int:
        """The match's number, as in custom ids."""
        return self.match.id

    @property
    def store(self) -> Store:
        """Where the log is."""
        return self.house.store

    @property
    def is_open(self) -> bool:
        """In the lobby or in play: something can still happen."""
        return self.sitting.phase in ("lobby", "play")

    # The lobby

    async def join(self, user: int, name: str, at: int) -> None:
        """Take the next free seat."""
        async with self.lock:
            self._must_be("lobby", "The match has begun; you can watch it.")
            if self.sitting.seat_of(user) is not None:
                raise Refusal("You already sit at this table.")
            most = self._seats().stop - 1
            if len(self.sitting.players) >= most:
                raise Refusal(f"All {most} seats are taken. You can watch, or open a table of your own.")
            self.house.check_room(user)
            await self._commit(at, Draft("join", user=user, body=name))

    async def start(self, user: int, at: int) -> None:
        """Deal. Only the host may, with as many players as the game takes."""
        async with self.lock:
            self._must_be("lobby", "The match has begun already.")
            self._must_host(user, "start the match")
            sitting, seats = len(self.sitting.players), self._seats()
            if sitting not in seats:
                raise Refusal(f"{_people(seats)} can play this; {sitting} sit here. Wait for more to join.")
            await self._commit(at, Draft("start", user=user))

    async def cancel(self, user: int, at: int, *, manages: bool) -> None:
        """Close the table, uncounted: the host before the match, people who manage the server at any time."""
        async with self.lock:
            self._must_be_open()
            if not manages:
                if self.sitting.phase == "play":
                    raise Refusal(
                        "Only people who manage this server can end a match; `/table leave` leaves it."
                    )
                self._must_host(user, "cancel the table")
            await self._commit(
                at, Draft("close", user=user, body=f"ended by <@{user}>; the match does not count.")
            )

    async def leave(self, user: int, at: int) -> None:
        """Give the seat up: free in the lobby, played by the table during a match. The last to leave closes it."""
        async with self.lock:
            self._must_be_open()
            seat = self._seat(user)
            if seat in self.sitting.gone:
                raise Refusal("You have left this match already.")
            drafts = [Draft("leave", user=user)]
            if len(self.sitting.players) - len(self.sitting.gone) == 1:
                drafts.append(Draft("close", body="everybody has left; the match does not count."))
            await self._commit(at, *drafts)

    async def close(self, reason: str) -> None:
        """Close the table for a reason of the house: its channel is gone, its rules are."""
        async with self.lock:
            if self.is_open:
                await self._commit(self.house.now(), Draft("close", body=reason))

    # The match

    async def move(self, user: int, action: int, at: int, prompt: int | None = None) -> None:
        """Do `action` for `user`. With a `prompt` (see Sitting.prompts) only if that is still the question.

        Raises Refusal, Stale, or the game's Illegal; then nothing has changed.
        """
        if self.sitting.game.real_time:
            await self._order.turn(at)
        async with self.lock:
            self._must_be(
                "play", "The match is over." if self.sitting.phase == "over" else "Nothing is dealt yet."
            )
            seat = self._seat(user)
            if seat in self.sitting.gone:
                raise Refusal("You have left this match; the table plays your seat.")
            if prompt is not None and prompt != self.sitting.prompts[seat]:
                raise Stale
            await self._commit(at, Draft("move", seat, user, self.sitting.game.text(action)))

    async def ring(self, seat: int) -> None:
        """A deadline has come: play for the absent seat, let happen what is due, or close the lobby nobody started."""
        if seat == TABLE and self.sitting.phase == "play":
            await self._order.turn(self.house.now())  # after the clicks that were earlier
        async with self.lock:
            if self.clocks.get(seat, self.house.now() + 1) > self.house.now():
                return  # it was met, or moved, while the bell was on its way
            if seat == TABLE:
                await self._ring_for_all()
                return
            game, state = self.sitting.game, self.sitting.state
            await self._commit(
                self.house.now(), Draft("timeout", seat, body=game.text(game.fallback(state, seat)))
            )

    async def resume(self) -> None:
        """The house was away, and so was everybody: a match in which something is due may be put off or voided."""
        async with self.lock:
            if self.sitting.due() is not None:
                await self._commit(self.house.now(), Draft("resume"))

    async def _ring_for_all(self) -> None:
        if self.sitting.phase == "lobby":
            await self._commit(self.house.now(), Draft("close", body="nobody started it in time."))
        else:
            await self._commit(self.house.now())

    # One step

    async def _commit(self, at: int, *drafts: Draft) -> None:
        if self._behind:  # who waited for the lock meanwhile holds an object that nobody else will find
            raise StoreFailed("This was not kept: the table is read anew from its log. Try again.")
        sitting = self.sitting.copy()
        entries: list[Entry] = []
        words: list[Told] = []
        for entry in _entries(sitting, at, drafts):
            words.append(
                told(sitting, entry, sitting.apply(entry), words[-1].number if words else self.spoken)
            )
            entries.append(entry)
        if not entries:
            return  # what was due has happened already
        clocks = self._clocks(sitting)
        try:
            await self._append(sitting, entries, clocks)
        except BaseException:
            self._behind = True
            self.house.forget(self)
            raise
        self.sitting, self.clocks = sitting, clocks
        self.untold.extend(words)
        self.spoken = words[-1].number
        self.house.changed(self)

    async def _append(self, sitting: Sitting, entries: list[Entry], clocks: dict[int, int]) -> None:
        began = sitting.phase == "play" and self.sitting.phase == "lobby"
        ended = sitting.phase in ("over", "closed")
        await self.store.append(
            self.id,
            entries,
            clocks=clocks,
            phase=sitting.phase if sitting.phase != self.sitting.phase else None,
            started=entries[-1].at if began else None,
            ended=entries[-1].at if ended else None,
            results=self._results(sitting, entries[-1].at) if sitting.phase == "over" else (),
        )

    def _clocks(self, sitting: Sitting) -> dict[int, int]:
        """Deadlines after the step: a new one for each new question, the old one for a question still open."""
        now, times = self.house.now(), self.house.times
        if sitting.phase == "lobby":
            return {TABLE: self.clocks.get(TABLE, now + times.lobby)}
        due = sitting.due()
        waits = {} if due is None else {TABLE: due}
        for seat in sitting.awaited():
            waits[seat] = now + (times.gone if seat in sitting.gone else times.move)
            if seat in self.clocks and sitting.prompts[seat] == self.sitting.prompts[seat]:
                waits[seat] = min(waits[seat], self.clocks[seat])
        return waits

    def _results(self, sitting: Sitting, at: int) -> list[Result]:
        outcome = sitting.game.outcome(sitting.state)
        assert outcome is not None
        rows = zip(sitting.players, outcome.placings, outcome.scores, strict=True)
        return [
            Result(
                match=self.id,
                seat=seat,
                guild=self.match.guild,
                game=self.match.game,
                user=player.user,
                name=player.name,
                placing=placing,
                score=score,
                players=len(sitting.players),
                ended=at,
            )
            for seat, (player, placing, score) in enumerate(rows)
        ]

    # What is asked of who acts

    def _must_be(self, phase: str, otherwise: str) -> None:
        if self.sitting.phase == "closed":
            raise Refusal(f"This table is closed: {self.sitting.reason}")
        if self.sitting.phase != phase:
            raise Refusal(otherwise)

    def _must_be_open(self) -> None:
        if self.sitting.phase == "over":
            raise Refusal("The match is over; its result stands.")
        self._must_be(self.sitting.phase, "")

    def _must_host(self, user: int, deed: str) -> None:
        if user != self.sitting.host.user:
            raise Refusal(f"Only the host of this table, <@{self.sitting.host.user}>, can {deed}.")

    def _seat(self, user: int) -> int:
        seat = self.sitting.seat_of(user)
        if seat is None:
            raise Refusal("You are watching: you do not sit at this table.")
        return seat

    def _seats(self) -> range:
        return self.sitting.game.seats(self.sitting.options)


def _entries(sitting: Sitting, at: int, drafts: Sequence[Draft]) -> Iterator[Entry]:
    """The drafts as entries at `at`, or as late as the last one; before them what has happened by itself until then.

    Each is made when the one before it has been applied. What fell due while the house was away does not happen.
    """
    if not any(draft.kind == "resume" for draft in drafts):
        while (due := sitting.due()) is not None and due <= at:
            yield Entry(sitting.n + 1, "tick", None, None, "", max(due, sitting.at))
    for draft in drafts:
        yield Entry(sitting.n + 1, draft.kind, draft.seat, draft.user, draft.body, max(at, sitting.at))


def _people(seats: range) -> str:
    low, high = seats.start, seats.stop - 1
    return f"Exactly {low} people" if low == high else f"{low} to {high} people"
