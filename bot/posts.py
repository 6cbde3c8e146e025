"""What is posted where a match is played: its board, words on what happens. (`bot.lobby_card` has the card.) Drawn from
committed state and the watcher's view; `bot.publisher` posts it, and `bot.card` keeps a message up to date."""

from bot.face import Face
from bot.lobby_card import card, door, vacant
from bot.narration import BACK, Told, names
from bot.panel import PRIMARY, SUCCESS, Item, Panel, box, button, in_words, row, shown, text
from bot.pictures.drawing import pictured
from bot.table import Table


def board(table: Table, face: Face, *, pictures: bool = True) -> Panel:
    """The live table: everything public, and the way to one's own hand. Without `pictures` in words alone."""
    sitting = table.sitting
    if sitting.state is None:
        return card(table, face, pictures=pictures)
    view = sitting.game.view(sitting.state, None)
    items = face.board(view, names(sitting))
    if not pictures:
        items = [in_words(item) for item in items]
    controls = face.controls(view, table.id) if table.is_open else []
    lines = [
        f"### {sitting.game.title} · table {table.id}{_standing(table)}",
        *_kept(table),
        *map(str, table.lately),
    ]
    panel = Panel(box(text("\n".join(lines)), *items, *controls), _doors(table), *vacant(table))
    return panel.illustrate(face.emojis)


def more(table: Table, face: Face, *, pictures: bool = True) -> Panel:
    """What the board has no room for, in a message of its own."""
    sitting = table.sitting
    view = sitting.game.view(sitting.state, None)
    items = face.more(view, names(sitting), table.id) if table.is_open else []
    if not pictures:
        items = [in_words(item) for item in items]
    goes_on = "goes on here." if items else "has room enough above."
    return Panel(text(f"-# {sitting.game.title} · table {table.id} {goes_on}"), *items)


def word(table: Table, told: Told, face: Face, *, pictures: bool = True) -> Panel:
    """A public message about what happened, scores as a picture too, and the way to one's own hand."""
    events = told.events if pictures else ()
    sheets = [sheet for event in events if (sheet := face.sheet(event, names(table.sitting)))]
    hand = button("My hand", f"hand:{table.id}:{told.number}", style=PRIMARY)
    doors = row(hand, *(door(table, each) for each in told.doors))
    panel = Panel(*(shown(pictured(sheet)) for sheet in sheets[:1]), text(told.text), doors)
    return panel.illustrate(face.emojis)


def settled(said: str, verdict: str, hand: str) -> Panel:
    """What is left of a vote: the question that was `said`, how it ended, and the button with the custom id `hand`."""
    return Panel(text(f"{said}\n**This is settled.** {verdict}"), row(button("My hand", hand, style=PRIMARY)))


def moved(table: Table) -> Panel:
    """What is left of a card that was posted anew further down."""
    return Panel(text(f"-# {table.sitting.game.title} · table {table.id} is further down."), _doors(table))


def _kept(table: Table) -> list[str]:
    """Who is played for."""
    sitting, who = table.sitting, names(table.sitting)
    kept = [name for seat, name in enumerate(who) if seat in sitting.away | sitting.gone]
    return [f"🤖 A computer plays for {', '.join(kept)}."] if kept and table.is_open else []


def _standing(table: Table) -> str:
    return {"closed": " · closed", "over": " · over"}.get(table.sitting.phase, "")


def _doors(table: Table) -> Item:
    doors = [button("My hand", f"hand:{table.id}", style=PRIMARY), *_looks(table)]
    if table.is_open and table.sitting.away:
        doors.append(door(table, BACK))
    if table.sitting.phase == "over":
        doors.append(button("Rematch", f"rematch:{table.id}", style=SUCCESS))
    return row(*doors)


def _looks(table: Table) -> list[Item]:
    return [button("What beats what", f"reference:{table.id}"), button("Rules", f"rules:{table.id}")]
