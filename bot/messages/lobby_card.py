"""The content of the card in the channel where a table was opened: the game and its players, later the place of the
match and its result. It is made from committed state; `publisher` posts it, and `live_message` keeps it up to date."""

from collections.abc import Collection
from typing import Final

import discord

from bot.match.announcements import BACK, Link, final_names, names, taking
from bot.match.deadlines import TABLE
from bot.match.lobby_notes import lobby_words
from bot.match.names import isolated, safe, seat_names
from bot.match.state import TableState, Words
from bot.match.table import Table
from bot.messages.custom_ids import CustomId, ids_on
from bot.messages.game_ui import GameUI
from bot.messages.panel import PRIMARY, SECONDARY, SUCCESS, Item, Panel, box, button, hand_button, row, text
from games.about import larger_option
from games.phrases import capitalized, listed, placed, short
from games.types import Seat, with_seats

BEGINNING = 6
"""Number of digits of the seal that the card shows. They bind nobody: `Cut` and `More` show all 64."""
RESTORED = "⏪ whoever runs the bot has restored a backup: cards and seal are new, so cut anew"
CARD = "card"
"""Ends the custom id of the button `My hand` on a card, and on no other message."""
LONGEST_TERMS: Final = 80
"""Maximum number of characters about the options of a table where several are listed: with more, the longest would not
fit a message."""
WANTED = ("one", "two", "three", "four", "five")
"""Words for numbers of players. A table needs six at most, and its host sits there."""


def card(table: Table, ui: GameUI, substituted: Collection[int] = (), *, pictures: bool = True) -> Panel:
    """Build the card. `substituted`: the seats that were left to computers, once the match is over. Without `pictures`
    it has no banner."""
    items = _lobby(table, ui, pictures=pictures) if _is_lobby(table) else _later(table, substituted)
    return Panel(box(*items))


def is_card(message: discord.Message, match: int) -> bool:
    """Return whether a message is the card of a match, or one that was replaced but could not be edited."""
    return not {CustomId("join", match), CustomId("hand", match, CARD)}.isdisjoint(ids_on(message))


def settings(table: Table) -> str:
    """Return mode, unusual options and an unusual time for a move: " · normal mode · no bets · 1 hour a move"."""
    words = "".join(f" · {each}" for each in table.state.options.summary())
    return f"{words}{unusual_pace(table)}{' · practice' * table.state.practice}"


def unusual_pace(table: Table) -> str:
    """Return an unusual time for a move: " · 1 hour a move"."""
    pace = table.state.pace
    return "" if pace == "live" else f" · {table.clock.times.in_words(pace)}"


def short_settings(table: Table) -> str:
    """Return what `settings` does, cut to fit into a list of tables."""
    return short(settings(table), LONGEST_TERMS)


def standings(table: Table, substituted: Collection[int]) -> str:
    """Return the reason for the end of a match, then its placings, one line each."""
    state = table.state
    outcome, unit = state.outcome(), state.game.unit(state.options)
    return "\n".join([outcome.reason, *placed(outcome, final_names(state, substituted), unit)])


def link_button(table: Table, link: Link) -> Item:
    """Return the button that `link` describes."""
    label, verb, rest = link
    return button(label, CustomId(verb, table.id, rest))


def vacant(table: Table) -> list[Item]:
    """Build a row of buttons that take the seat of a player who has left; empty when there are none."""
    who = seat_names(table.state.players)
    seats = table.state.vacant[:3] if table.is_open else []
    return [row(*(link_button(table, taking(seat, who[seat])) for seat in seats))] if seats else []


# Before the match


def _is_lobby(table: Table) -> bool:
    """Return whether people may still join. A table whose seats are given begins in a moment, also after a kill."""
    return table.state.phase == "lobby" and not table.is_seated


def _lobby(table: Table, ui: GameUI, *, pictures: bool) -> list[Item]:
    game, banner = table.state.game, ui.banner() if pictures else None
    heading = [banner] if banner else [text(f"## {game.title}")]
    facts = " · ".join([game.title, f"table {table.id}", *_times(table)])
    return [
        *heading,
        text(f"{game.blurb}\n-# {facts}{settings(table)}"),
        text("\n".join([_people(table), _seats_taken(table), *_kept(table), *_pairs(table), *_deal(table)])),
        _lobby_buttons(table),
    ]


def _times(table: Table) -> list[str]:
    """Return how long a match and a move may take at the live pace. At a slower one `settings` says it of a move."""
    state = table.state
    if state.pace != "live":
        return []
    # In a game of speed it would seem that there is time to think.
    move = [table.clock.times.in_words(state.pace)] * (not state.game.real_time)
    return [f"{state.game.duration(state.options)} min", *move]


def _people(table: Table) -> str:
    state = table.state
    rows = [
        f"{seat + 1}. {name}{_role(state, seat)}{_note(table, seat)}"
        for seat, name in with_seats(names(state))
    ]
    return "\n".join(rows) or "Nobody sits here."


def _note(table: Table, seat: Seat) -> str:
    state = table.state
    if not _is_lobby(table):
        return _partners(state, seat)
    user, seated = state.players[seat].user, [state.players[each].user for each in state.people()]
    wished = _wished(state, user) if paired(table) else ""
    words = [wished, lobby_words(table.lobby_notes, user, seated)]
    return "".join(f" · {each}" for each in words if each)


def _wished(state: TableState, user: int) -> str:
    """Return whom a person in the lobby wishes for as a partner: "with Cleo" if Cleo wishes for them, too."""
    other = state.wishes.get(user, user)
    seat = None if other == user else state.seat_of(other)
    if seat is None:
        return ""
    return f"{'with' if state.wishes.get(other) == user else 'would like'} {names(state)[seat]}"


