"""`/doctor`: what it finds on a server and in the bot, what the owner of the application sees, and who may call it."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from discord import ChannelType

from bot.hosting.backup_files import MINUTE, OLD
from bot.hosting.invite import permissions
from bot.store import StoreHealth
from bot.store.sqlite.store import SQLiteStore
from bot.worker_process import WorkerGone
from sandbox import Answer, Message, Permission, Person, Thread
from sandbox.interactions import DEFER_UPDATE
from sandbox.permissions import EVERYONE
from tests.e2e.card_room import CardRoom, connected_bot, without_a_bot
from tests.e2e.match import refusal_of
from tests.e2e.players import bid, deal, leave, new_thread, open_table, shown
from tests.e2e.test_night import added, plan
from tests.simulation.workers import Worker

VERIFIED_BOT = 1 << 16
"""Public flag of a verified bot."""
NEEDED = {
    Permission.VIEW_CHANNEL: ("✗", "View Channel"),
    Permission.SEND_MESSAGES: ("✗", "Send Messages"),
    Permission.SEND_MESSAGES_IN_THREADS: ("✗", "Send Messages in Threads"),
    Permission.CREATE_PUBLIC_THREADS: ("!", "Create Public Threads"),
    Permission.ATTACH_FILES: ("!", "Attach Files"),
    Permission.READ_MESSAGE_HISTORY: ("!", "Read Message History"),
}
"""Mark of the finding and Discord's name of each permission."""

POSTING = Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS
"""Permissions without which nothing can be posted."""


@pytest.fixture
def owner(here: CardRoom) -> Person:
    """Ben, who owns the application."""
    ben = here.people[1]
    here.box.world.owner = ben.user
    return ben


async def examined(here: CardRoom, person: Person) -> Message:
    """Return the page about the server."""
    page = shown(await person.slash(here.room, "doctor"))
    assert page.ephemeral
    return page


async def of_application(here: CardRoom, person: Person) -> str:
    """Return the page about the application, called in direct messages."""
    answer = await person.slash(person.dms, "doctor", show="owner")
    await here.box.until(lambda: answer.text)
    assert answer.ephemeral or answer.interaction.channel is person.dms
    return answer.text


def lines(text: str) -> dict[str, str]:
    """Return the findings by their sentence, each with its mark."""
    marked = [line for line in text.splitlines() if line[:2] in ("✓ ", "! ", "✗ ")]
    return {line[2:]: line[0] for line in marked}


def mark_of(text: str, part: str) -> str:
    """Return the mark of the only finding with these words."""
    found = [mark for sentence, mark in lines(text).items() if part in sentence]
    assert len(found) == 1, (part, text)
    return found[0]


# The page of a server


async def test_a_healthy_server_has_no_fault_and_lists_all_checks(here: CardRoom, manager: Person) -> None:
    page = await examined(here, manager)
    assert page.text.startswith("### Doctor: this server\nAll is well.")
    assert mark_of(page.text, f"I have all permissions in <#{here.room.id}>.") == "✓"
    assert mark_of(page.text, "No backup is needed yet.") == "✓"
    for part in ("commands", "Discord", "computers", "pictures", "database works", "tables of this server"):
        assert mark_of(page.text, part) == "✓"
    assert [*lines(page.text).values()] == 8 * ["✓"]


async def test_a_permission_that_the_channel_denies_is_named_with_who_can_give_it(
    here: CardRoom, manager: Person
) -> None:
    moderators = here.guild.role("Moderators", Permission(1 << 28))
    role = here.guild.members[here.box.world.bot.id].roles[0]
    givers = f"<@{here.guild.owner.id}> and <@&{moderators.id}>"
    for lacks, (mark, name) in NEEDED.items():
        here.room.deny(here.box.world.bot, lacks)
        text = (await examined(here, manager)).text
        assert mark_of(text, f"I lack **{name}** in <#{here.room.id}>: ") == mark
        assert all(f"I lack **{name}**" in each for each in lines(text) if "I lack" in each)
        assert f"-# {givers} can allow that (Manage Roles): Edit Channel, Permissions, <@&{role}>." in text
        here.room.allow(here.box.world.bot, lacks)


