"""A replay in words: who played, the point of view, and the whole match as a text file."""

import re
from datetime import UTC, datetime

from bot.dates import day
from bot.match.replay import PUBLIC, PointOfView, Replay, moves_in
from cogs.common.matches import title
from cogs.replay.access import Opened
from games.phrases import scored, with_place

_MENTION = re.compile(r"<@-?\d+>")
_TIME = re.compile(r"<t:(\d+):f>")


def plain(line: str) -> str:
    """Return a line of Markdown as plain text."""
    line = _TIME.sub(lambda found: f"{datetime.fromtimestamp(int(found[1]), UTC):%Y-%m-%d %H:%M} UTC", line)
    return _MENTION.sub("somebody", re.sub(r"\*\*|`|^-# |^#+ ", "", line, flags=re.MULTILINE)).strip()


def view_words(replay: Replay, seats: PointOfView) -> str:
    """Return a point of view in words."""
    if seats == PUBLIC:
        return "what was public"
    return "every hand" if len(seats) > 1 else f"as {replay.everything[-1].names[seats[0]]} saw it"


def shown_words(replay: Replay, seats: PointOfView) -> str:
    """Return a sentence on the point of view: "Shown: every hand."; "" for a match without secrets."""
    return f"Shown: {view_words(replay, seats)}." if replay.has_secrets else ""


def heading(opened: Opened) -> str:
    """Return game, number and date of a match."""
    match = opened.match
    return " · ".join([title(match.game), f"match {match.id}", day(match.ended or match.opened)])


def players(replay: Replay) -> str:
    """Return the players, with placings and scores if the match was finished."""
    names, outcome = replay.everything[-1].names, replay.outcome
    if outcome is None:
        return f"{', '.join(names)}; closed before the end"
    placings, unit = outcome.placings, replay.game.unit(replay.options)
    order = sorted(range(len(names)), key=lambda seat: (placings[seat] == 0, placings[seat], seat))
    # Who has won by staying longer has no score.
    scores = [f", {scored(score, unit)}" for score in outcome.scores] or [""] * len(names)
    return "; ".join(f"{with_place(placings[seat], names[seat])}{scores[seat]}" for seat in order)


def step_lines(replay: Replay, seats: PointOfView) -> list[list[str]]:
    """Return what happened in each step, as plain text."""
    return [[plain(line) for line in replay.lines(step, seats)] for step in replay.steps(seats)]


def text_file(opened: Opened, seats: PointOfView) -> str:
    """Return the whole match as text, from a point of view; only its moves if the rules have changed since."""
    if opened.replay is None:
        head = [heading(opened), "The rules have changed since. These are the moves as they were stored."]
        lines = [[line] for line in moves_in(opened.log)]
    else:
        head = [*filter(None, [heading(opened), players(opened.replay), shown_words(opened.replay, seats)])]
        lines = step_lines(opened.replay, seats)
    width = len(str(len(lines)))
    numbered = (_numbered(number, width, step) for number, step in enumerate(lines, 1))
    return "\n".join([*head, "", *numbered, ""])


def _numbered(number: int, width: int, lines: list[str]) -> str:
    indent = "\n" + " " * (width + 2)
    return f"{number:>{width}}. {indent.join(line for text in lines for line in text.splitlines())}"
