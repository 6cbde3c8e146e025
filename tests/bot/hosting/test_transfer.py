"""`python -m bot export` and `import`: standings arrive whole or not at all, and erased people stay erased."""

import asyncio
import errno
import json
import os
import signal
import stat
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.hosting.recount import recount
from bot.hosting.standings_file import DAY, LATEST, FileRefused, _check_placings, read
from bot.hosting.transfer import export_standings, import_standings
from bot.match import seats as seating
from bot.standings.ratings import FULL
from bot.standings.season import tabulate
from bot.store import FORMER, GuildStandings, Selection, Store, StoreFailed
from bot.store.sqlite.ledger import ledger_of
from bot.store.sqlite.opening import alone
from tests.bot.match.test_results import PALACE, play_on, play_once
from tests.bot.store.stores import opened, rows
from tests.bot.store.test_sqlite_opening import NOBODY, unprivileged
from tests.bot.tables import ALICE, BEN, CLEO, Room
from tests.bot.test_start import begin, start
from tests.stored.making import GUILD
from tests.stored.releases import NEWEST

EVERYTHING = (
    "SELECT * FROM matches ORDER BY id",
    "SELECT * FROM results ORDER BY match, seat",
    "SELECT * FROM ratings ORDER BY user, pool, n",
    "SELECT * FROM progress ORDER BY user",
    "SELECT * FROM seasons ORDER BY id",
    "SELECT * FROM season_tables ORDER BY season, user",
)
SPAN = 1_700_000_000_000, 1_800_000_000_000
"""Start and end of a season that has all matches."""
NOW = SPAN[1]
"""Time of an import in ms."""


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a stored database with one season, which is closed, beside its export. Copy them before you change
    them."""
    file = Path(copy(NEWEST, tmp_path_factory.mktemp("stored") / "palmhouse.sqlite3"))

    async def prepared() -> None:
        rows(file, "DELETE FROM season_tables")
        rows(file, "DELETE FROM seasons")
        async with opened(file) as store:
            season = await store.add_season(GUILD, 5, "Autumn", *SPAN)
            assert season is not None
            assert await store.close_season(season.id, SPAN[1] + 1, tabulate, unless_playing=False)
            await export_standings(store, GUILD, file.with_name("export.json"))

    asyncio.run(prepared())
    return file


@pytest.fixture
def source(stored: Path, tmp_path: Path) -> Path:
    """Return the database from which standings are exported."""
    (tmp_path / "source").mkdir()
    return Path(copy(stored, tmp_path / "source" / "palmhouse.sqlite3"))


@pytest.fixture
def file(stored: Path, tmp_path: Path) -> Path:
    return Path(copy(stored.with_name("export.json"), tmp_path))


@pytest.fixture
async def target(tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(tmp_path / "target.sqlite3") as store:
        yield store


def content(file: Path) -> list[Any]:
    """Return all rows of standings."""
    return [rows(file, query) for query in EVERYTHING]


COUNT = len(rows(NEWEST, f"SELECT DISTINCT match FROM results WHERE guild = {GUILD}"))
"""Number of matches in an export."""
GIVEN = rows(NEWEST, "SELECT max(id) FROM matches")[0][0]
"""The last number of a match that was given."""


def changed(file: Path, change: Callable[[Any], object]) -> Path:
    """Change the export. Return its path."""
    found = json.loads(file.read_text())
    change(found)
    file.write_text(json.dumps(found))
    return file


async def imported(store: Store, file: Path) -> str:
    return await import_standings(store, read(file, NOW))


def people(file: Path) -> list[int]:
    """Return the people of an export, the one with most results first."""
    users = [
        int(each["user"]) for match in json.loads(file.read_text())["matches"] for each in match["results"]
    ]
    return sorted({*users}, key=lambda user: -users.count(user))


# Whole


async def test_standings_are_in_another_database_what_they_were(
    source: Path, file: Path, target: Store, tmp_path: Path
) -> None:
    said = await imported(target, file)
    assert said.startswith(f"Imported {COUNT} matches and 1 season of server {GUILD}.")
    user = people(file)[0]
    async with opened(source) as store:
        assert await target.leaderboard(GUILD) == await store.leaderboard(GUILD)
        (there,), (here,) = await store.seasons(GUILD), await target.seasons(GUILD)
        assert replace(here, id=there.id, channel=there.channel, message=there.message) == there
        assert await target.final_table(here.id) == await store.final_table(there.id)
        assert await target.fact_values(Selection(user, GUILD)) == await store.fact_values(
            Selection(user, GUILD)
        )
    assert rows(tmp_path / "target.sqlite3", "SELECT count(*) FROM log") == [(0,)]
    assert rows(tmp_path / "target.sqlite3", "SELECT DISTINCT seed, channel, host FROM matches") == [
        ("", 0, 0)
    ]


async def test_ratings_and_milestones_are_bit_for_bit_the_same(
    source: Path, file: Path, target: Store, tmp_path: Path
) -> None:
    elsewhere = f"SELECT user FROM results WHERE guild <> {GUILD}"
    rows(source, f"DELETE FROM ratings WHERE user IN ({elsewhere})")
    await imported(target, file)
    query = "SELECT user, pool, n, seat, mu, sigma, expected, at FROM ratings ORDER BY user, pool, n"
    there = rows(source, query)
    assert rows(tmp_path / "target.sqlite3", query) == there != []
    query = f"SELECT user, counts FROM progress WHERE user NOT IN ({elsewhere}) ORDER BY user"
    assert rows(tmp_path / "target.sqlite3", query) == rows(source, query)


@pytest.fixture
async def left(tmp_path: Path) -> AsyncIterator[Store]:
    """Yield a database with matches that somebody left, and with many of the same two people."""
    async with opened(tmp_path / "left.sqlite3") as store:
        room = Room(store)
        for number in range(FULL + 2):
            room.time += 1_000
            table = await room.open(BEN, computers=1, game=PALACE)
            await table.start(ALICE, room.time)
            if number == 1:
                seat = table.state.seat_of(BEN)
                assert seat is not None
                await seating.offer(table, BEN, CLEO, "Cleo", room.time)
                await seating.accept(table, seat, CLEO, "Cleo", room.time)
            while number == 0 and {0, *table.state.held.values()} - {row.seat for row in await store.log(1)}:
                await play_once(table)
            if number == 0:
                await table.leave(BEN, room.time)
                await table.leave(ALICE, room.time)
            await play_on(room, table)
        yield store


async def test_matches_that_somebody_left_are_rated_bit_for_bit_the_same(
    left: Store, target: Store, tmp_path: Path
) -> None:
    first, second = await left.match(1), await left.match(2)
    assert first is not None
    assert second is not None
    assert '"left":[' in str(second.rated)
    assert (first.phase, first.counted) == ("over", 1)
    await export_standings(left, 1, tmp_path / "left.json")
    await imported(target, tmp_path / "left.json")
    for query in (
        "SELECT user, pool, n, seat, mu, sigma, expected, at FROM ratings ORDER BY user, pool, n",
        "SELECT seat, user, placing, finished, facts, ended FROM results ORDER BY ended, seat",
    ):
        there = rows(tmp_path / "left.sqlite3", query)
        assert rows(tmp_path / "target.sqlite3", query) == there != []


async def test_a_second_import_adds_nothing_and_says_so(file: Path, target: Store, tmp_path: Path) -> None:
    await imported(target, file)
    before = content(tmp_path / "target.sqlite3")
    said = await imported(target, file)
    assert said == f"Nothing was imported: {COUNT} matches and 1 season of server {GUILD} were here already."
    assert content(tmp_path / "target.sqlite3") == before


async def test_a_restored_database_gets_its_matches_back_under_their_numbers(
    source: Path, file: Path
) -> None:
    before = content(source)
    last = rows(source, "SELECT max(match) FROM results WHERE match IN (SELECT match FROM log)")[0][0]
    for table, column in (("ratings", "match"), ("results", "match"), ("log", "match"), ("posts", "match")):
        rows(source, f"DELETE FROM {table} WHERE {column} = {last}")
    rows(source, f"UPDATE matches SET rematch_of = NULL WHERE rematch_of = {last}")
    rows(source, f"DELETE FROM matches WHERE id = {last}")
    rows(source, f"UPDATE sqlite_sequence SET seq = {last - 1} WHERE name = 'matches'")
    async with opened(source) as store:
        assert (await imported(store, file)).startswith("Imported 1 match and 0 seasons")
    assert content(source)[1:4] == before[1:4]
    assert rows(source, f"SELECT origin FROM matches WHERE id = {last}") == [(None,)]


async def test_a_match_that_is_open_in_a_restored_database_goes_on_there_and_the_others_are_added(
    source: Path, file: Path
) -> None:
    before, last = rows(
        source, "SELECT id FROM matches WHERE counted IS NOT NULL ORDER BY counted DESC LIMIT 2"
    )
    for table in ("ratings", "results"):
        rows(source, f"DELETE FROM {table} WHERE match IN (?, ?)", *before, *last)
    rows(source, "UPDATE matches SET counted = NULL, origin = 'elsewhere:1' WHERE id = ?", *before)
    is_open = "UPDATE matches SET phase = 'play', ended = NULL, counted = NULL, rated = NULL WHERE id = ?"
    rows(source, is_open, *last)
    async with opened(source) as store:
        assert (await imported(store, file)).startswith("Imported 1 match and 0 seasons")
    assert rows(source, "SELECT phase, ended, counted FROM matches WHERE id = ?", *last) == [
        ("play", None, None)
    ]
    assert rows(source, "SELECT count(*) FROM results WHERE match = ?", *last) == [(0,)]


async def test_a_part_that_is_there_is_kept_and_the_rest_is_added(
    file: Path, target: Store, tmp_path: Path
) -> None:
    whole = changed(file, of_few).read_text()
    half = {match["origin"] for match in json.loads(whole)["matches"][1::2]}
    await imported(target, changed(file, only(half, seasons=[])))
    file.write_text(whole)
    said = await imported(target, file)
    assert f"Imported {COUNT - len(half)} matches and 0 seasons" in said
    assert f"{len(half)} matches and 0 seasons were here already." in said
    assert "A rating counts matches on all servers, so ratings changed after " in said
    ended = rows(tmp_path / "target.sqlite3", "SELECT ended FROM matches ORDER BY counted")
    assert ended == sorted(ended), "matches count in the order of their ends"


async def test_ratings_are_those_of_one_server_with_all_matches(
    file: Path, target: Store, tmp_path: Path
) -> None:
    """A person has one rating for all servers, in the order in which all matches ended."""
    everything = changed(file, of_few).read_text()
    origins = {match["origin"] for match in json.loads(everything)["matches"]}
    half = {match["origin"] for match in json.loads(everything)["matches"][1::2]}
    async with opened(tmp_path / "whole.sqlite3") as store:
        await imported(store, file)
    await imported(target, changed(file, only(half, guild="77")))
    file.write_text(everything)
    await imported(target, changed(file, only(origins - half)))
    query = "SELECT user, pool, n, seat, mu, sigma, expected, at FROM ratings ORDER BY user, pool, n"
    found = rows(tmp_path / "target.sqlite3", query)
    assert found == rows(tmp_path / "whole.sqlite3", query)
    assert max(n for _, _, n, *_ in found) > 1
    query = "SELECT user, counts FROM progress ORDER BY user"
    assert rows(tmp_path / "target.sqlite3", query) == rows(tmp_path / "whole.sqlite3", query)


def of_few(found: Any) -> None:
    """Give the matches of a file to the same few people: person 1000 has all first seats."""
    found["seasons"].clear()
    for match in found["matches"]:
        for result in match["results"]:
            result["user"] = str(1000 + result["seat"])


def only(origins: set[str], **others: Any) -> Callable[[Any], None]:
    """Return the function that leaves these matches in a file, and changes its other fields."""

    def change(found: Any) -> None:
        found["matches"] = [match for match in found["matches"] if match["origin"] in origins]
        found.update(others)

    return change


async def test_an_open_season_is_not_exported_and_the_report_says_so(source: Path, tmp_path: Path) -> None:
    async with opened(source) as store:
        assert await store.add_season(GUILD, 5, "Winter", SPAN[1], SPAN[1] + 5)
        said = await export_standings(store, GUILD, tmp_path / "export.json")
    assert "Season 'Winter' is not closed, so it is not in the file." in said
    assert [each["name"] for each in json.loads((tmp_path / "export.json").read_text())["seasons"]] == [
        "Autumn"
    ]


# Erased people


async def test_a_person_erased_after_the_export_stays_erased(
    file: Path, target: Store, tmp_path: Path
) -> None:
    path, user = tmp_path / "target.sqlite3", people(file)[0]
    matches = json.loads(file.read_text())["matches"]
    first = next(m["origin"] for m in matches if any(int(r["user"]) == user for r in m["results"]))
    whole = file.read_text()
    await imported(target, changed(file, only({first}, seasons=[])))
    await target.erase_person(user, 1)
    file.write_text(whole)
    assert "1 person was erased here before" in await imported(target, file)
    found = rows(
        path,
        "SELECT user, name FROM results WHERE user < 0 UNION SELECT user, name FROM season_tables WHERE user < 0",
    )
    assert [name for _, name in found] == [FORMER], "one stand-in, also of an earlier import"
    assert (await target.export_person(user)).is_unknown
    assert str(user).encode() not in path.read_bytes() + path.with_name(f"{path.name}-wal").read_bytes()
    assert (await imported(target, file)).startswith("Nothing was imported")
    assert (await target.export_person(user)).is_unknown


async def test_a_person_in_the_ledger_never_arrives(file: Path, tmp_path: Path) -> None:
    """The ledger is older than the database, as after a restored backup."""
    user, path = people(file)[0], tmp_path / "new.sqlite3"
    async with opened(tmp_path / "erasing.sqlite3") as store:
        await imported(store, file)
        await store.erase_person(user, 1)
    copy(ledger_of(tmp_path / "erasing.sqlite3"), ledger_of(path))
    async with opened(path) as store:
        await imported(store, file)
        assert (await store.export_person(user)).is_unknown
    former = rows(path, f"SELECT DISTINCT user FROM results WHERE name = '{FORMER}'")
    assert len(former) == 1
    assert rows(path, f"SELECT user FROM season_tables WHERE name = '{FORMER}'") == former


async def test_a_person_erased_in_the_database_of_the_export_stays_erased_there(
    source: Path, file: Path
) -> None:
    user = people(file)[0]
    async with opened(source) as store:
        await store.erase_person(user, 1)
        assert (await imported(store, file)).startswith("Nothing was imported")
        assert (await store.export_person(user)).is_unknown


async def test_people_erased_before_the_export_keep_their_stand_in(
    source: Path, target: Store, tmp_path: Path
) -> None:
    async with opened(source) as store:
        user = (await store.leaderboard(GUILD))[0].user
        await store.erase_person(user, 1)
        await export_standings(store, GUILD, tmp_path / "export.json")
        await imported(target, tmp_path / "export.json")
        assert str(user) not in (tmp_path / "export.json").read_text()
        assert await target.leaderboard(GUILD) == await store.leaderboard(GUILD)


@pytest.mark.parametrize("placings", [(1, 1, 2, 2), (1, 1, 3, 3), (1, 2, 2, 4), (2, 2), (4,)])
def test_places_among_players_and_among_sides_are_accepted(placings: tuple[int, ...]) -> None:
    _check_placings(placings, 4)


@pytest.mark.parametrize("placings", [(2, 2, 2, 2), (0, 1, 2, 3), (1, 2, 3, 5), (5,)])
def test_places_that_nobody_can_have_are_refused(placings: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="placings cannot be right"):
        _check_placings(placings, 4)


# Refused whole


def _match(change: Callable[[Any], object]) -> Callable[[Any], object]:
    """Return the function that changes the fourth match of a file."""
    return lambda found: change(found["matches"][3])


REFUSED: dict[str, tuple[Callable[[Any], object], str]] = {
    "another format": (
        lambda found: found.update(format="chess"),
        "is not a file that `python -m bot export`",
    ),
    "a newer version with unknown fields": (
        lambda found: (found.update(version=2), found["matches"][0].update(new=1)),
        "newer Palmhouse (version 2 of the file",
    ),
    "no version": (lambda found: found.pop("version"), "version: field required"),
    "a server that is none": (lambda found: found.update(guild="-5"), "guild:"),
    "an id as a number": (lambda found: found.update(guild=5), "guild:"),
    "an unknown field": (_match(lambda match: match.update(seed="x")), "match 4 in it is wrong: seed:"),
    "an unknown game": (_match(lambda match: match.update(game="chess")), "has no game 'chess'"),
    "unknown options": (_match(lambda match: match.update(options={"x": 1})), "no such options"),
    "a match as an option": (_match(lambda match: match.update(options={"x": {**match}})), "options.x"),
    "a match in the rating": (_match(lambda match: match.update(rated={"x": {**match}})), "rated.x"),
    "a match as a season": (lambda found: found["seasons"].append(found["matches"][3]), "seasons.1"),
    "nested options": (
        _match(lambda match: match.update(rules=99, options={"x": json.loads("[" * 900 + "]" * 900)})),
        "options.x",
    ),
    "NUL in an option": (_match(lambda match: match.update(rules=99, options={"x": "a\0"})), "options.x"),
    "NUL in the name of an option": (
        _match(lambda match: match.update(rules=99, options={"\0": 1})),
        "cannot be stored",
    ),
    "endless options": (_match(lambda match: match["options"].update(x=float("inf"))), "the number Infinity"),
    "too many players": (_match(lambda match: match.update(players=9)), "not for 9"),
    "too many seats": (
        _match(lambda match: match.update(players=10**30)),
        "match 4 in it is wrong: players:",
    ),
    "ended before started": (_match(lambda match: match.update(ended=match["started"] - 1)), "in this order"),
    "a time after 9999": (_match(lambda match: match.update(ended=2**60)), "ended:"),
    "a match that ends in the future": (
        _match(lambda match: match.update(ended=NOW + DAY + 1)),
        "a match that ended in the future",
    ),
    "a match in the last year": (_match(lambda match: match.update(ended=LATEST)), "ended in the future"),
    "a seat twice": (_match(lambda match: match["results"][1].update(seat=0)), "different seats"),
    "a seat too many": (_match(lambda match: match["results"][-1].update(seat=7)), "different seats"),
    "a person twice": (
        _match(lambda match: match["results"][1].update(user=match["results"][0]["user"])),
        "two results of one person",
    ),
    "impossible placings": (
        _match(lambda match: [each.update(placing=2) for each in match["results"]]),
        "placings cannot be right",
    ),
    "an impossible placing of a person who left": (
        _match(
            lambda match: (
                match.update(rated=None),
                match["results"].append(
                    match["results"][-1] | {"seat": match["players"], "user": "77", "placing": 9}
                ),
            )
        ),
        "placings cannot be right",
    ),
    "placings of another rating": (
        _match(lambda match: match["rated"]["seats"].reverse()),
        "placings of its rating",
    ),
    "a rating of fewer seats": (
        _match(lambda match: match["rated"]["seats"].pop()),
        "the seats of its rating",
    ),
    "a rating that is none": (_match(lambda match: match.update(rated={"pool": 1})), "not a rated match"),
    "an unknown pool": (_match(lambda match: match["rated"].update(pool="x")), "no rating pool 'x'"),
    "one side": (
        _match(lambda match: [each.__setitem__(0, 0) for each in match["rated"]["seats"]]),
        "impossible sides",
    ),
    "a rating of a person who left no seat": (
        _match(lambda match: match["rated"].update(left=[0])),
        "the seats of its rating",
    ),
    "a rating of a person who left a seat that is none": (
        _match(lambda match: match["rated"].update(left=[9])),
        "not seats of a rated match",
    ),
    "a rating of a match that nobody played": (
        _match(lambda match: [each.__setitem__(3, True) for each in match["rated"]["seats"]]),
        "nobody has played it",
    ),
    "a fact below 0": (_match(lambda match: match["results"][0]["facts"].update(bids=-1)), "facts.bids"),
    "a fact whose sums are too large": (
        _match(lambda match: match["results"][0]["facts"].update(bids=10**13)),
        "facts.bids",
    ),
    "a fact that is no number": (
        _match(lambda match: match["results"][0]["facts"].update(bids=True)),
        "facts.bids",
    ),
    "a name that is no text": (_match(lambda match: match["results"][0].update(name="\ud800")), "name:"),
    "NUL in a name": (_match(lambda match: match["results"][0].update(name="A\0")), "cannot be stored"),
    "NUL in the name of a season": (lambda found: found["seasons"][0].update(name="\0"), "cannot be stored"),
    "NUL in a name in a season": (
        lambda found: found["seasons"][0]["table"][0].update(name="\0"),
        "cannot be stored",
    ),
    "an id of 65 bits": (_match(lambda match: match["results"][0].update(user=str(2**63))), "user:"),
    "a match twice": (lambda found: found["matches"].append(found["matches"][3]), "a match twice"),
    "no results": (_match(lambda match: match.update(results=[])), "results:"),
    "a season twice": (lambda found: found["seasons"].append(found["seasons"][0]), "two seasons of one name"),
    "overlapping seasons": (
        lambda found: found["seasons"].append(found["seasons"][0] | {"name": "Winter"}),
        "seasons that overlap",
    ),
    "impossible places": (
        lambda found: found["seasons"][0]["table"][0].update(place=7),
        "the places or wins",
    ),
    "more wins than matches": (
        lambda found: found["seasons"][0]["table"][0].update(wins=99),
        "the places or wins",
    ),
    "nothing": (lambda found: found.clear(), "is not a file"),
}


@pytest.mark.parametrize("why", REFUSED)
async def test_a_file_that_is_wrong_anywhere_is_refused(why: str, file: Path) -> None:
    change, said = REFUSED[why]
    with pytest.raises(FileRefused) as refusal:
        read(changed(file, change), NOW)
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "it is not JSON"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b"[1, 2]", "is not a file that"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{"format": 1, "format": 2}', "the same key twice"),
        (b"9" * 10_000, "is damaged"),
        (b'{"format": NaN}', "the number NaN"),
    ],
)
def test_a_file_that_is_no_export_is_refused(text: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(text)
    with pytest.raises(FileRefused) as refusal:
        read(tmp_path / "x.json", NOW)
    assert said in str(refusal.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(FileRefused, match="cannot be read"):
            read(path, NOW)


CONTRADICTIONS: dict[str, tuple[str, str]] = {
    "another match": ("UPDATE matches SET ended = ended + 1 WHERE id = 9", "is another match"),
    "another server": ("UPDATE matches SET guild = 5 WHERE id = 9", "a match of another server (5)"),
    "a purged server": (
        "UPDATE matches SET guild = -5 WHERE id = 9",
        "removed the bot more than 30 days ago",
    ),
    "a server about to be purged": (f"INSERT INTO guilds_left VALUES ({GUILD}, 1)", "Invite the bot"),
    "another season": ("UPDATE seasons SET ends = ends - 1", "Season 'Autumn' of the file overlaps"),
    "another season of that name": (
        "UPDATE seasons SET name = 'AUTUMN', starts = ends, ends = ends + 1",
        "overlaps season 'AUTUMN' here, or has its name",
    ),
}


@pytest.mark.parametrize("why", CONTRADICTIONS)
async def test_what_contradicts_the_database_is_refused_whole(why: str, source: Path, file: Path) -> None:
    change, said = CONTRADICTIONS[why]
    rows(source, change)
    changed(file, lambda found: found["matches"][3].update(origin=f"{'0' * 32}:1"))  # one to add
    before = content(source)
    async with opened(source) as store:
        with pytest.raises(StoreFailed) as refusal:
            await imported(store, file)
    assert said in str(refusal.value)
    assert content(source) == before


@pytest.mark.parametrize(
    ("number", "time"),
    [(999_999_999, NOW), (1_000_001 + GIVEN, NOW), (GIVEN + 1, 0)],
    ids=["the last number", "a number far ahead", "the next number at an earlier time"],
)
async def test_a_number_that_this_database_never_gave_is_refused_whole(
    source: Path, file: Path, number: int, time: int
) -> None:
    """Else the next table would get the number after it."""
    tables, numbers = content(source), "SELECT * FROM sqlite_sequence ORDER BY name"
    given = rows(source, numbers)
    ((here,),) = rows(source, "SELECT value FROM facts WHERE key = 'installation'")
    forged = {"origin": f"{here}:{number}", "opened": time, "started": time, "ended": time}
    async with opened(source) as store:
        with pytest.raises(StoreFailed, match="that number was never given here"):
            await imported(store, changed(file, _match(lambda match: match.update(forged))))
    assert content(source) == tables
    assert rows(source, numbers) == given


@pytest.fixture(scope="module")
def small(stored: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return an export of three matches and a season."""
    file = Path(copy(stored.with_name("export.json"), tmp_path_factory.mktemp("small")))
    changed(
        file,
        lambda found: (
            found["matches"].__delitem__(slice(3, None)),
            found["seasons"][0].update(table=found["seasons"][0]["table"][:1]),
        ),
    )
    return file.read_bytes()


