"""Votes: on overdue seats, and on the pace. The majority of the people who are playing decides; watchers, overdue
players and players whose seat a computer keeps have no vote."""

from dataclasses import replace

from bot.match.new_entry import NewEntry
from bot.match.refusal import Refusal
from bot.match.state import Pace, Poll
from bot.match.table import Table


async def vote(table: Table, user: int, number: int, choice: str, at: int) -> None:
    """Vote in a poll, or vote otherwise than before."""
    async with table.changing(at):
        table.must_be_dealt()
        seat = table.seat(user)
        poll = table.state.polls.get(number)
        if poll is None or choice not in poll.choices:
            raise Refusal("That vote is over.")
        if seat in poll.seats:
            raise Refusal("The table is waiting for you: press `My hand` and move.")
        _check_present(table, seat)
        if poll.votes.get(seat) == choice:
            raise Refusal("You have voted for that already.")
        counted = replace(poll, votes={**poll.votes, seat: choice})
        await table.commit(at, NewEntry("vote", seat, user, f"{number} {choice}"), *_follows(table, counted))


async def propose(table: Table, user: int, pace: Pace, at: int) -> None:
    """Propose another pace, and vote for it."""
    async with table.changing(at):
        table.must_be_dealt()
        seat = table.seat(user)
        _check_present(table, seat)
        if pace == table.state.pace:
            raise Refusal(f"The pace is {pace} already.")
        if any(poll.pace == pace for poll in table.state.polls.values()):
            raise Refusal(f"There is a vote on {pace} already.")
        poll = Poll(table.state.polled + 1, pace=pace, votes={seat: "yes"})
        await table.commit(at, NewEntry("propose", seat, user, pace), *_follows(table, poll))


def _check_present(table: Table, seat: int) -> None:
    if seat not in table.state.present():
        raise Refusal(
            "Only people who are playing can vote. Press `I'm back`, or move, to take your seat again."
        )


def _follows(table: Table, poll: Poll) -> list[NewEntry]:
    """What a vote decides, if anything."""
    seats = " ".join(map(str, poll.seats))
    match table.state.verdict(poll):
        case "wait":
            return [NewEntry("wait", body=seats)]
        case "keep":
            return [NewEntry("caretaker", body=seats)]
        case "end":
            return [NewEntry("close", body="the table voted to end it; the match does not count.")]
        case "yes":
            return [NewEntry("pace", body=poll.pace)]
        case "no":
            return [NewEntry("pace", body=table.state.pace)]
    return []
