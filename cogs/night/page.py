"""The messages of a game night, as functions of what is stored: the announcement, one for each round, and the last."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.dates import day
from bot.match.deals import OF_NIGHT
from bot.match.names import seat_names
from bot.match.night_rows import ends, present, rounds_of, seal, terms
from bot.match.seats import NAMES
from bot.match.state import Player
from bot.match.times import Times
from bot.messages.custom_ids import CustomId
from bot.messages.lobby_card import BEGINNING
from bot.messages.panel import SUCCESS, Item, Panel, beside, box, button, row, text
from bot.standings.night import NightRow, NightTable, round_points, standings
from bot.store import FORMER, WAS_AWAY, Night, NightPerson, NightTableRow, Store
from cogs.standings.page import Line, table
from games.letters import ROBOT
from games.phrases import counted, listed, ordinal, with_place

LAST: Final = 9
"""Number of the last message; 0 is the announcement, and each round has its own number."""
BOARD_NUMBER: Final = 8
"""Number in the custom ids of buttons on other messages than those of the night."""
MOST_NAMES: Final = 40
BEST: Final = 10
"""Number of people in standings."""
ROOM: Final = 3000
"""Number of characters for the tables of a round."""
REASONS: Final = {
    "": "",
    "cancelled": "It was cancelled.",
    "few": "Fewer than two people came. No other one is planned.",
    "left": "Fewer than two people were left.",
    "busy": "Another game night of this server was still on.",
    "late": "The bot was away for too long.",
    "rules": "The rules of a game have changed since it was planned.",
}
HOW: Final = "-# Each round everybody is seated anew, and all tables have the same deal · 🔒 Sealed {}…"
RULE: Final = (
    "-# A round gives up to 100 points: for those at your table who came after you, and for those in your seat at "
    "other tables who did worse with the same cards."
)


@dataclass(frozen=True, slots=True)
class Evening:
    """A night with all that its messages show."""

    night: Night
    people: Sequence[NightPerson]
    tables: Sequence[NightTableRow]
    places: Mapping[int, int]
    """By match: the thread or channel where it is played, once that is known."""

    @classmethod
    async def of(cls, store: Store, night: Night) -> "Evening":
        """Read a night."""
        people, tables = await store.night_people(night.id), await store.night_tables(night.id)
        return cls(night, people, tables, await store.night_places(night.id))

    @property
    def names(self) -> dict[int, str]:
        """The name of everybody who came, safe to print, as at a table: without the mark of computers; equal ones are
        numbered."""
        shown = seat_names(Player(each.user, each.name) for each in self.people)
        return dict(zip([each.user for each in self.people], shown, strict=True))

    @property
    def standings(self) -> list[NightRow]:
        """The standings after the rounds that are over."""
        return standings(rounds_of(self.tables))

    @property
    def winners(self) -> list[NightRow]:
        """The winners of a night that is over: nobody without points, and nobody by cancelling it while they lead."""
        rows = [] if self.night.reason == "cancelled" else self.standings
        return [each for each in rows if each.place == 1 and each.points]

    def before(self, number: int) -> list[NightRow]:
        """Return the standings before a round, also of those who enter it late; nothing before the first."""
        over = rounds_of([each for each in self.tables if each.round < number])
        seats = [seat for each in self.tables if each.round == number for seat in each.seats]
        there = {seat.user for seat in seats if seat.user is not None} or present(self.people)
        return standings(over, there) if over else []

    @property
    def away(self) -> list[int]:
        """In a pause: the people who were away at the end of the round, so that they enter the next one only if they
        say so."""
        night = self.night
        seated = {seat.user for each in self.tables if each.round == night.round for seat in each.seats}
        was_away = [each.user for each in self.people if each.gone == WAS_AWAY and each.user > 0]
        return [user for user in was_away if user in seated][:MOST_NAMES] if night.phase == "pause" else []

    def messages(self) -> Iterator[int]:
        """Yield the numbers of the messages that are to stand."""
        yield 0
        yield from range(1, self.night.round + 1 + (self.night.phase == "pause"))
        if self.night.phase in ("over", "off"):
            yield LAST

    def panel(self, number: int, times: Times) -> Panel:
        """Build a message."""
        if number == 0:
            return _announcement(self, times)
        return _last(self) if number == LAST else _round(self, number)


def night_id(night: Night, number: int, what: str) -> CustomId:
    """Return the custom id of a button on a message of a night."""
    return CustomId("night", 0, f"{night.id}:{number}:{what}")


def own_ids(night: Night, number: int) -> list[CustomId]:
    """Return the custom ids by one of which a message of a night is found again, whatever it shows."""
    return [night_id(night, number, what) for what in ("come", "place", "plan")]


def games_in_words(night: Night) -> str:
    """Return the games that a night plays by turns, with their options."""
    found = []
    for number in range(1, len(json.loads(night.games)) + 1):
        game, options = terms(night, number) or (None, None)
        summary = ", ".join(options.summary()) if options else ""
        found.append((game.title if game else "a game of the past") + f" ({summary})" * bool(summary))
    return listed(found)


def when(night: Night) -> str:
    """Return when a night begins, in the reader's own time."""
    return f"<t:{night.starts // 1000}:F> · <t:{night.starts // 1000}:R>"


