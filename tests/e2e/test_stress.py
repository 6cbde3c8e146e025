"""Every game with random kills and faults. `make soak` does the same for longer."""

from pathlib import Path

import pytest

from games import GAMES, AnyGame
from tests.e2e.stress import stress_run
from tests.e2e.test_matches import SHORT

FAULTS = 6


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
async def test_kills_and_faults_lose_nothing_and_announce_nothing_twice(
    game: AnyGame, tmp_path: Path
) -> None:
    async with stress_run(game, 1, tmp_path / "palmhouse.sqlite3", **SHORT[game.slug]) as run:
        await run.play_with_faults(FAULTS)
        await run.check_after_faults()
        await run.finish()
