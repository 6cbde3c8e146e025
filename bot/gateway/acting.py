"""The server for which a task posts and edits messages.

Another process may serve it at any time. It goes by what is stored and by what Discord shows then, so what a request of
this one changed later, as after a freeze or a rate limit, would stay wrong.
"""

from contextvars import ContextVar
from typing import Final

SERVER: Final[ContextVar[int | None]] = ContextVar("server", default=None)
"""The server for which the present task acts; None for a task that answers a person."""


class NotServed(ConnectionAbortedError):
    """A request was not sent: another process serves its server now."""


def act_for(guild: int) -> None:
    """Let the present task, and those that it begins, send Discord nothing once this process does not serve a server
    (0: direct messages)."""
    SERVER.set(guild)