def accepted(file: Path) -> GuildStandings | None:
    """Return the standings in a file; None if it is refused."""
    with suppress(FileRefused):
        return read(file, NOW)
    return None


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_refused_or_harmless(small: bytes, tmp_path: Path, data: st.DataObject) -> None:
    """Flipped and missing bytes never end in another error, and whatever is accepted can be exported and imported."""
    damaged = bytearray(small[: data.draw(st.none() | st.integers(0, len(small)))])
    for place in data.draw(st.lists(st.integers(0, max(0, len(damaged) - 1)), max_size=3)) if damaged else ():
        damaged[place] = data.draw(st.sampled_from(b'0123456789"{}[],:-az \\\xff') | st.integers(0, 255))
    file = tmp_path / "damaged.json"
    file.write_bytes(damaged)
    standings = accepted(file)
    if standings is None:
        return

    async def arrives() -> None:
        for path in tmp_path.glob("fuzz*"):
            path.unlink()
        async with opened(tmp_path / "fuzz.sqlite3") as store:
            await import_standings(store, standings)
            assert "everything was as stored" in await recount(store)
            await export_standings(store, standings.guild, tmp_path / "fuzz.json")
            assert (await imported(store, tmp_path / "fuzz.json")).startswith("Nothing was imported")

    asyncio.run(arrives())


