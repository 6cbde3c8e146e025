"""What a table's messages say: the card in the channel, the live table, the record of what is over, the call, the end.

Drawn from committed state and the watcher's view alone. `bot.publisher` posts them; `bot.card` keeps one up to date.
"""

import re
from collections.abc import Sequence

from bot.call import Call
from bot.ending import Result, ending, result_line
from bot.face import Face
from bot.narration import BACK, Link, names, taking, turn
from bot.panel import DANGER, PRIMARY, SUCCESS, Item, Panel, box, button, in_words, row, shown, text
from bot.pictures.drawing import pictured
from bot.sitting import Sitting
from bot.story import Page
from bot.table import Table
from bot.timing import spelled
from games import Event

LATELY = 3
"""Lines on the live table about what has just happened: more would push its picture off a phone."""

MOST_VACANT = 2
"""Buttons for seats that were left, beside the others of the row."""


def card(table: Table) -> Panel:
    """The message in the channel where the table was opened: who sits here, then where it is played, then the end."""
    return Panel(box(*_card(table)))


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
    mark = re.fullmatch(rf"hand:{match}:(\d+)", custom_id)
    return int(mark[1]) if mark else None


def _heading(table: Table) -> str:
    return f"-# {table.sitting.game.title} · table {table.id}"


def greets(table: Table) -> bool:
    """Whether the live table calls everybody who sits here to where the match is played: the first one in a thread."""
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
    events = [item.event for item in told.items if item.event and pictures]
    sheets = [sheet for event in events if (sheet := face.sheet(event, who))]
    panel = Panel(text("\n".join(lines)), *(shown(pictured(sheet)) for sheet in sheets[-1:]))
    return panel.illustrate(face.emojis)


# The call


def called(table: Table, call: Call) -> Panel:
    """Show what people are called for, with the buttons to answer it by."""
    rows = [row(*(_door(table, link) for link in part.links)) for part in call.parts if part.links]
    return Panel(text(call.text), *rows)


# The end


def end(table: Table, face: Face, events: Sequence[Event], *, pictures: bool = True) -> Panel:
    """Show how the match ended: the last message where it was played."""
    highlight = table.sitting.game.highlight(events, names(table.sitting))
    return ending(_result(table), highlight, table.id, pictures=pictures).illustrate(face.emojis)


def result(table: Table, link: str) -> Panel:
    """Say in the channel how the match ended, with the link to where it was played."""
    return Panel(text(result_line(_result(table), link)))


def _result(table: Table) -> Result:
    sitting = table.sitting
    outcome = sitting.game.outcome(sitting.state)
    assert outcome is not None
    return Result(sitting.game, sitting.options, outcome, names(sitting))


def moved(table: Table) -> Panel:
    """What is left of a card that was posted anew further down."""
    return Panel(text(f"-# {table.sitting.game.title} · table {table.id} is further down."), _doors(table))


def _card(table: Table) -> list[Item]:
    sitting = table.sitting
    heading = text(f"## {sitting.game.title}\n-# Table {table.id}{settings(table)}")
    seats = sitting.game.seats(sitting.options)
    rows = [f"{seat + 1}. {name}{_role(sitting, seat)}" for seat, name in enumerate(names(sitting))]
    people = text("\n".join(rows) or "Nobody sits here.")
    if sitting.phase != "lobby":
        return [heading, people, text(_progress(table)), _doors(table)]
    least, most = seats.start, seats.stop - 1
    need = f"{least} people" if least == most else f"{least} to {most} people"
    state = "The host can start." if len(rows) in seats else f"It takes {need}."
    buttons = row(
        button("Join", f"join:{table.id}", style=SUCCESS, disabled=len(rows) >= most),
        button("Leave", f"leave:{table.id}"),
        button("Start", f"start:{table.id}", style=PRIMARY, disabled=len(rows) not in seats),
        button("Cancel", f"cancel:{table.id}", style=DANGER),
    )
    return [
        heading,
        people,
        text(f"{len(rows)} of {most} seats taken. {state}"),
        buttons,
        row(button("Add computer", f"computer:{table.id}"), *_looks(table)),
    ]


def _role(sitting: Sitting, seat: int) -> str:
    player = sitting.players[seat]
    if player.strength:
        return f" ({player.strength})"
    if seat in sitting.gone | sitting.away:
        return f" ({'left' if seat in sitting.gone else 'away'}, 🤖 plays)"
    return " (host)" if sitting.phase == "lobby" and player == sitting.host else ""


def _door(table: Table, link: Link) -> Item:
    label, verb, rest = link
    return button(label, f"{verb}:{table.id}:{rest}" if rest else f"{verb}:{table.id}")


def settings(table: Table) -> str:
    """What is not as usual here, and the pace: " · normal mode · no bets · live, 90 seconds a move"."""
    pace = table.sitting.pace
    words = [*table.sitting.options.said(), f"{pace}, {spelled(table.house.times.move(pace))} a move"]
    return "".join(f" · {each}" for each in [*words, *["practice"] * table.sitting.practice])


def _progress(table: Table) -> str:
    sitting = table.sitting
    if sitting.phase == "closed":
        return f"🚪 Closed: {sitting.reason}"
    if sitting.phase == "over":
        return f"🏁 {standings(table)}"
    here = table.match.place in (None, table.match.channel)
    return "The match is on." if here else f"The match is on in <#{table.match.place}>."


def standings(table: Table) -> str:
    """The final placings of a match that is over, one line each, and why it ended."""
    outcome = table.sitting.game.outcome(table.sitting.state)
    assert outcome is not None
    order = sorted(zip(outcome.placings, names(table.sitting), outcome.scores, strict=True))
    rows = [f"**{placing}.** {name}: {score}" for placing, name, score in order]
    return "\n".join([outcome.reason, *rows])


def _doors(table: Table, page: Page | None = None) -> Item:
    """The row of buttons below a table: at most five. Those of a page say which one it is."""
    sitting = table.sitting
    hand = f"hand:{table.id}:{page.first}" if page else f"hand:{table.id}"
    doors = [button("My hand", hand, style=PRIMARY), *_looks(table)]
    if table.is_open and sitting.away:
        doors.append(_door(table, BACK))
    if table.is_open and sitting.phase == "play":
        who = names(sitting)
        vacant = sorted(sitting.gone)[: MOST_VACANT - bool(sitting.away)]
        doors += [_door(table, taking(seat, who[seat])) for seat in vacant]
    if sitting.phase == "over":
        doors.append(button("Rematch", f"rematch:{table.id}", style=SUCCESS))
    return row(*doors)


def _looks(table: Table) -> list[Item]:
    return [button("What beats what", f"reference:{table.id}"), button("Rules", f"rules:{table.id}")]
