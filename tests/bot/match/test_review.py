"""A look back at a match: whose decisions may have decided it."""

from dataclasses import replace

import pytest

from bot.match.review import Review, review
from bot.match.tables import game_of
from games import Outcome
from tests.bot.match.test_replay import LOBBY, MATCH, log
from tests.present import present
from tests.stored.logs import Stored, stored_logs
from tests.stored.releases import RELEASES
from tests.toy import GAME as TOY

LOGS = [pytest.param(each, id=each.match.game) for each in stored_logs(RELEASES[-1])]
"""A match of each game."""


def looked_back(stored: Stored) -> Review:
    game = present(game_of(stored.match))
    rows = [replace(row, user=7) if row.kind == "move" else row for row in stored.log]
    return present(review(stored.match, game, rows))


@pytest.mark.parametrize("stored", LOGS)
def test_the_decisions_of_a_match_were_open_and_are_those_of_winners(stored: Stored) -> None:
    found = looked_back(stored)
    for each in found.decisions:
        assert each.action in each.legal
        assert [*found.game.legal(each.state, each.seat)] == [*each.legal]
    # Nobody learns from the buttons of a question how many entries, told or untold, were before.
    assert [each.n for each in found.decisions] == [*range(len(found.decisions))]
    deciding = found.deciding()
    assert deciding
    assert {each.seat for each in deciding} <= found.winners
    assert [each.n for each in deciding] == sorted((each.n for each in deciding), reverse=True)
    assert len({each.round for each in deciding}) == 1
    for each in deciding:
        assert all(event.to is None for event in found.course(each))


@pytest.mark.parametrize(
    ("scores", "decided"),
    [
        ([(1, 0), (2, 1)], 0),
        ([(0, 1), (2, 1)], 1),
        ([(1, 1), (1, 2), (3, 2), (5, 4)], 2),
        ([(0, 1), (1, 1)], 1),
    ],
)
def test_the_round_that_decided_is_that_in_which_the_winners_took_the_lead_for_good(
    scores: list[tuple[int, ...]], decided: int
) -> None:
    found = Review(TOY, TOY.Options(), Outcome((1, 2), scores[-1], ""), ("Alice", "Ben"), [])
    assert found.lead_taken(scores) == decided


def test_a_match_that_was_not_played_to_its_end_is_not_looked_at() -> None:
    assert review(MATCH, TOY, log(*LOBBY, ("close", None, None, "everybody left"))) is None
    assert review(MATCH, TOY, log(*LOBBY[:4])) is None
