"""The panel of `/hours`: a person's hours, what follows from them, and buttons and a form to change them."""

from collections.abc import Iterator
from datetime import date, timedelta

import discord

from bot.dates import day
from bot.match.names import LONGEST_TYPED
from bot.match.waking import DAY, LONGEST_AWAY, learned, length, local
from bot.match.zones import UnknownZone, zone_of
from bot.messages.custom_ids import CustomId
from bot.messages.panel import PRIMARY, Modal, Panel, button, menu_field, row, rows, select, text, text_field
from bot.store import Hours

NONE = "You have set none, so you are called at any time."
EFFECT = (
    "-# At relaxed tables and by correspondence nobody calls you outside your hours, and your time for a move rests; a "
    "day a move is one day of yours. Others read there when you answer."
)
LEARN = (
    "-# `Learn my hours` counts the hours of the day in which you use my commands and buttons, and suggests your hours "
    "from that."
)


def panel(hours: Hours | None, now: int) -> Panel:
    """Build the panel of a person."""
    lines = [NONE] if hours is None else _lines(hours, now)
    said, change = text("\n".join(["### My hours", *lines, EFFECT])), CustomId("change-hours", 0)
    if hours is None:
        return Panel(said, row(button("Set my hours", change, style=PRIMARY)))
    acts = [button(label, CustomId("hours", 0, act)) for act, label in _acts(hours, now)]
    return Panel(
        said,
        row(select("One message a day", CustomId("digest", 0), _digests(hours))),
        *rows([button("Change", change), *acts]),
    )


def offer(refused: UnknownZone, begins: int | None, ends: int | None, back: date | None) -> Panel:
    """Build the refusal of a zone, with buttons that set another one and what else was given."""
    given = ",".join("" if each is None else str(each) for each in (begins, ends, back))
    zones = [button(zone, CustomId("hours-with", 0, f"{zone},{given}")) for zone in refused.offered]
    return Panel(text(str(refused)), *rows(zones))


def form(kept: Hours | None) -> Modal:
    """Build the form for a person's hours, filled in with those that they have."""
    hours = kept or Hours("", begins=8, ends=22)
    return Modal(
        "My hours",
        CustomId("hours-with", 0),
        text_field("Time zone", LONGEST_TYPED, placeholder="such as Berlin", default=hours.zone),
        menu_field("Awake from", _clock(range(24), hours.begins or 0)),
        menu_field("Awake until", _clock(range(1, 25), hours.ends or 24)),
        text_field("Away, and back on", LONGEST_TYPED, placeholder="such as 2026-12-24", required=False),
    )


def _clock(times: range, chosen: int) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=f"{each}:00", value=str(each), default=each == chosen) for each in times
    ]


def span(begins: int, ends: int) -> str:
    """Return hours of a day in words: "18:00 to 23:00"."""
    return f"{begins}:00 to {ends or 24}:00"


def _lines(hours: Hours, now: int) -> Iterator[str]:
    yield f"**{hours.zone}**, where it is {local(hours, now):%H:%M} now"
    if hours.begins is None or hours.ends is None:
        yield "🌙 No hours: you are called day and night"
    else:
        yield f"🌙 You answer from {span(hours.begins, hours.ends)}"
    # Days on their own calendar, which may not be that of the Discord where they read it.
    zone = zone_of(hours.zone)
    if hours.away_until > now:
        most = f"a table waits at most {LONGEST_AWAY // DAY} days for a move of yours"
        yield f"🏖️ Away, and back on {day(hours.away_until, zone)}; {most}"
    if hours.digest is not None:
        yield f"📬 One message a day at {hours.digest}:00, in place of calls by correspondence"
    elif hours.undelivered:
        refused = day(hours.undelivered, zone)
        yield f"📭 Your message of {refused} was refused by your direct messages: you are called again"
    if hours.acts is None:
        yield LEARN
    else:
        found = learned(hours.acts)
        yield f"📈 You act mostly from {span(*found)}" if found else "📈 Your hours are being learned"


def _acts(hours: Hours, now: int) -> Iterator[tuple[str, str]]:
    """Yield the buttons: what each does, and its label."""
    if hours.away_until > now:
        yield "back", "I'm back"
    found = learned(hours.acts or ())
    if found is not None and found != (hours.begins, hours.ends):
        yield "use:{}:{}".format(*found), f"Use {span(*found)}"
    yield ("learn", "Learn my hours") if hours.acts is None else ("unlearn", "Stop learning")
    yield "forget", "Forget all"


def _digests(hours: Hours) -> list[discord.SelectOption]:
    first = hours.begins or 0
    offered = [(first + each) % 24 for each in range(length(hours))]
    off = discord.SelectOption(label="Call me for each turn", value="off", default=hours.digest is None)
    return [
        off,
        *(
            discord.SelectOption(
                label=f"One message a day, at {hour}:00", value=str(hour), default=hour == hours.digest
            )
            for hour in offered
        ),
    ]


def soon(hours: Hours, now: int) -> list[str]:
    """Return days on which somebody may be back, as they are typed: the next days, then each week."""
    today = local(hours, now).date()  # dates, as a day whose clock is changed has other than 24 hours
    return [f"{today + timedelta(days=ahead)}" for ahead in (*range(1, 7), 7, 10, 14, 21, 28)]
