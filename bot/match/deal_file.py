"""The deal of a match that is over, computed again: the checks of `/verify`, and the file for `verify.py`.

The file proves that each deck in it follows from the sealed secret, the joins and the cuts. It does not prove that all
decks of the match are in it, as `verify.py` knows no rules: it lists the decks for a comparison with the match.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.match.deals import FORMAT, canonical, commitment, cut_digest, dealt_seed, joins_digest, secret_of
from bot.match.entries import Start
from bot.match.log import read
from bot.match.state import TableState
from bot.store import LogRow, Match
from games import AnyGame
from games.chance import Shuffle, recorded, shuffled
from games.phrases import counted


@dataclass(frozen=True, slots=True)
class Replay:
    """A match that was replayed from its log."""

    match: Match
    state: TableState
    entries: int
    """Number of entries of the log."""
    seats: Sequence[str]
    """Those who sat there at the start, in the order in which they joined: "person", or the strength of a computer.
    Empty when the match never started."""
    shuffles: Sequence[Shuffle]
    """All shuffles of the match, that of the seats first."""

    @property
    def seed(self) -> str:
        """The seed, computed from everything that it follows from."""
        cuts = (cut.digest for cut in self.state.cuts.values())
        return dealt_seed(self.match.seed, self.match.options, self.seats, self.state.joins, cuts)


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a deal."""

    name: str
    holds: bool
    finding: str
    """The finding: the end of a sentence."""


def replayed(match: Match, game: AnyGame, log: Sequence[LogRow]) -> Replay:
    """Replay the whole log of a match, and record its shuffles."""
    state = TableState(game, game.Options.model_validate_json(match.options), match.seed)
    seats: list[str] = []
    with recorded() as shuffles:
        for row in log:
            logged = read(row)
            if isinstance(logged.entry, Start):
                seats = [player.kind for player in state.players]
            state.apply(logged)
    return Replay(match, state, len(log), seats, shuffles)


def deal_file(replay: Replay) -> bytes:
    """Return the file for `verify.py`: canonical JSON of texts and integers, without names and ids of people.

    Its decks are all shuffles: purpose, number, and the cards by name, before and after.
    """
    match, state = replay.match, replay.state
    deal: dict[str, Any] = {
        "format": FORMAT,
        "match": match.id,
        "game": match.game,
        "rules": match.rules,
        "secret": secret_of(match.seed),
        "commitment": commitment(match),
        "options": match.options,
        "seats": replay.seats,
        "joins": [*map(str, state.joins)],
        "cuts": [[cut.digest, cut.words] for cut in state.cuts.values()],
        "seed": replay.seed,
        "decks": [_deck(state.game, shuffle) for shuffle in replay.shuffles],
    }
    return canonical(deal)


def checks(replay: Replay) -> Iterator[Check]:
    """Check everything that follows from the row and the log of a match."""
    state, cuts, seed = replay.state, replay.state.cuts.values(), replay.seed
    if cuts:
        kept = all(cut.digest == cut_digest(replay.match.seed, cut.words) for cut in cuts if cut.words)
        yield Check("Cuts", kept, f"{counted(len(cuts), 'cut')}, with the words that the card showed")
    if replay.seats:
        sources = f"options, seats, {_joins(replay)} and {counted(len(cuts), 'cut')}"
        yield Check("Seed", state.seed == seed, f"follows from the secret, {sources}")
        dealt = all(_follows(shuffle, seed) for shuffle in replay.shuffles)
        number = counted(len(replay.shuffles), "shuffle")
        yield Check("Decks", dealt, f"{number} follow from the seed")
    ends = state.phase == replay.match.phase
    name, end = ("Moves", "the end of the match") if replay.seats else ("Log", "the closed lobby")
    yield Check(name, ends, f"the {replay.entries} entries of the log lead to {end} again")


def seal(match: Match, state: TableState) -> str:
    """Return what people copy before they cut: the commitment, and a hash of the joins so far."""
    return f"{commitment(match)} · joins {joins_digest(state.joins)}"


def _joins(replay: Replay) -> str:
    number = counted(len(replay.state.joins), "join")
    # Its opener's click seats everybody.
    return f"{number} (one is the press of `Rematch`)" if replay.match.rematch_of is not None else number


def _deck(game: AnyGame, shuffle: Shuffle) -> list[Any]:
    orders = [shuffle.before, shuffle.after]
    if shuffle.are_cards:
        orders = [[game.card_text(card) for card in order] for order in orders]
    return [shuffle.purpose, shuffle.number, *orders]


def _follows(shuffle: Shuffle, seed: str) -> bool:
    order = shuffled(shuffle.before, seed, shuffle.purpose, shuffle.number)
    return shuffle.seed == seed and order == shuffle.after
