"""What people do apart from their tables: lessons, seasons, preferences, looking things up, coming and going."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from random import Random

from games import GAMES
from games.lessons import lessons
from sandbox import Answer, Impossible, Message, Permission, Person, TextChannel
from sandbox.checks import Json, Refused
from sandbox.components import BUTTON, STRING_SELECT
from tests.rooms import nights
from tests.rooms.room import Room

Errand = Callable[[Room, Random, Person], Awaitable[None]]

TAPS = 30
"""Greatest number of taps in a lesson."""
PAUSE = (0.1, 0.8)
"""Range of the seconds between two taps."""
BULLETINS = ("daily:0:card:", "week:0:")
"""Beginnings of custom ids on bulletins alone."""
MOVES = ("ahead", "do", "erase-me", "form")
"""Verbs of what `press_anything` leaves alone: moves, and erasing oneself, which others account for."""
CLUB = "Club"
"""Name of the roles that are chosen in the settings."""
MOST_BANNED = 40
"""Greatest number of seconds for which somebody is banned."""
NAMES = ("Autumn", "Winter", "Spring")
"""Names of seasons."""


class NotThere(Exception):
    """Something that a person wanted to use is not on the screen."""


UNABLE = (NotThere, Impossible, Refused)
"""Reasons for which a person cannot do something now: the client does not allow it, or a fault took it away."""


def shown(answer: Answer) -> Message:
    """Return the message with which an interaction was answered. Raises NotThere if there is none."""
    if answer.message is None or answer.message.deleted:
        raise NotThere(answer.text)
    return answer.message


async def learn(room: Room, rng: Random, person: Person) -> None:
    """Take a lesson, with right and wrong taps."""
    lesson = shown(await person.slash(rng.choice(room.channels), "learn", game=rng.choice([*lessons()])))
    for _ in range(rng.randrange(TAPS)):
        await asyncio.sleep(rng.uniform(*PAUSE))
        ids = [
            each["custom_id"] for each in lesson.buttons if "custom_id" in each and not each.get("disabled")
        ]
        steps = [each for each in ids if each.startswith("lesson:")]
        if not steps or room.ending:
            return
        lesson = shown(await person.click(lesson, rng.choice(steps), times=room.habits[person.id].times(rng)))


async def start_a_season(room: Room, rng: Random, person: Person) -> None:
    """Start a season. Who does not manage the server is refused."""
    person, channel = _manager(room, rng, person)
    await person.slash(channel, "settings season start", name=rng.choice(NAMES), days=1)


async def end_a_season(room: Room, rng: Random, person: Person) -> None:
    """End a season, before the time in which it settles."""
    person, channel = _manager(room, rng, person)
    await person.slash(channel, "settings season end", season=rng.choice(NAMES))


async def plan_a_season(room: Room, rng: Random, person: Person) -> None:
    """Plan a season that begins on one of the next days."""
    person, channel = _manager(room, rng, person)
    options = {"name": rng.choice(NAMES), "days": 1, "from": _day(room, rng.randrange(1, 4))}
    await person.slash(channel, "settings season start", **options)


async def rename_a_season(room: Room, rng: Random, person: Person) -> None:
    """Give a season another name, maybe that of another one."""
    person, channel = _manager(room, rng, person)
    named, name = rng.choice(NAMES), rng.choice(NAMES)
    await person.slash(channel, "settings season rename", season=named, name=name)


def _day(room: Room, ahead: int) -> str:
    """Return a day to come, as people write it."""
    return str((datetime.fromtimestamp(room.box.clock.now(), UTC) + timedelta(days=ahead)).date())


async def set_a_board(room: Room, rng: Random, person: Person) -> None:
    """Put the board of a server somewhere else, or take it away."""
    person, channel = _manager(room, rng, person)
    panel = shown(await person.slash(channel, "settings show"))
    others = [each for each in room.channels if each.guild is channel.guild]
    await person.select(panel, "settings:0:board", [rng.choice(others)] * (rng.randrange(4) > 0))


async def choose_a_role(room: Room, rng: Random, person: Person) -> None:
    """Choose a role of managers or of winners, or none."""
    person, channel = _manager(room, rng, person)
    guild, setting = channel.guild, rng.choice(("table-role", "season-role", "night-role", "night-role"))
    roles = [each for each in guild.roles.values() if each.name == CLUB] or [guild.role(CLUB, Permission(0))]
    panel = shown(await person.slash(channel, "settings show"))
    await person.select(panel, f"settings:0:{setting}", [rng.choice(roles)] * (rng.randrange(4) > 0))


async def change_a_role(room: Room, rng: Random, person: Person) -> None:
    """Delete a role that may be chosen, take it from somebody or give it to them, as moderators do by hand."""
    guild = rng.choice(room.guilds)
    roles = [each for each in guild.roles.values() if each.name == CLUB]
    if not roles or person.id not in guild.members:
        raise NotThere("there is no role, or nobody to give it to")
    role, own = rng.choice(roles), guild.members[person.id].roles
    if rng.randrange(3) == 0:
        guild.delete_role(role)
    else:
        (own.remove if role.id in own else own.append)(role.id)
        guild.member_changed(person.user)


async def allow_more(room: Room, rng: Random, person: Person) -> None:
    """Let the bot give roles and keep events in the calendar of a server."""
    guild = rng.choice(room.guilds)
    if guild.has_bot:
        guild.grant(room.box.world.bot, Permission.MANAGE_ROLES | Permission.CREATE_EVENTS)


async def change_an_event(room: Room, rng: Random, person: Person) -> None:
    """Delete an event of a game night in a server's calendar, or give it another name, as moderators do by hand."""
    guild = rng.choice(room.guilds)
    if not guild.events:
        raise NotThere("the calendar is empty")
    id_, event = rng.choice([*guild.events.items()])
    if rng.randrange(2):
        guild.dispatch("GUILD_SCHEDULED_EVENT_DELETE", guild.events.pop(id_))
    else:
        event["name"] = "Party"
        guild.dispatch("GUILD_SCHEDULED_EVENT_UPDATE", event)


