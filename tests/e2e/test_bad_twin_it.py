"""Whatever people may try at a table of Twin It!, and what may go wrong while they play."""

from pathlib import Path

import pytest

from games import GAMES
from sandbox.posting import delete
from tests.e2e.followed import Followed, card_room
from tests.e2e.house import House
from tests.e2e.match import answered
from tests.e2e.party import LINE, dealt, type_claim
from tests.e2e.players import shown

pytestmark = pytest.mark.usefixtures("quick", "in_order")

GAME = GAMES["twin-it"]


# Messages that are gone


async def test_a_board_that_was_deleted_in_mid_game_comes_back(here: House) -> None:
    async with dealt(here, seats=2) as party:
        delete(party.board)
        (seat,) = party.table.state.awaited()
        answered(await party.people[seat].slash(party.place, "move", action="flip"))
        await party.rest()
        assert any(f"hand {party.state.last}" in each for each in party.board.custom_ids)


async def test_a_board_that_was_deleted_in_a_race_comes_back_and_the_time_runs_on(here: House) -> None:
    async with dealt(here, seats=1, mode="cooperative") as party:
        (page,) = await party.open_spread()
        ends, gone = party.state.ends, party.board
        delete(gone)
        await type_claim(party.people[0], page, " ".join(str(face.number) for face in party.pairs()[0]))
        await party.box.until(lambda: (new := party.shown()) and new.id > gone.id)
        await party.box.until(lambda: "Alice has 1 point." in party.board.text)
        assert party.state.ends == ends


# What people try


async def test_hands_that_make_no_sense_cost_nothing(here: House) -> None:
    async with dealt(here, seats=2) as party:
        await party.until_a_pair_shows()
        face, watcher = next(iter(party.state.showing)), here.people[4]
        await party.pressed(0, f"hand {face}")
        n = party.table.state.n
        assert "is on" in (await party.forged(0, f"hand {face}")).text
        assert "There is no 9999 yet" in (await party.forged(0, "hand 9999")).text
        assert "Twin It!" in (await party.forged(0, "hand -1")).text
        assert "Twin It!" in (await party.forged(0, "rubbish")).text
        assert "In this mode" in (await party.forged(0, f"turn {face}")).text
        assert "not your turn to flip" in (await party.forged(1 - party.state.turn, "flip")).text
        answer = await watcher.press(party.board, f"press:1:hand {face}")
        assert "You are watching" in answer.text
        assert party.table.state.n == n


async def test_a_watcher_of_a_race_gets_no_pages_and_claims_nothing(here: House) -> None:
    async with dealt(here, seats=1, mode="cooperative") as party:
        await party.open_spread()
        await party.rest()
        n, watcher = party.table.state.n, here.people[4]
        for custom_id in (
            "leaf:1:0/hand",
            "face:1:0/hand/1",
            "face:1:0/turn/1",
            "lift:1:0/hand",
            "press:1:hand 1",
        ):
            answer = await watcher.press(party.board, custom_id)
            answered(answer)
            assert "You are watching" in answer.text
        modal = (await watcher.press(party.board, "numbers:1:0/hand")).modal
        assert modal is not None
        claim = await watcher.submit(modal, {LINE: "1 2"})
        answered(claim)
        assert "You are watching" in claim.text
        assert party.table.state.n == n


async def test_a_number_that_is_no_faces_is_refused_wherever_it_is_named(here: House) -> None:
    async with dealt(here, seats=1, mode="cooperative") as party:
        (page,) = await party.open_spread()
        n, alice = party.table.state.n, party.people[0]
        for custom_id in ("face:1:0/hand/9999", "face:1:0/turn/9999"):
            answered(await alice.press(page, custom_id))
            assert "There is no 9999 yet." in page.text
        assert "Press" in (await alice.press(page, "face:1:0/hand/x")).text
        for action in ("turn 9999", "hold 9999"):
            answer = await alice.slash(party.place, "move", action=action)
            assert "There is no 9999 yet." in answer.text
        assert party.table.state.n == n


async def test_a_third_hand_rests_with_the_other_two_after_a_mistake(here: House) -> None:
    async with dealt(here, seats=2) as party:
        one, other, third = [*party.state.showing, 0][:3]
        await party.pressed(0, f"hand {one}")
        assert "No match! Alice's hands" in shown(await party.pressed(0, f"hand {other}")).text
        assert (
            "hands are off after a mistake"
            in (await party.forged(0, f"hand {third or party.state.last}")).text
        )


