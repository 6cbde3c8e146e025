"""`/profile` and `/history`: numbers that open the matches they count, of this server only, whatever is clicked."""

import re
from typing import Any

import pytest

from bot.messages.panel import MOST_TEXT
from sandbox import Answer, Message, Permission, Person
from sandbox.components import STRING_SELECT
from tests.e2e.card_room import CardRoom
from tests.e2e.match import check_answer, refusal_of
from tests.e2e.players import shown
from tests.e2e.stored_matches import PALACE, begin_match, end_match
from tests.held import held

pytestmark = pytest.mark.usefixtures("quickly_settled")

DAY = 86_400_000
START = 1_790_000_000_000


async def played(
    here: CardRoom, *people: Person, guild: int | None = None, day: int = 0, game: str = PALACE, **more: Any
) -> int:
    """Store a finished, rated match of these people. `more`: as `end_match` takes it, and facts of the first person."""
    store, at, place = here.bot.store, START + day * DAY, here.guild.id if guild is None else guild
    known = {name: more.pop(name) for name in ("placings", "names", "computers") if name in more}
    match = await begin_match(store, place, people, at, game=game, channel=here.room.id)
    await end_match(store, match, place, people, at, game=game, facts=more, **known)
    await store.update_match(match, place=here.room.id)
    return match


def options(message: Message) -> dict[str, str]:
    """Return the values of the options in the menu of a profile, by label."""
    (menu,) = message.selects
    return {each["label"]: each["value"] for each in menu["options"]}


async def opened(person: Person, profile: Message, label: str) -> Message:
    """Choose an option in the menu of a profile and return the history that opens."""
    (menu,) = profile.selects
    return shown(await person.select(profile, menu["custom_id"], [options(profile)[label]]))


# Profile


