"""Twin It! by six people on the sandbox: all five ways to play, each to its end, and whatever they may try."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.table import Table
from games import GAMES
from games.twin_it.actions import FIRST
from games.twin_it.advice import MIND
from games.twin_it.state import Face, State
from sandbox import Answer, Channel, Message, Person
from sandbox.posting import delete
from tests.e2e.followed import Followed, card_room
from tests.e2e.house import House, house
from tests.e2e.match import answered
from tests.e2e.players import hand_of, open_table, shown

GAME = GAMES["twin-it"]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot looks at its clock often, as tests turn Discord's; clicks arrive in order unless a test sees to that."""
    monkeypatch.setattr("bot.clock.BEAT", 0.02)
    monkeypatch.setattr("bot.order.HOLD", 0.0)
    monkeypatch.setattr("bot.card.PACE", 0.1)


class Party:
    """Table 1, with these people at it."""

    def __init__(self, here: House, people: list[Person], place: Channel, table: Table) -> None:
        self.here = here
        self.box = here.box
        self.people = people
        self.place = place
        self.table = table

    @property
    def state(self) -> State:
        """The cards as they lie."""
        state: State = self.table.sitting.state
        return state

    def message(self, kind: str) -> Message | None:
        """The board, or the second message."""
        return self.place.log.get(getattr(self.table.match, kind) or 0)

    @property
    def board(self) -> Message:
        """The board."""
        message = self.message("board")
        assert message is not None
        return message

    def holding(self, custom_id: str) -> Message | None:
        """The message with that button."""
        both = [self.message("board"), self.message("more")]
        return next((each for each in both if each and custom_id in each.custom_ids), None)

    async def press(self, seat: int, action: str) -> Answer:
        """Press a button that is there, or will be soon."""
        custom_id = f"press:1:{action}"
        await self.box.until(lambda: self.holding(custom_id))
        message = self.holding(custom_id)
        assert message is not None
        return await self.people[seat].click(message, custom_id)

    async def pressed(self, seat: int, action: str) -> Answer:
        """Press a button, and be answered without a word."""
        answer = await self.press(seat, action)
        answered(answer)
        return answer

    async def forged(self, seat: int, action: str) -> Answer:
        """Use a button that is not there, or not any more."""
        answer = await self.people[seat].press(self.board, f"press:1:{action}")
        answered(answer)
        return answer

    async def pass_time(self, until: float) -> None:
        """Let it be so late (ms of Discord's clock), and let the bot know."""
        self.box.clock.advance(max(0.0, until / 1000 - self.box.clock.now()))
        await self.people[0].slash(self.place, "tables")

    async def happen(self) -> None:
        """Wait until what is due by itself has happened."""
        due, n = self.table.sitting.due(), self.table.sitting.n
        assert due is not None
        await self.pass_time(due)
        await self.box.until(lambda: self.table.sitting.n > n)

    def pairs(self) -> list[tuple[Face, Face]]:
        """Faces that match, each in one pair at most."""
        left = [self.state.face(card) for card in self.state.showing.values()]
        found: list[tuple[Face, Face]] = []
        for one, other in combinations(left, 2):
            if one.design == other.design and not {one, other} & {face for pair in found for face in pair}:
                found.append((one, other))
        return found

    async def until_a_pair_shows(self) -> tuple[int, int]:
        """Flip until two faces match; their numbers."""
        while not self.pairs():
            (seat,) = self.table.sitting.awaited()
            await self.pressed(seat, "flip")
        one, other = self.pairs()[0]
        return one.number, other.number

    async def open_spread(self) -> list[Message]:
        """Everybody is ready, and has the first page of the spread before them."""
        hands = [await hand_of(person, self.place) for person in self.people]
        for person, hand in zip(self.people, hands, strict=True):
            answered(await person.click(hand, "I am ready"))
        await self.happen()
        for person, hand in zip(self.people, hands, strict=True):
            answered(await person.click(hand, "Open the spread"))
        return hands

    async def rest(self) -> None:
        """Wait until everything is shown."""
        await self.here.bot.publisher.rest()


