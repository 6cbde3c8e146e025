"""Golden games: every game has some, they are short enough to read, and they replay exactly."""

import re
from pathlib import Path

import pytest

from games import GAMES
from tests.contract.golden import files, read, replayed
from tests.contract.law import every_game
from tests.contract.subjects import SUBJECTS, TESTS, Subject, package

every_golden_game = pytest.mark.parametrize(
    ("subject", "path"),
    [
        pytest.param(subject, path, id=f"{subject}/{path.stem}")
        for subject in SUBJECTS.values()
        for path in files(subject)
    ],
)


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_a_secrets_module(slug: str) -> None:
    folder = TESTS / "games" / package(GAMES[slug])
    assert slug in SUBJECTS, (
        f"{slug} needs {folder.relative_to(TESTS.parent)}/secrets.py: see {__package__}.subjects"
    )


@every_game
def test_every_game_has_golden_games(subject: Subject) -> None:
    assert files(subject), f"{subject} has no golden game; {__package__}.golden says how to make one"


@every_golden_game
def test_a_golden_game_is_short_and_replays_exactly(subject: Subject, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert read(text).header["game"] == subject.game.slug
    assert len(text.splitlines()) < 400
    assert replayed(subject, text) == text, "if the change is meant, run python -m tests.contract.golden"


@every_golden_game
def test_a_number_below_zero_has_a_minus_and_no_hyphen(subject: Subject, path: Path) -> None:
    told = path.read_text(encoding="utf-8").partition("\n\n")[2]
    assert not re.findall(r"(?<!\w)-\d", told), subject


@pytest.mark.parametrize("line", ["Alice: pick 13", "Dora: pick 3", "Alice: pick 4"])
def test_a_refused_action_is_named_in_the_error(line: str) -> None:
    header = "game: high-card\nversion: 1\noptions: {}\nseats: Alice, Ben\nseed: 2\n"
    with pytest.raises(ValueError, match=f"Action 1, “{line}”"):
        replayed(SUBJECTS["high-card"], header + line)


def test_a_file_with_a_wrong_header_is_refused() -> None:
    with pytest.raises(ValueError, match="game, version, options, seats, seed"):
        read("game: high-card\nseed: 1\n")
