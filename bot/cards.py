"""How the cards of a table look: the lobby and the live table. Drawn from committed state and the watcher's view."""

from bot.face import Face
from bot.narration import Told, names
from bot.panel import DANGER, PRIMARY, SUCCESS, Item, Panel, box, button, in_words, row, shown, text
from bot.pictures.drawing import pictured
from bot.table import Table


def card(table: Table) -> Panel:
    """The message in the channel where the table was opened: who sits here, then where it is played, then the end."""
    return Panel(box(*_card(table)))


def board(table: Table, face: Face, *, pictures: bool = True) -> Panel:
    """The live table: everything public, and the way to one's own hand. Without `pictures` in words alone."""
    sitting = table.sitting
    if sitting.state is None:
        return card(table)
    items = face.board(sitting.game.view(sitting.state, None), names(sitting))
    if not pictures:
        items = [in_words(item) for item in items]
    heading = text(f"### {sitting.game.title} · table {table.id}{_standing(table)}")
    return Panel(box(heading, *items), _doors(table))


def word(table: Table, told: Told, face: Face, *, pictures: bool = True) -> Panel:
    """A public message about what happened, scores as a picture too, and the way to one's own hand."""
    events = told.events if pictures else ()
    sheets = [sheet for event in events if (sheet := face.sheet(event, names(table.sitting)))]
    hand = button("My hand", f"hand:{table.id}:{told.number}", style=PRIMARY)
    return Panel(*(shown(pictured(sheet)) for sheet in sheets[:1]), text(told.text), row(hand))


def moved(table: Table) -> Panel:
    """What is left of a card that was posted anew further down."""
    return Panel(text(f"-# {table.sitting.game.title} · table {table.id} is further down."), _doors(table))


def _card(table: Table) -> list[Item]:
    sitting = table.sitting
    heading = text(f"## {sitting.game.title}\n-# Table {table.id}{settings(table)}")
    seats = sitting.game.seats(sitting.options)
    rows = [f"{seat + 1}. {name}{' (host)' * (seat == 0)}" for seat, name in enumerate(names(sitting))]
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
        row(*_looks(table)),
    ]


def settings(table: Table) -> str:
    """The game's first option, as it tells most, and all that are not as usual: " · mode normal · bets off"."""
    options = table.sitting.options
    fields = type(options).model_fields
    told = {name: getattr(options, name) for name in fields}
    shown = [name for place, name in enumerate(fields) if place == 0 or told[name] != fields[name].default]
    return "".join(f" · {name.replace('_', ' ')} {_plain(told[name])}" for name in shown)


def _plain(value: object) -> str:
    match value:
        case bool():
            return "on" if value else "off"
        case tuple():
            return " ".join(map(str, value))
    return str(value)


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


def _standing(table: Table) -> str:
    return {"closed": " · closed", "over": " · over"}.get(table.sitting.phase, "")


def _doors(table: Table) -> Item:
    hand = [button("My hand", f"hand:{table.id}", style=PRIMARY)]
    return row(*hand, *_looks(table))


def _looks(table: Table) -> list[Item]:
    return [button("What beats what", f"reference:{table.id}"), button("Rules", f"rules:{table.id}")]
