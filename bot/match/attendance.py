"""The people of a match, from its log: their seats, their own moves, and whether the result counts for them."""

from collections import Counter
from dataclasses import dataclass

from bot.match.entries import Give, Leave, Move, Start, Take
from bot.match.state import LogEntry, Player, TableState
from games.types import Seat


@dataclass(slots=True)
class Part:
    """One person and their seat. Nobody ever has two seats of a match."""

    seat: Seat
    player: Player
    answers: bool
    """True when the result counts for them whatever happens: they were dealt in, or left a seat that they had
    played."""
    moves: int = 0
    """Number of moves that they made themselves."""


class Attendance:
    """The people of a match, after the entries that it has followed."""

    def __init__(self) -> None:
        self._parts: dict[int, Part] = {}
        """By person."""
        self._moves = Counter[Seat]()
        """Number of moves by seat, whoever made them."""
        self._there: list[Seat] = []
        """The seats whose people were there last."""
        self._absent: dict[Seat, int] = {}
        """By seat of a person who is away or overdue: the time in ms since then."""

    def follow(self, state: TableState, entry: LogEntry) -> None:
        """Take note of an entry. `state` is the table after it."""
        present = state.present()
        self._there = present or self._there
        absent = {*state.people()}.difference(present)
        self._absent = {seat: self._absent.get(seat, state.at) for seat in absent}
        match entry:
            case Start():
                dealt_in = [(seat, state.players[seat]) for seat in state.people()]
                self._parts = {player.user: Part(seat, player, answers=True) for seat, player in dealt_in}
            case Move(seat, user=user):
                self._moves[seat] += 1
                if user is not None and user in self._parts:
                    self._parts[user].moves += 1
            case Take(seat, user):
                part = self._parts.setdefault(user, Part(seat, state.players[seat], answers=False))
                part.player = state.players[seat]
            case Leave(user) | Give(user=user) if user in self._parts:
                self._parts[user].answers |= self.has_played(self._parts[user])

    def has_played(self, part: Part) -> bool:
        """Return whether a person made at least half of the moves of their seat so far, and at least one."""
        return part.moves > 0 and not self.is_replaced(part)

    def counts_for(self, user: int) -> bool:
        """Return whether the result counts for a person, should they leave now."""
        part = self._parts.get(user)
        return part is not None and (part.answers or self.has_played(part))

    def is_replaced(self, part: Part) -> bool:
        """Return whether others made more than half of the moves of a person's seat so far."""
        return 2 * part.moves < self._moves[part.seat]

    def left_to_computers(self, state: TableState) -> set[Seat]:
        """Return the seats that people have left, and those in which computers made more than half of the moves.

        Whoever has left and won (see `winner`) is not among them: no computer has won for them.
        """
        by_people = Counter[Seat]()
        for part in self._parts.values():
            by_people[part.seat] += part.moves
        gone = {seat for seat in state.gone if state.players[seat].user != state.winner}
        return gone | {
            seat
            for seat, moves in self._moves.items()
            if state.players[seat].user and 2 * by_people[seat] < moves
        }

    def people(self, state: TableState) -> dict[int, Part]:
        """Return the people for whom the result counts, by number (see `Result.seat`).

        Of several people of one seat, the present one keeps its number or, if the result does not count for them, the
        one with most of its moves.
        """
        counts = [part for user, part in self._parts.items() if self.counts_for(user)]
        counts.sort(key=lambda part: (part.seat, part.player != state.players[part.seat], -part.moves))
        first: dict[int, Part] = {}
        others = [part for part in counts if first.setdefault(part.seat, part) is not part]
        return first | dict(enumerate(others, len(state.players)))

    def winner(self, state: TableState, since: int) -> int:
        """Return the person who has won if the match closes now, because they were there last; 0 for nobody.

        It counts in a rated match of two seats, on different sides, if both were played. Whoever has not left must have
        been absent since `since`, in ms.
        """
        people = state.people()
        there = [seat for seat in self._there if seat in people] or self._there
        others = [seat for seat in people if seat not in there]
        # Nobody loses a match because they were late for a moment.
        if len(there) != 1 or any(self._absent.get(seat, state.at + 1) > since for seat in others):
            return 0
        (seat,) = there
        if others and seat in self._absent:
            return 0  # neither has moved
        own, parts = self._parts.get(state.players[seat].user), self._parts.values()
        rivals = [part for part in parts if state.sides[part.seat] != state.sides[seat]]
        counts = (
            own is not None
            and len({part.seat for part in parts}) == 2
            and self.has_played(own)
            and any(part.moves for part in rivals)
        )
        return own.player.user if own and counts else 0