def _coming(night: Night, number: int) -> str:
    """Return how many people are coming, or are there, in words."""
    if not number:
        return "nobody is here" if night.round else "nobody is coming yet"
    return f"{number} {'is' if number == 1 else 'are'} {'here' if night.round else 'coming'}"


def _course(night: Night) -> str:
    """Return which round is played, or comes next, of a night that is on."""
    if night.phase == "pause":
        return f"Round {night.round + 1} of {night.rounds} begins <t:{night.due // 1000}:R>"
    return f"Round {night.round} of {night.rounds}"


async def invitation(store: Store, night: Night, reader: int = 0) -> Item:
    """Return a line about a night that is on, or is next, with a button to come while seats are still given, unless its
    only reader comes already."""
    coming = present(await store.night_people(night.id))
    state = _course(night) if night.round else when(night)
    said = f"**Game night** in <#{night.channel}>\n-# {state} · {_coming(night, len(coming))}"
    if reader in coming:
        return text(f"{said}, you too")
    if night.phase == "round" and night.round == night.rounds:
        return text(said)
    return beside(said, button("I'm coming", night_id(night, BOARD_NUMBER, "come"), style=SUCCESS))


def _announcement(evening: Evening, times: Times) -> Panel:
    night = evening.night
    about = (
        f"{counted(night.rounds, 'round')} of {games_in_words(night)} · {times.in_words('live')}"
        + f" · until about <t:{ends(night, times) // 1000}:t>" * (night.phase not in ("over", "off"))
        + " · each week" * night.weekly
    )
    return Panel(
        box(
            text(f"## Game night\n{when(night)}\n{about}"),
            text(_state(evening)),
            text(HOW.format(seal(night)[:BEGINNING])),
            *_buttons(night),
        )
    )


def _buttons(night: Night) -> list[Item]:
    match night.phase:
        case "off":
            return []
        case "over":
            return [row(button("My place", night_id(night, 0, "place")))]
    leave = "Not coming" if night.round == 0 else "Leave"
    return [
        row(
            button("I'm coming", night_id(night, 0, "come"), style=SUCCESS),
            button(leave, night_id(night, 0, "go")),
            button("More", night_id(night, 0, "more")),
        )
    ]


def _state(evening: Evening) -> str:
    night, names = evening.night, evening.names
    who = [names[user] for user in present(evening.people)]
    named = [*who[:MOST_NAMES], *[f"{len(who) - MOST_NAMES} more"] * (len(who) > MOST_NAMES)]
    shown = f": {listed(named)}" if named else ""
    match night.phase:
        case "off" | "over":  # the last message has the reason
            return f"**It is over.** {_winners(evening)}" if evening.standings else "**It is off.**"
        case "planned":
            return f"**{_coming(night, len(who)).capitalize()}**{shown}"
    late = "\nLate? Press `I'm coming`: you enter the next round with the mean of all points."
    said = f"**{_course(night)}** · {_coming(night, len(who))}{shown}"
    return said + late * (night.round < night.rounds)


def _round(evening: Evening, number: int) -> Panel:
    night = evening.night
    chosen = terms(night, number)
    title = f"### Round {number} of {night.rounds}" + (f" · {chosen[0].title}" if chosen else "")
    begun = [each for each in evening.tables if each.round == number]
    before = evening.before(number)
    state = _tables(evening, begun) if begun else f"Begins <t:{night.due // 1000}:R>.{_away(evening)}"
    come = button("I'm coming", night_id(night, number, "come"), style=SUCCESS)
    own_table = button("My table", night_id(night, number, "table"))
    return Panel(
        text(title),
        *[text("\n".join(["**Standings so far**", *_lines(evening, before)]))] * bool(before),
        text(state),
        row(own_table if begun else come, button("My place", night_id(night, number, "place"))),
    )


def _away(evening: Evening) -> str:
    away = [f"<@{user}>" for user in evening.away]
    if not away:
        return ""
    return f"\n{listed(away)} {'were' if len(away) > 1 else 'was'} away: `I'm coming` brings you back."


