"""The log names the place of every error, and shows its text only when that cannot name cards."""

import logging
import sys

import pytest

from bot.logs import Discreet
from games import Illegal


def logged(error: Exception, message: str = "table %s failed: %s", name: str = "bot.match.table") -> str:
    """Return the lines written when that error is logged, with the error among the arguments, too."""
    try:
        raise error
    except Exception:
        record = logging.LogRecord(name, logging.ERROR, "", 1, message, (7, error), sys.exc_info())
    return Discreet("%(message)s").format(record)


@pytest.mark.parametrize(
    "error", [ValueError("♠Q is not in list"), KeyError("bid 3"), Illegal("You hold no ♠Q.")]
)
def test_the_text_of_an_error_that_may_name_cards_is_left_out(error: Exception) -> None:
    said = logged(error)
    assert "♠Q" not in said
    assert "bid 3" not in said
    assert said.startswith(f"table 7 failed: {type(error).__name__}")
    assert "in logged\n    raise error" in said


def test_the_text_of_an_error_of_disk_or_network_is_logged() -> None:
    assert logged(OSError(28, "No space left on device")).count("No space left on device") == 2


def test_chained_errors_are_logged_in_order_without_their_cards() -> None:
    try:
        try:
            raise KeyError(chr(0x2660) + "Q")
        except KeyError as first:
            raise OSError("the network is gone") from first
    except OSError as error:
        said = logged(error)
    assert said.index("KeyError (its text") < said.index("This led to:") < said.rindex("OSError: the network")
    assert "♠Q" not in said


def test_a_message_of_asyncio_about_a_task_is_cut_before_its_result() -> None:
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
