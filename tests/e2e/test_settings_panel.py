"""`/settings show`: channels for tables, default pace, and the role of table managers."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from bot.store import GuildSettings
from games import GAMES
from sandbox import Message, Permission, Person, TextChannel
from sandbox.components import BUTTON, CHANNEL_SELECT, ROLE_SELECT, STRING_SELECT, USER_SELECT
from sandbox.faults import Fault
from sandbox.members import Role
from tests.e2e.card_room import CardRoom, connected_bot, without_a_bot
from tests.e2e.match import check_answer, refusal_of
from tests.e2e.players import bid, deal, open_table, press_more, shown
from tests.e2e.test_privacy import settled
from tests.e2e.test_request_bodies import faults
from tests.sandbox.openapi import SPECIFICATION

CHANNELS, BOARD, PACE, TABLES, SEASONS, WINNERS, PLAYED = (
    f"settings:0:{setting}"
    for setting in ("channels", "board", "pace", "table-role", "season-role", "night-role", "games")
)
BULLETINS = "settings:0:bulletins"
KINDS = {
    CHANNELS: CHANNEL_SELECT,
    BOARD: CHANNEL_SELECT,
    PACE: STRING_SELECT,
    TABLES: ROLE_SELECT,
    SEASONS: ROLE_SELECT,
    WINNERS: ROLE_SELECT,
    PLAYED: STRING_SELECT,
}


async def panel_of(person: Person, room: TextChannel) -> Message:
    panel = shown(await person.slash(room, "settings show"))
    assert panel.ephemeral
    return panel


async def choose(person: Person, room: TextChannel, setting: str, picks: list[Any]) -> Message:
    """Choose in one of the menus, and return the panel."""
    panel = await panel_of(person, room)
    assert shown(await person.select(panel, setting, picks)) is panel
    return panel


async def settings(here: CardRoom) -> GuildSettings:
    return await here.bot.store.guild_settings(here.guild.id)


def chosen(panel: Message) -> dict[str, list[str]]:
    """Return what is chosen in each menu, by custom id."""
    found = {}
    for menu in panel.selects:
        options = [each["value"] for each in menu.get("options", ()) if each.get("default")]
        found[menu["custom_id"]] = options or [each["id"] for each in menu.get("default_values", ())]
    return found


def placeholders(panel: Message) -> list[str]:
    return [menu["placeholder"] for menu in panel.selects]


def steward(here: CardRoom, *people: Person) -> Role:
    """Return a new role that these people have."""
    role = here.guild.role("Stewards", Permission(0))
    for person in people:
        here.guild.members[person.id].roles.append(role.id)
    return role


async def delete_role(here: CardRoom, role: Role) -> None:
    """Delete a role, and wait until the bot knows."""
    deleted = here.bot.wait_for("guild_role_delete", timeout=20)
    here.guild.delete_role(role)
    await deleted


# The panel


async def test_the_panel_shows_every_setting_at_once(here: CardRoom, manager: Person) -> None:
    panel = await panel_of(manager, here.room)
    assert chosen(panel) == {
        CHANNELS: [],
        BOARD: [],
        PACE: ["live"],
        TABLES: [],
        SEASONS: [],
        WINNERS: [],
        PLAYED: [*GAMES],
    }
    assert placeholders(panel)[0] == "Channels for tables: every channel"
    role = steward(here)
    await manager.slash(here.room, "settings season start", name="Autumn", days=3)
    await manager.select(panel, CHANNELS, [here.room])
    await manager.select(panel, PACE, ["relaxed"])
    await manager.select(panel, TABLES, [role])
    await manager.select(panel, SEASONS, [role])
    assert chosen(panel) == {
        CHANNELS: [str(here.room.id)],
        BOARD: [],
        PACE: ["relaxed"],
        TABLES: [str(role.id)],
        SEASONS: [str(role.id)],
        WINNERS: [],
        PLAYED: [*GAMES],
    }
    assert f"**Channels for tables**: <#{here.room.id}>" in panel.text
    assert f"cancel and end any table: people with Manage Server, and members of <@&{role.id}>" in panel.text
    assert f"rename seasons: people with Manage Server, and members of <@&{role.id}>" in panel.text
    assert "**Season Autumn** ends <t:" in panel.text
    assert await settings(here) == GuildSettings(role.id, (here.room.id,), "relaxed", role.id)


async def test_where_nothing_is_chosen_the_menus_alone_name_the_settings(
    here: CardRoom, manager: Person
) -> None:
    panel = await panel_of(manager, here.room)
    assert len(panel.text.splitlines()) == 5, "it fits on the screen of a phone"
    assert "Channels and pace count for new tables" in panel.text, "roles count for open ones, too"
    named = (
        "Channels for tables",
        "Board",
        "Usual pace",
        "Table managers",
        "Season managers",
        "Winners of game nights",
    )
    assert all(said.startswith(name) for said, name in zip(placeholders(panel), named, strict=False))


@pytest.mark.parametrize("setting", [CHANNELS, BOARD, TABLES, SEASONS, WINNERS])
async def test_a_setting_has_the_same_name_before_and_after_it_is_chosen(
    here: CardRoom, manager: Person, setting: str
) -> None:
    panel = await panel_of(manager, here.room)
    (unset,) = (menu["placeholder"] for menu in panel.selects if menu["custom_id"] == setting)
    await manager.select(panel, setting, [steward(here) if KINDS[setting] == ROLE_SELECT else here.room])
    (name,) = re.findall(r"^\*\*(.+?)\*\*", panel.text, re.MULTILINE)[:1]
    assert unset.startswith(name)


@pytest.mark.skipif(not SPECIFICATION.exists(), reason="Discord's specification is not at hand")
async def test_the_panel_follows_discords_specification(here: CardRoom, manager: Person) -> None:
    await choose(manager, here.room, CHANNELS, [here.room])
    await choose(manager, here.room, TABLES, [steward(here)])
    await choose(manager, here.room, BOARD, [here.room])
    await choose(manager, here.room, BULLETINS, ["daily"])
    await manager.slash(here.room, "doctor")
    assert [fault for sent in here.box.bodies for fault in faults(sent)] == []


async def test_the_panel_shows_the_last_of_two_choices_though_discord_is_slow_to_take_the_first(
    here: CardRoom, manager: Person
) -> None:
    panel = await panel_of(manager, here.room)
    here.box.faults.add(slow := Fault("POST", "/callback$", None, delay=2))
    first = asyncio.create_task(manager.select(panel, PACE, ["relaxed"]))
    await here.box.until(lambda: not slow.times)
    await asyncio.gather(first, manager.select(panel, CHANNELS, [here.room]))
    await here.box.until(lambda: chosen(panel)[CHANNELS] and chosen(panel)[PACE] == ["relaxed"])
    await asyncio.sleep(5)
    assert chosen(panel)[CHANNELS] == [str(here.room.id)]


async def test_an_emptied_menu_takes_a_setting_back(here: CardRoom, manager: Person) -> None:
    role = steward(here)
    for setting, pick in ((CHANNELS, here.room), (TABLES, role), (SEASONS, role)):
        await choose(manager, here.room, setting, [pick])
        panel = await choose(manager, here.room, setting, [])
        assert chosen(panel)[setting] == []
    assert await settings(here) == GuildSettings()


async def test_settings_outlive_the_bot_and_an_old_panel_still_works(file: Path) -> None:
    async with without_a_bot() as (box, room, alice, _):
        other = room.guild.channel("other")
        room.guild.grant(alice.user, Permission.MANAGE_GUILD)
        async with connected_bot(box, file):
            panel = await choose(alice, room, CHANNELS, [room])
        async with connected_bot(box, file):
            assert f"only in <#{room.id}>" in refusal_of(await alice.slash(other, "palace start"))
            assert shown(await alice.select(panel, CHANNELS, [room, other])) is panel
            await open_table(other, "palace start", alice)


# Who may change settings


@pytest.mark.usefixtures("commands_for_all")
async def test_only_people_with_manage_server_open_the_panel(here: CardRoom, manager: Person) -> None:
    ben = here.people[1]
    role = steward(here, ben)
    await choose(manager, here.room, TABLES, [role])
    await choose(manager, here.room, SEASONS, [role])
    assert "permission Manage Server" in refusal_of(await ben.slash(here.room, "settings show"))


async def test_a_forged_choice_of_a_person_without_rights_changes_nothing(
    here: CardRoom, manager: Person
) -> None:
    ben = here.people[1]
    role = steward(here, ben)
    await choose(manager, here.room, TABLES, [role])
    before = await settings(here)
    card = await open_table(here.room, "palace start", ben)
    values = {CHANNELS: here.room.id, PACE: "relaxed", TABLES: role.id, SEASONS: role.id}
    for setting, value in values.items():
        answer = await ben.press(card, setting, KINDS[setting], values=[str(value)])
        assert "permission Manage Server" in refusal_of(answer)
    assert await settings(here) == before


FORGED: tuple[tuple[str, int, list[str]], ...] = (
    (CHANNELS, CHANNEL_SELECT, ["0"]),
    (CHANNELS, CHANNEL_SELECT, ["x"]),
    (CHANNELS, CHANNEL_SELECT, ["9" * 40]),
    (CHANNELS, CHANNEL_SELECT, ["\u0663"]),
    (CHANNELS, CHANNEL_SELECT, ["foreign"]),
    (CHANNELS, CHANNEL_SELECT, ["here", "here"]),
    (CHANNELS, CHANNEL_SELECT, ["thread"]),
    (CHANNELS, STRING_SELECT, ["here"]),
    (CHANNELS, ROLE_SELECT, ["here"]),
    (CHANNELS, BUTTON, []),
    (PACE, STRING_SELECT, ["fast"]),
    (PACE, STRING_SELECT, []),
    (PACE, CHANNEL_SELECT, ["live"]),
    (PACE, CHANNEL_SELECT, []),
    (BULLETINS, STRING_SELECT, ["hourly"]),
    (BULLETINS, STRING_SELECT, ["daily"]),
    (BULLETINS, CHANNEL_SELECT, []),
    (TABLES, ROLE_SELECT, ["everyone"]),
    (TABLES, ROLE_SELECT, ["foreign role"]),
    (TABLES, ROLE_SELECT, ["role", "role"]),
    (TABLES, ROLE_SELECT, ["x"]),
    (TABLES, USER_SELECT, ["role"]),
    (SEASONS, ROLE_SELECT, ["everyone"]),
    (SEASONS, CHANNEL_SELECT, []),
    (WINNERS, ROLE_SELECT, ["everyone"]),
    (WINNERS, ROLE_SELECT, ["foreign role"]),
    ("settings:0:owner", ROLE_SELECT, ["role"]),
    ("settings:0", ROLE_SELECT, []),
)


async def test_a_forged_choice_of_a_manager_is_refused(here: CardRoom, manager: Person) -> None:
    elsewhere = here.box.guild("Elsewhere")
    place = await deal(here, 2)
    ids = {
        "here": here.room.id,
        "thread": place.id,
        "foreign": elsewhere.channel("foreign").id,
        "everyone": here.guild.id,
        "role": steward(here).id,
        "foreign role": elsewhere.role("Owners", Permission(0)).id,
    }
    panel = await panel_of(manager, here.room)
    for setting, kind, values in FORGED:
        sent = [str(ids.get(each, each)) for each in values]
        refusal_of(await manager.press(panel, setting, kind, values=sent))
        assert await settings(here) == GuildSettings(), (setting, kind, values)


async def test_more_channels_than_the_menu_takes_are_refused(here: CardRoom, manager: Person) -> None:
    rooms = [here.guild.channel(f"room-{number}") for number in range(26)]
    panel = await panel_of(manager, here.room)
    sent = [str(room.id) for room in rooms]
    refusal_of(await manager.press(panel, CHANNELS, CHANNEL_SELECT, values=sent))
    check_answer(await manager.press(panel, CHANNELS, CHANNEL_SELECT, values=sent[1:]))
    assert (await settings(here)).channels == tuple(room.id for room in rooms[1:])
    assert len(refusal_of(await manager.slash(here.room, "palace start"))) < 2000


async def test_a_channel_or_role_that_was_deleted_meanwhile_cannot_be_chosen(
    here: CardRoom, manager: Person
) -> None:
    other, role = here.guild.channel("other"), steward(here)
    panel = await panel_of(manager, here.room)
    other.delete()
    await delete_role(here, role)
    for setting, value in ((CHANNELS, other.id), (TABLES, role.id)):
        refused = refusal_of(await manager.press(panel, setting, KINDS[setting], values=[str(value)]))
        assert "This server has no such" in refused
    assert await settings(here) == GuildSettings()


# Channels for tables


async def test_tables_open_in_chosen_channels_and_their_threads_alone(
    here: CardRoom, manager: Person
) -> None:
    ben, other = here.people[1], here.guild.channel("other")
    third = here.guild.channel("third")
    place = await deal(here, 2)
    await choose(manager, here.room, CHANNELS, [other, third])
    refused = refusal_of(await ben.slash(here.room, "palace start"))
    assert f"tables may be opened only in <#{other.id}> and <#{third.id}>. Open yours there." in refused
    assert "only in" in refusal_of(await manager.slash(place, "palace start"))
    assert "only in" in refusal_of(await ben.slash(place, "twin-it start"))
    await open_table(other, "palace start", ben)
    await bid(place, ben)  # a match that is on is not touched


async def test_practice_and_the_daily_are_private_and_so_allowed_everywhere(
    here: CardRoom, manager: Person
) -> None:
    ben, cleo, other = here.people[1], here.people[2], here.guild.channel("other")
    await choose(manager, here.room, CHANNELS, [other])
    cleo.close_dms()  # then it is a private thread of the channel
    for person in (ben, cleo):
        answer = await settled(here, await person.slash(here.room, "practice", game="palmer"))
        assert "is ready" in answer.text
    assert shown(await ben.click(shown(await ben.slash(here.room, "daily")), "Play")).ephemeral


async def test_a_deleted_channel_is_ignored_and_the_last_one_locks_no_manager_out(
    here: CardRoom, manager: Person
) -> None:
    one, two, ben = here.guild.channel("one"), here.guild.channel("two"), here.people[1]
    await choose(manager, here.room, CHANNELS, [one, two])
    one.delete()
    assert f"only in <#{two.id}>." in refusal_of(await ben.slash(here.room, "palace start"))
    panel = await panel_of(manager, here.room)
    assert chosen(panel)[CHANNELS] == [str(two.id)]
    two.delete()
    refused = refusal_of(await ben.slash(here.room, "palace start"))
    assert "were deleted. Somebody with the permission Manage Server can choose others" in refused
    panel = await panel_of(manager, here.room)
    assert "All chosen channels were deleted" in panel.text
    await manager.select(panel, CHANNELS, [])
    await open_table(here.room, "palace start", ben)


async def test_the_panel_says_where_the_bot_may_not_post(here: CardRoom, manager: Person) -> None:
    other = here.guild.channel("other")
    other.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    panel = await choose(manager, here.room, CHANNELS, [here.room, other])
    assert f"I may not post in <#{other.id}>. `/doctor` shows what is missing." in panel.text


# Pace


@pytest.mark.parametrize(("options", "pace"), [({}, "relaxed"), ({"pace": "live"}, "live")])
async def test_tables_opened_without_a_pace_have_the_servers(
    here: CardRoom, manager: Person, options: dict[str, str], pace: str
) -> None:
    await choose(manager, here.room, PACE, ["relaxed"])
    await open_table(here.room, "palace start", here.people[1], **options)
    assert (await here.bot.tables.get(1)).state.pace == pace


# Table managers


async def test_members_of_the_role_end_matches_and_cancel_tables(here: CardRoom, manager: Person) -> None:
    dana, eve = here.people[3:5]
    await choose(manager, here.room, TABLES, [steward(here, dana)])
    place = await deal(here, 2)
    refused = refusal_of(await eve.slash(place, "table end"))
    assert "Only people who manage this server or its tables can end a match" in refused
    asked = shown(await dana.slash(place, "table end"))
    assert "is closed" in (await dana.click(asked, "End the match")).text
    card = await open_table(here.room, "palace start", here.people[1])
    refusal_of(await eve.press(card, "cancel:2"))
    check_answer(await press_more(dana, card, "Cancel"))
    assert not (await here.bot.tables.get(2)).is_open


async def test_somebody_who_has_lost_the_role_cannot_confirm(here: CardRoom, manager: Person) -> None:
    dana = here.people[3]
    role = steward(here, dana)
    await choose(manager, here.room, TABLES, [role])
    place = await deal(here, 2)
    asked = shown(await dana.slash(place, "table end"))
    here.guild.members[dana.id].roles.remove(role.id)
    assert "Only people who manage" in refusal_of(await dana.click(asked, "End the match"))
    assert (await here.bot.tables.get(1)).is_open


async def test_the_role_counts_on_its_own_server_alone(here: CardRoom, manager: Person) -> None:
    dana = here.people[3]
    await choose(manager, here.room, TABLES, [steward(here, dana)])
    elsewhere = here.box.guild("Elsewhere")
    parlour = elsewhere.channel("parlour")
    zoe = here.box.person("Zoe", elsewhere)
    elsewhere.add(dana.user)
    card = await open_table(parlour, "palace start", zoe)
    refusal_of(await dana.press(card, "cancel:1"))
    refusal_of(await dana.slash(here.room, "table end", table="1"))
    assert (await here.bot.tables.get(1)).is_open
