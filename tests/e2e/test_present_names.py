"""Names on leaderboards, running seasons and profiles: the present ones, however Discord answers."""

import csv
import io
import time
from collections.abc import Sequence

import pytest

from bot.messages.member_names import AT_ONCE
from bot.standings.ratings import DAY
from bot.store import FORMER
from games.letters import ISOLATE
from sandbox import Message, Person
from sandbox.rest import Record
from tests.e2e.card_room import CardRoom
from tests.e2e.players import shown, text_and_alt
from tests.e2e.test_bad_names import FORBIDDEN
from tests.e2e.test_privacy import settled
from tests.e2e.test_profile import played
from tests.e2e.test_seasons import play
from tests.e2e.test_standings import board, crowd, finish

pytestmark = pytest.mark.usefixtures("quickly_settled")

MEMBER = r"^/guilds/\d+/members/\d+$"
IN_TIME = 3.0
"""Seconds that Discord allows for an answer."""
FAULTS = {
    "a 429 for an hour": {"status": 429, "retry_after": 3600},
    "a 500": {"status": 500},
    "no answer": {"status": None, "delay": 30},
    "a lost connection": {"status": 0},
    "a 403": {"status": 403},
}


def asked(here: CardRoom) -> Sequence[Record]:
    """Return the requests for members."""
    return [each for each in here.box.requests if each.template == "/guilds/{guild_id}/members/{user_id}"]


async def page(person: Person, here: CardRoom, game: str = "") -> str:
    return text_and_alt(await board(person, here, **({"game": game} if game else {})))


@pytest.mark.parametrize("game", ["", "Palace"])
async def test_a_renamed_member_has_the_new_name_and_one_who_left_is_a_former_member(
    here: CardRoom, game: str
) -> None:
    people = await crowd(here, 4)
    people[1].rename(here.guild, "Nicky")
    people[2].leave(here.guild)
    people[3].leave(here.guild)
    read = await page(people[0], here, game)
    assert "Nicky: " in read
    assert "former member: " in read
    assert "former member (2): " in read
    assert "Guest 01" not in read
    assert "<@" not in read
    assert len(asked(here)) == 3  # the caller's name came with the command


async def test_names_are_asked_for_once_and_at_most_ten_of_a_page(here: CardRoom) -> None:
    people = await crowd(here, 24)
    for turn in (1, 2):
        await page(people[0], here, "Palace")
        assert len(asked(here)) == AT_ONCE - 1, turn
    posted = await board(people[0], here, game="Palace")
    await people[0].click(posted, "Next")
    assert len(asked(here)) == AT_ONCE - 1 + AT_ONCE


@pytest.mark.parametrize("fault", FAULTS)
async def test_whatever_discord_answers_stored_names_come_in_time(here: CardRoom, fault: str) -> None:
    people = await crowd(here, 12)
    people[1].rename(here.guild, "Nicky")
    here.box.fail("GET", MEMBER, times=100, **FAULTS[fault])  # type: ignore[arg-type]
    for limit in (IN_TIME, 1.0):  # the second page does not wait again
        began = time.monotonic()
        read = await page(people[0], here, "Palace")
        assert time.monotonic() - began < limit
        assert "Guest 01: " in read
    assert len(asked(here)) == 0
    await finish(here, people[:2])
    assert await page(people[0], here)


async def test_a_global_429_does_not_stop_the_bot_after_it_is_over(here: CardRoom) -> None:
    people = await crowd(here, 4)
    here.box.fail("GET", MEMBER, 429, retry_after=2.0, everywhere=True)
    began = time.monotonic()
    await page(people[0], here)
    assert time.monotonic() - began < 2.0
    await here.bot.fetch_user(people[0].id)


async def test_names_are_harmless_and_erased_people_are_not_asked_for(here: CardRoom) -> None:
    people = await crowd(here, 8)
    hostile = [
        *("**`bold`**", "<@&1> @everyone", "\u202eevil", "\u2800", "محمد", "[a](https://b.c)", "__||x||__")
    ]
    for person, nick in zip(people[1:], hostile, strict=True):
        person.rename(here.guild, nick)
    await here.bot.tables.erase(people[7].id)
    read = await page(people[0], here, "Palace")
    assert not any(part in read for part in FORBIDDEN)
    assert f"{ISOLATE}محمد" in read
    assert FORMER in read
    assert len(asked(here)) == 6


async def test_a_profile_has_the_present_names_of_the_person_and_of_the_best_win(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    for day in range(30):
        await played(here, *((cleo, ben) if day % 3 == 0 else (ben, cleo)), day=day)
    await played(here, alice, ben, day=31)
    alice.rename(here.guild, "Queen")
    ben.rename(here.guild, "King")
    read = (await alice.slash(here.room, "profile")).text
    assert "### Queen" in read
    assert "**Best win** over King" in read
    assert "### King" in (await alice.slash(here.room, "profile", member=ben)).text


# As CSV


async def rows(here: CardRoom, person: Person, source: Message) -> list[list[str]]:
    """Press `As CSV`, and return the file's rows. Only this person sees it."""
    answer = await settled(here, await person.click(source, "As CSV"))
    assert answer.ephemeral
    (file,) = shown(answer).files
    assert file["filename"].endswith(".csv")
    content = here.box.world.files[int(file["id"])].decode("utf-8-sig")
    return [*csv.reader(io.StringIO(content))]


async def test_a_file_has_the_whole_board_with_the_names_that_are_known(here: CardRoom) -> None:
    people = await crowd(here, 24)
    people[0].rename(here.guild, "=Boss")
    for options, head in (({}, "Ahead of"), ({"game": "Palace"}, "Rating")):
        posted = await board(people[0], here, **options)
        before = len(asked(here))
        table = await rows(here, people[-1], posted)
        assert table[0] == ["Place", "Name", head, "Wins", "Matches"]
        assert len(table) == 25
        assert [row[0] for row in table[1:]] == sorted((row[0] for row in table[1:]), key=int)
        assert "'=Boss" in [row[1] for row in table]
        assert not any(str(person.id) in cell for person in people for row in table for cell in row)
        assert len(asked(here)) == before


async def test_a_season_and_the_board_of_all_servers_are_files_too(here: CardRoom) -> None:
    people = await crowd(here, 8)
    await here.bot.store.set_preference(people[1].id, "alias", "Zed")
    (head, row) = await rows(
        here,
        people[0],
        shown(await people[0].slash(here.room, "leaderboard", scope="everywhere", game="Palace")),
    )
    assert head == ["Place", "Name", "Rating", "Matches"]
    assert row[:2] == ["1", "Zed"]
    now, where = here.bot.time.now(), (here.guild.id, here.room.id)
    assert await here.bot.store.add_season(*where, "Autumn", now - 1, now + DAY)
    await play(here.bot.store, here.guild.id, people[:3], now, now)
    page = shown(await people[0].slash(here.room, "leaderboard", period="this season"))
    table = await rows(here, people[0], page)
    assert table[0] == ["Place", "Name", "Points", "Wins", "Matches"]
    assert len(table) == 4
