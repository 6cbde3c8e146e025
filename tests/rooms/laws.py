"""The laws of a card room: what must hold whatever people and faults do. The name of a law says it. It returns a
sentence for each violation."""

import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from types import MappingProxyType

from bot.hosting.backup import check, silent
from bot.match.announcements import turn
from bot.match.call import Call, timeless
from bot.match.deadlines import DUE, TABLE, idle, next_deadlines
from bot.match.entries import Caretaker, Close, CloseReason, Overdue, Remind
from bot.match.log import read
from bot.match.state import LogEntry, TableState
from bot.match.waking import DAY, later, time_up
from bot.messages.live_messages import FAR_BELOW, HIDDEN_BELOW
from bot.standings.ratings import RatedMatch
from bot.standings.season import PATIENCE, may_close, must_close, tabulate
from bot.store import LogRow, Season, SeasonResult, SeasonRow, open_store
from bot.store.sql import seasons
from games.types import with_seats
from sandbox import Channel, Message, Thread
from sandbox.snowflakes import time_of
from tests.e2e.messages import TableMessages, expected_messages, posted_messages
from tests.e2e.viewer import cards_in
from tests.rooms.ahead import unexplained_choices, without_those_played_ahead
from tests.rooms.attempt import Attempt
from tests.rooms.errands import BULLETINS, is_bulletin
from tests.rooms.pings import called, has_called_above, is_live, is_to_come
from tests.rooms.presses import ALONE, Press, lost, unpressed
from tests.rooms.room import RESTORED, TIMES, FollowedTable, Room
from tests.rooms.screens import RETRIED, french_cards_in
from tests.rooms.told import (
    each_call_to_a_table_names_its_host_game_and_number,
    each_match_that_is_over_is_told_as_its_log_ends,
    the_final_table_of_a_season_shows_its_stored_rows,
)

Law = Callable[[Room], Awaitable[list[str]]]

CLOCKS = 10_000
"""Ms by which the last heartbeat may differ from Discord's clock: it comes every five seconds."""
WHOLE_SECONDS = 1000
"""Ms by which the bot's clock may be late at first: it is set by the whole seconds of the header Date."""
JUST = 15_000
"""Ms after the beginning of a start, which may take long, in which its clock may not have learned from a click yet."""
ENDING = 50
"""Ms by which a deadline may count from the end of an outage, instead of from what was done just after it."""
LONG = 60_000
"""Ms from which a table may get so much time twice that nothing happens there before the end."""
OVERDUE = 60_000
"""Ms by which a deadline may be late on a busy machine."""
EXPECTED_ERRORS = re.compile(r"a (write|read) failed: ")
"""Lines of the log at level ERROR for which a fault of the disk is the cause."""
OF_CARDS: dict[str, set[str]] = {
    "lobby": {"join"},
    "play": {"hand"},
    "over": {"hand", "rematch"},
    "closed": set(),
}
"""By phase: the buttons of a card, as far as they tell the phases apart."""
BUTTONS = {button for buttons in OF_CARDS.values() for button in buttons}
IN_SEASON = "SELECT total(phase = 'play'), count(origin) FROM matches WHERE guild = ? AND started >= ? AND started < ?"
"""Query for the matches of a season that are in play or imported."""
INVITATION = "**Rematch!**"
"""Beginning of a message with which somebody has answered the end of a match in its thread."""
FORBIDDEN = {
    "a traceback": re.compile(r"^Traceback", re.MULTILINE),
    "a name": re.compile(r"Player \d+"),
    "a token or a secret": re.compile(r"(?<![\w-])[\w-]{64,}"),
    "a form": re.compile(r"\bform:\d"),
}


def title(law: Law) -> str:
    """Return what a law says."""
    return law.__name__.replace("_", " ")


# While the bot runs, once it has had time to show everything


async def what_stands_in_discord_is_what_the_logs_say(room: Room) -> list[str]:
    tables = [table for table in untouched(room) if not room.goes_on(table)]
    wrong = {table.id: found for table in tables if (found := faults_of_messages(room, table))}
    for number in wrong:
        describe(room, room.tables[number])
    return [each for found in wrong.values() for each in found]


