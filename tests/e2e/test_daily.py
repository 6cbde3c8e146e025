"""The daily deal: one ephemeral message from `Play` to the result, one attempt a person, and results without cards."""

import asyncio
import hashlib
import subprocess
from datetime import datetime
from random import Random

import pytest

from bot.standings import daily
from bot.standings.daily import ROTATION
from bot.store import Attempt, LogRow
from cogs.common.daily_result import placing, score
from cogs.common.hand_panel import hand_panel
from sandbox import Permission
from tests.e2e.card_room import CardRoom
from tests.e2e.daily_player import DAY, begin, finish, has_form, play_on, said, table_of, wait_for_game
from tests.e2e.players import kinds, labels, shown, tap, text_and_alt
from tests.e2e.test_privacy import erase, privacy
from tests.seats import FIRST


@pytest.fixture
async def here(here: CardRoom) -> CardRoom:
    """The card room at noon, so that no test depends on the time of day at which it runs, and on a day of Palmer: deals
    of other games may end within a few taps, or as they are dealt."""
    here.box.clock.advance((DAY * 3 / 2 - here.box.clock.now()) % DAY)
    await wait_for_game(here, "palmer")
    return here


# Playing


@pytest.mark.parametrize("slug", [terms.slug for terms in ROTATION])
async def test_a_whole_daily_is_played_in_one_ephemeral_message(slug: str, here: CardRoom) -> None:
    alice, *_ = here.people
    await wait_for_game(here, slug)
    answer = await alice.slash(here.room, "daily")
    card = shown(answer)
    assert answer.ephemeral
    assert labels(card) == ["Play", "Learn", "About"]
    assert "Nobody has finished it yet." in card.text
    deal = await begin(alice, here.room)
    assert deal.ephemeral
    table = await table_of(here, alice)
    assert table.match.game == slug
    await play_on(alice, deal, Random(1))
    result = await here.bot.store.attempt_of(table.id)
    assert result is not None
    assert result.placing is not None
    assert daily.number_of(result.day) > 0
    assert "You are the first to finish this deal." in deal.text
    assert "Streak: 1 day." in deal.text
    assert labels(deal) == ["Share", "Table of the day", "About"]
    shared = shown(await alice.click(deal, "Share"))
    course = [line for line in shared.text.splitlines() if {*line} <= {*"🟩🟨🟥"}]
    assert len(course) == 1 or slug == "palace", "in Palace there may be no pile to clear or take"
    assert (here.room.messages(), alice.sees(alice.dms), here.room.threads) == ([shared], [], [])
    assert all(other.sees(here.room) == [shared] for other in here.people[1:-1])
    assert all(not answer.followups for answer in alice.answers)


async def test_each_tap_shows_the_hand_the_scores_and_what_happened_since(here: CardRoom) -> None:
    alice, *_ = here.people
    deal = await begin(alice, here.room)
    await alice.click(deal, "Draw")
    assert "✅ Draw" in deal.text
    assert "draws" in deal.text
    assert "-# Alice 0 · 🤖" in deal.text
    await play_on(alice, deal, Random(2), taps=3)
    assert "🤖" in text_and_alt(deal)


@pytest.mark.parametrize(("slug", "files"), [("palmer", ["hand"]), ("palace", ["table", "hand"])])
async def test_the_table_is_a_picture_only_while_the_hand_does_not_show_it(
    slug: str, files: list[str], here: CardRoom
) -> None:
    alice, *_ = here.people
    await wait_for_game(here, slug)
    deal = await begin(alice, here.room)
    assert kinds(deal) == files
    await play_on(alice, deal, Random(1), taps=6)
    assert kinds(deal) == ["hand"]


