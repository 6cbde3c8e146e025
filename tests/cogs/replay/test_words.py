"""A replay in words, as they are read outside Discord."""

from cogs.replay.words import plain


def test_times_and_mentions_are_written_out() -> None:
    assert plain("⏪ **As** it was <t:1700000000:f>, <@7>.") == "⏪ As it was 2023-11-14 22:13 UTC, somebody."
