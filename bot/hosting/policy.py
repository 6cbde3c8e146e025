"""`python -m bot policy`: the privacy policy and the terms as Markdown, from the declarations of the columns."""

from collections.abc import Iterator
from typing import Final

from bot.store import FORMER, TABLES

PRIVACY: Final = f"""\
# Privacy

Palmhouse stores what it needs to play matches and to keep score, in one database of the person who hosts it. It reads
no messages, shows no advertisements, and passes nothing on. What it posts is stored by Discord under Discord's own
rules.

- `/privacy show` says what is stored about you, `/privacy export` sends you all of it as a file.
- `/privacy erase` replaces your id by a random number, which tells when you did that, and your names by
  "{FORMER}", and deletes your preferences. It is refused while you sit at an open table, and closes a daily deal or
  practice match that only you see. Placings and ratings of others stay as they are. So do the actions of your
  matches, but nothing links them to you any more. One
  exception: for a deal that you have seen and that is not over, a keyed hash of your id is kept until it is, so that
  nobody sees two hands of it or plays it twice.
- If a server removes the bot, the logs and messages of its matches are deleted 30 days later, and the server's id is
  replaced by a random number. Results and ratings of people stay. If the bot is invited again within 30 days,
  everything is still there.
- Messages that were posted before stay in Discord, with the names that stand in them. So does the role of a game
  night's winner where the bot is not allowed to take it back.
{{copies}}

## What is stored about a person

{{stored}}
"""

COPIES_OF_A_FILE: Final = """\
- Beside the database lies a list with a keyed hash for each erasure. It does not show your id, but the bot recognizes
  your id by it when a database is restored from a backup, and erases you there, too.
- What is erased or deleted is overwritten in the database at once. Bytes of it that are left in unused parts of the
  file go six hours later, or when the bot starts next.
- The bot copies the database every night, and keeps the last copy of each of 7 days, 4 weeks and 6 months. What is
  erased or deleted stays in old copies for up to six months, or longer if the bot does not run. Only the host can read
  the copies, and may keep others."""

COPIES_ON_A_SERVER: Final = """\
- The database is on a PostgreSQL server. What is erased or deleted stays in the files, the log and the replicas of that
  server until it overwrites them, and in the copies that the host makes. If the host restores such a copy, you are in
  the database again: erase yourself once more."""
"""Paragraph about copies of a database on a PostgreSQL server, which makes none by itself."""

TERMS: Final = """\
# Terms

Palmhouse is free software and comes without any warranty (see LICENSE). Play fair, and follow the rules of your server
and [Discord's terms](https://discord.com/terms). The host may end tables and stop the bot at any time.
"""


def policy(*, server: bool = False) -> str:
    """Return both as one text, for a database in a file or, with `server`, on a PostgreSQL server."""
    stored = "\n\n".join(_tables())
    copies = COPIES_ON_A_SERVER if server else COPIES_OF_A_FILE
    return f"{PRIVACY.format(stored=stored, copies=copies)}\n{TERMS}".rstrip()


def _tables() -> Iterator[str]:
    """Yield a Markdown table for each table of the database that concerns people."""
    for name, table in TABLES.items():
        columns = table.personal().items()
        rows = [
            f"| `{column}` | {declared.purpose} | {declared.kept} | {declared.erasing.value} |"
            for column, declared in columns
        ]
        if rows:
            head = f"### `{name}`: {table.title}\n\n| column | what for | kept | when you erase yourself |"
            yield "\n".join([head, "|---|---|---|---|", *rows])
