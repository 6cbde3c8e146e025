"""The one exception that speaks to a person."""


class Refusal(Exception):
    """The house cannot do what somebody asked. `str()` says what happened, what is allowed and what to do now;
    nothing has changed. (A move against a game's rules is `games.Illegal`.)"""
