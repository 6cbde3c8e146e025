"""The log: where an error came from is told, and what it says only when that cannot name cards."""

import logging
import sys

import pytest

from bot.logs import Discreet
from games import Illegal


def told(error: Exception, message: str = "table %s stumbled: %s", name: str = "bot.match.table") -> str:
    """Return the lines written when that error is logged, with its text among the arguments, too."""
    try:
        raise error
    except Exception:
        record = logging.LogRecord(name, logging.ERROR, "", 1, message, (7, error), sys.exc_info())
    return Discreet("%(message)s").format(record)


@pytest.mark.parametrize(
    "error", [ValueError("♠Q is not in list"), KeyError("bid 3"), Illegal("You hold no ♠Q.")]
)
def test_what_an_error_says_that_may_name_cards_is_left_out(error: Exception) -> None:
    said = told(error)
    assert "♠Q" not in said
    assert "bid 3" not in said
    assert said.startswith(f"table 7 stumbled: {type(error).__name__}")
    assert "in told\n    raise error" in said


def test_what_the_disk_or_the_network_says_is_told() -> None:
    assert told(OSError(28, "No space left on device")).count("No space left on device") == 2


def test_errors_that_led_to_one_another_are_told_in_order_and_none_with_its_cards() -> None:
    try:
        try:
            raise KeyError(chr(0x2660) + "Q")
        except KeyError as first:
            raise OSError("the network is gone") from first
    except OSError as error:
        said = told(error)
    assert said.index("KeyError (its text") < said.index("This led to:") < said.rindex("OSError: the network")
    assert "♠Q" not in said


def test_what_asyncio_tells_of_tasks_ends_before_what_they_returned() -> None:
    record = logging.LogRecord(
        "asyncio",
        logging.ERROR,
        "",
        1,
        "Task exception was never retrieved\nfuture: <Task result='♠Q'>",
        (),
        None,
    )
    assert Discreet("%(message)s").format(record) == "Task exception was never retrieved"
