"""Playing with computers: in the lobby, at the table, alone at night, and in practice."""

from pathlib import Path

from games import AnyGame
from tests.e2e.card_room import CardRoom, card_room
from tests.e2e.match import every_game, refusal_of
from tests.e2e.players import labels, leave, open_table, shown, start_match
from tests.e2e.solo import AT_ONCE, SoloPlayer
from tests.e2e.solo import times as times
from tests.toy import GAME as TOY

# Alone


@every_game
async def test_a_person_alone_can_play_every_game_to_its_end(game: AnyGame, file: Path) -> None:
    cogs = ("tests.toy.cog",) if game is TOY else ()
    async with card_room(file, seed=lambda: "e2e", times=AT_ONCE, extra_cogs=cogs) as here:
        alice = here.people[0]
        computers = game.seats(game.Options()).start - 1
        card = await open_table(here.room, f"{game.slug} start", alice, computers=computers)
        assert "2. 🤖 Fern (steady)" in card.text
        await alice.click(card, "Start")
        await here.rest()
        solo = SoloPlayer(here, await here.bot.tables.get(1), alice)
        await solo.move(here.thread(card))
        await solo.finish()
        await here.rest()
        assert "🏁" in card.text
        assert "🤖 Fern" in "\n".join(here.transcript(here.thread(card)))
        assert "No match has been finished here" in (await alice.slash(here.room, "leaderboard")).text
        assert {person.id for message in here.room.messages() for person in here.people[1:]} & {
            user for message in here.thread(card).log.values() for user in message.pings
        } == set()


async def test_the_card_says_in_whose_place_a_computer_has_finished(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await start_match(here, "thirty-one start", alice, ben, tokens=1)
    await leave(ben, here.thread(card))
    await SoloPlayer(here, await here.bot.tables.get(1), alice).finish()
    await here.rest()
    assert ".** 🤖 for Ben: " in card.text
    assert "🤖 for Ben" in here.room.messages()[-1].text


# The lobby


async def test_the_host_adds_computers_by_a_button_and_chooses_their_strength(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben)
    ask = shown(await alice.click(card, "Add computer"))
    assert ask.ephemeral
    assert labels(ask) == ["Casual", "Steady", "Sharp", "Remove the last"]
    for strength in ("Sharp", "Casual"):
        assert shown(await alice.click(ask, strength)) is ask
    assert "🤖 Fern (sharp), 🤖 Moss (casual). No seat is free." in ask.text
    await here.rest()
    assert "1. Alice (host)\n2. Ben\n3. 🤖 Fern (sharp)\n4. 🤖 Moss (casual)\n**4 of 4 seats**" in card.text
    assert "Add computer" not in labels(card)
    full = refusal_of(await alice.press(card, "computer:1:steady"))
    assert full == "All 4 seats are taken. Remove a computer first."
    ask = shown(await alice.click(card, "Remove computer"))  # the earlier answer may be gone
    await alice.click(ask, "Remove the last")
    await here.rest()
    assert "Moss" not in card.text
    assert "Add computer" in labels(card)


async def test_only_the_host_adds_computers_and_only_in_the_lobby(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben)
    for person in (ben, cleo):
        assert "Only the host" in (await person.click(card, "Add computer")).text
        assert "Only the host" in (await person.press(card, "computer:1:sharp")).text
        assert "Only the host" in (await person.press(card, "computer:1:dismiss")).text
    assert "does not work any more" in (await alice.press(card, "computer:1:omniscient")).text
    assert "There is no computer at this table" in (await alice.press(card, "computer:1:dismiss")).text
    await alice.click(card, "Start")
    for rest in ("", ":sharp"):
        assert "The match has begun" in (await alice.press(card, f"computer:1{rest}")).text
