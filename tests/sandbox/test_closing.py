"""The end of a sandbox while clients connect."""

import asyncio
import gc
import socket
from contextlib import suppress

import pytest
import yarl

from sandbox import Sandbox


@pytest.mark.parametrize("turns", range(8))
async def test_a_connection_that_comes_just_before_the_end_is_closed(turns: int) -> None:
    """Turns of the event loop are between the connection and the end. An open one would raise a ResourceWarning."""
    async with Sandbox() as box:
        address = yarl.URL(box.url)
        client = socket.create_connection((address.host or "", address.port or 0))
        for _ in range(turns):
            await asyncio.sleep(0)
    client.settimeout(10)
    with client, suppress(ConnectionResetError):
        assert await asyncio.to_thread(client.recv, 1) == b""
    gc.collect()
