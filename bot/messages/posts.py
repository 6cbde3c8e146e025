"""The content of the messages where a match is played: live table, record, call and last message.

It is made from committed state and a watcher's view alone. `publisher` posts it, `live_message` keeps the live table up
to date, and `lobby_card` has the content of the card in the channel.
"""

import re
from collections.abc import Collection, Mapping, Sequence

from bot.match.announcements import BACK, final_names, names, taking, turn
from bot.match.call import Call, whereabouts
from bot.match.names import seat_names
from bot.match.pages import LEFT_OUT, MOST_SHOWN, Page, lines
from bot.match.results import RatingNote
from bot.match.table import Table
from bot.messages.custom_ids import CustomId, number
from bot.messages.ending import Course, MatchResult, ending, result_line, winner
from bot.messages.game_ui import GameUI
from bot.messages.lobby_card import link_button
from bot.messages.panel import (
    MOST_TEXT,
    SUCCESS,
    Item,
    Panel,
    box,
    button,
    hand_button,
    in_words,
    row,
    shown,
    text,
)
from bot.pictures.drawing import picture_of
from games import Event
from games.types import with_seats

LATELY = 3
"""Maximum number of lines about the last events on the live table: more would push its picture off a phone."""
SINCE = 10
"""Maximum number of these lines by correspondence, where people read what happened since they last looked."""

MOST_LETTERS = 1_200
"""Maximum number of characters of such lines in one message, before emojis make them longer."""

DEPARTURES = ("👋", "🤖 A computer plays for", "🤖 Computers play for")
"""Beginnings of lines of the record that say who is away."""
HANDS = "`My hand` shows what you hold, to you alone."
"""Sentence for the people of a table, in a game of hidden cards."""

MOST_VACANT = 2
"""Maximum number of buttons that take a vacant seat. The other buttons of the row need the rest of its room."""


# The live table


def live(table: Table, ui: GameUI, *, pictures: bool = True) -> Panel:
    """Build the live table: picture, the last events, the player to act, one row of buttons."""
    state = table.state
    view = state.game.view(state.game_state, None)
    items = ui.board(view, names(state), _only_person(table))
    if not pictures:
        items = [in_words(item) for item in items]
    lately = _lately(table, ui)
    absent = _played_for(table, [line for line in lately if line.startswith(DEPARTURES)])
    asleep = whereabouts(state, table.hours)
    below = "\n".join(filter(None, [turn(state), *asleep, *lately, *absent]))
    panel = Panel(
        box(
            text("\n".join([_heading(table), *_greeting(table)])),
            *items,
            *([text(below)] if below else []),
            *ui.controls(view, table.id),
        ),
        _buttons(table, table.pages.live),
    )
    return panel.illustrate(ui.emojis)


def _only_person(table: Table) -> int | None:
    """Return the seat of the person who practises here and alone sees the table; None at other tables."""
    people = [seat for seat, player in with_seats(table.state.players) if player.user]
    return people[0] if table.state.practice and len(people) == 1 else None


def page_of(custom_id: CustomId, match: int) -> int | None:
    """Return the page (by the number of its first item) whose live table has this button; None for other buttons."""
    if (custom_id.verb, custom_id.match, custom_id.rest[:1]) != ("hand", match, "p"):
        return None
    return number(custom_id.rest[1:])


def _heading(table: Table) -> str:
    return f"-# {table.state.game.title} · table {table.id}"


def greets(table: Table) -> bool:
    """Return whether the live table mentions everybody: True for the first one in a thread."""
    return table.pages.live.first == 1 and table.match.place not in (None, table.match.channel)


def _greeting(table: Table) -> list[str]:
    how = table.state.game.how(table.state.options)
    users = [f"<@{table.state.players[seat].user}>" for seat in table.state.people()] if greets(table) else []
    if users:
        return [f"{', '.join(users)}: {how or HANDS}"]
    return [how] if how else []


def _lately(table: Table, ui: GameUI) -> list[str]:
    """Return the last lines about the round or deal, those on the page before included; in real time with notes, and
    without what the picture shows."""
    game, page = table.state.game, table.pages.live
    if not game.real_time:
        most = SINCE if table.state.pace == "correspondence" else LATELY
        return newest(lines([*table.pages.lead, *page.items], game), most)
    found = list[str]()
    for item in reversed(page.items):  # most hands say nothing
        if len(found) == LATELY:
            break
        line = item.line
        notes = {seat: note for (n, seat), note in table.board_notes.items() if n == item.n}
        if item.event and (told := ui.told(item.event, notes)):
            line = game.words.narrate(told, seat_names(item.players))
        found += [" ".join([line, *notes.values()])] * bool(line)
    return found[::-1]


def newest(said: Sequence[str], most: int) -> list[str]:
    """Return the last lines: at most that many, and with at most MOST_LETTERS characters."""
    shown = [*said][-most:]
    while sum(map(len, shown)) > MOST_LETTERS:
        del shown[0]
    return shown


def _played_for(table: Table, said: Sequence[str]) -> list[str]:
    """Return a line for each player in whose seat a computer plays, if no line of `said` names them."""
    state = table.state
    return [
        f"👋 {name} left. A computer plays on." if seat in state.gone else f"🤖 A computer plays for {name}."
        for seat, name in with_seats(seat_names(state.players))
        if seat in state.away | state.gone and not any(_says_away(line, name) for line in said)
    ]


