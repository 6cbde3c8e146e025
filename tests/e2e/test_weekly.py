"""The bulletin of a week, and its question: what would you play?"""

import asyncio
import re
from pathlib import Path
from random import Random

import pytest

from bot.standings import week
from bot.standings.week import closest
from cogs.bulletins import daily
from cogs.bulletins.quiz import NO_QUESTION, NOT_OPEN
from sandbox import Answer, Message, Permission, Person, TextChannel
from tests.bot.store.stores import rows
from tests.e2e.card_room import CardRoom
from tests.e2e.match import SHORT, Match, check_answer, every_game, refusal_of
from tests.e2e.players import kinds, labels, new_thread, open_table, set_preferences, shown, some_move
from tests.e2e.stored_matches import begin_match, end_match
from tests.e2e.test_board import put_board
from tests.e2e.test_bulletins import SILENT, want
from tests.e2e.test_privacy import erase
from tests.e2e.test_seasons import pass_by
from tests.held import fail, held
from tests.toy import GAME as TOY

WEEK = 7 * 86_400_000


def weeklies(channel: TextChannel) -> list[Message]:
    return [each for each in channel.messages() if any(id_.startswith("week:") for id_ in each.custom_ids)]


async def weekly(here: CardRoom, *others: str) -> Message:
    """Let a week pass, with a board, its bulletin and others, and return that."""
    alice = here.people[0]
    here.guild.grant(alice.user, Permission.MANAGE_GUILD)
    await put_board(alice, here.room, here.room)
    await want(alice, here.room, "weekly", *others)
    await pass_by(here, WEEK)
    await here.box.until(lambda: weeklies(here.room), timeout=120)
    await asyncio.sleep(150)
    (post,) = weeklies(here.room)
    return post


async def play_openly(match: Match) -> None:
    """Play a match to its end that everybody may see."""
    await match.deal(**SHORT.get(match.game.slug, {}))
    await match.finish()
    for person in match.people:
        await set_preferences(person, match.here.room, replays="open")


async def open_week(match: Match) -> Message:
    """Return the bulletin of a week with such a match."""
    await play_openly(match)
    return await weekly(match.here)


async def ask(person: Person, post: Message) -> Answer:
    return await person.click(post, "What would you play?")


@every_game
async def test_a_week_tells_of_its_matches_and_asks_about_one(match: Match) -> None:
    post = await open_week(match)
    assert post.body["flags"] & SILENT
    assert "## The week here\n-# <t:" in post.text
    assert f"· 1 match · {len(match.people)} players" in post.text
    assert kinds(post) == ["podium"]
    is_asked = not match.game.real_time
    asked = ["What would you play?"] * is_asked
    assert labels(post) == ["Replay", *asked, "Open a table"]
    assert "step 1 of" in shown(await match.watcher.click(post, "Replay")).text
    assert shown(await match.watcher.click(post, "Open a table")).ephemeral
    if not is_asked:
        assert refusal_of(await match.watcher.press(post, "quiz:1")) == NO_QUESTION
        return
    question = shown(await ask(match.watcher, post))
    assert question.ephemeral
    choices = labels(question)
    assert 2 <= len(choices) <= 4
    assert "You sit in the place of **" in question.text
    for choice in choices:
        again = shown(await ask(match.watcher, post))
        assert labels(again) == choices
        answer = await match.watcher.click(again, choice)
        check_answer(answer)
        assert shown(answer) is again
        assert "A sharp computer would choose **" in again.text
        assert "What came of it:" in again.text
        assert labels(again) == ["Replay"]


async def test_nothing_is_shown_of_people_who_do_not_let_others_see(match: Match) -> None:
    await match.deal()
    await match.finish()
    post = await weekly(match.here)
    assert "**Closest match**" in post.text
    assert (kinds(post), labels(post)) == ([], ["Open a table"])
    assert refusal_of(await match.watcher.press(post, "quiz:1")) == NOT_OPEN


async def test_a_week_is_told_in_words_where_pictures_are_not_allowed(match: Match) -> None:
    await play_openly(match)
    match.here.room.deny(match.box.world.bot, Permission.ATTACH_FILES)
    post = await weekly(match.here)
    assert kinds(post) == []
    assert "1. Alice" in post.text
    assert labels(post)[0] == "Replay"


async def test_the_closest_of_the_matches_that_all_may_see_is_shown_beside_the_closest(match: Match) -> None:
    here = match.here
    await match.deal()
    await match.finish()
    card = await open_table(here.room, "high-card start", *here.people[2:4])
    await here.people[2].click(card, "Start")
    table, chance = await here.bot.tables.get(2), Random(2)
    while table.is_open:
        seat, action = some_move(table.state, chance)
        await table.play(table.state.players[seat].user, [TOY.text(action)], table.clock.now())
    await here.rest()
    first, second = closest(await here.bot.store.finished_matches(here.guild.id, 0, 2**62))
    for result in second.results:
        await here.bot.store.set_preference(result.user, "replays", "open")
    post = await weekly(here)
    about = [f"<#{each.match.place}>" for each in (first, second)]
    before, after = post.text.split("**To see again**")
    assert (about[0] in before, about[1] in after) == (True, True)
    assert f"replay:{second.match.id}" in post.custom_ids
    assert f"replay:{first.match.id}" not in post.custom_ids


