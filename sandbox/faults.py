"""Faults on demand: requests that fail, are answered late, or are carried out while the answer is lost."""

import re
from dataclasses import dataclass


@dataclass
class Fault:
    """What happens to the next `times` requests of a method whose path below the API's root matches `path`.

    Status 0 cuts the connection, None fails nothing. `delay` comes before that, in seconds of the sandbox's clock;
    `after` carries the request out before both."""

    method: str
    path: str
    status: int | None = 500
    times: int = 1
    after: bool = False
    delay: float = 0.0

    def concerns(self, method: str, path: str) -> bool:
        """Whether this fault is for such a request."""
        return self.times > 0 and method == self.method and re.search(self.path, path) is not None


class Faults:
    """The faults that were asked for and have not happened yet."""

    def __init__(self) -> None:
        self._waiting: list[Fault] = []

    def add(self, fault: Fault) -> None:
        """Let it happen."""
        self._waiting.append(fault)

    def clear(self) -> None:
        """Let nothing of it happen any more."""
        self._waiting.clear()

    def next(self, method: str, path: str) -> Fault | None:
        """The fault of this request, if it has one; it then has happened."""
        for fault in self._waiting:
            if fault.concerns(method, path):
                fault.times -= 1
                return fault
        return None
