"""Votes on overdue seats and on the pace. The majority of the people who are playing decides; watchers and players for
whom a computer plays have no vote, and overdue players only one on the pace. `bot.match.log.decided` carries out what
they decide."""

from collections.abc import Sequence
from typing import Final

from bot.match.entries import Propose, Vote
from bot.match.refusal import Refusal
from bot.match.state import Poll
from bot.match.table import Table
from bot.match.times import Pace
from games.types import Seat

ALONE: Final = {
    "end": "Only you are here, so a vote cannot end this rated match. Wait, let a computer play, or leave.",
    "yes": "Only you are here, so the pace of this rated match stays. Propose another one when somebody is back.",
}
"""By choice: refusal of a vote by the only person who is there."""


async def vote(table: Table, user: int, number: int, choice: str, at: int) -> None:
    """Vote in a poll, or change an earlier vote."""
    async with table.changing(at):
        table.must_be_dealt()
        seat = table.seat(user)
        poll = table.state.polls.get(number)
        if poll is None:
            raise Refusal("That vote is over.")
        if seat in poll.seats:
            raise Refusal("The table is waiting for you: press `My hand` and move.")
        _check_voter(seat, table.state.voters(poll))
        if choice not in table.state.choices(poll):
            # The message may show the button of a moment ago.
            raise Refusal(ALONE.get(choice, "That vote is over."))
        if poll.votes.get(seat) == choice:
            raise Refusal("You have voted for that already.")
        await table.commit(at, Vote(seat, user, number, choice))


async def propose(table: Table, user: int, pace: Pace, at: int) -> None:
    """Propose another pace, and vote for it."""
    async with table.changing(at):
        table.must_be_dealt()
        table.must_not_be_seated("Others wait for its end, so its pace stays.")
        seat = table.seat(user)
        _check_voter(seat, table.state.present())
        if pace == table.state.pace:
            raise Refusal(f"The pace is {pace} already.")
        if any(poll.pace == pace for poll in table.state.polls.values()):
            raise Refusal(f"There is a vote on {pace} already.")
        if "yes" not in table.state.choices(Poll(table.state.polled + 1, pace=pace)):
            raise Refusal(ALONE["yes"])
        await table.commit(at, Propose(seat, user, pace))


def _check_voter(seat: Seat, voters: Sequence[Seat]) -> None:
    if seat not in voters:
        raise Refusal(
            "Only people who are playing can vote. Press `I'm back`, or move, to take your seat again."
        )
