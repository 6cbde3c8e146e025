"""`/leaderboard`: pages by rating or by wins, opened where the caller stands; everybody turns pages for themselves."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from bot.standings.board import RECENT
from bot.standings.ratings import DAY
from bot.store.sqlite.store import SQLiteStore
from cogs.standings.text_table import _columns
from sandbox import Message, Permission, Person
from tests.e2e.card_room import CardRoom
from tests.e2e.match import refusal_of
from tests.e2e.players import labels, set_preferences, shown, text_and_alt
from tests.e2e.stored_matches import begin_match, end_match

pytestmark = pytest.mark.usefixtures("quickly_settled")

ENOUGH = 10
"""Number of rated matches after which a rating is settled."""


async def finish(here: CardRoom, people: Sequence[Person], *, ago: int = 0, rated: bool = True) -> None:
    """Store a finished match in which these people came first, second and so on."""
    store, guild, at = here.bot.store, here.guild.id, here.bot.time.now() - ago
    match = await begin_match(store, guild, people, at)
    await end_match(store, match, guild, people, at, rated=rated)


async def crowd(here: CardRoom, count: int) -> list[Person]:
    """Let new people play rated matches, always four at a table, the lowest numbers best. Return them best first."""
    people = [here.box.person(f"Guest {number:02}", here.guild) for number in range(count)]
    rng = Random(1)
    for _ in range(ENOUGH):
        for first in range(0, count, 4):
            await finish(here, people[first : first + 4])
    for _ in range(3 * count):
        await finish(here, [people[number] for number in sorted(rng.sample(range(count), 4))])
    return people


def in_turn(turn: int, *people: Person) -> list[Person]:
    """Return the people in another order at each turn."""
    first = turn % len(people)
    return [*people[first:], *people[:first]]


async def board(person: Person, here: CardRoom, **options: Any) -> Message:
    """Return the leaderboard that a person shows to everybody."""
    return shown(await person.slash(here.room, "leaderboard", **options, public=True))


async def test_it_opens_where_the_caller_stands_and_marks_them(here: CardRoom) -> None:
    people = await crowd(here, 24)
    last = await board(people[-1], here, game="Palace")
    assert "Leaderboard · Palace · all time · page 3 of 3" in last.text
    (picture,) = last.files
    assert f"{people[-1].name} (marked): rating" in picture["description"]
    assert f"{people[-1].name} is " in last.text
    assert " of 24." in last.text
    first = await board(people[0], here, game="Palace", period="30 days")
    assert "Palace · 30 days · page 1 of 3" in first.text
    assert picture["description"].count("marked") == 1
    assert not first.ephemeral
    assert shown(await people[0].slash(here.room, "leaderboard")).ephemeral


async def test_everybody_turns_pages_in_a_message_of_their_own(here: CardRoom) -> None:
    people = await crowd(here, 24)
    posted = await board(people[0], here, game="Palace")
    before = text_and_alt(posted)
    assert labels(posted) == ["Previous", "Next", "My place", "As CSV"]
    own = shown(await people[-1].click(posted, "Next"))
    assert own.ephemeral
    assert own is not posted
    assert "page 2 of 3" in own.text
    assert shown(await people[-1].click(own, "Next")) is own
    assert f"{people[-1].name} (marked)" in text_and_alt(own)
    assert shown(await people[-1].click(own, "Previous")) is own
    assert "page 2 of 3" in own.text
    assert shown(await people[-1].click(own, "My place")) is own
    assert "page 3 of 3" in own.text
    assert text_and_alt(posted) == before


async def test_nobody_is_ranked_by_rating_before_it_is_settled_and_the_caller_hears_what_is_missing(
    here: CardRoom,
) -> None:
    alice, ben, cleo, dana, eve = here.people
    for turn in range(6):
        await finish(here, in_turn(turn, alice, ben, eve))
    early = await board(alice, here, game="Palace")
    assert "– Alice (marked): rating 1" in text_and_alt(early)
    assert "Alice is not ranked yet. Missing: 4 more rated matches." in early.text
    for turn in range(4):
        await finish(here, in_turn(turn, alice, ben, eve))
    await finish(here, [cleo, dana], ago=RECENT + DAY)
    ranked = await board(cleo, here, game="Palace")
    assert "Missing: at least 9 more rated matches, one of them here within 30 days." in ranked.text
    (picture,) = ranked.files
    assert picture["description"].startswith("Palace · all time. 1. ")
    assert all(f"{person.name}: rating " in picture["description"] for person in (alice, ben, eve))
    assert "Cleo" not in picture["description"]


async def test_without_a_game_wins_in_all_games_count_within_the_period(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    await finish(here, [cleo, alice], ago=RECENT + DAY, rated=False)
    await finish(here, [alice, ben], rated=False)
    assert "– Cleo: ahead of 100%, wins 1, matches 1" in text_and_alt(await board(alice, here))
    recent = await board(cleo, here, period="30 days")
    assert (
        "All games · 30 days. – Alice: ahead of 100%, wins 1, matches 1. – Ben: ahead of 0%"
        in text_and_alt(recent)
    )
    assert "Cleo is not ranked yet. Missing: 5 more finished matches here within 30 days." in recent.text
    assert labels(recent) == ["My place", "As CSV"]
    month = await alice.select(await board(alice, here), "leaderboard-menu:0:period", [":month:mine"])
    assert "All games · 30 days" in shown(month).text
    empty = await board(alice, here, game="Palace")
    assert "No rated match has been finished here yet" in empty.text
    assert "Missing: at least 10 more rated matches, one of them here within 30 days." in empty.text
    empty = await board(alice, here, game="Palace", period="30 days")
    assert "No rated match has been finished here in the last 30 days" in empty.text


async def test_as_text_it_is_a_table_that_fits_a_phone(here: CardRoom) -> None:
    people = await crowd(here, 12)
    here.room.deny(here.box.world.bot, Permission.ATTACH_FILES)
    for wants in ("pictures", "text only"):
        await set_preferences(people[0], here.room, pictures=wants)
        page = await board(people[0], here, game="Palace")
        assert page.files == []
        _, table, _ = page.text.split("```")
        lines = table.strip("\n").splitlines()
        assert len(lines) == 11
        assert max(map(_columns, lines)) <= 34
        assert sum(line.lstrip().startswith(">") for line in lines) == 1
        here.room.allow(here.box.world.bot, Permission.ATTACH_FILES)


async def test_an_unreadable_database_is_said_in_a_sentence(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await finish(here, [alice, ben])
    page, store = await board(alice, here), here.bot.store
    assert isinstance(store, SQLiteStore)
    await store._writer.write(lambda db: db.execute("ALTER TABLE results RENAME TO lost"))
    for options in ({}, {"game": "Palace"}):
        answer = await ben.slash(here.room, "leaderboard", **options)
        assert "cannot be read from the database" in refusal_of(answer)
    assert "cannot be read from the database" in refusal_of(await ben.click(page, "My place"))
