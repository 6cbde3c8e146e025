"""The messages where a match is played: the live table, the record of what is over, the call, the end.

Drawn from committed state and the watcher's view alone. `publisher` posts them, `live_message` keeps the live table up
to date, and `lobby_card` has the card in the channel.
"""

from collections.abc import Sequence

from bot.match.announcements import BACK, names, taking, turn
from bot.match.call import Call
from bot.match.pages import Page
from bot.match.table import Table
from bot.messages.custom_ids import CustomId, number
from bot.messages.ending import Result, ending, result_line
from bot.messages.game_ui import GameUI
from bot.messages.lobby_card import link_button
from bot.messages.panel import PRIMARY, SUCCESS, Item, Panel, box, button, in_words, row, shown, text
from bot.pictures.drawing import picture_of
from games import Event

LATELY = 3
"""Lines on the live table about what has just happened: more would push its picture off a phone."""

MOST_VACANT = 2
"""Buttons for seats that were left, beside the others of the row."""


# The live table


def live(table: Table, ui: GameUI, *, pictures: bool = True) -> Panel:
    """Show the table as it stands: picture, what has just happened, whose turn it is, one row of buttons."""
    state = table.state
    view = state.game.view(state.game_state, None)
    items = ui.board(view, names(state))
    if not pictures:
        items = [in_words(item) for item in items]
    lately = _lately(table)
    kept = _kept(table) if not any(line.startswith("🤖") for line in lately) else []
    below = "\n".join([*lately, *kept, *[turn(state)] * (not state.game.real_time)])
    panel = Panel(
        box(
            text("\n".join([_heading(table), *_greeting(table)])),
            *items,
            *([text(below)] if below else []),
            *ui.controls(view, table.id),
        ),
        _buttons(table, table.story.live),
    )
    return panel.illustrate(ui.emojis)


def page_of(custom_id: CustomId, match: int) -> int | None:
    """Return the page (the number of its first item) of the live table with this button; None for any other."""
    if (custom_id.verb, custom_id.match, custom_id.rest[:1]) != ("hand", match, "p"):
        return None
    return number(custom_id.rest[1:])


def _heading(table: Table) -> str:
    return f"-# {table.state.game.title} · table {table.id}"


def greets(table: Table) -> bool:
    """Return whether the live table calls everybody to the place of the match: the first one in a thread does."""
    return table.story.live.first == 1 and table.match.place not in (None, table.match.channel)


def _greeting(table: Table) -> list[str]:
    if not greets(table):
        return []
    users = [f"<@{table.state.players[seat].user}>" for seat in table.state.people()]
    return [f"{', '.join(users)}: `My hand` shows your cards, to you alone."] if users else []


def _lately(table: Table) -> list[str]:
    """The last lines of what happened. In real time, notes on them are added."""
    who, page = names(table.state), table.story.live
    if not table.state.game.real_time:
        return page.lines(table.state.game, who)[-LATELY:]
    told = []
    for item in page.items[-2 * LATELY :]:
        line = table.state.game.narrate(item.event, who) if item.event else item.line
        notes = [note for (n, _), note in table.board_notes.items() if n == item.n]
        told += [" ".join([line, *notes])] * bool(line)
    return told[-LATELY:]


def _kept(table: Table) -> list[str]:
    """Who is played for."""
    state, who = table.state, names(table.state)
    kept = [name for seat, name in enumerate(who) if seat in state.away | state.gone]
    return [f"🤖 A computer plays for {', '.join(kept)}."] if kept else []


# What is over


def record(table: Table, page: Page, ui: GameUI, *, pictures: bool = True) -> Panel | None:
    """Tell what happened on a page, in order, and show its score sheet; None when there is nothing to tell."""
    who = names(table.state)
    told = Page(page.first, [item for item in page.items if not item.is_result])
    lines = told.lines(table.state.game, who)
    if not lines:
        return None
    sheets = [sheet for item in told.items if item.event and (sheet := ui.score_sheet(item.event, who))]
    drawn = [shown(picture_of(sheet)) for sheet in sheets[-1:]]
    panel = Panel(text("\n".join(lines)), *(drawn if pictures else map(in_words, drawn)))
    return panel.illustrate(ui.emojis)


# The call


def called(table: Table, call: Call) -> Panel:
    """Show what people are called for, with the buttons to answer it by."""
    rows = [row(*(link_button(table, link) for link in part.links)) for part in call.parts if part.links]
    return Panel(text(call.text), *rows)


# The end


def end(table: Table, ui: GameUI, events: Sequence[Event], *, pictures: bool = True) -> Panel:
    """Show how the match ended: the last message where it was played."""
    highlight = table.state.game.highlight(events, names(table.state))
    return ending(_result(table), highlight, table.id, pictures=pictures).illustrate(ui.emojis)


def result(table: Table, link: str) -> Panel:
    """Say in the channel how the match ended, with the link to where it was played."""
    return Panel(
        text(result_line(_result(table), f"[last table]({link})" if link.startswith("http") else link))
    )


def _result(table: Table) -> Result:
    state = table.state
    outcome = state.game.outcome(state.game_state)
    assert outcome is not None
    return Result(state.game, state.options, outcome, names(state))


def moved(table: Table) -> Panel:
    """Return the rest of a card that was posted anew further down."""
    return Panel(text(f"-# {table.state.game.title} · table {table.id} is further down."), _buttons(table))


def _buttons(table: Table, page: Page | None = None) -> Item:
    """The row of buttons below a table: at most five. Those of a page say which one it is."""
    state = table.state
    hand = CustomId("hand", table.id, f"p{page.first}" if page else "")
    buttons = [button("My hand", hand, style=PRIMARY), *_looks(table)]
    if table.is_open and state.away:
        buttons.append(link_button(table, BACK))
    if table.is_open and state.phase == "play":
        who = names(state)
        vacant = sorted(state.gone)[: MOST_VACANT - bool(state.away)]
        buttons += [link_button(table, taking(seat, who[seat])) for seat in vacant]
    if state.phase == "over":
        buttons.append(button("Rematch", CustomId("rematch", table.id), style=SUCCESS))
    return row(*buttons)


def _looks(table: Table) -> list[Item]:
    return [
        button("What beats what", CustomId("reference", table.id)),
        button("Rules", CustomId("rules", table.id)),
    ]