def _partners(state: TableState, seat: Seat) -> str:
    """Return " · with Cleo" where sides play against each other."""
    who, sides = names(state), state.game.sides(state.options, len(state.players))
    others = [who[each] for each, side in enumerate(sides) if side == sides[seat] and each != seat]
    return f" · with {listed(others)}" if others and len({*sides}) > 1 else ""


def _role(state: TableState, seat: Seat) -> str:
    player = state.players[seat]
    if player.strength:
        return f" ({player.strength})"
    if seat in state.gone | state.away:
        return " (left)" if seat in state.gone else " (away)"
    return " (host)" if state.phase == "lobby" and player == state.host else ""


def _seats_taken(table: Table) -> str:
    """Return "**1 of 4 seats** · one more wanted"."""
    seats, taken = table.seats(), len(table.state.players)
    most, missing = seats.stop - 1, seats.start - taken
    wanted = f"{WANTED[missing - 1]} more wanted" if missing > 0 else "the host can start"
    line = f"**{taken} of {most} seats** · {wanted}"
    return line if taken < most else f"{line}\n-# {_how_more_play(table)}"


def _kept(table: Table) -> list[str]:
    """Return for whom seats are kept, and how long."""
    people = seat_names(table.state.reserved.values())
    press = "presses" if len(people) == 1 else "press"
    return [f"⏳ Kept for {table.kept_for}: {listed(people)} {press} `Join`."] if table.kept_for else []


def _pairs(table: Table) -> list[str]:
    """Return how pairs are found, if some numbers of players play in pairs."""
    numbers = " or ".join(map(str, paired(table)))
    return [f"-# {numbers} play in pairs · partner: `More`"] if numbers else []


def paired(table: Table) -> list[int]:
    """Return the numbers of players who play in pairs."""
    state = table.state
    sides = {seats: {*state.game.sides(state.options, seats)} for seats in table.seats()}
    return [seats for seats, each in sides.items() if 1 < len(each) == seats / 2]


def _how_more_play(table: Table) -> str:
    game = table.state.game
    if room := larger_option(game, table.state.options):
        most, choice = room
        return f"More people? Up to {most} can play with `{choice}`: `/{game.slug} start` opens that table."
    return f"More people? `/{game.slug} start` opens another table."


def _lobby_buttons(table: Table) -> Item:
    """Return the buttons in the order of their use. `More` has the rest, for those who may use it."""
    taken, seats = len(table.state.players), table.seats()
    full = taken >= seats.stop - 1
    # While the lobby is full, this button is the only way to make room for a person.
    makes_room = full and any(player.strength for player in table.state.players)
    computers = "Remove computer" if makes_room else "Add computer"
    return row(
        button("Join", CustomId("join", table.id), style=SUCCESS, disabled=full),
        button(computers, CustomId("computer", table.id), disabled=full and not makes_room),
        button("Start", CustomId("start", table.id), style=PRIMARY, disabled=taken not in seats),
        _rules(table),
        button("More", CustomId("more", table.id)),
    )


# Before and after the first deal


def _deal(table: Table) -> list[str]:
    """Return all cuts, and a line with the beginning of the seal; in the lobby also when that closes."""
    state = table.state
    sealed = [f"🔒 Sealed {state.seal[:BEGINNING]}…"] if table.is_sealed else []
    if _is_lobby(table):
        sealed += [RESTORED] * (table.is_sealed and state.restored > 0)
        line = [*sealed, f"closes <t:{table.deadlines.get(TABLE, 0) // 1000}:R>"]
    else:
        line = [*sealed, *["`/verify` checks it"] * (table.is_sealed and not table.is_open)]
    return [*map(_cut, state.cuts.values()), *([f"-# {' · '.join(line)}"] if line else [])]


def _cut(cut: Words) -> str:
    return f"✂️ Cut by {safe(cut.name)}" + f": {isolated(cut.words)}" * (cut.words != "")


# From the first deal on


def _later(table: Table, substituted: Collection[int]) -> list[Item]:
    state = table.state
    heading = f"## {state.game.title}\n-# Table {table.id}{settings(table)}"
    return [
        *(
            text(heading),
            text(_people(table)),
            text("\n".join([_progress(table, substituted), *_deal(table)])),
        ),
        *(_buttons(table), *vacant(table)),
    ]


def _progress(table: Table, substituted: Collection[int]) -> str:
    state = table.state
    if state.reason and state.game_state is None:
        return f"🚪 **This match never began:** {state.reason}"
    if state.reason:
        return f"{'🏁' if state.winner else '🚪'} {capitalized(state.reason)}"
    if state.phase == "over":
        return f"🏁 {standings(table, substituted)}"
    if state.phase == "lobby":
        return "The match begins in a moment."
    return f"The match is on in <#{table.match.place}>." if _in_thread(table) else "The match is on."


def _buttons(table: Table) -> Item:
    match table.state.phase:
        case "closed":
            another = button("Open another", CustomId("play", 0, table.match.game), style=SUCCESS)
            return row(another, _rules(table))
        case "over":
            rematch = button("Rematch", CustomId("rematch", table.id), style=SUCCESS)
            return row(rematch, _hand(table), _rules(table))
    watch = [button("Watch", CustomId("watch", table.id))] if _in_thread(table) else []
    back = [link_button(table, BACK)] if table.state.away else []
    return row(_hand(table), *watch, _rules(table), *back)


def _in_thread(table: Table) -> bool:
    return table.match.place not in (None, table.match.channel)


def _hand(table: Table) -> Item:
    over = table.state.phase == "over"
    return hand_button(table.id, CARD, style=SECONDARY if over else PRIMARY)


def _rules(table: Table) -> Item:
    return button("Rules", CustomId("rules", table.id))