async def everything_is_marked_as_posted(room: Room) -> list[str]:
    query = (
        "SELECT id FROM matches WHERE channel > 0 AND phase <> 'lobby'"
        " AND published < (SELECT max(n) FROM log WHERE match = id AND kind <> 'ahead')"
    )
    lagging = [number for (number,) in room.read(query)]
    found = {number: room.tables.get(number) for number in lagging}
    return [
        f"match {number} is not"
        for number, table in found.items()
        # While somebody sleeps whom it waits for, it has not said all that it must say.
        if not room.goes_on(table) and not (table is not None and called(room, table).wakes)
    ]


async def each_card_stands_once_and_fits_its_match(room: Room) -> list[str]:
    found = list[str]()
    for table in untouched(room):
        place, at = room.channel(table.match.channel), f":{table.id}"
        if place is None:
            continue
        if others := [
            each.id
            for each in place.messages()
            if f"join{at}" in each.custom_ids and each.id != table.match.card
        ]:
            found.append(
                f"match {table.id} ({table.state.phase}) has other cards that can be joined: {others}"
            )
        if not table.match.card:
            continue
        cards = [
            each
            for each in place.messages()
            if f"rules{at}" in each.custom_ids and each.id == table.match.card
        ]
        if len(cards) != 1:
            found.append(f"match {table.id} has {len(cards)} cards")
        elif BUTTONS & {each.partition(at)[0] for each in cards[0].custom_ids} != OF_CARDS[table.state.phase]:
            found.append(f"the card of match {table.id} ({table.state.phase}) has {cards[0].custom_ids}")
    return found


async def each_match_in_play_has_one_table_which_says_whose_turn_it_is(room: Room) -> list[str]:
    # Also where people have tampered with messages: the table comes back when something happens.
    return [
        fault
        for table in room.open_tables()
        if table.state.phase == "play" and not (table.tampered and room.doubled(table.match.guild) > LONG)
        if not room.goes_on(table)
        # A match that had begun, and is a lobby again, has its earlier table in a thread that it does not know.
        if not (table.tampered == RESTORED and table.begins_again)
        if not (table.tampered and is_left_alone(called(room, table)))
        for fault in _lacks(room, table)
    ]


def is_left_alone(call: Call) -> bool:
    """Return whether a table that was deleted may come back much later: when somebody wakes, or, where one person
    plays against computers and is not called, when they move or their time ends."""
    return bool(call.wakes) or not call.parts


def _lacks(room: Room, table: FollowedTable) -> Iterator[str]:
    place, mark = room.channel(table.place), f"hand:{table.id}:p"
    shown = [each for each in (place.messages() if place else ()) if mark in " ".join(each.custom_ids)]
    if len(shown) != 1:
        yield f"match {table.id} has {len(shown)} tables ({table.tampered})"
    elif turn(table.state) not in shown[0].text:
        yield f"match {table.id} shows {shown[0].text[-300:]!r}, not {turn(table.state)!r}"
    elif isinstance(place, Thread) and len(_chat_below(room, shown[0])) > _most_below(table):
        yield f"match {table.id} has its table above {len(_chat_below(room, shown[0]))} messages of people"


def _chat_below(room: Room, live: Message) -> list[Message]:
    """Return the messages of people below a table of which the bot has heard."""
    below = [each for each in live.channel.messages() if each.id > live.id and not each.author.bot]
    times = [(each, time_of(each.id)) for each in below]
    started = room.box.clock.now() - room.bot.uptime
    return [each for each, at in times if at > started and room.excuse(at - 1, at + 1) is None]


def _most_below(table: FollowedTable) -> int:
    return FAR_BELOW if table.state.game.real_time else HIDDEN_BELOW - 1


async def nobody_waits_longer_than_was_promised(room: Room) -> list[str]:
    if not room.poll():  # what is read of the tables must not be older than their deadlines
        return []
    query = "SELECT match, seat, due FROM clocks WHERE seat <> ?"
    now = room.box.clock.now() * 1000 + CLOCKS
    return [
        f"match {match} has a deadline of seat {seat} in {due - now + CLOCKS:.0f} ms"
        for match, seat, due in room.read(query, DUE)
        if match in room.tables and due - now > _longest(room, room.tables[match], seat, int(now))
    ]


async def what_is_due_is_done(room: Room) -> list[str]:
    now = room.box.clock.now() * 1000
    late = room.read("SELECT match, seat, due FROM clocks WHERE due < ?", now - CLOCKS)
    return [f"seat {seat} of match {match} was due {now - due:.0f} ms ago" for match, seat, due in late]


