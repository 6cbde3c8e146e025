"""The one writer."""


class StoreFailed(Exception):
    """A write did not happen, and nothing of it was kept. `str()` says why and what to do."""
