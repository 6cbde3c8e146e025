"""The setting SHARDS."""

import pytest

from bot.gateway.shard_range import MALFORMED, ShardRange


@pytest.mark.parametrize(
    ("text", "shards", "count", "is_any"),
    [
        ("0-3/16", range(4), 16, False),
        ("1/2", range(1, 2), 2, False),
        ("0/1", range(1), 1, False),
        ("any/16", range(16), 16, True),
        (" 2-2/3 ", range(2, 3), 3, False),
    ],
)
def test_a_range_is_the_first_shard_the_last_and_the_number_of_all(
    text: str, shards: range, count: int, is_any: bool
) -> None:
    assert ShardRange.parse(text) == ShardRange(shards, count, is_any)


@pytest.mark.parametrize(
    "text",
    [
        "2/2",
        "0-16/16",
        "3-1/16",
        "any/0",
        "0/0",
        "-1/2",
        "1",
        "a/b",
        "any",
        "0-1",
        "/2",
        "1/2/3",
        "0-3 of 16",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=MALFORMED):
        ShardRange.parse(text)