@asynccontextmanager
async def dealt(here: House, seats: int = 6, **options: Any) -> AsyncIterator[Party]:
    """A match of so many people."""
    people = [*here.people, here.box.person("Fay", here.guild)][:seats]
    card = await open_table(here.room, "twin-it start", *people, **options)
    await people[0].click(card, "Start")
    await here.bot.publisher.rest()
    yield Party(here, people, here.thread(card), await here.bot.tables.get(1))


# Whole matches


@pytest.mark.parametrize("mode", ["classic", "forbidden", "teams"])
async def test_six_people_play_by_the_buttons_below_the_faces_to_the_end(here: House, mode: str) -> None:
    async with dealt(here, mode=mode, sets_to_win=1, hand_seconds=15) as party:
        rng = Random(mode)
        while party.table.is_open:
            await party.pressed(*some_click(party, rng))
        await party.rest()
        outcome = party.state.outcome
        assert outcome is not None
        assert max(outcome.scores) == 1
        assert outcome.reason in party.board.text
        assert not [each for each in party.board.custom_ids if each.startswith("press:")]
        assert "🏁" in here.people[0].sees(here.room)[-1].text


def some_click(party: Party, rng: Random) -> tuple[int, str]:
    """Whoever sees a match lays a hand on it; else somebody whose turn it is flips."""
    seats = [*range(len(party.people))]
    rng.shuffle(seats)
    for seat in seats:
        legal = GAME.legal(party.state, seat)
        action = MIND.advise(GAME.view(party.state, seat), legal).action if len(legal) > 1 else 0
        if action >= FIRST and party.pairs():
            return seat, GAME.text(action)
    return rng.choice(GAME.awaited(party.state)), "flip"


@pytest.mark.parametrize("mode", ["cooperative", "timed"])
async def test_six_people_race_through_the_spread_by_their_own_pages(here: House, mode: str) -> None:
    async with dealt(here, mode=mode, seconds=60) as party:
        pages = await party.open_spread()
        pairs = party.pairs()[:12]
        await asyncio.gather(*(claims(party, seat, pages[seat], pairs[seat::6]) for seat in range(6)))
        assert not {face.number for pair in pairs for face in pair} & {*party.state.showing}
        await turn_over(party, pages[0])
        await party.happen()
        await party.rest()
        outcome = party.state.outcome
        assert outcome is not None
        assert outcome.scores == ((12,) * 6 if mode == "cooperative" else (2,) * 6)
        assert outcome.reason in party.board.text
        if mode == "cooperative":
            assert "The verdict: better luck next time." in party.board.text
        last = shown(await party.people[0].click(pages[0], "▶"))
        assert outcome.reason in last.text
        assert not last.buttons


async def claims(party: Party, seat: int, page: Message, pairs: list[tuple[Face, Face]]) -> None:
    """Leaf to one face and the other by their pages, or type both."""
    person = party.people[seat]
    for one, other in pairs:
        if seat % 2:
            await type_claim(person, page, f"{one.number}, {other.number}")
        else:
            for face in (one, other):
                answered(await person.click(await leafed(person, page, face.number), str(face.number)))


async def turn_over(party: Party, page: Message) -> None:
    """The first card of the page: another face comes to show in its place."""
    answered(await party.people[0].click(page, "Turn over"))
    shows, free = next((n, b["label"]) for n, b in enumerate(page.buttons) if not b.get("disabled"))
    answered(await party.people[0].click(page, free))
    assert page.buttons[shows]["label"] == str(party.state.last)


async def type_claim(person: Person, page: Message, line: str) -> Message:
    """Claim by a line of numbers; the page as it is then."""
    modal = (await person.click(page, "Type")).modal
    assert modal is not None
    answer = await person.submit(modal, {"Two or three faces alike, by their numbers": line})
    answered(answer)
    return page


async def leafed(person: Person, page: Message, number: int) -> Message:
    """The page that has this face."""
    for _ in range(7):
        if any(button["label"] == str(number) for button in page.buttons):
            return page
        answered(await person.click(page, "▶"))
    raise AssertionError(f"{number} is on no page")


# Who was first


