"""Discord fails, limits requests, is slow or disconnects: a stored move counts, and its announcement is posted once."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from sandbox import Answer, Sandbox
from tests.e2e.card_room import PATIENCE
from tests.e2e.match import Match, check_answer, one_game_is_enough
from tests.e2e.players import press_more

FAILURES = [(503, False), (503, True), (0, False), (0, True), (429, False), (403, False)]
"""HTTP statuses (0: the connection is cut), each with whether Discord carried out the request nevertheless."""
# discord.py retries 500, 502 and 504 itself, after a second each; 503 is left to the bot.
failures = pytest.mark.parametrize(("status", "after"), FAILURES)

Trouble = Callable[[Sandbox], Awaitable[None]]


# Failing requests


@one_game_is_enough
@failures
async def test_a_post_or_edit_that_fails_at_first_is_made_exactly_once(
    match: Match, status: int, after: bool
) -> None:
    await match.gather()
    for method, path in (("POST", "/threads$"), ("POST", "^/channels/.*/messages$"), ("PATCH", "/messages/")):
        match.box.fail(method, path, status, after=after)
    await match.people[0].click(match.card, "Start")
    await match.check()
    for method, path in (("POST", "^/channels/.*/messages$"), ("PATCH", "/messages/")):
        match.box.fail(method, path, status, after=after)
    await match.check_that_play_continues()


async def test_after_some_failures_everything_is_posted_in_order(match: Match) -> None:
    await match.deal()
    match.box.fail("POST", "^/channels/.*/messages$", 503, times=3)
    match.box.fail("PATCH", "/messages/", 503, times=3)
    await match.check_that_play_continues()


@one_game_is_enough
@pytest.mark.parametrize(
    ("status", "after"), [(404, False), (429, False), (0, False), (0, True), (500, True)]
)
async def test_a_move_whose_response_is_lost_counts_and_the_next_answer_agrees(
    match: Match, status: int, after: bool
) -> None:
    await match.deal()
    n = await match.entries()
    match.box.fail("POST", "^/interactions/.*/callback$", status, after=after)
    answer = await match.step()
    assert await match.entries() == n + 1
    assert "✅" in answer.told or "Your move may have counted" in answer.text
    await match.check_that_play_continues()


# Late answers


async def answered_too_late(match: Match, doing: Coroutine[Any, Any, Answer]) -> None:
    """Do something, and let the bot's answer arrive when Discord no longer waits for it."""
    act = asyncio.create_task(doing)
    await asyncio.sleep(0.01)  # it is sent
    match.box.clock.advance(PATIENCE)
    assert (await act).failed == "The application did not respond"


async def test_a_move_that_is_answered_too_late_counts_once(match: Match) -> None:
    await match.deal()
    n, table = await match.entries(), await match.table()
    await answered_too_late(match, match.step())
    await match.box.until(lambda: table.state.n > n)
    assert await match.entries() == n + 1
    await match.check_that_play_continues()


@one_game_is_enough
async def test_a_lobby_shows_what_happened_even_if_the_answers_come_too_late(match: Match) -> None:
    await match.gather()
    host, guest = match.people[0], match.watcher
    await answered_too_late(match, guest.press(match.card, "join:1"))
    await match.box.until(lambda: "Walter" in match.card.text)
    await answered_too_late(match, guest.press(match.card, "leave:1"))
    await match.box.until(lambda: "Walter" not in match.card.text)
    await answered_too_late(match, host.click(match.card, "Start"))
    await match.box.until(lambda: match.here.room.threads)
    await match.rest()
    await match.check_that_play_continues()


@one_game_is_enough
async def test_a_hand_that_is_shown_too_late_may_be_asked_for_again(match: Match) -> None:
    await match.deal()
    person, _ = await match.next()
    await answered_too_late(match, person.click(await match.board(), "My hand"))
    hand = await match.hand(person)
    await answered_too_late(match, person.click(hand, "Type a move"))
    modal = (await person.click(hand, "Type a move")).modal
    assert modal is not None
    await match.check_that_play_continues()


@one_game_is_enough
async def test_clicks_delivered_twice_count_once(match: Match) -> None:
    await match.gather()
    host, *others = match.people
    for person in others:
        check_answer(await press_more(person, match.card, "Leave", times=2))
        check_answer(await person.click(match.card, "Join", times=2))
    check_answer(await host.click(match.card, "Start", times=2))
    await match.rest()
    kinds = [entry.kind for entry in await match.here.bot.store.log(1)]
    assert [kinds.count(kind) for kind in ("leave", "start")] == [len(others), 1]
    await match.check_that_play_continues()


# The gateway


async def drop(box: Sandbox) -> None:
    await box.gateway.drop()


async def lose(box: Sandbox) -> None:
    await box.gateway.drop(resumable=False)


async def invalidate(box: Sandbox) -> None:
    await box.gateway.invalidate()


async def interrupt(box: Sandbox) -> None:
    await box.gateway.invalidate(resumable=True)


async def ask_to_reconnect(box: Sandbox) -> None:
    await box.gateway.ask_to_reconnect()


@one_game_is_enough
@pytest.mark.parametrize("trouble", [drop, lose, invalidate, interrupt, ask_to_reconnect])
async def test_a_match_survives_the_loss_of_the_gateway_connection(match: Match, trouble: Trouble) -> None:
    await match.deal()
    assert "✅" in (await match.step()).told
    await match.rest()
    identifies, lost = match.box.gateway.identifies, trouble in (lose, invalidate)
    back = match.here.bot.wait_for("ready" if lost else "resumed", timeout=20)
    await trouble(match.box)
    await back
    assert match.box.gateway.identifies == identifies + lost
    await match.check_that_play_continues()


@one_game_is_enough
@pytest.mark.parametrize("trouble", [drop, ask_to_reconnect])
async def test_a_move_made_while_the_bot_reconnects_is_answered_and_counts_once(
    match: Match, trouble: Trouble
) -> None:
    await match.deal()
    n, back = await match.entries(), match.here.bot.wait_for("resumed", timeout=20)
    await trouble(match.box)
    answer: Answer = await match.step()
    await back
    check_answer(answer)
    assert "✅" in answer.told
    assert await match.entries() == n + 1
    await match.check_that_play_continues()
