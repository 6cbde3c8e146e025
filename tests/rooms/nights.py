"""Game nights in card rooms: an errand that plans one, and the laws of nights."""

import asyncio
from collections.abc import Sequence
from random import Random

from bot.client import Palmhouse
from bot.match.log import read
from bot.match.night_rows import counts
from bot.match.results import compared
from bot.match.tables import game_of
from bot.standings.night import totals
from bot.store import Night, NightTableRow, Store
from cogs.night.around import EVENT, NAME
from cogs.night.page import Evening, night_id
from games.strategies import strategy_of
from sandbox import Message, Permission, Person, TextChannel
from sandbox.bodies import texts
from sandbox.components import BUTTON, STRING_SELECT
from tests.rooms.room import REMOVED, Room

SOON = (6, 12)
"""Range of the seconds until a night begins."""
GUESTS = 7
"""Number of people who are asked whether they come."""
LOOKS = 40
"""Number of looks for an announcement, a quarter of a second apart."""
PATIENCE = 300.0
"""Seconds within which a night that began must be over after the last fault. Nights of a server wait for each other,
and each lasts for up to a hundred seconds."""
TWICE = (
    "SELECT night, round, user FROM night_seats WHERE user IS NOT NULL"
    " GROUP BY night, round, user HAVING count(*) > 1"
)
"""Query for people who sit twice in a round."""
AT_ONCE = (
    "SELECT night, count(DISTINCT round) FROM night_tables JOIN matches ON id = match"
    " WHERE phase IN ('lobby', 'play') GROUP BY night HAVING count(DISTINCT round) > 1"
)
"""Query for nights of which two rounds are played at once."""
EVENTS = "SELECT night, message, phase FROM night_posts JOIN nights ON id = night WHERE number = ?"
"""Query for the events of nights in the calendars of their servers; 0 for one that Discord refused."""


async def plan(room: Room, rng: Random, manager: Person, channel: TextChannel) -> None:
    """Plan a night that begins in some seconds, and let people come to it."""
    if rng.randrange(2):
        await _keep_quick_match(manager, channel)
    answer = await manager.slash(channel, "night plan")
    form = answer.message
    games = (
        next((each for each in form.selects if each["custom_id"].endswith(":games")), None) if form else None
    )
    if form is None or games is None:
        return
    values = [each["value"] for each in games["options"]]
    quick = [each for each in values if each.startswith("p")]
    chosen = quick[:1] if quick and rng.randrange(4) else rng.sample(values, rng.choice((1, 1, 2)))
    await manager.press(form, games["custom_id"], STRING_SELECT, values=chosen)
    second = int(room.box.clock.now()) + rng.randrange(*SOON)
    weekly, rounds = int(rng.randrange(3) == 0), rng.choice((1, 1, 2))
    wanted = f"night-plan:0:{second}:{'.'.join(chosen)}:{rounds}:{weekly}:plan"
    await manager.press(form, wanted, BUTTON)
    announced = await _announced(channel)
    for person in rng.sample(room.people, min(GUESTS, len(room.people))) if announced else ():
        await press(rng, person, announced)


async def _keep_quick_match(manager: Person, channel: TextChannel) -> None:
    """Keep a preset with which a match may end while the room lasts."""
    card = (await manager.slash(channel, "palmer start", limit=10)).message
    more = (await manager.click(card, "More")).message if card else None
    modal = (await manager.click(more, "Keep as preset")).modal if more else None
    if modal is not None:
        await manager.submit(modal, {"Name": "Quick"})
    if more is not None:
        await manager.click(more, "Cancel")


async def press(rng: Random, person: Person, message: Message | None) -> None:
    """Press a button of a night's message: mostly the first."""
    buttons = [each for each in message.buttons if each["custom_id"].startswith("night:")] if message else []
    if message and buttons:
        part = buttons[0] if rng.randrange(5) else rng.choice(buttons)
        answer = await person.click(message, part["custom_id"])
        inner = answer.message.buttons if answer.message and part["label"] == "More" else []
        if inner and answer.message and rng.randrange(4) == 0:
            sure = (await person.click(answer.message, rng.choice(inner)["custom_id"])).message
            if sure and sure.buttons:
                await person.click(sure, sure.buttons[0]["custom_id"])


def announcements(channel: TextChannel) -> list[Message]:
    """Return the announcements of nights that are not over."""
    return [
        each for each in channel.messages() if any(":0:come" in custom_id for custom_id in each.custom_ids)
    ]


async def _announced(channel: TextChannel) -> Message | None:
    for _ in range(LOOKS):
        await asyncio.sleep(0.25)
        if found := announcements(channel):
            return found[-1]
    return None


