"""The exception whose text a person reads."""


class Refusal(Exception):
    """Something that a person asked for is not possible, and nothing has changed.

    `str()` says what happened, what is allowed and what to do now. A move against a game's rules is `games.Illegal`.
    """