async def deadlines_are_stored_for_exactly_those_whom_a_table_awaits(room: Room) -> list[str]:
    if not room.poll():
        return []
    stored = defaultdict[int, set[int]](set)
    for match, seat in room.read("SELECT match, seat FROM clocks"):
        stored[match].add(seat)
    if not room.is_up_to_date():
        return []
    return [
        f"match {table.id} has deadlines of seats {stored[table.id]}, not of {table.deadlines.keys()}"
        for table in room.open_tables()
        if stored[table.id] != table.deadlines.keys()
        # After an erasure the next entry of the log drops it: the seat is not kept any more.
        if not (stored[table.id] == table.deadlines.keys() - {DUE} and _kept_for_the_erased(room, table))
    ]


def _kept_for_the_erased(room: Room, table: FollowedTable) -> bool:
    """Return whether all those for whom a lobby kept seats have erased themselves."""
    kept = room.read("SELECT user FROM log WHERE match = ? AND kind = 'reserve'", table.id)
    return table.state.phase == "lobby" and table.state.reserved.keys().isdisjoint(user for (user,) in kept)


def _longest(room: Room, table: FollowedTable, seat: int, now: int) -> int:
    """Return the ms after which a deadline may be at most."""
    state, guild = table.state, table.match.guild
    if seat != TABLE:
        hours = room.hours.get(state.players[seat].user) if seat >= 0 else None
        longest = time_up(hours, state.pace, now, TIMES.move(state.pace)) - now + TIMES.reading[1]
    elif state.phase == "lobby":
        longest = TIMES.lobby
        if state.pace != "live" and room.read(
            "SELECT 1 FROM log WHERE match = ? AND kind = 'reserve'", table.id
        ):
            longest += 2 * DAY  # they wake within a day, and their hour may end on the next one
    else:
        longest = max(TIMES.alone, idle(state, TIMES))
    # What is set as an outage ends, before the bot knows of it, has all of it in addition.
    return room.doubled(guild) + longest + room.longest_loss(guild, longest)


async def the_clock_of_the_bot_is_that_of_discord(room: Room) -> list[str]:
    ((alive,),) = room.read("SELECT at FROM alive")
    late = room.box.clock.now() * 1000 - alive
    since = max((ended for _, ended in room.lost), default=0.0)
    if not any(each.time > since and each.status for each in reversed(room.box.requests)):
        return []  # nothing has told it the time since its machine slept
    return [] if abs(late) <= CLOCKS else [f"its last heartbeat was {late:.0f} ms ago"]


async def the_final_table_of_a_season_is_posted_once(room: Room) -> list[str]:
    found = list[str]()
    query = "SELECT id, channel, message FROM seasons WHERE closed IS NOT NULL"
    for season, channel, message in room.read(query):
        if message is None:
            found.append(f"that of season {season} is not")
        place, button = room.channel(channel), f"season:0:{season}:end"
        tables = [each for each in (place.messages() if place else ()) if button in each.custom_ids]
        if len([each for each in tables if not _posted_again_after_sleep(room, each, tables)]) > 1:
            found.append(f"that of season {season} is posted {len(tables)} times")
    return found


async def each_bulletin_is_posted_once_and_only_where_it_was_wanted(room: Room) -> list[str]:
    found = list[str]()
    posted = defaultdict[tuple[int, str], list[Message]](list)
    for channel in room.channels:
        for message in filter(is_bulletin, channel.log.values()):  # the deleted ones, too
            (own_id,) = [each for each in message.custom_ids if each.startswith(BULLETINS)]
            posted[channel.guild.id, own_id].append(message)
    for (guild, own_id), messages in posted.items():
        known = [each for each in messages if not _is_forgotten(room, each)]
        if len([each for each in known if not _posted_again_after_sleep(room, each, messages)]) > 1:
            found += [f"{own_id} of {guild} is posted {len(messages)} times"] * (not room.is_restored)
        kind = "daily" if own_id.startswith("daily:") else "weekly"
        is_wanted = (guild, kind) in room.bulletins
        found += [f"{own_id} of {guild} was not wanted"] * (not is_wanted and not room.is_restored)
    return found


def _is_forgotten(room: Room, message: Message) -> bool:
    """Return whether a moderator has deleted a message that a fault may have kept the bot from noting: it then posts it
    again."""
    at = time_of(message.id)
    return message.id in room.deleted and room.excuse(at, at + RETRIED, but=()) is not None


