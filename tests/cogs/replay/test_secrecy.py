"""A replay is the same, byte for byte, whatever its point of view may not see: as message, as text and as page."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.match.replay import PUBLIC, PointOfView, Replay, Step, replay_of
from bot.match.times import Times
from bot.store import LogRow
from cogs.replay.access import Opened
from cogs.replay.message import step_panel
from cogs.replay.page import page
from cogs.replay.words import text_file
from games.types import SEATS
from tests.cogs.replay.golden_replays import (
    GOLDEN,
    IDS,
    UIS,
    golden_replay,
    log_of,
    match_like,
    opened,
    replayed,
)
from tests.contract.golden import read
from tests.contract.subjects import SUBJECTS, Subject
from tests.contract.test_secrecy import shuffled_places
from tests.seats import FIRST, SECOND

EVERY = 12
"""Steps between two that are compared as messages; texts and pages have all of them."""


@pytest.mark.parametrize(("subject", "path"), GOLDEN, ids=IDS)
def test_cards_and_choices_that_a_point_of_view_never_saw_change_nothing(
    subject: Subject, path: Path
) -> None:
    for seats in (PUBLIC, (FIRST,), (SECOND,)):
        found = only(golden_replay(subject, path), seats)
        assert found.replay is not None
        twin = only(opened(subject, swapped(subject, found.replay, seats)), seats)
        assert page(twin, UIS[subject.game.slug], seats) == page(found, UIS[subject.game.slug], seats)
        assert text_file(twin, seats) == text_file(found, seats)
        assert [*messages(twin, seats)] == [*messages(found, seats)]


@pytest.mark.parametrize(("subject", "path"), GOLDEN, ids=IDS)
def test_the_swap_shows_in_a_replay_with_every_hand(subject: Subject, path: Path) -> None:
    found, replay = replayed(subject, path)
    if replay.has_secrets and subject.game.slug != "high-card":  # the toy shows no hands
        twin = opened(subject, swapped(subject, replay, PUBLIC))
        seats, ui = replay.all_hands, UIS[subject.game.slug]
        assert page(twin, ui, seats) != page(found, ui, seats)


def test_a_changed_secret_bid_is_no_step() -> None:
    subject = SUBJECTS["twin-palms"]
    path = next(path for other, path in GOLDEN if other is subject)
    golden = read(path.read_text(encoding="utf-8"))
    name, _ = golden.actions[0]
    log = log_of(golden)
    first = next(place for place, row in enumerate(log) if row.kind == "move")
    other = replace(log[first], body="bid 5" if log[first].body != "bid 5" else "bid 4")
    changed = renumbered((*log[: first + 1], other, log[first], *log[first + 1 :]))
    one, two = (
        replay_of(match_like(golden, subject), subject.game, each, Times()) for each in (log, changed)
    )
    ui = UIS["twin-palms"]
    assert page(opened(subject, one), ui, PUBLIC) == page(opened(subject, two), ui, PUBLIC)
    assert name in one.steps(PUBLIC)[1].names


def renumbered(log: tuple[LogRow, ...]) -> tuple[LogRow, ...]:
    return tuple(replace(row, n=n) for n, row in enumerate(log, 1))


def only(found: Opened, seats: PointOfView) -> Opened:
    """Return the match as somebody sees it who may have this point of view alone."""
    return replace(found, points_of_view=(seats,))


def messages(found: Opened, seats: PointOfView) -> Iterator[object]:
    """Yield some steps as messages, with their alt texts and pictures."""
    assert found.replay is not None
    for at in range(0, len(found.replay.steps(seats)), EVERY):
        panel = step_panel(found, UIS[found.match.game], seats, at, pictures=True)
        yield panel.payload(), [(each.alt, each.paint) for each in panel.pictures()]


def swapped(subject: Subject, replay: Replay, seats: PointOfView) -> Replay:
    """Return a replay in which everything that these seats have not seen is something else."""
    rng = Random(7)
    return replace(
        replay, everything=tuple(_swapped(subject, step, seats, rng) for step in replay.everything)
    )


def _swapped(subject: Subject, step: Step, seats: PointOfView, rng: Random) -> Step:
    seat = seats[0] if seats else None
    state = subject.secrets.put(step.state, shuffled_places(subject.secrets.unseen(step.state, seat), rng))
    for twin in subject.secrets.choices(state, seat)[:1]:
        state = twin
    others = [other for other in SEATS[: len(step.names)] if other not in seats]
    events = tuple(
        event if event.to is None or event.to in seats else replace(event, to=rng.choice(others))
        for event in step.events
    )
    move = step.move if step.move is None or step.move[0] in seats else (step.move[0], "SECRET")
    return replace(step, state=state, events=events, move=move)
