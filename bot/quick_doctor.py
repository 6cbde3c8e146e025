"""`python -m bot doctor --quick` by itself. Containers run it every minute, so it imports as little as it can."""

import sys
from collections.abc import Sequence

from bot.hosting.doctor.checks import quick
from bot.hosting.doctor.finding import as_json, as_text, split, status
from bot.settings import DATABASE, SettingsRefused, load_well_formed


def main(arguments: Sequence[str]) -> int:
    """Print the findings and return the exit status."""
    try:
        settings, wrong = load_well_formed()
        findings = [split("settings", each) for each in wrong.values()] + [
            *quick(settings.database_path or DATABASE)
        ]
    except SettingsRefused as refusal:
        findings = [split("settings", str(refusal))]
    sys.stdout.write(f"{as_json(findings) if '--json' in arguments else as_text(findings, quick=True)}\n")
    return status(findings, quick=True)
