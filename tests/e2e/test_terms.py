"""`More` in a lobby: the host changes the game's options, and people choose their partners. `/verify` checks both."""

from pathlib import Path

import pytest

from bot.match.entries import CloseReason
from games import AnyGame
from tests.e2e.card_room import CardRoom
from tests.e2e.match import check_answer, every_game, refusal_of
from tests.e2e.players import open_table, press_more, shown
from tests.e2e.test_deals import check_by_script, content_of, verify
from tests.e2e.test_deals import here as here


@every_game
async def test_the_options_of_every_game_have_menus_that_hold_the_present_values(
    game: AnyGame, here: CardRoom
) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, f"{game.slug} start", alice)
    panel = shown(await press_more(alice, card, "Options"))
    for menu in panel.selects:
        assert len([option for option in menu["options"] if option.get("default")]) == 1, menu
        (described,) = (option for option in menu["options"] if option.get("description"))
        is_yes_or_no = any(option["label"].endswith(": yes") for option in menu["options"])
        assert described["label"].endswith(": yes") if is_yes_or_no else described.get("default")
        if menu["custom_id"] in [
            each["custom_id"] for each in panel.selects
        ]:  # else it does not matter any more
            check_answer(await alice.select(panel, menu["custom_id"], [menu["options"][-1]["value"]]))
    assert "Only the host" in refusal_of(await ben.press(card, "options:1"))
    assert "does not work any more" in refusal_of(await alice.press(card, "option:1:deals", 3, values=["99"]))


async def test_two_friends_choose_each_other_as_partners(
    here: CardRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, ben, cleo, dana, eve = here.people[:5]
    card = await open_table(here.room, "hand-and-foot start", alice, ben, cleo, dana)
    assert not shown(await eve.click(card, "More")).selects, "she does not sit here"
    for person, friend in ((alice, cleo), (cleo, alice)):
        more = shown(await person.click(card, "More"))
        check_answer(await person.select(more, "partner:1", [f"Partner: {friend.name}"]))
        said = {"Alice": "1. Alice (host) · would like Cleo", "Cleo": "3. Cleo · with Alice"}[person.name]
        await here.box.until(lambda said=said: said in card.text)  # type: ignore[misc]
    assert "1. Alice (host) · with Cleo" in card.text
    await alice.click(card, "Start")
    await here.rest()
    table = await here.bot.tables.get(1)
    seats = {player.name: seat for seat, player in enumerate(table.state.players)}
    assert abs(seats["Alice"] - seats["Cleo"]) == 2
    await table.close(CloseReason.CHANNEL_GONE)
    answer = await verify(alice, here)
    assert "Partners who chose each other then sat opposite" in answer.text
    check_by_script(content_of(here, answer), tmp_path, monkeypatch)


async def test_nobody_is_a_partner_once_the_options_have_no_pairs(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "twin-it start", alice, ben, mode="teams")
    ben_more = shown(await ben.click(card, "More"))
    await alice.select(shown(await alice.click(card, "More")), "partner:1", ["Partner: Ben"])
    await here.box.until(lambda: "would like Ben" in card.text)
    panel = shown(await press_more(alice, card, "Options"))
    check_answer(await alice.select(panel, "option:1:mode", ['"classic"']))
    await here.box.until(lambda: "classic" in card.text)
    assert "would like Ben" not in card.text
    assert "pairs" in refusal_of(await ben.select(ben_more, "partner:1", ["Partner: Alice"]))
