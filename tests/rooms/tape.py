"""The tape of a room: all requests of the bot, with their answers."""

import hashlib
import json
from itertools import takewhile
from pathlib import Path

from sandbox import Sandbox
from sandbox.rest import Record


class Tape:
    """Hashes the requests of the bot on `box`, and writes them to a file if there is one."""

    def __init__(self, box: Sandbox, file: Path | None = None) -> None:
        self._box = box
        self._hash = hashlib.sha256()
        self._last: Record | None = None
        self._file = file
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("")

    def note(self) -> None:
        """Take in what was requested since the last call."""
        new = [*takewhile(lambda each: each is not self._last, reversed(self._box.requests))][::-1]
        if new:
            self._last = new[-1]
            self._add("".join(map(line, new)))

    def _add(self, text: str) -> None:
        self._hash.update(text.encode())
        if self._file is not None:
            with self._file.open("a") as file:
                file.write(text)

    def digest(self, end: str) -> str:
        """Return the hash of everything, with a text at the end."""
        self._add(end)
        return self._hash.hexdigest()[:16]


def line(made: Record) -> str:
    """Return a request, with hashes of its files, and its answer as a line."""
    sent = f"{json.dumps(made.body)} {' '.join(made.files)}".rstrip()
    return f"{made.time:.6f} {made.status} {made.method} {made.path} {sent} {made.answer!r}\n"