# The commands


async def test_the_commands_write_a_private_file_beside_the_database_and_read_it(
    source: Path, tmp_path: Path
) -> None:
    status, said = await start(tmp_path, "export", str(GUILD), DATABASE_PATH=str(source))
    assert (status, f"{COUNT} of {COUNT} matches" in said) == (0, True)
    file = source.parent / f"palmhouse-{GUILD}.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [*source.parent.glob("*.part")] == []
    status, _ = await start(tmp_path, "import", str(file), DATABASE_PATH=str(tmp_path / "new" / "a.sqlite3"))
    assert status == 0
    assert rows(tmp_path / "new" / "a.sqlite3", "SELECT count(*) FROM matches") == [(27,)]


async def test_of_two_exports_at_once_one_is_refused(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one begins while the first one writes."""
    second: list[str] = []

    async def export() -> None:
        async with opened(source) as store:
            await export_standings(store, GUILD, tmp_path / "export.json")

    def begin_another(_: int, __: int) -> None:
        if not second:
            second.append("")
            with pytest.raises(FileRefused) as refused:
                asyncio.run(export())
            second.append(str(refused.value))

    monkeypatch.setattr("bot.hosting.transfer.progress_bar", lambda: begin_another)
    await export()
    assert second[1].startswith("Another process writes an export or a backup in")
    assert read(tmp_path / "export.json", NOW).total == COUNT
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


async def test_an_export_needs_no_stop_and_an_import_does(source: Path, file: Path, tmp_path: Path) -> None:
    with alone(source):
        status, _ = await start(tmp_path, "export", str(GUILD), "b.json", DATABASE_PATH=str(source))
        assert status == 0
        status, said = await start(tmp_path, "import", str(file), DATABASE_PATH=str(source))
        assert status == 1
    assert said.startswith("Nothing was imported. Another bot or task uses the database")


async def test_an_export_beside_a_bot_of_an_older_version_is_refused(tmp_path: Path) -> None:
    """It must not migrate the database under that bot."""
    old = Path(copy(NEWEST, tmp_path / "palmhouse.sqlite3"))
    before = rows(old, "PRAGMA user_version")
    with alone(old):
        status, said = await start(tmp_path, "export", str(GUILD), DATABASE_PATH=str(old))
    assert status == 1
    assert "was written by an older Palmhouse" in said
    assert rows(old, "PRAGMA user_version") == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "5"), "no finished match of server 5"),
        (("export", str(GUILD), "there.json"), "there.json is there already"),
        (("export", str(GUILD), "source"), "source is a folder. Name a new file in it."),
        (("export", str(GUILD), "."), ". is a folder. Name a new file in it."),
        (("export", str(GUILD), "no/folder.json"), "cannot be written: No such file or directory"),
        (("import", "none.json"), "none.json cannot be read"),
        (("import", "there.json"), "there.json is damaged or was changed"),
    ],
)
async def test_an_obstacle_is_one_sentence(
    arguments: Sequence[str], said: str, source: Path, tmp_path: Path
) -> None:
    (tmp_path / "there.json").write_text("{")
    status, words = await start(tmp_path, *arguments, DATABASE_PATH=str(source))
    assert status == 1
    assert words.startswith(f"Nothing was {arguments[0]}ed. ")
    assert said in words
    assert words.count("\n") == 1
    assert (tmp_path / "there.json").read_text() == "{"


async def test_a_full_disk_leaves_no_file(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("bot.hosting.transfer.os.fsync", full)
    async with opened(source) as store:
        with pytest.raises(FileRefused, match="No space left on device"):
            await export_standings(store, GUILD, tmp_path / "export.json")
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root can become another user.")
async def test_a_folder_that_may_not_be_entered_is_refused(source: Path) -> None:
    with TemporaryDirectory(prefix="palmhouse-test-") as folder:
        Path(folder).chmod(0o755)
        (shut := Path(folder) / "shut").mkdir(0o700)
        async with opened(Path(copy(source, folder))) as store:
            for each in (Path(folder), *Path(folder).glob("palmhouse*")):
                os.chown(each, NOBODY, NOBODY)
            with unprivileged(), pytest.raises(FileRefused, match="cannot be written: Permission denied"):
                await export_standings(store, GUILD, shut / "export.json")


async def test_a_killed_import_has_changed_nothing(file: Path, tmp_path: Path) -> None:
    database = tmp_path / "killed.sqlite3"
    _multiply(Path(copy(file, tmp_path / "whole.json")), 200)
    async with opened(database) as store:
        await import_standings(
            store, read(changed(file, lambda found: found["matches"].__delitem__(slice(9, None))), NOW)
        )
    before = content(database)
    process = await begin(tmp_path, "import", "whole.json", DATABASE_PATH=str(database))
    assert process.stderr is not None
    async with asyncio.timeout(60):
        while b"0 of" not in await process.stderr.readline():  # the recount has begun
            pass
        while _pages(database) < 100:  # noqa: ASYNC110 - nobody says when a page is written
            await asyncio.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    await process.wait()
    assert content(database) == before
    async with opened(database) as store:
        assert "everything was as stored" in await recount(store)


def _pages(database: Path) -> int:
    """Return the number of pages in the write-ahead log: more than 0 when the import has written some."""
    log = database.with_name(f"{database.name}-wal")
    return log.stat().st_size // 4096 if log.exists() else 0


def _multiply(file: Path, times: int) -> None:
    """Put each match into a file many times, each time under another origin."""
    found = json.loads(file.read_text())
    found["matches"] = [
        match | {"origin": f"{n:032x}:{number}"}
        for n in range(1, times + 1)
        for number, match in enumerate(found["matches"], 1)
    ]
    file.write_text(json.dumps(found))
