"""Time is Discord's: told by snowflakes, and deaf to a machine's clock that is wrong or jumps."""

import time

import pytest

from bot.clock import EPOCH, DiscordTime


def snowflake(ms: int) -> int:
    return (ms - EPOCH) << 22 | 5


def wall() -> int:
    return time.time_ns() // 1_000_000


def test_a_snowflake_tells_its_time_in_ms_since_the_unix_epoch() -> None:
    assert DiscordTime().heard(175928847299117063) == 1_462_015_105_796


@pytest.mark.parametrize("wrong", [-3_600_000, 0, 3_600_000])
def test_a_machine_whose_clock_is_wrong_is_set_right_by_the_first_snowflake(wrong: int) -> None:
    clock = DiscordTime()
    at = wall() + wrong
    clock.heard(snowflake(at))
    assert 0 <= clock.now() - at < 1_000


def test_a_snowflake_that_was_long_under_way_puts_no_clock_back() -> None:
    clock = DiscordTime()
    now = wall()
    clock.heard(snowflake(now))
    clock.heard(snowflake(now - 60_000))
    assert clock.now() >= now


def test_a_jump_of_the_machines_clock_moves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = DiscordTime()
    before = clock.now()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert 0 <= clock.now() - before < 1_000
