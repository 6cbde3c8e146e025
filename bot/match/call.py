"""The call: one small message below the table that mentions the awaited people, and is deleted when they have acted.

Reminders, votes and offers are parts of it. Its text follows from the log.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeAlias, cast

from bot.match.announcements import Link, names, poll_result, task
from bot.match.deadlines import NO_HOURS, TABLE, HoursOf, alone, move_ends
from bot.match.names import own_name, seat_names
from bot.match.state import Poll, TableState
from bot.match.times import Pace, Times, spelled
from bot.match.waking import is_awake, wakes, windows
from bot.store import Hours
from games.phrases import listed, turn_of
from games.types import Seat, with_seats

CHOICES = {"wait": "Wait", "keep": "Computer plays", "end": "End the match", "yes": "Yes", "no": "No"}
"""Labels of the buttons, by choice of a vote."""

SOON = 10_000
"""Ms within which a call is posted: some wait until people have read, or have looked at their hands."""

LONG = 3_600_000
"""Ms from which Discord counts a time down: somebody may read the message hours later."""


NOBODY: Final[Mapping[int, int]] = MappingProxyType({})
Ends: TypeAlias = Mapping[Seat, int | None]
"""By awaited seat: when the time of its person ends, in ms; None where that follows from when they were asked."""


@dataclass(frozen=True, slots=True)
class Part:
    """One reason to call people, or one line to read."""

    n: int
    """Number of the entry that made it necessary, among those that somebody is told of; 0 when it is only to be read
    and calls nobody."""
    text: str
    users: tuple[int, ...] = ()
    """The people whom it mentions."""
    urgent: bool = False
    """True when it also calls people who only want reminders."""
    links: tuple[Link, ...] = ()
    due: int = 0
    """The earliest time to post it, in ms."""
    later: int = 0
    """The earliest time to post it in ms while all its people look at their open hands: these have just changed."""
    to_move: bool = False
    """True when it asks for a move, to be made from the hand."""
    calls: tuple[int, ...] = ()
    """Those of its people whom a message mentions that is posted now."""
    asleep: Mapping[int, int] = field(default_factory=dict)
    """By one of its people who is not called yet, and sleeps or is away: the time in ms at which they wake."""

    @property
    def is_to_show(self) -> bool:
        """True when it is shown: not while all its people sleep, unless others may read or press it."""
        return not self.users or self.urgent or bool(self.links or {*self.users} - self.asleep.keys())


@dataclass(frozen=True, slots=True)
class Call:
    """The whole message. When `number` grows, it is deleted and posted again: an edit notifies nobody."""

    parts: tuple[Part, ...]
    hours: HoursOf = field(default_factory=dict)
    """The hours of its people; none at a live table, which calls at any time."""
    asleep: Mapping[int, int] = field(default_factory=dict)
    """By person whom it does not call yet, as they sleep or are away: the time in ms at which they wake."""
    digested: frozenset[int] = frozenset()
    """The people whose turn it is who read that in one message a day. If they get none any more, they are called."""

    def at(self, now: int, known: int = 0, slept: Collection[int] = ()) -> "Call":
        """Return it as it is at a time in ms, however late that is. The message before it had the number `known`, and
        did not call those of its people who `slept`."""
        parts = []
        for part in self.parts:
            # A vote was told also to people who read of their turn in one message a day.
            users = [
                user for user in part.users if part.n > known or (user in slept and user not in self.digested)
            ]
            asleep = sleepers(users, now, self.hours)
            calls = tuple(user for user in users if user not in asleep)
            parts.append(replace(part, calls=calls, asleep=asleep))
        missing = {user: wakes for part in parts for user, wakes in part.asleep.items()}
        return Call(tuple(part for part in parts if part.is_to_show), self.hours, missing, self.digested)

    @property
    def wakes(self) -> int:
        """The next time in ms at which somebody wakes whom it does not call yet; 0 when nobody does."""
        return min(self.asleep.values(), default=0)

    @property
    def calls(self) -> list[int]:
        """The people whom a message mentions that is posted now."""
        return [user for part in self.parts for user in part.calls]

    @property
    def number(self) -> int:
        """Number of the newest log entry that calls somebody, 0 when none does."""
        return max((part.n for part in self.parts), default=0)

    @property
    def text(self) -> str:
        return "\n".join(part.text for part in self.parts)

    @property
    def stays(self) -> bool:
        """True when it must be posted even if it notifies nobody."""
        # Everybody may read or press it.
        return any(part.links or part.urgent for part in self.parts)

    @property
    def newest(self) -> tuple[Part, ...]:
        """The parts that made a new message necessary; the others were posted before."""
        return tuple(part for part in self.parts if part.n == self.number)

    @property
    def due(self) -> int:
        """The earliest time to post it, in ms."""
        return max((part.due for part in self.newest), default=0)

    @property
    def later(self) -> int:
        """The earliest time to post it in ms while all its people look at their open hands."""
        return max([self.due, *(part.later for part in self.newest)])


def call(
    state: TableState, times: Times, hours: HoursOf = NO_HOURS, deadlines: Mapping[int, int] = NOBODY
) -> Call:
    """Return the call of a table. It has no parts when nobody is awaited. The time of people with hours ends by their
    `deadlines`."""
    if state.phase != "play":
        return Call(())
    rest = {} if state.pace == "live" else hours
    ends = {seat: move_ends(state, seat, deadlines, times, rest) for seat in state.awaited()}
    outcome = poll_result(state, times)
    ended = [Part(0, outcome)] if outcome else []
    asked = [*_reminded(state, ends), *_polls(state, times, ends, deadlines), *_offers(state)]
    waiting = (state.players[seat].user for seat in state.called if state.stage(seat) == "turn")
    digested = frozenset(user for user in waiting if has_digest(state, rest.get(user)))
    return Call((*ended, *_turns(state, times, rest, ends), *asked), rest, digested=digested)


def timeless(text: str) -> str:
    """Return the text of a call without the times that follow from deadlines, which an outage moves."""
    return re.sub(r"<t:\d+:R>|((?<=takes over )|(?<=take over )|(?<=closes ))in \d+ \w+", "<t>", text)


def bits(state: TableState) -> dict[int, int]:
    """Return the bit by which the row of a call knows each person: those who sit there, or are offered a seat."""
    offered = {user: 1 << 16 + seat for seat, user in state.offers.items()}
    return offered | {player.user: 1 << seat for seat, player in with_seats(state.players)}


def sleepers(users: Iterable[int], at: int, hours: HoursOf) -> dict[int, int]:
    """Return when people wake who sleep at a time, or are away, by person."""
    waking = {user: _callable_at(hours.get(user), at) for user in users}
    return {user: woken for user, woken in waking.items() if woken > at}


def _callable_at(person: Hours | None, at: int) -> int:
    """Return when somebody may be called who is asked at a time: then or, if they sleep or are about to, when they
    wake."""
    at = wakes(person, at)
    return at if is_awake(person, at + SOON) else wakes(person, at + SOON)


def whereabouts(state: TableState, hours: HoursOf) -> list[str]:
    """Return a line for each awaited person who slept, or was away, when they were asked: when they answer."""
    if state.pace == "live":
        return []
    lines = []
    for seat, (_, at) in sorted(state.called.items()):
        if said := absence(names(state)[seat], hours.get(state.players[seat].user), at):
            lines.append(f"-# 🌙 {said}")
    return lines


def absence(name: str, person: Hours | None, at: int) -> str:
    """Return when somebody answers who sleeps, or is away, at a time in ms; "" for others."""
    woken = _callable_at(person, at)
    return f"{name} {_answers(person, at, woken)}" if person is not None and woken > at else ""


def _answers(person: Hours, at: int, woken: int) -> str:
    if person.away_until > at:
        # With its time: where it is read, another day may be on.
        return f"is away until <t:{woken // 1000}:f>."
    begin, end = next(windows(person, woken))
    return f"answers usually between <t:{begin // 1000}:t> and <t:{end // 1000}:t>."


def _mentions(users: tuple[int, ...]) -> str:
    return listed(f"<@{user}>" for user in users)


def _turns(state: TableState, times: Times, hours: HoursOf, ends: Ends) -> Iterator[Part]:
    """Yield the part for people whose turn it is, except those who are reminded or overdue. At a table that is not
    live, where some may sleep, yield one for each time at which somebody was asked."""
    if sum(player.user != 0 for player in state.players) == 1:
        return  # nobody else has played here, and computers answer within seconds
    waiting = {seat: asked for seat, asked in state.called.items() if state.stage(seat) == "turn"}
    for asked in sorted({*waiting.values()}):
        if state.pace != "live" or asked == max(waiting.values()):
            yield _turn_of(state, times, [seat for seat in waiting if waiting[seat] == asked], hours, ends)


def _turn_of(state: TableState, times: Times, seats: Sequence[Seat], hours: HoursOf, ends: Ends) -> Part:
    """Return the part for people who were asked by the same entry."""
    n, at = state.called[seats[0]]
    users = tuple(state.players[seat].user for seat in seats)
    text = _turn(state, users)
    if times.move(state.pace) >= LONG and not alone(state):
        since = max(at, min(state.since.get(seat, 0) for seat in seats))
        text += f" · time ends {_ends(since, times.move(state.pace), seats, ends)}"
    looking = all(at - state.moved.get(user, -times.lately) < times.lately for user in users)
    due = max(at + times.grace if looking else 0, state.read_until(times))
    called = tuple(user for user in users if not has_digest(state, hours.get(user)))
    return Part(n, text, called, due=due, later=at + 2 * times.grace, to_move=True)


def may_be_called(state: TableState, users: Sequence[int], now: int, hours: HoursOf) -> list[int]:
    """Return those of some people who are awake, and get no message a day in place of calls, if the table is not
    live."""
    if state.pace == "live":
        return [*users]
    asleep = sleepers(users, now, hours)
    return [user for user in users if user not in asleep and not has_digest(state, hours.get(user))]


def has_digest(state: TableState, person: Hours | None) -> bool:
    """Return whether a person gets one message a day in place of the calls to their turns here."""
    return state.pace == "correspondence" and person is not None and person.digest is not None


def _turn(state: TableState, users: tuple[int, ...]) -> str:
    return turn_of([f"<@{user}>" for user in users], task(state))


def _reminded(state: TableState, ends: Ends) -> Iterator[Part]:
    for reminder in state.reminders:
        late = [seat for seat in reminder.seats if state.stage(seat) == "reminded"]
        seats = [seat for seat in late if seat in state.awaited()]
        if not seats:
            continue
        users = tuple(state.players[seat].user for seat in seats)
        told, left = [end for seat in seats if (end := ends.get(seat))], f"{spelled(reminder.left)} left"
        if told or reminder is not state.reminder:  # of an older one some has passed
            left = f"time ends <t:{min(told, default=reminder.at + reminder.left) // 1000}:R>"
        # None runs any more for whoever is alone with computers now.
        text = f"⏰ {_turn(state, users)}" + f" · {left}" * (not alone(state))
        yield Part(reminder.n, text, users, urgent=True, to_move=True)


def _ends(at: int, left: int, seats: Iterable[Seat] = (), ends: Ends = MappingProxyType({})) -> str:
    """Return "in 30 seconds", or a time that Discord counts down; `left` is in ms from `at` on. If there are `ends` of
    these people, it is the first one."""
    own = [end for seat in seats if (end := ends.get(seat)) is not None]
    if not own:
        return f"in {spelled(left)}" if left < LONG else f"<t:{(at + left) // 1000}:R>"
    return f"<t:{min([*own, *[at + left] * (len(own) < len([*seats]))]) // 1000}:R>"


def _polls(state: TableState, times: Times, ends: Ends, deadlines: Mapping[int, int]) -> Iterator[Part]:
    for poll in state.polls.values():
        users = tuple(state.players[seat].user for seat in poll.seats)
        if poll.pace:
            yield Part(poll.n, _proposal(state, poll, times), links=_ballot(state, poll))
        elif not state.present():
            end = _ends(*_vote_time(state, poll, times, deadlines))
            text = f"⏳ {_times_up(users)} Nobody else is here: the table closes {end}."
            yield Part(poll.n, text, users, urgent=True, to_move=True)
        else:
            voters = state.voters(poll)
            # At a live table they are looking: named, not called.
            called = () if state.pace == "live" else tuple(state.players[seat].user for seat in voters)
            asked = _mentions(called) if called else listed(names(state)[seat] for seat in voters)
            end = _ends(*_vote_time(state, poll, times, deadlines), poll.seats, ends)
            question = _question(state, poll, users, asked, end)
            yield Part(poll.n, question, (*users, *called), urgent=True, links=_ballot(state, poll))


def _vote_time(state: TableState, poll: Poll, times: Times, deadlines: Mapping[int, int]) -> tuple[int, int]:
    """Return the beginning of a vote on seats and its length, in ms. Its end moves when the last one goes, or the first
    one comes back."""
    due = [deadlines[each] for each in (poll.seats if state.present() else [TABLE]) if each in deadlines]
    # A little later is usual: people read how a round ended.
    if not due or abs(min(due) - poll.at - poll.left) <= times.reading[1] + 1_000:
        return poll.at, poll.left
    return min(due) - LONG, LONG


def _times_up(users: tuple[int, ...]) -> str:
    return f"{_mentions(users)}, time's up."


def _question(state: TableState, poll: Poll, users: tuple[int, ...], asked: str, end: str) -> str:
    takes = "a computer takes" if len(users) == 1 else "computers take"
    ends_it = "end" in state.choices(poll)
    ask = "wait, let a computer play, or end the match?" if ends_it else "wait, or let a computer play?"
    late = listed(names(state)[seat] for seat in poll.seats)
    rule = f"Majority decides. Without one, {takes} over {end}; until then {late} can still move."
    return "\n".join([f"⏳ {_times_up(users)} {asked}: {ask}", f"-# {rule}", *_counts(state, poll)])


def _proposal(state: TableState, poll: Poll, times: Times) -> str:
    seat = next(iter(poll.votes))  # the first vote is the proposer's
    pace = f"{poll.pace} pace ({times.in_words(cast(Pace, poll.pace))})"
    has_gone = poll.proposer and state.players[seat].user != poll.proposer.user
    who = own_name(poll.proposer.name) if poll.proposer and has_gone else seat_names(state.players)[seat]
    ask = f"🗳️ {who} proposes the {pace}. Majority decides."
    return "\n".join([ask, *_counts(state, poll)])


def _counts(state: TableState, poll: Poll) -> Iterator[str]:
    """Yield the votes so far: "Computer plays: 1 of 2"."""
    voters = state.voters(poll)
    votes = [vote for seat, vote in poll.votes.items() if seat in voters]
    counted = [
        f"{_label(poll, choice)}: {votes.count(choice)} of {len(voters)}"
        for choice in state.choices(poll)
        if choice in votes
    ]
    if counted:
        yield " · ".join(counted)


def _ballot(state: TableState, poll: Poll) -> tuple[Link, ...]:
    return tuple((_label(poll, choice), "vote", f"{poll.number}:{choice}") for choice in state.choices(poll))


def _label(poll: Poll, choice: str) -> str:
    """Return "End the match", or "Yes to relaxed"."""
    # Several paces can be proposed at once.
    return f"{CHOICES[choice]} to {poll.pace}" if poll.pace else CHOICES[choice]


def _offers(state: TableState) -> Iterator[Part]:
    for seat, user in state.offers.items():
        # They were erased, or have another seat by now: then they can never accept it.
        if user < 0 or state.held.get(user, seat) != seat:
            continue
        text = f"🤝 <@{user}>, {seat_names(state.players)[seat]} offers you their seat, with its hand and its score."
        links = (("Accept", "accept", str(seat)), ("Decline", "decline", str(seat)))
        yield Part(state.offered[seat], text, (user,), urgent=True, links=links)
