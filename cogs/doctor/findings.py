"""Findings of the doctor, and the panel that lists them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.hosting.doctor.finding import SIGNS, Level
from bot.messages.custom_ids import CustomId
from bot.messages.panel import MOST_TEXT, Panel, button, row, text
from bot.program import PROGRAM
from games.phrases import counted

HOST: Final = "The host of the bot finds the cause in its log."
LEFT_OFF: Final = "-# The rest does not fit here."


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked.

    `what` is a sentence about it, `remedy` a sentence about who can repair it and how; empty when all is well.
    """

    state: Level
    what: str
    remedy: str = ""

    @property
    def line(self) -> str:
        return f"{SIGNS[self.state]} {self.what}"


UNREAD: Final = Finding(
    Level.FAULT,
    "The database cannot be read.",
    f"The host of the bot runs `{PROGRAM} doctor`, which says why, and what to do.",
)


def findings_panel(title: str, findings: Sequence[Finding], footnotes: Sequence[str], page: str) -> Panel:
    """Build the list of the findings, worst first, with a button that checks again. `page` names what is checked."""
    order = [Level.FAULT, Level.WARNING, Level.OK]
    lines = _lines(sorted(findings, key=lambda each: order.index(each.state)))
    head = f"### {title}\n{_summary(findings)}"
    return Panel(
        text(_fitting([head, *lines, *(f"-# {note}" for note in footnotes)])),
        row(button("Check again", CustomId("doctor", 0, page))),
    )


def _lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the findings in Markdown. A remedy that several in a row share stands below the last of them."""
    for finding, following in zip(findings, [*findings[1:], None], strict=True):
        if finding.remedy and (following is None or following.remedy != finding.remedy):
            yield f"{finding.line}\n-# {finding.remedy}"
        else:
            yield finding.line


def _summary(findings: Sequence[Finding]) -> str:
    order = (Level.FAULT, Level.WARNING)
    faults, warnings = (sum(each.state is state for each in findings) for state in order)
    if not faults and not warnings:
        return "All is well."
    parts = [counted(faults, "fault"), counted(warnings, "warning")]
    return f"**{', '.join(part for part, number in zip(parts, (faults, warnings), strict=True) if number)}**"


def _fitting(lines: list[str]) -> str:
    """Join the lines, without the last ones if they are too long for a message."""
    room = MOST_TEXT - len(LEFT_OFF) - 1
    if len("\n".join(lines)) <= MOST_TEXT:
        return "\n".join(lines)
    while len("\n".join(lines)) > room:
        lines.pop()
    return "\n".join([*lines, LEFT_OFF])
