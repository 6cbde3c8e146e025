"""The call: one small message below the table that mentions the awaited people, and is deleted when they have acted.

Reminders, votes and offers are parts of it. Its text follows from the log.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from bot.match.announcements import Link, names, poll_result, task
from bot.match.state import Poll, TableState
from bot.match.times import Pace, Times, spelled
from games.phrases import listed, turn_of

CHOICES = {"wait": "Wait", "keep": "Computer plays", "end": "End the match", "yes": "Yes", "no": "No"}
"""Labels of the buttons, by choice of a vote."""

LONG = 3_600_000
"""Ms from which Discord counts a time down: somebody may read the message hours later."""


@dataclass(frozen=True, slots=True)
class Part:
    """One reason to call people, or one line to read."""

    n: int
    """Number of the log entry that made it necessary; 0 when it is only to be read and calls nobody."""
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


@dataclass(frozen=True, slots=True)
class Call:
    """The whole message. When `number` grows, it is deleted and posted again: an edit notifies nobody."""

    parts: tuple[Part, ...]

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


def call(state: TableState, times: Times) -> Call:
    """Return the call of a table. It has no parts when nobody is awaited."""
    if state.phase != "play":
        return Call(())
    outcome = poll_result(state, times)
    ended = [Part(0, outcome)] if outcome else []
    asked = [*_reminded(state), *_polls(state, times), *_offers(state)]
    return Call((*ended, *_turns(state, times), *asked))


def _mentions(users: tuple[int, ...]) -> str:
    return listed(f"<@{user}>" for user in users)


def _turns(state: TableState, times: Times) -> Iterator[Part]:
    """Yield the part for people whose turn it is, except those who are reminded or overdue."""
    if sum(player.user != 0 for player in state.players) == 1:
        return  # nobody else has played here, and computers answer within seconds
    waiting = {seat: asked for seat, asked in state.called.items() if state.stage(seat) == "turn"}
    if not waiting:
        return
    n, at = max(waiting.values())
    users = tuple(state.players[seat].user for seat, asked in waiting.items() if asked == (n, at))
    text = _turn(state, users)
    if times.move(state.pace) >= LONG:
        text += f" · time ends {_ends(at, times.move(state.pace))}"
    looking = all(at - state.moved.get(user, -times.lately) < times.lately for user in users)
    due = max(at + times.grace if looking else 0, state.read_until(times))
    yield Part(n, text, users, due=due, later=at + 2 * times.grace, to_move=True)


def _turn(state: TableState, users: tuple[int, ...]) -> str:
    return turn_of([f"<@{user}>" for user in users], task(state))


def _reminded(state: TableState) -> Iterator[Part]:
    reminder = state.reminder
    seats = [seat for seat in reminder.seats if state.stage(seat) == "reminded"] if reminder else []
    seats = [seat for seat in seats if seat in state.awaited()]
    if reminder and seats:
        users = tuple(state.players[seat].user for seat in seats)
        left = f"time ends {_ends(reminder.at, reminder.left)}"
        if reminder.left < LONG:
            left = f"{spelled(reminder.left)} left"
        text = f"⏰ {_turn(state, users)} · {left}"
        yield Part(reminder.n, text, users, urgent=True, to_move=True)


def _ends(at: int, left: int) -> str:
    """Return "in 30 seconds", or a time that Discord counts down; `left` is in ms from `at` on."""
    return f"in {spelled(left)}" if left < LONG else f"<t:{(at + left) // 1000}:R>"


def _polls(state: TableState, times: Times) -> Iterator[Part]:
    for poll in state.polls.values():
        users = tuple(state.players[seat].user for seat in poll.seats)
        if poll.pace:
            yield Part(poll.n, _proposal(state, poll, times), links=_ballot(state, poll))
        elif not state.present():
            text = f"⏳ {_times_up(users)} Nobody else is here: the table closes {_ends(poll.at, poll.left)}."
            yield Part(poll.n, text, users, urgent=True)
        else:
            voters = _voters(state, poll)
            question = _question(state, poll, users, voters)
            yield Part(poll.n, question, (*users, *voters), urgent=True, links=_ballot(state, poll))


def _voters(state: TableState, poll: Poll) -> tuple[int, ...]:
    """Return the people who are asked to vote, as far as a call is needed."""
    # They are looking.
    if state.pace == "live":
        return ()
    return tuple(state.players[seat].user for seat in state.present() if seat not in poll.seats)


def _times_up(users: tuple[int, ...]) -> str:
    return f"{_mentions(users)}, time's up."


def _question(state: TableState, poll: Poll, users: tuple[int, ...], voters: tuple[int, ...]) -> str:
    takes = "a computer takes" if len(users) == 1 else "computers take"
    ends_it = "end" in state.choices(poll)
    ask = "wait, let a computer play, or end the match?" if ends_it else "wait, or let a computer play?"
    ask = f"{_mentions(voters)}: {ask}" if voters else ask.capitalize()
    late = listed(names(state)[seat] for seat in poll.seats)
    ends = _ends(poll.at, poll.left)
    rule = f"Majority decides. Without one, {takes} over {ends}; until then {late} can still move."
    return "\n".join([f"⏳ {_times_up(users)} {ask}", f"-# {rule}", *_counts(state, poll)])


def _proposal(state: TableState, poll: Poll, times: Times) -> str:
    seat = next(iter(poll.votes))  # the first vote is the proposer's
    pace = f"{poll.pace} pace ({spelled(times.move(cast(Pace, poll.pace)))} a move)"
    ask = f"🗳️ {names(state)[seat]} proposes the {pace}. Majority decides."
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
        if user < 0:
            continue  # they were erased
        text = f"🤝 <@{user}>, {names(state)[seat]} offers you their seat, with its hand and its score."
        links = (("Accept", "accept", str(seat)), ("Decline", "decline", str(seat)))
        yield Part(state.offered[seat], text, (user,), urgent=True, links=links)