async def choose_bulletins(room: Room, rng: Random, person: Person) -> None:
    """Choose what is posted beside the board of a server, and a place for the board if it has none."""
    person, channel = _manager(room, rng, person)
    panel = shown(await person.slash(channel, "settings show"))
    if not any(each["custom_id"] == "settings:0:bulletins" for each in panel.selects):
        there = [each for each in room.channels if each.guild is channel.guild]
        await person.select(panel, "settings:0:board", [rng.choice(there)])
    wanted = [kind for kind in ("daily", "weekly") if rng.randrange(4)]
    await person.select(panel, "settings:0:bulletins", wanted)


async def press_a_bulletin(room: Room, rng: Random, person: Person) -> None:
    """Press a button of a bulletin: play the deal, see a match again, or answer its question."""
    found = [each for channel in room.channels for each in channel.messages() if is_bulletin(each)]
    if not found:
        raise NotThere("there is no bulletin")
    message = rng.choice(found)
    answer = await person.click(message, rng.choice(message.buttons)["custom_id"])
    choices = [each for each in shown(answer).buttons if each["custom_id"].startswith("quiz:")]
    if choices:
        await person.click(shown(answer), rng.choice(choices)["custom_id"])


def is_bulletin(message: Message) -> bool:
    """Return whether a message is the deal of a day or tells of a week."""
    return any(each.startswith(BULLETINS) for each in message.custom_ids)


async def look_for_a_game(room: Room, rng: Random, person: Person) -> None:
    """Ask to be told when somebody plays, or not any more."""
    page = shown(await person.slash(rng.choice(room.channels), "play"))
    asked = await person.click(page, "Tell me when …")
    if asked.modal is None:
        raise NotThere(asked.text)
    room.askers.add(person.id)
    times = room.habits[person.id].times(rng)
    await person.submit(asked.modal, _choices(rng, asked.modal.body), times=times)


def _choices(rng: Random, body: Json) -> dict[str, list[str]]:
    """Choose something in each menu of a form, by its label."""
    found = {}
    for label in body["components"]:
        found[label["label"]] = _some(rng, label["component"])
    return found


def _some(rng: Random, menu: Json) -> list[str]:
    """Choose as many options of a menu as it allows."""
    values = [option["value"] for option in menu["options"]]
    return rng.sample(values, rng.randint(1, menu.get("max_values", 1)))


async def call_players(room: Room, rng: Random, person: Person) -> None:
    """Open a table and call people to it who look for such a game, maybe by two clicks at once."""
    card = shown(await person.slash(rng.choice(room.channels), f"{rng.choice([*GAMES])} start"))
    more = next((each for each in card.custom_ids if each.startswith("more:")), "")
    if not more:
        raise NotThere("no lobby is open")
    rest = shown(await person.click(card, more))
    offered = [each for each in rest.buttons if not each.get("disabled")]
    calls = [each["custom_id"] for each in offered if each["custom_id"].startswith("call:")]
    if not calls:
        raise NotThere("nobody can be called")
    await asyncio.gather(*(person.click(rest, calls[0]) for _ in range(rng.choice((1, 1, 2)))))


