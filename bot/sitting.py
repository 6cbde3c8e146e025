"""What a table's log folds to: who sits, which phase it is in, and the cards.

Entries are trusted here: `bot.table` checks them before they are made, and the store gives back what it was given.
The only exception that can come out is a game's Illegal, before anything has changed.
"""

from dataclasses import dataclass
from typing import Any

from bot.store import Entry
from games import AnyGame, Event, Options


@dataclass(frozen=True, slots=True)
class Player:
    """A person at the table. The seat is the place in `Sitting.players`."""

    user: int
    name: str


class Sitting:
    """One table at one moment. `apply` moves it on by one entry of the log."""

    __slots__ = (
        "at",
        "changed",
        "game",
        "gone",
        "n",
        "options",
        "phase",
        "players",
        "prompts",
        "reason",
        "seed",
        "state",
    )

    def __init__(self, game: AnyGame, options: Options, seed: str) -> None:
        self.game = game
        self.options = options
        self.seed = seed
        self.players: list[Player] = []
        self.phase = "lobby"
        self.state: Any = None
        self.prompts: list[int] = []
        """By seat: how often that seat's own choices have changed. A form made before the last time is stale. It is no
        entry's number, which would tell how often others have thought again."""
        self.changed: list[int] = []
        """The seats whose choices the last entry changed."""
        self.gone: set[int] = set()
        """Seats whose players have left a match in play; the table plays for them."""
        self.reason = ""
        self.n = 0
        self.at = 0
        """When the last entry was made, in ms; no later one is earlier."""

    def copy(self) -> "Sitting":
        """An independent copy."""
        twin = Sitting(self.game, self.options, self.seed)
        twin.players = self.players.copy()
        twin.phase = self.phase
        twin.state = None if self.state is None else self.game.copy(self.state)
        twin.prompts = self.prompts.copy()
        twin.changed = self.changed
        twin.gone = self.gone.copy()
        twin.reason = self.reason
        twin.n = self.n
        twin.at = self.at
        return twin

    def seat_of(self, user: int) -> int | None:
        """The seat of a person, None for a watcher."""
        return next((seat for seat, player in enumerate(self.players) if player.user == user), None)

    @property
    def host(self) -> Player:
        """Who may start and cancel: whoever has sat here longest."""
        return self.players[0]

    def legal(self, seat: int) -> list[int]:
        """What a seat may do now; nothing before and after the match."""
        return list(self.game.legal(self.state, seat)) if self.phase == "play" else []

    def awaited(self) -> tuple[int, ...]:
        """The seats the match waits for."""
        return self.game.awaited(self.state) if self.phase == "play" else ()

    def due(self) -> int | None:
        """When something happens by itself, in ms; 0 means at once."""
        return self.game.due(self.state) if self.phase == "play" else None

    def asked(self) -> tuple[int, ...]:
        """The seats that the last entry gave something new to decide."""
        return tuple(seat for seat in self.awaited() if seat in self.changed)

    def apply(self, entry: Entry) -> list[Event]:
        """Take the entry up and say what happened in the game."""
        events: list[Event] = []
        self.changed = []
        match entry.kind:
            case "join":
                assert entry.user is not None
                self.players.append(Player(entry.user, entry.body))
            case "leave":
                self._leave(entry)
            case "start":
                self.state, events = self.game.new(self.options, len(self.players), self.seed)
                self.phase = "play"
                self.prompts = [0] * len(self.players)
                self.changed = [*range(len(self.players))]
            case "move" | "timeout" | "tick" | "resume":
                events = self._move(entry)
            case "close":
                self.phase = "closed"
                self.reason = entry.body
            case unknown:
                raise ValueError(f"no table has an entry {unknown!r}")
        self.n = entry.n
        self.at = entry.at
        return events

    def _leave(self, entry: Entry) -> None:
        seat = self.seat_of(entry.user or 0)
        assert seat is not None
        if self.phase == "lobby":
            del self.players[seat]
        else:
            self.gone.add(seat)

    def _move(self, entry: Entry) -> list[Event]:
        seats = range(len(self.players))
        before = [self.game.legal(self.state, seat) for seat in seats]
        events = self._change(entry)
        self.changed = [
            seat for seat in seats if seat == entry.seat or self.game.legal(self.state, seat) != before[seat]
        ]
        for seat in self.changed:
            self.prompts[seat] += 1
        if self.game.outcome(self.state):
            self.phase = "over"
        return events

    def _change(self, entry: Entry) -> list[Event]:
        match entry.kind:
            case "tick":
                return self.game.tick(self.state, entry.at)
            case "resume":
                return self.game.resume(self.state, entry.at)
        assert entry.seat is not None
        return self.game.apply(self.state, entry.seat, self.game.parse(entry.body), entry.at)
