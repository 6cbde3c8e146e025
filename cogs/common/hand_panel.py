"""The private message with a player's hand. For a match without a place it has the whole table, too."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.client import Palmhouse
from bot.match.announcements import names
from bot.match.names import seat_names
from bot.match.pages import lines
from bot.match.refusal import Refusal
from bot.match.table import BEGINS, CLOSED, LEFT, Table
from bot.messages.answers import OWN
from bot.messages.custom_ids import CustomId
from bot.messages.emojis import LETTERS
from bot.messages.game_ui import MOST_PICKS, NOT_MINE, Form, GameUI, hand_style
from bot.messages.panel import SUCCESS, Item, Panel, button, row, text
from bot.messages.posts import newest, told_at_the_end
from bot.pictures.scene import HandScene
from bot.store import Attempt
from cogs.common.ahead_menu import ahead_items
from cogs.common.daily_result import heading, result_panel
from games.types import Seat

NO_SEAT: Final = "You do not sit at this table, so you have no hand here."
NOBODY_ELSES: Final = (
    "This hand is not yours: it is somebody else's, or you have erased yourself since you got it."
)
MISSING: Final = "People who manage the server find what is missing by `/doctor`."
"""Sentence after one about why a table cannot be shown."""
MOST_LINES: Final = 5
"""Maximum number of lines on what happened since the player's last move."""


async def hand_panel(
    bot: Palmhouse, table: Table, user: int, *, picks: str = "", note: str = "", hint: Sequence[Item] = ()
) -> Panel:
    """Build the present hand of `user`, with a note above it and a hint (a text and a button) below. When a daily deal
    is over, build its result instead, and at a closed table the reason. Raises Refusal for a person without a seat."""
    style = hand_style(await bot.store.preferences(user))
    placeless = table.match.placeless
    attempt = await bot.store.attempt_of(table.id) if placeless else None
    if table.state.phase == "over" and not placeless:
        seat_at(table, user)
        _, substituted = await bot.tables.played(table.id)
        said = text("\n".join(filter(None, [_heading(table, None), note])))
        return Panel(said, told_at_the_end(table, substituted))
    if table.state.phase == "closed" and attempt is None:
        seat_at(table, user)
        parts = [_heading(table, None), note, CLOSED.format(table.state.reason)]
        return Panel(text("\n".join(dict.fromkeys(filter(None, parts)))))  # a refusal may have said it
    # From here on nothing is awaited before the panel of a hand, so that it shows one moment.
    state, seat = table.state, seat_at(table, user)
    items: list[Item] = [
        text("\n".join(filter(None, [_heading(table, attempt), note, _trouble(bot, table)])))
    ]
    # A text hand says it itself, and a note of two lines what the move has led to.
    if style.pictures and not placeless and (told := _recap(table, user, noted="\n" in note)):
        items.append(text(told))
    if state.game_state is None:
        items.append(text(BEGINS if table.is_seated else "The match has not begun yet: the host starts it."))
        return Panel(*items)
    ui = bot.game_uis[table.match.game]
    emojis = ui.emojis if style.pictures else LETTERS
    if placeless and not hint:  # a large hand leaves no room for both
        items += _lately(table, user, result=attempt is None)
    if attempt is not None and not table.is_open:
        # The match may have ended after the attempt was read.
        attempt = await bot.store.attempt_of(table.id) or attempt
        return (await result_panel(bot, table, attempt, items, pictures=style.pictures)).illustrate(emojis)
    form = replace(form_of(table, seat, picks), style=style, emojis=emojis)
    view, who = view_of(table, seat), names(state)
    if placeless and style.pictures:
        items += board(ui, state.game_state, who, ui.looks.hand(view, who, form), seat)
    items += ui.hand(view, who, form)
    items += ahead_items(table, seat, ui, view)
    if seat in state.away:
        items.append(text("🤖 A computer plays for you."))
    return Panel(*items, *hint[:1], row(*hint[1:], *_buttons(table, seat, picks))).illustrate(emojis)


def view_of(table: Table, seat: Seat) -> object:
    """Return what the seat may know."""
    return table.state.game.view(table.state.game_state, seat)