async def open_a_preset(room: Room, rng: Random, person: Person) -> None:
    """Open a table by a preset of the server."""
    page = shown(await person.slash(rng.choice(room.channels), "play"))
    presets = [each for each in page.custom_ids if each.startswith("preset:")]
    if not presets:
        raise NotThere("there is no preset")
    await person.click(page, rng.choice(presets), times=room.habits[person.id].times(rng))


async def delete_a_preset(room: Room, rng: Random, person: Person) -> None:
    """Delete a preset of the server, which a night may be planned with."""
    person, channel = _manager(room, rng, person)
    panel = shown(await person.slash(channel, "settings show"))
    for menu in [each for each in panel.selects if each["custom_id"] == "settings:0:preset"]:
        await person.select(panel, menu["custom_id"], _some(rng, menu))


async def challenge(room: Room, rng: Random, person: Person) -> None:
    """Challenge somebody, maybe oneself."""
    other = rng.choice(room.people)
    asked = await person.choose(rng.choice(room.channels), "Challenge", other)
    if asked.modal is None:
        raise NotThere(asked.text)
    room.askers.add(other.id)
    await person.submit(asked.modal, _choices(rng, asked.modal.body))


async def answer_a_call(room: Room, rng: Random, person: Person) -> None:
    """Sit down at a table by the message that calls people to it, or decline."""
    messages = [each for channel in room.channels for each in person.sees(channel)]
    calls = [each for each in messages if any(id_.endswith(":call") for id_ in each.custom_ids)]
    if not calls:
        raise NotThere("nobody is called")
    call = rng.choice(calls)
    answers = [id_ for id_ in call.custom_ids if id_.endswith(":call") or id_.startswith("decline")]
    await person.click(call, rng.choice(answers), times=room.habits[person.id].times(rng))


async def plan_a_night(room: Room, rng: Random, person: Person) -> None:
    """Plan a game night, and ask people whether they come."""
    await nights.plan(room, rng, *_manager(room, rng, person))


async def press_at_a_night(room: Room, rng: Random, person: Person) -> None:
    """Come to a game night, or leave it."""
    found = [each for channel in room.channels for each in nights.announcements(channel)]
    if found:
        await nights.press(rng, person, rng.choice(found))


def _manager(room: Room, rng: Random, person: Person) -> tuple[Person, TextChannel]:
    """Return a channel, and who manages its server; now and then somebody else."""
    channel = rng.choice(room.channels)
    return rng.choice((person, *[room.managers[channel.guild.id]] * 3)), channel


async def choose(room: Room, rng: Random, person: Person) -> None:
    """Choose something in the preferences, such as hands in direct messages or in text."""
    room.choosy.add(person.id)
    panel = shown(await person.slash(rng.choice(room.channels), "preferences"))
    if not panel.selects:
        raise NotThere("an error is in its place")
    menu = rng.choice(panel.selects)
    await person.select(panel, menu["custom_id"], [rng.choice(menu["options"])["value"]])


async def set_hours(room: Room, rng: Random, person: Person) -> None:
    """Set hours in which one is awake now, or not; be away; read one message a day; or forget all of that."""
    channel, now = rng.choice(room.channels), datetime.fromtimestamp(room.box.clock.now(), UTC)
    begins = (now.hour + rng.choice((-6, -1, 1, 12))) % 24
    options = {"zone": "Africa/Abidjan", "from": begins, "until": (begins + rng.choice((4, 8, 20))) % 24}
    if not rng.randrange(4):
        options["away"] = _day(room, rng.randrange(1, 9))
    panel = shown(await person.slash(channel, "hours", **options))
    if rng.randrange(2) and panel.selects:
        (menu,) = panel.selects
        await person.select(panel, menu["custom_id"], [rng.choice(menu["options"])["value"]])
    if rng.randrange(2):
        await asyncio.sleep(rng.uniform(1, 10))
        if panel.buttons:  # they may have pressed something there meanwhile
            await person.click(panel, rng.choice(panel.buttons)["custom_id"])


async def look_up(room: Room, rng: Random, person: Person) -> None:
    """Look at what is stored and counted."""
    match = rng.choice([*room.tables, 1])
    looks: tuple[tuple[str, dict[str, object]], ...] = (
        ("profile", {}),
        ("history", {}),
        ("leaderboard", {}),
        ("replay", {"match": match}),
        ("verify", {"match": match}),
        ("privacy show", {}),
        ("privacy export", {}),
        ("settings show", {}),
        ("doctor", {}),
        ("tables", {}),
        ("daily", {"show": rng.choice(("table", "yesterday", "about"))}),
        ("help", {}),
    )
    command, options = rng.choice(looks)
    await person.slash(rng.choice([*room.channels, person.dms]), command, **options)


