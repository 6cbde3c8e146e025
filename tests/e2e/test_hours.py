"""`/hours`: people who sleep, are away, let the bot learn their hours, and read one message a day."""

import asyncio
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.error_codes import INVALID_FORM, MISSING_ACCESS, NETWORK_FAILED, OPENING_TOO_FAST
from bot.match.zones import meant
from bot.store import Hours
from cogs.hours.cog import Hours as HoursCog
from cogs.hours.cog import back_on
from cogs.hours.digest import LOOK
from cogs.hours.panel import soon
from sandbox import Channel, Message, Person
from sandbox.faults import Fault
from tests.bot.store.stores import rows
from tests.e2e.card_room import CardRoom, connected_bot, without_a_bot
from tests.e2e.match import refusal_of
from tests.e2e.players import bid, deal, labels, modal_of, open_table, shown
from tests.e2e.test_forged import submitted
from tests.held import failing, held

ZONE = "Africa/Abidjan"
"""A zone with the clocks of UTC, which never change."""
HOUR = 3600.0
FILE = "palmhouse.sqlite3"


def hour(here: CardRoom, ahead: int = 0) -> int:
    """Return the hour of the day now, or some hours later."""
    return (datetime.fromtimestamp(here.box.clock.now(), UTC).hour + ahead) % 24


async def set_hours(here: CardRoom, person: Person, begins: int, ends: int) -> Message:
    """Let somebody be awake from some hours ahead until others."""
    begin, end = hour(here, begins), hour(here, ends)
    return shown(await person.slash(here.room, "hours", zone=ZONE, **{"from": begin, "until": end}))