async def test_a_profile_is_shown_although_its_person_erases_themselves_meanwhile(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await played(here, alice, ben)
    async with held(
        here.bot.store, "_read", alice.slash(here.room, "profile", member=ben), after=True
    ) as asking:
        await here.bot.tables.erase(ben.id)
    check_answer(await asking)
    assert refusal_of(await alice.slash(here.room, "profile", member=ben)).startswith("Ben has not finished")


async def test_a_profile_says_what_a_person_has_played(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    await played(here, alice, ben, cleo, day=1)
    await played(here, ben, alice, day=2)
    await played(here, alice, ben, day=3, game="charms")
    await played(here, alice, cleo, day=4)
    answer = await alice.slash(here.room, "profile")
    assert answer.ephemeral
    for command in ("profile", "history"):
        assert not (await alice.slash(here.room, command, public=True)).ephemeral
        refused = refusal_of(await ben.slash(here.room, command, member=alice, public=True))
        assert refused.startswith("You can show your own to everybody")
    assert re.match(
        r"### Alice\n\*\*Rating\*\* Palace 1\d{3}\? · Charms 1\d{3}\?\n-# \? still uncertain", answer.text
    )
    assert "**4 matches**, 3 won" in answer.text
    assert "**Favourite games** Palace 3 · Charms 1" in answer.text
    assert "**Wins in a row** now 2 · longest 2" in answer.text
    assert "With you" not in answer.text
    assert shown(answer).files == []


async def test_a_profile_of_a_game_has_chart_placings_and_facts(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await played(here, alice, ben, day=1, game="charms", bids=9, exact=4, exact_run=3, tricks=12)
    charted = shown(await alice.slash(here.room, "profile", game="Charms")).files
    assert charted == [], "a chart needs two rated matches"
    await played(here, ben, alice, day=2, game="charms")
    await played(here, alice, ben, day=9, game="charms", bids=9, exact=5, exact_run=2, tricks=9)
    answer = await alice.slash(here.room, "profile", game="Charms")
    assert "### Alice · Charms" in answer.text
    assert "**Placings** 1st 2 · 2nd 1" in answer.text
    assert "- 9 of 18 bids hit exactly\n- Exact bids in a row: 3\n- Tricks won: 21" in answer.text
    (chart,) = shown(answer).files
    assert chart["description"].startswith("Rating: Alice · Charms. 3 rated matches, ")
    for word in ("First ", "highest ", "lowest ", "last ", "Trend: "):
        assert word in chart["description"]


async def test_a_profile_has_no_chart_where_pictures_are_not_allowed(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    for day in range(2):
        await played(here, alice, ben, day=day)
    here.room.deny(here.box.world.bot, Permission.ATTACH_FILES)
    page = shown(await alice.slash(here.room, "profile", game="Palace", public=True))
    assert page.files == []
    assert "Rating: Alice · Palace. 2 rated matches, " in page.text


async def test_somebody_elses_profile_is_for_the_caller_alone_and_compares_the_two(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    await played(here, alice, ben, cleo, day=1)
    await played(here, ben, alice, day=2)
    await played(here, alice, cleo, day=3)
    await played(here, alice, ben, cleo, day=4, placings=(1, 1, 3))
    answer = await ben.slash(here.room, "profile", member=alice)
    assert answer.ephemeral
    assert "**With you** 3 matches: Alice placed higher in 1, you in 1, level 1" in answer.text
    for label, number in (
        ("With you: 3", 3),
        ("With you, you placed higher: 1", 1),
        ("With you, you placed lower: 1", 1),
    ):
        assert f"### Alice · {number} match" in (await opened(ben, shown(answer), label)).text
    assert (
        "**With you** no match yet" in (await here.people[3].slash(here.room, "profile", member=alice)).text
    )


async def test_the_best_win_is_over_the_highest_rated_person_who_is_settled(here: CardRoom) -> None:
    alice, ben, cleo, dana, *_ = here.people
    for day in range(30):
        await played(here, *((dana, ben) if day % 3 == 0 else (ben, dana)), day=day)
    await played(here, cleo, dana, day=31)
    await played(here, alice, cleo, day=32)
    await played(here, alice, dana, day=33)
    await played(here, alice, ben, day=34)
    answer = await alice.slash(here.room, "profile")
    assert "**Best win** over Ben (" in answer.text
    assert "2nd Ben" in (await opened(alice, shown(answer), "Best win")).text


async def test_every_number_opens_the_matches_that_it_counts(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    for day, (first, second) in enumerate(((alice, cleo), (alice, ben), (ben, alice), (alice, cleo))):
        await played(here, first, second, day=day, piles_taken=day % 2 * 2, plays_in_a_row=3 + day)
    panel = shown(await alice.slash(here.room, "profile", game="Palace"))
    counts = {label: (await opened(alice, panel, label)).text.splitlines()[0] for label in options(panel)}
    assert counts == {
        "All matches: 4": "### Alice · 4 matches",
        "1st place: 3": "### Alice · 3 matches",
        "2nd place: 1": "### Alice · 1 match",
        "Present wins in a row: 1": "### Alice · 1 match",
        "Longest wins in a row: 2": "### Alice · 2 matches",
        "Rated in Palace": "### Alice · 4 matches",
        "Piles taken: 4, in 2 matches": "### Alice · 2 matches",
        "Plays in a row: 6": "### Alice · 1 match",
    }


# History


async def test_a_history_has_eight_matches_a_page_and_turns(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    for day in range(18):
        await played(here, *((alice, ben) if day % 2 else (ben, alice)), day=day, computers=day % 3)
    answer = await alice.slash(here.room, "history")
    page = shown(answer)
    assert page.ephemeral
    assert page.text.startswith("### Alice · 18 matches\n-# All games\n<t:")
    assert page.text.count("<t:") == 8
    assert f"<t:{(START + 17 * DAY) // 1000}:d> **Palace** · [see the table](" in page.text
    assert "**1st Alice**, 2nd Ben, with 2 computers" in page.text
    assert "Page 1 of 3" in page.text
    assert await turned(alice, page, "Next") == "Page 2 of 3"
    assert await turned(alice, page, "Next") == "Page 3 of 3"
    assert page.text.count("<t:") == 2
    assert f"<t:{START // 1000}:d>" in page.text
    assert "first rating " in page.text
    assert await turned(alice, page, "Previous") == "Page 2 of 3"


async def turned(person: Person, page: Message, button: str) -> str:
    assert shown(await person.click(page, button)) is page
    return next(line.removeprefix("-# ") for line in page.text.splitlines() if "Page" in line)


async def test_a_personal_record_is_marked_unless_it_was_reached_again(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    for day, run in enumerate((4, 2, 4, 0, 5)):
        await played(here, alice, ben, game="charms", day=day, exact_run=run, highest_exact=3)
    page = (await alice.slash(here.room, "history")).text
    assert re.findall(r"(?:★ )?exact bids in a row: \d", page) == [
        "★ exact bids in a row: 5",
        *(f"exact bids in a row: {run}" for run in (4, 2, 4)),
    ]
    assert page.count("★") == 2  # the other one is the legend
    assert page.endswith("-# ★ personal record")


async def test_a_page_of_the_longest_names_fits_into_a_message(here: CardRoom) -> None:
    people = [here.box.person("W" * 20, here.guild) for _ in range(8)]
    for day in range(17):
        await played(here, *people, day=day, largest_pile=52, plays_in_a_row=52)
    page = shown(await people[0].slash(here.room, "history"))
    assert len(page.text) < MOST_TEXT
    assert "(8)" in page.text


async def test_names_are_printed_as_plain_text(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await played(here, alice, ben, names=("**`@everyone`**", f"<@{ben.id}> [x](https://evil.example)"))
    for command in ("profile", "history"):
        text = (await ben.slash(here.room, command, member=alice)).text
        assert not any(part in text for part in ("@everyone", "<@", "](https://evil"))
        assert str(alice.id) not in text


# What is refused


async def test_without_a_match_there_is_a_sentence(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    for command in ("profile", "history"):
        own = await alice.slash(here.room, command)
        assert own.ephemeral
        assert own.text.startswith("You have not finished a match with other people on this server yet.")
        other = await alice.slash(here.room, command, member=ben, game="Palace")
        assert other.text.startswith(
            "Ben has not finished a match of Palace with other people on this server"
        )
        answer = await alice.slash(here.room, command, member=here.box.world.bot)
        assert answer.text.startswith("A bot has no results.")


async def test_another_servers_matches_are_never_shown(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    elsewhere = here.box.guild("Elsewhere")
    await played(here, alice, ben, guild=elsewhere.id)
    assert "You have not finished" in (await alice.slash(here.room, "history")).text
    await played(here, ben, alice, day=1)
    answer = await alice.slash(here.room, "profile", game="Palace")
    assert "**1 match**, none won" in answer.text
    assert "### Alice · 1 match\n" in (await opened(alice, shown(answer), "Rated in Palace")).text
    assert "**1 match**, 1 won" in (await ben.slash(here.room, "profile")).text


async def test_in_direct_messages_people_see_their_own_matches_of_all_servers_only(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    elsewhere = here.box.guild("Elsewhere")
    await played(here, alice, ben, guild=elsewhere.id)
    await played(here, alice, ben)
    answer = await alice.slash(alice.dms, "profile")
    assert answer.ephemeral
    assert "**2 matches**, 2 won" in answer.text
    assert "### Alice · 2 matches" in (await opened(alice, shown(answer), "All matches: 2")).text
    refused = await alice.slash(alice.dms, "history", member=ben)
    assert refused.text.startswith("Here you see your own matches only.")
    forged = await alice.press(shown(answer), f"history:0:{ben.id}:0:all")
    assert "does not work any more" in forged.text


async def test_a_forged_page_is_refused(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await played(here, alice, ben)
    page = shown(await alice.slash(here.room, "history"))
    for rest in (
        *("", "{me}", "{me}:0", "{me}:-1:all", "{me}:x:all", "{me}:\u0663:all"),
        *("{me}:99999999999999999999:all", "-1:0:all", "x:0:all", "99999999999999999999:0:all"),
        *("{me}:0:gchess", "{me}:0:rchess", "{me}:0:fexact", "{me}:0:gpalace,fexact"),
        *("{me}:0:gpalace,fpiles_taken,vx", "{me}:0:v3", "{me}:0:a1", "{me}:0:p1,gpalace", "{me}:0:p1,p1"),
        *("{me}:0:p01", "{me}:0:z1", "{me}:0:p9223372036854775808", "{me}:0:all,p1", "{me}:0:,"),
    ):
        answer = await alice.press(page, f"history:0:{rest.format(me=alice.id)}")
        assert_refused(answer)
        value = rest.format(me=alice.id).rpartition(":")[2]
        if value not in ("all", "0", str(alice.id)):
            values: dict[str, Any] = {"values": [value or "x"]}
            assert_refused(await alice.press(page, f"matches:0:{alice.id}", STRING_SELECT, **values))


def assert_refused(answer: Answer) -> None:
    assert answer.ephemeral
    assert "does not work any more" in answer.text


async def test_forged_pages_that_could_exist_show_only_matches_of_this_server(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await played(here, alice, ben)
    await played(here, alice, ben, guild=here.box.guild("Elsewhere").id, day=1)
    page = shown(await alice.slash(here.room, "history"))
    last = await alice.press(page, f"history:0:{alice.id}:{10**9}:all")
    assert "### Alice · 1 match\n" in last.text
    others = await alice.press(page, f"history:0:{ben.id}:0:all")
    assert "### Ben · 1 match\n" in others.text
    nobody = await alice.press(page, "history:0:123456:0:s-5,u99")
    assert "### no matches\n-# All games · " in nobody.text
    assert "There is no such match." in nobody.text
