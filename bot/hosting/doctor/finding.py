"""Findings of checks, and their output as text and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final


class Level(StrEnum):
    """Severity of a finding."""

    OK = "ok"
    SKIPPED = "skipped"
    """It could not be checked."""
    WARNING = "warning"
    """The bot plays, but something is missing or may fail later."""
    FAULT = "fault"
    """The bot cannot play."""


SIGNS: Final = {Level.OK: "✓", Level.SKIPPED: "–", Level.WARNING: "!", Level.FAULT: "✗"}


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    name: str
    """Subject of the check, in one or two words."""
    state: Level
    what: str
    """Sentence about what was found."""
    remedy: str = ""
    """Sentence about what to do; empty when there is nothing to do."""


def split(name: str, said: str) -> Finding:
    """Return a fault from a text that ends with the remedy, as the text of StoreRefused does."""
    separator = ". " if ". " in said else "; "
    what, _, remedy = said.rstrip(".").rpartition(separator)
    return Finding(
        name, Level.FAULT, f"{what or remedy}.", f"{remedy[0].upper()}{remedy[1:]}." if what else ""
    )


def status(findings: Sequence[Finding], *, quick: bool = False) -> int:
    """Return the exit status: 0 when all is well, 1 for warnings, 2 for faults. `quick`: 0 for warnings, too."""
    states = {finding.state for finding in findings}
    if Level.FAULT in states:
        return 2
    # Container engines take every status but 0 for a bot that hangs.
    return int(Level.WARNING in states and not quick)


def as_text(findings: Sequence[Finding], *, quick: bool = False) -> str:
    """Return a line for each finding, its remedy below it, and a sentence at the end. `quick`: not all was checked."""
    width = max(len(finding.name) for finding in findings)
    lines = []
    for finding in findings:
        lines.append(f"{SIGNS[finding.state]} {finding.name:{width}}  {finding.what}")
        if finding.remedy:
            lines.append(f"{'':{width + 2}}  {finding.remedy}")
    return "\n".join([*lines, "", _conclusion(findings, quick)])


def _conclusion(findings: Sequence[Finding], quick: bool) -> str:
    counts = [
        f"{number} {state}{'s' if number > 1 else ''}"
        for state in (Level.FAULT, Level.WARNING)
        if (number := sum(finding.state is state for finding in findings))
    ]
    if counts:
        return f"Found {' and '.join(counts)}."
    is_whole = not quick and all(finding.state is Level.OK for finding in findings)
    return "All is well." if is_whole else "Nothing wrong in what was checked."


def as_json(findings: Sequence[Finding]) -> str:
    """Return the findings as a JSON list of objects with the keys `name`, `state`, `what` and `remedy`."""
    return json.dumps([asdict(finding) for finding in findings], ensure_ascii=False, indent=2)
