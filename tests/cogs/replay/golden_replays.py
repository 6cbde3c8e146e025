"""Replays of the golden games, as they would be if people had played them at a table."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot.match.replay import PUBLIC, Replay, replay_of
from bot.match.times import Times
from bot.messages.game_ui import GameUI
from bot.store import LogRow, Match
from cogs.common.game import GameCog
from cogs.replay.access import Opened
from tests.cogs.reading import ALL_COGS, new
from tests.contract.golden import TICK, Golden, files
from tests.contract.golden import read as read_golden
from tests.contract.subjects import SUBJECTS, Subject
from tests.present import present
from tests.stored.logs import match_of
from tests.toy.cog import Toy

COGS: dict[str, type[GameCog]] = {**ALL_COGS, "high-card": Toy}
UIS: dict[str, GameUI] = {slug: new(cog) for slug, cog in COGS.items()}
GOLDEN = [(subject, path) for subject in SUBJECTS.values() for path in files(subject)]
IDS = [f"{subject}/{path.stem}" for subject, path in GOLDEN]


def log_of(golden: Golden, names: Sequence[str] = ()) -> tuple[LogRow, ...]:
    """Return the log of a golden game. The people are numbered from 1, by seat."""
    names = names or golden.names
    rows: list[Any] = [("sit", None, seat, f"0 {name}", 0) for seat, name in enumerate(names, 1)]
    rows.append(("start", None, 1, "", 0))
    for name, action in golden.actions:
        text, _, at = action.partition(" @")
        seat = None if (name, text) == TICK else golden.names.index(name)
        row = ("tick", None, None, "") if seat is None else ("move", seat, seat + 1, text)
        rows.append((*row, int(at or 0)))
    return tuple(LogRow(n, *row) for n, row in enumerate(rows, 1))


def golden_replay(subject: Subject, path: Path, names: Sequence[str] = ()) -> Opened:
    """Return the replay of a golden game, with all points of view allowed."""
    golden = read_golden(path.read_text(encoding="utf-8"))
    log = log_of(golden, names)
    return opened(subject, replay_of(match_like(golden, subject), subject.game, log, Times()), log)


def replayed(subject: Subject, path: Path, names: Sequence[str] = ()) -> tuple[Opened, Replay]:
    """Return a golden game, with all points of view allowed, and its replay."""
    found = golden_replay(subject, path, names)
    return found, present(found.replay)


def named(stem: str) -> tuple[Opened, Replay]:
    """Return the golden game in the file of that name, and its replay."""
    return replayed(*next(each for each in GOLDEN if each[1].stem == stem))


def match_like(golden: Golden, subject: Subject) -> Match:
    """Return the row of a match with the options and the seed of a golden game."""
    return match_of(subject.game.slug, golden.header["options"], str(golden.seed))


def opened(subject: Subject, replay: Replay, log: tuple[LogRow, ...] = ()) -> Opened:
    """Return a match with this replay, with all points of view allowed."""
    at = 1_790_000_000_000
    match = Match(12, subject.game.slug, 1, "{}", "", 5, 6, 1, "over", at, at, at, 7, 8, 9, None, 1, None)
    return Opened(match, log, replay, (replay.all_hands, PUBLIC, *((seat,) for seat in replay.all_hands)))
