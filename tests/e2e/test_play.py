"""`/play`: from the command to a table in three taps at most, by what is open here or by a form."""

import asyncio
from typing import Any

import pytest

from bot.match.seats import add_computer
from bot.store import Preset
from cogs.play import MOST_LOOKED_AT
from games import GAMES
from sandbox import Message, Permission
from sandbox.components import BUTTON
from sandbox.faults import Fault
from tests.e2e.card_room import CardRoom
from tests.e2e.match import refusal_of
from tests.e2e.players import (
    deal,
    labels,
    leave,
    modal_of,
    new_thread,
    open_table,
    press_more,
    shown,
    start_match,
)
from tests.e2e.test_challenge import challenge


async def page(here: CardRoom, person: int = 0) -> Message:
    """Return the page that `/play` shows to one of the people."""
    return shown(await here.people[person].slash(here.room, "play"))


async def test_a_game_on_the_page_opens_a_form_that_opens_its_table(here: CardRoom) -> None:
    alice, offered = here.people[0], await page(here)
    assert {*labels(offered)} > {game.title for game in GAMES.values()}
    assert labels(offered)[:4] == ["Twin It!", "Liar's Dice", "Palmer", "Twin Palms"], "short matches first"
    assert all(game.blurb[1:] in offered.text for game in GAMES.values())
    asked = modal_of(await alice.click(offered, "Twin Palms"))
    card = shown(await alice.submit(asked, {"Mode": "Advanced", "Computers": "2", "Pace": "Relaxed"}))
    assert not card.ephemeral
    assert "3 of 5 seats" in card.text
    assert "advanced mode" in card.text
    assert "1 hour a move" in card.text


async def test_the_form_has_the_usual_values_and_the_pace_of_the_server(here: CardRoom) -> None:
    await here.bot.store.set_default_pace(here.guild.id, "relaxed")
    alice = here.people[0]
    for game, seats, has_modes in (("Palace", 8, False), ("Twin It!", 6, True)):
        asked = modal_of(await alice.slash(here.room, "play", game=game))
        assert ("Mode" in asked.text) == has_modes
        card = shown(await alice.submit(asked, {}))
        assert f"1 of {seats} seats" in card.text
        assert "1 hour a move" in card.text


