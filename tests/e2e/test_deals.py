"""Sealed deals: the commitment on the card, `Cut`, seats drawn by lot, and `/verify` with its file. As in production,
every table has a random secret."""

import re
import runpy
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.hosting.backup import back_up, restore, silent
from bot.store import Preset
from cogs.verify import CHECKER
from games import AnyGame
from sandbox import Answer, Message, Permission, Person
from tests.e2e.card_room import QUICK, CardRoom, card_room, connected_bot, without_a_bot
from tests.e2e.match import SHORT, check_answer, every_game, refusal_of
from tests.e2e.players import labels, latest, leave, modal_of, open_table, press_more, shown, some_move
from tests.e2e.test_privacy import settled

SEALED = re.compile(r"^-# 🔒 Sealed ([0-9a-f]{6})…", re.MULTILINE)
WORDS = "Your words: 1 to 40 characters"
"""Label of the field for a cut."""


@pytest.fixture
async def here(file: Path) -> AsyncIterator[CardRoom]:
    """A sandbox with the bot, which chooses its secrets itself."""
    async with card_room(file, times=replace(QUICK, computer=(0, 1)), extra_cogs=("tests.toy.cog",)) as room:
        yield room


async def cut(here: CardRoom, person: Person, card: Message, words: str) -> Answer:
    """Cut with the button and its modal, and wait for the receipt."""
    modal = modal_of(await press_more(person, card, "Cut"))
    explained, first, seal = modal.body["components"]
    assert first["label"] == WORDS, "what a client shows first is where people type"
    assert explained["content"].count(".") == 2
    assert explained["content"].startswith("Your words change the seats and the deal. "), "also of dice"
    assert seal["component"]["value"] == await seal_of(person, card), "it can be copied in the modal"
    answer = await person.submit(modal, {WORDS: words})
    check_answer(answer)
    await here.rest()
    return answer


async def seal_of(person: Person, card: Message) -> str:
    """Return the whole seal of a lobby, whose beginning is on the card."""
    found = re.search("^[0-9a-f]{64}$", shown(await person.click(card, "More")).text, re.MULTILINE)
    assert found is not None
    assert found[0].startswith(sealed(card))
    return found[0]


async def forged_cut(person: Person, card: Message, words: str) -> Answer:
    """Send the modal with words that Discord would not let the person type."""
    modal = modal_of(await press_more(person, card, "Cut"))
    _, line, _ = modal.body["components"]
    assert line["component"]["max_length"] == 40
    line["component"] |= {"max_length": 4_000, "required": False, "min_length": 0}
    return await person.submit(modal, {WORDS: words})


async def verify(person: Person, here: CardRoom, match: int | str = 1, place: Any = None) -> Answer:
    """Use `/verify` and wait for its answer."""
    return await settled(here, await person.slash(place or here.room, "verify", match=str(match)))


def content_of(here: CardRoom, answer: Answer) -> bytes:
    """Return the deal file of an answer. The script and the seals must be attached, too."""
    check_answer(answer)
    seals, deal, script = shown(answer).files
    assert here.box.world.files[int(seals["id"])].startswith(b"opened: ")
    assert here.box.world.files[int(script["id"])] == CHECKER.read_bytes()
    content: bytes = here.box.world.files[int(deal["id"])]
    return content