async def test_a_permission_that_the_role_of_the_bot_lacks_is_given_in_the_roles(
    here: CardRoom, manager: Person
) -> None:
    everyone = here.guild.roles[here.guild.id]
    for lacks, (mark, name) in NEEDED.items():
        everyone.permissions = EVERYONE & ~lacks
        role = {"guild_id": str(here.guild.id), "role": everyone.payload()}
        here.guild.dispatch("GUILD_ROLE_UPDATE", role)
        here.room.allow(manager.user, lacks)
        text = (await examined(here, manager)).text
        assert mark_of(text, f"I lack **{name}**") == mark
        assert "Server Settings, Roles, <@&" in text


async def test_check_again_shows_in_the_same_message_that_the_permission_is_there(
    here: CardRoom, manager: Person
) -> None:
    here.room.deny(here.box.world.bot, Permission.ATTACH_FILES)
    page = await examined(here, manager)
    assert "I lack **Attach Files**" in page.text
    here.room.allow(here.box.world.bot, Permission.ATTACH_FILES)
    assert shown(await manager.click(page, "Check again")) is page
    assert "I lack" not in page.text


async def test_the_chosen_channels_and_those_of_open_tables_are_checked_and_no_others(
    here: CardRoom, manager: Person
) -> None:
    chosen, other = here.guild.channel("chosen"), here.guild.channel("other")
    for room in (chosen, other, here.room):
        room.deny(here.box.world.bot, Permission.ATTACH_FILES)
    await open_table(other, "palace start", here.people[1])
    assert f"in <#{here.room.id}> and <#{other.id}>:" in (await examined(here, manager)).text
    await here.bot.store.set_table_channels(here.guild.id, [chosen.id])
    assert f"in <#{chosen.id}> and <#{other.id}>:" in (await examined(here, manager)).text


async def test_what_a_board_lacks_where_it_stands_is_found(here: CardRoom, manager: Person) -> None:
    lobby = here.guild.channel("lobby")
    await here.bot.store.set_board(here.guild.id, lobby.id)
    for lacks, mark, follows in (
        (Permission.VIEW_CHANNEL, "✗", "the board cannot be shown."),
        (Permission.SEND_MESSAGES, "✗", "the board cannot be posted."),
        (
            Permission.READ_MESSAGE_HISTORY,
            "!",
            "after an error or a crash the board or a bulletin may be missing.",
        ),
    ):
        assert "board" not in (await examined(here, manager)).text
        lobby.deny(here.box.world.bot, lacks)
        said = f"{mark} I lack **{NEEDED[lacks][1]}** in <#{lobby.id}>, where the board stands: {follows}"
        assert said in (await examined(here, manager)).text
        lobby.allow(here.box.world.bot, lacks)


async def test_a_large_server_is_cut_to_one_message(here: CardRoom, manager: Person) -> None:
    rooms = [here.guild.channel(f"room-{number}") for number in range(40)]
    for room in rooms:
        room.deny(here.box.world.bot, Permission.SEND_MESSAGES | Permission.READ_MESSAGE_HISTORY)
    await here.bot.store.set_table_channels(here.guild.id, [room.id for room in rooms])
    text = (await examined(here, manager)).text
    assert "and 15 more: no table can be opened" in text
    assert len(text) < 4000


async def test_deleted_channels_and_roles_of_the_settings_are_found(here: CardRoom, manager: Person) -> None:
    other = here.guild.channel("other")
    await here.bot.store.set_table_channels(here.guild.id, [other.id])
    await here.bot.store.set_table_role(here.guild.id, 5)
    other.delete()
    text = (await examined(here, manager)).text
    assert mark_of(text, "All channels in which tables may be opened were deleted.") == "✗"
    assert mark_of(text, "The role of the table managers was deleted.") == "!"
    assert "by `/settings show`" in text


async def test_a_timeout_of_the_bot_is_the_only_fault_as_no_permission_is_missing(
    here: CardRoom, manager: Person
) -> None:
    here.guild.time_out(here.box.world.bot, 600)
    text = (await examined(here, manager)).text
    assert mark_of(text, "I am in a timeout until <t:") == "✗"
    assert "**1 fault**" in text


