"""Invalid actions at a table of Twin It!, and failures during a match."""

from pathlib import Path

import pytest

from games import GAMES
from sandbox.posting import delete
from tests.e2e.card_room import CardRoom
from tests.e2e.followed_match import FollowedMatch, bot_and_channel
from tests.e2e.match import check_answer
from tests.e2e.players import shown
from tests.e2e.twin_it_table import LINE, dealt, type_claim

GAME = GAMES["twin-it"]


# Deleted messages


async def test_a_board_deleted_during_a_game_of_turns_is_posted_again(here: CardRoom) -> None:
    async with dealt(here, seats=2) as game:
        delete(game.board)
        (seat,) = game.table.state.awaited()
        check_answer(await game.people[seat].slash(game.place, "move", action="flip"))
        await game.rest()
        assert any(f"hand {game.state.last}" in each for each in game.board.custom_ids)


async def test_a_board_deleted_during_a_race_is_posted_again_and_the_time_continues(here: CardRoom) -> None:
    async with dealt(here, seats=1, mode="cooperative") as game:
        (page,) = await game.open_spread()
        ends, gone = game.state.ends, game.board
        delete(gone)
        await type_claim(game.people[0], page, " ".join(str(face.number) for face in game.pairs()[0]))
        await game.box.until(lambda: (new := game.shown()) and new.id > gone.id)
        await game.box.until(lambda: "Alice has 1 point." in game.board.text)
        assert game.state.ends == ends


# Invalid actions


async def test_hands_that_make_no_sense_cost_nothing(here: CardRoom) -> None:
    async with dealt(here, seats=2) as game:
        await game.until_a_pair_shows()
        face, watcher = next(iter(game.state.showing)), here.people[4]
        await game.pressed(0, f"hand {face}")
        n = game.table.state.n
        assert "is on" in (await game.forged(0, f"hand {face}")).text
        assert "There is no face 9999 yet" in (await game.forged(0, "hand 9999")).text
        assert "Twin It!" in (await game.forged(0, "hand -1")).text
        assert "Twin It!" in (await game.forged(0, "rubbish")).text
        assert "In this mode" in (await game.forged(0, f"turn {face}")).text
        assert "not your turn to flip" in (await game.forged(1 - game.state.turn, "flip")).text
        answer = await watcher.press(game.board, f"press:1:hand {face}")
        assert "You are watching" in answer.text
        assert game.table.state.n == n


async def test_a_watcher_of_a_race_gets_no_pages_and_cannot_claim(here: CardRoom) -> None:
    async with dealt(here, seats=1, mode="cooperative") as game:
        await game.open_spread()
        await game.rest()
        n, watcher = game.table.state.n, here.people[4]
        for custom_id in (
            "leaf:1:0/hand",
            "face:1:0/hand/1",
            "face:1:0/turn/1",
            "lift:1:0/hand",
            "press:1:hand 1",
        ):
            answer = await watcher.press(game.board, custom_id)
            check_answer(answer)
            assert "You are watching" in answer.text
        modal = (await watcher.press(game.board, "numbers:1:0/hand")).modal
        assert modal is not None
        claim = await watcher.submit(modal, {LINE: "1 2"})
        check_answer(claim)
        assert "You are watching" in claim.text
        assert game.table.state.n == n


async def test_a_number_without_a_face_is_refused_wherever_it_is_used(here: CardRoom) -> None:
    async with dealt(here, seats=1, mode="cooperative") as game:
        (page,) = await game.open_spread()
        n, alice = game.table.state.n, game.people[0]
        for custom_id in ("face:1:0/hand/9999", "face:1:0/turn/9999"):
            check_answer(await alice.press(page, custom_id))
            assert "There is no face 9999 yet." in page.text
        assert "Press" in (await alice.press(page, "face:1:0/hand/x")).text
        for action in ("turn 9999", "hold 9999"):
            answer = await alice.slash(game.place, "move", action=action)
            assert "There is no face 9999 yet." in answer.text
        assert game.table.state.n == n


async def test_after_a_mistake_a_third_hand_must_rest_like_the_other_two(here: CardRoom) -> None:
    async with dealt(here, seats=2) as game:
        one, other, third = [*game.state.showing, 0][:3]
        await game.pressed(0, f"hand {one}")
        assert "No match! Alice's hands" in shown(await game.pressed(0, f"hand {other}")).text
        assert (
            "hands are off after a mistake" in (await game.forged(0, f"hand {third or game.state.last}")).text
        )