def _tables(evening: Evening, tables: Sequence[NightTableRow]) -> str:
    """Return the tables with the people and the reason for each, as far as there is room."""
    names = evening.names
    short = [seats_line(evening, each, names) for each in tables]
    long = [f"{line}\n-# {each.why}" for line, each in zip(short, tables, strict=True)]
    if sum(map(len, long)) <= ROOM:
        return "\n".join(long)
    kept = [line for number, line in enumerate(short) if sum(map(len, short[: number + 1])) <= ROOM]
    more = len(short) - len(kept)
    return "\n".join(
        [*kept, *[f"-# and {counted(more, 'more table')}: `My table` leads to yours"] * (more > 0)]
    )


def seats_line(evening: Evening, row: NightTableRow, names: Mapping[int, str]) -> str:
    """Return where a table is, and who sits there by seat."""
    computers = iter(NAMES)
    who = [
        names.get(each.user, FORMER) if each.user is not None else f"{ROBOT} {next(computers)}"
        for each in row.seats
    ]
    place = evening.places.get(row.match or 0)
    link = f" <#{place}>" if place else ""
    title = f"**Table {row.match}**{link}" if row.match else "**Opens soon**"
    return f"{title} · {listed(who)}"


def _lines(evening: Evening, rows: Sequence[NightRow]) -> list[str]:
    names = evening.names
    lines = [
        f"{with_place(each.place, names.get(each.user, FORMER))} · {counted(each.points, 'point')}"
        for each in rows[:BEST]
    ]
    return [*lines, *[f"-# and {len(rows) - BEST} more"] * (len(rows) > BEST)]


def _last(evening: Evening) -> Panel:
    night, rows = evening.night, evening.standings
    title = "### The game night is " + ("over" if rows else "off")
    if not rows:
        return Panel(
            text(f"{title}\n{when(night)}\n{REASONS[night.reason]}"),
            row(button("Plan another", night_id(night, LAST, "plan"))),
        )
    names = {each.user: each.name for each in evening.people}
    lines = [
        Line(each.place, each.user, names.get(each.user, FORMER), (str(each.points),)) for each in rows[:BEST]
    ]
    return Panel(
        text("\n".join(filter(None, [title, REASONS[night.reason], _winners(evening)]))),
        *table(
            lines, Counter(names.values()), 0, f"Game night · {day(night.starts)}", ("Points",), pictures=True
        ),
        text(RULE),
        row(button("My place", night_id(night, LAST, "place"))),
    )


def _winners(evening: Evening) -> str:
    """Return who has won, in a sentence."""
    first = evening.winners
    if not first:
        return "Nobody wins."
    names = [f"**{evening.names.get(each.user, FORMER)}**" for each in first]
    more = len(names) - BEST
    who = listed([*names[:BEST], *[f"{more} more"] * (more > 0)])
    return f"🏆 {who} {'win' if len(first) > 1 else 'wins'} with {counted(first[0].points, 'point')}."


def own_place(evening: Evening, user: int) -> str:
    """Return a person's place, and how it came about."""
    night, rounds = evening.night, rounds_of(evening.tables)
    is_on = night.phase in ("round", "pause")
    rows = evening.before(night.round + (night.phase == "pause")) if is_on else evening.standings
    own = next((each for each in rows if each.user == user), None)
    if own is None:
        return "You have no points in this game night: no round that you played is over."
    points = [round_points(each).get(user) for each in rounds]
    gained = [
        f"round {number}: {each}{_why_none(tables, user)}"
        for number, (each, tables) in enumerate(zip(points, rounds, strict=True), start=1)
        if each is not None
    ]
    entered = own.points - sum(each or 0 for each in points)
    steps = [*[f"{entered} to begin with, as you came late"] * (entered > 0), *gained]
    place = f"You are {ordinal(own.place)} of {len(rows)} with {counted(own.points, 'point')}."
    return f"{place}\n-# {' · '.join(steps)}\n{RULE}"


def _why_none(tables: Sequence[NightTable], user: int) -> str:
    """Return why a person has no points of a round, if it was not for their play."""
    own = next(each for each in tables if user in each.people)
    if own.match is None:
        return ", as the match has no result"
    return ", as a computer played for you" * own.match.people[own.people.index(user)].replaced


def proof(night: Night, round_: int, match: int, seed: str) -> str:
    """Return how anybody can check the deal of a match, once the night is over."""
    chosen = terms(night, round_)
    slug = chosen[0].slug if chosen else "GAME"
    return (
        f"Match {match} was at a table of round {round_} of a game night, and all tables had its deal.\n"
        f"**Seed:** `{seed}`\n**Secret:** `{night.secret}`\n**Seal:** `{seal(night)}`\n"
        "-# `More` on the announcement showed the seal before anybody came. It is the SHA-256 of the secret as it is "
        f"written here. After the colon of the seed is the HMAC-SHA256 of `{OF_NIGHT}|{night.id}|{round_}|{slug}`, "
        "with the secret (hexadecimal) as its key."
    )
