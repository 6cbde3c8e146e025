"""Opening the file."""


class StoreRefused(Exception):
    """The database cannot be used, so the start ends. `str()` names the file, what is wrong and what to do."""
