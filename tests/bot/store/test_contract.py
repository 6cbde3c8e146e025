"""The contract of a store (`bot.store.Store`), fulfilled by every engine."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.store import (
    HAS_LEFT,
    TABLES,
    WAS_AWAY,
    AloneResult,
    Attempt,
    BoardPost,
    Bulletin,
    FactValues,
    Finished,
    GuildSettings,
    Hours,
    LogRow,
    Match,
    NewMatch,
    NewNight,
    NightPerson,
    NightRole,
    NightSeat,
    Participant,
    Placed,
    Post,
    Preferences,
    Preset,
    ProgressRow,
    Rate,
    RatingRow,
    Recounted,
    Result,
    Season,
    SeasonResult,
    SeasonRow,
    Seek,
    Selection,
    Standing,
    Store,
    StoreFailed,
    Summons,
)
from tests.bot.store.stores import ALICE, BEN, CHANNEL, CLEO, GUILD, lobby, move, new_database, opened, purge
from tests.present import present

DAY = 86_400_000
WEEK = 7 * DAY
"""Ms of a day."""
Opening = Callable[[], AbstractAsyncContextManager[Store]]
"""A function that opens the test's database, each time it is called."""


@pytest.fixture(params=["sqlite", "postgresql"])
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Opening:
    if request.param == "sqlite":
        return partial(opened, new_database(tmp_path / "palmhouse.sqlite3"))
    return partial(opened, request.getfixturevalue("database_url"))


@pytest.fixture
async def store(opening: Opening) -> AsyncIterator[Store]:
    async with opening() as store:
        yield store


def result(match: Match, seat: int, user: int, placing: int, *, name: str = "", ended: int = 50) -> Result:
    return Result(match.id, seat, match.guild, match.game, user, name or f"#{user}", placing, 10, 3, ended)


async def finished(
    store: Store, *placings: int, guild: int = GUILD, ended: int = 50, name: str = ""
) -> Match:
    """Create a match that Alice, Ben and Cleo have finished in these places."""
    match = await lobby(store, guild=guild)
    people = zip((ALICE, BEN, CLEO), placings, strict=False)
    results = [result(match, seat, *who, name=name, ended=ended) for seat, who in enumerate(people)]
    await store.append(match.id, [move(2)], phase="over", ended=ended, finished=Finished(results))
    return match


# Matches and logs


async def test_a_new_match_is_a_lobby_with_its_host_in_it(store: Store) -> None:
    match = await lobby(store)
    assert match == Match(
        id=match.id,
        game="twin-palms",
        rules=1,
        options='{"mode": "first"}',
        seed="seed",
        guild=GUILD,
        channel=CHANNEL,
        host=ALICE,
        phase="lobby",
        opened=1_000,
        started=None,
        ended=None,
        place=None,
        card=None,
        published=0,
        rematch_of=None,
        counted=None,
        rated=None,
    )
    assert await store.match(match.id) == match
    assert await store.log(match.id) == [LogRow(1, "sit", None, ALICE, "0 Alice", 1_000)]
    assert await store.deadlines(match.id) == {-1: 9_000}


async def test_a_log_returns_the_appended_entries_in_order(store: Store) -> None:
    match = await lobby(store)
    snowflake = 2**63 - 1
    later = [LogRow(2, "leave", None, snowflake, "", 7), LogRow(3, "move", 2, BEN, "play P3 P*=8 🌴", 8)]
    await store.append(match.id, later)
    await store.append(match.id, [move(4)])
    assert (await store.log(match.id))[1:] == [*later, move(4)]
    assert await store.log(match.id, after=3) == [move(4)]


async def test_an_append_changes_what_is_named_of_the_match_its_clocks_and_its_results_together(
    store: Store,
) -> None:
    match = await lobby(store)
    await store.append(match.id, [move(2)])
    assert await store.match(match.id) == match
    assert await store.deadlines(match.id) == {-1: 9_000}
    await store.append(match.id, [move(3)], deadlines={0: 70, 1: 80}, phase="play", started=60)
    assert await store.match(match.id) == replace(match, phase="play", started=60)
    assert await store.deadlines(match.id) == {0: 70, 1: 80}
    await store.append(
        match.id,
        [move(4)],
        deadlines={},
        phase="over",
        ended=90,
        finished=Finished([result(match, 0, ALICE, 1)]),
    )
    assert await store.match(match.id) == replace(match, phase="over", started=60, ended=90, counted=1)
    assert await store.deadlines(match.id) == {}
    assert [standing.user for standing in await store.leaderboard(GUILD)] == [ALICE]


@pytest.mark.parametrize("n", [1, 3, 0, -1])
async def test_an_entry_that_does_not_follow_the_last_is_refused(store: Store, n: int) -> None:
    match = await lobby(store)
    with pytest.raises(StoreFailed, match="does not follow the last one"):
        await store.append(match.id, [move(n)])
    assert len(await store.log(match.id)) == 1


async def test_a_refused_append_stores_nothing(store: Store) -> None:
    match = await lobby(store)
    twice = [result(match, 0, ALICE, 1), result(match, 0, BEN, 2)]
    with pytest.raises(StoreFailed):
        await store.append(
            match.id, [move(2)], deadlines={0: 1}, phase="over", ended=5, finished=Finished(twice)
        )
    assert await store.match(match.id) == match
    assert len(await store.log(match.id)) == 1
    assert await store.deadlines(match.id) == {-1: 9_000}
    assert await store.leaderboard(GUILD) == []


async def test_an_unknown_match_is_none_and_nothing_is_stored_for_it(store: Store) -> None:
    assert await store.match(99) is None
    assert await store.log(99) == []
    assert await store.deadlines(99) == {}
    with pytest.raises(StoreFailed):
        await store.append(99, [move(1)])
    with pytest.raises(StoreFailed, match="no match 99"):
        await store.append(99, [], phase="play")
    with pytest.raises(StoreFailed, match="no match 99"):
        await store.update_match(99, card=1)


async def test_a_note_changes_only_the_named_columns(store: Store) -> None:
    match = await lobby(store)
    await store.update_match(match.id, card=11)
    await store.update_match(match.id, place=22, published=4)
    assert await store.match(match.id) == replace(match, place=22, card=11, published=4)


async def test_open_matches_are_those_in_the_lobby_or_in_play(store: Store) -> None:
    matches = [await lobby(store) for _ in range(4)]
    for match, phase in zip(matches, ("lobby", "play", "over", "closed"), strict=True):
        await store.append(match.id, [move(2)], phase=phase)
    assert [match.id for match in await store.open_matches()] == [match.id for match in matches[:2]]


async def test_the_length_of_a_log_is_the_number_of_its_last_entry(store: Store) -> None:
    first, second = await lobby(store), await lobby(store)
    await store.append(second.id, [move(2), move(3)])
    assert await store.lengths([first.id, second.id, 999]) == {first.id: 1, second.id: 3}
    assert await store.lengths([]) == {}


async def test_untold_is_every_match_whose_log_goes_beyond_what_was_published_or_is_being_replaced(
    store: Store,
) -> None:
    told, behind, over = [await lobby(store) for _ in range(3)]
    for match in (told, behind, over):
        await store.append(match.id, [move(2)])
    await store.append(over.id, [move(3)], phase="over")
    for match in (told, behind, over):
        await store.update_match(match.id, published=2)
    await store.append(behind.id, [move(3)])
    assert [match.id for match in await store.unpublished()] == [behind.id, over.id]
    await store.update_match(over.id, published=3)
    assert [match.id for match in await store.unpublished()] == [behind.id]
    await store.save_post(Post(told.id, "page", 1, channel=22, message=33, old=33))
    assert [match.id for match in await store.unpublished()] == [told.id, behind.id]


async def test_ended_in_threads_are_the_matches_with_a_thread_of_their_own_that_ended_lately(
    store: Store,
) -> None:
    in_thread, earlier, in_channel, goes_on = [await lobby(store) for _ in range(4)]
    for match, ended in ((in_thread, 90), (earlier, 50), (in_channel, 90)):
        await store.append(match.id, [move(2)], phase="over", ended=ended)
    for match in (in_thread, earlier, goes_on):
        await store.update_match(match.id, place=match.channel + 1)
    await store.update_match(in_channel.id, place=in_channel.channel)
    assert [match.id for match in await store.ended_in_threads(50)] == [in_thread.id]


async def test_members_have_joined_an_open_match_or_taken_a_seat_and_have_not_left_or_given_it_since(
    store: Store,
) -> None:
    match, other, done, given = [await lobby(store) for _ in range(4)]
    kinds = [("sit", BEN), ("sit", CLEO), ("leave", BEN), ("leave", CLEO), ("move", CLEO), ("sit", CLEO)]
    entries = [LogRow(n, kind, None, user, "", 1) for n, (kind, user) in enumerate(kinds, start=2)]
    await store.append(match.id, entries)
    await store.append(done.id, [], phase="closed")
    entries = [LogRow(2, "give", 0, ALICE, "Cleo", 4), LogRow(3, "take", 0, CLEO, "Cleo", 4)]
    await store.append(given.id, entries)
    members = [(match.id, ALICE), (match.id, CLEO), (other.id, ALICE), (given.id, CLEO)]
    assert await store.members() == members


async def test_left_are_the_open_matches_that_a_person_has_left(store: Store) -> None:
    match, waits, done = [await lobby(store) for _ in range(3)]
    for each, phase in ((match, "play"), (waits, "lobby"), (done, "closed")):
        await store.append(each.id, [LogRow(2, "leave", None, BEN, "", 1)], phase=phase)
    assert (await store.left(BEN), await store.left(ALICE)) == ([match.id, waits.id], [])


# Types


async def test_unknown_phases_and_preferences_are_refused(store: Store) -> None:
    match = await lobby(store)
    with pytest.raises(StoreFailed):
        await store.append(match.id, [], phase="pause")
    wrong = {"hand": "carrier pigeon", "pings": "by drum", "cards": "tiny", "alias": "z" * 33}
    for name, word in wrong.items():
        with pytest.raises(StoreFailed):
            await store.set_preference(ALICE, name, word)


# Clocks


async def test_deadlines_come_soonest_first(store: Store) -> None:
    assert await store.next_deadline(0) is None
    early, late = await lobby(store, due=300), await lobby(store, due=900)
    await store.append(late.id, [move(2)], deadlines={0: 500, 2: 100})
    assert await store.next_deadline(0) == 100
    assert await store.next_deadline(100) == 300
    assert await store.due_deadlines(99) == []
    assert await store.due_deadlines(300) == [(late.id, 2, 100), (early.id, -1, 300)]
    assert len(await store.due_deadlines(1_000)) == 3


