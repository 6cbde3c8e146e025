"""`/replay`: matches that are over, step by step, for those who may see them."""

import asyncio

import pytest

from bot.match.entries import CloseReason
from cogs.common.matches import NO_SUCH_MATCH
from cogs.replay.access import NEVER_DEALT, NOT_THIS_VIEW, PLAYERS_ONLY, PRIVATE, RUNNING
from games import AnyGame
from sandbox import Answer, Channel, Message, Permission, Person
from sandbox.components import STRING_SELECT
from sandbox.faults import Fault
from tests.e2e.card_room import CardRoom
from tests.e2e.match import Match, check_answer, refusal_of, three_games_are_enough
from tests.e2e.players import (
    kinds,
    labels,
    latest,
    open_table,
    press_more,
    set_preferences,
    shown,
    start_match,
    text_and_alt,
)
from tests.e2e.test_practice import practise
from tests.e2e.test_privacy import erase, settled
from tests.e2e.test_profile import played
from tests.held import held
from tests.toy import GAME as TOY


async def replay(person: Person, match: Match, number: int = 1, place: Channel | None = None) -> Answer:
    return await person.slash(place or match.here.room, "replay", match=str(number))


async def finished(match: Match) -> Message:
    """Play a match to its end. Return its last message."""
    await match.deal()
    await match.finish()
    return latest(match.watcher, await match.place(), "Replay")


async def forged(person: Person, message: Message, custom_id: str, values: list[str] | None = None) -> Answer:
    """Use a component that the message does not have: a button, or a menu with these values."""
    if values is None:
        return await person.press(message, custom_id)
    return await person.press(message, custom_id, STRING_SELECT, values=values)


async def content(match: Match, answer: Answer) -> str:
    """Return the text of the file in an answer that comes later."""
    (file,) = shown(await settled(match.here, answer)).files
    return match.box.world.files[int(file["id"])].decode()


def buttons(message: Message) -> dict[str, bool]:
    """Return which buttons can be pressed."""
    return {each["label"]: not each.get("disabled") for each in message.buttons}


async def test_of_two_quick_clicks_the_second_is_shown_though_the_first_is_slow(match: Match) -> None:
    end = await finished(match)
    alice = match.people[0]
    step = shown(await alice.click(end, "Replay"))
    async with held(match.here.bot.store, "log", alice.click(step, "Next")):
        second = asyncio.create_task(alice.click(step, "Last"))
        await asyncio.sleep(2)
    await second
    await asyncio.sleep(2)
    assert not buttons(step)["Last"], step.text


@three_games_are_enough
async def test_a_match_of_any_game_is_seen_again_from_its_last_message(match: Match, game: AnyGame) -> None:
    end = await finished(match)
    answer = await match.people[0].click(end, "Replay")
    assert answer.ephemeral
    step = shown(answer)
    assert f"{game.title} · match 1 · step 1 of " in step.text
    assert buttons(step) == {
        "First": False,
        "Back": False,
        "Next": True,
        "Last": True,
        "As text": True,
        "As page": True,
    }
    for way, number in (("Next", 2), ("Next", 3), ("Back", 2), ("Last", None), ("Back", None), ("First", 1)):
        before = step
        answer = await match.people[0].click(step, way)
        check_answer(answer)
        step = shown(answer)
        assert step is before, "the message is edited"
        assert number is None or f"step {number} of " in step.text
    for menu in [each for each in step.selects if each["placeholder"].startswith("Jump")]:
        option = menu["options"][-1]
        step = shown(await match.people[0].select(step, menu["custom_id"], [option["value"]]))
        assert f"step {int(option['value']) + 1} of " in step.text


@three_games_are_enough
async def test_the_whole_match_comes_as_text_and_as_a_page(match: Match, game: AnyGame) -> None:
    await finished(match)
    step = shown(await replay(match.people[0], match))
    answers = [await match.people[0].click(step, label) for label in ("As text", "As page")]
    as_text, as_page = [await content(match, answer) for answer in answers]
    for answer, file in zip(answers, (as_text, as_page), strict=True):
        assert ("Shown: every hand." in answer.text) == ("Shown: every hand." in file)
    assert as_text.startswith(f"{game.title} · match 1 · ")
    assert as_page.startswith("<!doctype html>")
    steps = int(step.text.partition(" of ")[2].split()[0])
    assert f"\n{steps}. " in as_text
    assert as_page.count("<li>") == steps


async def test_a_running_match_is_refused_whoever_asks_and_however(match: Match) -> None:
    await match.deal()
    board = await match.board()
    for person in (match.people[0], match.watcher):
        assert refusal_of(await replay(person, match)) == RUNNING.format(1)
        for custom_id in ("replay:1", "replay:1:all:3:next", "replay-text:1:all", "replay-page:1:public"):
            answer = await settled(match.here, await forged(person, board, custom_id))
            assert answer.text == RUNNING.format(1)
            assert shown(answer).files == []


