"""The errors of a store. The text of each is a sentence for the person who runs the bot."""


class StoreRefused(Exception):
    """The database cannot be used, so the bot does not start. The sentence names it, the fault, and the remedy."""


class StoreFailed(Exception):
    """A write failed, and nothing of it was kept. The sentence gives the reason and the remedy."""


class InDoubt(StoreFailed):
    """Nobody knows whether a write was kept. The sentence says how to find out."""


class Unreadable(StoreFailed):
    """A read failed. The sentence gives the reason and the remedy."""


class Closed(Unreadable):
    """A read came after the end of the store, and so will all others."""


class Damaged(Unreadable):
    """A read found what makes no sense, and will make none later."""
