"""`kill -9` at any time: nothing that was acknowledged is lost, and every announcement is posted once, in order.

These tests play Twin Palms, with its form too; `test_matches` kills the bot in matches of every game.
"""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.twin_palms.cog import BET_STEPS
from games.twin_palms.cards import BETS, CARDS, FIRST_PLAY, WILD
from sandbox import Message
from tests.e2e.followed_match import Act, FollowedMatch, bot_and_channel
from tests.e2e.players import hand_of, latest, shown, text_and_alt
from tests.e2e.processes import BotProcess, Condition

OPTIONS: dict[str, Any] = {"mode": "normal", "rounds": 2}
GREEN = 3
"""Style of the button that makes a move."""
CALLBACK = r"^/interactions/"
THREAD = r"/threads$"
MESSAGES = r"^/channels/\d+/messages$"
MESSAGE = r"^/channels/\d+/messages/\d+$"

KILL_CONDITIONS: dict[str, Callable[[BotProcess], Condition]] = {
    "the click is sent": lambda _: lambda: True,
    "the move is stored": BotProcess.entry_stored,
    "the answer is given": lambda bot: bot.request_made("POST", CALLBACK),
    "the board is edited": lambda bot: bot.request_made("PATCH", MESSAGE),
    "the announcement is posted": lambda bot: either(bot.request_made("POST", MESSAGES), bot.post_recorded()),
    "the post is recorded": BotProcess.post_recorded,
}
MOVES = 36
"""Number of moves of the match: two rounds of three bids and fifteen plays."""


class TappingMatch(FollowedMatch):
    """Two rounds of Twin Palms by three people, who use the form as often as they type."""

    async def prepare(self) -> Act:
        seat, action = self.next()
        person = self.people[seat]
        wild = action >= FIRST_PLAY and WILD in (kind % 12 for kind in CARDS[action])
        if wild or len(self.moves) % 2:
            return lambda: person.slash(self.thread, "move", action=self.game.text(action))
        hand = await hand_of(person, self.thread)
        hand = await (self._bid if action < FIRST_PLAY else self._pick)(hand, seat, action)
        ready = [b["custom_id"] for b in hand.buttons if b["style"] == GREEN]
        # Half a bet and a whole bet are one button when they stake the same.
        meant = next((each for each in ready if each.endswith(self._confirmed(action))), ready[-1])
        return lambda: person.press(hand, meant)  # a newer hand may have taken its buttons

    def _confirmed(self, action: int) -> str:
        return (
            f":bid-{BET_STEPS[action % len(BETS)]}"
            if action < FIRST_PLAY
            else f":move-{self.game.text(action)}"
        )

    async def _bid(self, hand: Message, seat: int, action: int) -> Message:
        return await self._tap(hand, seat, f":tricks-{action // len(BETS)}")

    async def _pick(self, hand: Message, seat: int, action: int) -> Message:
        held, (low, high) = self.state.game_state.hands[seat], CARDS[action]
        if len(held) == 2:
            return hand  # the last two are picked already
        first = held.index(low)
        for place in (first, held.index(high, first + 1)):
            hand = await self._tap(hand, seat, f":card-{place}")
        return hand

    async def _tap(self, hand: Message, seat: int, step: str) -> Message:
        button = next(b for b in hand.buttons if b["custom_id"].endswith(step))
        return shown(await self.people[seat].click(hand, button["custom_id"]))


@asynccontextmanager
async def followed_match(file: Path) -> AsyncIterator[FollowedMatch]:
    """Return a match with three people whose table is not open yet."""
    async with bot_and_channel(file) as (bot, room):
        people = [bot.box.person(name, room.guild) for name in ("Alice", "Ben", "Cleo")]
        yield TappingMatch(bot, room, people, **OPTIONS)


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[FollowedMatch]:
    """A match with three people whose table is not open yet."""
    async with followed_match(tmp_path / "palmhouse.sqlite3") as room:
        yield room


# Whole matches


