"""Presets: tables that a server offers first, made of a lobby's options, and games that its menus leave out."""

from math import inf

import pytest

from sandbox import Message, Person
from sandbox.components import BUTTON, STRING_SELECT
from sandbox.interactions import DEFER_UPDATE
from tests.e2e.card_room import CardRoom
from tests.e2e.match import refusal_of
from tests.e2e.players import labels, modal_of, open_table, press_more, shown
from tests.e2e.test_forged import forged
from tests.held import held

MODES = ("easy", "normal", "advanced", "extreme")


async def keep(person: Person, card: Message, name: str) -> str:
    """Keep the options of a lobby as a preset, and return what is said."""
    modal = modal_of(await press_more(person, card, "Keep as preset"))
    return (await person.submit(modal, {"Name": name})).told


async def set_mode(person: Person, card: Message, mode: str) -> None:
    await person.press(card, "option:1:mode", STRING_SELECT, values=[f'"{mode}"'])


async def page(here: CardRoom, person: Person) -> Message:
    return shown(await person.slash(here.room, "play"))


async def test_a_preset_is_made_of_a_lobby_and_opens_tables_like_it(here: CardRoom, manager: Person) -> None:
    ben, cleo = here.people[1:3]
    card = await open_table(
        here.room, "twin-palms start", manager, mode="advanced", bets=False, pace="relaxed"
    )
    assert "Keep as preset" not in labels(shown(await ben.click(card, "More")))
    said = await keep(manager, card, "Tuesday Palms")
    assert said == "Tuesday Palms is kept: `/play` offers it first. `/settings show` deletes it."
    offered = await page(here, ben)
    assert offered.text.startswith(
        "### Tables of this server\n-# **Tuesday Palms** Twin Palms · advanced mode · no bets · 1 hour a move\n"
    )
    opened = shown(await ben.click(offered, "Tuesday Palms"))
    assert "advanced mode · no bets · 1 hour a move" in opened.text
    await cleo.click(opened, "Join")
    await here.rest()
    await ben.click(opened, "Start")
    assert "1 hour a move · 1 match\n" in (await page(here, cleo)).text


@pytest.mark.parametrize("played", ["easy", "advanced"])
async def test_a_preset_counts_the_options_that_were_played(
    here: CardRoom, manager: Person, played: str
) -> None:
    card = await open_table(here.room, "twin-palms start", manager, here.people[1], mode="normal")
    await keep(manager, card, "Before")
    await set_mode(manager, card, played)
    await keep(manager, card, "After")
    await manager.click(card, "Start")
    first, second = (await page(here, manager)).text.splitlines()[1:3]
    assert f"{played} mode" in first
    assert first.endswith(" · 1 match")
    assert "match" not in second


async def test_a_preset_that_is_opened_late_has_its_card_in_the_channel(
    here: CardRoom, manager: Person
) -> None:
    ben, cleo = here.people[1:3]
    await keep(manager, await open_table(here.room, "palace start", manager), "Tuesday")
    offered = await page(here, ben)
    here.bot.admission.late = -inf
    opening = await ben.click(offered, "Tuesday")
    await here.rest()
    card = here.room.messages()[-1]
    assert opening.interaction.answer == DEFER_UPDATE
    assert "start:2" in card.custom_ids
    assert cleo.can_see(card)


async def test_a_server_has_four_presets_of_different_names(here: CardRoom, manager: Person) -> None:
    card = await open_table(here.room, "twin-palms start", manager)
    other = await open_table(here.room, "palace start", manager)
    for mode, name in zip(MODES, ("One", "Two", "Three", "Four"), strict=True):
        await set_mode(manager, card, mode)
        await keep(manager, card, name)
        refused = "has 4 presets already" if name == "Four" else "a preset of that name here already"
        assert refused in await keep(manager, other, name.upper())
    panel = shown(await manager.slash(here.room, "settings show"))
    menu = next(each for each in panel.selects if each["custom_id"] == "settings:0:preset")
    before = await page(here, manager)
    await manager.select(panel, "settings:0:preset", [menu["options"][1]["value"]])
    assert labels(await page(here, manager))[:3] == ["One", "Three", "Four"]
    assert "This preset was deleted" in refusal_of(await manager.click(before, "Two"))