def _posted_again_after_sleep(room: Room, message: Message, tables: Sequence[Message]) -> bool:
    """Return whether the machine slept between the message before and this one, and Discord forgot the nonce of a
    request whose answer was lost: the library then sends it again."""
    earlier = [time_of(each.id) for each in tables if each.id < message.id]
    return bool(earlier) and any(max(earlier) <= end <= time_of(message.id) for _, end in room.lost)


async def a_season_that_is_over_is_closed_with_the_table_of_a_recount(room: Room) -> list[str]:
    now, found = int(room.box.clock.now() * 1000), list[str]()
    for season in [Season(*row) for row in room.read("SELECT * FROM seasons")]:
        ((playing, imported),) = room.read(IN_SEASON, season.guild, season.starts, season.ends)
        if may_close(season, now) and (not playing or must_close(season, now)):
            found.append(f"season {season.id} is over, and not closed")
        results = [SeasonResult(*row) for row in room.read(seasons.RESULTS, season.id)]
        counted = tabulate([each for each in results if season.closed and each.ended <= season.closed])
        stored = [SeasonRow(*row) for row in room.read(seasons.TABLE, season.id)]
        if not imported and sorted(map(_points, stored)) != sorted(map(_points, counted)):
            found.append(f"the table of season {season.id} is {stored}, not {counted}")
    return found


def _points(row: SeasonRow) -> tuple[int, ...]:
    """Return what a recount finds of a person who may have been erased."""
    return row.place, row.points, row.wins, row.matches


async def no_open_vote_has_a_verdict(room: Room) -> list[str]:
    return [
        f"vote {number} of match {table.id} is decided"
        for table in room.open_tables()
        for number in table.account.decided
    ]


# At each entry of a log


def no_deadline_is_early(
    room: Room, table: FollowedTable, entry: LogEntry, before: TableState, row: LogRow
) -> Iterator[str]:
    """Yield what came earlier than the log before it allows, and the time in which nobody could act."""
    with_a_vote = isinstance(entry, Caretaker) and row.at == before.at
    new_hours = {
        seat
        for seat, player in with_seats(table.state.players)
        if room.has_new_hours(player.user, table.since.get(seat, row.at))
    }
    for seat in () if with_a_vote else {*_late(entry)} - new_hours:
        promised = table.deadlines.get(seat)
        since = table.since.get(seat, row.at)
        slow = seat >= 0 and before.pace != "live"
        hours = room.hours.get(before.players[seat].user) if slow else None
        lost = room.lost_between(since, row.at, table.match.guild, hours)
        started = (room.box.clock.now() - room.bot.uptime) * 1000
        late = WHOLE_SECONDS if 0 <= since - started < JUST else 0
        if promised is None or row.at + ENDING + late < later(hours, promised, lost):
            yield f"match {table.id}: {row} came before {promised} + {lost}, which was promised to seat {seat}"
    due = next_deadlines(table.state, before, table.deadlines, row.at, TIMES, room.hours)
    # New hours move a deadline when they are set, which shows here at the next entry only.
    kept = new_hours | {seat for seat, at in due.items() if table.deadlines.get(seat) == at}
    table.since = {seat: table.since.get(seat, row.at) if seat in kept else row.at for seat in due}
    table.deadlines = due


def each_entry_fits_the_account_of_its_table(
    room: Room, table: FollowedTable, entry: LogEntry, before: TableState, row: LogRow
) -> Iterator[str]:
    """Yield what an entry says against the account of its table (see `Account`)."""
    for said in table.account.faults(entry, row, before, TIMES, room.changed_hours):
        yield f"match {table.id}: {said}: {row}"
    table.account.add(entry, row, table.state, TIMES)


def what_was_decided_ahead_is_played_when_its_turn_comes(
    room: Room, table: FollowedTable, entry: LogEntry, before: TableState, row: LogRow
) -> Iterator[str]:
    """Yield what an entry says against the choices that people have made ahead."""

    def is_excused(since: int) -> bool:
        return room.excuse(since / 1000, row.at / 1000, but=()) is not None  # nor is it kept on a full disk

    for said in table.ahead.faults(entry, row, before, TIMES, is_excused):
        yield f"match {table.id}: {said}: {row}"
    table.ahead.add(entry, row, table.state)


