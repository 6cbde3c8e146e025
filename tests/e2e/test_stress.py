"""Every game through a storm of kills and faults. `make soak` does the same for as long as one likes."""

from pathlib import Path

import pytest

from games import GAMES, AnyGame
from tests.e2e.storm import storm
from tests.e2e.test_matches import SHORT

TROUBLES = 6


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
async def test_nothing_is_lost_and_nothing_told_twice_in_a_storm(game: AnyGame, tmp_path: Path) -> None:
    async with storm(game, 1, tmp_path / "house.sqlite3", **SHORT[game.slug]) as match:
        await match.rage(TROUBLES)
        await match.calm()
        await match.finish()
