"""The log of work that fails and is tried again."""

import logging

import pytest

from bot.messages.expected import Failures


def test_a_fault_of_the_bot_without_words_is_logged_after_a_timeout(caplog: pytest.LogCaptureFixture) -> None:
    failures = Failures(logging.getLogger("bot"))
    for error in (TimeoutError(), TimeoutError(), AssertionError()):
        failures.note(7, "the board of server 7", error)
    assert [(each.levelname, each.getMessage()) for each in caplog.records] == [
        ("WARNING", "the board of server 7: TimeoutError()"),
        ("ERROR", "the board of server 7: AssertionError()"),
    ]
