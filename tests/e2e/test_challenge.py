"""`Challenge`: a table with a seat kept for somebody, and one message that calls them."""

import asyncio
from pathlib import Path

import pytest

from bot.store import Hours
from cogs.challenge import NOT_YOURS, UNKNOWN, YOUR_OWN
from sandbox import Answer, Channel, Message, Permission, Person, Sandbox, TextChannel
from sandbox.components import BUTTON
from sandbox.faults import Fault
from tests.e2e.card_room import CardRoom, connected_bot, forget_nonces, without_a_bot
from tests.e2e.match import refusal_of
from tests.e2e.players import labels, modal_of, press_more, secret_channel, set_preferences, shown
from tests.e2e.test_forged import forged, submitted
from tests.e2e.test_rematch import finished_match
from tests.e2e.test_user_install import away as away
from tests.held import failing


async def challenge(person: Person, place: Channel, other: Person, **chosen: str) -> Answer:
    """Challenge somebody by a long press. Return the answer to the form, or the refusal of one."""
    asked = await person.choose(place, "Challenge", other)
    if asked.modal is None:
        return asked
    wanted = {"Game": "palmer", "Pace": "relaxed"} | chosen
    return await person.submit(modal_of(asked), {name: [each] for name, each in wanted.items()})


async def slowly_shown(
    box: Sandbox, person: Person, place: Channel, other: Person, *, after: bool = False
) -> Answer:
    """Challenge somebody. The table is open, and Discord takes two seconds more to show its card or, `after` showing
    it, to say so."""
    modal = modal_of(await person.choose(place, "Challenge", other))
    box.faults.add(Fault("POST", r"^/interactions/", None, delay=2, after=after))
    answer = await person.submit(modal, {"Game": ["palmer"], "Pace": ["relaxed"]}, wait=False)
    await asyncio.sleep(0.5)
    return answer


def calls(room: TextChannel) -> list[Message]:
    return [each for each in room.messages() if each.text.startswith("⚔️ ")]


async def called(here: CardRoom, person: Person, other: Person, **chosen: str) -> tuple[Message, Message]:
    """Challenge somebody, and return the card and the call below it."""
    card = shown(await challenge(person, here.room, other, **chosen))
    await here.box.until(lambda: bool(calls(here.room)), timeout=30)
    (call,) = calls(here.room)
    return card, call


def accepted(room: TextChannel) -> list[Message]:
    return [each for each in room.messages() if "accepts the challenge" in each.text]


