"""The deal of a match that is over, computed again: the checks of `/verify`, and the file for `verify.py`.

The file proves that each deck in it follows from the sealed secret and the steps of the lobby. It does not prove that
all decks of the match are in it, as `verify.py` knows no rules: it lists the decks for a comparison with the match.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.match.deals import DealStep, dealt_seed, shuffles_of, terms_of
from bot.match.entries import Cut, Start
from bot.match.log import read
from bot.match.state import LogEntry, TableState
from bot.store import LogRow, Match
from bot.store.seeds import FORMAT, canonical, cut_digest, secret_of
from games import AnyGame
from games.chance import Shuffle, recorded, shuffled
from games.phrases import counted, listed


@dataclass(frozen=True, slots=True)
class Sealed:
    """A step of the lobby, with the seals around it."""

    entry: LogEntry
    step: DealStep
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ReplayedDeal:
    """A match that was replayed from its log."""

    match: Match
    state: TableState
    lobby: Sequence[Sealed]
    started: bool
    shuffles: Sequence[Shuffle]
    """All shuffles of the match, that of the seats first."""

    @property
    def seed(self) -> str:
        """The seed, computed from everything that it follows from."""
        return dealt_seed(self.match.seed, self.lobby[-1].after)

    @property
    def cuts(self) -> list[Cut]:
        """All cuts, also those that a later one of the same person replaced on the card."""
        return [each.entry for each in self.lobby if isinstance(each.entry, Cut)]


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a deal."""

    name: str
    holds: bool
    finding: str
    """The finding: the end of a sentence."""


def replayed(match: Match, game: AnyGame, log: Sequence[LogRow]) -> ReplayedDeal:
    """Replay the whole log of a match, and record its shuffles."""
    state = TableState.of(match, game)
    lobby: list[Sealed] = []
    started = False
    with recorded() as shuffles:
        for row in log:
            logged, before = read(row), state.seal
            step = logged.entry.deal_step(state)
            started = started or isinstance(logged.entry, Start)
            state.apply(logged)
            if state.seal != before:
                lobby.append(Sealed(logged.entry, step, before, state.seal))
    return ReplayedDeal(match, state, lobby, started, shuffles)


def deal_file(replay: ReplayedDeal) -> bytes:
    """Return the file for `verify.py`: canonical JSON of texts and integers, without names and ids of people.

    Its decks are all shuffles: purpose, number, and the order that was dealt, of cards by name or of numbers.
    """
    match, game = replay.match, replay.state.game
    options, pack = terms_of(game, game.Options.model_validate_json(match.options))
    deal: dict[str, Any] = {
        "format": FORMAT,
        "match": match.id,
        "game": match.game,
        "rules": match.rules,
        "options": options,
        "pack": pack,
        "shuffles": shuffles_of(game),
        "secret": secret_of(match.seed),
        "lobby": [_with_words(each) for each in replay.lobby],
        "seed": replay.seed,
        "decks": [_deck(game, shuffle) for shuffle in replay.shuffles],
    }
    return canonical(deal)


def seals(replay: ReplayedDeal) -> str:
    """Return all seals of the lobby, a line each: the first one, then each step and the seal after it. The words of
    cuts are left out."""
    lines = [f"opened: {replay.lobby[0].before}", *(f"{each.step[0]}: {each.after}" for each in replay.lobby)]
    return "".join(f"{line}\n" for line in lines)


def checks(replay: ReplayedDeal) -> Iterator[Check]:
    """Check everything that follows from the row and the log of a match."""
    state, seed, cuts = replay.state, replay.seed, replay.cuts
    spoken = [cut for cut in cuts if cut.words]
    if spoken:
        kept = all(cut.digest == cut_digest(replay.match.seed, cut.words) for cut in spoken)
        yield Check("Cuts", kept, f"{counted(len(spoken), 'cut')}, with the words that the card showed")
    if replay.started:
        sources = listed(["options", *_counted(replay.lobby)])
        yield Check("Seed", state.seed == seed, f"follows from the secret, {sources}")
        dealt = all(_follows(shuffle, seed) for shuffle in replay.shuffles)
        number = counted(len(replay.shuffles), "shuffle")
        yield Check("Decks", dealt, f"{number} follow from the seed")
    ends = state.phase == replay.match.phase
    name, end = ("Moves", "the end of the match") if replay.started else ("Log", "the closed lobby")
    # Not the number of entries, of which some are secret.
    yield Check(name, ends, f"the log leads to {end} again")


def after_cut_of(replay: ReplayedDeal, user: int) -> tuple[str, str] | None:
    """Return the seal before a person's last cut, and what followed that cut in words, "" for nothing. None if they
    have not cut."""
    places = [place for place, each in enumerate(replay.lobby) if _is_cut_of(each.entry, user)]
    if not places:
        return None
    later = _counted(replay.lobby[places[-1] + 1 :])
    return replay.lobby[places[-1]].before, listed(later) if later else ""


def _is_cut_of(entry: LogEntry, user: int) -> bool:
    return isinstance(entry, Cut) and entry.user == user


def _counted(steps: Sequence[Sealed]) -> list[str]:
    kinds = ["option change" if each.step[0] == "options" else each.step[0] for each in steps]
    return [counted(kinds.count(kind), str(kind)) for kind in dict.fromkeys(kinds)]


def _with_words(each: Sealed) -> list[Any]:
    return [*each.step, each.entry.words] if isinstance(each.entry, Cut) else [*each.step]


def _deck(game: AnyGame, shuffle: Shuffle) -> list[Any]:
    dealt = [game.card_names[card] for card in shuffle.after] if shuffle.are_cards else [*shuffle.after]
    return [shuffle.purpose, shuffle.number, dealt]


def _follows(shuffle: Shuffle, seed: str) -> bool:
    order = shuffled(shuffle.after, seed, shuffle.purpose, shuffle.number)
    return shuffle.seed == seed and order == shuffle.after