async def test_matches_with_an_entry_of_a_kind_are_found(store: Store) -> None:
    late, other, unasked = [await lobby(store) for _ in range(3)]
    for match, kind in ((late, "overdue"), (other, "remind"), (unasked, "overdue")):
        await store.append(match.id, [replace(move(2), kind=kind)])
    assert await store.with_entry("overdue", [late.id, other.id]) == {late.id}
    assert await store.with_entry("overdue", []) == set()


async def test_deadlines_are_put_off_but_not_those_of_games_and_that_is_a_heartbeat(opening: Opening) -> None:
    async with opening() as store:
        assert await store.last_heartbeat() is None
        first, second = await lobby(store, guild=7, due=5_000), await lobby(store, due=6_000)
        await store.append(first.id, [move(2)], deadlines={-2: 4_000, -1: 5_000})
        await store.append(second.id, [move(2)], deadlines={-2: 5_500, -1: 6_000, 0: 7_000}, phase="play")
        await store.heartbeat(1_500)
        await store.heartbeat(2_000)
    async with opening() as store:
        assert await store.last_heartbeat() == 2_000
        moves = {(second.id, 0): (17_000, 30_000), (second.id, -1): (6_000, 1)}
        await store.postpone(10_000, [7, GUILD], 12_500, {}, moves)
        assert await store.deadlines(first.id) == {-2: 14_000, -1: 15_000}
        assert await store.deadlines(second.id) == {-2: 5_500, -1: 16_000, 0: 30_000}, "one was other by then"
        assert await store.last_heartbeat() == 12_500
        await store.postpone(-2_000, [7], 11_000, {})
        assert await store.deadlines(first.id) == {-2: 12_000, -1: 13_000}
        assert await store.last_heartbeat() == 11_000
        assert await store.deadlines(second.id) == {-2: 5_500, -1: 16_000, 0: 30_000}


async def test_deadlines_by_the_clock_of_another_process_count_from_the_last_heartbeat(store: Store) -> None:
    new, first = NewMatch("toy", 1, "{}", "seed", 0, CHANNEL, ALICE, 5), LogRow(1, "sit", None, 1, "", 5)
    due = {-1: 9_000, 0: 9_500}
    opened = await store.create(new, [first], due, since=4_000)
    assert await store.deadlines(opened.id) == due, "there is no heartbeat"
    await store.heartbeat(6_000)
    opened = await store.create(new, [first], due, since=4_000)
    assert await store.deadlines(opened.id) == {-1: 11_000, 0: 11_500}
    await store.append(opened.id, [move(2)], deadlines=due, since=5_000)
    assert await store.deadlines(opened.id) == {-1: 10_000, 0: 10_500}
    for since in (6_000, 7_000, None):
        other = await store.create(new, [first], due, since=since)
        assert await store.deadlines(other.id) == due


# Standings


async def test_a_leaderboard_counts_matches_wins_placings_and_people_met(store: Store) -> None:
    await finished(store, 1, 1, 3)
    await finished(store, 2, 1, 2)
    await finished(store, 1, 3)
    assert await store.leaderboard(GUILD) == [
        Standing(ALICE, f"#{ALICE}", 3, 2, pytest.approx(4 / 3), 50, 2, 3),  # type: ignore[arg-type]
        Standing(BEN, f"#{BEN}", 3, 2, pytest.approx(5 / 3), 50, 3, 4),  # type: ignore[arg-type]
        Standing(CLEO, f"#{CLEO}", 2, 0, 2.5, 50, 0, 3),
    ]


async def test_equal_wins_and_means_are_ranked_by_matches_and_then_by_user(store: Store) -> None:
    await finished(store, 2, 2, 2)
    match = await lobby(store)
    await store.append(match.id, [], finished=Finished([result(match, 0, CLEO, 2)]))
    assert [standing.user for standing in await store.leaderboard(GUILD)] == [CLEO, ALICE, BEN]


async def test_a_leaderboard_covers_one_guild_and_if_wanted_one_game(store: Store) -> None:
    await finished(store, 1, 2, 3)
    await finished(store, 3, 2, 1, guild=GUILD + 1)
    match = await lobby(store)
    await store.append(match.id, [], finished=Finished([replace(result(match, 0, BEN, 1), game="palmer")]))
    assert [(s.user, s.matches) for s in await store.leaderboard(GUILD)] == [(ALICE, 1), (BEN, 2), (CLEO, 1)]
    assert [s.user for s in await store.leaderboard(GUILD, "palmer")] == [BEN]
    assert [s.user for s in await store.leaderboard(GUILD + 1)] == [CLEO, BEN, ALICE]
    assert await store.leaderboard(GUILD + 2) == []


async def test_a_name_is_the_one_last_used(store: Store) -> None:
    await finished(store, 1, ended=300, name="Alice the Late")
    await finished(store, 1, ended=200, name="Alice the Early")
    assert [standing.name for standing in await store.leaderboard(GUILD)] == ["Alice the Late"]


async def test_a_leaderboard_counts_the_matches_that_ended_since_a_time(store: Store) -> None:
    for ended, placings in ((100, (1, 2, 3)), (200, (2, 1)), (300, (1,))):
        await finished(store, *placings, ended=ended)
    since = {time: await store.leaderboard(GUILD, since=time) for time in (0, 200, 201, 301)}
    assert [(s.user, s.matches, s.wins, s.last) for s in since[0]] == [
        (ALICE, 3, 2, 300),
        (BEN, 2, 1, 200),
        (CLEO, 1, 0, 100),
    ]
    assert [(s.user, s.matches, s.wins) for s in since[200]] == [(BEN, 1, 1), (ALICE, 2, 1)]
    assert [(s.user, s.matches, s.wins) for s in since[201]] == [(ALICE, 1, 1)]
    assert since[301] == []


async def test_a_leaderboard_of_a_pool_counts_only_the_matches_rated_there(store: Store) -> None:
    await rated_match(store, 2, 1, ended=70)
    await rated_match(store, 1, 2, ended=60)
    await finished(store, 1, 1, 1, ended=80)
    assert await store.leaderboard(GUILD, "twin-palms", pool=POOL) == [
        Standing(ALICE, f"#{ALICE}", 2, 1, 1.5, 70, 1, 2),
        Standing(BEN, f"#{BEN}", 2, 1, 1.5, 70, 1, 2),
    ]
    assert [s.matches for s in await store.leaderboard(GUILD, "twin-palms", pool=POOL, since=61)] == [1, 1]
    assert await store.leaderboard(GUILD, "twin-palms", pool="palace") == []
    assert await store.leaderboard(GUILD, "palace", pool=POOL) == []
    assert await store.leaderboard(GUILD + 1, "twin-palms", pool=POOL) == []


# Ratings and recounts

POOL = "twin-palms"


def by_placing(results: Sequence[Result]) -> Rate:
    """Return a rule that gives 10 less the placing to each person's rating, starting at 20."""

    def rate(before: Mapping[int, RatingRow], _: int) -> list[RatingRow]:
        return [
            RatingRow(
                each.user,
                POOL,
                before[each.user].n + 1 if each.user in before else 1,
                each.match,
                each.seat,
                (before[each.user].mu if each.user in before else 20.0) + 10 - each.placing,
                1 / 3,
                2.0,
                each.ended,
            )
            for each in results
        ]

    return rate


def rated(results: Sequence[Result]) -> Finished:
    return Finished(results, POOL, '{"v":1}', by_placing(results))


async def rated_match(store: Store, *placings: int, ended: int = 50) -> list[Result]:
    """Create a rated match that Alice, Ben and Cleo have finished in these places. Return its results."""
    match = await lobby(store)
    people = zip((ALICE, BEN, CLEO), placings, strict=False)
    results = [result(match, seat, *who, ended=ended) for seat, who in enumerate(people)]
    await store.append(match.id, [move(2)], phase="over", ended=ended, finished=rated(results))
    return results


async def test_a_rating_follows_from_the_one_before(store: Store) -> None:
    first = await rated_match(store, 1, 2)
    assert await store.ratings(POOL, [ALICE, BEN, CLEO]) == {
        ALICE: RatingRow(ALICE, POOL, 1, first[0].match, 0, 29.0, 1 / 3, 2.0, 50),
        BEN: RatingRow(BEN, POOL, 1, first[1].match, 1, 28.0, 1 / 3, 2.0, 50),
    }
    second = await rated_match(store, 3, 2, 1, ended=40)
    found = await store.ratings(POOL, [ALICE, CLEO])
    assert {user: (row.n, row.mu, row.match) for user, row in found.items()} == {
        ALICE: (2, 36.0, second[0].match),
        CLEO: (1, 29.0, second[2].match),
    }
    assert await store.ratings("palace", [ALICE]) == {}


def by_number(results: Sequence[Result], pool: str = POOL) -> Finished:
    """Return a rating whose mu is the place of the match among those of exactly its people, in 30 ms."""

    def rate(before: Mapping[int, RatingRow], nth: int) -> list[RatingRow]:
        numbers = [before[each.user].n + 1 if each.user in before else 1 for each in results]
        return [
            RatingRow(each.user, pool, n, each.match, each.seat, float(nth), 1.0, 2.0, each.ended)
            for each, n in zip(results, numbers, strict=True)
        ]

    return Finished(results, pool, "{}", rate, since=results[0].ended - 30)


async def test_rated_matches_of_exactly_the_same_people_are_numbered_for_a_time(store: Store) -> None:
    for pool, ended, people, nth in (
        (POOL, 50, (ALICE, BEN), 1),
        (POOL, 60, (BEN, ALICE), 2),  # their seats do not matter
        (POOL, 60, (ALICE, BEN, CLEO), 1),
        (POOL, 60, (ALICE, CLEO), 1),
        ("another", 60, (ALICE, BEN), 1),
        (POOL, 80, (ALICE, BEN), 2),  # the first one is too long ago
        (POOL, 80, (ALICE, BEN, CLEO), 2),
        (POOL, 70, (ALICE, BEN), 4),  # an outage can end a match in the past
    ):
        match = await lobby(store)
        results = [result(match, seat, user, 1, ended=ended) for seat, user in enumerate(people)]
        entry, done = [move(2)], by_number(results, pool)
        await store.append(match.id, entry, phase="over", ended=ended, finished=done)
        after = [step.after for step in await store.rating_steps(match.id)]
        assert [row.mu for row in after] == [nth] * len(people)
        assert await store.together(after, ended - 30) == nth
    assert await store.together([], 0) == 1

    def redo(match: Match, _: Sequence[LogRow], results: Sequence[Result]) -> Finished:
        return by_number(results, "another" if match.id == 5 else POOL)

    assert await store.recount(redo, lambda *_: None) == Recounted(8, [], [], [])