async def test_what_is_lacking_where_an_archived_thread_of_a_table_is_is_found(
    here: CardRoom, manager: Person
) -> None:
    other = here.guild.channel("other")
    card = await open_table(other, "twin-palms start", *here.people[:2])
    await here.people[0].click(card, "Start")
    await here.rest()
    assert isinstance(card.thread, Thread)
    card.thread.archive()
    other.deny(here.box.world.bot, Permission.SEND_MESSAGES_IN_THREADS)
    text = (await examined(here, manager)).text
    assert mark_of(text, f"I lack **Send Messages in Threads** in <#{other.id}>: ") == "✗"


async def test_pictures_are_not_missed_in_a_forum_where_the_bot_may_not_create_posts(
    here: CardRoom, manager: Person
) -> None:
    bot, forum = here.box.world.bot, added(here, ChannelType.forum)
    thread = new_thread(forum, manager)
    forum.deny(bot, Permission.SEND_MESSAGES)
    text = shown(await manager.slash(thread, "doctor")).text
    assert mark_of(text, f"I have all permissions in <#{forum.id}>.") == "✓"
    forum.deny(bot, Permission.ATTACH_FILES)
    text = shown(await manager.slash(thread, "doctor")).text
    assert mark_of(text, f"I lack **Attach Files** in <#{forum.id}>: ") == "!"


async def test_in_a_private_thread_without_the_bot_its_channel_is_checked(
    here: CardRoom, manager: Person
) -> None:
    thread = new_thread(here.room, manager, private=True)
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    text = shown(await manager.slash(thread, "doctor")).text
    assert mark_of(text, f"I lack **Send Messages** in <#{here.room.id}>: ") == "✗"


@pytest.mark.parametrize("in_thread", [False, True])
async def test_what_is_lacking_where_a_season_ends_is_found(
    here: CardRoom, manager: Person, in_thread: bool
) -> None:
    lacks = Permission.SEND_MESSAGES_IN_THREADS if in_thread else Permission.SEND_MESSAGES
    other = here.room if in_thread else here.guild.channel("other")
    place = await deal(here, 2) if in_thread else other
    await here.bot.store.add_season(here.guild.id, place.id, "Autumn", 1, 2**42)
    assert "Autumn" not in (await examined(here, manager)).text
    other.deny(here.box.world.bot, lacks)
    said = (
        f"I lack **{NEEDED[lacks][1]}** in <#{place.id}>: the final table of season Autumn cannot be posted."
    )
    assert mark_of((await examined(here, manager)).text, said) == "✗"


async def test_what_is_lacking_where_a_game_night_is_planned_is_found(
    here: CardRoom, manager: Person
) -> None:
    other = here.guild.channel("other")
    await plan(here.bot, manager, other)
    other.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    text = (await examined(here, manager)).text
    assert mark_of(text, f"I lack **Send Messages** in <#{other.id}>: ") == "✗"


async def test_too_many_threads_are_found_until_one_is_made(here: CardRoom, manager: Person) -> None:
    here.guild.most_threads = 0
    await deal(here, 2)
    assert mark_of((await examined(here, manager)).text, "1,000 active threads") == "!"
    here.guild.most_threads = 1
    card = await open_table(here.room, "palace start", *here.people[2:4])
    await here.people[2].click(card, "Start")
    await here.rest()
    assert "active threads" not in (await examined(here, manager)).text


async def test_a_table_that_cannot_be_shown_is_found(here: CardRoom, manager: Person) -> None:
    card = await open_table(here.room, "palace start", *here.people[:2])
    here.room.deny(here.box.world.bot, POSTING)
    await here.people[0].click(card, "Start")
    await here.box.until(lambda: here.bot.publisher.venue.troubles)
    text = (await examined(here, manager)).text
    assert mark_of(text, f"Table 1 cannot be shown: I may not post in <#{here.room.id}>.") == "✗"
    here.room.allow(here.box.world.bot, POSTING)
    await here.rest()
    assert mark_of((await examined(here, manager)).text, "All tables of this server are shown.") == "✓"