def _late(entry: LogEntry) -> tuple[int, ...]:
    """Return the seats whose deadlines an entry needs."""
    if isinstance(entry, Remind | Overdue | Caretaker):
        return entry.seats
    timed = (CloseReason.NOT_STARTED, CloseReason.NOBODY_THERE, CloseReason.ASLEEP)
    return (TABLE,) if isinstance(entry, Close) and entry.reason in timed else ()


# After the bot was stopped


async def each_acknowledged_move_is_in_the_log_once_and_no_entry_without_its_cause(room: Room) -> list[str]:
    found = list[str]()
    logs = await _logs(room)
    for table in room.tables.values():
        stored, read = logs[table.id], table.rows
        if len(stored) < len(read) or not all(map(room.is_same, read, stored)):
            found.append(f"the log of match {table.id} has lost or changed entries that were read before")
        log = _as_made(read + stored[len(read) :], room.erased)
        clicked = without_those_played_ahead(table.match, table.state.game, log)
        wrong = unexplained(table.attempts, clicked, table.prompts) + unexplained_choices(table.choices, log)
        found += [f"match {table.id}: {each}" for each in wrong]
        if wrong:
            found += [f"match {table.id}: after entry {n} was told: {said}" for n, said in table.refusals]
    return found


async def people_have_pressed_for_their_entries_and_what_they_were_told_to_have_done_is_in_the_log(
    room: Room,
) -> list[str]:
    found, logs = list[str](), await _logs(room)
    told, presses = defaultdict[int, list[Press]](list), defaultdict[int, list[Press]](list)
    for press in [each for each in room.told if each.user not in room.erased]:
        told[press.match].append(press)
    for press in room.presses():
        presses[press.match].append(press)
    for table in room.tables.values():
        log = table.rows + logs[table.id][len(table.rows) :]
        wrong = lost(told[table.id], log)
        # Who asks for a rematch that is open already gets a seat there; who comes to a night has theirs back, and who
        # goes leaves it.
        rematches = [each for each in presses[table.match.rematch_of or 0] if each.verb == "rematch"]
        nights = [each for each in presses[0] if each.verb == "night" and table.state.is_seated]
        openings = [each for each in presses[0] if each.verb in ALONE]
        causes = [*presses[table.id], *rematches, *nights, *openings]
        alone = table.match.placeless or table.state.practice
        # The bot itself puts those out who were erased between a backup and its restore.
        log = [replace(row, user=-1) if row.n in table.put_out else row for row in log]
        wrong += unpressed(causes, log, table.seen, seated=table.state.is_seated, alone=alone)
        found += [f"match {table.id}: {each}" for each in wrong]
    return found


def _as_made(log: Sequence[LogRow], erased: Collection[int]) -> list[LogRow]:
    """Return a log with the ids of people who had erased themselves before their last moves were read."""
    who = {row.seat: row.user for row in log if row.user in erased}
    return [row if (row.user or 0) >= 0 else replace(row, user=who.get(row.seat, row.user)) for row in log]


async def _logs(room: Room) -> dict[int, list[LogRow]]:
    store = await open_store(room.bot.file)
    try:
        return {number: await store.log(number) for number in room.tables}
    finally:
        await store.close()


async def each_match_is_over_or_closed_with_a_reason_or_has_a_deadline_ahead(room: Room) -> list[str]:
    found = list[str]()
    store = await open_store(room.bot.file)
    try:
        alive = await store.last_heartbeat() or 0
        for table in room.tables.values():
            match, state = await store.match(table.id), table.state
            for row in await store.log(table.id):
                if row.n > state.n:  # a computer moved as the bot stopped, after the last look at the log
                    state.apply(read(row))
            if match is None or match.phase != state.phase:
                found.append(f"match {table.id} is {state.phase} by its log, but its row is {match}")
            elif state.phase == "closed" and not state.reason:
                found.append(f"match {table.id} is closed without a reason")
            elif table.is_open and not match.placeless:
                found += _faults_of_deadlines(table, await store.deadlines(table.id), alive)
    finally:
        await store.close()
    return found


def _faults_of_deadlines(table: FollowedTable, deadlines: dict[int, int], alive: int) -> list[str]:
    about = f"match {table.id} ({table.match.game}, {table.state.phase})"
    if not deadlines:
        return [f"{about} waits for {table.state.awaited()} and has no deadline"]
    late = alive - min(deadlines.values())
    return [f"{about} has a deadline that passed {late} ms ago"] if late > OVERDUE else []


