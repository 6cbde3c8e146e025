"""A day a move against `/hours`, tables by hours, and deciding ahead: 1,000 people in 24 zones for 60 days.

Tables, deadlines and calls are the bot's own code, without Discord; only people are made up. Each has an evening of
four to eight hours in which they play, each day with a probability of 0.9, and looks once then at all tables that
wait. A call in their evening they answer after a quarter of an hour (median). One outside it disturbs them, and waits
for their look of the day. `--mute 0.5`: half of the people want no calls but reminders, as whoever was woken by one
does; with hours nobody is woken, so nobody mutes. Tables by hours: people who look for a table are called to that of
a host in the order of the bot, and the first ones come. Ahead: who has looked at a table decides their next move
there once in three times, by lot. What is measured: days from the first deal to the end, calls outside the hours of
their person, and seats that were left to computers because time was up.

    python -m research.waking_hours
    python -m research.waking_hours --mute 0.5
"""

import argparse
import heapq
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from statistics import median

from bot.match.ahead import may_decide
from bot.match.call import call
from bot.match.deadlines import next_deadlines, on_deadline
from bot.match.entries import Ahead, Back, Join, Move, SetPace, Start
from bot.match.state import LogEntry, Logged, TableState
from bot.match.times import Times
from bot.match.waking import DAY, HOUR, hour_of, is_awake, local, shared, wakes
from bot.store import Hours
from cogs.seeking.summoning import MOST_ASKED
from games import GAMES
from games.strategies import choose
from games.types import Seat