async def test_participants_are_people_with_an_alias_enough_matches_and_a_recent_one(store: Store) -> None:
    await rated_match(store, 1, 2, 3, ended=50)
    await rated_match(store, 2, 1, ended=60)
    assert await store.participants(POOL, matches=1, since=0) == []
    await store.set_preference(BEN, "alias", "Zed")
    await store.set_preference(CLEO, "alias", "Cleo")
    await store.set_preference(8_888, "alias", "Nobody")
    ben = Participant(BEN, "Zed", 20.0 + 8 + 9, 1 / 3, 2, 60)
    cleo = Participant(CLEO, "Cleo", 27.0, 1 / 3, 1, 50)
    assert await store.participants(POOL, matches=1, since=50) == [ben, cleo]
    assert await store.participants(POOL, matches=2, since=60) == [ben]
    assert await store.participants(POOL, matches=1, since=61) == []
    assert await store.participants("palace", matches=1, since=0) == []
    await store.set_preference(BEN, "alias", "")
    assert await store.participants(POOL, matches=1, since=50) == [cleo]
    await store.erase_person(CLEO, 99)
    assert await store.participants(POOL, matches=1, since=0) == []


async def test_matches_are_counted_in_the_order_of_their_commits_once_each(store: Store) -> None:
    later, earlier = await rated_match(store, 1, 2, ended=900), await rated_match(store, 1, 2, ended=100)
    counted = [await store.match(results[0].match) for results in (later, earlier)]
    assert [match.counted for match in counted if match] == [1, 2]
    assert [match.rated for match in counted if match] == ['{"v":1}'] * 2
    with pytest.raises(StoreFailed, match="counted already"):
        await store.append(later[0].match, [move(3)], finished=Finished(later))
    assert len(await store.log(later[0].match)) == 2


async def test_a_rule_that_fails_keeps_nothing_of_the_move(store: Store) -> None:
    match = await lobby(store)

    def fail(*_: object) -> list[RatingRow]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.append(
            match.id,
            [move(2)],
            phase="over",
            finished=Finished([result(match, 0, ALICE, 1)], POOL, "{}", fail),
        )
    assert await store.match(match.id) == match
    assert len(await store.log(match.id)) == 1


def again(_: Match, __: Sequence[LogRow], results: Sequence[Result]) -> Finished:
    """Count a match as `rated_match` does."""
    return rated(results)


async def test_a_recount_of_what_is_right_changes_nothing(store: Store) -> None:
    for placings in ((1, 2), (2, 1, 3), (1, 1, 1)):
        await rated_match(store, *placings)
    before, shown = await store.ratings(POOL, [ALICE, BEN, CLEO]), list[tuple[int, int]]()
    assert await store.recount(again, lambda *done: shown.append(done)) == Recounted(3, [], [], [])
    assert await store.ratings(POOL, [ALICE, BEN, CLEO]) == before
    assert (shown[0], shown[-1]) == ((0, 3), (3, 3))


async def test_a_recount_corrects_results_and_all_ratings_that_follow(store: Store) -> None:
    played = [await rated_match(store, 1, 2) for _ in range(3)]
    wrong = played[1][0].match

    def redo(match: Match, log: Sequence[LogRow], results: Sequence[Result]) -> Finished:
        assert [row.n for row in log] == [1, 2]
        if match.id != wrong:
            return rated(results)
        return rated([replace(each, placing=3 - each.placing, facts='{"tricks":4}') for each in results])

    found = await store.recount(redo, lambda *_: None)
    assert found == Recounted(3, [wrong], [played[1][0].match, played[2][0].match], [])
    ratings = await store.ratings(POOL, [ALICE, BEN])
    assert (ratings[ALICE].mu, ratings[BEN].mu) == (20 + 9 + 8 + 9, 20 + 8 + 9 + 8)
    assert [each.wins for each in await store.leaderboard(GUILD)] == [2, 1]


async def test_a_match_that_is_no_longer_rated_leaves_the_ratings(store: Store) -> None:
    first, _ = await rated_match(store, 1, 2), await rated_match(store, 1, 2)

    def redo(match: Match, _: Sequence[LogRow], results: Sequence[Result]) -> Finished:
        return Finished(results) if match.id == first[0].match else rated(results)

    await store.recount(redo, lambda *_: None)
    assert [(row.n, row.mu) for row in (await store.ratings(POOL, [ALICE, BEN])).values()] == [
        (1, 29.0),
        (1, 28.0),
    ]
    match = present(await store.match(first[0].match))
    assert match.rated is None


async def test_a_recount_that_fails_changes_nothing(store: Store) -> None:
    for _ in range(3):
        await rated_match(store, 1, 2)
    before = await store.ratings(POOL, [ALICE, BEN])

    def redo(match: Match, _: Sequence[LogRow], results: Sequence[Result]) -> Finished:
        if match.counted == 3:
            raise ZeroDivisionError
        return Finished([])

    with pytest.raises(ZeroDivisionError):
        await store.recount(redo, lambda *_: None)
    assert await store.ratings(POOL, [ALICE, BEN]) == before
    assert len(await store.leaderboard(GUILD)) == 2
    await rated_match(store, 1, 2)  # the database is free again


# Milestones and reliability


def tallied(results: Sequence[Result]) -> Finished:
    """Count a match that adds 1 to a value of each person."""

    def earn(before: Mapping[int, ProgressRow]) -> list[ProgressRow]:
        return [
            ProgressRow(
                each.user,
                str(int(before[each.user].counts) + 1 if each.user in before else 1),
                f'{{"x":{each.match}}}',
            )
            for each in results
        ]

    return Finished(results, earn=earn)


async def tallied_match(store: Store, *users: int) -> int:
    match = await lobby(store)
    results = [result(match, seat, user, 1) for seat, user in enumerate(users)]
    await store.append(match.id, [], phase="over", ended=50, finished=tallied(results))
    return match.id


async def test_progress_follows_from_that_before_the_match(store: Store) -> None:
    first, second = await tallied_match(store, ALICE, BEN), await tallied_match(store, CLEO, ALICE)
    assert await store.progress([ALICE, BEN, CLEO, 1]) == {
        ALICE: ProgressRow(ALICE, "2", f'{{"x":{second}}}'),
        BEN: ProgressRow(BEN, "1", f'{{"x":{first}}}'),
        CLEO: ProgressRow(CLEO, "1", f'{{"x":{second}}}'),
    }
    assert {*await store.progress([BEN])} == {BEN}


async def test_a_recount_gives_the_same_progress_or_corrects_it(store: Store) -> None:
    first, _ = await tallied_match(store, ALICE, BEN), await tallied_match(store, CLEO, ALICE)
    before = await store.progress([ALICE, BEN, CLEO])

    def redo(match: Match, _: Sequence[LogRow], results: Sequence[Result]) -> Finished:
        return tallied(results)

    def redo_without_first(match: Match, _: Sequence[LogRow], results: Sequence[Result]) -> Finished:
        return Finished(results) if match.id == first else tallied(results)

    assert await store.recount(redo, lambda *_: None) == Recounted(2, [], [], [])
    assert await store.progress([ALICE, BEN, CLEO]) == before
    assert await store.recount(redo_without_first, lambda *_: None) == Recounted(2, [], [], [ALICE, BEN])
    found = await store.progress([ALICE, BEN, CLEO])
    assert {user: row.counts for user, row in found.items()} == {ALICE: "1", CLEO: "1"}


async def test_finishes_are_those_of_the_latest_matches(store: Store) -> None:
    for ended, done in ((100, 1), (400, 0), (200, 0), (300, 1)):
        match = await lobby(store)
        own = replace(result(match, 0, ALICE, 1, ended=ended), finished=done)
        other = result(match, 1, BEN, 2, ended=ended)
        await store.append(match.id, [], phase="over", ended=ended, finished=Finished([own, other]))
    assert await store.finishes(ALICE, since=0, limit=20) == [False, True, False, True]
    assert await store.finishes(ALICE, since=200, limit=20) == [False, True, False]
    assert await store.finishes(ALICE, since=0, limit=2) == [False, True]
    assert await store.finishes(BEN, since=0, limit=3) == [True] * 3
    assert await store.finishes(CLEO, since=0, limit=3) == []


# Seasons


async def autumn(store: Store, *, guild: int = GUILD, starts: int = 1_000, ends: int = 2_000) -> Season:
    return present(await store.add_season(guild, CHANNEL, f"Autumn {starts}", starts, ends))


async def in_season(
    store: Store, started: int, *, guild: int = GUILD, over: bool = True, is_rated: bool = True
) -> Match:
    """Create a match of Alice and Ben that started at that time."""
    match = await lobby(store, guild=guild)
    await store.append(match.id, [move(2)], phase="play", started=started)
    if over:
        results = [result(match, 0, ALICE, 1), result(match, 1, BEN, 2)]
        finished = Finished(results, POOL, '{"v":1}') if is_rated else Finished(results)
        await store.append(match.id, [move(3)], phase="over", ended=started + 5_000, finished=finished)
    return match


def one_line(results: Sequence[SeasonResult]) -> list[SeasonRow]:
    """Return a table with one person: each match is worth one point."""
    return [SeasonRow(ALICE, "Alice", 1, len({each.match for each in results}), 0, 0)]


async def test_a_season_is_kept_with_its_channel_and_its_times(opening: Opening) -> None:
    async with opening() as store:
        season = await autumn(store)
        assert season == Season(season.id, GUILD, CHANNEL, "Autumn 1000", 1_000, 2_000, None, None)
        later = await autumn(store, starts=2_000, ends=3_000)
        await autumn(store, guild=GUILD + 1)
    async with opening() as store:
        assert await store.seasons(GUILD) == [later, season]
        assert await store.seasons(GUILD + 2) == []


@pytest.mark.parametrize(("starts", "ends"), [(1_000, 2_000), (999, 1_001), (1_999, 5_000), (1_500, 1_600)])
async def test_seasons_of_a_guild_do_not_overlap(store: Store, starts: int, ends: int) -> None:
    season = await autumn(store)
    assert await store.add_season(GUILD, CHANNEL, "Winter", starts, ends) is None
    assert await store.seasons(GUILD) == [season]


@pytest.mark.parametrize("ends", [1_000, 999, -5])
async def test_a_season_that_ends_before_it_starts_is_refused(store: Store, ends: int) -> None:
    with pytest.raises(StoreFailed):
        await store.add_season(GUILD, CHANNEL, "Autumn", 1_000, ends)
    season = await autumn(store)
    assert not await store.end_season(season.id, ends)
    assert await store.seasons(GUILD) == [season]


