"""Statements for a database that goes on from a copy: Discord shows what came after it, and people remember it."""

from typing import Final

from bot.store.seeds import FORMAT, cut_digest, digest, new_seed

DOUBT_MESSAGES: Final = "UPDATE matches SET published = 0 WHERE ended IS NULL"
"""Statement after which the bot looks at what stands in Discord for each open match before it posts there."""
FORGET_COMMANDS: Final = "DELETE FROM facts WHERE key = 'commands'"
"""Statement after which it registers its commands, as another version may have registered its own since."""
NOTE_RESTORED: Final = (
    "INSERT INTO log (match, n, kind, body, at) SELECT id, max(n) + 1, 'restored',"
    " CAST(max(CASE WHEN alive.at > log.at THEN alive.at ELSE log.at END) AS TEXT), max(log.at)"
    " FROM matches JOIN log ON match = id LEFT JOIN alive ON true"
    " WHERE ended IS NULL AND channel <> 0 GROUP BY id"
)
"""Statement that lets each match in the lobby or in play tell that it goes on from a copy, with everything up to the
last heartbeat."""
RESTORED: Final = DOUBT_MESSAGES, FORGET_COMMANDS, NOTE_RESTORED

# A match of a sealed lobby may have been played since, with all cards shown.
IS_SEALED: Final = f"phase = 'lobby' AND instr(seed, '{FORMAT}:') = 1"
"""Condition of matches that get another secret. The words of their cuts stay."""
# So may have been a game night that was to come, after which its secret is told.
IS_TO_COME: Final = "phase = 'planned'"
"""Condition of game nights that get another secret. Of one that was on, it gives the deals that were played, too."""


def night_secret() -> str:
    """Return a new secret for a game night."""
    return digest(new_seed())


def cut_anew(seed: str, body: str) -> str:
    """Return the body of a cut under another secret."""
    rest = body[64:]
    return cut_digest(seed, rest[1 : rest.index("\n")]) + rest