async def standings_equal_a_recount_and_each_open_match_replays(room: Room) -> list[str]:
    return await check(room.bot.file, silent)


async def no_season_closes_while_its_matches_are_played(room: Room) -> list[str]:
    query = (
        "SELECT s.id, m.id FROM seasons AS s JOIN matches AS m ON m.guild = s.guild AND m.started >= s.starts"
        " AND m.started < s.ends WHERE s.closed < s.ends + ? AND (m.ended IS NULL OR m.ended > s.closed)"
    )
    return [
        f"season {season} was closed before match {match} was over"
        for season, match in room.read(query, PATIENCE)
    ]


async def each_match_of_several_people_that_is_over_has_results(room: Room) -> list[str]:
    counted = {match for (match,) in room.read("SELECT match FROM results")}
    return [
        f"match {table.id} has none"
        for table in room.tables.values()
        if table.state.phase == "over" and table.id not in counted
        if len({*table.account.held.values()}) > 1
    ]


async def who_let_a_computer_play_has_not_won(room: Room) -> list[str]:
    found = list[str]()
    query = "SELECT id, rated, r.seat, r.user FROM matches JOIN results AS r ON match = id WHERE rated IS NOT NULL"
    for number, rated, seat, user in room.read(query):
        table = room.tables.get(number)
        moves = [row for row in table.rows if row.kind == "move"] if table else []
        seats = {row.seat for row in moves if row.user == user}
        own, of_all = sum(row.user == user for row in moves), sum(row.seat in seats for row in moves)
        if 2 * own < of_all and not RatedMatch.from_json(rated).people[seat].replaced:
            found.append(f"{user} has a place in match {number} by {own} of {of_all} moves")
    return found


async def nobody_saw_a_hidden_card_or_a_secret_or_read_of_an_error_or_was_called_twice(
    room: Room,
) -> list[str]:
    return room.errors


async def each_interaction_was_answered_or_its_answer_was_made_to_fail(room: Room) -> list[str]:
    return [f"no answer to {each}" for each in room.answers.missing]


async def people_and_faults_made_no_error_themselves(room: Room) -> list[str]:
    return room.own_errors


async def the_log_has_no_error_of_the_bots_own_and_no_token_secret_card_or_name(room: Room) -> list[str]:
    logged = room.bot.logged()
    lines = logged.splitlines()
    found = [
        f"{name} in the log: {match[0]:.200}"
        for name, each in FORBIDDEN.items()
        for match in [each.search(logged)]
        if match
    ]
    found += [line for line in lines if " ERROR " in line and not EXPECTED_ERRORS.search(line)]
    return found + [f"a card in the log: {line}" for line in lines if cards_in(line) or french_cards_in(line)]


AT_EACH_ENTRY = (
    no_deadline_is_early,
    each_entry_fits_the_account_of_its_table,
    what_was_decided_ahead_is_played_when_its_turn_comes,
)
RUNNING: tuple[Law, ...] = (
    what_stands_in_discord_is_what_the_logs_say,
    everything_is_marked_as_posted,
    each_card_stands_once_and_fits_its_match,
    each_match_that_is_over_is_told_as_its_log_ends,
    each_match_in_play_has_one_table_which_says_whose_turn_it_is,
    nobody_waits_longer_than_was_promised,
    what_is_due_is_done,
    deadlines_are_stored_for_exactly_those_whom_a_table_awaits,
    the_clock_of_the_bot_is_that_of_discord,
    the_final_table_of_a_season_is_posted_once,
    the_final_table_of_a_season_shows_its_stored_rows,
    each_call_to_a_table_names_its_host_game_and_number,
    each_bulletin_is_posted_once_and_only_where_it_was_wanted,
    a_season_that_is_over_is_closed_with_the_table_of_a_recount,
    no_open_vote_has_a_verdict,
)
STOPPED: tuple[Law, ...] = (
    each_acknowledged_move_is_in_the_log_once_and_no_entry_without_its_cause,
    people_have_pressed_for_their_entries_and_what_they_were_told_to_have_done_is_in_the_log,
    each_match_is_over_or_closed_with_a_reason_or_has_a_deadline_ahead,
    standings_equal_a_recount_and_each_open_match_replays,
    each_match_of_several_people_that_is_over_has_results,
    who_let_a_computer_play_has_not_won,
    no_season_closes_while_its_matches_are_played,
    nobody_saw_a_hidden_card_or_a_secret_or_read_of_an_error_or_was_called_twice,
    each_interaction_was_answered_or_its_answer_was_made_to_fail,
    people_and_faults_made_no_error_themselves,
    the_log_has_no_error_of_the_bots_own_and_no_token_secret_card_or_name,
)


