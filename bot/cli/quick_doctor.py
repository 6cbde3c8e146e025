"""`python -m bot doctor --quick` by itself. Containers run it every minute, so it imports as little as it can."""

import sys
from collections.abc import Sequence
from pathlib import Path

from bot.cli.settings import Settings, SettingsRefused, database, load_well_formed
from bot.hosting.doctor.checks import quick
from bot.hosting.doctor.finding import Finding, as_json, as_text, split, status


def of_database(settings: Settings, *, is_sandbox: bool = False) -> list[Finding]:
    """Check whether the database and a bot that uses it are well: within a second, or some if it seems to hang."""
    where = database(settings, is_sandbox=is_sandbox)
    if isinstance(where, Path):
        return [*quick(where)]
    from bot.hosting.doctor.postgresql import of_postgresql  # here, as few need psycopg

    return of_postgresql(where)


def main(arguments: Sequence[str]) -> int:
    """Print the findings and return the exit status."""
    try:
        settings, wrong = load_well_formed()
        findings = [split("settings", each) for each in wrong.values()] + of_database(settings)
    except SettingsRefused as refusal:
        findings = [split("settings", str(refusal))]
    sys.stdout.write(f"{as_json(findings) if '--json' in arguments else as_text(findings, quick=True)}\n")
    return status(findings, quick=True)