async def look_at_somebody(room: Room, rng: Random, person: Person) -> None:
    """Look at the profile of somebody, or compare oneself with them, and go on from there."""
    channel, other = rng.choice(room.channels), rng.choice(room.people)
    looked = await person.choose(channel, rng.choice(("Profile", "Compare")), other)
    await _press_on(room, rng, person, shown(looked))


async def erase(room: Room, rng: Random, person: Person) -> None:
    """Erase oneself. Who sits at a table is refused."""
    asked = shown(await person.slash(rng.choice(room.channels), "privacy erase"))
    if any(each["label"] == "Erase me" for each in asked.buttons):
        room.note_erased(person)
        await person.click(asked, "Erase me", times=room.habits[person.id].times(rng))


async def press_anything(room: Room, rng: Random, person: Person) -> None:
    """Press some button of some message, or choose from its menu, and go on in the answer."""
    messages = [each for channel in room.channels for each in person.sees(channel)]
    if not messages:
        raise NotThere("there is no message")
    await _press_on(room, rng, person, rng.choice(messages))


async def _press_on(room: Room, rng: Random, person: Person, message: Message) -> None:
    """Press something on a message, and go on in the answer."""
    room.choosy.add(person.id)
    for _ in range(rng.randint(1, 4)):
        parts = [each for each in (*message.buttons, *message.selects) if _is_to_press(each)]
        if not parts or room.ending:
            return
        part, times = rng.choice(parts), room.habits[person.id].times(rng)
        if part["type"] == BUTTON:
            answer = await person.click(message, part["custom_id"], times=times)
        else:
            answer = await person.select(message, part["custom_id"], _some(rng, part), times=times)
        message = shown(answer)
        await asyncio.sleep(rng.uniform(*PAUSE))


def _is_to_press(part: Json) -> bool:
    verb, *_ = part.get("custom_id", MOVES[0]).split(":")
    moves = verb in MOVES or verb.endswith((".press", ".face"))
    return not moves and not part.get("disabled") and part["type"] in (BUTTON, STRING_SELECT)


async def come_and_go(room: Room, rng: Random, person: Person) -> None:
    """Leave a server, and come back."""
    guild = rng.choice(room.guilds)
    if person.id in guild.members:
        person.leave(guild)
        await asyncio.sleep(rng.uniform(0.5, 8))
        guild.add(person.user)


async def ban(room: Room, rng: Random, person: Person) -> None:
    """Ban somebody from a server, mostly where they sit at a table or are called, and let them come back later."""
    guild = rng.choice(room.guilds)
    seated = [
        other
        for table in room.open_tables()
        for player in table.state.players
        if table.match.guild == guild.id and (other := room.person(player.user)) is not None
    ]
    person = rng.choice(seated or [person])
    if person.id in guild.members and person is not room.managers[guild.id]:
        person.leave(guild)
        for _ in range(rng.randrange(MOST_BANNED)):
            await asyncio.sleep(0 if room.ending else 1)
        guild.add(person.user)


async def rename(room: Room, rng: Random, person: Person) -> None:
    """Take another name on a server."""
    guild = rng.choice(room.guilds)
    if person.id in guild.members:
        person.rename(guild, f"{person.name} the {rng.choice(('Great', 'Small', 'Brave'))}")


async def end_a_table(room: Room, rng: Random, person: Person) -> None:
    """End somebody's table, as those who manage the server may."""
    tables = room.open_tables()
    if tables:
        table = rng.choice(tables)
        asked = shown(await person.slash(rng.choice(room.channels), "table end", table=str(table.id)))
        if rng.randrange(2) and asked.buttons:
            await person.click(asked, rng.choice(asked.buttons)["custom_id"])


ERRANDS: dict[Errand, int] = {
    learn: 3,
    start_a_season: 2,
    end_a_season: 2,
    plan_a_season: 2,
    rename_a_season: 2,
    set_a_board: 5,
    choose_a_role: 3,
    change_a_role: 2,
    allow_more: 3,
    change_an_event: 2,
    choose_bulletins: 3,
    press_a_bulletin: 2,
    look_for_a_game: 10,
    call_players: 6,
    open_a_preset: 2,
    delete_a_preset: 2,
    challenge: 3,
    answer_a_call: 6,
    plan_a_night: 5,
    press_at_a_night: 5,
    choose: 4,
    set_hours: 4,
    look_up: 6,
    look_at_somebody: 3,
    press_anything: 24,
    erase: 1,
    come_and_go: 1,
    ban: 2,
    rename: 1,
    end_a_table: 1,
}
"""All errands with their weights."""
