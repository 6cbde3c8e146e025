"""Twin It! by six people on the sandbox: all five ways to play, each to its end, and who was first."""

import asyncio
import re
import sys
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from games import GAMES
from games.twin_it.actions import FIRST
from games.twin_it.advice import MIND
from games.twin_it.state import Face
from sandbox import Answer, Message, Person
from tests.e2e.house import House, house
from tests.e2e.match import answered
from tests.e2e.party import Party, dealt, type_claim, type_hands
from tests.e2e.players import hand_of, shown

pytestmark = pytest.mark.usefixtures("quick", "in_order")

GAME = GAMES["twin-it"]


# Whole matches


@pytest.mark.parametrize("mode", ["classic", "forbidden", "teams"])
async def test_six_people_play_by_the_buttons_below_the_faces_to_the_end(here: House, mode: str) -> None:
    async with dealt(here, mode=mode, sets_to_win=1) as party:
        rng = Random(mode)
        while party.table.is_open:
            await party.pressed(*some_click(party, rng))
        await party.rest()
        outcome = party.state.outcome
        assert outcome is not None
        assert max(outcome.scores) == 1
        assert outcome.reason in party.place.messages()[-1].text
        assert not [
            name
            for each in party.place.messages()
            for name in each.custom_ids
            if name.startswith("twin-it.press:")
        ]
        assert "🏆" in here.room.messages()[-1].text


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
        told = "\n".join(each.text for each in party.place.messages())
        assert outcome.reason in told
        if mode == "cooperative":
            assert "Verdict: better luck next time" in told
        last = shown(await party.people[0].click(pages[0], "▶"))
        assert outcome.reason in last.text
        assert not last.buttons


async def test_a_pair_seen_on_one_page_takes_two_clicks_and_the_page_one_from_the_board(here: House) -> None:
    async with dealt(here, seats=1, mode="cooperative") as party:
        await party.press(0, "ready")
        await party.happen()
        await party.rest()
        page = shown(await party.people[0].click(party.board, "Open the spread"))
        one, other = await turned_until_a_pair(party, page)
        for number in (one, other):
            answered(await party.people[0].click(page, str(number)))
        assert "Alice has 1 point." in page.text


async def turned_until_a_pair(party: Party, page: Message) -> tuple[int, int]:
    """Turn cards of the first page over until two of its faces match; their numbers."""
    answered(await party.people[0].click(page, "Turn over"))
    for place in range(20):
        shows = [party.state.face(party.state.showing[int(b["label"])]) for b in page.buttons[:20]]
        for one, other in combinations(shows, 2):
            if one.design == other.design:
                answered(await party.people[0].click(page, "Lay hands"))
                return one.number, other.number
        answered(await party.people[0].click(page, page.buttons[place]["label"]))
    raise AssertionError("No two faces of twenty cards match.")


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
    async with dealt(here, seats=2, sets_to_win=6, tie_ms=0) as party:
        rng, contests = Random(1), 0
        here.box.under_way = lambda: rng.randrange(61) / 1000
        while party.table.is_open and contests < 4:
            monkeypatch.setattr("bot.match.click_order.HOLD", 0.0)
            one, other = await party.until_a_pair_shows()
            for seat in (0, 1):
                await party.pressed(seat, f"hand {one}")
            here.box.clock.advance(0.005)
            monkeypatch.setattr("bot.match.click_order.HOLD", 0.3)
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
    async with dealt(here, seats=2, tie_ms=0) as party:
        one, other = await party.until_a_pair_shows()
        await party.pressed(0, f"hand {one}")
        here.box.clock.advance(0.2)
        await party.pressed(1, f"hand {one}")
        await party.pressed(0, f"hand {other}")
        await party.rest()
        assert f"Ben's hand on {one} came 2" in party.board.text
        assert "ms later." in party.board.text


async def test_a_click_that_comes_late_for_a_set_is_silent_and_the_board_says_by_how_much(
    here: House,
) -> None:
    async with dealt(here, seats=3, tie_ms=0) as party:
        one, other = await party.until_a_pair_shows()
        for seat in (0, 1):
            await party.pressed(seat, f"hand {one}")
        won = await party.pressed(0, f"hand {other}")
        here.box.clock.advance(0.2)
        late = [await party.forged(seat, f"hand {other}") for seat in (0, 1, 2, 1)]
        assert {answer.interaction.answer for answer in late} == {6}
        await party.rest()
        ben, cleo = (received(answer) - received(won) for answer in late[1:3])
        told = f" Ben was {ben} ms late. Cleo was {cleo} ms late."
        assert told in party.board.text
        assert party.board.text.count(" late.") == 2
        await party.pressed(GAME.awaited(party.state)[0], "flip")
        await party.rest()
        assert told in party.board.text


