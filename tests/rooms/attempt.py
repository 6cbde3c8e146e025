"""What a person has tried to do at a table, for the laws to find it in the log."""

from dataclasses import dataclass


@dataclass(eq=False)
class Attempt:
    """A person's try to make a move. One click makes at most one move, also when it is delivered twice."""

    user: int
    after: int
    """Number of the last log entry before it."""
    text: str = ""
    """Text of the move, "" when it is chosen in a form."""
    acknowledged: bool = False
    prompt: int | None = None
    """Number of the decision for which the form was made; None without one."""
    is_undone: bool = False
    """True when a backup from before its answer is in the place of the database."""