# Messages and moves


def untouched(room: Room) -> list[FollowedTable]:
    """Return the tables with a place whose messages nobody has tampered with."""
    return [each for each in room.tables.values() if not each.match.placeless and not each.tampered]


def unexplained(
    attempts: Sequence[Attempt], log: Sequence[LogRow], prompts: Mapping[int, int] = MappingProxyType({})
) -> list[str]:
    """Return a sentence for each acknowledged attempt without an entry, and for each person's entry without an
    attempt. Each attempt explains at most one entry: of the same person, later than the attempt began, and an answer to
    the decision for which its form was made. `prompts`: these decisions, by number of the entry."""
    moves = [row for row in log if row.kind == "move" and row.user is not None]
    found, by, left = list[str](), dict[int, Attempt](), list[Attempt]()
    for attempt in sorted(attempts, key=lambda each: (not each.acknowledged, not each.text, each.after)):
        made = next((row for row in moves if row.n not in by and _explains(attempt, row, prompts)), None)
        if made is None:
            left.append(attempt)
        else:
            by[made.n] = attempt
    unclear = {row.user for row in moves if row.n not in by}
    for attempt in left:  # few are worth a search
        may = [row for row in moves if row.user == attempt.user]
        is_worth_it = attempt.acknowledged or attempt.user in unclear
        if not (is_worth_it and _explain(attempt, may, by, prompts, set())) and attempt.acknowledged:
            found.append(f"the acknowledged move {attempt.text!r} after entry {attempt.after} is lost")
    return found + [f"entry {row.n} ({row.body!r}) was made by no click" for row in moves if row.n not in by]


def _explain(
    attempt: Attempt,
    moves: Sequence[LogRow],
    by: dict[int, Attempt],
    prompts: Mapping[int, int],
    tried: set[int],
) -> bool:
    """Find an entry that an attempt explains; one that another attempt explains only if there is a third for that.
    `by`: the attempts by entries so far. Return whether there is one."""
    for row in moves:
        if row.n not in tried and _explains(attempt, row, prompts):
            tried.add(row.n)
            if row.n not in by or _explain(by[row.n], moves, by, prompts, tried):
                by[row.n] = attempt
                return True
    return False


def _explains(attempt: Attempt, row: LogRow, prompts: Mapping[int, int]) -> bool:
    is_its = attempt.user == row.user and attempt.after < row.n and attempt.text in ("", row.body)
    return is_its and attempt.prompt in (None, prompts.get(row.n, attempt.prompt))


def faults_of_messages(room: Room, table: FollowedTable, *, at_rest: bool = False) -> list[str]:
    """Return a sentence for each difference between the messages of a table and those that its log requires. After its
    end, look again only when their number has changed. `at_rest`: look while people play, when nobody may have been
    called yet."""
    place = room.channel(table.place)
    count = len(place.messages()) if place else 0
    if table.messages == count:
        return []
    found = _faults_of_messages(room, table, place, at_rest)
    if not found and not table.is_open:
        table.messages = count
    return found


def _faults_of_messages(room: Room, table: FollowedTable, place: Channel | None, at_rest: bool) -> list[str]:
    match = table.match
    if table.state.game_state is None:
        return []  # it never had more than its card
    if place is None:
        # A night may open tables in a channel that is being deleted.
        gone = table.state.reason == CloseReason.CHANNEL_GONE.sentence
        return [] if gone else [f"match {table.id} has no place any more"]
    wanted = expected_messages(
        TableState.of(match, table.state.game),
        table.rows,
        TIMES,
        greeted=match.place != match.channel,
        call_of=lambda _: called(room, table),
    )
    # The card of a match in private, and what is left of a former card, can have its other buttons.
    ends = sum(f"verify:{table.id}" in each.custom_ids for each in place.messages())
    found = [] if ends == (table.state.phase == "over") else [f"match {table.id} has {ends} last messages"]
    if isinstance(place, Thread) and not place.private:
        return found + _differences(room, table, place, wanted, at_rest)
    return found + _missing(table, place, wanted.records)