async def test_with_a_jitter_of_60_ms_who_clicked_first_has_the_set(
    here: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hold is longer here than in the house, for a busy machine may stop for a while; see `tests.bot.test_order`
    for its true length."""
    async with dealt(here, seats=2, sets_to_win=6, tie_ms=0, hand_seconds=15) as party:
        rng, contests = Random(1), 0
        here.box.under_way = lambda: rng.randrange(61) / 1000
        while party.table.is_open and contests < 4:
            monkeypatch.setattr("bot.order.HOLD", 0.0)
            one, other = await party.until_a_pair_shows()
            for seat in (0, 1):
                await party.pressed(seat, f"hand {one}")
            here.box.clock.advance(0.005)
            monkeypatch.setattr("bot.order.HOLD", 0.3)
            earlier = rng.randrange(2)
            clicks = []
            for seat in (earlier, 1 - earlier):
                clicks.append(asyncio.create_task(party.forged(seat, f"hand {other}")))
                await asyncio.sleep(0)
                here.box.clock.advance(0.005)
            await asyncio.gather(*clicks)
            log = await here.bot.store.log(1)
            assert [each.seat for each in log if each.body == f"hand {other}"][-1:] == [earlier]
            contests += 1
        here.box.under_way = lambda: 0.0


async def test_a_contested_claim_tells_how_far_apart_the_hands_were(here: House) -> None:
    async with dealt(here, seats=2, tie_ms=0, hand_seconds=15) as party:
        one, other = await party.until_a_pair_shows()
        await party.pressed(0, f"hand {one}")
        here.box.clock.advance(0.2)
        await party.pressed(1, f"hand {one}")
        await party.pressed(0, f"hand {other}")
        assert f"Ben's hand on {one} came 2" in party.board.text
        assert "ms later." in party.board.text


# The board


async def test_a_click_that_changes_faces_is_answered_by_the_board_and_others_in_silence(here: House) -> None:
    async with dealt(here, seats=2, tie_ms=0) as party:
        one, other = await party.until_a_pair_shows()
        assert (await party.pressed(1, f"hand {one}")).interaction.answer == 6
        assert (await party.pressed(0, f"hand {one}")).interaction.answer == 6
        won = await party.pressed(0, f"hand {other}")
        assert won.interaction.answer == 7
        assert "**Alice takes two" in shown(won).text
        late = await party.forged(1, f"hand {other}")
        assert (late.interaction.answer, late.followups) == (6, [])


async def test_more_faces_than_the_board_holds_go_on_in_a_second_message(here: House) -> None:
    async with dealt(here, seats=2, mode="classic") as party:
        while len(party.state.showing) < 25:
            (seat,) = party.table.sitting.awaited()
            await party.pressed(seat, "flip")
        await party.box.until(lambda: party.message("more"))
        await party.rest()
        more = party.message("more")
        assert more is not None
        labels = [button["label"] for message in (party.board, more) for button in message.buttons]
        assert {str(number) for number in party.state.showing} <= {*labels}
        number = next(button["label"] for button in more.buttons if button["label"].isdigit())
        await party.pressed(0, f"hand {number}")
        assert party.state.hands[0][0].face == int(number)
        await party.rest()
        assert f"hand on {number}" in alt(more)
        for n in range(3):
            await party.people[0].say(party.place, f"Hello {n}")
        await party.people[0].slash(party.place, "table show")
        await party.rest()
        await party.box.until(
            lambda: (again := party.message("more")) and again.id > party.board.id > more.id
        )


def alt(message: Message) -> str:
    return " ".join(str(each.get("description")) for each in message.files)


async def test_a_board_that_was_deleted_in_mid_game_comes_back(here: House) -> None:
    async with dealt(here, seats=2) as party:
        delete(party.board)
        (seat,) = party.table.sitting.awaited()
        answered(await party.people[seat].slash(party.place, "move", action="flip"))
        await party.rest()
        assert any(f"hand {party.state.last}" in each for each in party.board.custom_ids)


# What people try


async def test_hands_that_make_no_sense_cost_nothing(here: House) -> None:
    async with dealt(here, seats=2, hand_seconds=15) as party:
        await party.until_a_pair_shows()
        face, watcher = next(iter(party.state.showing)), here.people[4]
        await party.pressed(0, f"hand {face}")
        n = party.table.sitting.n
        assert "lies on face" in (await party.forged(0, f"hand {face}")).text
        assert "There has been no face 9999" in (await party.forged(0, "hand 9999")).text
        assert "Twin It!" in (await party.forged(0, "hand -1")).text
        assert "Twin It!" in (await party.forged(0, "rubbish")).text
        assert "In this mode" in (await party.forged(0, f"turn {face}")).text
        assert "not your turn to flip" in (await party.forged(1 - party.state.turn, "flip")).text
        answer = await watcher.press(party.board, f"press:1:hand {face}")
        assert "You are watching" in answer.text
        assert party.table.sitting.n == n


async def test_a_third_hand_rests_with_the_other_two_after_a_mistake(here: House) -> None:
    async with dealt(here, seats=2) as party:
        one, other, third = [*party.state.showing, 0][:3]
        await party.pressed(0, f"hand {one}")
        assert "Alice errs" in shown(await party.pressed(0, f"hand {other}")).text
        assert (
            "hands rest after a mistake" in (await party.forged(0, f"hand {third or party.state.last}")).text
        )


async def test_the_double_hand_of_one_member_is_a_teams_mistake(here: House) -> None:
    async with dealt(here, seats=4, mode="teams") as party:
        while not party.pairs():
            await party.pressed(GAME.awaited(party.state)[0], "flip")
        one, other = party.pairs()[0]
        await party.pressed(0, f"hand {one.number}")
        await party.pressed(0, f"hand {other.number}")
        await party.rest()
        assert "Alice errs" in party.board.text


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
        n = party.table.sitting.n
        await type_claim(party.people[0], page, line)
        assert "Type the numbers of two or three faces, such as 12 87." in page.text
        assert party.table.sitting.n == n


async def test_a_claim_of_faces_of_which_one_has_gone_lays_no_hand(here: House) -> None:
    async with dealt(here, seats=1, mode="cooperative") as party:
        (page,) = await party.open_spread()
        await type_claim(party.people[0], page, "1 9999")
        assert "There has been no face 9999 yet." in page.text
        await type_claim(party.people[0], page, "7 7")
        assert "lies on face 7 already" in page.text
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
        await bot.box.until(lambda: race.look() and race.sitting.state.ends, 15)
        answered(await people[0].slash(race.thread, "move", action="turn 1"))
        await bot.kill()
        bot.box.clock.advance(30)
        await bot.start()
        await bot.box.until(lambda: race.look() and not race.sitting.state.ends, 10)
        await race.sound()
        assert "this race does not count" in race.told()[-1]
        for person in people:
            answered(await person.click(race.board, "I am ready"))
        race.look()
        assert all(race.sitting.state.ready)


async def test_a_jump_of_discords_clock_ends_a_race_and_harms_nothing(here: House) -> None:
    async with dealt(here, seats=2, mode="timed") as party:
        pages = await party.open_spread()
        here.box.clock.advance(100_000)
        answer = await party.people[0].click(pages[0], pages[0].buttons[0]["custom_id"])
        answered(answer)
        assert "The match is over" in shown(answer).text
        await party.box.until(lambda: not party.table.is_open)
        assert "seconds are over" in shown(await party.people[0].click(pages[0], "▶")).text


# What Discord allows


async def test_with_discords_rate_limits_in_force_no_edit_of_a_picture_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.card.PACE", 1.0)
    async with house(tmp_path / "house.sqlite3", rate_limits=True, seed=lambda: "e2e") as here:
        async with dealt(here, seats=4, hand_seconds=1) as party:
            for _ in range(22):
                (seat,) = party.table.sitting.awaited()
                await party.pressed(seat, "flip")
                number = next(iter(party.state.showing))
                await asyncio.gather(*(party.forged(other, f"hand {number}") for other in range(4)))
            await party.rest()
            assert len(party.state.showing) > 20
        assert {each.status for each in here.box.requests} <= {200, 201, 204}
