"""Discord's response to the bot is lost, whether or not the request was carried out: a new table has one working
card, and the loss is not logged as an error of the bot."""

import asyncio
import logging

import pytest

from bot.error_codes import NETWORK_FAILED
from bot.messages.answers import LOST, Interaction, defer
from bot.messages.router import Click, Kind, Registered
from sandbox import Answer, Channel, Message
from sandbox.faults import Fault
from sandbox.interactions import TOKEN_LIFE
from tests.e2e.card_room import PATIENCE, CardRoom
from tests.e2e.match import check_answer
from tests.e2e.test_rematch import ask, finished_match, lobby_card
from tests.held import held

CALLBACK = "^/interactions/.*/callback$"
ORIGINAL = "^/webhooks/.*/@original$"

FAILURES = [(status, after) for status in (500, 503, 0) for after in (True, False)]
"""HTTP statuses (0: the connection is cut), each with whether Discord carried out the request nevertheless."""
IDS = [f"{status or 'cut'} {'done' if after else 'not done'}" for status, after in FAILURES]

lost = pytest.mark.parametrize(("status", "after"), FAILURES, ids=IDS)
some_lost = pytest.mark.parametrize(("status", "after"), FAILURES[::4] + FAILURES[5:], ids=IDS[::4] + IDS[5:])


def cards(place: Channel) -> list[Message]:
    """Return the cards there of tables that can be joined."""
    return [each for each in place.messages() if any(id_.startswith("join:") for id_ in each.custom_ids)]


async def open_table_as_alice(here: CardRoom) -> Message:
    """Open a table as Alice and return its only card once the bot knows it."""
    asked = asyncio.create_task(here.people[0].slash(here.room, "palmer start"))
    await wait_until_the_card_is_recorded(here)
    here.box.clock.advance(PATIENCE)  # an answer that has not come by now never will
    await asked
    (card,) = cards(here.room)
    return card


async def wait_until_the_card_is_recorded(here: CardRoom) -> None:
    """Wait until the bot has recorded the card of table 1."""
    tables = here.bot.tables._loaded
    await here.box.until(lambda: 1 in tables and tables[1].match.card)
    await here.rest()


async def check_that_ben_can_join(here: CardRoom, card: Message) -> None:
    """Join as Ben with that card, and check that the card shows it."""
    check_answer(await here.people[1].click(card, "Join"))
    await here.rest()
    assert "2. Ben" in card.text


# `start`


@lost
async def test_a_new_table_whose_response_is_lost_has_one_card_and_is_open(
    here: CardRoom, status: int, after: bool
) -> None:
    here.box.fail("POST", CALLBACK, status, after=after)
    await check_that_ben_can_join(here, await open_table_as_alice(here))


async def test_a_table_that_cannot_be_looked_up_is_posted_again_and_both_cards_work(here: CardRoom) -> None:
    here.box.fail("POST", CALLBACK, 0, after=True)
    here.box.fail("GET", ORIGINAL, 0, times=9)
    here.box.fail("GET", f"^/channels/{here.room.id}/messages$", 403)
    await here.people[0].slash(here.room, "palmer start")
    await wait_until_the_card_is_recorded(here)
    old, new = cards(here.room)
    check_answer(await here.people[1].click(old, "Join"))
    await here.rest()
    assert "2. Ben" in new.text


@pytest.mark.parametrize("after", [True, False], ids=["done", "not done"])
async def test_a_table_that_is_asked_for_before_its_first_card_is_answered_has_one_card(
    here: CardRoom, after: bool
) -> None:
    here.box.faults.add(slow := Fault("POST", CALLBACK, None, after=after, delay=2.0))
    asked = asyncio.create_task(here.people[0].slash(here.room, "palmer start"))
    await here.box.until(lambda: not slow.times)
    await here.bot.publisher.show_again(await here.bot.tables.get(1))
    await asked
    await here.box.until(lambda: len(cards(here.room)) == 1)
    await check_that_ben_can_join(here, *cards(here.room))


async def test_a_table_whose_other_card_is_being_noted_as_its_first_is_answered_has_one_card(
    here: CardRoom,
) -> None:
    here.box.faults.add(slow := Fault("POST", CALLBACK, None, after=True, delay=1.0))
    asked = asyncio.create_task(here.people[0].slash(here.room, "palmer start"))
    await here.box.until(lambda: not slow.times)
    async with held(
        here.bot.store, "update_match", here.bot.publisher.show_again(await here.bot.tables.get(1))
    ):
        await asked
        await asyncio.sleep(1)
    await here.rest()
    await check_that_ben_can_join(here, *cards(here.room))
    assert len(cards(here.room)) == 1


async def test_a_start_command_delivered_twice_opens_one_table(
    here: CardRoom, caplog: pytest.LogCaptureFixture
) -> None:
    alice = here.people[0]
    await alice.command(here.room, "palmer start", {}, times=2)
    await here.box.until(lambda: len(here.bot.tables.seated(alice.id)) == 1)
    await check_that_ben_can_join(here, *cards(here.room))
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


