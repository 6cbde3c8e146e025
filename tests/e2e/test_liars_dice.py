"""Liar's Dice on the sandbox: public calls that come too late, twice, out of turn, forged, or from watchers."""

import asyncio

import pytest

from sandbox import Answer, Message, Person
from sandbox.interactions import DEFER_UPDATE
from tests.e2e.card_room import CardRoom
from tests.e2e.match import check_answer
from tests.e2e.players import (
    Turns,
    hand_of,
    latest,
    modal_of,
    set_preferences,
    shown,
    start_match,
    text_and_alt,
)
from tests.held import held


class Round(Turns):
    """A table of Alice, Ben and Cleo with calza, in its first round. Nobody has bid."""

    async def bid(self, text: str) -> None:
        assert "✅" in (await self.person(0).slash(self.place, "move", action=text)).text
        await self.here.rest()

    def board(self) -> Message:
        return latest(self.person(0), self.place, "Doubt")

    async def press(self, person: Person, label: str, on: Message | None = None) -> Answer:
        answer = await person.click(on or self.board(), label)
        check_answer(answer)
        return answer

    def dice(self) -> list[int]:
        return list(self.table.state.game_state.dice)

    async def log(self) -> list[str]:
        return [row.body for row in await self.here.bot.store.log(1) if row.kind == "move"]


@pytest.fixture
async def play(here: CardRoom) -> Round:
    people = here.people[:3]
    card = await start_match(here, "liars-dice start", *people, calza=True)
    return Round(here, await here.bot.tables.get(1), here.thread(card))


async def test_the_new_table_begins_with_what_the_doubt_came_to_until_somebody_bids(play: Round) -> None:
    await play.bid("bid 15x6")
    bidder, doubter = play.person(-1), play.person(0)
    await play.press(doubter, "Doubt")
    await play.here.rest()
    told = text_and_alt(latest(bidder, play.place))
    assert f"{doubter.name} doubts {bidder.name}'s fifteen sixes. " in told
    assert f" there: {bidder.name} loses a die and has four. " in told
    await play.bid("bid 1x2")
    told = text_and_alt(play.board())
    assert "Round 2 · 14 dice · ones are wild. " in told
    assert "fifteen sixes" not in told


async def test_a_call_from_the_hand_is_answered_with_what_it_came_to(play: Round) -> None:
    await play.bid("bid 15x6")
    hand = await hand_of(play.person(1), play.place)
    answer = shown(await play.person(1).click(hand, "Calza"))
    assert "✅ Calza: exactly\n🎲 **Not exactly!** Fifteen sixes were bid, " in answer.text
    assert "You lose a die and have four." in answer.text


async def test_a_caller_who_prefers_words_is_told_once_what_it_came_to(play: Round) -> None:
    await play.bid("bid 15x6")
    doubter = play.person(0)
    await set_preferences(doubter, play.place, pictures="text only")
    answer = shown(await doubter.click(await hand_of(doubter, play.place), "Doubt"))
    assert [answer.text.count(each) for each in ("loses a die", "there", "Shown")] == [1, 1, 1]


async def test_moves_are_suggested_by_their_labels(play: Round) -> None:
    await play.bid("bid 1x2")
    offered = await play.person(0).autocomplete(play.place, "move", "action", "")
    assert [each["name"] for each in offered[:3]] == ["Doubt", "Calza: exactly", "Bid a one"]
    assert offered[1]["value"] == "calza"


async def test_a_stale_doubt_doubts_no_other_bid_and_shows_the_hand_as_it_is(play: Round) -> None:
    await play.bid("bid 1x2")
    older = play.board().custom_ids
    doubt = next(name for name in older if name.startswith("liars-dice.press:1:doubt"))
    for text in ("bid 1x3", "bid 1x4", "bid 1x5"):
        await play.bid(text)
    answer = await play.person(0).press(play.board(), doubt)
    check_answer(answer)
    assert answer.ephemeral
    assert (
        f"{play.person(-1).name} has raised to a five since. Only this bid can be called now." in answer.text
    )
    assert await play.log() == ["bid 1x2", "bid 1x3", "bid 1x4", "bid 1x5"]


async def test_of_two_calls_of_calza_at_once_one_counts(play: Round) -> None:
    await play.bid("bid 15x6")
    board, callers = play.board(), [play.person(0), play.person(1)]
    answers = await asyncio.gather(*(play.press(person, "Calza", board) for person in callers))
    assert (await play.log()).count("calza") == 1
    assert sorted(play.dice()) == [4, 5, 5]
    (refused,) = [answer for answer in answers if answer.ephemeral]
    caller = next(each.name for each, answer in zip(callers, answers, strict=True) if not answer.ephemeral)
    assert f"There is nothing to call exact: {caller} called calza first, so round 1 is over" in refused.text


async def test_a_call_that_is_stored_late_counts_and_is_not_called_failed(play: Round) -> None:
    await play.bid("bid 15x6")
    async with held(play.here.bot.store, "append", play.press(play.person(0), "Doubt")) as calling:
        await asyncio.sleep(4)
    assert (await calling).interaction.answer == DEFER_UPDATE
    await play.here.box.until(lambda: "doubts" in text_and_alt(latest(play.person(0), play.place)))
    assert (await play.log())[-1] == "doubt"


async def test_a_forged_call_does_nothing(play: Round) -> None:
    await play.bid("bid 15x6")
    for rest in ("", "doubt", "doubt 1", "doubt 9 9", "fold 1 1", "bid 1x6 1 1", "calza 1 -1"):
        answer = await play.person(0).press(play.board(), f"liars-dice.press:1:{rest}")
        check_answer(answer)
        assert answer.ephemeral
        assert await play.log() == ["bid 15x6"], rest


async def test_the_example_of_a_typed_move_is_one_that_is_possible(play: Round) -> None:
    await play.bid("bid 1x2")
    for step, example in ((0, "bid 1x3"), (1, "calza")):
        person = play.person(step)
        modal = modal_of(await person.click(await hand_of(person, play.place), "Type a move"))
        assert f"for example: {example}" in str(modal.body)