async def test_a_table_that_waits_for_discord_is_found(here: CardRoom, manager: Person) -> None:
    place = await deal(here, 2)
    here.box.fail("PATCH", rf"/channels/{place.id}/messages/", 400, times=10_000)
    await bid(place, *here.people[:2])
    await here.box.until(lambda: here.bot.publisher.not_shown() == {1})
    assert mark_of((await examined(here, manager)).text, "Not shown yet: table 1.") == "!"
    here.box.faults.clear()
    await leave(here.people[0], place)
    await here.rest()
    assert mark_of((await examined(here, manager)).text, "All tables of this server are shown.") == "✓"


async def test_nothing_of_another_server_is_shown(here: CardRoom, manager: Person) -> None:
    elsewhere = here.box.guild("Elsewhere")
    parlour, zoe = elsewhere.channel("parlour"), here.box.person("Zoe", elsewhere)
    card = await open_table(parlour, "twin-it start", zoe, mode="cooperative")
    parlour.deny(here.box.world.bot, POSTING)
    await zoe.click(card, "Start")
    await here.box.until(lambda: here.bot.publisher.venue.troubles)
    text = (await examined(here, manager)).text
    assert "Table 1" not in text
    assert "table 1" not in text
    assert str(parlour.id) not in text
    assert "MB" not in text
    parlour.allow(here.box.world.bot, POSTING)


# The bot itself


async def test_commands_that_are_not_registered_are_found(file: Path) -> None:
    async with without_a_bot() as (box, room, alice, _):
        room.guild.grant(alice.user, Permission.MANAGE_GUILD)
        async with connected_bot(box, file) as bot:
            await bot.store.set_fact("commands", "those of an older version")
        box.fail("PUT", "/commands$", 0, times=10_000)
        async with connected_bot(box, file):
            text = shown(await alice.slash(room, "doctor")).text
            assert mark_of(text, "The commands could not be registered") == "!"


async def test_worker_processes_that_run_or_fail_are_found(here: CardRoom, manager: Person) -> None:
    thinking, drawing = here.bot.computers.worker_client.worker, here.bot.rasterizer.worker
    text = (await examined(here, manager)).text
    assert "The process of the computers starts when it is first needed." in text
    assert "The process for pictures starts when it is first needed." in text
    assert isinstance(thinking, Worker)
    thinking.is_gone = True
    with pytest.raises(WorkerGone):
        thinking.ask(None)
    assert drawing.ask(None) == b""
    text = (await examined(here, manager)).text
    assert mark_of(text, "The process of the computers fails") == "✗"
    assert mark_of(text, "The process for pictures runs.") == "✓"


async def test_a_database_that_keeps_nothing_is_found(here: CardRoom, manager: Person) -> None:
    store = here.bot.store
    assert isinstance(store, SQLiteStore)
    await store._writer.write(lambda db: db.execute("PRAGMA query_only = 1"))
    await here.box.until(lambda: store._writer.fault)
    assert mark_of((await examined(here, manager)).text, "The database keeps nothing now") == "✗"
    await store._writer.write_alone(lambda db: db.execute("PRAGMA query_only = 0"))
    await here.box.until(lambda: not store._writer.fault)
    assert mark_of((await examined(here, manager)).text, "The database works") == "✓"


async def test_a_folder_that_cannot_be_entered_is_found_on_both_pages(
    here: CardRoom, manager: Person, owner: Person, tmp_path: Path
) -> None:
    aside = tmp_path.rename(tmp_path.with_name("aside"))
    tmp_path.symlink_to(tmp_path)  # as without the right to enter it, which root always has
    pages = [(await examined(here, manager)).text, await of_application(here, owner)]
    tmp_path.unlink()
    aside.rename(tmp_path)
    for text in pages:
        assert mark_of(text, "The database cannot be read.") == "✗"
        assert "`python -m bot doctor`, which says why" in text


