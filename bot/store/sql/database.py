"""A connection to a database, as the SQL of a store uses it.

Parameters of statements are `?`, or `?1` and so on, or `:name`; all of a statement are of one kind.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

Values: TypeAlias = Sequence[Any] | Mapping[str, Any]
"""The values of a statement's parameters, in their order or by name."""


class Database(Protocol):
    """A connection that runs one statement after another."""

    async def fetch(self, statement: str, values: Values = ()) -> Sequence[Any]:
        """Run a statement and return its rows as tuples."""
        ...

    async def change(self, statement: str, values: Values = ()) -> int:
        """Run a statement and return the number of rows that it has changed."""
        ...

    async def execute(self, statement: str, values: Values = ()) -> None:
        """Run a statement. Its error may be raised by a later one, or by `Writing.settle`."""

    async def execute_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each of these rows of values. Its error may be raised later, as by `execute`."""

    async def be_patient(self) -> None:
        """Allow the transaction more time for statements about many matches. Other writes wait meanwhile."""


class Closing(Protocol):
    """A connection that can be closed, and explains its errors."""

    async def close(self) -> None:
        """Close the connection."""

    def reason(self, error: Exception) -> str | None:
        """Return the reason of an error of the database, as the end of a sentence; None for any other error."""
        ...


class Reading(Closing, Protocol):
    """A connection that only reads."""

    async def fetch(self, statement: str, values: Values = ()) -> Sequence[Any]:
        """Run a query and return its rows as tuples."""
        ...


class Writing(Database, Closing, Protocol):
    """A connection that writes in transactions."""

    @property
    def in_transaction(self) -> bool:
        """True from `begin` until `commit` or `roll_back`, unless an error has ended the transaction."""
        ...

    async def begin(self) -> None:
        """Begin a transaction that writes."""

    async def settle(self) -> None:
        """Wait until all statements so far have been run, and raise the error of any that has failed."""

    async def commit(self) -> None:
        """Commit the transaction, and wait until it is on the disk."""

    async def roll_back(self, savepoint: str | None = None) -> None:
        """Undo the transaction that is open, and end it; or undo what came after a savepoint."""

    def is_fault(self, error: Exception) -> bool:
        """Return whether an error is a fault of the database, such as a full disk, and not of the statement."""
        ...


class Blocking(Protocol):
    """A connection for long work in a thread of its own, in a transaction. `sqlite3.Connection` is one."""

    def execute(self, statement: str, values: Values = (), /) -> Any:
        """Run a statement. Return a cursor over its rows."""
        ...

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> Any:
        """Run a statement for each of these rows of values."""
        ...

    def rollback(self) -> None:
        """Undo the transaction, and end it."""
