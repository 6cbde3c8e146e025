"""Multipart requests with files arrive in pieces of any size, as the network splits them."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.sandbox.wire import Wire

SHORT, LONG = b"short", b"x" * 9000
"""Contents shorter than a boundary, and longer than is read at once."""
TIMES = 30
PASSES = 10
"""Passes of the event loop between two pieces, so that each piece is read by itself."""


async def _pieces() -> AsyncIterator[bytes]:
    yield b'--cut\r\nContent-Disposition: form-data; name="payload_json"\r\n\r\n{"content": "Hello"}\r\n'
    yield b'--cut\r\nContent-Disposition: form-data; name="files[0]"; filename="a.bin"\r\n\r\n'
    for piece in (SHORT, LONG) * TIMES:
        yield piece
        for _ in range(PASSES):
            await asyncio.sleep(0)
    yield b"\r\n--cut--\r\n"


async def test_a_file_that_is_sent_in_pieces_is_read_completely(wire: Wire) -> None:
    sent = await wire.post_pieces(wire.messages(), "cut", _pieces())
    assert sent.status == 200
    (kept,) = wire.box.world.files.values()
    assert kept == (SHORT + LONG) * TIMES


async def _broken_off() -> AsyncIterator[bytes]:
    yield b'--cut\r\nContent-Disposition: form-data; name="payload_json"\r\n\r\n{"content": '
    await asyncio.sleep(60)


async def test_a_request_that_is_broken_off_is_neither_carried_out_nor_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with Wire.open() as wire:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await wire.post_pieces(wire.messages(), "cut", _broken_off())
        assert (await wire.ask("GET", wire.messages())).body == []
        await asyncio.sleep(0.1)
    assert not caplog.records
