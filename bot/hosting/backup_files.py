"""The files of backups: their folder, and the time in their names."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

FOLDER: Final = "backups"
"""Name of the folder for backups, beside the database."""
MINUTE: Final = "%Y-%m-%dT%H%MZ"
"""Form of the time in names of files (see `utc_minute`)."""
OLD: Final = timedelta(hours=26)
"""Age from which the last backup is old: a day, and two hours for the backup itself."""


def last_good_backup(path: Path) -> datetime | None:
    """Return the minute of the newest backup of a database in its usual folder, made by the bot or by the host's
    `python -m bot backup`. Return None when there is none. Copies with faults do not count. Raises OSError."""
    return max(filter(_is_past, backups(path, "(?:nightly-)?")), default=None)


def backups(path: Path, mark: str) -> dict[datetime, Path]:
    """Return the copies of a database by the minute in their names. `mark` is a pattern for what is before it. Raises
    OSError."""
    form = re.compile(
        rf"{re.escape(path.stem)}-{mark}(\d{{4}}-\d\d-\d\dT\d{{4}})(\d\d)?Z{re.escape(path.suffix)}"
    )
    return {minute: file for minute, file in _named(path.parent / FOLDER, form) if file.is_file()}


def _named(folder: Path, form: re.Pattern[str]) -> Iterator[tuple[datetime, Path]]:
    for file in folder.iterdir() if folder.is_dir() else ():
        if (found := form.fullmatch(file.name)) is not None:
            try:
                yield datetime.strptime(f"{found[1]}Z", MINUTE).replace(tzinfo=UTC), file
            except ValueError:  # a 13th month: no name of ours
                continue


def _is_past(made: datetime) -> bool:
    return made <= datetime.now(UTC)