async def test_in_a_thread_with_a_table_no_form_is_shown_that_ends_in_a_refusal(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    thread, refusal = new_thread(here.room, alice), "Table 1 is played in this thread"
    offered = shown(await ben.slash(thread, "play"))
    await open_table(thread, "palmer start", alice)
    assert refusal in refusal_of(await ben.click(offered, "Palmer"))
    assert refusal in refusal_of(await ben.slash(thread, "play", game="palmer"))
    assert refusal in refusal_of(await ben.choose(thread, "Challenge", cleo))
    now = shown(await ben.slash(thread, "play"))
    assert (refusal in now.text, "Open a table" in now.text) == (True, False)


async def test_a_lobby_is_joined_from_the_page_of_another_channel(here: CardRoom) -> None:
    card = await open_table(here.room, "palace start", here.people[0])
    there = here.guild.channel("lounge")
    ben = here.people[1]
    offered = shown(await ben.slash(there, "play"))
    assert "**Palace** · 1 of 8 seats" in offered.text
    assert shown(await ben.click(offered, "Join")) is offered
    assert f"You sit at [table 1](https://discord.com/channels/{here.guild.id}/{here.room.id}/{card.id})" in (
        offered.text
    )
    assert "Join" not in labels(offered)
    await here.rest()
    assert "2. Ben" in card.text


async def test_a_table_whose_free_seats_are_kept_for_others_is_not_offered(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    shown(await challenge(alice, here.room, ben))
    table = await here.bot.tables.get(1)
    while table.has_free():
        await add_computer(table, alice.id, "casual", here.bot.time.now())
    assert "Join" in labels(shown(await ben.slash(here.room, "play")))
    assert "Join" not in labels(shown(await cleo.slash(here.room, "play")))


async def test_the_page_shows_what_can_be_watched(here: CardRoom) -> None:
    place = await deal(here, 2)
    match = f"**Twin Palms** in <#{place.id}>: Alice and Ben"
    assert f"### 👀 To watch\n{match}" in (await page(here, 2)).text
    assert f"### 🃏 You play\n{match}" in (await page(here, 0)).text
    assert "To watch" not in (await page(here, 0)).text


async def test_the_page_says_how_many_matches_it_leaves_out(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    for host in (alice, alice, ben, ben, cleo):
        card = await open_table(here.room, "palace start", host, computers=1)
        await host.click(card, "Start")
    seen = (await page(here, 4)).text
    assert "### 👀 To watch" in seen
    assert seen.endswith("-# and 1 more")


async def test_the_page_says_how_many_lobbies_it_leaves_out(here: CardRoom) -> None:
    for number in range(5):
        await open_table(here.room, "palace start", here.people[number])
    assert "-# and 1 more" in (await page(here, 4)).text


async def test_the_longest_page_fits(here: CardRoom) -> None:
    guests = [here.box.person(f"Guest of the house {n:02}", here.guild) for n in range(20)]
    for n in range(0, 16, 4):
        card = await open_table(here.room, "palace start", *guests[n : n + 8])
        await guests[n].click(card, "Start")
    unusual = {"singles": 15, "hand_seconds": 10, "tie_ms": 1968, "handicap": True}
    for n in range(4):
        options: dict[str, Any] = {"mode": "teams", "sets_to_win": 6 + n, **unusual}
        host, *others = guests[5 * n : 5 * n + 5]
        await open_table(here.room, "twin-it start", host, *others, pace="correspondence", **options)
        kept = (await here.bot.tables.get(5 + n)).state.options.model_dump_json()
        preset = Preset(0, here.guild.id, f"Evening of twins no{n}", "twin-it", kept, "correspondence")
        assert await here.bot.store.add_preset(preset, 4)
    seen = (await page(here)).text
    assert "… · 1 day a move" in seen, "of a preset"
    assert len(seen) < 3700, "there is room for a game night, and for names from right to left"


async def test_the_page_says_how_many_others_play_when_it_shows_none_of_them(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    for host in (alice, alice, alice, alice, ben):
        card = await open_table(here.room, "palace start", host, computers=1)
        await host.click(card, "Start")
        if host is alice:
            await asyncio.sleep(here.bot.tables.clock.times.doze / 1000)  # then one may open another
    assert "### 👀 To watch\n-# 1 match" in (await page(here, 0)).text


async def test_the_list_of_own_tables_names_those_for_which_it_has_no_room(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await start_match(here, "palace start", alice, ben, pace="correspondence")
    left_out = {8: "table 1", 9: "table 1 and table 2"}
    for newest in range(2, 10):
        await start_match(here, "palace start", alice, computers=1)
        await asyncio.sleep(here.bot.tables.clock.times.doze / 1000)  # then she may open another
        if newest in left_out:
            seen = shown(await alice.slash(here.room, "tables")).text
            assert f"**Palace · table {newest}**" in seen
            assert seen.endswith(f"-# More in the option `table` of `/hand`: {left_out[newest]}.")


async def test_who_has_left_a_match_does_not_read_that_they_play_in_it(here: CardRoom) -> None:
    place = await deal(here, 3)
    assert "### 🃏 You play" in (await page(here, 1)).text
    await leave(here.people[1], place)
    seen = (await page(here, 1)).text
    assert "You play" not in seen
    assert "### 👀 To watch\n**Twin Palms**" in seen


async def test_the_page_shows_an_own_match_though_many_tables_were_opened_since(here: CardRoom) -> None:
    alice, *others = here.people
    await alice.click(await open_table(here.room, "palace start", alice, computers=1), "Start")
    for _ in range(3):
        for host in others * 3:
            await start_match(here, "palace start", host, computers=1)
            await asyncio.sleep(60)
        await asyncio.sleep(here.bot.tables.clock.times.doze / 1000)  # then they may open others
    assert len(here.bot.tables.of_guild(here.guild.id)) > MOST_LOOKED_AT
    seen = (await page(here, 0)).text
    assert "### 🃏 You play\n**Palace**" in seen
    assert seen.endswith("-# and at least 26 more"), "of those that are looked at"


async def test_the_page_shows_no_table_of_a_channel_that_its_reader_cannot_see_and_no_practice(
    here: CardRoom,
) -> None:
    alice, ben, *_ = here.people
    alice.close_dms()
    await alice.slash(here.room, "practice", game="Palace")
    hidden = here.guild.channel("den")
    hidden.deny(ben.user, Permission.VIEW_CHANNEL)
    await open_table(hidden, "palmer start", alice)
    assert "Open here" in (await page(here, 0)).text
    seen = (await page(here, 1)).text
    assert "Open here" not in seen
    assert "To watch" not in seen


async def test_discord_is_asked_about_all_tables_in_archived_threads_at_once(here: CardRoom) -> None:
    for host in here.people[:3]:
        thread = new_thread(here.room, host)
        await open_table(thread, "palmer start", host)
        thread.archive()
        here.box.faults.add(Fault("GET", rf"^/channels/{thread.id}$", None, delay=1.0))
    await here.rest()
    began = here.box.clock.now()
    answer = await here.people[3].slash(here.room, "play")
    await here.box.until(lambda: answer.message is not None and answer.message.text)
    assert here.box.clock.now() - began < 2
    assert labels(shown(answer)).count("Join") == 3


@pytest.mark.parametrize("command", ["tables", "help"])
async def test_other_pages_lead_to_it(here: CardRoom, command: str) -> None:
    alice = here.people[0]
    lead = shown(await alice.slash(here.room, command))
    assert "Open a table" in shown(await alice.click(lead, "Play")).text
    direct = shown(await alice.slash(alice.dms, command))
    assert labels(shown(await alice.click(direct, "Play"))) == ["Daily deal", "Learn"]


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("wait", "nobody started it in time."),
        ("Cancel", "cancelled this table."),
        ("Leave", "everybody has left."),
    ],
)
async def test_the_card_of_a_lobby_that_nobody_started_says_why_and_opens_another(
    here: CardRoom, how: str, why: str
) -> None:
    alice = here.people[0]
    card = await open_table(here.room, "palace start", alice)
    if how == "wait":
        await here.later(here.bot.tables.clock.times.lobby / 1000)
    else:
        await press_more(alice, card, how)
    await here.box.until(lambda: "🚪 **This match never began:** " in card.text)
    assert why in card.text
    asked = modal_of(await here.people[1].click(card, "Open another"))
    assert "1 of 8 seats" in shown(await here.people[1].submit(asked, {})).text


async def test_forged_games_and_forms_are_refused(here: CardRoom) -> None:
    alice, offered = here.people[0], await page(here)
    for custom_id in ("play:0:chess", "play:0:play"):
        assert "does not work any more" in (await alice.press(offered, custom_id, BUTTON)).text
    asked = modal_of(await alice.click(offered, "Palace"))
    values = {field["component"]["custom_id"]: field["component"] for field in asked.body["components"]}
    for component in values.values():
        component["options"].append({"label": "Forged", "value": "forged"})
    refused = await alice.submit(asked, {"Computers": "forged"})
    assert "does not work any more" in refused.text
    assert here.bot.tables.of_guild(here.guild.id) == []
