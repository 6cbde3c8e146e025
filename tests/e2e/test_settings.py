"""`/settings season`: seasons that begin on a later day, and the role that manages seasons."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot.standings.ratings import DAY
from sandbox import Answer, Permission, Person
from tests.e2e.card_room import CardRoom
from tests.e2e.match import refusal_of
from tests.e2e.players import shown, text_and_alt
from tests.e2e.test_seasons import begin, finals, pass_by, played, the_season
from tests.e2e.test_settings_panel import delete_role, steward

# Planned seasons


def day(here: CardRoom, days: int) -> str:
    """Return a day, counted from today, as `from:` takes it."""
    return (datetime.fromtimestamp(here.bot.time.now() / 1000, UTC) + timedelta(days)).strftime("%Y-%m-%d")


async def plan(here: CardRoom, name: str, first: int, days: int) -> Answer:
    """Let Alice, who manages the server, plan a season that begins in `first` days."""
    alice = here.people[0]
    here.guild.grant(alice.user, Permission.MANAGE_GUILD)
    return await alice.slash(
        here.room, "settings season start", name=name, days=days, **{"from": day(here, first)}
    )


async def test_a_planned_season_begins_at_midnight_utc_and_says_so_before(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    planned = shown(await plan(here, "Winter", 9, 10))
    season = await the_season(here)
    assert season.starts % DAY == 0
    assert season.ends == season.starts + 10 * DAY
    assert datetime.fromtimestamp(season.starts / 1000, UTC).strftime("%Y-%m-%d") == day(here, 9)
    assert not planned.ephemeral
    assert planned.text.startswith("### Season Winter is planned\nIt begins <t:")
    await played(here, alice, ben)  # before the season: does not count
    for options in ({"season": "Winter"}, {"period": "this season"}):
        page = shown(await ben.slash(here.room, "leaderboard", **options))
        assert f"begins <t:{season.starts // 1000}:R>" in page.text
        assert "Each rated match gives" in page.text
    await pass_by(here, season.starts - here.bot.time.now())
    await played(here, ben, alice)
    page = shown(await ben.slash(here.room, "leaderboard", period="this season"))
    assert "1. Ben (marked): points 100, wins 1, matches 1" in text_and_alt(page)
    assert f"ends <t:{season.ends // 1000}:R>" in page.text


async def test_seasons_are_planned_in_a_row_but_do_not_overlap(here: CardRoom) -> None:
    await begin(here, days=5)
    assert "Season Autumn goes on until <t:" in refusal_of(await plan(here, "Winter", 4, 5))
    assert "Winter is planned" in (await plan(here, "Winter", 20, 5)).text
    assert "Spring is planned" in (await plan(here, "Spring", 25, 5)).text
    assert "Easter is planned" in (await plan(here, "Easter", 10, 10)).text
    refused = refusal_of(await plan(here, "Summer", 8, 3))
    assert "Season Easter begins <t:" in refused
    assert "before this one would end" in refused
    refused = refusal_of(await plan(here, "Summer", 29, 3))
    assert "Season Spring goes on until" in refused
    page = shown(await here.people[1].slash(here.room, "leaderboard", period="this season"))
    assert "### Season Autumn" in page.text


async def test_a_planned_season_is_deleted_once_and_its_name_and_time_are_free(here: CardRoom) -> None:
    alice = here.people[0]
    await plan(here, "Winter", 9, 10)
    ends = [alice.slash(here.room, "settings season end", season="winter") for _ in range(2)]
    said = sorted(answer.text for answer in await asyncio.gather(*ends))
    assert said[0].startswith("Season Winter had not begun. It is deleted")
    assert said[1].startswith("Season Winter was deleted already") or "no season of that name" in said[1]
    assert await here.bot.store.seasons(here.guild.id) == []
    assert "Winter is planned" in (await plan(here, "Winter", 9, 10)).text
    await pass_by(here, 25 * DAY)
    await here.box.until(lambda: len(finals(here.box)) == 1)


async def test_a_day_that_cannot_be_the_first_is_refused(here: CardRoom, manager: Person) -> None:
    no_date = "year, month and day"
    for typed, reason in (
        *((typed, no_date) for typed in ("tomorrow", "2026-13-01", "2026-02-30", "1.12.2026")),
        *((typed, no_date) for typed in ("2026-12-01T10:00", "@everyone **x**")),
        ("0001-01-01", "That day is over"),
        ("9999-12-31", "too far ahead"),
    ):
        answer = await manager.slash(
            here.room, "settings season start", name="Winter", days=3, **{"from": typed}
        )
        assert reason in refusal_of(answer), typed
        assert await here.bot.store.seasons(here.guild.id) == []


async def test_a_season_from_today_begins_now_and_one_from_yesterday_is_refused(here: CardRoom) -> None:
    assert "That day is over" in refusal_of(await plan(here, "Winter", -1, 3))
    before = here.bot.time.now()
    assert "Winter has begun" in (await plan(here, "Winter", 0, 3)).text
    season = await the_season(here)
    assert before <= season.starts <= here.bot.time.now()
    assert season.ends == season.starts + 3 * DAY


async def test_first_days_are_suggested(here: CardRoom, manager: Person) -> None:
    choices = await manager.autocomplete(here.room, "settings season start", "from", "")
    assert [each["name"].split(" (")[1] for each in choices] == [
        *("tomorrow, 0:00 UTC)", "next Monday, 0:00 UTC)", "the first of next month, 0:00 UTC)")
    ]
    assert choices[0]["value"] == day(here, 1)
    monday, *_ = await manager.autocomplete(here.room, "settings season start", "from", "MON")
    answer = await manager.slash(
        here.room, "settings season start", name="Winter", days=3, **{"from": monday["value"]}
    )
    assert "Winter is planned" in answer.text


# The role


@pytest.mark.usefixtures("manager", "commands_for_all")
async def test_a_role_manages_seasons_while_it_is_named(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    role = steward(here, ben)
    season = {"name": "Winter", "days": 3}
    assert "permission Manage Server can change" in refusal_of(
        await ben.slash(here.room, "settings season start", **season)
    )
    said = await alice.slash(here.room, "settings season role", role=role)
    assert said.ephemeral
    assert f"Members of <@&{role.id}> may now start, end and rename seasons." in said.text
    assert "Server Settings, Integrations" in said.text
    assert "Winter has begun" in (await ben.slash(here.room, "settings season start", **season)).text
    renamed = await ben.slash(here.room, "settings season rename", season="Winter", name="Frost")
    assert "is called Frost now" in renamed.text
    refused = refusal_of(await cleo.slash(here.room, "settings season end", season="Frost"))
    assert f"Manage Server and members of <@&{role.id}> can change" in refused
    refused = refusal_of(await ben.slash(here.room, "settings season role", role=role))
    assert "permission Manage Server can do this" in refused
    assert "No role may change seasons now" in (await alice.slash(here.room, "settings season role")).text
    refused = refusal_of(await ben.slash(here.room, "settings season end", season="Frost"))
    assert "permission Manage Server can change" in refused


@pytest.mark.usefixtures("manager", "commands_for_all")
async def test_a_role_that_was_deleted_lets_nobody_in_and_is_not_named(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    role = steward(here, ben)
    await alice.slash(here.room, "settings season role", role=role)
    await delete_role(here, role)
    refused = refusal_of(await ben.slash(here.room, "settings season start", name="Winter", days=3))
    assert "Only people with the permission Manage Server can change its seasons." in refused
    assert (
        "Winter has begun"
        in (await alice.slash(here.room, "settings season start", name="Winter", days=3)).text
    )


async def test_everyone_and_a_role_of_another_server_are_refused(here: CardRoom, manager: Person) -> None:
    everyone = here.guild.roles[here.guild.id]
    refused = refusal_of(await manager.slash(here.room, "settings season role", role=everyone))
    assert "Everybody has the role @everyone" in refused
    foreign = here.box.guild("Elsewhere").role("Owners", Permission(0))
    refused = refusal_of(await manager.slash(here.room, "settings season role", role=foreign))
    assert "This server has no such role" in refused
    assert (await here.bot.store.guild_settings(here.guild.id)).season_role is None