async def test_twenty_kills_change_nothing_that_anybody_sees(tmp_path: Path) -> None:
    async with followed_match(tmp_path / "undisturbed.sqlite3") as undisturbed:
        await undisturbed.deal()
        while not undisturbed.over:
            await undisturbed.play()
        expected = await final_messages(undisturbed)
    async with followed_match(tmp_path / "killed.sqlite3") as here:
        await open_with_kills(here)
        await play_with_kills(here, Random(20))
        for seen, wanted in zip(await final_messages(here), expected, strict=True):
            assert seen == wanted


async def final_messages(here: FollowedMatch) -> tuple[list[str], list[str]]:
    """Wait until everything is shown, and return the messages of the match, the card, the line in the channel and
    the leaderboard."""
    await here.box.until(here.bot.all_posted)
    await here.box.until(lambda: "🏁" in here.card.text and here.thread.messages()[-1].text.startswith("🏆"))
    (line,) = [each.text for each in here.room.messages() if each.text.startswith("🏆")]
    leaders = shown(await here.people[0].slash(here.room, "leaderboard"))
    await here.box.until(lambda: bool(leaders.files))  # the picture may follow
    result = line.partition(" · [")[0]
    return here.messages(), [here.readable(text) for text in (here.card.text, result, text_and_alt(leaders))]


async def open_with_kills(here: FollowedMatch) -> None:
    """Open the table with six kills between the command and the first message in the thread."""
    alice, ben, cleo = here.people
    await here.bot.kill_during(
        lambda: alice.slash(here.room, "twin-palms start", **OPTIONS), here.bot.request_made("POST", CALLBACK)
    )
    await here.bot.start()
    await here.bot.kill_during(lambda: ben.click(here.card, "Join"), here.bot.entry_stored())
    await here.bot.start()
    await cleo.click(here.card, "Join")
    await here.bot.kill_during(lambda: alice.click(here.card, "Start"), here.bot.entry_stored())
    for path in (THREAD, MESSAGES, MESSAGES):
        await here.bot.kill_during(
            here.bot.start,
            either(here.bot.request_made("POST", path), lambda: here.bot.connected and here.bot.all_posted()),
        )
    await here.bot.start()
    await here.box.until(here.bot.all_posted)
    here.read_log()


def either(*conditions: Condition) -> Condition:
    """Return a condition: one of these holds. After a late kill the expected event may already have happened."""
    return lambda: any(condition() for condition in conditions)


async def play_with_kills(here: FollowedMatch, rng: Random) -> None:
    """Play to the end with fourteen kills; after half of the outages Discord has forgotten all nonces."""
    conditions = [*KILL_CONDITIONS] * 3
    rng.shuffle(conditions)
    kills = dict(zip(rng.sample(range(MOVES), 14), conditions, strict=False))
    while not here.over:
        kill = kills.pop(len(here.moves), None)
        if kill is None:
            await here.play()
            continue
        act = await here.prepare()
        here.check_attempt(
            await here.bot.kill_during(
                act, KILL_CONDITIONS[kill](here.bot), rng.choice((0, 0.001, 0.005, 0.02))
            )
        )
        if rng.randrange(2):
            here.bot.forget_nonces()
        await here.bot.start()
    assert not kills


# The table's messages


async def test_a_match_whose_end_was_announced_just_before_a_kill_shows_its_end(here: FollowedMatch) -> None:
    await here.deal()
    while not here.over:
        await here.play()
    await here.box.until(here.bot.all_posted)
    await here.bot.kill()
    await here.bot.start()
    await final_messages(here)


async def test_a_table_whose_card_was_posted_just_before_a_kill_can_be_started(here: FollowedMatch) -> None:
    alice, ben, _ = here.people
    await alice.slash(here.room, "twin-palms start", **OPTIONS)
    await here.bot.kill()
    here.bot.write("UPDATE matches SET card = NULL")  # the bot was killed before it recorded the card
    await here.bot.start()
    await ben.click(here.card, "Join")
    assert "2. Ben" in here.card.text
    await alice.click(here.card, "Start")
    await here.box.until(lambda: here.card.thread and here.messages())