def _differences(
    room: Room, table: FollowedTable, thread: Thread, wanted: TableMessages, at_rest: bool
) -> list[str]:
    try:
        posted = posted_messages(room.box.world, table.id, thread)
    except AssertionError as error:
        return [f"match {table.id}: {error}"]
    records = tuple(each for each in posted.records if not each.startswith(INVITATION))
    # How a vote has ended is only edited into a call that stands there, and some do not want to be called.
    asked = called(room, table)
    users = {user for part in asked.newest for user in part.users}
    is_unasked = asked.number == 0 or (users <= room.choosy and not asked.stays)
    # One that stands there for a vote or an offer also calls those whom the first table has called.
    is_lifted = not asked.stays and (
        has_called_above(thread, table, asked.number) or _is_lifted(thread, table, asked)
    )
    is_late = at_rest and is_to_come(room, table, asked)
    may_be = {wanted.call, asked.text} | ({""} if is_late or is_unasked or is_lifted else set())
    shown = "" if posted.call.startswith(INVITATION) else timeless(posted.call)
    wanted, may_be = replace(wanted, call=timeless(wanted.call)), {*map(timeless, may_be)}
    pairs = (
        *zip_longest(records, wanted.records, fillvalue="nothing"),
        (posted.turn, wanted.turn),
        (shown, shown if shown in may_be else wanted.call),
    )
    return [f"match {table.id} {difference(one, other)}" for one, other in pairs if one != other]


def _is_lifted(thread: Thread, table: FollowedTable, asked: Call) -> bool:
    """Return whether a call was deleted because its table was posted again below it, or for one that asks to vote, too,
    which was not posted before the vote was over, as after a kill."""
    live = max((each.id for each in thread.messages() if is_live(table, each)), default=0)
    turns = timeless("\n".join(part.text for part in asked.parts if part.n))
    users = {user for part in asked.parts for user in part.users}
    # What is only to be read may not have been edited in before.
    texts = {timeless(asked.text), turns}
    due = max((part.due for part in asked.parts), default=0)
    lost = [
        each.id
        for each in thread.log.values()
        # It may have named others, too, who have acted since then, or have asked to vote.
        if each.deleted
        and (timeless(each.text) in texts or (each.pings >= users and 0 < due <= time_of(each.id) * 1000))
    ]
    since = [each.text for each in thread.log.values() if lost and each.id > max(lost)]
    is_unvoted = turns != timeless(asked.text) and not any("🗳️" in each for each in since)
    return bool(lost) and (min(lost) < live or is_unvoted)


def difference(shown: str, wanted: str) -> str:
    """Say where two texts begin to differ. Long texts that begin alike would hide it in a report."""
    pairs = enumerate(zip_longest(shown, wanted))
    begin = max(0, next(at for at, (one, other) in pairs if one != other) - 60)
    return (
        f"shows {shown[begin : begin + 300]!r}, not {wanted[begin : begin + 300]!r}, from character {begin}"
    )


def _missing(table: FollowedTable, place: Channel, records: Sequence[str]) -> list[str]:
    """Return a sentence for each record that is not shown once and in order, in a place of several matches."""
    shown = [each.text for each in place.messages() if each.author is place.world.bot]
    at, found = 0, list[str]()
    for record in records:
        if record not in shown[at:]:
            found.append(f"match {table.id} does not show this once, or not in order: {record:.200}")
        else:
            at = shown.index(record, at) + 1
    return found


def describe(room: Room, table: FollowedTable) -> None:
    """Write all that is known about the messages of a match into a file beside the database."""
    place, number = room.channel(table.place), table.id
    lines = [str(table.match), "", *map(str, table.rows), ""]
    for message in place.log.values() if place else ():
        state = "deleted" if message.deleted else f"{message.edits} edits"
        lines.append(f"{message.id} {message.author.name} {state} nonce {message.nonce} {message.custom_ids}")
        lines.append(f"    {message.text!r}")
    lines += [
        f"{each.time:.3f} {each.status} {each.method} {each.path} {each.answer[:120]!r}"
        for each in room.box.requests
        if f"/channels/{table.place}" in each.path
    ]
    (room.bot.folder / f"match-{number}.txt").write_text("\n".join(lines))