# `Rematch`


@some_lost
async def test_a_rematch_asked_for_in_the_thread_has_one_card_when_responses_are_lost(
    here: CardRoom, status: int, after: bool
) -> None:
    await finished_match(here, 2)
    here.box.fail("POST", CALLBACK, status, after=after)
    here.box.fail("POST", f"^/channels/{here.room.id}/messages$", status, after=after)
    assert "Rematch!" in (await ask(here, here.people[0])).text
    other = await lobby_card(here)
    check_answer(await here.people[1].click(other, "Join"))
    check_answer(await here.people[0].click(other, "Start"))
    await here.rest()
    assert len(here.room.threads) == 2


# `/practice`


async def practise_as_alice(here: CardRoom) -> Answer:
    """Ask for a practice table as Alice, and check that the bot says it is ready."""
    answer = await here.people[0].slash(here.room, "practice", game="Palmer")
    await here.box.until(lambda: "Your practice table is ready" in answer.text)
    await here.rest()
    return answer


@some_lost
async def test_a_practice_table_is_ready_when_responses_are_lost(
    here: CardRoom, status: int, after: bool
) -> None:
    alice = here.people[0]
    here.box.fail("POST", CALLBACK, status, after=after)
    here.box.fail("POST", "^/channels/.*/messages$", status, after=after)
    await practise_as_alice(here)
    assert sum("You play against" in each.text for each in alice.sees(alice.dms)) == 1
    assert len(here.bot.tables.seated(alice.id)) == 1


async def test_a_practice_table_in_a_thread_is_ready_when_responses_are_lost(here: CardRoom) -> None:
    alice = here.people[0]
    alice.close_dms()
    here.box.fail("POST", r"^/channels/.*/messages$", 0, after=True, times=1)
    await practise_as_alice(here)
    (thread,) = here.room.threads
    assert sum("You play against" in each.text for each in alice.sees(thread)) == 1


# Any answer


def faults(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [each for each in caplog.records if each.levelno >= logging.ERROR]


@pytest.mark.parametrize("status", [500, 0], ids=["500", "cut"])
async def test_a_hand_whose_response_is_lost_is_not_logged_as_an_error(
    here: CardRoom, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    await open_table_as_alice(here)
    here.box.fail("POST", CALLBACK, status, after=True)
    check_answer(await here.people[0].slash(here.room, "hand"))
    await here.box.until(lambda: caplog.records)
    assert faults(caplog) == []


async def test_an_outage_of_discord_is_not_told_as_a_missing_permission(here: CardRoom) -> None:
    await open_table_as_alice(here)
    here.box.faults.add(Fault("POST", CALLBACK, 403, code=NETWORK_FAILED))
    assert (await here.people[0].slash(here.room, "hand")).text == LOST


async def test_a_warning_is_logged_if_even_the_apology_cannot_be_sent(
    here: CardRoom, caplog: pytest.LogCaptureFixture
) -> None:
    await open_table_as_alice(here)
    here.box.fail("POST", CALLBACK, 0, times=2)
    asked = asyncio.create_task(here.people[0].slash(here.room, "hand"))
    await here.box.until(lambda: "could not be shown" in caplog.text)
    here.box.clock.advance(PATIENCE)
    assert (await asked).failed
    assert faults(caplog) == []


@pytest.mark.parametrize("broken", [[None, 0], [0, None, 0]], ids=["second", "first-twice"])
async def test_of_two_deferrals_at_once_one_counts_though_the_connection_of_the_other_breaks(
    here: CardRoom, broken: list[int | None], caplog: pytest.LogCaptureFixture
) -> None:
    async def defer_twice(interaction: Interaction, _: Click) -> None:
        await asyncio.gather(defer(interaction), defer(interaction))

    here.bot.router.verbs["rules"] = Registered(defer_twice, Kind.BUTTON, None, at_once=True)
    card = await open_table_as_alice(here)
    for status in broken:
        here.box.faults.add(Fault("POST", CALLBACK, status))
    check_answer(await here.people[0].click(card, "Rules"))
    await here.rest()
    assert faults(caplog) == []
    assert "an answer was lost" not in caplog.text


# Expired tokens


async def test_a_follow_up_after_the_token_has_expired_is_not_logged_as_an_error(
    here: CardRoom, caplog: pytest.LogCaptureFixture
) -> None:
    here.bot.publisher.live.on_screen = 0  # else the table would not be posted again
    await open_table_as_alice(here)
    here.box.fail("POST", r"^/channels/\d+/messages$", None, delay=TOKEN_LIFE + 1)
    answer = await here.people[0].slash(here.room, "table show")
    await here.box.until(lambda: not here.box.faults._waiting[0].times)
    here.box.clock.advance(TOKEN_LIFE + 1)
    await here.box.until(lambda: any("can no longer be answered" in each for each in caplog.messages))
    assert answer.message is not None
    assert answer.message.loading
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []
