"""The messages where a match is played: the live table, the record of what is over, the call, the end.

Drawn from committed state and the watcher's view alone. `bot.publisher` posts it, `bot.card` keeps the live table up to
date, and `bot.lobby_card` has the card in the channel.
"""

import re
from collections.abc import Sequence

from bot.call import Call
from bot.ending import Result, ending, result_line
from bot.face import Face
from bot.lobby_card import door
from bot.narration import BACK, names, taking, turn
from bot.panel import PRIMARY, SUCCESS, Item, Panel, box, button, in_words, row, shown, text
from bot.pictures.drawing import picture_of
from bot.story import Page
from bot.table import Table
from games import Event

LATELY = 3
"""Lines on the live table about what has just happened: more would push its picture off a phone."""

MOST_VACANT = 2
"""Buttons for seats that were left, beside the others of the row."""


# The live table


def live(table: Table, face: Face, *, pictures: bool = True) -> Panel:
    """Show the table as it stands: picture, what has just happened, whose turn it is, one row of buttons."""
    sitting = table.sitting
    view = sitting.game.view(sitting.state, None)
    items = face.board(view, names(sitting))
    if not pictures:
        items = [in_words(item) for item in items]
    lately = _lately(table)
    kept = _kept(table) if not any(line.startswith("🤖") for line in lately) else []
    below = "\n".join([*lately, *kept, *[turn(sitting)] * (not sitting.game.real_time)])
    panel = Panel(
        box(
            text("\n".join([_heading(table), *_greeting(table)])),
            *items,
            *([text(below)] if below else []),
            *face.controls(view, table.id),
        ),
        _doors(table, table.story.live),
    )
    return panel.illustrate(face.emojis)


def page_of(custom_id: str, match: int) -> int | None:
    """Return the page (the number of its first item) of the live table with this button; None for any other."""
    mark = re.fullmatch(rf"hand:{match}:p(\d+)", custom_id)
    return int(mark[1]) if mark else None


def _heading(table: Table) -> str:
    return f"-# {table.sitting.game.title} · table {table.id}"


def greets(table: Table) -> bool:
    """Return whether the live table calls everybody to the place of the match: the first one in a thread does."""
    return table.story.live.first == 1 and table.match.place not in (None, table.match.channel)


def _greeting(table: Table) -> list[str]:
    if not greets(table):
        return []
    users = [f"<@{table.sitting.players[seat].user}>" for seat in table.sitting.people()]
    return [f"{', '.join(users)}: `My hand` shows your cards, to you alone."] if users else []


def _lately(table: Table) -> list[str]:
    """The last lines of what happened. In a match of real time remarks stand with them."""
    who, page = names(table.sitting), table.story.live
    if not table.sitting.game.real_time:
        return page.lines(table.sitting.game, who)[-LATELY:]
    told = []
    for item in page.items[-2 * LATELY :]:
        line = table.sitting.game.narrate(item.event, who) if item.event else item.line
        remarks = [remark for (n, _), remark in table.remarks.items() if n == item.n]
        told += [" ".join([line, *remarks])] * bool(line)
    return told[-LATELY:]


def _kept(table: Table) -> list[str]:
    """Who is played for."""
    sitting, who = table.sitting, names(table.sitting)
    kept = [name for seat, name in enumerate(who) if seat in sitting.away | sitting.gone]
    return [f"🤖 A computer plays for {', '.join(kept)}."] if kept else []


# What is over


def record(table: Table, page: Page, face: Face, *, pictures: bool = True) -> Panel | None:
    """Tell what happened on a page, in order, and show its score sheet; None when there is nothing to tell."""
    who = names(table.sitting)
    told = Page(page.first, [item for item in page.items if not item.is_result])
    lines = told.lines(table.sitting.game, who)
    if not lines:
        return None
    sheets = [sheet for item in told.items if item.event and (sheet := face.score_sheet(item.event, who))]
    drawn = [shown(picture_of(sheet)) for sheet in sheets[-1:]]
    panel = Panel(text("\n".join(lines)), *(drawn if pictures else map(in_words, drawn)))
    return panel.illustrate(face.emojis)


# The call


def called(table: Table, call: Call) -> Panel:
    """Show what people are called for, with the buttons to answer it by."""
    rows = [row(*(door(table, link) for link in part.links)) for part in call.parts if part.links]
    return Panel(text(call.text), *rows)


# The end


def end(table: Table, face: Face, events: Sequence[Event], *, pictures: bool = True) -> Panel:
    """Show how the match ended: the last message where it was played."""
    highlight = table.sitting.game.highlight(events, names(table.sitting))
    return ending(_result(table), highlight, table.id, pictures=pictures).illustrate(face.emojis)


def result(table: Table, link: str) -> Panel:
    """Say in the channel how the match ended, with the link to where it was played."""
    return Panel(
        text(result_line(_result(table), f"[last table]({link})" if link.startswith("http") else link))
    )


def _result(table: Table) -> Result:
    sitting = table.sitting
    outcome = sitting.game.outcome(sitting.state)
    assert outcome is not None
    return Result(sitting.game, sitting.options, outcome, names(sitting))


def moved(table: Table) -> Panel:
    """Return the rest of a card that was posted anew further down."""
    return Panel(text(f"-# {table.sitting.game.title} · table {table.id} is further down."), _doors(table))


def _doors(table: Table, page: Page | None = None) -> Item:
    """The row of buttons below a table: at most five. Those of a page say which one it is."""
    sitting = table.sitting
    hand = f"hand:{table.id}:p{page.first}" if page else f"hand:{table.id}"
    doors = [button("My hand", hand, style=PRIMARY), *_looks(table)]
    if table.is_open and sitting.away:
        doors.append(door(table, BACK))
    if table.is_open and sitting.phase == "play":
        who = names(sitting)
        vacant = sorted(sitting.gone)[: MOST_VACANT - bool(sitting.away)]
        doors += [door(table, taking(seat, who[seat])) for seat in vacant]
    if sitting.phase == "over":
        doors.append(button("Rematch", f"rematch:{table.id}", style=SUCCESS))
    return row(*doors)


def _looks(table: Table) -> list[Item]:
    return [button("What beats what", f"reference:{table.id}"), button("Rules", f"rules:{table.id}")]
