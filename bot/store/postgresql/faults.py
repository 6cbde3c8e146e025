"""PostgreSQL's errors, explained to the person who runs the bot. No text names the URL, as it has a password."""

from typing import Final

import psycopg

GONE: Final = "the database does not answer; it is tried again and again"
UNKNOWN: Final = "the database cannot keep this, such as a text with the character NUL"
FAULTS: Final = {
    "53100": "the disk of the database is full; free some space",
    "53200": "the database is out of memory; give it more",
    "53300": "the database has too many connections; close some, or raise max_connections",
    "57014": "the database is too slow; look for what keeps it busy",
    "55P03": "another program holds a lock in the database; stop it, or wait until it is done",
    "25006": "the database takes no writes, as a replica does; name the primary server in DATABASE_URL",
    "42501": "the user of DATABASE_URL may not do this; let it own the database",
}
"""Faults and remedies by SQLSTATE."""


NO_HOST: Final = "failed to resolve host", "could not translate host name"
"""Beginnings of what is said of an unknown host. Its name follows: a part of the password where that has an @."""
UNKNOWN_HOST: Final = (
    "its host or port is not known; in the password write an @ as %40, a / as %2F and a comma as %2C"
)


def fault(error: psycopg.Error) -> str:
    """Return the fault and the remedy, as the end of a sentence."""
    if error.sqlstate is None:  # it comes from psycopg, not from the server
        return GONE if isinstance(error, psycopg.OperationalError) else UNKNOWN
    if error.sqlstate.startswith(("08", "57P", "25P03")):
        return GONE
    return FAULTS.get(error.sqlstate, error.diag.message_primary or error.sqlstate)


def refusal(error: psycopg.Error) -> str:
    """Return why no connection could be opened, in the server's words, and the remedy."""
    if isinstance(error, psycopg.OperationalError):
        lines = str(error).splitlines()
        if any(line.startswith(NO_HOST) for line in lines):
            return UNKNOWN_HOST
        said = [line.rpartition(" failed: ")[2] for line in lines if " failed: " in line] or [*lines, GONE][
            :1
        ]
        return (
            f"{said[-1].removeprefix('FATAL:').strip().rstrip('.')}; look at the server, and at DATABASE_URL"
        )
    return "it is malformed; correct DATABASE_URL"  # psycopg would quote parts of it
