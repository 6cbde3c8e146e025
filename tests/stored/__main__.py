"""Write what is stored of a release.

    python -m tests.stored           everything of the present version, which must not be released yet
    python -m tests.stored record    the public records again, after their wording was changed on purpose

`make release` runs the first one, `make golden` the second one.
"""

import asyncio
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.version import VERSION
from tests.stored.logs import make_logs
from tests.stored.making import make_database
from tests.stored.releases import DATABASE, FACTS, HERE, RECORD, RELEASES, facts_of, record_of, write

CHANGELOG = HERE.parents[1] / "CHANGELOG.md"


def store_release() -> None:
    """Write everything of the present version."""
    if f"## {VERSION}, not yet released" not in CHANGELOG.read_text(encoding="utf-8"):
        sys.exit(f"People have databases of version {VERSION}: what is stored of it stays as it is.")
    (folder := HERE / VERSION).mkdir(exist_ok=True)
    make_database(folder / DATABASE)
    make_logs(folder)
    with TemporaryDirectory() as elsewhere:
        write(asyncio.run(facts_of(copied(folder, Path(elsewhere)))), folder / FACTS)
    store_record(folder)


def store_record(folder: Path) -> None:
    """Write the public record of a release."""
    with TemporaryDirectory() as elsewhere:
        write(asyncio.run(record_of(copied(folder, Path(elsewhere)))), folder / RECORD)


def copied(folder: Path, elsewhere: Path) -> Path:
    """Copy the database of a release, as opening it may change it. Return the copy."""
    return Path(shutil.copy(folder / DATABASE, elsewhere))


if __name__ == "__main__":
    if sys.argv[1:] == ["record"]:
        for each in RELEASES:
            store_record(each)
    else:
        store_release()
