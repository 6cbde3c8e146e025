"""Values that a test knows to be there."""

from typing import TypeVar

T = TypeVar("T")


def present(value: T | None) -> T:
    """Return a value that is not missing."""
    assert value is not None
    return value
