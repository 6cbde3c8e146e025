"""What is posted of a table: its card in the channel, its board, words on what happens. Drawn from committed state and
the watcher's view; `bot.publisher` posts it, and `bot.card` keeps a message up to date."""

from bot.face import Face
from bot.narration import BACK, Door, Told, names, taking
from bot.panel import DANGER, PRIMARY, SUCCESS, Item, Panel, box, button, in_words, row, shown, text
from bot.pictures.drawing import pictured
from bot.sitting import Sitting
from bot.table import Table
from bot.timing import spelled


def card(table: Table) -> Panel:
    """The message in the channel where the table was opened: who sits here, then where it is played, then the end."""
    return Panel(box(*_card(table)))


def board(table: Table, face: Face, *, pictures: bool = True) -> Panel:
    """The live table: everything public, and the way to one's own hand. Without `pictures` in words alone."""
    sitting = table.sitting
    if sitting.state is None:
        return card(table)
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
    panel = Panel(box(text("\n".join(lines)), *items, *controls), _doors(table), *_vacant(table))
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
    doors = row(hand, *(_door(table, door) for door in told.doors))
    panel = Panel(*(shown(pictured(sheet)) for sheet in sheets[:1]), text(told.text), doors)
    return panel.illustrate(face.emojis)


def settled(said: str, verdict: str, hand: str) -> Panel:
    """What is left of a vote: the question that was `said`, how it ended, and the button with the custom id `hand`."""
    return Panel(text(f"{said}\n**This is settled.** {verdict}"), row(button("My hand", hand, style=PRIMARY)))


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
        return [heading, people, text(_progress(table)), _doors(table), *_vacant(table)]
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


def _kept(table: Table) -> list[str]:
    """Who is played for."""
    sitting, who = table.sitting, names(table.sitting)
    kept = [name for seat, name in enumerate(who) if seat in sitting.away | sitting.gone]
    return [f"🤖 A computer plays for {', '.join(kept)}."] if kept and table.is_open else []


def _vacant(table: Table) -> list[Item]:
    """The ways into the seats that were left."""
    who = names(table.sitting)
    seats = sorted(table.sitting.gone)[:3] if table.is_open else []
    takes = [(f"Take {who[seat]}'s seat", *taking(seat)[1:]) for seat in seats]
    return [row(*(_door(table, door) for door in takes))] if takes else []


def _door(table: Table, door: Door) -> Item:
    label, verb, rest = door
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


def _standing(table: Table) -> str:
    return {"closed": " · closed", "over": " · over"}.get(table.sitting.phase, "")


def _doors(table: Table) -> Item:
    doors = [button("My hand", f"hand:{table.id}", style=PRIMARY), *_looks(table)]
    if table.is_open and table.sitting.away:
        doors.append(_door(table, BACK))
    if table.sitting.phase == "over":
        doors.append(button("Rematch", f"rematch:{table.id}", style=SUCCESS))
    return row(*doors)


def _looks(table: Table) -> list[Item]:
    return [button("What beats what", f"reference:{table.id}"), button("Rules", f"rules:{table.id}")]
