"""A replay in words, as they are read outside Discord."""

from bot.match.replay import replay_of
from bot.match.times import Times
from bot.store import LogRow
from cogs.replay.words import plain, players
from tests.cogs.replay.golden_replays import named
from tests.stored.logs import match_of
from tests.toy import GAME as TOY


def test_times_and_mentions_are_written_out() -> None:
    assert plain("⏪ **As** it was <t:1700000000:f>, <@7>.") == "⏪ As it was 2023-11-14 22:13 UTC, somebody."


def test_teams_have_the_places_that_people_were_told() -> None:
    _, replay = named("teams")
    assert players(replay).endswith("1st Eve, 3 sets; 2nd Ben, no sets; 2nd Dan, no sets")


def test_whoever_has_won_by_staying_longer_is_named() -> None:
    rows = (
        ("sit", None, 11, "0 Alice"),
        ("sit", None, 12, "0 Ben"),
        ("computer", None, None, "steady 🤖 Coco"),
        ("start", None, 11, ""),
        ("close", None, 12, "outlasted"),
    )
    log = tuple(LogRow(n, *row, at=n) for n, row in enumerate(rows, 1))
    replay = replay_of(match_of("high-card", "{}", "seed"), TOY, log, Times())
    assert players(replay) == "1st Ben; 2nd Alice; 🤖 Coco"
