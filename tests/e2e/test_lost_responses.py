"""Discord has done something, or has not, and its answer to the bot is lost: a new table has one card that works, and
nothing is taken for a fault of the bot."""

import asyncio
import logging

import pytest

from sandbox import Answer, Channel, Message
from sandbox.refusals import COMMAND
from sandbox.slash import invocation
from tests.e2e.house import PATIENCE, House
from tests.e2e.match import answered
from tests.e2e.players import latest
from tests.e2e.test_rematch import dealt, followed_up, over

pytestmark = pytest.mark.usefixtures("at_once", "soon")

CALLBACK = "^/interactions/.*/callback$"
ORIGINAL = "^/webhooks/.*/@original$"

FAILURES = [(status, after) for status in (500, 503, 0) for after in (True, False)]
"""HTTP statuses (0: the connection is cut), and whether Discord had carried the request out all the same."""
IDS = [f"{status or 'cut'} {'done' if after else 'not done'}" for status, after in FAILURES]

lost = pytest.mark.parametrize(("status", "after"), FAILURES, ids=IDS)
some_lost = pytest.mark.parametrize(("status", "after"), FAILURES[::4] + FAILURES[5:], ids=IDS[::4] + IDS[5:])


def cards(place: Channel) -> list[Message]:
    """The cards there of tables that can be joined."""
    return [each for each in place.messages() if any(id_.startswith("join:") for id_ in each.custom_ids)]


async def start(here: House) -> Message:
    """Alice opens a table. Its only card, once the bot knows of it."""
    asked = asyncio.create_task(here.people[0].slash(here.room, "palmer start"))
    await noted(here)
    here.box.clock.advance(PATIENCE)  # where no answer has come, none will
    await asked
    (card,) = cards(here.room)
    return card


async def noted(here: House) -> None:
    """Wait until the bot knows where the card of table 1 is."""
    tables = here.bot.tables._loaded
    await here.box.until(lambda: 1 in tables and tables[1].match.card)
    await here.bot.publisher.rest()


async def joined(here: House, card: Message) -> None:
    """Ben joins by that card, and it says so."""
    answered(await here.people[1].click(card, "Join"))
    await here.bot.publisher.rest()
    assert "2. Ben" in card.text


# `start`


@lost
async def test_a_table_whose_receipt_is_lost_is_open_with_one_card(
    here: House, status: int, after: bool
) -> None:
    here.box.fail("POST", CALLBACK, status, after=after)
    await joined(here, await start(here))