def check_by_script(content: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `verify.py` check a deal file. Raises SystemExit if something is wrong."""
    path = folder / "deal.json"
    path.write_bytes(content)
    monkeypatch.setattr(sys, "argv", ["verify.py", str(path)])
    runpy.run_path(str(CHECKER), run_name="__main__")


def sealed(card: Message) -> str:
    """Return the beginning of the seal, as it is on a card."""
    found = SEALED.search(card.text)
    assert found is not None, card.text
    return found[1]


async def finish(here: CardRoom, match: int = 1) -> None:
    """Play a match to its end."""
    table = await here.bot.tables.get(match)
    rng = Random(match)
    while table.is_open:
        state = table.state
        due = state.due()
        if due is not None and not state.awaited():
            await here.later(max(0.0, due / 1000 - here.box.clock.now()))
            await here.box.until(lambda n=state.n: table.state.n > n)  # type: ignore[misc]
            continue
        seat, action = some_move(state, rng)
        text = state.game.text(action)
        if state.strength_at(seat):
            await table.answer(seat, state.prompts[seat], text)
        else:
            await table.play(state.players[seat].user, [text], table.clock.now())
    await here.rest()


# Whole matches


async def test_no_lobby_names_who_gets_a_seat_that_is_drawn(here: CardRoom) -> None:
    """In Twin It! designs are forbidden for a seat. Presets of before 0.2.0 name one."""
    alice, *others = here.people[:4]
    card = await open_table(here.room, "twin-it start", alice, mode="forbidden")
    menus = {each["custom_id"] for each in shown(await press_more(alice, card, "Options")).selects}
    assert ("option:1:mode" in menus, "option:1:barred" in menus) == (True, False)
    old = Preset(0, here.guild.id, "Old", "twin-it", '{"mode":"forbidden","barred":1}', "live")
    await here.bot.store.add_preset(old, 1)
    card = shown(await alice.click(shown(await alice.slash(here.room, "play")), "Old"))
    assert "three designs are forbidden for whoever draws seat 2" in card.text
    for person in others:
        await person.click(card, "Join")
    await alice.click(card, "Start")
    await here.rest()
    state = (await here.bot.tables.get(2)).state
    assert f"are forbidden for {state.players[1].name}." in latest(alice, here.thread(card), "Flip").text


@every_game
async def test_the_deal_of_every_game_can_be_checked(
    game: AnyGame,
    here: CardRoom,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    alice, ben, *_, eve = here.people
    card = await open_table(here.room, f"{game.slug} start", alice, ben, **SHORT.get(game.slug, {}))
    least = game.seats((await here.bot.tables.get(1)).state.options).start
    for person in here.people[2:least]:
        await person.click(card, "Join")
    copied = await seal_of(eve, card)
    said = (await cut(here, eve, card, "blue lamp 4711")).text
    assert "If anything changes in this lobby after that, cut again." in said, "other options are a step, too"
    assert "✂️ Cut by Eve: blue lamp 4711" in card.text
    seal = await seal_of(eve, card)
    await alice.click(card, "Start")
    await here.rest()
    assert copied != seal
    assert seal.startswith(sealed(card)), "it stays on the card during the match"
    early = await verify(ben, here)
    assert "Match 1 is not over" in refusal_of(early)
    assert not shown(early).files
    await finish(here)
    answer = await verify(ben, here)
    assert "❌" not in answer.text
    assert all(part in answer.text for part in (seal, "1 cut", "**Not proved: who cut.**", "**Decks:**"))
    deal = content_of(here, answer)
    check_by_script(deal, tmp_path, monkeypatch)
    said = capsys.readouterr().out
    assert f": {copied}\nholds: cut ['blue lamp 4711']: {seal}\n" in said
    assert f"After your cut nothing came.\n-# {copied}" in (await verify(eve, here)).text
    assert not any(str(person.id) in deal.decode() or person.name in deal.decode() for person in here.people)
    place = here.box.world.channel((await here.bot.tables.get(1)).match.place or 0)
    pressed = await settled(here, await ben.click(latest(ben, place, "Verify"), "Verify"))
    assert content_of(here, pressed) == deal


async def test_a_lobby_of_a_backup_has_another_deal_than_its_match_had(file: Path) -> None:
    """People may have seen all its cards before the restore."""
    async with without_a_bot() as (box, room, alice, ben):
        async with connected_bot(box, file) as bot:
            card = await open_table(room, "twin-palms start", alice, ben)
            await cut(CardRoom(box, bot, room.guild, room, [alice, ben]), ben, card, "blue lamp 4711")
            seal = await seal_of(ben, card)
            await back_up(file, backup := file.with_name("backup.sqlite3"), silent)
            await alice.click(card, "Start")
            seen = (await bot.tables.get(1)).state.seed
        await restore(file, backup, silent)
        async with connected_bot(box, file) as bot:
            await box.until(lambda: "restored a backup" in card.text)
            assert "✂️ Cut by Ben: blue lamp 4711" in card.text
            assert await seal_of(ben, card) != seal
            await alice.click(card, "Start")
            assert (await bot.tables.get(1)).state.seed != seen


async def test_others_get_the_checks_but_not_the_cards_unless_all_players_allow_it(here: CardRoom) -> None:
    alice, ben, *_, eve = here.people
    card = await open_table(here.room, "palace start", alice, ben)
    await alice.click(card, "Start")
    await finish(here)
    answer = await verify(eve, here)
    assert "✅ **Decks:**" in answer.text
    assert "**The file shows all hands**" in answer.text
    (seals,) = shown(answer).files
    *_, last = here.box.world.files[int(seals["id"])].decode().splitlines()
    table = await here.bot.tables.get(1)
    assert last == f"join: {table.state.seal}", "the whole chain is no secret"
    assert table.state.seed not in answer.text
    for person in (alice, ben):
        assert len(shown(await verify(eve, here)).files) == 1
        await here.bot.store.set_preference(person.id, "replays", "open")
    assert content_of(here, await verify(eve, here))


# Who may see it


async def test_unknown_and_foreign_tables_and_other_peoples_practice_are_one_refusal(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    lounge = here.box.guild("Elsewhere").channel("lounge")
    lounge.guild.add(ben.user)
    foreign = await open_table(lounge, "palmer start", ben)
    await press_more(ben, foreign, "Cancel")
    answer = await ben.slash(here.room, "practice", game="Palmer")
    await here.box.until(lambda: "is ready" in answer.text)
    await leave(ben, ben.dms)
    await here.rest()
    for match in (1, 2, 3, 10**11):
        assert refusal_of(await verify(alice, here, match)).startswith("There is no such match."), match
        assert refusal_of(await verify(alice, here, match, alice.dms)).startswith("There is no such match.")
    for match, place in ((1, lounge), (1, ben.dms), (2, here.room), (2, ben.dms)):
        assert len(shown(await verify(ben, here, match, place)).files) == 3


async def test_a_table_in_a_channel_that_one_does_not_see_is_an_unknown_table(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    hidden = here.guild.channel("hidden")
    card = await open_table(hidden, "palmer start", alice)
    await press_more(alice, card, "Cancel")
    hidden.deny(ben.user, Permission.VIEW_CHANNEL)
    assert "no such match" in refusal_of(await verify(ben, here))
    assert shown(await verify(alice, here)).files


async def test_a_deal_without_a_secret_has_no_seal_to_check(tmp_path: Path) -> None:
    async with card_room(tmp_path / "old.sqlite3", seed=lambda: "5e" * 16) as here:
        alice, *_ = here.people
        card = await open_table(here.room, "palmer start", alice)
        assert "Cut" not in labels(shown(await alice.click(card, "More")))
        assert "Sealed" not in card.text
        assert "the same for everybody" in refusal_of(await alice.press(card, "cut:1"))
        await press_more(alice, card, "Cancel")
        assert "The deal of match 1 was not sealed" in refusal_of(await verify(alice, here))


async def test_the_option_suggests_the_last_matches_of_the_caller(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice, ben, rounds=1)
    await alice.click(card, "Start")
    await finish(here)
    for typed in ("", "1", "#1", "palms", "ben"):
        suggested = await alice.autocomplete(here.room, "verify", "match", typed)
        assert suggested == await alice.autocomplete(here.room, "replay", "match", typed)
        assert [each["value"] for each in suggested] == ["1"]
        assert " · match 1 · " in suggested[0]["name"]
    assert "by its number" in refusal_of(await verify(alice, here, "one"))
    assert await cleo.autocomplete(here.room, "verify", "match", "") == []


# Cutting


async def test_markdown_mentions_and_right_to_left_marks_are_shown_as_plain_text(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "palmer start", alice)
    check_answer(await forged_cut(ben, card, f"**b** <@{alice.id}>"))
    check_answer(await forged_cut(alice, card, "\u202e@everyone\n# big [x](http://y)"))
    await here.rest()
    assert "Cut by Ben: ∗∗b∗∗ ‹＠" in card.text
    assert "Cut by Alice: ＠everyone ＃ big ［x］（http：//y）" in card.text
    assert not card.pings
    assert "\u202e" not in card.text


async def test_the_largest_lobby_with_the_longest_cuts_fits_a_message(here: CardRoom) -> None:
    people = [here.box.person("W" * 32, here.guild) for _ in range(16)]
    card = await open_table(here.room, "palace start", *people[:8])
    for person in reversed(people):
        await cut(here, person, card, "W" * 40)
    assert card.text.count("✂️") == 16
    assert len(card.text) < 4_000