def wait_for_the_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may stop for longer than the house waits for who is late. The bot imports its cogs anew."""
    monkeypatch.setattr(sys.modules["cogs.twin_it.near_miss"], "WITHIN", 60_000)


def received(answer: Answer) -> int:
    """When Discord received a click, in ms."""
    return answer.interaction.id >> 22


async def test_a_click_on_a_face_that_went_long_ago_or_by_no_set_is_told_to_nobody(here: House) -> None:
    async with dealt(here, seats=2, tie_ms=0) as party:
        covered = party.state.face(party.state.piles[party.state.turn][-1]).number
        await party.pressed(party.state.turn, "flip")
        assert (await party.forged(1, f"hand {covered}")).interaction.answer == 6
        one, other = await party.until_a_pair_shows()
        for face in (one, other):
            await party.pressed(0, f"hand {face}")
        here.box.clock.advance(1.1)
        assert (await party.forged(1, f"hand {other}")).interaction.answer == 6
        await party.rest()
        assert " late." not in party.board.text


async def test_a_claim_that_comes_late_in_a_race_is_told_to_who_made_it_and_on_the_board(
    here: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with dealt(here, seats=2, mode="timed") as party:
        wait_for_the_late(monkeypatch)
        pages = await party.open_spread()
        one, other = party.pairs()[0]
        for person, page in zip(party.people, pages, strict=True):
            await type_claim(person, page, f"{one.number} {other.number}")
        await party.rest()
        assert "costs you nothing" in pages[1].text
        for text in (pages[1].text, party.board.text):
            assert re.search(r"Ben was \d+ ms late\.", text)


# The board


async def test_a_click_that_changes_faces_is_answered_by_the_board_and_others_in_silence(here: House) -> None:
    async with dealt(here, seats=2, tie_ms=0) as party:
        one, other = await party.until_a_pair_shows()
        assert (await party.pressed(1, f"hand {one}")).interaction.answer == 6
        assert (await party.pressed(0, f"hand {one}")).interaction.answer == 6
        won = await party.pressed(0, f"hand {other}")
        assert won.interaction.answer == 7
        assert "Alice takes the pair" in shown(won).text
        late = await party.forged(1, f"hand {other}")
        assert (late.interaction.answer, late.followups) == (6, [])


async def test_faces_without_a_button_are_in_the_one_picture_and_claimed_by_typing(here: House) -> None:
    async with dealt(here, seats=2, mode="classic") as party:
        while len(party.state.showing) < 25:
            (seat,) = party.table.state.awaited()
            await party.pressed(seat, "flip")
        await party.rest()
        labels = {button["label"] for button in party.board.buttons}
        number = next(number for number in party.state.showing if str(number) not in labels)
        assert f"{number}: " in alt(party.board)
        answered(await type_hands(party.people[0], party.board, str(number)))
        assert party.state.hands[0][0].face == number
        await party.rest()
        assert f"hand on {number}" in alt(party.board)
        answer = await type_hands(party.people[1], party.board, "rubbish")
        assert answer.text == "Type the number of a face, or of two faces alike, such as 12 87."


async def test_two_faces_alike_are_taken_by_one_line(here: House) -> None:
    async with dealt(here, seats=2, mode="classic") as party:
        while len(party.state.showing) < 21 or not party.pairs():
            await party.pressed(party.state.turn, "flip")
        await party.rest()
        one, other = party.pairs()[0]
        answered(await type_hands(party.people[0], party.board, f"{one.number} {other.number}"))
        assert len(party.state.sets[0]) == 1


async def test_a_match_of_turns_can_be_played_from_ones_hand(here: House) -> None:
    async with dealt(here, seats=2, mode="classic") as party:
        seat = party.state.turn
        hand = await hand_of(party.people[seat], party.place)
        answered(await party.people[seat].click(hand, "Flip"))
        number = next(iter(party.state.showing))
        answered(await party.people[seat].click(hand, str(number)))
        assert f"Your hand is on {number}." in hand.text
        answered(await party.people[seat].click(hand, "Lift the hand"))
        assert party.state.hands[seat] == ()


def alt(message: Message) -> str:
    return " ".join(str(each.get("description")) for each in message.files)


# What Discord allows


async def test_with_discords_rate_limits_in_force_no_edit_of_a_picture_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.messages.live_message.PACE", 1.0)
    async with house(tmp_path / "house.sqlite3", rate_limits=True, seed=lambda: "e2e") as here:
        async with dealt(here, seats=4, hand_seconds=1) as party:
            for _ in range(22):
                (seat,) = party.table.state.awaited()
                await party.pressed(seat, "flip")
                number = next(iter(party.state.showing))
                await asyncio.gather(*(party.forged(other, f"hand {number}") for other in range(4)))
            await party.rest()
            assert len(party.state.showing) > 20
        assert {each.status for each in here.box.requests} <= {200, 201, 204}