async def test_two_presets_differ_in_their_options_or_their_pace(here: CardRoom, manager: Person) -> None:
    card = await open_table(here.room, "palace start", manager)
    await keep(manager, card, "Tuesday")
    assert await keep(manager, card, "Friday") == (
        "The preset Tuesday has these options already. To rename it, delete it first: `/settings show`."
    )
    slow = await open_table(here.room, "palace start", here.people[1], pace="relaxed")
    assert "is kept" in await keep(manager, slow, "Slow")
    await manager.press(card, "option:1:packs", STRING_SELECT, values=["1"])
    assert "is kept" in await keep(manager, card, "Friday")


async def test_a_game_that_nobody_wants_is_left_out_of_the_menu(here: CardRoom, manager: Person) -> None:
    panel = shown(await manager.slash(here.room, "settings show"))
    await manager.select(panel, "settings:0:games", ["palace", "charms"])
    shown_there = labels(await page(here, here.people[1]))
    assert shown_there == ["Charms", "Palace", "Tell me when …", "Daily deal", "Learn"]
    assert "Twin It!" not in (await page(here, here.people[1])).text


async def test_a_preset_with_options_unknown_to_its_game_is_hidden(here: CardRoom, manager: Person) -> None:
    card = await open_table(here.room, "palace start", manager)
    await keep(manager, card, "Old")
    offered = await page(here, manager)
    await here.bot.store._change("UPDATE presets SET options = ?", '{"colour": "red"}')
    assert "Old" not in labels(await page(here, manager))
    assert "the rules of its game have changed" in refusal_of(await manager.click(offered, "Old"))


async def test_who_does_not_manage_tables_keeps_no_preset(here: CardRoom, manager: Person) -> None:
    ben = here.people[1]
    card = await open_table(here.room, "palace start", ben)
    answer = await forged(ben, shown(await ben.click(card, "More")), "keep:1", BUTTON, [])
    assert "Only people who manage tables" in refusal_of(answer)


async def test_a_preset_is_made_of_a_lobby_only(here: CardRoom, manager: Person) -> None:
    card = await open_table(here.room, "palace start", manager, here.people[1])
    more = shown(await manager.click(card, "More"))
    await manager.click(card, "Start")
    assert "A preset is made of a table that has not." in refusal_of(
        await manager.click(more, "Keep as preset")
    )


async def test_a_manager_keeps_no_preset_on_another_server(here: CardRoom, manager: Person) -> None:
    other = here.box.guild("Long Beach")
    other.add(manager.user)
    await open_table(other.channel("lounge"), "palace start", manager)
    card = await open_table(here.room, "palace start", here.people[1])
    answer = await forged(manager, card, "keep:1", BUTTON, [])
    assert refusal_of(answer) == "That table belongs to another server."


async def test_what_is_kept_is_what_was_shown(here: CardRoom, manager: Person) -> None:
    ben = here.people[1]
    card = await open_table(here.room, "palace start", ben)
    modal = modal_of(await press_more(manager, card, "Keep as preset"))
    await ben.press(card, "option:1:packs", STRING_SELECT, values=["1"])
    said = refusal_of(await manager.submit(modal, {"Name": "Two packs"}))
    assert said == "The options were changed meanwhile. Press `Keep as preset` again to see them."
    assert await here.bot.store.presets(here.guild.id) == []


async def test_any_options_can_be_kept_at_a_table_with_a_large_number(
    here: CardRoom, manager: Person
) -> None:
    await here.bot.store._change("INSERT INTO sqlite_sequence VALUES ('matches', ?)", 10**9)
    unusual = {"mode": "advanced", "bets": False, "exact_points": "20 20 20 20 20 20"}
    unusual |= {"half_bet_rounding": "down", "rounds": 12}
    card = await open_table(here.room, "twin-palms start", manager, **unusual)
    assert "is kept" in await keep(manager, card, "Unusual")


async def test_two_managers_at_once_keep_no_fifth_preset(here: CardRoom, manager: Person) -> None:
    card = await open_table(here.room, "twin-palms start", manager)
    other = await open_table(here.room, "palace start", manager)
    for mode in MODES[:3]:
        await set_mode(manager, card, mode)
        await keep(manager, card, mode)
    await set_mode(manager, card, MODES[3])
    async with held(here.bot.store, "presets", keep(manager, card, "Four"), after=True) as late:
        await keep(manager, other, "Five")
    assert "Another preset was kept just now" in await late
    assert len(await here.bot.store.presets(here.guild.id)) == 4
