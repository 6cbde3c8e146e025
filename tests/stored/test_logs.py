"""A log of the present rules replays as it was played. A match of older rules keeps its result."""

import pytest

from bot.hosting.recount import redo
from bot.match.tables import game_of
from bot.store import Result
from games import GAMES
from tests.stored.logs import Stored, replayed, stored_logs
from tests.stored.releases import RELEASES

LOGS = [
    pytest.param(each, id=f"{release.name} {each.match.game}")
    for release in RELEASES
    for each in stored_logs(release)
]


@pytest.mark.parametrize("stored", LOGS)
def test_a_stored_log_of_the_present_rules_replays(stored: Stored) -> None:
    game = game_of(stored.match)
    if game is not None:  # else see the last test
        assert replayed(game, stored.match, stored.log) == (stored.placings, stored.scores), (
            f"A match of {game.slug} under rules {game.version} replays differently. Undo that, or give the game a new "
            "version."
        )


@pytest.mark.parametrize("stored", LOGS)
def test_a_log_of_older_rules_is_not_replayed_and_its_result_stays(
    stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    slug, rules = stored.match.game, stored.match.rules
    monkeypatch.setattr(type(GAMES[slug]), "version", rules + 1)
    assert game_of(stored.match) is None
    results = [Result(1, 0, 1, slug, 7, "Alice", 1, 99, 2, 4), Result(1, 1, 1, slug, 8, "Ben", 2, 1, 2, 4)]
    assert redo(stored.match, stored.log, results).results == results