@pytest.mark.parametrize("after", [True, False], ids=["done", "not done"])
async def test_a_table_of_which_discord_does_not_say_whether_it_stands_has_one_card(
    here: House, after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.common.opening.LOOKS", (0.0, 0.0))
    here.box.fail("POST", CALLBACK, 0, after=after)
    here.box.fail("GET", ORIGINAL, 0, times=9)
    await joined(here, await start(here))


async def test_a_table_that_nobody_can_look_for_is_posted_anew_and_both_its_cards_work(
    here: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.common.opening.LOOKS", (0.0,))
    here.box.fail("POST", CALLBACK, 0, after=True)
    here.box.fail("GET", ORIGINAL, 0, times=9)
    here.box.fail("GET", f"^/channels/{here.room.id}/messages$", 403)
    await here.people[0].slash(here.room, "palmer start")
    await noted(here)
    old, new = cards(here.room)
    answered(await here.people[1].click(old, "Join"))
    await here.bot.publisher.rest()
    assert "2. Ben" in new.text


async def test_a_start_that_is_delivered_twice_opens_one_table(
    here: House, caplog: pytest.LogCaptureFixture
) -> None:
    alice = here.people[0]
    data = invocation(alice, here.room, "palmer start", {})
    await alice.interact(COMMAND, here.room, data, times=2)
    await here.box.until(lambda: len(here.bot.tables.seated(alice.id)) == 1)
    await joined(here, *cards(here.room))
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


async def test_a_table_that_discord_refuses_is_closed(here: House) -> None:
    alice = here.people[0]
    here.box.fail("POST", CALLBACK, 403)
    assert "Discord does not let me" in (await alice.slash(here.room, "palmer start")).text
    await here.bot.publisher.rest()
    assert here.bot.tables.seated(alice.id) == []
    assert cards(here.room) == []


# `Rematch`


@some_lost
async def test_a_rematch_whose_receipt_is_lost_is_on(here: House, status: int, after: bool) -> None:
    await over(here, 2)
    card = here.room.messages()[0]
    here.box.fail("POST", CALLBACK, status, after=after)
    answered(await here.people[0].click(card, "Rematch"))
    await dealt(here)
    assert len(here.room.threads) == 2


@some_lost
async def test_a_rematch_asked_for_in_the_thread_whose_receipts_are_lost_is_on(
    here: House, status: int, after: bool
) -> None:
    await over(here, 2)
    (thread,) = here.room.threads
    here.box.fail("POST", CALLBACK, status, after=after)
    here.box.fail("POST", f"^/channels/{here.room.id}/messages$", status, after=after)
    answer = await here.people[0].click(latest(here.people[0], thread, "Rematch"), "Rematch")
    await dealt(here)
    assert "Rematch!" in (await followed_up(here, answer)).text
    assert len(here.room.threads) == 2


# `/practice`


async def practise(here: House) -> Answer:
    """Alice asks for a practice table, and is told that it is ready."""
    told = await here.people[0].slash(here.room, "practice", game="Palmer")
    await here.box.until(lambda: "Your practice table is ready" in told.text)
    await here.bot.publisher.rest()
    return told


@some_lost
async def test_practice_whose_receipts_are_lost_is_ready(here: House, status: int, after: bool) -> None:
    alice = here.people[0]
    here.box.fail("POST", CALLBACK, status, after=after)
    here.box.fail("POST", "^/channels/.*/messages$", status, after=after)
    await practise(here)
    assert sum("You play against" in each.text for each in alice.sees(alice.dms)) == 1
    assert len(here.bot.tables.seated(alice.id)) == 1


async def test_practice_in_a_thread_whose_receipts_are_lost_is_ready(here: House) -> None:
    alice = here.people[0]
    alice.close_dms()
    here.box.fail("POST", r"^/channels/.*/messages$", 0, after=True, times=1)
    await practise(here)
    (thread,) = here.room.threads
    assert sum("You play against" in each.text for each in alice.sees(thread)) == 1


# Any answer


def faults(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """What was logged as a fault."""
    return [each for each in caplog.records if each.levelno >= logging.ERROR]


@pytest.mark.parametrize("status", [500, 0], ids=["500", "cut"])
async def test_a_hand_whose_receipt_is_lost_is_no_fault_of_the_bot(
    here: House, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    await start(here)
    here.box.fail("POST", CALLBACK, status, after=True)
    answered(await here.people[0].slash(here.room, "hand"))
    await here.box.until(lambda: caplog.records)
    assert faults(caplog) == []


async def test_a_click_that_is_delivered_twice_is_no_fault_of_the_bot(
    here: House, caplog: pytest.LogCaptureFixture
) -> None:
    card = await start(here)
    answered(await here.people[0].click(card, "Rules", times=2))
    await here.box.until(lambda: caplog.records)
    assert faults(caplog) == []


async def test_who_cannot_even_be_told_that_discord_is_out_of_reach_leaves_a_warning(
    here: House, caplog: pytest.LogCaptureFixture
) -> None:
    await start(here)
    here.box.fail("POST", CALLBACK, 0, times=2)
    asked = asyncio.create_task(here.people[0].slash(here.room, "hand"))
    await here.box.until(lambda: "could not be told" in caplog.text)
    here.box.clock.advance(PATIENCE)
    assert (await asked).failed
    assert faults(caplog) == []