async def test_names_of_seasons_are_unique_in_a_guild(store: Store) -> None:
    first, second = await autumn(store), await autumn(store, starts=5_000, ends=6_000)
    assert await store.add_season(GUILD, CHANNEL, first.name, 8_000, 9_000) is None
    assert not await store.rename_season(second.id, first.name)
    assert await store.rename_season(second.id, second.name)
    assert await store.rename_season(second.id, "Winter")
    assert [season.name for season in await store.seasons(GUILD)] == ["Winter", first.name]


async def test_a_season_ends_early_once_and_never_later(store: Store) -> None:
    season = await autumn(store)
    assert not await store.end_season(season.id, 2_000)
    assert await asyncio.gather(*(store.end_season(season.id, 1_500) for _ in range(2))) == [True, False]
    assert await store.seasons(GUILD) == [replace(season, ends=1_500)]
    assert await store.close_season(season.id, 1_600, one_line)
    assert not await store.end_season(season.id, 1_400)


async def test_a_season_that_has_not_begun_is_deleted_once(store: Store) -> None:
    season = await autumn(store)
    assert not await store.cancel_season(season.id, 1_000)
    assert not await store.cancel_season(99, 999)
    assert await asyncio.gather(*(store.cancel_season(season.id, 999) for _ in range(2))) == [True, False]
    assert await store.seasons(GUILD) == []
    assert (await autumn(store)).id != season.id


async def test_a_season_with_a_match_is_not_deleted_when_the_clock_jumps_back(store: Store) -> None:
    season = await autumn(store)
    await in_season(store, 2_000)
    await in_season(store, 1_500, guild=GUILD + 1)
    other = await autumn(store, starts=5_000, ends=6_000)
    await in_season(store, 5_000, over=False)
    assert not await store.cancel_season(other.id, 1)
    assert await store.cancel_season(season.id, 1)
    assert await store.seasons(GUILD) == [other]


async def test_history_and_table_of_a_season_count_the_rated_matches_that_started_in_it(store: Store) -> None:
    season = await autumn(store)
    matches = [await in_season(store, started) for started in (999, 1_000, 1_999, 2_000)]
    await in_season(store, 1_500, is_rated=False)
    await in_season(store, 1_500, guild=GUILD + 1)
    late = await in_season(store, 1_600, over=False)

    async def history(guild: int | None = GUILD) -> list[int]:
        selection = Selection(ALICE, guild, season=season.id)
        return sorted(played.match for played in (await store.history(selection, 9))[1])

    assert await history() == await history(None) == [match.id for match in matches[1:3]]
    assert await history(GUILD + 1) == []
    assert await store.season_results(season.id) == [
        SeasonResult(match.id, seat, user, f"#{user}", 50, '{"v":1}')
        for match in matches[1:3]
        for seat, user in enumerate((ALICE, BEN))
    ]
    assert await store.close_season(season.id, 9_000, one_line, unless_playing=False)
    results = [result(late, 0, ALICE, 1, ended=9_001)]
    await store.append(late.id, [move(3)], phase="over", finished=Finished(results, POOL, "{}"))
    assert await history() == [match.id for match in matches[1:3]]
    assert (await store.history(Selection(ALICE, GUILD, season=99), 9)) == (0, [])


async def test_each_setting_of_a_guild_is_kept_alone(opening: Opening) -> None:
    async with opening() as store:
        assert await store.guild_settings(GUILD) == GuildSettings()
        await store.set_season_role(GUILD + 1, 7)
        await store.set_season_role(GUILD + 1, None)
        await asyncio.gather(
            store.set_table_channels(GUILD, [2**63 - 1, 5]),
            store.set_default_pace(GUILD, "relaxed"),
            store.set_table_role(GUILD, 2**62),
            store.set_season_role(GUILD, 2**62 + 1),
        )
        with pytest.raises(StoreFailed):
            await store.set_default_pace(GUILD, "fast")
    async with opening() as store:
        assert await store.guild_settings(GUILD + 1) == GuildSettings()
        settings = GuildSettings(2**62 + 1, (2**63 - 1, 5), "relaxed", 2**62)
        assert await store.guild_settings(GUILD) == settings
        await store.set_table_channels(GUILD, [])
        await store.set_table_role(GUILD, None)
        assert await store.guild_settings(GUILD) == GuildSettings(2**62 + 1, (), "relaxed", None)


async def test_where_a_board_is_to_stand_and_where_boards_stand_are_kept_apart(opening: Opening) -> None:
    here, there = BoardPost(GUILD, 5, 2**62), BoardPost(GUILD, 6, 71)
    async with opening() as store:
        await store.set_board(GUILD, 5)
        await store.set_board(GUILD + 1, 7)
        for post in (here._replace(message=70), here, there):
            await store.add_board_post(post)
        await store.set_board(GUILD, 6)
    async with opening() as store:
        assert await store.guild_settings(GUILD) == GuildSettings(board=6)
        assert await store.boards() == [GUILD, GUILD + 1]
        assert await store.board_posts(GUILD) == [here, there]
        await store.delete_board_post(here)
        await store.delete_board_post(there._replace(message=72))  # another one has replaced it meanwhile
        assert await store.board_posts(GUILD) == [there]
        await store.end_board(GUILD, 5)
        assert await store.boards() == [GUILD, GUILD + 1]
        await store.end_board(GUILD, 6)
        assert await store.boards() == [GUILD + 1]
        await purge(store, GUILD + 1)
        assert await store.boards() == []


async def test_hours_are_kept_with_the_deadlines_that_follow(opening: Opening) -> None:
    async with opening() as store:
        match = await lobby(store)
        await store.append(match.id, [move(2)], deadlines={1: 100, 2: 200})
        hours = Hours("Europe/Berlin", 18, 6, 5_000, 20, undelivered=6_000)
        moves = {(match.id, 1): (100, 150), (match.id, 2): (199, 250)}
        await store.set_hours(ALICE, hours, moves)
        await store.set_hours(BEN, Hours("Asia/Tokyo", acts=(0,) * 24))
        assert await store.hours([ALICE, BEN + 1]) == {ALICE: hours}
        assert await store.deadlines(match.id) == {1: 150, 2: 200}
        assert {*await store.all_hours()} == {ALICE, BEN}
        await store.set_hours(ALICE, None)
        assert await store.hours([ALICE]) == {}


async def test_a_digest_of_a_day_is_noted_once(opening: Opening) -> None:
    async with opening() as store:
        await store.set_hours(ALICE, Hours("Europe/Berlin", digest=20))
        assert await store.note_digest(ALICE, 7)
        assert not await store.note_digest(ALICE, 7)
        assert (await store.hours([ALICE]))[ALICE].digested == 7
        await store.set_hours(ALICE, Hours("Europe/Berlin", undelivered=5))
        assert not await store.note_digest(ALICE, 8)


async def test_acts_are_counted_for_who_wants_that(opening: Opening) -> None:
    async with opening() as store:
        await store.set_hours(ALICE, Hours("Europe/Berlin"))
        assert not await store.set_acts(ALICE, [1] * 24)
        await store.set_hours(ALICE, Hours("Europe/Berlin", acts=(0,) * 24))
        assert await store.set_acts(ALICE, [1] * 24)
        assert (await store.hours([ALICE]))[ALICE].acts == (1,) * 24


async def test_presets_are_counted_by_the_matches_that_began_with_their_options(opening: Opening) -> None:
    async with opening() as store:
        for name, guild, options in (("A", GUILD, '{"x":1}'), ("B", GUILD, "{}"), ("A", GUILD + 1, "{}")):
            assert await store.add_preset(Preset(0, guild, name, "toy", options, "live"), 4)
        assert not await store.add_preset(Preset(0, GUILD, "A", "toy", "{}", "live"), 4)
        match, *others = [await lobby(store) for _ in range(3)]
        for begun in (match, others[0]):
            await store.append(begun.id, [move(2)], phase="play", started=5)
    async with opening() as store:
        assert await store.add_preset(Preset(0, GUILD, "C", match.game, match.options, "relaxed"), 4)
        await store.leave_out(GUILD, ["toy", "palace"])
        assert (await store.guild_settings(GUILD)).left_out == ("toy", "palace")
        found = await store.presets(GUILD)
        assert [(each.name, each.pace, each.played) for each in found] == [
            ("C", "relaxed", 2),
            ("A", "live", 0),
            ("B", "live", 0),
        ]
        await store.delete_preset(GUILD + 1, found[0].id)
        await store.delete_preset(GUILD, found[1].id)
        assert [each.name for each in await store.presets(GUILD)] == ["C", "B"]
        await store.leave_out(GUILD + 1, ["toy"])
        await purge(store, GUILD + 1)
        assert await store.presets(GUILD + 1) == []


async def test_a_bulletin_is_due_until_it_is_posted_where_a_board_is_wanted(opening: Opening) -> None:
    async with opening() as store:
        for guild, board in ((GUILD, 5), (GUILD + 1, None), (GUILD + 2, 6)):
            await store.want_bulletins(guild, ["daily"])
            await store.set_board(guild, board)
        await store.want_bulletins(GUILD + 2, ["weekly"])
    async with opening() as store:
        new = Bulletin(GUILD, "daily", 1, 0, 0, 0)
        assert await store.due_bulletins("daily", 7) == [new]
        assert await store.due_bulletins("weekly", 7) == [Bulletin(GUILD + 2, "weekly", 1, 0, 0, 0)]
        await store.keep_bulletin(being_posted := new._replace(number=7, channel=5, message=None))
        assert await store.due_bulletins("daily", 7) == [being_posted]
        await store.keep_bulletin(posted := being_posted._replace(message=2**62))
        assert await store.due_bulletins("daily", 7) == []
        assert await store.due_bulletins("daily", 8) == [posted]
        await store.want_bulletins(GUILD, [])
        assert await store.due_bulletins("daily", 8) == []
        await store.want_bulletins(GUILD, ["daily", "weekly"])  # it remembers what is posted
        assert await store.bulletins(GUILD) == [posted, Bulletin(GUILD, "weekly", 1, 0, 0, 0)]
        await purge(store, GUILD)
        assert await store.bulletins(GUILD) == []