def form_of(table: Table, seat: Seat, picks: str) -> Form:
    """Return the form of the seat's present decision. Raises Refusal for picks that the bot does not write."""
    if len(picks) > MOST_PICKS or ":" in picks:
        raise Refusal(NOT_MINE)
    may = [] if table.state.strength_at(seat) else table.state.legal(seat)
    return Form(table.id, table.state.prompts[seat], may, picks)


def seat_at(table: Table, user: int, *, no_seat: str = NO_SEAT) -> Seat:
    """Return the person's seat. Raises Refusal, for a person without one with the text `no_seat`, and when they have
    left it."""
    seat = table.state.seat_of(user)
    if seat is None:
        # A match without a place cannot be watched.
        raise Refusal(NOBODY_ELSES if table.match.placeless else table.lost_seat(user) or no_seat)
    if table.is_open and seat in table.state.gone:
        raise Refusal(LEFT)
    return seat


def _heading(table: Table, attempt: Attempt | None) -> str:
    title = table.state.game.title
    if attempt is not None:
        return f"-# {heading(attempt.day)}"
    return f"-# {title} · practice" if table.match.placeless else f"-# {title} · table {table.id}"


def _trouble(bot: Palmhouse, table: Table) -> str:
    trouble = bot.publisher.venue.troubles.get(table.id)
    if trouble is None:
        return ""
    return f"{trouble} {MISSING}" if table.match.guild else trouble


def board(ui: GameUI, game_state: object, who: Sequence[str], hand: HandScene | None, own: int) -> list[Item]:
    """Return the table as a picture, with the person's `own` seat at the bottom; only the scores when a strip in the
    picture of the hand shows the table: two pictures are higher than a phone."""
    view = ui.game.view(game_state, None)
    if hand is None or hand.strip is None:
        return ui.board(view, who, own)
    if hand.bands:  # with the scores
        return []
    scene = ui.looks.table(view, who)
    scores = [f"{seat.name} {seat.score}" for seat in scene.seats if seat.score] if scene else []
    return [text(f"-# {' · '.join(scores)} {scene.unit}")] if scores and scene else []


def _lately(table: Table, user: int, *, result: bool) -> list[Item]:
    """Return what happened in public since the person's last move, that move included; with the result of the match
    only if `result` is True."""
    items = [item for item in table.pages.recent if item.n >= table.state.acted.get(user, 0)]
    items = [item for item in items if result or not item.is_result]
    shown = newest(lines(items, table.state.game), MOST_LINES)
    return [text("\n".join(shown))] if shown else []


def _recap(table: Table, user: int, *, noted: bool) -> str:
    """Return how the last trick, round or deal ended, until the person has moved in the next one."""
    ended, game = table.state.ended, table.state.game
    if ended is None or table.state.acted.get(user, 0) + noted > ended.n:
        return ""
    return "\n".join(game.record.recap(event, seat_names(ended.players)) for event in ended.told)


def has_hint(table: Table, seat: Seat) -> bool:
    """Return whether there can be a hint now: not for a seat that may act, but need not."""
    state = table.state
    asked = state.game.real_time or seat in state.awaited()
    return state.practice and asked and bool(state.legal(seat))


def _buttons(table: Table, seat: Seat, picks: str) -> list[Item]:
    """Return the buttons below a form; those that show it again have its picks."""
    state, placeless = table.state, table.match.placeless
    asked = f"{state.prompts[seat]}:{picks}"
    buttons = []
    if seat in state.away:
        buttons.append(button("I'm back", CustomId("back", table.id), style=SUCCESS))
    elif state.legal(seat):
        buttons.append(button("Type a move", CustomId("type", table.id, asked)))
    # The rules lead to what beats what, and all buttons fit one row of a phone.
    if placeless:
        buttons.append(button("Rules", CustomId("rules", table.id)))
    else:
        buttons.append(button(table.state.game.reference_title, CustomId("reference", table.id, OWN)))
    if has_hint(table, seat):
        buttons.append(button("Hint", CustomId("hint", table.id, asked)))
    return buttons