async def test_a_hand_is_of_one_moment_although_the_table_moves_while_it_is_built(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, *_ = here.people
    await begin(alice, here.room)
    table, attempt_of = await table_of(here, alice), here.bot.store.attempt_of

    async def slowly(match: int) -> Attempt | None:
        monkeypatch.setattr(here.bot.store, "attempt_of", attempt_of)
        attempt = await attempt_of(match)
        while table.is_open:
            await table.play(
                alice.id, [table.state.game.text(table.state.legal(FIRST)[-1])], table.clock.now()
            )
        return attempt

    monkeypatch.setattr(here.bot.store, "attempt_of", slowly)
    during = await hand_panel(here.bot, table, alice.id)
    after = await hand_panel(here.bot, table, alice.id)
    assert (during.payload(), during.pictures()) == (after.payload(), after.pictures())


async def test_showing_a_hand_reads_no_log(here: CardRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    alice, *_ = here.people
    deal = await begin(alice, here.room)
    read, log = list[int](), here.bot.store.log

    async def noted(match: int, after: int = 0) -> list[LogRow]:
        read.append(match)
        return await log(match, after)

    monkeypatch.setattr(here.bot.store, "log", noted)
    await play_on(alice, deal, Random(2), taps=6)
    assert has_form(deal)
    assert read == []


async def test_a_daily_has_no_hints(here: CardRoom) -> None:
    alice, *_ = here.people
    deal = await begin(alice, here.room)
    assert "Hint" not in labels(deal)
    table = await table_of(here, alice)
    assert "Hints are for practice tables only" in said(await alice.press(deal, f"hint:{table.id}"))


async def test_a_daily_does_not_stand_in_the_way_of_other_tables(here: CardRoom) -> None:
    alice, *_ = here.people
    await begin(alice, here.room)
    for _ in range(3):
        assert shown(await alice.slash(here.room, "palmer start")).buttons
    table = await table_of(here, alice)
    assert f"table {table.id}" not in (await alice.slash(here.room, "tables")).text
    answer = await alice.slash(here.room, "table show", table=str(table.id))
    await here.box.until(lambda: "Only you see this table" in answer.text)


async def test_nobody_else_sees_or_moves_in_a_daily(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await begin(alice, here.room)
    number = (await table_of(here, alice)).id
    own = shown(await ben.slash(here.room, "daily"))
    for custom_id in (f"hand:{number}", f"form:{number}:0::draw", f"do:{number}:0:0", f"type:{number}"):
        assert "This hand is not yours" in said(await ben.press(own, custom_id))
    for custom_id in (f"cancel:{number}", f"end:{number}", f"rematch:{number}", f"back:{number}"):
        assert "There is no such table" in said(await ben.press(own, custom_id))


async def test_the_deals_of_other_days_are_refused(here: CardRoom) -> None:
    alice, *_ = here.people
    card, today = shown(await alice.slash(here.room, "daily")), here.bot.dailies.today()
    for action, instead, days in (
        ("play", "shows today's", (today + 1, today - 1)),
        ("table", "has the deals that you can play", (today + 1,)),
        ("share", "has the deals that", (today + 1, today - 1)),
    ):
        for day in days:
            assert f"`/daily` {instead}" in said(await alice.press(card, f"daily:0:{action}:{day}"))


# One attempt


async def test_a_daily_that_was_left_has_no_result_and_no_second_attempt(here: CardRoom) -> None:
    alice, *_ = here.people
    await begin(alice, here.room)
    number = (await table_of(here, alice)).id
    asked = shown(await alice.slash(here.room, "table leave", table=str(number)))
    await alice.click(asked, "Leave the match")
    assert "You left this deal before its end" in said(await alice.slash(here.room, "daily"))


async def test_whoever_was_erased_cannot_play_the_deal_again(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = shown(await alice.slash(here.room, "daily"))
    deal = await begin(alice, here.room)
    table = await table_of(here, alice)
    assert "erased" in await erase(alice, here)
    assert "you have erased yourself since" in said(await alice.click(deal, "Draw"))
    assert (await here.bot.tables.get(table.id)).state.phase == "closed"
    tomorrow = (here.bot.dailies.today() + 1) * DAY
    for answer in (await alice.slash(here.room, "daily"), await alice.click(card, "Play")):
        assert "You began this deal before you erased yourself" in said(answer)
        assert f"The next deal opens <t:{tomorrow}:f>" in said(answer)
    assert len(await here.bot.store.attempts(here.bot.dailies.today())) == 1
    await begin(ben, here.room)


async def test_whoever_was_erased_plays_the_next_deal_as_anybody_and_is_forgotten_when_theirs_has_closed(
    here: CardRoom,
) -> None:
    alice, *_ = here.people
    await finish(alice, here.room)
    assert "erased" in await erase(alice, here)
    assert "deals that are not over: 1" in (await privacy(alice, here, "show")).text
    here.box.clock.advance(DAY)
    await finish(alice, here.room)
    await here.bot.dailies.forget()
    assert len(await here.bot.store.former_ids(alice.id)) == 1
    here.box.clock.advance(DAY)
    await begin(alice, here.room)
    await here.bot.dailies.forget()
    assert await here.bot.store.former_ids(alice.id) == {}


# Days


async def test_yesterdays_deal_can_be_finished_today(here: CardRoom) -> None:
    alice, *_ = here.people
    first = await begin(alice, here.room)
    table = await table_of(here, alice)
    here.box.clock.advance(DAY)
    card = shown(await alice.slash(here.room, "daily"))
    number = daily.number_of(here.bot.dailies.today() - 1)
    assert labels(card) == ["Play", f"Go on with daily {number}", "Learn", "About"]
    await alice.click(card, f"Go on with daily {number}")
    assert f"Daily {number} ·" in card.text
    here.box.clock.advance(DAY)
    assert "This daily deal has closed" in (await tap(alice, first, Random(1))).text
    assert table.state.phase == "closed"
    card = shown(await alice.slash(here.room, "daily"))
    assert labels(card) == ["Play", "Learn", "About"]


async def test_a_deal_that_an_outage_keeps_open_is_offered_until_it_closes(here: CardRoom) -> None:
    alice, *_ = here.people
    await begin(alice, here.room)
    today = here.bot.dailies.today()
    begun = (today + 1) * daily.DAY
    await here.bot.store.add_outage(begun, begun + daily.DAY // 2)
    here.box.clock.advance(DAY * 7 / 4)
    card, number = shown(await alice.slash(here.room, "daily")), daily.number_of(today)
    assert labels(card) == [
        "Play",
        f"Play daily {number + 1}",
        f"Go on with daily {number}",
        "Learn",
        "About",
    ]
    here.box.clock.advance(DAY / 2)
    assert labels(shown(await alice.slash(here.room, "daily"))) == ["Play", "Learn", "About"]


# Comparing and sharing


async def test_friends_compare_and_share_without_a_word_on_the_cards(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    await finish(alice, here.room, seed=1)
    deal = await finish(ben, here.room, seed=2)
    assert "the only other player" in deal.text
    posted = await ben.click(deal, "Share")
    assert not posted.ephemeral
    message = shown(posted)
    assert message in cleo.sees(here.room)
    assert "Palmhouse daily" in message.text
    attempt = await here.bot.store.attempt(ben.id, here.bot.dailies.today())
    assert attempt is not None
    assert f"{placing(attempt)} at the table · {score(attempt)}" in message.text
    place = "1st" if "ahead of" in deal.text or "level with" in deal.text else "2nd"
    assert f"{place} of 2 people" in message.text
    assert "🤖" not in text_and_alt(message)
    assert "daily" in kinds(message)
    answer = await cleo.click(message, "Play the daily")
    assert "Nobody" not in said(answer)
    assert "2 people have finished it." in answer.text
    table = shown(await ben.click(deal, "Table of the day"))
    assert f"**Ben** · {placing(attempt)} · {score(attempt)}" in table.text
    assert "Alice" in table.text


async def test_a_result_is_shared_once_in_each_channel(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    other = here.guild.channel("elsewhere")
    deal = await finish(alice, here.room)
    clicks = await asyncio.gather(*(alice.click(deal, "Share") for _ in range(2)))
    assert sorted(click.ephemeral for click in clicks) == [False, True]
    assert "shared here already" in said(await alice.click(deal, "Share"))
    again = shown(await alice.slash(other, "daily"))
    assert not (await alice.click(again, "Share")).ephemeral
    assert (len(ben.sees(here.room)), len(ben.sees(other))) == (1, 1)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("status", [0, 503])
async def test_a_result_with_a_lost_receipt_is_shared_once(here: CardRoom, status: int, after: bool) -> None:
    alice, ben, *_ = here.people
    deal = await finish(alice, here.room)
    here.box.fail("POST", "^/interactions/.*/callback$", status, after=after)
    await alice.click(deal, "Share", wait=False)
    await asyncio.sleep(60)
    assert "shared here already" in said(await alice.click(deal, "Share"))
    assert len(ben.sees(here.room)) == 1


async def test_results_are_hidden_from_people_who_have_not_finished(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    deal = await finish(alice, here.room)
    await alice.click(deal, "Share")
    await begin(ben, here.room)
    for act in (
        ben.slash(here.room, "daily", show="table"),
        ben.press(deal.id, f"daily:0:share:{here.bot.dailies.today()}"),
    ):
        assert "people who have finished this deal" in said(await act)


async def test_yesterdays_table_is_for_those_who_have_finished_until_the_deal_closes(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    deal = await finish(alice, here.room)
    here.box.clock.advance(DAY)
    assert "Alice" in said(await alice.slash(here.room, "daily", show="yesterday"))
    assert "people who have finished this deal" in said(await ben.slash(here.room, "daily", show="yesterday"))
    await here.later(DAY)
    day = here.bot.dailies.today() - 2
    assert "Alice" in said(await ben.press(deal.id, f"daily:0:table:{day}"))


async def test_where_files_are_not_allowed_a_result_is_shared_in_words(here: CardRoom) -> None:
    alice, *_ = here.people
    deal = await finish(alice, here.room)
    here.room.deny(here.box.world.bot, Permission.ATTACH_FILES)
    assert shown(await alice.click(deal, "Share")).files == []


# Fairness


async def test_about_leads_to_the_list_of_the_year_and_the_last_closed_seed(here: CardRoom) -> None:
    alice, *_ = here.people
    about = shown(await alice.slash(here.room, "daily", show="about"))
    assert "You have one attempt." in about.text
    assert "SHA" not in about.text
    answer = await alice.click(about, "How it is kept fair")
    await here.box.until(lambda: shown(answer).files)
    message = shown(answer)
    (file,) = message.files
    content = here.box.world.files[int(file["id"])]
    secret = await here.bot.dailies.secret(daily.year_of(here.bot.dailies.today()))
    listed = daily.yearly_list(secret, daily.year_of(here.bot.dailies.today()))
    assert hashlib.sha256(listed.encode()).hexdigest() in message.text
    assert content == listed.encode()
    today = here.bot.dailies.today()
    everything = "\n".join(alice.everything())
    assert secret not in everything
    assert daily.seed(secret, today) not in everything
    assert daily.seed(secret, today - 1) not in everything
    (command,) = [line for line in message.text.splitlines() if line.startswith("printf")]
    seed = daily.seed(secret, today - 2)
    assert command == f"printf %s {seed} | sha256sum"
    hashed = subprocess.check_output(command, shell=True, text=True).split()[0]  # noqa: ASYNC221
    (line,) = [each for each in listed.splitlines() if each.endswith(hashed)]
    assert line.split()[0] == daily.date_of(today - 2).isoformat()
    assert f"line {line.split()[0]} of the file" in message.text


@pytest.mark.parametrize(("date", "years"), [("2027-01-01", 2), ("2027-01-02", 2), ("2027-01-03", 1)])
async def test_the_last_seeds_of_a_year_are_shown_in_the_next_one_with_its_list(
    here: CardRoom, date: str, years: int
) -> None:
    alice, *_ = here.people
    here.box.clock.advance(datetime.fromisoformat(f"{date}T12:00Z").timestamp() - here.box.clock.now())
    about = shown(await alice.slash(here.room, "daily", show="about"))
    answer = await alice.click(about, "How it is kept fair")
    await here.box.until(lambda: shown(answer).files)
    message, day = shown(answer), here.bot.dailies.today() - 2
    (command,) = [line for line in message.text.splitlines() if line.startswith("printf")]
    hashed = hashlib.sha256(command.split()[2].encode()).hexdigest()
    listed = [here.box.world.files[int(file["id"])].decode() for file in message.files]
    assert len(listed) == years
    assert f"{daily.date_of(day).isoformat()} {daily.terms_of(day).slug} {hashed}\n" in listed[0]
    assert f"{date} " in listed[-1]
    assert all(daily.sha256(each) in message.text for each in listed)


async def test_a_deal_is_neither_replayed_nor_verified_before_it_is_closed(here: CardRoom) -> None:
    alice, *_ = here.people
    await finish(alice, here.room)
    table = await table_of(here, alice)
    for command in ("replay", "verify"):
        answer = await alice.slash(here.room, command, match=str(table.id))
        await here.box.until(lambda answer=answer: "Others can still play" in answer.text)  # type: ignore[misc]
    here.box.clock.advance(2 * DAY)
    await alice.slash(here.room, "help")
    replay = await alice.slash(here.room, "replay", match=str(table.id))
    await here.box.until(lambda: replay.text and "Others" not in replay.text)
    verify = await alice.slash(here.room, "verify", match=str(table.id))
    await here.box.until(lambda: table.match.seed in verify.text)
    (line,) = [each for each in verify.text.split("`") if each == table.match.seed]
    year = daily.year_of(here.bot.dailies.today())
    listed = daily.yearly_list(await here.bot.dailies.secret(year), year)
    assert hashlib.sha256(line.encode()).hexdigest() in listed
