"""Callers that wait until a table is posted again."""

import asyncio
import gc
from typing import Any

from bot.messages.requests import Requests


async def test_an_error_is_not_reported_as_unread_when_all_callers_have_been_cancelled() -> None:
    requests, unread = Requests(), list[dict[str, Any]]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unread.append(context))
    caller = asyncio.create_task(requests.wait(1))
    await asyncio.sleep(0.001)
    caller.cancel()
    await asyncio.wait({caller})
    del caller
    requests.done(1, RuntimeError("the table cannot be posted"))
    gc.collect()
    assert unread == []