async def test_the_finished_matches_of_some_time_have_their_results(store: Store) -> None:
    matches = [await in_season(store, started) for started in (1, 2)]
    await in_season(store, 3, guild=GUILD + 1)
    await in_season(store, 4, over=False)
    found = await store.finished_matches(GUILD, 50, 51)
    assert [each.match for each in found] == [await store.match(each.id) for each in matches]
    assert [(each.match, each.user) for each in found[1].results] == [
        (matches[1].id, ALICE),
        (matches[1].id, BEN),
    ]
    assert await store.finished_matches(GUILD, 51, 99) == []


def seek(
    user: int, *games: str, pace: str = "any", until: int | None = None, most: int = 1, at: int = 1
) -> Seek:
    return Seek(GUILD, user, f"#{user}", games, pace, until, most, at)


async def test_a_person_looks_for_games_in_each_guild_until_a_time(opening: Opening) -> None:
    alice, ben = seek(ALICE, "palace", "toy", until=500, at=7), seek(BEN, "toy", at=9)
    async with opening() as store:
        for each in (seek(ALICE, "charms"), alice, ben, ben._replace(guild=GUILD + 1, until=400)):
            await store.set_seek(each)
    async with opening() as store:
        assert await store.seek(GUILD, ALICE) == alice
        assert await store.seek(GUILD + 1, ALICE) is None
        assert await store.seeks(GUILD, 499, 9) == (2, [alice, ben])
        assert await store.seeks(GUILD, 499, 1) == (2, [alice])
        assert await store.seeks(GUILD, 499, 9, without=[ALICE]) == (1, [ben])
        assert await store.seeks(GUILD, 500, 9) == (1, [ben])
        assert await store.end_seeks(399) == []
        assert await store.end_seeks(400) == [GUILD + 1]
        assert await store.end_seek(GUILD, BEN)
        assert not await store.end_seek(GUILD, BEN)
        await purge(store, GUILD)
        assert await store.seeks(GUILD, 0, 9) == (0, [])


async def test_whose_turn_was_least_lately_is_called_first_and_then_who_has_waited_longest(
    store: Store,
) -> None:
    for each in (
        seek(ALICE, "twin-palms", pace="live", most=2, at=3),
        seek(BEN, "twin-palms", "twin-it", at=2),
        seek(CLEO, "twin-it", pace="relaxed", at=1),
    ):
        await store.set_seek(each)

    async def called(
        game: str = "twin-palms",
        pace: str = "live",
        now: int = 50,
        without: Sequence[int] = (),
        limit: int = 9,
    ) -> list[int]:
        return await store.callable(GUILD, game, pace, now, without=without, limit=limit)

    assert await called() == [BEN, ALICE]
    assert await called(limit=1) == [BEN]
    assert await called(without=[BEN]) == [ALICE]
    assert await called("twin-it") == [BEN]
    assert await called("twin-it", "relaxed") == [CLEO, BEN]
    first, second, third = [await lobby(store) for _ in range(3)]

    def summons(match: Match, at: int) -> Summons:
        return Summons(match.id, GUILD, CHANNEL, None, None, at)

    async def call(match: Match, *users: int, at: int, since: int) -> bool:
        return await store.call(summons(match, at), users, since)

    assert await call(first, ALICE, at=100, since=0)
    assert not await call(second, BEN, at=150, since=99)
    assert not await call(first, BEN, at=DAY, since=101)
    assert await call(second, ALICE, at=160, since=100)
    assert await store.called(summons(second, 160), "twin-palms", "live", 170) == [ALICE]
    assert await store.called(summons(second, 160), "twin-it", "live", 170) == []
    assert await store.called(summons(second, 160), "twin-palms", "relaxed", 170) == []
    assert await called(now=170) == [BEN]
    assert await called(now=DAY) == [BEN, ALICE]
    await store.pass_over(GUILD, [BEN], 170)
    assert await called(now=DAY) == [ALICE, BEN]
    assert await store.called(summons(second, 170), "twin-palms", "live", 170) == []
    await store.set_seek(seek(ALICE, "twin-palms", most=2, at=200))
    assert await called(now=210) == [BEN]  # it does not begin to count anew
    assert await call(third, BEN, ALICE, at=DAY, since=DAY - 1)
    assert await called(now=DAY) == [ALICE]
    assert sorted(await store.wanted(GUILD, DAY, besides=[], without=[CLEO])) == [
        (("twin-it",), "relaxed", 0, 1),
        (("twin-palms",), "any", 1, 0),
        (("twin-palms", "twin-it"), "any", 0, 1),  # called as often as wanted
    ]
    assert sorted(await store.wanted(GUILD, 2 * DAY, besides=[CLEO], without=[])) == [
        (("twin-palms",), "any", 1, 0),
        (("twin-palms", "twin-it"), "any", 1, 0),
    ]


async def test_what_people_looked_for_ends_when_they_sit_down_at_such_a_table(store: Store) -> None:
    match = await lobby(store)  # Alice sat down at 1000
    await store.append(match.id, [LogRow(2, "sit", None, BEN, "0 Ben", 1_100)])

    async def ends(**changes: Any) -> bool:
        usual: dict[str, Any] = {"game": "twin-palms", "pace": "live"}
        return await store.find_seats(match.id, GUILD, **(usual | changes))

    await store.set_seek(seek(ALICE, "twin-palms", "toy", pace="live", until=9_000, at=1_000))
    await store.set_seek(seek(BEN, "twin-palms", at=900))
    await store.set_seek(seek(CLEO, "twin-palms", until=9_000, at=900))
    assert not await ends(game="toy", pace="relaxed")
    assert not await ends(game="palms")
    assert await ends()
    assert [each.user for each in (await store.seeks(GUILD, 0, 9))[1]] == [CLEO, BEN]
    await store.set_seek(seek(BEN, "twin-palms", until=9_000, at=1_101))
    assert not await ends()


async def test_a_message_that_calls_people_is_kept_until_it_was_taken_away(opening: Opening) -> None:
    async with opening() as store:
        match, other = await lobby(store, challenged=BEN), await lobby(store, guild=GUILD + 1)
        challenge = Summons(match.id, GUILD, CHANNEL, None, BEN, match.opened)
        call = Summons(other.id, GUILD + 1, CHANNEL, None, None, 1_000)
        assert await store.call(call, [], 0)
        await store.set_summons(match.id, 2**62)
    async with opening() as store:
        assert await store.summons() == [challenge._replace(message=2**62), call]
        assert await store.summons(GUILD + 1) == [call]
        await store.forget_summons(1_000)
        await store.set_summons(match.id, 0)
        await store.forget_summons(999)
        assert len(await store.summons()) == 2
        await store.forget_summons(1_000)
        assert await store.summons() == [call]
        await purge(store, GUILD + 1)
        assert await store.summons() == []


async def test_a_challenge_counts_unless_its_card_was_never_shown(store: Store) -> None:
    shown, refused = [await lobby(store, challenged=BEN) for _ in range(2)]
    await store.update_match(shown.id, card=2**62)
    counted = (ALICE, BEN, 1_000)
    assert await store.challenges(ALICE, CLEO, 999) == await store.challenges(CLEO, BEN, 999) == [counted] * 2
    for match in (shown, refused):
        await store.append(match.id, [LogRow(2, "close", None, None, "not shown", 1_100)], phase="closed")
    assert await store.challenges(ALICE, CLEO, 999) == [counted]
    assert await store.challenges(ALICE, CLEO, 1_000) == await store.challenges(CLEO, ALICE, 999) == []


NIGHT = NewNight(GUILD, CHANNEL, ALICE, 5_000, 0, '[["toy", {}]]', 2, "5ec")


async def test_nights_of_a_guild_are_apart(store: Store) -> None:
    night = present(await store.plan_night(NIGHT, 100))
    assert (night.phase, night.round, night.due, night.told) == ("planned", 0, 5_000, 0)
    assert await store.plan_night(NIGHT._replace(starts=5_099), 100) is None
    assert await store.plan_night(NIGHT._replace(starts=4_901), 100) is None
    other = await store.plan_night(NIGHT._replace(starts=4_900), 100)
    assert await store.plan_night(NIGHT._replace(guild=GUILD + 1), 100) is not None
    assert await store.next_night(GUILD) == other
    assert len(await store.nights_to_do()) == 3
    assert await store.end_night(night, "off", "few")
    assert not await store.end_night(night, "off", "late")
    assert (await store.night(night.id)) == night._replace(phase="off", reason="few")
    assert await store.plan_night(NIGHT, 100) is not None
    await store.night_is_told(night.id)
    assert night.id not in [each.id for each in await store.nights_to_do()]


async def test_a_night_that_is_repeated_is_apart_from_others_in_all_its_weeks(store: Store) -> None:
    once, weekly = NIGHT, NIGHT._replace(weekly=1)
    night = present(await store.plan_night(weekly, 100))
    for starts in (5_000 + 3 * WEEK - 99, 5_000 + WEEK + 99):
        assert await store.plan_night(once._replace(starts=starts), 100) is None
    assert await store.plan_night(once._replace(starts=5_000 - WEEK), 100) is not None
    assert await store.plan_night(weekly._replace(starts=5_000 - 3 * WEEK), 100) is None
    await store.stop_repeating(night.id)
    assert await store.plan_night(once._replace(starts=5_000 + WEEK), 100) is not None


async def test_nights_that_begin_later_are_read_only_for_guilds_that_are_named(store: Store) -> None:
    nights = [await store.plan_night(NIGHT._replace(guild=guild, starts=guild), 1) for guild in (10, 20, 30)]
    first, second, third = [night.id for night in nights if night]

    async def found(now: int, *guilds: int) -> list[int]:
        return [night.id for night in await store.due_nights(now, guilds)]

    assert await found(9) == []
    assert await found(10) == [first]
    assert await found(9, 20, 30, 40) == [second, third]
    assert await found(20, 20) == [first, second]
    assert nights[2] is not None
    assert await store.end_night(nights[2], "off", "few")
    assert await found(0) == [third]
    await store.night_is_told(third)
    assert await found(99, 30) == [first, second]


async def test_who_comes_to_a_night_is_kept_up_to_a_number(store: Store) -> None:
    night = present(await store.plan_night(NIGHT, 100))
    assert await store.come(night.id, ALICE, "Alice", 2)
    assert await store.come(night.id, BEN, "Ben", 2)
    assert not await store.come(night.id, CLEO, "Cleo", 2)
    assert await store.come(night.id, BEN, "Ben the Great", 2)
    assert await store.go(night.id, ALICE, WAS_AWAY)
    assert await store.go(night.id, ALICE)
    assert not await store.go(night.id, ALICE)
    assert not await store.go(night.id, ALICE, WAS_AWAY)
    assert await store.come(night.id, CLEO, "Cleo", 2)
    assert await store.night_people(night.id) == [
        NightPerson(ALICE, "Alice", HAS_LEFT),
        NightPerson(BEN, "Ben the Great", 0),
        NightPerson(CLEO, "Cleo", 0),
    ]