@pytest.mark.parametrize("stored", [True, False], ids=["stored", "posted"])
async def test_a_rematch_that_a_kill_interrupts_is_a_lobby_with_one_card(
    here: FollowedMatch, stored: bool
) -> None:
    await here.deal()
    while not here.over:
        await here.play()
    await final_messages(here)
    alice, ben, _ = here.people
    board = latest(ben, here.thread, "Rematch")
    condition = here.bot.entry_stored() if stored else here.bot.request_made("POST", MESSAGES)
    await here.bot.kill_during(lambda: ben.click(board, "Rematch"), condition)
    await here.bot.start()

    def cards() -> list[Message]:
        return [each for each in here.room.messages() if "start:2" in each.custom_ids]

    await here.box.until(lambda: cards() and here.bot.read("SELECT 1 FROM matches WHERE id = 2 AND card > 0"))
    (card,) = cards()
    assert (
        f"You sit at the rematch: [table 2](https://discord.com/channels/{here.room.guild.id}/"
        in (await alice.click(board, "Rematch")).text
    )
    await here.box.until(lambda: "2. Alice" in card.text)
    await ben.click(card, "Start")
    await here.box.until(lambda: card.thread)


async def bid_then_kill(here: FollowedMatch) -> None:
    """Deal, let everybody bid, and kill the bot once all of that is posted."""
    await here.deal()
    for _ in here.people:
        await here.play()
    await here.box.until(here.bot.all_posted)
    await here.bot.kill()


async def test_a_move_made_before_the_bot_has_found_its_earlier_posts_repeats_nothing(
    here: FollowedMatch,
) -> None:
    await bid_then_kill(here)
    here.bot.write(
        "UPDATE matches SET published = 4"
    )  # killed before it recorded the announcement of the bids
    here.bot.forget_nonces()
    await here.bot.start()
    await here.play()
    await here.box.until(here.bot.all_posted)
    await here.check()
    answer = "\n".join(here.messages())
    assert answer.count("Bids: Alice 4") == answer.count("Ben leads the first trick") == 1


async def test_a_call_from_just_before_a_kill_is_deleted_though_the_table_is_posted_again(
    here: FollowedMatch,
) -> None:
    await bid_then_kill(here)
    here.bot.write("DELETE FROM posts WHERE kind = 'call'")  # killed before it recorded the call
    here.bot.write("UPDATE matches SET published = published - 1")
    here.bot.forget_nonces()
    here.box.clock.advance(2 * 3600)  # a table that is so old is posted again below the call
    await here.bot.start()
    await here.play()
    await here.box.until(here.bot.all_posted)
    await here.check()


async def test_the_card_shows_a_player_who_joined_just_before_a_kill(here: FollowedMatch) -> None:
    alice, ben, cleo = here.people
    await alice.slash(here.room, "twin-palms start", **OPTIONS)
    await here.bot.kill_during(lambda: ben.click(here.card, "Join"), here.bot.entry_stored())
    await here.bot.start()
    await cleo.click(here.card, "Join")
    assert "2. Ben\n3. Cleo\n**3 of 4 seats**" in here.card.text


async def test_after_a_kill_the_next_move_shows_the_decision_made_just_before_it(here: FollowedMatch) -> None:
    await here.deal()
    here.check_attempt(await here.bot.kill_during(await here.prepare(), here.bot.entry_stored()))
    await here.bot.start()
    await here.play()
    await here.box.until(lambda: "2 of 3 have bid" in text_and_alt(here.board))


# Messages and forms open on a screen


async def test_clicks_without_a_running_bot_fail_and_change_nothing(here: FollowedMatch) -> None:
    await here.deal()
    alice = here.people[0]
    await here.bot.kill()
    for answer in (
        await alice.slash(here.thread, "move", action="bid 1"),
        await alice.click(latest(alice, here.thread), "My hand"),
        await alice.click(here.card, "Rules"),
    ):
        assert answer.text == "The application did not respond"
    await here.bot.start()
    assert here.read_log() == []
    await here.play()