async def test_two_hands_of_one_member_are_a_mistake_of_the_team(here: CardRoom) -> None:
    async with dealt(here, seats=4, mode="teams") as game:
        while not game.pairs():
            await game.pressed(GAME.awaited(game.state)[0], "flip")
        one, other = game.pairs()[0]
        await game.pressed(0, f"hand {one.number}")
        await game.pressed(0, f"hand {other.number}")
        await game.rest()
        assert "No match! Alice's hands" in game.board.text


async def test_no_action_is_possible_after_the_end(here: CardRoom) -> None:
    async with dealt(here, seats=2, sets_to_win=1) as game:
        one, other = await game.until_a_pair_shows()
        await game.pressed(0, f"hand {one}")
        board = game.board  # soon a record
        await game.pressed(0, f"hand {other}")
        assert not game.table.is_open
        for action in ("flip", f"hand {game.state.last}", "lift"):
            assert "The match is over." in (await game.forged(1, action, board)).text


@pytest.mark.parametrize("line", ["rubbish", "12", "12 12 12 12", "12 twelve", "-1 2", "１２ 13", "9" * 39])
async def test_rubbish_typed_as_a_claim_is_refused_politely(here: CardRoom, line: str) -> None:
    async with dealt(here, seats=1, mode="cooperative") as game:
        (page,) = await game.open_spread()
        n = game.table.state.n
        await type_claim(game.people[0], page, line)
        assert "Type the numbers of two or three faces, such as 12 87." in page.text
        assert game.table.state.n == n


async def test_a_claim_with_a_face_that_has_gone_lays_no_hand(here: CardRoom) -> None:
    async with dealt(here, seats=1, mode="cooperative") as game:
        (page,) = await game.open_spread()
        await type_claim(game.people[0], page, "1 9999")
        assert "There is no face 9999 yet." in page.text
        await type_claim(game.people[0], page, "7 7")
        assert "is on 7 already" in page.text
        assert game.state.hands == [()]


# Outages of the bot


async def test_a_race_during_which_the_bot_is_killed_is_void_and_offered_again(tmp_path: Path) -> None:
    async with bot_and_channel(tmp_path / "palmhouse.sqlite3") as (bot, room):
        guild = room.guild
        people = [bot.box.person(name, guild) for name in ("Alice", "Ben")]
        race = FollowedMatch(bot, room, people, GAME, mode="cooperative", seconds=60)
        await race.deal()
        for person in people:
            check_answer(await person.click(race.board, "I am ready"))
        await bot.box.until(lambda: race.read_log() and race.state.game_state.ends, 15)
        check_answer(await people[0].slash(race.thread, "move", action="turn 1"))
        await bot.kill()
        bot.box.clock.advance(30)
        await bot.start()
        await bot.box.until(lambda: race.read_log() and not race.state.game_state.ends, 10)
        await race.check()
        assert "that race does not count" in "\n".join(race.messages())
        await bot.box.until(lambda: "twin-it.press:1:ready" in race.board.custom_ids)
        for person in people:
            check_answer(await person.click(race.board, "I am ready"))
        race.read_log()
        assert all(race.state.game_state.ready)


async def test_a_player_who_acts_long_after_the_end_of_a_race_sees_its_end(here: CardRoom) -> None:
    async with dealt(here, seats=2, mode="timed") as game:
        pages = await game.open_spread()
        here.box.clock.advance(100_000)
        answer = await game.people[0].click(pages[0], pages[0].buttons[0]["custom_id"])
        check_answer(answer)
        assert "The match is over" in shown(answer).text
        assert "Time's up: 2 minutes" in shown(answer).text


async def test_a_claim_typed_before_the_end_and_sent_after_it_does_not_count(here: CardRoom) -> None:
    async with dealt(here, seats=1, mode="cooperative") as game:
        (page,) = await game.open_spread()
        line = " ".join(str(face.number) for face in game.pairs()[0])
        modal = (await game.people[0].click(page, "Type")).modal
        assert modal is not None
        await game.happen()
        check_answer(await game.people[0].submit(modal, {LINE: line}))
        assert "The match is over." in page.text
        assert game.state.outcome is not None
        assert game.state.outcome.scores == (0,)


async def test_after_a_day_the_hands_are_lifted_and_a_game_of_turns_continues(here: CardRoom) -> None:
    async with dealt(here, seats=2) as game:
        one, other = await game.until_a_pair_shows()
        await game.pressed(0, f"hand {one}")
        await game.pass_time(1000 * here.box.clock.now() + 86_400_000)
        await game.box.until(lambda: not game.state.hands[0])
        for face in (one, other):
            await game.pressed(0, f"hand {face}")
        assert GAME.view(game.state, None).scores == (1, 0)