async def test_a_round_of_a_night_is_begun_opened_and_closed_once(opening: Opening) -> None:
    async with opening() as store:
        night = present(await store.plan_night(NIGHT._replace(weekly=1), 100))
        tables = [((ALICE, None), "why"), ((BEN, None), "why not")]
        await store.come(night.id, BEN, "Ben", 9)
        assert not await store.begin_round(night, tables)
        await store.come(night.id, ALICE, "Alice", 9)
        assert await store.begin_round(night, tables)
        assert not await store.begin_round(night, tables)
    async with opening() as store:
        first, second = await store.night_tables(night.id)
        assert (first.seats, first.why, first.match) == ((NightSeat(ALICE), NightSeat(None)), "why", None)
        new = NewMatch("toy", 1, "{}", "seed", GUILD, CHANNEL, ALICE, 5)
        match = await store.open_night_table(first, new, [move(1)], {-1: 7}, 9_000)
        with pytest.raises(StoreFailed):
            await store.open_night_table(first, new, [move(1)], {}, 9_000)
        assert [each.id for each in await store.open_matches()] == [match.id]
        assert await store.deadlines(match.id) == {-1: 7}
        found = present(await store.night_of(match.id))
        assert (found[0].id, found[0].due, found[1]) == (night.id, 9_000, 1)
        assert await store.night_of(99) is None
        assert await store.night_places(night.id) == {}
        await store.update_match(match.id, place=77)
        assert await store.night_places(night.id) == {match.id: 77}
        await store.postpone(50, [GUILD], 1_000, {})
        begun = present(await store.night(night.id))
        assert begun.due == 9_050
        assert not await store.pause_night(night, 9_100)
        assert await store.pause_night(begun, 9_100)
        assert (await store.night(night.id)) == (begun := begun._replace(phase="pause", due=9_100))
        seats = [NightSeat(BEN, 0, -3), NightSeat(None, None, 8)]
        assert await store.close_night_table(second, '{"rated": 1}', seats, {BEN: WAS_AWAY})
        assert not await store.close_night_table(second, None, seats, {})
        _, second = await store.night_tables(night.id)
        assert (second.closed, second.rated, second.seats) == (1, '{"rated": 1}', tuple(seats))
        assert await store.night_people(night.id) == [
            NightPerson(ALICE, "Alice", 0),
            NightPerson(BEN, "Ben", WAS_AWAY),
        ]
        assert not await store.has_unpublished_results(begun, 0)
        await store.append(match.id, [move(2)], phase="over", ended=9_200)
        assert await store.has_unpublished_results(begun, 9_199)
        assert not await store.has_unpublished_results(begun, 9_200)
        await store.update_match(match.id, published=2)
        assert not await store.has_unpublished_results(begun, 0)
        assert await store.end_night(begun, "over", "", NIGHT._replace(starts=7_000))
        assert not await store.end_night(begun, "over", "", NIGHT._replace(starts=8_000))
        assert [each.starts for each in await store.nights_to_do()] == [5_000, 7_000]


async def test_the_role_of_a_winner_ends_once(store: Store) -> None:
    await store.set_night_role(GUILD, 9)
    assert (await store.guild_settings(GUILD)).night_role == 9
    first, longer = NightRole(GUILD, ALICE, 9, 100), NightRole(GUILD, ALICE, 9, 200)
    assert not await store.add_night_role(first)
    night = present(await store.plan_night(NIGHT, 100))
    await store.come(night.id, ALICE, "Alice", 9)
    assert await store.add_night_role(first)
    assert await store.night_roles(99) == []
    assert await store.night_roles(100) == [first]
    await store.add_night_role(longer)
    await store.delete_night_role(first)
    assert await store.night_roles(200) == await store.night_roles_of(ALICE) == [longer]
    assert await store.night_roles_of(BEN) == []
    await purge(store, GUILD)
    assert await store.night_roles(200) == []


async def test_the_messages_of_a_night_are_kept_until_its_server_is_purged(store: Store) -> None:
    night = present(await store.plan_night(NIGHT, 100))
    for message in (77, 78):
        await store.add_night_post(night.id, 0, message)
    await store.add_night_post(night.id, 1, 79)
    await store.delete_night_post(night.id, 1)
    assert await store.night_posts(night.id) == {0: 78}
    await store.come(night.id, ALICE, "Alice", 9)
    assert await store.begin_round(night, [((ALICE, None), "why")])
    await store.mark_left_guilds([], 5)
    assert await store.left_guilds(5) == [GUILD]
    await store.purge_guild(GUILD)
    assert await store.night(night.id) is None
    assert await store.night_tables(night.id) == []


async def test_a_healthy_store_has_a_size(store: Store) -> None:
    health = await store.health()
    assert health.fault is None
    assert health.size > 0


async def test_a_season_is_closed_once_and_its_table_stays(store: Store) -> None:
    season = await autumn(store)
    await in_season(store, 1_999)
    assert not await store.close_season(season.id, 1_999, one_line)
    assert await store.final_table(season.id) == []
    closes = await asyncio.gather(*(store.close_season(season.id, 2_000, one_line) for _ in range(3)))
    assert closes == [True, False, False]
    await in_season(store, 1_500)
    assert await store.final_table(season.id) == [SeasonRow(ALICE, "Alice", 1, 1, 0, 0)]
    assert await store.seasons(GUILD) == [replace(season, closed=2_000)]
    assert not await store.close_season(99, 2_000, one_line)


async def test_a_season_that_waits_no_more_counts_what_had_ended_by_then(store: Store) -> None:
    season = await autumn(store)
    for ended in (2_500, 2_501):
        match = await in_season(store, 1_500, over=False)
        finished = Finished([result(match, 0, ALICE, 1, ended=ended)], POOL, '{"v":1}')
        await store.append(match.id, [move(3)], phase="over", ended=ended, finished=finished)
    assert await store.close_season(season.id, 2_500, one_line, unless_playing=False)
    assert [row.points for row in await store.final_table(season.id)] == [1]


async def test_a_season_waits_for_its_matches_in_play_unless_told_otherwise(store: Store) -> None:
    season = await autumn(store)
    await in_season(store, 2_000, over=False)
    await in_season(store, 1_500, over=False, guild=GUILD + 1)
    match = await in_season(store, 1_999, over=False)
    assert not await store.close_season(season.id, 3_000, one_line)
    assert await store.close_season(season.id, 3_000, one_line, unless_playing=False)
    other = await autumn(store, starts=5_000, ends=6_000)
    await store.append(match.id, [move(3)], phase="closed")
    assert await store.close_season(other.id, 6_000, one_line)


async def test_a_close_that_fails_keeps_nothing(store: Store) -> None:
    season = await autumn(store)
    twice = SeasonRow(ALICE, "Alice", 1, 0, 0, 0)
    with pytest.raises(StoreFailed):
        await store.close_season(season.id, 2_000, lambda _: [twice, twice])
    assert await store.seasons(GUILD) == [season]
    assert await store.final_table(season.id) == []
    assert await store.close_season(season.id, 2_000, one_line)


async def test_a_season_is_unfinished_until_its_table_is_posted(store: Store) -> None:
    first, second = await autumn(store), await autumn(store, guild=GUILD + 1)
    assert await store.unfinished_seasons() == [first, second]
    await store.close_season(first.id, 2_000, one_line)
    assert await store.unfinished_seasons() == [replace(first, closed=2_000), second]
    await store.keep_final_post(first.id, 77)
    assert await store.unfinished_seasons() == [second]
    assert [season.message for season in await store.seasons(GUILD)] == [77]


async def test_a_server_with_a_season_or_settings_only_is_purged_too(store: Store) -> None:
    await autumn(store)
    await store.set_season_role(GUILD + 1, 7)
    await store.set_table_channels(GUILD + 1, [5])
    await store.mark_left_guilds([], 100)
    assert await store.left_guilds(100) == [GUILD, GUILD + 1]
    for guild in (GUILD, GUILD + 1):
        await store.purge_guild(guild)
    assert await store.seasons(GUILD) == []
    assert await store.guild_settings(GUILD + 1) == GuildSettings()
    await store.mark_left_guilds([], 200)
    assert await store.left_guilds(200) == []


async def test_a_server_with_a_preset_bulletins_or_a_winner_only_is_purged_too(store: Store) -> None:
    night = present(await store.plan_night(NIGHT, 100))
    await store.come(night.id, ALICE, "Alice", 9)
    assert await store.add_preset(Preset(0, GUILD + 1, "A", "toy", "{}", "live"), 4)
    await store.want_bulletins(GUILD + 2, [])
    await store.add_night_role(NightRole(GUILD + 3, ALICE, 9, 100))  # as after a restore
    await store.mark_left_guilds([GUILD], 100)
    left = [GUILD + 1, GUILD + 2, GUILD + 3]
    assert await store.left_guilds(100) == left
    for guild in left:
        await store.purge_guild(guild)
    assert not await store.presets(GUILD + 1)
    assert not await store.bulletins(GUILD + 2)
    assert not await store.night_roles_of(ALICE)


async def test_who_looks_for_a_game_reads_that_a_server_which_removed_the_bot_keeps_that(
    store: Store,
) -> None:
    await store.set_seek(seek(ALICE, "toy", at=9))
    await store.mark_left_guilds([], 100)
    assert await store.left_guilds(100) == [GUILD]
    assert await store.seek(GUILD, ALICE) is not None
    kept = {column.kept for column in TABLES["seeks"].personal().values()}
    assert all(each.endswith("as long as the bot is on the server, and 30 days more") for each in kept)


async def test_a_server_that_invites_the_bot_before_its_purge_is_not_purged(store: Store) -> None:
    match = await lobby(store)
    await store.mark_left_guilds([], 100)
    await store.mark_left_guilds([GUILD], 200)
    assert not await store.purge_guild(GUILD)
    assert await store.match(match.id) == match


async def test_only_servers_of_the_named_shards_are_marked(store: Store) -> None:
    for shard in range(3):
        await store.set_season_role(shard << 22 | 1, 7)
    await store.mark_left_guilds([], 100, shards=[0, 2], count=3)
    assert await store.left_guilds(100) == [1, 2 << 22 | 1]


# Preferences and facts