async def test_a_watcher_sees_what_was_public_and_the_players_every_hand(match: Match) -> None:
    await finished(match)
    secret = "To Guest" if match.people[0].name.startswith("Guest") else f"To {match.people[0].name}"
    own = await content(
        match, await match.people[0].click(shown(await replay(match.people[0], match)), "As text")
    )
    step = shown(await replay(match.watcher, match))
    public = await content(match, await match.watcher.click(step, "As text"))
    assert secret in own
    assert "🔒" not in public
    assert "what was public" in step.text
    assert "/preferences" in step.text
    assert [each["placeholder"] for each in step.selects if "view" in each["custom_id"]] == []
    for custom_id in ("replay:1:all:2:next", "replay:1:0:2:next", "replay-text:1:all", "replay-page:1:1"):
        answer = await settled(match.here, await forged(match.watcher, step, custom_id))
        assert NOT_THIS_VIEW.format(1) in (answer.text, *(each.text for each in answer.followups))


async def test_everybody_sees_all_hands_when_everybody_who_played_allows_it(match: Match) -> None:
    await finished(match)
    for number, person in enumerate(match.people):
        assert "what was public" in shown(await replay(match.watcher, match)).text, number
        await set_preferences(person, match.here.room, replays="open")
    assert "every hand" in shown(await replay(match.watcher, match)).text
    assert "erased" in await erase(match.people[1], match.here)
    assert "what was public" in shown(await replay(match.watcher, match)).text


async def test_a_person_who_was_erased_has_no_name_in_a_replay_that_was_watched_before(match: Match) -> None:
    await finished(match)
    name = match.people[1].name
    before = shown(await replay(match.people[0], match))
    assert name in await content(match, await match.people[0].click(before, "As text"))
    await erase(match.people[1], match.here)
    after = await content(match, await match.people[0].click(before, "As text"))
    assert name not in after
    assert "former player" in after


async def test_a_player_chooses_a_point_of_view_and_stays_at_the_step(match: Match) -> None:
    await finished(match)
    alice = match.people[0]
    step = shown(await alice.click(shown(await replay(alice, match)), "Last"))
    (menu,) = [each for each in step.selects if each["placeholder"] == "Point of view"]
    names = [option["label"] for option in menu["options"]]
    assert names == ["Every hand", "What was public", *(f"As {p.name} saw it" for p in match.people)]
    for option in menu["options"][1:]:
        step = shown(await alice.select(step, "Point of view", [option["value"]]))
        assert option["label"].lower() in step.text.lower()
        assert not buttons(step)["Next"], "it is the last step still"


async def test_matches_of_another_server_do_not_exist_except_for_their_players(match: Match) -> None:
    await finished(match)
    other = match.box.guild("Elsewhere")
    there = other.channel("lounge")
    stranger = match.box.person("Stranger", other)
    assert refusal_of(await replay(stranger, match, place=there)) == NO_SUCH_MATCH
    for number in (99, 10**25):
        assert refusal_of(await replay(stranger, match, number, there)) == NO_SUCH_MATCH
    assert refusal_of(await replay(stranger, match, place=stranger.dms)) == NO_SUCH_MATCH
    assert "every hand" in shown(await replay(match.people[0], match, place=match.people[0].dms)).text


async def test_a_match_in_a_channel_that_one_may_not_read_is_private(match: Match) -> None:
    await finished(match)
    elsewhere = match.here.guild.channel("town-square")
    match.here.room.deny(match.watcher.user, Permission.VIEW_CHANNEL)
    assert refusal_of(await replay(match.watcher, match, place=elsewhere)) == PRIVATE.format(1)
    assert "every hand" in shown(await replay(match.people[0], match)).text