async def test_the_double_hand_of_one_member_is_a_teams_mistake(here: House) -> None:
    async with dealt(here, seats=4, mode="teams") as party:
        while not party.pairs():
            await party.pressed(GAME.awaited(party.state)[0], "flip")
        one, other = party.pairs()[0]
        await party.pressed(0, f"hand {one.number}")
        await party.pressed(0, f"hand {other.number}")
        await party.rest()
        assert "No match! Alice's hands" in party.board.text


async def test_after_the_end_nothing_can_be_done(here: House) -> None:
    async with dealt(here, seats=2, sets_to_win=1) as party:
        one, other = await party.until_a_pair_shows()
        await party.pressed(0, f"hand {one}")
        await party.pressed(0, f"hand {other}")
        assert not party.table.is_open
        for action in ("flip", f"hand {party.state.last}", "lift"):
            assert "The match is over." in (await party.forged(1, action)).text


@pytest.mark.parametrize("line", ["rubbish", "12", "12 12 12 12", "12 twelve", "-1 2", "１２ 13", "9" * 39])
async def test_rubbish_in_the_line_of_a_claim_is_refused_kindly(here: House, line: str) -> None:
    async with dealt(here, seats=1, mode="cooperative") as party:
        (page,) = await party.open_spread()
        n = party.table.state.n
        await type_claim(party.people[0], page, line)
        assert "Type the numbers of two or three faces, such as 12 87." in page.text
        assert party.table.state.n == n


async def test_a_claim_of_faces_of_which_one_has_gone_lays_no_hand(here: House) -> None:
    async with dealt(here, seats=1, mode="cooperative") as party:
        (page,) = await party.open_spread()
        await type_claim(party.people[0], page, "1 9999")
        assert "There is no 9999 yet." in page.text
        await type_claim(party.people[0], page, "7 7")
        assert "is on 7 already" in page.text
        assert party.state.hands == [()]


# The house was away


async def test_a_race_during_which_the_bot_is_killed_is_void_and_offered_again(tmp_path: Path) -> None:
    async with card_room(tmp_path / "house.sqlite3") as (bot, room):
        guild = room.guild
        people = [bot.box.person(name, guild) for name in ("Alice", "Ben")]
        race = Followed(bot, room, people, GAME, mode="cooperative", seconds=60)
        await race.deal()
        for person in people:
            answered(await person.click(race.board, "I am ready"))
        await bot.box.until(lambda: race.look() and race.state.game_state.ends, 15)
        answered(await people[0].slash(race.thread, "move", action="turn 1"))
        await bot.kill()
        bot.box.clock.advance(30)
        await bot.start()
        await bot.box.until(lambda: race.look() and not race.state.game_state.ends, 10)
        await race.sound()
        assert "that race does not count" in "\n".join(race.told())
        await bot.box.until(lambda: "twin-it.press:1:ready" in race.board.custom_ids)
        for person in people:
            answered(await person.click(race.board, "I am ready"))
        race.look()
        assert all(race.state.game_state.ready)


async def test_whoever_acts_when_a_race_is_long_over_sees_its_end(here: House) -> None:
    async with dealt(here, seats=2, mode="timed") as party:
        pages = await party.open_spread()
        here.box.clock.advance(100_000)
        answer = await party.people[0].click(pages[0], pages[0].buttons[0]["custom_id"])
        answered(answer)
        assert "The match is over" in shown(answer).text
        assert "Time's up: 2 minutes" in shown(answer).text


async def test_a_claim_typed_before_the_end_and_sent_after_it_counts_for_nothing(here: House) -> None:
    async with dealt(here, seats=1, mode="cooperative") as party:
        (page,) = await party.open_spread()
        line = " ".join(str(face.number) for face in party.pairs()[0])
        modal = (await party.people[0].click(page, "Type")).modal
        assert modal is not None
        await party.happen()
        answered(await party.people[0].submit(modal, {LINE: line}))
        assert "The match is over." in page.text
        assert party.state.outcome is not None
        assert party.state.outcome.scores == (0,)


async def test_the_hands_are_lifted_after_a_day_and_a_game_of_turns_goes_on(here: House) -> None:
    async with dealt(here, seats=2) as party:
        one, other = await party.until_a_pair_shows()
        await party.pressed(0, f"hand {one}")
        await party.pass_time(1000 * here.box.clock.now() + 86_400_000)
        await party.box.until(lambda: not party.state.hands[0])
        for face in (one, other):
            await party.pressed(0, f"hand {face}")
        assert GAME.view(party.state, None).scores == (1, 0)