async def test_a_seat_is_kept_for_the_person_who_is_challenged(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card, call = await called(here, alice, ben)
    assert "1. Alice (host)" in card.text
    assert ":R>: Ben presses `Join`." in card.text.partition("⏳ Kept for Ben, open to all <t:")[2]
    assert call.text == (
        f"⚔️ <@{ben.id}>: **Alice** challenges you to **Palmer** · table 1 · 1 hour a move\n"
        "-# Want no challenges? `/preferences` switches them off."
    )
    assert call.pings == {ben.id}
    await ben.click(call, "Join")
    await here.box.until(lambda: not calls(here.room), timeout=30)
    assert "2. Ben" in card.text


async def test_a_challenge_leaves_the_options_to_the_card_as_its_host_may_change_them(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card, call = await called(here, alice, ben, Game="hand-and-foot")
    panel = shown(await press_more(alice, card, "Options"))
    await alice.select(panel, "option:1:deals", ["1"])
    await here.box.until(lambda: "· 1 deal ·" in card.text)
    said = "challenges you to **Hand and Foot** · table 1 · 1 hour a move"
    assert call.text.splitlines()[0].endswith(said)


@pytest.mark.parametrize("on_card", [False, True])
async def test_the_host_is_told_once_that_a_challenge_is_accepted(here: CardRoom, on_card: bool) -> None:
    alice, ben, cleo, *_ = here.people
    card, call = await called(here, alice, ben)
    await cleo.click(call, "Join")
    assert not accepted(here.room)
    await ben.click(card if on_card else call, "Join")
    await here.box.until(lambda: bool(accepted(here.room)), timeout=30)
    (said,) = accepted(here.room)
    assert said.text == f"✅ <@{alice.id}>: **Ben** accepts the challenge and sits at table 1."
    assert said.pings == {alice.id}
    await here.box.until(lambda: call.deleted, timeout=30)
    await press_more(ben, card, "Leave")
    await ben.click(card, "Join")
    await here.rest()
    assert accepted(here.room) == [said]


async def test_the_host_is_told_though_the_call_is_deleted_while_the_card_is_edited(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card, call = await called(here, alice, ben)
    here.box.faults.add(Fault("POST", r"^/interactions/", None, delay=2))
    await ben.click(card, "Join", wait=False)
    await here.box.until(lambda: call.deleted, timeout=30)
    await here.box.until(lambda: bool(accepted(here.room)), timeout=30)
    assert accepted(here.room)[0].pings == {alice.id}


async def test_who_declines_gives_the_seat_free_and_the_host_is_told(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    card, call = await called(here, alice, ben)
    assert labels(call) == ["Join", "Decline"]
    assert refusal_of(await cleo.click(call, "Decline")) == NOT_YOURS
    assert refusal_of(await alice.click(call, "Decline")) == YOUR_OWN
    said = shown(await ben.click(call, "Decline"))
    assert said.text == (
        f"↩️ <@{alice.id}>: **Ben** declines your challenge. The seat at table 1 is free for anybody."
    )
    assert (said.pings, said.ephemeral) == (frozenset({alice.id}), False)
    await here.box.until(lambda: call.deleted, timeout=30)
    await here.box.until(lambda: "Kept for" not in card.text, timeout=30)
    again = await forged(ben, said, "decline-challenge:1", BUTTON, [])
    assert "You have declined already." in refusal_of(again)
    await ben.click(card, "Join")  # they may think again
    await here.box.until(lambda: "2. Ben" in card.text, timeout=30)
    again = await forged(ben, said, "decline-challenge:1", BUTTON, [])
    assert "You have taken the seat." in refusal_of(again)


async def test_a_challenge_goes_with_whoever_made_it(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    card, call = await called(here, alice, ben)
    await cleo.click(card, "Join")
    await press_more(alice, card, "Leave")
    assert refusal_of(await forged(cleo, call, "decline-challenge:1", BUTTON, [])) == NOT_YOURS
    await here.box.until(lambda: call.deleted, timeout=30)
    await ben.click(card, "Join")
    await here.rest()
    assert "1. Cleo (host)" in card.text
    assert not accepted(here.room), "Cleo has challenged nobody"


async def test_a_challenge_calls_though_the_bot_stops_as_its_card_is_shown(file: Path) -> None:
    async with without_a_bot() as (box, room, alice, ben):
        async with connected_bot(box, file):
            await slowly_shown(box, alice, room, ben, after=True)
        async with connected_bot(box, file):
            await box.until(lambda: bool(calls(room)), timeout=120)


async def test_who_is_challenged_is_called_below_the_card(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await slowly_shown(here.box, alice, here.room, ben)
    here.bot.dispatch("summons", await here.bot.tables.get(1))  # as a look at everything does
    await here.box.until(lambda: bool(calls(here.room)), timeout=120)
    assert "Kept for Ben" in here.room.messages()[0].text


async def test_a_channel_where_discord_is_slow_holds_up_no_other(here: CardRoom) -> None:
    alice, ben, cleo, dana, _ = here.people
    slow = here.guild.channel("slow-room")
    here.box.faults.add(Fault("POST", rf"^/channels/{slow.id}/messages$", None, delay=30))
    await challenge(alice, slow, ben)
    await asyncio.sleep(5)
    assert not calls(slow)
    await challenge(cleo, here.room, dana)
    await here.box.until(lambda: bool(calls(here.room)), timeout=10)
    await here.box.until(lambda: bool(calls(slow)), timeout=60)


async def test_a_challenge_is_on_the_profile_of_somebody_else(here: CardRoom) -> None:
    await finished_match(here)
    alice, ben, *_ = here.people
    assert "Challenge" not in labels(shown(await alice.slash(here.room, "profile")))
    page = shown(await alice.slash(here.room, "profile", member=ben))
    modal = modal_of(await alice.click(page, "Challenge"))
    assert modal.title == "Challenge Ben"
    card = shown(await alice.submit(modal, {"Game": ["charms"], "Pace": ["live"]}))
    assert "⏳ Kept for Ben" in card.text


async def test_somebody_without_a_match_can_be_challenged_on_their_profile(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    refusal_of(await alice.slash(here.room, "profile"))
    for page in (
        await alice.slash(here.room, "profile", member=ben),
        await alice.choose(here.room, "Profile", ben),
    ):
        assert shown(page).text.startswith(
            "Ben has not finished a match with other people on this server yet."
        )
        assert modal_of(await alice.click(shown(page), "Challenge")).title == "Challenge Ben"


async def test_who_wants_no_challenges_gets_none(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    await set_preferences(ben, here.room, challenges="from nobody")
    assert refusal_of(await challenge(alice, here.room, ben)) == (
        "Ben takes no challenges. `/play` opens a table that everybody can join."
    )
    await set_preferences(cleo, here.room, pings="never")
    _, call = await called(here, alice, cleo)
    assert call.pings == set()


async def test_a_challenge_wakes_nobody(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    later = here.bot.time.now() + 2 * 86_400_000
    await here.bot.tables.set_hours(ben.id, lambda _: Hours("Europe/Berlin", away_until=later))
    answer = await challenge(alice, here.room, ben)
    await here.box.until(lambda: bool(calls(here.room)), timeout=30)
    assert calls(here.room)[0].pings == set()
    told = f"🌙 Ben is away until <t:{later // 1000}:f>. No call reaches them before, and the seat is kept until <t:"
    await here.box.until(lambda: any(each.text.startswith(told) for each in answer.followups), timeout=30)


async def test_who_is_challenged_asleep_is_called_when_they_wake_and_has_their_seat(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    back = here.bot.time.now() + 7_200_000
    await here.bot.tables.set_hours(ben.id, lambda _: Hours("Europe/Berlin", away_until=back))
    answer = await challenge(alice, here.room, ben)
    kept = f"keep the seat until <t:{back // 1000 + 3_600}:f>."
    told = f"🌙 Ben is away until <t:{back // 1000}:f>. I call them then, and {kept}"
    await here.box.until(lambda: any(each.text == told for each in answer.followups), timeout=30)
    await here.later(7_000)
    await asyncio.sleep(100)
    assert calls(here.room) == []
    await here.box.until(lambda: bool(calls(here.room)), timeout=200)
    (call,) = calls(here.room)
    assert call.pings == {ben.id}
    await ben.click(call, "Join")
    await here.box.until(lambda: "2. Ben" in shown(answer).text, timeout=30)


async def test_a_challenge_may_end_before_its_caller_is_told_that_its_person_is_away(
    here: CardRoom, caplog: pytest.LogCaptureFixture
) -> None:
    alice, ben, *_ = here.people
    back = here.bot.time.now() + 7_200_000
    await here.bot.tables.set_hours(ben.id, lambda _: Hours("Europe/Berlin", away_until=back))
    answer = await slowly_shown(here.box, alice, here.room, ben, after=True)
    await (await here.bot.tables.get(1)).cancel(alice.id, here.bot.time.now(), manages=False)
    await asyncio.sleep(5)
    assert "never began" in shown(answer).text
    assert not any("🌙" in each.text for each in answer.followups)
    assert "ERROR" not in caplog.text


async def test_a_person_challenges_three_times_an_hour_and_is_challenged_three_times(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    for _ in range(3):
        shown(await challenge(alice, here.room, ben))
        await (await here.bot.tables.get(max(here.bot.tables.seated(alice.id)))).cancel(
            alice.id, here.bot.time.now(), manages=False
        )
    assert "You have challenged people 3 times within an hour." in refusal_of(
        await challenge(alice, here.room, cleo)
    )
    assert "Ben was challenged 3 times within an hour." in refusal_of(await challenge(cleo, here.room, ben))
    await here.box.until(lambda: not calls(here.room), timeout=60)
    await here.later(3_601)
    shown(await challenge(cleo, here.room, ben))


async def test_no_more_people_challenge_the_same_one_at_the_same_moment(here: CardRoom) -> None:
    alice, *others = here.people
    forms = [modal_of(await each.choose(here.room, "Challenge", alice)) for each in others]
    chosen = {"Game": ["palmer"], "Pace": ["relaxed"]}
    answers = await asyncio.gather(
        *(each.submit(form, chosen) for each, form in zip(others, forms, strict=True))
    )
    (refused,) = [answer for answer in answers if "Kept for Alice" not in shown(answer).text]
    assert "Alice was challenged 3 times within an hour." in refusal_of(refused)
    assert len(here.bot.tables.of_guild(here.guild.id)) == 3


async def test_oneself_a_bot_and_whoever_is_not_there_cannot_be_challenged(here: CardRoom) -> None:
    alice, ben, cleo, dana, _ = here.people
    assert "That is you." in refusal_of(await challenge(alice, here.room, alice))
    bot = await alice.choose(here.room, "Challenge", here.box.world.bot)
    assert "A bot takes no challenges." in refusal_of(bot)
    page = shown(await alice.slash(here.room, "play"))
    asked = await alice.choose(here.room, "Challenge", cleo)
    cleo.leave(here.guild)
    answer = await alice.submit(modal_of(asked), {"Game": ["palmer"], "Pace": ["live"]})
    assert "They are not on this server any more." in refusal_of(answer)
    there = shown(await alice.slash(secret_channel(here, alice), "play"))
    unseen = await forged(alice, there, f"challenge:0:{dana.id}", BUTTON, [])
    assert "does not see this channel" in refusal_of(unseen)
    for rest in ("", "x", "-5", "0", "9" * 40, str(2**63), str(alice.id), str(here.box.world.bot.id)):
        refusal_of(await forged(alice, page, f"challenge:0:{rest}", BUTTON, []))
        refusal_of(await submitted(alice, page, f"challenge-with:0:{rest}", ["palmer", "live"]))
    for values in ([], ["palmer"], ["chess", "live"], ["palmer", "fast"], ["palmer", "live", "live"]):
        refusal_of(await submitted(alice, page, f"challenge-with:0:{ben.id}", values))
    assert here.bot.tables.of_guild(here.guild.id) == []


async def test_a_challenge_is_refused_in_time_while_discord_does_not_say_who_is_there(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    here.box.faults.add(Fault("GET", rf"/members/{ben.id}$", times=5))
    assert refusal_of(await challenge(alice, here.room, ben)) == UNKNOWN
    here.box.faults.clear()
    assert "Kept for Ben" in shown(await challenge(alice, here.room, ben)).text


async def test_whoever_has_erased_themselves_is_not_called_any_more(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await called(here, alice, ben)
    await here.bot.tables.erase(ben.id)
    await here.box.until(lambda: not calls(here.room), timeout=120)


async def test_where_the_bot_is_no_member_the_challenge_is_to_the_daily_deal(
    here: CardRoom, away: Channel
) -> None:
    alice, ben, *_ = here.people
    said = shown(await challenge(alice, away, ben))
    assert not said.ephemeral
    assert said.pings == frozenset()
    assert "challenges you to the deal of the day" in said.text
    assert "Daily" in shown(await ben.click(said, "Play")).text


async def test_who_is_challenged_is_called_once_while_the_disk_is_full_where_the_bot_may_not_read(
    here: CardRoom,
) -> None:
    alice, ben, *_ = here.people
    here.room.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    with failing(here.bot.store, "set_summons"):
        await challenge(alice, here.room, ben)
        await forget_nonces(here.room)
    await asyncio.sleep(120)
    assert len([each for each in here.room.log.values() if ben.id in each.pings]) == 1