async def test_of_a_match_that_is_private_nobody_learns_more(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    await match.deal()
    elsewhere = match.here.guild.channel("town-square")
    match.here.room.deny(match.watcher.user, Permission.VIEW_CHANNEL)
    assert refusal_of(await replay(match.watcher, match, place=elsewhere)) == PRIVATE.format(1)
    await (await match.table()).close(CloseReason.VOTED)
    monkeypatch.setattr(type(TOY), "version", TOY.version + 1)
    assert refusal_of(await replay(match.watcher, match, place=elsewhere)) == PRIVATE.format(1)


async def test_a_replay_is_refused_in_time_while_discord_does_not_say_whether_the_channel_is_there(
    match: Match,
) -> None:
    await finished(match)
    elsewhere = match.here.guild.channel("town-square")
    match.here.room.delete()
    match.here.box.faults.add(Fault("GET", rf"^/channels/{match.here.room.id}$", times=5))
    answer = await replay(match.watcher, match, place=elsewhere)
    await match.box.until(lambda: answer.text)  # it may be deferred just then
    assert refusal_of(answer) == PRIVATE.format(1)


async def test_a_match_that_was_closed_is_replayed_if_it_was_dealt(match: Match) -> None:
    await match.deal()
    await match.step()
    await (await match.table()).close(CloseReason.VOTED)
    await match.rest()
    step = shown(await match.people[0].click(shown(await replay(match.people[0], match)), "Last"))
    assert "the table voted to end it" in step.text
    card = await open_table(match.here.room, f"{TOY.slug} start", match.people[0])
    await press_more(match.people[0], card, "Cancel")
    await match.rest()
    assert refusal_of(await replay(match.people[0], match, 2)) == NEVER_DEALT.format(2)


async def test_of_older_rules_the_players_get_the_moves_as_text(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    await finished(match)
    monkeypatch.setattr(type(TOY), "version", TOY.version + 1)
    answer = await replay(match.people[0], match)
    assert "have changed since match 1" in answer.text
    assert labels(shown(answer)) == ["As text"]
    text = await content(match, await match.people[0].click(shown(answer), "As text"))
    assert f"{match.people[0].name}: pick " in text
    assert refusal_of(await replay(match.watcher, match)) == PLAYERS_ONLY.format(TOY.title, 1)
    for custom_id in ("replay:1:all:2:next", "replay-page:1:all"):
        check_answer(await settled(match.here, await forged(match.people[0], shown(answer), custom_id)))


async def test_of_older_rules_everything_else_is_refused_with_a_sentence(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = await finished(match)
    monkeypatch.setattr(type(TOY), "version", TOY.version + 1)
    verified = await settled(match.here, await match.people[0].slash(match.here.room, "verify", match="1"))
    assert "have changed since match 1, so its deal cannot be computed again" in verified.text
    for custom_id in ("rematch:1", "hand:1", "rules:1"):
        refused = refusal_of(await match.people[0].press(end, custom_id))
        assert refused.startswith("The rules changed after match 1. Its result stands")


async def test_forged_steps_show_the_last_step_or_a_sentence(match: Match) -> None:
    await finished(match)
    step = shown(await replay(match.people[0], match))
    last = step.text.partition(" of ")[2].split()[0]
    answer = await forged(match.people[0], step, "replay:1:all:99999:next")
    assert f"step {last} of {last}" in answer.text
    for rest in (
        *("all:-1:next", "all::next", "all:x:next", "all:1", "all:1:2:3", "9:1:next", "ALL:1:next"),
        ":1:next",
    ):
        answer = await forged(match.people[0], step, f"replay:1:{rest}")
        check_answer(answer)
        assert "This button does not work any more" in answer.text, rest
    for values in (["x"], ["all:"], ["9:1"], ["-1"], ["all:1", "all:2"]):
        for name in ("jump", "view"):
            answer = await forged(match.people[0], step, f"replay:1:all:0:{name}", values)
            check_answer(answer)
            assert "This button does not work any more" in answer.text, (name, values)


async def test_in_text_only_hands_and_table_are_said_in_words(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await start_match(here, "palace start", alice, ben)
    table = await here.bot.tables.get(1)
    await table.close(CloseReason.VOTED)
    await here.rest()
    drawn = shown(await alice.slash(here.room, "replay", match="1"))
    assert kinds(drawn) == ["table", "hands"]
    await set_preferences(alice, here.room, pictures="text only")
    said = shown(await alice.slash(here.room, "replay", match="#1"))
    assert said.files == []
    assert "Hands, face up. Alice: " in said.text
    assert all(file["description"] in said.text for file in drawn.files)
    assert text_and_alt(drawn).count("Alice") == text_and_alt(said).count("Alice")


async def test_the_command_suggests_the_last_matches_here(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    await played(here, alice, ben, day=1)
    await played(here, alice, cleo, day=2, game="charms")
    await played(here, ben, cleo, day=3)
    elsewhere = here.box.guild("Elsewhere")
    await played(here, alice, ben, day=4, guild=elsewhere.id)

    async def offered(typed: str) -> list[str]:
        return [each["name"] for each in await alice.autocomplete(here.room, "replay", "match", typed)]

    assert [name.partition(" · ")[0] for name in await offered("")] == ["Charms", "Palace"]
    assert await offered("charm") == await offered("#2") == ["Charms · 23 Sep 2026 · match 2 · Alice, Cleo"]
    assert await offered("nothing like it") == []
    refusal = refusal_of(await alice.slash(here.room, "replay", match="the last one"))
    assert "by its number" in refusal


async def test_a_match_of_a_history_is_opened_from_its_menu(match: Match) -> None:
    await finished(match)
    alice = match.people[0]
    history = shown(await alice.slash(match.here.room, "history"))
    (menu,) = history.selects
    (option,) = menu["options"]
    assert option["label"].endswith(" · match 1")
    step = shown(await alice.select(history, menu["custom_id"], [option["value"]]))
    assert step is not history
    assert "match 1 · step 1 of " in step.text
    answer = await forged(alice, history, "replay-match:0", ["x"])
    assert "This button does not work any more" in answer.text


async def test_practice_in_a_private_thread_can_be_replayed_by_its_player_alone(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    alice.close_dms()
    solo = await practise(here, game="Palace")
    await solo.table.close(CloseReason.ASLEEP)
    assert "every hand" in shown(await alice.slash(here.room, "replay", match="1")).text
    assert refusal_of(await ben.slash(here.room, "replay", match="1")) == PRIVATE.format(1)
