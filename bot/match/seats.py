"""Actions about seats, except joining and leaving: computers in the lobby, players who come back, and seats that go to
other people. Nobody ever holds two seats of a match, so nobody sees two of its hands."""

from bot.match.entries import Back, Computer, Decline, DeclineKept, Dismiss, Give, Offer, Take
from bot.match.refusal import Refusal
from bot.match.state import TableState
from bot.match.table import RETURNED, Table
from games.advice import Strength
from games.letters import ROBOT
from games.types import Seat, with_seats

NAMES = ("Fern", "Moss", "Agave", "Orchid", "Bamboo", "Lichen", "Cactus", "Aloe", "Ivy")
"""Names of computers, in the order in which they sit down. ROBOT is put before each."""

GIVEN = "Its seats are given: a computer plays for those who leave."


def named(players: list[str]) -> str:
    """Return the name of the next computer at a table with these names."""
    return next(name for name in (f"{ROBOT} {name}" for name in NAMES) if name not in players)


async def decline_kept(table: Table, user: int, at: int) -> None:
    """Give free the seat that is kept for a person, who declines it."""
    async with table.changing(at):
        table.must_be("lobby", "The match has begun without you, so there is nothing to decline.")
        if table.state.seat_of(user) is not None:
            raise Refusal("You have taken the seat. `More` on the table's card has `Leave`.")
        if user in table.state.declined:
            raise Refusal("You have declined already.")
        await table.commit(at, DeclineKept(user))


async def add_computer(table: Table, user: int, strength: Strength, at: int) -> None:
    """Give a computer the next free seat."""
    async with table.changing(at):
        table.must_be("lobby", "The match has begun. Computers can join only before the start.")
        table.must_host(user, "add computers")
        table.check_steps(user)
        table.check_free(user)
        name = named([player.name for player in table.state.players])
        await table.commit(at, Computer(strength, name, user))


async def dismiss_computer(table: Table, user: int, at: int) -> None:
    """Remove the computer that was added last."""
    async with table.changing(at):
        table.must_be("lobby", "The match has begun. Computers can be removed only before the start.")
        table.must_host(user, "remove computers")
        table.check_steps(user)
        seats = [seat for seat, player in with_seats(table.state.players) if player.strength]
        if not seats:
            raise Refusal("There is no computer at this table.")
        await table.commit(at, Dismiss(seats[-1], user))


async def come_back(table: Table, user: int, at: int) -> None:
    """Give `user` their seat back from a computer, also after they left, unless somebody has it. An overdue player is
    no longer overdue. Raises Refusal for the second time in a turn while others wait."""
    async with table.changing(at):
        table.must_be_dealt()
        left = table.state.left.get(user)
        if left and table.state.held[user] in table.state.gone:
            _check_returned(table.state, user)
            # Not counted by `room_for`: the seat is theirs, also if they have sat down elsewhere meanwhile.
            await table.commit(at, Take(table.state.held[user], user, left.name))
            return
        seat = table.seat(user)
        if seat in table.state.present():
            raise Refusal("You have your seat: no computer plays for you.")
        _check_returned(table.state, user)
        await table.commit(at, Back(seat, user))


def _check_returned(state: TableState, user: int) -> None:
    """Raise Refusal when a person has had a whole turn again for this decision, and others wait for it."""
    if not state.has_returned(user):
        return
    if state.seat_of(user) in state.overdue:
        raise Refusal(RETURNED)
    raise Refusal("You have come back in this turn already. After the next move in that seat you can again.")


async def take(table: Table, seat: Seat, user: int, name: str, at: int) -> None:
    """Take a seat whose player has left."""
    async with table.changing(at):
        table.must_be_dealt()
        if seat not in table.state.gone:
            raise Refusal("That seat is taken.")
        await _check_newcomer(table, seat, user)
        with table.room_for(user):
            await table.commit(at, Take(seat, user, name))


async def offer(table: Table, user: int, to: int, name: str, at: int) -> None:
    """Offer the seat of `user` to somebody, who must accept it."""
    async with table.changing(at):
        table.must_be_dealt()
        table.must_not_be_seated(GIVEN)
        seat = table.seat(user)
        if seat in table.state.gone:
            raise Refusal("You have left this match, so anybody may take the seat.")
        if to == user:
            raise Refusal("That is you. Name somebody else.")
        if _plays(table.state, to):
            raise Refusal(f"<@{to}> sits at this table already. Name somebody else.")
        # Of somebody who was erased, only they themselves are told, in `accept`: nobody else may learn who it was.
        _check_unseen(table.state, seat, to, f"<@{to}> has")
        table.offers.check(user, at)
        await table.commit(at, Offer(seat, user, to, name))
        table.offers.count(user, at)


async def accept(table: Table, seat: Seat, user: int, name: str, at: int) -> None:
    """Take a seat that was offered to `user`."""
    async with table.changing(at):
        table.must_be_dealt()
        _check_offered(table.state, seat, user)
        await _check_newcomer(table, seat, user)
        giver = table.state.players[seat].user
        with table.room_for(user):
            await table.commit(at, Give(seat, giver, name), Take(seat, user, name))


async def decline(table: Table, seat: Seat, user: int, at: int) -> None:
    """Decline a seat that was offered to `user`, or take back the offer of one's own."""
    async with table.changing(at):
        table.must_be_dealt()
        _check_offered(table.state, seat, user, giver=table.state.players[seat].user)
        await table.commit(at, Decline(seat, user))


def _check_offered(state: TableState, seat: Seat, user: int, giver: int | None = None) -> None:
    """Raise Refusal unless a seat is offered to `user`; where a `giver` is named, they may answer the offer, too."""
    if state.offers.get(seat, -1) < 0:  # its person may be erased
        raise Refusal("That offer is over.")
    if user not in (state.offers[seat], giver):
        raise Refusal(f"This seat is offered to <@{state.offers[seat]}>, not to you.")


async def _check_newcomer(table: Table, seat: Seat, user: int) -> None:
    table.must_not_be_seated(GIVEN)  # they may have played the same deal at another table
    if _plays(table.state, user):
        raise Refusal("You already sit at this table.")
    for each in await table.ids_of(user):
        _check_unseen(table.state, seat, each, "You have")
    _check_returned(table.state, user)


def _plays(state: TableState, user: int) -> bool:
    return state.seat_of(user) in state.people()


def _check_unseen(state: TableState, seat: Seat, user: int, who: str) -> None:
    if state.held.get(user, seat) != seat:
        raise Refusal(f"{who} played another seat of this match. Nobody may see two hands.")