async def test_a_form_opened_before_a_kill_works_after_it(here: FollowedMatch) -> None:
    await here.deal()
    alice = here.people[0]
    modal = (await alice.click(await hand_of(alice, here.thread), "Type a move")).modal
    assert modal is not None
    await here.bot.kill()
    # Discord keeps a form open that was not answered.
    assert (await alice.submit(modal, {"Your move": "bid 2"})).failed
    await here.bot.start()
    assert "✅ Bid 2" in (await alice.submit(modal, {"Your move": "bid 2"})).text
    here.read_log()
    assert here.moves == [("move", 0, "bid 2")]


async def test_a_form_filled_in_before_a_kill_can_be_sent_after_it(here: FollowedMatch) -> None:
    await here.deal()
    send = await here.prepare()
    await here.bot.kill()
    await here.bot.start()
    answer = await send()
    assert "✅ Bid 4" in answer.text
    here.check_attempt(answer)
    assert len(here.moves) == 1


async def test_a_form_made_stale_before_a_kill_shows_the_present_hand_after_it(
    here: FollowedMatch,
) -> None:
    await here.deal()
    send = await here.prepare()
    here.check_attempt(await here.people[0].slash(here.thread, "move", action="bid 4"))
    await here.play()
    await here.play()
    await here.bot.kill()
    await here.bot.start()
    answer = await send()
    assert "The table has moved on since this was opened." in answer.text
    assert "you: 0 of 4" in answer.text
    assert here.read_log() == []


async def test_an_old_my_hand_button_shows_the_present_hand_after_a_kill(here: FollowedMatch) -> None:
    await here.deal()
    alice = here.people[0]
    public = latest(alice, here.thread)
    await hand_of(alice, here.thread)
    for _ in here.people:
        await here.play()
    await here.bot.kill()
    await here.bot.start()
    answer = await alice.click(public, "My hand")
    assert answer.ephemeral
    assert "**Ben's turn** · play two cards" in answer.text
    assert "you: 0 of 4" in answer.text
    assert "you: 0 of 4" not in public.text


# Deadlines


async def test_every_deadline_is_extended_by_the_length_of_an_outage(here: FollowedMatch) -> None:
    await here.deal()
    await here.bot.kill()
    ((alive,),) = here.bot.read("SELECT at FROM alive")
    before = dict(here.bot.read("SELECT seat, due FROM clocks"))
    assert before.keys() == {0, 1, 2}
    outage = 60_000
    here.bot.write("UPDATE alive SET at = at - ?", outage)
    since = time.time_ns() // 1_000_000
    await here.bot.start()
    until = time.time_ns() // 1_000_000
    (given,) = {due - before[seat] for seat, due in here.bot.read("SELECT seat, due FROM clocks")}
    # The bot learns the time from Date headers, which have whole seconds.
    assert since - alive - 1_000 <= given - outage <= until - alive


async def test_every_deadline_is_extended_by_the_length_of_a_freeze(here: FollowedMatch) -> None:
    await here.deal()

    def deadlines() -> dict[int, int]:
        return dict(here.bot.read("SELECT seat, due FROM clocks"))

    before = deadlines()
    await here.bot.freeze(6)
    await here.box.until(lambda: deadlines() != before)
    gained = {due - before[seat] for seat, due in deadlines().items()}
    assert min(gained) > 5_900


async def test_nobody_loses_a_turn_by_an_outage_of_an_hour(here: FollowedMatch) -> None:
    await here.deal()
    await here.bot.kill()
    hour = 3_600_000
    here.bot.write("UPDATE alive SET at = at - ?", hour)
    here.bot.write("UPDATE clocks SET due = due - ?", hour)
    await here.bot.start()
    while not here.over:
        await here.play()
    assert all(kind == "move" for kind, _, _ in here.moves)


async def test_a_deadline_that_was_near_at_a_kill_is_near_after_it(here: FollowedMatch) -> None:
    await here.deal()
    await here.bot.kill()
    here.bot.write("UPDATE clocks SET due = (SELECT at FROM alive) + 1 WHERE seat = 1")
    await here.bot.start()
    await here.box.until(
        lambda: any("@Ben's turn" in text and "30 seconds left" in text for text in here.messages())
    )
    here.read_log()
    assert here.moves == [("remind", None, "30000 1")]
