"""The exception for a request that is refused."""


class Refusal(Exception):
    """A request that cannot be fulfilled. Nothing has changed.

    `str()` is for the person: what happened, what is allowed and what to do now. A move against the rules of a game
    raises `games.Illegal` instead.
    """
