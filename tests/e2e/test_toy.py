"""A new game needs only to be registered and to have a cog in order to be played."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.card_room import CardRoom, card_room
from tests.e2e.players import hand_of, modal_of, open_table, shown, start_match, text_and_alt
from tests.toy import GAME
from tests.toy.registered import register


@pytest.fixture
async def here(file: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[CardRoom]:
    """A sandbox with a bot that offers the toy beside its own games."""
    register(monkeypatch)
    async with card_room(file, seed=lambda: "e2e", extra_cogs=("tests.toy.cog",)) as room_with_toy:
        yield room_with_toy


async def test_a_new_game_can_be_played_to_its_end_without_other_changes(here: CardRoom) -> None:
    alice, ben, *_ = people = here.people
    offered = shown(await alice.slash(here.room, "play"))
    assert f"**High Card** {GAME.blurb[0].lower()}{GAME.blurb[1:]}" in offered.text
    assert "A table of High Card" in (await alice.click(offered, "High Card")).text
    page = shown(await alice.slash(here.room, "high-card rules"))
    assert GAME.rulebook.CREDIT in (await alice.click(page, "Full rules")).text
    card = await open_table(here.room, "high-card start", alice, ben)
    assert "High Card · table 1" in (await ben.slash(here.room, "tables")).text
    await alice.click(card, "Start")
    await here.rest()
    place, table = here.thread(card), await here.bot.tables.get(1)
    while table.state.phase == "play":
        person = people[table.state.awaited()[0]]
        hand = await hand_of(person, place)
        first = hand.selects[0]["options"][0]
        assert f"✅ {first['label']}" in shown(await person.select(hand, "Your move", [first["value"]])).text
    await here.rest()
    assert "Most tricks win." in card.text
    assert sum(": Alice wins." in answer or ": Ben wins." in answer for answer in here.transcript(place)) == 3
    standings = await ben.slash(here.room, "leaderboard")
    assert "Alice: ahead of 100%, wins" in text_and_alt(shown(standings))
    standings = await ben.slash(here.room, "leaderboard", game="High Card")
    assert "Leaderboard · High Card" in standings.text
    assert "Ben is not ranked yet. Missing: at least 9 more rated matches." in standings.text
    assert "No rated match" in (await ben.slash(here.room, "leaderboard", game="Twin Palms")).text


async def test_a_new_game_can_be_played_with_commands(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await start_match(here, "high-card start", alice, ben)
    place = here.thread(card)
    offered = await alice.autocomplete(place, "move", "action", "")
    assert len(offered) == 3
    assert "✅" in (await alice.slash(place, "move", action=offered[0]["value"])).text
    assert "A move reads “pick 7”" in (await alice.slash(place, "move", action="pick 13")).text
    modal = modal_of(await ben.click(await hand_of(ben, place), "Type a move"))
    assert "you may pick:" in (await ben.submit(modal, {"Your move": offered[0]["value"]})).text
    await here.rest()
    assert here.transcript(place)[-2:] == ["**Ben's turn**", "Alice has picked; 1 of 2 are in."]