async def test_a_match_of_the_last_moment_that_is_stored_after_it_is_told_of(
    here: CardRoom, manager: Person
) -> None:
    await put_board(manager, here.room, here.room)
    until = week.begin(week.week_of(here.bot.time.now()) + 1)
    await pass_by(here, until + 1_000 - here.bot.time.now())
    await want(manager, here.room, "weekly")
    await asyncio.sleep(30)
    match = await begin_match(
        here.bot.store, here.guild.id, here.people[:2], until - 60_000, channel=here.room.id
    )
    await end_match(here.bot.store, match, here.guild.id, here.people[:2], until - 1)
    await here.box.until(lambda: weeklies(here.room), timeout=240)
    assert "· 1 match ·" in weeklies(here.room)[0].text


@pytest.mark.parametrize("is_gone", [False, True])
async def test_a_week_tells_of_matches_in_threads_that_are_archived_but_not_in_deleted_ones(
    here: CardRoom, is_gone: bool
) -> None:
    people, now = here.people[:2], here.bot.time.now()
    thread = new_thread(here.room, people[0])
    for place in (thread.id, here.room.id):
        match = await begin_match(here.bot.store, here.guild.id, people, now, channel=place)
        await end_match(here.bot.store, match, here.guild.id, people, now + 1)
    thread.archive()
    if is_gone:
        thread.delete()
    assert ("· 1 match ·" if is_gone else "· 2 matches ·") in (await weekly(here)).text


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE log SET kind = 'nonsense' WHERE match = 1 AND kind = 'move'",
        "INSERT INTO packed_logs VALUES (1, x'00')",
    ],
    ids=["rows", "packed"],
)
async def test_a_match_that_cannot_be_read_keeps_no_week_from_being_told(
    match: Match, tmp_path: Path, damage: str
) -> None:
    await match.deal()
    await match.finish()
    rows(tmp_path / "palmhouse.sqlite3", damage)
    post = await weekly(match.here)
    assert "· 1 match ·" in post.text
    assert "**Most points**" in post.text
    assert labels(post) == ["Open a table"]


async def test_who_takes_it_back_or_erases_themselves_ends_the_question(match: Match) -> None:
    post = await open_week(match)
    ben = match.people[1]
    question = shown(await ask(match.watcher, post))
    await set_preferences(ben, match.here.room, replays="private")
    assert refusal_of(await ask(match.watcher, post)) == NOT_OPEN
    assert refusal_of(await match.watcher.click(question, labels(question)[0])) == NOT_OPEN
    await set_preferences(ben, match.here.room, replays="open")
    await erase(ben, match.here)
    assert refusal_of(await ask(match.watcher, post)) == NOT_OPEN


async def test_who_takes_it_back_while_computers_think_ends_the_question(match: Match) -> None:
    post = await open_week(match)
    async with held(match.here.bot.computers.worker_client, "ask", ask(match.watcher, post)) as asking:
        await set_preferences(match.people[1], match.here.room, replays="private")
    assert refusal_of(await asking) == NOT_OPEN


async def test_a_question_that_is_asked_again_names_nobody_who_was_erased(match: Match) -> None:
    post = await open_week(match)
    found = re.search(r"in the place of \*\*(\w+)\*\*", shown(await ask(match.people[0], post)).text)
    assert found
    asked_about, other = sorted(match.people[:2], key=lambda each: each.name != found[1])
    await erase(asked_about, match.here)
    again = shown(await ask(other, post)).text
    assert "in the place of" in again
    assert asked_about.name not in again


async def test_forged_answers_are_refused(match: Match) -> None:
    post = await open_week(match)
    await ask(match.watcher, post)
    for rest in ("x", "1:", "0:bid 0", "999:pass", ":"):
        assert "does not work" in refusal_of(await match.watcher.press(post, f"quiz:1:{rest}"))
    assert "no such match" in refusal_of(await match.watcher.press(post, "quiz:77"))


async def test_a_week_without_a_match_that_all_may_see_has_no_post(match: Match) -> None:
    here, (alice, ben, *_) = match.here, match.here.people
    secret = here.guild.channel("secret")
    secret.deny(None, Permission.VIEW_CHANNEL)
    now = here.bot.time.now()
    number = await begin_match(here.bot.store, here.guild.id, [alice, ben], now, channel=secret.id)
    await end_match(here.bot.store, number, here.guild.id, [alice, ben], now + 1)
    here.guild.grant(alice.user, Permission.MANAGE_GUILD)
    await put_board(alice, here.room, here.room)
    await want(alice, here.room, "weekly")
    await pass_by(here, WEEK)
    await asyncio.sleep(150)
    assert weeklies(here.room) == []
    (_, row) = await here.bot.store.bulletins(here.guild.id)
    assert row.message == 0  # it is not looked for again


async def test_a_read_that_fails_for_a_moment_leaves_no_match_out_of_its_week(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    await match.deal()
    await match.finish()
    fail(monkeypatch, match.here.bot.store, "log", once=True)
    assert "**Closest match**" in (await weekly(match.here)).text


async def test_a_deal_of_the_day_that_cannot_be_posted_keeps_no_week_from_being_told(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    await match.deal()
    await match.finish()
    fail(monkeypatch, daily, "_best")
    assert "· 1 match ·" in (await weekly(match.here, "daily")).text