def _says_away(line: str, name: str) -> bool:
    """Return whether a line of DEPARTURES is about the player with this name, which may begin the name of another."""
    return re.search(f"(?:👋|for|,|and) {re.escape(name)}(?:,| and| left| until)", line) is not None


# The record


def record(
    table: Table, page: Page, ui: GameUI, *, pictures: bool = True, buttons: bool = False
) -> Panel | None:
    """Build the record of a page: its lines, in order, and its last score sheet; with the buttons of the table while
    the next one is not posted. Return None if there are no lines."""
    shown_page = Page(page.first, [item for item in page.items if not item.is_result])
    sheets = [
        sheet
        for item in shown_page.items
        if item.event and (sheet := ui.looks.score_sheet(item.event, seat_names(item.players)))
    ]
    last = [picture_of(sheet) for sheet in sheets[-1:]]
    # Its alt text stands in its place where it is late or not allowed.
    room = MOST_TEXT - LEFT_OUT - sum(len(sheet.alt) for sheet in last)
    said = shown_page.lines(table.state.game, min(MOST_SHOWN, room))
    if not said:
        return None
    drawn = [*map(shown, last)]
    below = [_buttons(table, page)] * buttons
    panel = Panel(text("\n".join(said)), *(drawn if pictures else map(in_words, drawn)), *below)
    return panel.illustrate(ui.emojis)


# The call


def called(table: Table, call: Call) -> Panel:
    """Build a call: its text, and the buttons with which to answer it. By these a lost one is found again."""
    rows = [row(*(link_button(table, link) for link in part.links)) for part in call.parts if part.links]
    if any(part.to_move for part in call.parts):
        rows.insert(0, row(hand_button(table.id)))
    return Panel(text(call.text), *rows)


# The end


def end(
    table: Table,
    ui: GameUI,
    events: Sequence[Event],
    substituted: Collection[int],
    milestones: Mapping[int, Sequence[str]],
    ratings: Sequence[RatingNote],
    *,
    pictures: bool = True,
) -> Panel:
    """Build the last message of a match, for the place where it was played. `events` are all public ones, `substituted`
    the seats that were left to computers, `milestones` those that people have earned, by seat."""
    state, final = table.state, _result(table, substituted)
    labels = {note.seat: note.label for note in ratings if note.label}
    # Of a match that was not played to its end, a game tells no course.
    course = (
        Course(ratings=labels)
        if state.winner
        else Course(
            state.game.record.highlight(events, final.names),
            state.game.record.scores_by_round(events, state.options),
            labels,
        )
    )
    people = _people(names(state), milestones, ratings)
    return ending(final, course, table.id, people, pictures=pictures).illustrate(ui.emojis)


def _people(
    who: Sequence[str], milestones: Mapping[int, Sequence[str]], ratings: Sequence[RatingNote]
) -> list[str]:
    """Return a line for each person with a new rating or a milestone, in the order of `ratings`."""
    rated = {note.seat: note.line for note in ratings}
    return [
        " · ".join([rated.get(seat) or who[seat], *(f"🌟 {earned}" for earned in milestones.get(seat, ()))])
        for seat in dict.fromkeys([*rated, *sorted(milestones)])
    ]


def told_at_the_end(table: Table, substituted: Collection[int]) -> Item:
    """Build what a hand ends with: who has won. It needs no buttons, as the last message comes below it."""
    final = _result(table, substituted)
    return text("\n-# ".join(filter(None, [winner(final), final.outcome.reason])))


def result(table: Table, substituted: Collection[int], link: str) -> Panel:
    """Build the result for the channel, with the link to the place where the match was played."""
    to = f"[see how it ended]({link})" if link.startswith("http") else link
    return Panel(text(result_line(_result(table, substituted), to)))


def _result(table: Table, substituted: Collection[int]) -> MatchResult:
    state = table.state
    return MatchResult(state.game, state.options, state.outcome(), final_names(state, substituted))


def moved(table: Table) -> Panel:
    """Build what an old card shows after it was posted again further down. It is edited no more, so it has only buttons
    that always work."""
    further = text(f"-# {table.state.game.title} · table {table.id} is further down.")
    return Panel(further, row(hand_button(table.id), *_lookups(table)))


def _buttons(table: Table, page: Page) -> Item:
    """Build the row of at most five buttons below a table. The button `My hand` has the number of its page."""
    state = table.state
    buttons = [hand_button(table.id, f"p{page.first}"), *_lookups(table)]
    if table.is_open and state.away:
        buttons.append(link_button(table, BACK))
    if table.is_open and state.phase == "play":
        who = seat_names(state.players)
        vacant = state.vacant[: MOST_VACANT - bool(state.away)]
        buttons += [link_button(table, taking(seat, who[seat])) for seat in vacant]
    if state.phase == "over":
        buttons.append(button("Rematch", CustomId("rematch", table.id), style=SUCCESS))
    return row(*buttons)


def _lookups(table: Table) -> list[Item]:
    return [
        button(table.state.game.reference_title, CustomId("reference", table.id)),
        button("Rules", CustomId("rules", table.id)),
    ]