async def test_a_preference_has_its_default_until_it_is_set_and_none_set_at_the_same_time_is_lost(
    store: Store,
) -> None:
    assert await store.preferences(ALICE) == Preferences("ephemeral", "always")
    wanted = Preferences("dm", "never", "text only", "large", "rank", "after the match", "Zed", "open")
    await asyncio.gather(*(store.set_preference(ALICE, name, word) for name, word in asdict(wanted).items()))
    assert await store.preferences(ALICE) == wanted
    await store.set_preference(CLEO, "replays", "open")
    assert await store.preferences_of([ALICE, BEN, CLEO]) == {
        ALICE: wanted,
        BEN: Preferences(),
        CLEO: Preferences(replays="open"),
    }


async def test_a_lesson_goes_on_where_its_person_stopped(store: Store) -> None:
    assert await store.lesson(ALICE, "palmer") == 0
    await store.set_lesson(ALICE, "palmer", 3)
    await store.set_lesson(ALICE, "palmer", 4)
    lessons = [await store.lesson(*each) for each in ((ALICE, "palmer"), (ALICE, "palace"), (BEN, "palmer"))]
    assert lessons == [4, 0, 0]


async def test_a_lesson_is_offered_once_to_a_person_and_game(store: Store) -> None:
    await store.set_lesson(BEN, "palmer", 2)
    asked = (ALICE, "palmer"), (ALICE, "palmer"), (ALICE, "palace"), (BEN, "palmer")
    assert [await store.offer_lesson(*each) for each in asked] == [True, False, True, False]
    assert await store.lesson(BEN, "palmer") == 2


async def test_a_lesson_is_not_offered_to_somebody_who_has_played_the_game(store: Store) -> None:
    match = await finished(store, 1, 2)
    daily = NewMatch("palace", 1, "{}", "seed", 0, 0, ALICE, 1_000)
    await store.begin_attempt(7, 0, "Alice", daily, [LogRow(1, "sit", None, ALICE, "0 Alice", 1_000)])
    games = match.game, "palace", "palmer"
    assert [await store.offer_lesson(ALICE, game) for game in games] == [False, False, True]


async def test_an_unknown_preference_cannot_be_set(store: Store) -> None:
    for name in ("user", "card_order", "hand = 'dm' --", ""):
        with pytest.raises(ValueError, match="there is no preference"):
            await store.set_preference(ALICE, name, "dm")
    assert await store.preferences(ALICE) == Preferences()


async def test_only_people_who_want_calls_are_pinged(store: Store) -> None:
    await store.set_preference(BEN, "pings", "only reminders")
    await store.set_preference(CLEO, "pings", "never")
    people = [ALICE, BEN, CLEO]
    assert await store.who_want_pings(people, urgent=False) == [ALICE]
    assert await store.who_want_pings(people, urgent=True) == [ALICE, BEN]


async def test_a_match_has_one_rematch_and_another_only_after_one_that_closed_before_it_began(
    store: Store,
) -> None:
    first = await lobby(store)
    assert await store.rematch(first.id) is None
    unseen = await lobby(store, rematch_of=first.id)
    assert await store.rematch(first.id) == unseen.id
    with pytest.raises(StoreFailed):
        await lobby(store, rematch_of=first.id)
    await store.append(unseen.id, [], phase="closed", ended=2_000)
    assert await store.rematch(first.id) is None
    begun = await lobby(store, rematch_of=first.id)
    await store.append(begun.id, [], phase="play", started=3_000)
    await store.append(begun.id, [], phase="closed", ended=4_000)
    assert await store.rematch(first.id) == begun.id
    with pytest.raises(StoreFailed):
        await lobby(store, rematch_of=first.id)


async def test_a_fact_has_the_value_set_last(store: Store) -> None:
    assert await store.fact("commands") is None
    await store.set_fact("commands", "one")
    await store.set_fact("commands", "two")
    assert await store.fact("commands") == "two"


# Messages


async def test_a_message_is_stored_by_kind_and_number_and_replaced_there(store: Store) -> None:
    match, other = await lobby(store), await lobby(store)
    page = Post(match.id, "page", 1, channel=22, message=33)
    await store.save_post(page)
    await store.save_post(Post(other.id, "page", 1, channel=22, message=44))
    await store.save_post(replace(page, message=55, old=33, copies=1))
    await store.save_post(call := Post(match.id, "call", 9, channel=22, message=0))
    assert await store.posts(match.id) == [call, replace(page, message=55, old=33, copies=1)]
    await store.delete_post(page)
    assert await store.posts(match.id) == [call]


async def test_nothing_of_direct_messages_is_stored_any_more_once_their_person_was_erased(
    store: Store,
) -> None:
    match = await lobby(store, guild=0)
    await store.append(match.id, [move(2)], phase="closed")
    await store.erase_person(ALICE, 100)
    await store.save_post(Post(match.id, "page", 1, match.channel, message=33))
    await store.update_match(match.id, place=match.channel, card=44)
    found = present(await store.match(match.id))
    assert (found.channel, found.place, found.card) == (0, None, None)
    assert await store.posts(match.id) == []


# Profiles and histories


async def test_placings_are_those_of_one_person_the_earliest_match_first(store: Store) -> None:
    await finished(store, 2, 1, ended=300)
    await finished(store, 1, 2, ended=100)
    await finished(store, 3, 1, 2, guild=GUILD + 1, ended=200)
    assert await store.placings(Selection(ALICE)) == [
        Placed("twin-palms", 1, 100),
        Placed("twin-palms", 3, 200),
        Placed("twin-palms", 2, 300),
    ]
    assert [each.placing for each in await store.placings(Selection(ALICE, GUILD))] == [1, 2]
    assert await store.placings(Selection(ALICE, game="palmer")) == []


async def test_a_history_has_the_latest_matches_first_with_all_people_and_the_change_of_the_rating(
    store: Store,
) -> None:
    first, second = await rated_match(store, 2, 1, ended=100), await rated_match(store, 1, 2, 3, ended=200)
    await store.update_match(second[0].match, place=77)
    unrated = await finished(store, 1, 2, ended=300)
    total, matches = await store.history(Selection(BEN), 10)
    assert total == 3
    assert [each.match for each in matches] == [unrated.id, second[0].match, first[0].match]
    assert [(each.ended, each.place) for each in matches] == [(300, None), (200, 77), (100, None)]
    assert (matches[0].before, matches[0].after) == (None, None)
    assert (matches[1].before, matches[2].before) == (matches[2].after, None)
    assert matches[1].after == (await store.ratings(POOL, [BEN]))[BEN]
    assert matches[1].results == second
    assert matches[2].results == first[::-1]
    assert await store.history(Selection(BEN), 1, 1) == (3, matches[1:2])
    assert await store.history(Selection(BEN), 0) == (3, [])
    assert await store.history(Selection(BEN), 8, 10**7) == (3, [])
    assert await store.history(Selection(CLEO, GUILD + 1), 8) == (0, [])


async def test_a_selection_excludes_all_other_matches(store: Store) -> None:
    won = await rated_match(store, 1, 2, ended=100)
    lost = await rated_match(store, 2, 1, 3, ended=200)
    level = await rated_match(store, 1, 1, ended=300)
    unrated = (await finished(store, 2, ended=400)).id
    ids = [each[0].match for each in (won, lost, level)]
    for selection, wanted in (
        (Selection(ALICE), [unrated, *ids[::-1]]),
        (Selection(ALICE, placing=1), [ids[2], ids[0]]),
        (Selection(ALICE, other=BEN), ids[::-1]),
        (Selection(ALICE, other=BEN, ahead=1), [ids[0]]),
        (Selection(ALICE, other=BEN, ahead=0), [ids[2]]),
        (Selection(ALICE, other=BEN, ahead=-1), [ids[1]]),
        (Selection(ALICE, other=CLEO), [ids[1]]),
        (Selection(ALICE, other=CLEO, ahead=-1), []),
        (Selection(ALICE, pool=POOL), ids[::-1]),
        (Selection(ALICE, pool="palace"), []),
        (Selection(ALICE, since=200, until=300), [ids[2], ids[1]]),
        (Selection(ALICE, game="palmer"), []),
        (Selection(ALICE, guild=GUILD + 1), []),
        (Selection(2**63 - 1), []),
    ):
        total, matches = await store.history(selection, 10)
        assert [each.match for each in matches] == wanted, selection
        assert total == len(wanted) == len(await store.placings(selection)), selection


async def test_facts_are_added_up_and_compared_over_a_persons_matches(store: Store) -> None:
    for ended, facts in ((100, '{"tricks":4,"run":2}'), (200, '{"tricks":9}'), (300, '{"tricks":0,"run":7}')):
        match = await lobby(store)
        own = replace(result(match, 0, ALICE, 1, ended=ended), facts=facts)
        other = replace(result(match, 1, BEN, 2, ended=ended), facts='{"tricks":50}')
        await store.append(match.id, [], phase="over", ended=ended, finished=Finished([own, other]))
    assert await store.fact_values(Selection(ALICE)) == [
        FactValues("twin-palms", "run", 9, 7, 2, 2),
        FactValues("twin-palms", "tricks", 13, 9, 0, 2),
    ]
    for selection, number in (
        (Selection(ALICE, fact="tricks"), 2),
        (Selection(ALICE, fact="tricks", value=0), 1),
        (Selection(ALICE, fact="run", value=7), 1),
        (Selection(ALICE, fact='x"'), 0),
    ):
        assert (await store.history(selection, 0))[0] == number, selection
    assert await store.fact_values(Selection(CLEO)) == []


async def test_the_best_win_is_over_the_highest_rated_of_those_rated_well_enough(store: Store) -> None:
    for _ in range(3):
        await rated_match(store, 2, 1)  # Ben's rating rises faster than Alice's
    both = await rated_match(store, 1, 2, 3, ended=90)
    best = present(await store.best_win(Selection(ALICE), 1, 0.5))
    assert (best.result, best.rating.n, best.rating.match) == (both[1], 4, both[1].match)
    assert best.rating == (await store.ratings(POOL, [BEN]))[BEN]
    for nobody in (
        store.best_win(Selection(ALICE), 5, 0.5),
        store.best_win(Selection(ALICE), 1, 0.3),
        store.best_win(Selection(ALICE, guild=GUILD + 1), 1, 0.5),
        store.best_win(Selection(CLEO), 1, 0.5),
    ):
        assert await nobody is None


async def test_people_who_share_the_first_place_have_not_beaten_each_other(store: Store) -> None:
    await rated_match(store, 1, 1, 3)
    best = present(await store.best_win(Selection(ALICE), 1, 0.5))
    assert best.result.user == CLEO