async def next_hour(here: CardRoom) -> None:
    """Wait until some minutes after the next hour has begun."""
    now = here.box.clock.now()
    await asyncio.sleep((now // HOUR + 1) * HOUR + 120 - now)


async def digest_hour(here: CardRoom) -> None:
    """Let time pass until some minutes after the next hour has begun. Only the last of them are waited for, as what
    looks for messages of a day goes by the clock; a call in the morning has a timer of its own."""
    await here.later(max(0.0, HOUR - 120 - here.box.clock.now() % HOUR))
    await next_hour(here)


async def hours_later(here: CardRoom, hours: float) -> None:
    """Let time pass without waiting for it, and the bot notice."""
    await here.later(hours * HOUR)
    await asyncio.sleep(60)


def calls(person: Person, place: Channel) -> list[Message]:
    """Return the messages of a place that mentioned somebody."""
    return [each for each in person.pings if each.channel is place]


async def choose_digest(here: CardRoom, person: Person, ahead: int) -> Message:
    panel = shown(await person.slash(here.room, "hours"))
    return shown(await person.select(panel, "digest:0", [str(hour(here, ahead))]))


async def await_digest(here: CardRoom, person: Person | None = None) -> Person:
    """Let somebody, or Ben, be awake from now on, and get one message a day in an hour."""
    person = person or here.people[1]
    await set_hours(here, person, 0, 20)
    await choose_digest(here, person, 1)
    return person


def digests(person: Person) -> list[str]:
    return [each.text for each in person.dms.messages() if "for you\n" in each.text]


async def test_a_panel_shows_the_hours_and_what_follows(here: CardRoom) -> None:
    ben = here.people[1]
    assert "You have set none" in shown(await ben.slash(here.room, "hours")).text
    panel = shown(await ben.slash(here.room, "hours", zone="berlin", **{"from": 18, "until": 24}))
    assert panel.ephemeral
    assert "**Europe/Berlin**, where it is " in panel.text
    assert "🌙 You answer from 18:00 to 24:00\n" in panel.text
    assert "`Learn my hours` counts the hours of the day in which you use my commands" in panel.text
    assert labels(panel) == ["Change", "Learn my hours", "Forget all"]
    (menu,) = panel.selects
    assert [each["value"] for each in menu["options"]] == ["off", *map(str, range(18, 24))]
    panel = shown(await ben.slash(here.room, "hours", until=2))
    assert "18:00 to 2:00" in panel.text
    older = shown(await ben.slash(here.room, "hours", **{"from": 19}))
    assert "19:00 to 2:00" in older.text
    panel = shown(await ben.slash(here.room, "hours", **{"from": 0, "until": 24}))
    assert "No hours: you are called day and night" in panel.text
    assert "You have set none" in shown(await ben.click(panel, "Forget all")).text
    assert await here.bot.store.hours([ben.id]) == {}
    assert "You have set no hours" in refusal_of(await ben.click(older, "Learn my hours"))


async def test_hours_are_set_in_a_form_that_has_those_that_stand(here: CardRoom) -> None:
    ben = here.people[1]
    panel = shown(await ben.slash(here.room, "hours"))
    form = modal_of(await ben.click(panel, "Set my hours"))
    night = {"Time zone": "berlin", "Awake from": ["18:00"], "Awake until": ["23:00"]}
    refused = refusal_of(await ben.submit(form, night | {"Time zone": "Atlantis"}))
    assert re.search("There is no time zone Atlantis.* into .*/hours.* zone:", refused), (
        "the form has no list"
    )
    panel = shown(await ben.submit(form, night))
    assert "**Europe/Berlin**, where it is " in panel.text
    assert "🌙 You answer from 18:00 to 23:00\n" in panel.text
    back = datetime.fromtimestamp(here.box.clock.now() + 10 * 86_400, UTC).date()
    form = modal_of(await ben.click(panel, "Change"))
    panel = shown(await ben.submit(form, {"Awake until": ["24:00"], "Away, and back on": f"{back}"}))
    assert "🌙 You answer from 18:00 to 24:00\n" in panel.text
    assert f"Away, and back on {back.day} {back:%b %Y};" in panel.text
    for forged in ([], ["UTC", "24", "9", ""], ["UTC", "9", "25", ""], ["UTC", "x", "9", ""], ["UTC"] * 9):
        assert "does not work" in refusal_of(await submitted(ben, panel, "hours-with:0", forged))


async def test_zones_are_found_by_a_part_of_their_names(here: CardRoom) -> None:
    ben = here.people[1]
    found = await ben.autocomplete(here.room, "hours", "zone", "berl")
    assert [each["value"] for each in found] == ["Europe/Berlin"]
    assert len(await ben.autocomplete(here.room, "hours", "zone", "")) == 25
    assert (await ben.autocomplete(here.room, "hours", "zone", "new yo"))[0]["value"] == "America/New_York"
    assert await ben.autocomplete(here.room, "hours", "zone", "Atlantis") == []
    days = await ben.autocomplete(here.room, "hours", "away", "")
    assert len(days) == 11


WINTER, SUMMER = (int(datetime(2026, month, 15, tzinfo=UTC).timestamp() * 1000) for month in (1, 7))


@pytest.mark.parametrize(
    ("typed", "now", "first"),
    [
        ("CET", WINTER, "Europe/Berlin"),
        ("cest", WINTER, "Europe/Berlin"),
        ("EST", SUMMER, "America/New_York"),
        ("UTC+2", WINTER, "Europe/Athens"),
        ("GMT +02:00", SUMMER, "Europe/Berlin"),
        ("-5", WINTER, "America/New_York"),
        ("UTC+99", WINTER, None),
        ("Berlin", WINTER, None),
    ],
)
def test_a_name_of_clocks_means_large_cities_where_they_go_so(
    typed: str, now: int, first: str | None
) -> None:
    assert next(iter(meant(typed, now)), None) == first


async def test_a_name_of_clocks_is_suggested_as_a_city(here: CardRoom) -> None:
    found = await here.people[1].autocomplete(here.room, "hours", "zone", "est")
    assert found[0]["value"] == "America/New_York"
    assert "Europe/Bucharest" in {each["value"] for each in found}


@pytest.mark.parametrize(
    ("now", "tomorrow"),
    [
        ("2026-10-24T22:30Z", "2026-10-26"),
        ("2027-03-27T22:30Z", "2027-03-28"),
        ("2027-02-28T12:00Z", "2027-03-01"),
    ],
)
def test_the_days_to_be_back_begin_with_tomorrow_though_the_clocks_change(now: str, tomorrow: str) -> None:
    at, berlin = int(datetime.fromisoformat(now).timestamp() * 1000), Hours("Europe/Berlin")
    days = soon(berlin, at)
    assert days[0] == tomorrow
    assert [back_on(berlin, day, at) for day in days] == sorted({back_on(berlin, day, at) for day in days})


async def test_utc_is_a_zone_and_a_day_is_read_as_it_is_shown(here: CardRoom) -> None:
    ben = here.people[1]
    away = datetime.fromtimestamp(here.box.clock.now() + 10 * 86_400, UTC).date()
    for typed in (f"{away.day} {away:%b %Y}", f" {away:%d %b %Y} ".lower(), f"{away}", f"{away:%d.%m.%Y}"):
        panel = shown(await ben.slash(here.room, "hours", zone="utc", away=typed))
        assert "**UTC**, where it is " in panel.text
        assert f"Away, and back on {away.day} {away:%b %Y};" in panel.text
        await ben.click(panel, "Forget all")


NO_HOURS: tuple[tuple[dict[str, object], str], ...] = (
    ({"from": 18, "until": 23}, "Name your time zone first"),
    ({"zone": "Atlantis"}, "There is no time zone Atlantis. Type a large city"),
    ({"zone": "a"}, "There is no time zone a."),
    ({"zone": "europe"}, "There is no time zone europe. Type a large city"),
    ({"zone": "../../etc/passwd"}, "There is no time zone"),
    (
        {"zone": "CET"},
        "There is no time zone CET. Press the one whose clocks are yours, or type a large city",
    ),
    ({"zone": "CET", "away": "tomorrow"}, "tomorrow is no day that I can read."),
    ({"zone": "Berlin", "from": 9}, "Give both"),
    ({"zone": "Berlin", "from": 9, "until": 9}, "From 9 until 9 are no hours. Choose two that differ"),
    (
        {"zone": "Berlin", "from": 22, "until": 1},
        "At least 4 hours a day are needed, or others would wait too long for you. These are 3.",
    ),
    (
        {"zone": "Berlin", "away": "tomorrow"},
        "tomorrow is no day that I can read. Write the day on which you are back, such as 2026-12-24",
    ),
    ({"zone": "Berlin", "away": "2026-02-30"}, "2026-02-30 is no day"),
    ({"zone": "Berlin", "away": "24.13.2026"}, "24.13.2026 is no day"),
    ({"zone": "Berlin", "away": "24.12.2020"}, "That day has begun already"),
    ({"zone": "Berlin", "away": "2020-01-01"}, "That day has begun already. Choose a later one"),
    ({"zone": "Berlin", "away": "9999-12-31"}, "That is too far ahead: a table waits at most 30 days"),
    ({"zone": "Berlin", "away": "99999-12-31"}, "99999-12-31 is no day"),
)


@pytest.mark.parametrize(
    ("typed", "zones"),
    [
        ("CET", ["Europe/Berlin"]),
        ("utc +5:30", ["Asia/Kolkata"]),
        ("est", ["America/New_York"]),
        ("UTC-3:30", []),
        ("Buenos Aires", ["America/Argentina/Buenos_Aires", "America/Buenos_Aires"]),
    ],
)
async def test_in_place_of_an_unknown_zone_those_that_may_be_meant_are_one_press_away(
    here: CardRoom, typed: str, zones: list[str]
) -> None:
    ben = here.people[1]
    back = datetime.fromtimestamp(here.box.clock.now() + 10 * 86_400, UTC).date()
    given = {"from": 18, "until": 24, "away": f"{back:%d.%m.%Y}"}
    refused = await ben.slash(here.room, "hours", zone=typed, **given)
    assert "There is no time zone" in refusal_of(refused)
    assert labels(shown(refused)) == zones
    for zone in zones:
        panel = shown(await ben.press(shown(refused), f"hours-with:0:{zone},18,24,{back}"))
        assert f"**{zone}**, where it is " in panel.text
        assert "🌙 You answer from 18:00 to 24:00\n" in panel.text
        assert f"Away, and back on {back.day} {back:%b %Y};" in panel.text


async def test_a_zone_offered_after_the_form_keeps_what_was_filled_in(here: CardRoom) -> None:
    ben = here.people[1]
    panel = shown(await ben.slash(here.room, "hours"))
    form = modal_of(await ben.click(panel, "Set my hours"))
    night = {"Time zone": "CET", "Awake from": ["18:00"], "Awake until": ["23:00"]}
    offered = shown(await ben.submit(form, night))
    assert "You have set none" in panel.text, "a refusal leaves the panel as it was"
    panel = shown(await ben.click(offered, "Europe/Berlin"))
    assert panel is offered
    assert "🌙 You answer from 18:00 to 23:00\n" in panel.text
    for forged in ("", "Europe/Berlin", "UTC,24,9,", "UTC,9,25,", "UTC,x,9,", "UTC,9,,,"):
        assert "does not work" in refusal_of(await ben.press(panel, f"hours-with:0:{forged}"))


async def test_what_are_no_hours_is_refused(here: CardRoom) -> None:
    ben = here.people[1]
    for options, said in NO_HOURS:
        assert said in refusal_of(await ben.slash(here.room, "hours", **options))
        assert await here.bot.store.hours([ben.id]) == {}, options


async def test_who_sleeps_is_called_in_the_morning_once_and_others_read_when(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    await set_hours(here, ben, 1, 8)
    place = await deal(here, 3, pace="correspondence")
    assert [len(calls(each, place)) for each in (alice, ben, cleo)] == [1, 0, 1]
    table = next(each for each in place.messages() if "answers usually" in each.text)
    begin = int((here.box.clock.now() // HOUR + 1) * HOUR)
    assert f"-# 🌙 Ben answers usually between <t:{begin}:t> and <t:{begin + 7 * 3600}:t>." in table.text
    await bid(place, alice, cleo)
    await here.rest()
    assert calls(ben, place) == []
    await next_hour(here)
    (called,) = calls(ben, place)
    assert f"time ends <t:{begin + 24 * 3600}:R>" in called.text
    await hours_later(here, 1)
    await bid(place, ben)
    assert len(calls(ben, place)) == 1


async def test_a_restart_in_the_night_forgets_no_call_and_makes_none_twice(tmp_path: Path) -> None:
    async with without_a_bot() as (box, room, *people):
        async with connected_bot(box, tmp_path / FILE) as bot:
            here = CardRoom(box, bot, room.guild, room, people)
            await set_hours(here, here.people[1], 1, 12)
            place = await deal(here, 2, pace="correspondence")
        for has_called in (False, True):
            async with connected_bot(box, tmp_path / FILE):
                await (asyncio.sleep(600) if has_called else next_hour(here))
                assert len(calls(here.people[1], place)) == 1
            await asyncio.sleep(60)


async def test_a_call_that_discord_takes_hours_late_waits_for_the_morning(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2, pace="correspondence")
    await set_hours(here, ben, 2, 1)
    here.box.faults.add(Fault("POST", rf"^/channels/{place.id}/messages$", 503, times=10_000))
    await bid(place, ben, alice)
    await hours_later(here, 1)
    here.box.faults.clear()
    await asyncio.sleep(600)
    assert len(calls(ben, place)) == 1, "for his bid"
    await next_hour(here)
    assert len(calls(ben, place)) == 2


async def test_who_goes_away_is_waited_for_and_called_on_their_return(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2, pace="correspondence")
    table = await here.bot.tables.get(1)
    before = table.deadlines[1]
    away = datetime.fromtimestamp(here.box.clock.now() + 10 * 86_400, UTC).date()
    panel = shown(await ben.slash(here.room, "hours", zone=ZONE, away=f"{away:%d.%m.%Y}"))
    assert (
        f"Away, and back on {away.day} {away:%b %Y}; a table waits at most 30 days for a move of yours"
        in panel.text
    )
    assert table.deadlines[1] > before + 9 * 86_400_000
    await here.rest()
    back = int(datetime(away.year, away.month, away.day, tzinfo=UTC).timestamp())
    assert any(f"🌙 Ben is away until <t:{back}:f>." in each.text for each in alice.sees(place))
    assert "I'm back" in labels(panel)
    panel = shown(await ben.click(panel, "I'm back"))
    assert "Away" not in panel.text
    assert table.deadlines[1] < before + 3_600_000
    await here.rest()
    assert not any("is away" in each.text for each in alice.sees(place))


async def test_a_live_table_calls_at_any_time(here: CardRoom) -> None:
    ben = here.people[1]
    await set_hours(here, ben, 5, 12)
    place = await deal(here, 2)
    assert len(calls(ben, place)) == 1
    assert not any("answers usually" in each.text for each in ben.sees(place))


# One message a day


async def test_one_message_a_day_comes_in_place_of_calls(here: CardRoom) -> None:
    _, ben, *_ = here.people
    await set_hours(here, ben, 0, 20)
    panel = await choose_digest(here, ben, 1)
    assert "📬 One message a day at " in panel.text
    assert len(ben.dms.messages()) == 1, "that says where it comes"
    place = await deal(here, 2, pace="correspondence")
    assert calls(ben, place) == []
    assert digests(ben) == []
    await hours_later(here, 1)
    (said,) = digests(ben)
    assert said.startswith("### 📬 1 table waits for you\n[Twin Palms · table 1](https://")
    await hours_later(here, 1)
    assert len(digests(ben)) == 1
    assert calls(ben, place) == []
    await hours_later(here, 13)
    (reminder,) = calls(ben, place)
    assert "⏰" in reminder.text, "before their time ends they are called all the same"
    await hours_later(here, 10)
    assert len(digests(ben)) == 2


async def test_a_later_hour_counts_on_a_day_that_has_had_no_message(here: CardRoom) -> None:
    ben = await await_digest(here)
    await hours_later(here, 1)
    assert digests(ben) == [], "no table waited"
    await choose_digest(here, ben, 1)
    await deal(here, 2, pace="correspondence")
    await hours_later(here, 1)
    assert len(digests(ben)) == 1
    await choose_digest(here, ben, 1)
    await hours_later(here, 1)
    assert len(digests(ben)) == 1


async def test_one_message_a_day_is_sent_once_though_the_bot_restarts(tmp_path: Path) -> None:
    async with without_a_bot() as (box, room, *people):
        async with connected_bot(box, tmp_path / FILE) as bot:
            here = CardRoom(box, bot, room.guild, room, people)
            await await_digest(here)
            await deal(here, 2, pace="correspondence")
        box.clock.advance(HOUR)
        for _ in range(2):
            async with connected_bot(box, tmp_path / FILE):
                await asyncio.sleep(120)
            assert len(digests(here.people[1])) == 1


@pytest.mark.parametrize(("set_at", "begins", "back_at"), [(22.5, -2, 24.2), (1.5, -5, 20.5)])
async def test_a_message_of_a_day_that_was_missed_comes_later_in_its_window_alone(
    tmp_path: Path, set_at: float, begins: int, back_at: float
) -> None:
    async with without_a_bot() as (box, room, *people):
        box.clock.advance((set_at * HOUR - box.clock.now()) % (24 * HOUR))
        async with connected_bot(box, tmp_path / FILE) as bot:
            here = CardRoom(box, bot, room.guild, room, people)
            await set_hours(here, ben := people[1], begins, 6)
            await choose_digest(here, ben, 1)
            await deal(here, 2, pace="correspondence")
        box.clock.advance((back_at - set_at) * HOUR)
        async with connected_bot(box, tmp_path / FILE):
            await asyncio.sleep(600)
            assert len(digests(ben)) == (back_at > 24)
            for _ in range(6):
                await hours_later(here, 1)
            assert len(digests(ben)) == 1


async def test_a_message_of_a_day_comes_after_an_outage_of_discord(here: CardRoom) -> None:
    ben = await await_digest(here)
    await deal(here, 2, pace="correspondence")
    path = rf"^/channels/{ben.dms.id}/messages$"
    here.box.faults.add(Fault("POST", path, 403, times=20, code=NETWORK_FAILED))
    await digest_hour(here)
    await asyncio.sleep(1200)
    assert len(digests(ben)) == 1


@pytest.mark.parametrize("after", [False, True])
async def test_a_message_of_a_day_whose_receipts_are_lost_comes_once(here: CardRoom, after: bool) -> None:
    ben = await await_digest(here)
    await deal(here, 2, pace="correspondence")
    here.box.faults.add(Fault("POST", rf"^/channels/{ben.dms.id}/messages$", 500, times=20, after=after))
    await digest_hour(here)
    ben.dms.nonces.clear()
    await asyncio.sleep(600)
    assert len(digests(ben)) == 1


async def test_a_message_of_a_day_that_was_not_noted_is_found_again(
    here: CardRoom, caplog: pytest.LogCaptureFixture
) -> None:
    ben = await await_digest(here)
    await deal(here, 2, pace="correspondence")
    with failing(here.bot.store, "note_digest"):
        await digest_hour(here)
        ben.dms.nonces.clear()
        await asyncio.sleep(600)
    assert len(digests(ben)) == 1
    assert caplog.text.count("is sent later: The disk is full.") == 1, "not at each try"
    await asyncio.sleep(60)
    assert (await here.bot.store.hours([ben.id]))[ben.id].digested > 0
    assert len(digests(ben)) == 1


async def test_a_table_that_cannot_be_read_keeps_no_message_about_others_from_anybody(
    here: CardRoom, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    alice, ben, cleo, *_ = here.people
    for person in (alice, ben):
        await await_digest(here, person)
    for person in (alice, ben, alice):
        card = await open_table(here.room, "twin-palms start", person, cleo, pace="correspondence")
        await person.click(card, "Start")
    await here.rest()
    rows(tmp_path / FILE, "UPDATE log SET kind = 'nonsense' WHERE match = 1")
    here.bot.tables.forget(await here.bot.tables.get(1))
    await hours_later(here, 1)
    assert (len(digests(alice)), len(digests(ben))) == (1, 1)
    assert "1 table waits for you" in digests(alice)[0]
    assert "'nonsense', is of an unknown kind" in caplog.text


async def test_no_message_is_sent_when_no_table_waits(here: CardRoom) -> None:
    ben = await await_digest(here)
    await hours_later(here, 1)
    assert digests(ben) == []
    await deal(here, 2, pace="correspondence")
    await hours_later(here, 1)
    assert digests(ben) == [], "their hour is over"


async def test_who_wants_no_message_of_a_day_any_more_gets_none(here: CardRoom) -> None:
    ben = await await_digest(here)
    await deal(here, 2, pace="correspondence")
    here.box.faults.add(fault := Fault("GET", rf"^/channels/{ben.dms.id}/messages", None, delay=30))
    await here.later(HOUR - here.box.clock.now() % HOUR)
    await here.box.until(lambda: not fault.times, timeout=60)
    panel = shown(await ben.slash(here.room, "hours"))
    await ben.select(panel, "digest:0", ["off"])
    await asyncio.sleep(120)
    assert digests(ben) == []


async def test_who_chooses_a_later_hour_as_others_are_written_to_gets_their_message_then(
    here: CardRoom,
) -> None:
    ben = await await_digest(here)
    cog = here.bot.get_cog("Hours")
    assert isinstance(cog, HoursCog)
    async with held(cog._digests, "_waiting"):
        await choose_digest(here, ben, 1)  # an hour later, as the first one has come
    await deal(here, 2, pace="correspondence")
    await hours_later(here, 1)
    assert len(digests(ben)) == 1


async def test_hours_that_are_set_while_one_chooses_an_hour_for_messages_are_kept(here: CardRoom) -> None:
    ben = here.people[1]
    await set_hours(here, ben, 0, 20)
    here.box.faults.add(Fault("POST", rf"^/channels/{ben.dms.id}/messages$", None, delay=2))
    choosing = asyncio.create_task(choose_digest(here, ben, 1))
    await asyncio.sleep(1)
    await set_hours(here, ben, 0, 10)
    await choosing
    await asyncio.sleep(5)
    kept = (await here.bot.store.hours([ben.id]))[ben.id]
    assert (kept.ends, kept.digest) == (hour(here, 10), hour(here, 1))


async def test_who_takes_no_direct_messages_is_told_at_once(here: CardRoom) -> None:
    ben = here.people[1]
    panel = await set_hours(here, ben, 0, 20)
    ben.close_dms()
    answer = await ben.select(panel, "digest:0", [str(hour(here, 2))])
    assert "I cannot write to you, so nothing was changed" in refusal_of(answer)
    assert (await here.bot.store.hours([ben.id]))[ben.id].digest is None


async def test_who_takes_no_direct_messages_any_more_is_not_told_that_calls_are_back(here: CardRoom) -> None:
    ben = await await_digest(here)
    ben.close_dms()
    panel = shown(await ben.slash(here.room, "hours"))
    answer = await ben.select(panel, "digest:0", [str(hour(here, 2))])
    assert "nothing was changed" in (told := refusal_of(answer))
    assert "you are called" not in told, "the message of a day stands, until it is refused"


async def test_who_closes_their_direct_messages_later_is_called_again_and_reads_why(here: CardRoom) -> None:
    ben = await await_digest(here)
    await deal(here, 2, pace="correspondence")
    ben.close_dms()
    await hours_later(here, 1)
    await hours_later(here, 1)
    place = f"/channels/{ben.dms.id}/messages"
    tries = [each for each in here.box.requests if (each.method, each.path) == ("POST", place)]
    assert [each.status for each in tries] == [200, 403], "it is not tried each minute"
    panel = shown(await ben.slash(here.room, "hours"))
    assert "was refused by your direct messages: you are called again" in panel.text
    assert len(calls(ben, await deal(here, 2, pace="correspondence"))) == 1


async def test_more_people_than_discord_lets_the_bot_begin_to_write_to_at_once_get_their_messages(
    here: CardRoom,
) -> None:
    people = [here.box.person(f"P{each}", here.guild) for each in range(14)]
    for two in zip(people[::2], people[1::2], strict=True):
        await deal(CardRoom(here.box, here.bot, here.guild, here.room, [*two]), 2, pace="correspondence")
    for each in people:
        await set_hours(here, each, 0, 20)
        await here.bot.tables.set_hours(each.id, lambda kept: kept and replace(kept, digest=hour(here, 1)))
    await digest_hour(here)
    assert [len(digests(each)) for each in people] == [1] * 14
    assert not any(each.undelivered for each in (await here.bot.store.all_hours()).values())


async def test_whoever_could_not_be_written_to_keeps_nobody_else_waiting(here: CardRoom) -> None:
    people = [here.box.person(f"P{each}", here.guild) for each in range(4)]
    for two in (people[:2], people[2:]):
        await deal(CardRoom(here.box, here.bot, here.guild, here.room, two), 2, pace="correspondence")
    for each in people:
        await set_hours(here, each, 0, 20)
        await here.bot.tables.set_hours(each.id, lambda kept: kept and replace(kept, digest=hour(here, 1)))
    refused = Fault("POST", "^/users/@me/channels$", 403, code=OPENING_TOO_FAST, times=4)
    here.box.faults.add(refused)
    await here.later(HOUR - 120 - here.box.clock.now() % HOUR)
    await here.box.until(lambda: refused.times == 3, timeout=240)
    await asyncio.sleep(5)
    assert refused.times == 3, "Discord would refuse all others, too"
    refused.times = 0
    await digest_hour(here)
    first, *others = [each.dms.messages()[0].id for each in sorted(people, key=lambda each: each.id)]
    assert first > max(others)


async def test_who_is_one_too_many_for_discord_just_now_is_not_told_to_allow_direct_messages(
    here: CardRoom,
) -> None:
    ben = here.people[1]
    panel = await set_hours(here, ben, 0, 20)
    here.box.faults.add(Fault("POST", "^/users/@me/channels$", 403, code=OPENING_TOO_FAST))
    answer = await ben.select(panel, "digest:0", [str(hour(here, 2))])
    assert "nothing was changed. Try again in a minute" in refusal_of(answer)


@pytest.mark.parametrize(("status", "code"), [(403, MISSING_ACCESS), (400, INVALID_FORM)])
async def test_a_refusal_that_says_nothing_about_a_person_ends_no_message_of_a_day(
    here: CardRoom, status: int, code: int
) -> None:
    ben = await await_digest(here)
    await deal(here, 2, pace="correspondence")
    here.box.faults.add(Fault("POST", rf"^/channels/{ben.dms.id}/messages$", status, code=code))
    await digest_hour(here)
    assert len(digests(ben)) == 1


async def test_a_message_of_a_day_is_for_hours_in_which_one_is_awake(here: CardRoom) -> None:
    ben = here.people[1]
    panel = await set_hours(here, ben, 0, 8)
    answer = await ben.press(panel, "digest:0", 3, values=[str(hour(here, 9))])
    assert refusal_of(answer)
    await choose_digest(here, ben, 2)
    panel = await set_hours(here, ben, 4, 12)
    assert f"One message a day at {hour(here, 4)}:00" in panel.text, "it moves with the hours"
    panel = shown(await ben.slash(here.room, "hours", **{"from": 0, "until": 24}))
    answer = await ben.press(panel, "digest:0", 3, values=["24"])
    assert "does not work any more" in refusal_of(answer), "no day has such an hour"


# Learning


async def test_hours_are_learned_and_count_once_their_person_says_so(here: CardRoom) -> None:
    ben = here.people[1]
    panel = await set_hours(here, ben, 0, 23)
    panel = shown(await ben.click(panel, "Learn my hours"))
    assert "Your hours are being learned" in panel.text
    await asyncio.sleep(LOOK)
    first = hour(here)
    for _ in range(8):
        for _ in range(2):
            await ben.slash(here.room, "help")
            here.box.clock.advance(HOUR)
        here.box.clock.advance(22 * HOUR)
    panel = shown(await ben.slash(here.room, "hours"))
    window = next(label for label in labels(panel) if label.startswith("Use "))
    assert f"You act mostly from {window.removeprefix('Use ')}" in panel.text
    panel = shown(await ben.click(panel, window))
    assert f"You answer from {window.removeprefix('Use ')}" in panel.text
    kept = (await here.bot.store.hours([ben.id]))[ben.id]
    assert kept.begins is not None
    assert (first - kept.begins) % 24 < 4
    panel = shown(await ben.click(panel, "Stop learning"))
    assert (await here.bot.store.hours([ben.id]))[ben.id].acts is None
    here.box.clock.advance(HOUR)  # this one was counted before
    await ben.slash(here.room, "help")
    await asyncio.sleep(1)  # it would be counted beside the answer
    assert (await here.bot.store.hours([ben.id]))[ben.id].acts is None


def habit(begins: int) -> list[int]:
    """Return counts of acts in four hours of the day alone."""
    return [100 * ((each - begins) % 24 < 4) for each in range(24)]


async def test_the_hours_that_a_button_names_are_set_though_others_were_learned_since(here: CardRoom) -> None:
    ben = here.people[1]
    await ben.click(await set_hours(here, ben, 0, 20), "Learn my hours")
    await here.bot.store.set_acts(ben.id, habit(8))
    panel = shown(await ben.slash(here.room, "hours"))
    await here.bot.store.set_acts(ben.id, habit(14))
    panel = shown(await ben.click(panel, "Use 8:00 to 12:00"))
    assert "You answer from 8:00 to 12:00" in panel.text
    assert "Use 14:00 to 18:00" in labels(panel)


async def test_an_older_panel_forgets_nothing_that_was_learned(here: CardRoom) -> None:
    ben = here.people[1]
    older = await set_hours(here, ben, 0, 20)
    panel = shown(await ben.slash(here.room, "hours"))
    await ben.click(panel, "Learn my hours")
    await here.bot.store.set_acts(ben.id, habit(8))
    assert "You act mostly from 8:00 to 12:00" in shown(await ben.click(older, "Learn my hours")).text


async def test_a_zone_that_is_gone_stops_no_table(here: CardRoom) -> None:
    ben = here.people[1]
    await here.bot.tables.set_hours(ben.id, lambda _: Hours("Europe/Atlantis", 3, 12))
    place = await deal(here, 2, pace="correspondence")
    assert any("Ben" in each.text for each in place.messages())
    assert "Europe/Atlantis" in shown(await ben.slash(here.room, "hours")).text