async def test_who_asks_while_the_disk_is_slow_is_answered_later(
    here: CardRoom, manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    health = here.bot.store.health

    async def slowly() -> StoreHealth:
        await asyncio.sleep(10)
        return await health()

    monkeypatch.setattr(here.bot.store, "health", slowly)
    asked = await manager.slash(here.room, "doctor")
    assert asked.is_loading
    await here.box.until(lambda: "The database works" in shown(asked).text)
    again = await manager.click(shown(asked), "Check again")
    assert again.interaction.answer == DEFER_UPDATE


async def test_a_full_disk_is_found(here: CardRoom, manager: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    health = (await here.bot.store.health())._replace(free=99_999_999)

    async def full() -> StoreHealth:
        return health

    monkeypatch.setattr(here.bot.store, "health", full)
    assert mark_of((await examined(here, manager)).text, "almost full") == "!"


async def test_a_backup_is_missing_once_the_first_match_is_old(here: CardRoom, manager: Person) -> None:
    await open_table(here.room, "palace start", here.people[1])
    assert mark_of((await examined(here, manager)).text, "No backup is needed yet") == "✓"
    here.box.clock.advance(OLD.total_seconds())
    assert mark_of((await examined(here, manager)).text, "There is no backup") == "!"


async def test_the_age_of_the_newest_backup_is_shown(here: CardRoom, manager: Person, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    now = datetime.fromtimestamp(here.box.clock.now(), UTC).replace(second=0, microsecond=0)
    for hours, mark in ((30, "!"), (27, "!"), (25, "✓"), (1, "✓")):
        made = now - timedelta(hours=hours)
        (folder / f"palmhouse-nightly-{made:{MINUTE}}.sqlite3").touch()
        text = (await examined(here, manager)).text
        assert mark_of(text, f"The last backup was made <t:{int(made.timestamp())}:R>.") == mark


# Who may call it


@pytest.mark.usefixtures("commands_for_all")
async def test_only_people_with_manage_server_see_the_page(here: CardRoom, manager: Person) -> None:
    ben = here.people[1]
    for _ in range(2):
        refused = refusal_of(await ben.slash(here.room, "doctor"))
        assert "Only people with the permission Manage Server can use `/doctor`." in refused
    card = await open_table(here.room, "palace start", ben)
    assert "Manage Server" in refusal_of(await ben.press(card, "doctor:0:server"))
    page = await examined(here, manager)
    here.guild.members[manager.id].roles.clear()
    assert "Manage Server" in refusal_of(await manager.click(page, "Check again"))


# The offer


async def refused_start(here: CardRoom, person: Person) -> str:
    return refusal_of(await person.slash(here.room, "palace start"))


async def test_refusals_for_lack_of_permissions_name_the_doctor_to_managers_alone(
    here: CardRoom, manager: Person
) -> None:
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    assert (await refused_start(here, manager)).endswith("`/doctor` shows what is missing.")
    assert "/doctor" not in await refused_start(here, here.people[1])


async def test_a_request_that_discord_forbids_names_the_doctor_to_managers_alone(
    here: CardRoom, manager: Person
) -> None:
    await open_table(here.room, "palace start", *here.people[:2])
    for _ in range(3):
        await here.people[3].say(here.room, "Hello")
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    for person in (manager, here.people[1]):
        answer = await person.slash(here.room, "table show")
        await here.box.until(lambda answer=answer: answer.text)  # type: ignore[misc]
        assert "Somebody who manages the channel can give me that" in answer.text
        assert answer.text.endswith("`/doctor` shows what is missing.") is (person is manager)


async def test_a_fault_of_the_bot_names_the_doctor_to_managers_alone(
    here: CardRoom, manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(here.bot.game_uis, "broken", None)
    assert (await manager.slash(here.room, "help")).text.endswith("shows whether anything else is wrong.")
    assert "/doctor" not in (await here.people[1].slash(here.room, "help")).text


# The page of the owner


async def test_only_the_owner_sees_what_verification_wants(
    here: CardRoom, manager: Person, owner: Person
) -> None:
    assert "Only the owner of this bot" in await of_application(here, manager)
    assert "Only the owner of this bot" in refusal_of(
        await manager.press(await examined(here, manager), "doctor:0:owner")
    )
    assert "### Doctor: verification and App Directory" in await of_application(here, owner)


async def test_everybody_who_has_joined_the_team_sees_it(here: CardRoom) -> None:
    alice, ben, cleo, dana, _ = here.people
    joined = {alice: 2, ben: 1}
    members = [
        {
            "user": person.user.payload(),
            "team_id": "5",
            "membership_state": state,
            "role": "admin",
            "permissions": ["*"],
        }
        for person, state in joined.items()
    ]
    here.box.world.owner = dana.user  # Discord names a user that stands for the team
    here.box.world.about["team"] = {
        "id": "5",
        "icon": None,
        "name": "Palms",
        "owner_user_id": str(cleo.id),
        "members": members,
    }
    seen = {person.name: "### Doctor" in await of_application(here, person) for person in here.people}
    assert [name for name, is_shown in seen.items() if is_shown] == ["Alice", "Cleo"]
    assert mark_of(await of_application(here, alice), "belongs to a team") == "✓"


async def test_a_new_application_lacks_nearly_everything(here: CardRoom, owner: Person) -> None:
    text = await of_application(here, owner)
    for part in (
        "one person",
        "privacy policy",
        "terms of service",
        "description",
        "tags",
        "icon",
        "install link",
    ):
        assert mark_of(text, part) == "✗"
    for part in ("on 1 server.", "add the bot", "install it for themselves", "privileged", "MB"):
        assert mark_of(text, part) == "✓"
    assert "two-factor authentication" in text


COMPLETE: dict[str, Any] = {
    "privacy_policy_url": "https://example.com/privacy",
    "terms_of_service_url": "https://example.com/terms",
    "description": "Card games",
    "tags": ["cards"],
    "icon": "0" * 32,
    "install_params": {"scopes": ["bot", "applications.commands"], "permissions": str(permissions().value)},
    "team": {"id": "5", "icon": None, "name": "Palms", "owner_user_id": "0", "members": []},
}


def owned(here: CardRoom, **fields: Any) -> Person:
    """Return the owner of the team of an application with these fields."""
    ben = here.people[1]
    here.box.world.about |= COMPLETE | fields
    here.box.world.about["team"] = COMPLETE["team"] | {"owner_user_id": str(ben.id)}
    return ben


async def test_a_complete_application_has_no_fault(here: CardRoom) -> None:
    text = await of_application(here, owned(here))
    assert "All is well." in text
    assert {*lines(text).values()} == {"✓"}


FIELDS: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"bot_public": False}, "Only you can add the bot", "✗"),
    ({"bot_require_code_grant": True}, "code grant", "✗"),
    ({"integration_types_config": {"0": {}}}, "cannot install it for themselves", "!"),
    ({"install_params": {"scopes": ["bot"], "permissions": "0"}}, "asks for less", "!"),
    (
        {"install_params": COMPLETE["install_params"] | {"permissions": str(permissions().value | 8)}},
        "asks for more permissions",
        "!",
    ),
    ({"install_params": {}, "custom_install_url": "https://example.com"}, "link of your own", "✓"),
    (
        {"integration_types_config": {"0": {"oauth2_install_params": COMPLETE["install_params"]}, "1": {}}},
        "asks for what the bot needs",
        "✓",
    ),
    ({"flags": 1 << 19, "flags_new": str(1 << 19)}, "switched on: Message Content.", "!"),
    ({"flags": 1 << 14, "flags_new": str(1 << 14)}, "switched on: Server Members.", "!"),
)


async def test_each_field_of_the_application_is_judged(here: CardRoom) -> None:
    plain = {**here.box.world.about}
    for fields, part, mark in FIELDS:
        here.box.world.about = {**plain}
        assert mark_of(await of_application(here, owned(here, **fields)), part) == mark, fields


async def test_verification_is_wanted_from_75_servers_and_demanded_from_100(here: CardRoom) -> None:
    bot, owner = here.box.world.bot, owned(here)
    for servers, mark in ((74, "✓"), (75, "!"), (99, "!"), (100, "✗")):
        while len(here.box.guilds) < servers:
            here.box.guild("Another server")
        for flags, part, seen in (
            (0, f"on {servers} servers.", mark),
            (VERIFIED_BOT, "It is verified.", "✓"),
        ):
            bot.public_flags = flags
            here.box.world.dispatch("USER_UPDATE", bot.payload())
            assert mark_of(await of_application(here, owner), part) == seen


async def test_the_page_of_the_owner_survives_an_outage_of_discord(here: CardRoom, owner: Person) -> None:
    here.box.fail("GET", "/applications/@me$", 0, times=10)
    answer: Answer = await owner.slash(owner.dms, "doctor", show="owner")
    await here.box.until(lambda: answer.text)
    assert "Discord did not take" in answer.text