async def test_the_course_of_a_rating_is_in_the_order_in_which_matches_were_counted(store: Store) -> None:
    for ended, placing in ((300, 1), (200, 2)):
        await rated_match(store, placing, 3 - placing, ended=ended)
    assert await store.rating_course(ALICE, POOL) == [(300, 29.0), (200, 37.0)]
    assert await store.rating_course(ALICE, "palace") == []


# Daily deals


def deal(user: int = ALICE) -> NewMatch:
    """Return a new match without a place."""
    return NewMatch("palace", 1, "{}", "seed", 0, 0, user, 1_000)


async def begun(store: Store, user: int = ALICE, day: int = 9, guild: int = GUILD) -> Attempt:
    rows = [LogRow(1, "sit", None, user, f"0 #{user}", 1_000)]
    return await store.begin_attempt(day, guild, f"#{user}", deal(user), rows)


async def finish(store: Store, attempt: Attempt, placing: int, score: int) -> Attempt:
    """Finish the match of an attempt, and return the attempt."""
    result = AloneResult(placing, score, 70)
    await store.append(attempt.match, [move(2)], phase="over", ended=70, finished=Finished((), alone=result))
    return present(await store.attempt(attempt.user, attempt.day))


async def test_an_attempt_is_kept_with_its_match(store: Store) -> None:
    attempt = await begun(store)
    match = present(await store.match(attempt.match))
    assert (match.placeless, match.phase, match.host, match.guild) == (True, "lobby", ALICE, 0)
    assert [row.kind for row in await store.log(match.id)] == ["sit"]
    assert attempt == Attempt(ALICE, 9, match.id, GUILD, f"#{ALICE}")
    assert await store.attempt(ALICE, 9) == await store.attempt_of(match.id) == attempt
    assert await store.attempt(ALICE, 8) is None
    assert await store.attempt_of(match.id + 1) is None


async def test_of_two_attempts_at_the_same_moment_one_counts_and_both_callers_get_it(store: Store) -> None:
    first, second = await asyncio.gather(begun(store), begun(store, guild=GUILD + 1))
    assert first == second
    assert len(await store.open_matches()) == 1


async def test_people_have_an_attempt_each_and_one_at_each_day(store: Store) -> None:
    attempts = [await begun(store), await begun(store, BEN), await begun(store, day=10)]
    assert len({each.match for each in attempts}) == 3
    assert await store.attempts(9) == attempts[:2]


async def test_the_result_of_an_attempt_is_kept_with_the_end_of_its_match(store: Store) -> None:
    attempt = await begun(store)
    assert await store.finished_days(ALICE) == []
    done = await finish(store, attempt, 2, 30)
    assert done == replace(attempt, placing=2, score=30, ended=70)
    assert await store.finished_days(ALICE) == [9]
    assert await store.leaderboard(0) == []


async def test_a_match_alone_that_is_no_attempt_keeps_no_result(store: Store) -> None:
    match = await store.create(deal(), [], {})
    end = Finished((), alone=AloneResult(1, 1, 70))
    await store.append(match.id, [LogRow(1, "move", 0, ALICE, "x", 1)], phase="over", finished=end)
    assert await store.attempt_of(match.id) is None


async def test_a_match_without_a_place_is_in_no_list_of_members_and_messages(store: Store) -> None:
    await begun(store)
    assert await store.members() == []
    assert await store.unpublished() == []


async def test_unfinished_attempts_are_those_whose_match_is_open(store: Store) -> None:
    first, second, done = await begun(store, day=8), await begun(store), await begun(store, BEN)
    await finish(store, done, 1, 1)
    assert await store.unfinished_attempts(9, 0, 5) == await store.unfinished_attempts(10, 0, 1) == [first]
    assert await store.unfinished_attempts(10, 0, 5) == [first, second]
    assert await store.unfinished_attempts(10, first.match, 5) == [second]


async def test_practice_without_a_place_is_open_and_no_attempt(store: Store) -> None:
    await begun(store)
    rows = [LogRow(1, "sit", None, ALICE, "0 Alice", 1_000)]
    practice, done = [await store.create(deal(), rows, {}) for _ in range(2)]
    await store.append(done.id, [move(2)], phase="closed")
    await lobby(store)
    assert await store.practice_without_place(ALICE) == [practice.id]
    assert await store.practice_without_place(BEN) == []


async def test_a_fact_is_added_once(store: Store) -> None:
    kept = await asyncio.gather(store.add_fact("secret", "a"), store.add_fact("secret", "b"))
    assert [*kept] == ["a", "a"]
    assert await store.fact("secret") == "a"


async def test_an_outage_that_is_stored_twice_is_one(store: Store) -> None:
    for since, until in [(10, 20), (30, 40), (30, 50)]:
        await store.add_outage(since, until)
    assert await store.outages(0) == [(10, 20), (30, 50)]
    assert await store.outages(20) == [(30, 50)]


async def test_a_purged_server_is_forgotten_by_attempts(store: Store) -> None:
    await begun(store)
    await store.mark_left_guilds([], at=100)
    assert await store.left_guilds(100) == [GUILD]
    await store.purge_guild(GUILD)
    assert [each.guild for each in await store.attempts(9)] == [0]


async def test_a_person_with_an_unfinished_attempt_can_be_erased(store: Store) -> None:
    attempt = await begun(store)
    assert await store.erase_person(ALICE, 100) == [attempt.match]
    (left,) = await store.attempts(9)
    assert left.user < 0
    assert left.name == "former player"
    assert await store.former_ids(ALICE) == {attempt.match: left.user}
    match, log = await store.match(attempt.match), await store.log(attempt.match)
    assert match is not None
    assert (match.phase, match.ended, log[-1].kind, log[-1].at) == ("closed", 100, "close", 100)
    assert await store.open_matches() == []


# Former players


async def dealt(store: Store, *entries: LogRow, phase: str = "play") -> int:
    """Start a match of Alice, Ben and Cleo, with more entries, and return its number."""
    match = await lobby(store)
    people = [LogRow(2, "sit", None, BEN, "0 Ben", 2), LogRow(3, "sit", None, CLEO, "7 Cleo", 3)]
    start = LogRow(4, "start", None, ALICE, "", 4)
    await store.append(match.id, [*people, start, *entries], phase=phase)
    return match.id


async def former(store: Store, match: int, kind: str) -> int | None:
    """Return the user of the first entry of that kind."""
    return next(row.user for row in await store.log(match) if row.kind == kind)


async def test_whoever_has_held_a_seat_of_a_match_in_play_is_known_after_an_erasure(store: Store) -> None:
    left = await dealt(store, LogRow(5, "leave", None, BEN, "", 5))
    given = await dealt(store, LogRow(5, "give", 1, BEN, "Eve", 5), LogRow(6, "take", 1, 99, "Eve", 5))
    back = [LogRow(5, "leave", None, CLEO, "", 5), LogRow(6, "take", 2, BEN, "Ben", 6)]
    taken = await lobby(store)
    await store.append(taken.id, [LogRow(2, "start", None, ALICE, "", 2)], phase="play")
    await store.append(taken.id, [LogRow(3, "take", 0, BEN, "Ben", 3), LogRow(4, "leave", None, BEN, "", 4)])
    over = await dealt(store, *back, phase="over")
    await store.erase_person(BEN, 100)
    known = await store.former_ids(BEN)
    assert known.keys() == {left, given, taken.id}
    assert over not in known
    assert known == {match: await former(store, match, kind) for match, kind in
                     ((left, "leave"), (given, "give"), (taken.id, "take"))}  # fmt: skip
    assert {*known.values()} == {known[left]}
    assert await store.former_ids(ALICE) == await store.former_ids(known[left]) == {}


async def test_whoever_has_seen_no_hand_is_not_known_after_an_erasure(store: Store) -> None:
    match = await lobby(store)
    seats = [LogRow(2, "sit", None, BEN, "0 Ben", 2), LogRow(3, "leave", None, BEN, "", 3)]
    others = [LogRow(4, "start", None, ALICE, "", 4), LogRow(5, "offer", 0, ALICE, f"{BEN} Ben", 5)]
    await store.append(match.id, [*seats, *others], phase="play")
    assert await store.erase_person(BEN, 100) == [match.id]
    assert (await store.export_person(BEN)).is_unknown


async def test_daily_deals_that_may_still_be_begun_are_known_after_an_erasure(store: Store) -> None:
    attempts = [await begun(store, day=day) for day in (2, 3, 10)]
    await finish(store, attempts[2], 1, 10)
    await store.erase_person(ALICE, 10 * DAY + 5)
    assert (await store.former_ids(ALICE)).keys() == {attempts[1].match, attempts[2].match}


async def test_a_former_player_is_forgotten_when_the_deal_is_over(store: Store) -> None:
    matches = [await dealt(store, LogRow(5, "leave", None, BEN, "", 5)) for _ in range(3)]
    attempts = [await begun(store, BEN, day) for day in (9, 10)]
    await store.erase_person(BEN, 100)
    assert not await store.forget_former_players(9)
    assert len(await store.former_ids(BEN)) == 5
    await store.append(matches[0], [move(6)], phase="over", ended=100)
    await store.append(matches[1], [LogRow(6, "close", None, None, "voted", 6)], phase="closed", ended=100)
    assert await store.forget_former_players(10)
    assert (await store.former_ids(BEN)).keys() == {matches[2], attempts[1].match}
    assert not await store.forget_former_players(10)


async def test_whoever_is_erased_twice_in_a_match_is_still_known(store: Store) -> None:
    match = await dealt(store, LogRow(5, "leave", None, BEN, "", 5))
    await store.erase_person(BEN, 100)
    known = await store.former_ids(BEN)
    await store.append(match, [LogRow(6, "take", 1, BEN, "Ben", 6), LogRow(7, "leave", None, BEN, "", 7)])
    assert await store.erase_person(BEN, 200) == [match]
    assert await store.former_ids(BEN) == known


async def test_a_former_player_does_not_keep_a_server_from_being_purged(store: Store) -> None:
    match = await dealt(store, LogRow(5, "leave", None, BEN, "", 5))
    await store.erase_person(BEN, 100)
    await store.append(match, [LogRow(6, "close", None, None, "voted", 6)], phase="closed", ended=100)
    await purge(store, GUILD)
    assert await store.former_ids(BEN) == {}


async def test_what_may_not_be_kept_any_more_when_its_turn_comes_is_not_kept(store: Store) -> None:
    match = await lobby(store)
    with pytest.raises(StoreFailed, match="another process runs this table"):
        await store.append(match.id, [move(2)], may=lambda: False)
    await store.append(match.id, [move(2, "play P4")], may=lambda: True)
    assert [row.body for row in await store.log(match.id)] == ["0 Alice", "play P4"]
