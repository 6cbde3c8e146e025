"""A log of the present rules replays as it was played. A match of older rules keeps its result."""

import pytest

from bot.hosting.recount import redo
from bot.match.tables import game_of
from bot.store import Result
from games import GAMES
from tests.stored import rules


@pytest.mark.parametrize(("slug", "version"), rules.versions())
def test_a_stored_log_of_the_present_rules_replays(slug: str, version: int) -> None:
    stored = rules.load(slug, version)
    game = game_of(stored.match)
    if game is not None:  # else see the last test
        found = rules.replayed(game, stored.match, stored.log)
        assert found == (stored.placings, stored.scores), (
            f"A match of {slug} under rules {version} replays differently. Undo that, or give the game a new version."
        )


def test_every_version_of_the_rules_has_a_stored_log() -> None:
    expected = {(slug, version) for slug, game in GAMES.items() for version in range(1, game.version + 1)}
    missing = sorted(expected - {*rules.versions()})
    assert not missing, f"There is no stored log of {missing}. Run `python -m tests.stored.rules`."


@pytest.mark.parametrize("slug", GAMES)
def test_a_log_of_older_rules_is_not_replayed_and_its_result_stays(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = rules.load(slug, 1)
    monkeypatch.setattr(type(GAMES[slug]), "version", 2)
    assert game_of(stored.match) is None
    results = [Result(1, 0, 1, slug, 7, "Alice", 1, 99, 2, 4), Result(1, 1, 1, slug, 8, "Ben", 2, 1, 2, 4)]
    assert redo(stored.match, stored.log, results).results == results
