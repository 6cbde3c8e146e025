"""The log names the place of every error, and shows its text only when that cannot name cards."""

import json
import logging
import sys
from datetime import datetime, timedelta

import pytest
from aiohttp.http_exceptions import BadHttpMessage

from bot.cli.logs import QUIET, Discreet, JSONLines, RefusedRequests
from bot.match.refusal import AgainstTheRules
from games import Illegal

TEXT = Discreet("%(message)s")


def logged(error: Exception, form: logging.Formatter = TEXT) -> str:
    """Return the lines written when that error is logged, with the error among the arguments, too."""
    message, name = "table %s failed: %s", "bot.match.table"
    try:
        raise error
    except Exception:
        record = logging.LogRecord(name, logging.ERROR, "", 1, message, (7, error), sys.exc_info())
    return form.format(record)


@pytest.mark.parametrize("form", [TEXT, JSONLines()])
@pytest.mark.parametrize(
    "error",
    [
        ValueError("♠Q is not in list"),
        KeyError("bid 3"),
        Illegal("You hold no ♠Q."),
        AgainstTheRules("You do not hold ♠K. Drop one of ♠Q ♥A ♥5."),
    ],
)
def test_the_text_of_an_error_that_may_name_cards_is_left_out(
    error: Exception, form: logging.Formatter
) -> None:
    said = logged(error, form)
    if isinstance(form, JSONLines):
        line = json.loads(said)
        said = f"{line['message']}\n{line['error']}"
    assert "♠Q" not in said
    assert "bid 3" not in said
    assert said.startswith(f"table 7 failed: {type(error).__name__}")
    assert "in logged\n    raise error" in said


def test_the_text_of_an_error_of_disk_or_network_is_logged() -> None:
    assert logged(OSError(28, "No space left on device")).count("No space left on device") == 2


@pytest.mark.parametrize("path", ["interactions/123/{}/callback?with_response=1", "webhooks/123/{}"])
def test_the_token_of_an_interaction_in_an_address_is_left_out(path: str) -> None:
    token = "Weq2rb8dn2zM4_C5EM-WSA4bV0"
    said = logged(OSError(f"Can not write request body for https://discord.com/api/v10/{path.format(token)}"))
    assert token not in said
    assert said.count(path.partition("{")[0] + "…") == 2


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
    record = asyncio_record()
    assert TEXT.format(record) == "Task exception was never retrieved"
    assert json.loads(JSONLines().format(record))["message"] == "Task exception was never retrieved"


def test_of_many_refused_requests_one_a_minute_is_logged_in_one_line() -> None:
    kept, refused = RefusedRequests(), BadHttpMessage("x\n" * 99)
    records = [server_record(refused, at) for at in (0, 0.5, QUIET - 1, QUIET, QUIET + 1)]
    assert [record.created for record in records if kept.filter(record)] == [0, QUIET]
    said = TEXT.format(records[0])
    assert said == "a request was refused: BadHttpMessage. Further ones are not logged for 60 s"
    fault = server_record(OSError(28, "No space left on device"), 1)
    assert kept.filter(fault)
    assert "No space left on device" in TEXT.format(fault)


def server_record(error: Exception, created: float) -> logging.LogRecord:
    info = (type(error), error, None)
    record = logging.LogRecord("aiohttp.server", logging.ERROR, "", 1, "Error handling request", (), info)
    record.created = created
    return record


def asyncio_record() -> logging.LogRecord:
    return logging.LogRecord(
        "asyncio",
        logging.ERROR,
        "",
        1,
        "Task exception was never retrieved\nfuture: <Task result='♠Q'>",
        (),
        None,
    )


def test_a_record_as_json_is_one_line_whatever_it_says() -> None:
    record = logging.LogRecord("bot.client", logging.INFO, "", 1, "ready as %s", ('a\nb \ud800 "♠',), None)
    written = JSONLines().format(record)
    assert len(written.splitlines()) == 1
    line = json.loads(written)
    assert list(line) == ["time", "level", "logger", "message"]
    assert (line["level"], line["logger"]) == ("INFO", "bot.client")
    assert line["message"] == 'ready as a\nb \ud800 "♠'
    time = datetime.fromisoformat(line["time"])
    assert time.utcoffset() == timedelta(0)
    assert abs(time.timestamp() - record.created) < 0.001