# Laws


async def nobody_sits_at_two_tables_of_a_night_at_once(room: Room) -> list[str]:
    found = [f"{user} sits twice in round {n} of night {night}" for night, n, user in room.read(TWICE)]
    return found + [
        f"{rounds} rounds of night {night} are played at once" for night, rounds in room.read(AT_ONCE)
    ]


async def the_calendar_has_each_night_that_is_to_come_once(room: Room) -> list[str]:
    # What was created after a backup was made is not in it. Who was removed may not delete what they have created.
    if room.is_restored or any(name == REMOVED for *_, name in room.troubled):
        return []
    rows = room.read(EVENTS, EVENT)
    nights, phases = {night for night, *_ in rows}, {event: phase for _, event, phase in rows}
    found = [
        f"event {id_} of {guild.id} is of a night that is {phases.get(id_, 'unknown')}"
        for guild in room.guilds
        for id_, event in guild.events.items()
        if phases.get(id_, event["name"]) in ("over", "off", NAME)
    ]
    allowed = [
        each.id for each in room.guilds if each.permissions(room.box.world.bot.id) & Permission.CREATE_EVENTS
    ]
    planned = room.read("SELECT id, guild FROM nights WHERE phase = 'planned'")
    return found + [
        f"night {night} is not in the calendar"
        for night, guild in planned
        if guild in allowed and night not in nights
    ]


async def to_their_ends(room: Room) -> list[str]:
    """Wait until each night that began is over. Return a sentence for each that is not in time, and for each round that
    is played beside another one meanwhile."""
    end, found = asyncio.get_running_loop().time() + PATIENCE, list[str]()
    while (on := _nights_on(room)) and not found and asyncio.get_running_loop().time() < end:
        await asyncio.sleep(1)
        found = await nobody_sits_at_two_tables_of_a_night_at_once(room)
    return found or [f"night {night} is in its {phase}" for night, phase in on]


def _nights_on(room: Room) -> list[tuple[int, str]]:
    query = (
        "SELECT id, phase FROM nights WHERE phase IN ('round', 'pause') OR (phase = 'planned' AND due < ?)"
    )
    return room.read(query, room.box.clock.now() * 1000)


async def the_points_of_a_night_are_those_of_its_logs(client: Palmhouse, night: Night) -> list[str]:
    store, found = client.store, list[str]()
    tables = await store.night_tables(night.id)
    for table in tables:
        if table.closed and table.match is not None:
            found += await _faults_of_table(store, table)
    seated = [each for table in tables for each in table.seats if each.user is not None]
    sums = sum(totals([[counts(table) for table in tables if table.closed]]).values())
    if sums and not seated:
        found.append(f"night {night.id} has points of nobody")
    return found


async def _faults_of_table(store: Store, table: NightTableRow) -> list[str]:
    assert table.match is not None
    match = await store.match(table.match)
    log = [*map(read, await store.log(table.match))]
    game = game_of(match) if match else None
    if match is None or game is None or not log:
        return []
    result = compared(match, game, log)
    strategy = strategy_of(game)
    sign = -1 if strategy is not None and strategy.low_wins else 1
    wanted = [
        (
            result.users.get(each.user) if each.user is not None else None,
            sign * result.scores[seat] if result.rated and result.scores else None,
        )
        for seat, each in enumerate(table.seats)
    ]
    stored = [(each.part, each.merit) for each in table.seats]
    rated = result.rated.to_json() if result.rated else None
    right = (stored, table.rated) == (wanted, rated)
    return [] if right else [f"match {match.id} gave {stored} {table.rated}, not {wanted} {rated}"]


async def the_messages_of_a_night_stand_once_and_show_it(
    client: Palmhouse, night: Night, channels: Sequence[TextChannel]
) -> list[str]:
    evening, found = await Evening.of(client.store, night), list[str]()
    channel = next((each for each in channels if each.id == night.channel), None)
    for number in evening.messages() if channel else ():
        mark = str(night_id(night, number, ""))
        panel = evening.panel(number, client.tables.clock.times)
        drawn = ["\n".join(texts({"components": each.payload()})) for each in (panel, panel.in_words())]
        standing = [
            each.text
            for each in (channel.messages() if channel else ())
            if any(custom_id.startswith(mark) for custom_id in each.custom_ids)
        ]
        has_marks = any(mark in str(part) for part in panel.payload())
        if has_marks and (len(standing) != 1 or standing[0] not in drawn):
            found.append(
                f"message {number} of night {night.id} shows {standing!r:.900}, not {drawn[0]!r:.600}"
            )
    return found
