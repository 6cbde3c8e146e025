"""Faults that a test sets: requests that fail, are answered late, or are carried out while the answer is lost."""

import re
from dataclasses import dataclass


@dataclass
class Fault:
    """A fault of the next `times` requests of a method whose path below the API's root matches the pattern `path`."""

    method: str
    path: str
    status: int | None = 500
    """Status of the answer. 0 closes the connection, None only delays the answer."""
    times: int = 1
    after: bool = False
    """True when the request is carried out before the delay."""
    delay: float = 0.0
    """Seconds of the sandbox's clock before the answer."""
    retry_after: float = 0.05
    """Seconds after which the bot may try again, with the status 429."""
    everywhere: bool = False
    """True when a 429 is for all requests of the bot."""
    code: int = 0
    """Discord's code of the error."""
    arrives: bool = False
    """True when a delayed request is carried out though the bot has cancelled it meanwhile. Its connection is closed
    before the delay if the status is 0."""

    def matches(self, method: str, path: str) -> bool:
        """Return whether this fault is for such a request."""
        return self.times > 0 and method == self.method and re.search(self.path, path) is not None


class Faults:
    """Faults that were set and have not happened yet."""

    def __init__(self) -> None:
        self._waiting: list[Fault] = []
        self.met: set[str] = set()
        """Paths of requests to which one has happened."""

    def add(self, fault: Fault) -> None:
        self._waiting.append(fault)

    def clear(self) -> None:
        """Remove all faults."""
        self._waiting.clear()

    def next(self, method: str, path: str) -> Fault | None:
        """Return the fault of a request, if any, and count it as happened."""
        for fault in self._waiting:
            if fault.matches(method, path):
                fault.times -= 1
                self.met.add(path)
                return fault
        return None