TIMES = Times()
START = 1_790_000_000_000
SEATS = 4
PRESENT = 0.9
AHEAD = 1 / 3
MINUTE = 60_000
ZONES = (
    *(
        "Pacific/Auckland",
        "Pacific/Noumea",
        "Australia/Sydney",
        "Asia/Tokyo",
        "Asia/Shanghai",
        "Asia/Bangkok",
    ),
    *(
        "Asia/Dhaka",
        "Asia/Kolkata",
        "Asia/Karachi",
        "Asia/Dubai",
        "Asia/Tehran",
        "Europe/Moscow",
        "Europe/Athens",
    ),
    *(
        "Europe/Berlin",
        "Europe/London",
        "Atlantic/Azores",
        "America/Nuuk",
        "America/Sao_Paulo",
        "America/Halifax",
    ),
    *("America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "Pacific/Honolulu"),
)


@dataclass
class Someone:
    user: int
    hours: Hours
    mutes: bool
    tables: set[int] = field(default_factory=set)


@dataclass
class Sitting:
    state: TableState
    hours: dict[int, Hours]
    people: list[int]
    deadlines: dict[int, int] = field(default_factory=dict)
    known: int = 0
    slept: list[int] = field(default_factory=list)
    began: int = 0
    moves: int = 0


class World:
    """One world; people, deals and their habits are the same in all."""

    def __init__(
        self,
        args: argparse.Namespace,
        *,
        with_hours: bool = False,
        by_hours: bool = False,
        ahead: bool = False,
    ) -> None:
        self.args, self.with_hours, self.by_hours, self.ahead = args, with_hours, by_hours, ahead
        self.rng = Random(f"people {args.seed}")
        self.people = {user: self._someone(user) for user in range(1, args.people + 1)}
        self.rng, self.lots = Random(f"life {args.seed}"), Random(f"ahead {args.seed}")
        self.tables: dict[int, Sitting] = {}
        self.events: list[tuple[int, int, str, int, int]] = []
        self.counts: Counter[str] = Counter()
        self.days: list[float] = []
        self.number = 0
        self.end = START + args.days * DAY

    def _someone(self, user: int) -> Someone:
        begins = self.rng.choice((15, 16, 17, 17, 18, 18, 19, 20))
        ends = (begins + self.rng.randrange(4, 9)) % 24
        hours = Hours(ZONES[user % len(ZONES)], begins, ends)
        return Someone(user, hours, self.rng.random() < self.args.mute)

    def run(self) -> None:
        looking = [*self.people.values()]
        Random(f"groups {self.args.seed}").shuffle(looking)
        while len(looking) >= SEATS:
            self.open(START, [each.user for each in self.group(looking)])
        for someone in self.people.values():
            self.plan_look(someone, START)
        while self.events and self.events[0][0] < self.end:
            at, _, kind, one, other = heapq.heappop(self.events)
            getattr(self, f"on_{kind}")(at, one, other)

    def group(self, looking: list[Someone]) -> list[Someone]:
        """Take the people of the next table out of those who look for one."""
        host, asked = looking.pop(), looking[-MOST_ASKED:]
        if self.by_hours:
            at = wakes(host.hours, START)
            asked.sort(key=lambda each: shared(each.hours, host.hours, at))
        others = asked[-(SEATS - 1) :]
        looking[:] = [each for each in looking if each not in others]
        return [host, *others]

    def plan(self, at: int, kind: str, one: int, other: int = 0) -> None:
        self.number += 1
        heapq.heappush(self.events, (at, self.number, kind, one, other))

    def plan_look(self, someone: Someone, after: int) -> None:
        """Plan the look of the next evening, at a time that is drawn by lot."""
        hours = someone.hours
        day = local(hours, after).date()
        for ahead in range(4):
            begin = hour_of(hours, day, hours.begins or 0) + ahead * DAY
            at = begin + self.rng.randrange((((hours.ends or 0) - (hours.begins or 0)) % 24) * HOUR)
            if at > after:
                self.plan(at, "look", someone.user)
                return

    # Tables

    def open(self, at: int, users: list[int]) -> None:
        game = GAMES[self.args.game]
        number = self.counts["opened"] + 1
        state = TableState(game, game.Options(), f"{self.args.seed} {users} {at // DAY}")
        hours = {user: self.people[user].hours for user in users} if self.with_hours else {}
        table = self.tables[number] = Sitting(state, hours, users, began=at)
        self.counts["opened"] += 1
        for user in users:
            self.people[user].tables.add(number)
        entries: list[LogEntry] = [Join(user, f"P{user}", 0) for user in users]
        self.keep(number, at, *entries, SetPace("correspondence"))
        self.keep(number, at, Start.by(users[0], table.state))

    def keep(self, number: int, at: int, *entries: LogEntry) -> None:
        """Apply entries, set the deadlines that follow, let computers move, and call people."""
        table = self.tables[number]
        for entry in entries:
            before = table.state.copy()
            table.state.apply(Logged(table.state.n + 1, at, entry))
            table.deadlines = next_deadlines(table.state, before, table.deadlines, at, TIMES, table.hours)
        if table.state.phase in ("over", "closed"):
            self.finish(number, at)
            return
        for seat, due in table.deadlines.items():
            self.plan(due, "due", number, seat)
        self.call(number, at)

    def finish(self, number: int, at: int) -> None:
        table = self.tables.pop(number)
        self.counts["moves"] += table.moves
        if table.state.phase == "over":
            self.counts["over"] += 1
            self.note(table, at)
        for user in table.people:
            self.people[user].tables.discard(number)
        self.open(at + 10 * MINUTE, table.people)

    def note(self, table: Sitting, at: int) -> None:
        """Note how long a match has lasted at least, if it began in the first half: later ones have no time to be long."""
        if table.began < (START + self.end) // 2:
            self.days.append((at - table.began) / DAY)

    def call(self, number: int, at: int) -> None:
        """Mention people as `bot.messages.calls` does."""
        table = self.tables[number]
        now = call(table.state, TIMES, table.hours, table.deadlines).at(at, table.known, table.slept)
        if now.wakes:
            self.plan(now.wakes, "wake", number)
        is_new = now.number > table.known
        if now.due > at and is_new:
            self.plan(now.due, "wake", number)
            return
        if is_new or now.calls:
            for part in now.parts:
                for user in part.calls:
                    self.mention(at, number, self.people[user], part.urgent)
            table.known, table.slept = max(table.known, now.number), [*now.asleep]

    def mention(self, at: int, number: int, someone: Someone, urgent: bool) -> None:
        if someone.mutes and not self.with_hours and not urgent:
            return
        self.counts["calls"] += 1
        if is_awake(someone.hours, at):
            self.plan(at + int(self.rng.lognormvariate(0, 1) * 15 * MINUTE), "answer", someone.user, number)
        else:
            self.counts["calls outside hours"] += 1

    # Events

    def on_due(self, at: int, number: int, seat: int) -> None:
        table = self.tables.get(number)
        if table is None or table.deadlines.get(seat) != at:
            return
        if seat >= 0 and table.state.strength_at(Seat(seat)):
            self.keep(number, at, self._move(table, Seat(seat)))
            return
        entries = on_deadline(table.state, table.deadlines, seat, at, TIMES)
        self.counts["left to computers"] += sum(each.kind == "caretaker" for each in entries)
        self.keep(number, at, *entries)

    def on_wake(self, at: int, number: int, _: int) -> None:
        if number in self.tables:
            self.call(number, at)

    def on_answer(self, at: int, user: int, number: int) -> None:
        """Answer a call: whoever opens one table plays at all that wait."""
        if is_awake(self.people[user].hours, at):
            self.play(at, user)

    def on_look(self, at: int, user: int, _: int) -> None:
        if self.rng.random() < PRESENT:
            self.play(at, user)
        self.plan_look(self.people[user], at)

    def play(self, at: int, user: int) -> None:
        for number in sorted(self.people[user].tables):
            table = self.tables[number]
            seat = table.state.seat_of(user)
            assert seat is not None
            if seat in table.state.away:
                self.keep(number, at, Back(seat, user))
            # A turn may have several moves.
            while number in self.tables and seat in table.state.awaited():
                self.keep(number, at, self._move(table, seat, user))
            if self.ahead and number in self.tables:
                self.decide_ahead(at, number, seat, user)

    def decide_ahead(self, at: int, number: int, seat: Seat, user: int) -> None:
        state = self.tables[number].state
        actions = [] if seat in state.ahead else may_decide(state, seat)
        if actions and self.lots.random() < AHEAD:
            self.keep(number, at, Ahead(seat, user, state.game.text(self.lots.choice(actions))))

    def _move(self, table: Sitting, seat: Seat, user: int | None = None) -> Move:
        state = table.state
        table.moves += 1
        view = state.game.view(state.game_state, seat)
        return Move.of(state.game, seat, choose(state.game, view, "casual", f"{state.seed} {state.n}"), user)


def worlds(args: argparse.Namespace) -> Iterator[tuple[str, World]]:
    yield "a day a move", World(args)
    yield "with hours", World(args, with_hours=True)
    yield "tables by hours, too", World(args, with_hours=True, by_hours=True)
    yield "deciding ahead, too", World(args, with_hours=True, by_hours=True, ahead=True)


def lines(args: argparse.Namespace) -> Iterator[str]:
    yield "| | matches over | median days | 90 % within | calls a person and day | outside their hours | left to computers |"
    yield "|---|---|---|---|---|---|---|"
    for name, world in worlds(args):
        world.run()
        for table in world.tables.values():
            world.note(table, world.end)
        days = sorted(world.days)
        calls = world.counts["calls"] / args.people / args.days
        yield (
            f"| {name} | {world.counts['over']} | {median(days):.1f} | {days[len(days) * 9 // 10]:.1f} | {calls:.2f} "
            f"| {world.counts['calls outside hours']} | {world.counts['left to computers']} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=1_000)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--game", default="palmer")
    parser.add_argument(
        "--mute", type=float, default=0.0, help="part of the people who mute calls without hours"
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for line in lines(args):
        print(line, flush=True)


if __name__ == "__main__":
    main()
