"""Votes: on overdue seats, and on the pace. The majority of the people who are playing decides; watchers, overdue
players and players whose seat a computer keeps have no vote."""

from dataclasses import replace

from bot.draft import Draft
from bot.refusal import Refusal
from bot.sitting import Pace, Poll
from bot.table import Table


async def vote(table: Table, user: int, number: int, choice: str, at: int) -> None:
    """Vote in a poll, or vote otherwise than before."""
    async with table.changing(at):
        table.must_be_dealt()
        seat = table.seat(user)
        poll = table.sitting.polls.get(number)
        if poll is None or choice not in poll.choices:
            raise Refusal("That vote is over.")
        if seat in poll.seats:
            raise Refusal("The table is waiting for you: press `My hand` and move.")
        _check_present(table, seat)
        if poll.votes.get(seat) == choice:
            raise Refusal("You have voted for that already.")
        counted = replace(poll, votes={**poll.votes, seat: choice})
        await table.commit(at, Draft("vote", seat, user, f"{number} {choice}"), *_follows(table, counted))


async def propose(table: Table, user: int, pace: Pace, at: int) -> None:
    """Propose another pace, and vote for it."""
    async with table.changing(at):
        table.must_be_dealt()
        seat = table.seat(user)
        _check_present(table, seat)
        if pace == table.sitting.pace:
            raise Refusal(f"The pace is {pace} already.")
        if any(poll.pace == pace for poll in table.sitting.polls.values()):
            raise Refusal(f"There is a vote on {pace} already.")
        poll = Poll(table.sitting.polled + 1, pace=pace, votes={seat: "yes"})
        await table.commit(at, Draft("propose", seat, user, pace), *_follows(table, poll))


def _check_present(table: Table, seat: int) -> None:
    if seat not in table.sitting.present():
        raise Refusal(
            "Only people who are playing can vote. Press `I'm back`, or move, to take your seat again."
        )


def _follows(table: Table, poll: Poll) -> list[Draft]:
    """What a vote decides, if anything."""
    seats = " ".join(map(str, poll.seats))
    match table.sitting.verdict(poll):
        case "wait":
            return [Draft("wait", body=seats)]
        case "keep":
            return [Draft("caretaker", body=seats)]
        case "end":
            return [Draft("close", body="the table voted to end it; the match does not count.")]
        case "yes":
            return [Draft("pace", body=poll.pace)]
        case "no":
            return [Draft("pace", body=table.sitting.pace)]
    return []
