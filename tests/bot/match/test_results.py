"""The results of a finished match follow from its log alone: placings, facts, and the input of its rating."""

import asyncio
import json
import re
from typing import NoReturn

import pytest
from discord import ui

from bot.hosting.recount import redo
from bot.match import seats as seating
from bot.match.deadlines import TABLE, idle
from bot.match.entries import Caretaker
from bot.match.lobby_notes import lobby_words
from bot.match.log import read
from bot.match.results import finished, rating, rating_notes
from bot.match.state import Player
from bot.match.table import Table
from bot.messages import posts
from bot.standings.ratings import PILE, RatedMatch, RatedSeat
from bot.store import Finished, Match, RatingRow, RatingStep, Recounted, Result, Selection, Unreadable
from cogs.profile.history import people
from games import GAMES
from games.types import SEATS
from tests.bot.tables import ALICE, BEN, CLEO, DANA, EVE, GUILD, Room, move, pass_deadline, started
from tests.held import failing, held
from tests.present import present
from tests.seats import THIRD
from tests.toy import rules
from tests.toy.rules import TRICKS

PALACE = GAMES["palace"]


async def stored(room: Room, table: Table) -> Match:
    return present(await room.store.match(table.id))


async def counted(room: Room, table: Table) -> Finished:
    """Return what follows from the stored log of a match that is over."""
    log = [read(row) for row in await room.store.log(table.id)]
    return finished(await stored(room, table), table.state.game, log)


async def rated(room: Room, table: Table) -> RatedMatch:
    """Return the stored input of the rating."""
    match = await stored(room, table)
    assert match.rated is not None
    return RatedMatch.from_json(match.rated)


async def play_once(table: Table) -> None:
    """Make one move: a person by themselves, a computer or caretaker at its deadline."""
    seat = table.state.awaited()[0]
    if table.state.strength_at(seat):
        await table.answer(seat, table.state.prompts[seat], None)
    else:
        await move(table, table.state.players[seat].user)


async def play_on(room: Room, table: Table) -> None:
    while table.state.phase == "play":
        await play_once(table)


async def test_whoever_was_replaced_for_most_of_the_match_is_rated_as_last(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    await table.leave(CLEO, room.time)
    await play_on(room, table)
    match = await rated(room, table)
    assert [seat.replaced for seat in match.seats] == [False, False, True]
    ratings = await room.store.ratings(match.pool, [ALICE, BEN, CLEO])
    assert ratings[CLEO].mu < min(ratings[ALICE].mu, ratings[BEN].mu)
    assert await finishes(room, ALICE, BEN, CLEO) == [[True], [True], [False]]


@pytest.mark.parametrize("computers", [0, 1, 2])
async def test_who_leaves_a_match_of_two_has_lost_it_and_who_stayed_has_won(
    room: Room, computers: int
) -> None:
    table = await started(room, BEN, computers=computers)
    await table.leave(BEN, room.time)
    await play_on(room, table)
    ratings = await room.store.ratings(table.match.game, [ALICE, BEN])
    assert ratings[BEN].mu < min(25, ratings[ALICE].mu)
    places = {row.user: row.mean_placing for row in await room.store.leaderboard(GUILD)}
    assert places[ALICE] < places[BEN] == 2 + computers
    assert await finishes(room, ALICE, BEN) == [[True], [False]]


async def test_letting_a_computer_play_most_of_a_match_of_two_loses_it(room: Room) -> None:
    table = await started(room, BEN)
    await absent(room, table, BEN)
    await play_on(room, table)
    ratings = await room.store.ratings(table.match.game, [ALICE, BEN])
    assert ratings[BEN].mu < 25 < ratings[ALICE].mu
    assert {row.user: row.wins for row in await room.store.leaderboard(GUILD)} == {ALICE: 1, BEN: 0}


async def test_a_match_that_nobody_played_to_the_end_is_rated_and_won_for_nobody(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    await absent(room, table, BEN)
    await absent(room, table, CLEO)
    await play_all_but_one_move(table)
    await seating.come_back(table, BEN, room.time)
    await table.leave(ALICE, room.time)
    await play_on(room, table)
    assert (await stored(room, table)).rated is None
    assert await room.store.ratings(table.match.game, [ALICE, BEN, CLEO]) == {}
    assert await finishes(room, ALICE, BEN, CLEO) == [[False], [True], [False]]
    assert {row.wins for row in await room.store.leaderboard(GUILD)} == {0}
    _, (match,) = await room.store.history(Selection(ALICE, GUILD), 1)
    assert {(each.placing, each.facts) for each in match.results} == {(3, "{}")}
    assert people(match.results, ALICE) == f"**🤖 for P{ALICE}**, P{BEN}, 🤖 for P{CLEO}"
    (line,) = posts.result(table, (await room.tables.played(table.id))[1], "<#7>").walk_children()
    assert isinstance(line, ui.TextDisplay)
    assert line.content.count("🤖 for P10") == 3


async def test_who_comes_back_for_the_last_move_has_nothing_of_what_a_computer_won(room: Room) -> None:
    table = await started(room, BEN)
    await absent(room, table, BEN)
    await play_all_but_one_move(table)
    await seating.come_back(table, BEN, room.time)
    await play_on(room, table)
    _, (match,) = await room.store.history(Selection(BEN, GUILD), 1)
    assert [(each.placing, each.facts) for each in match.results if each.user == BEN] == [(2, "{}")]
    assert (await room.tables.played(table.id))[1] == {1}


async def test_a_seat_handed_over_is_lost_for_the_giver_and_counts_for_nobody_who_hardly_played_it(
    room: Room,
) -> None:
    table = await started(room, BEN)
    await play_all_but_one_move(table)
    giver = table.state.players[table.state.awaited()[0]].user
    stayed = ALICE if giver == BEN else BEN
    await hand_over(room, table, giver, CLEO)
    await play_on(room, table)
    ratings = await room.store.ratings(table.match.game, [ALICE, BEN, CLEO])
    assert {*ratings} == {ALICE, BEN}
    assert ratings[giver].mu < 25 < ratings[stayed].mu
    assert {row.user: row.wins for row in await room.store.leaderboard(GUILD)} == {giver: 0, stayed: 1}
    assert await finishes(room, giver, stayed, CLEO) == [[False], [True], []]


async def test_a_seat_handed_over_early_counts_for_both(room: Room) -> None:
    table = await started(room, BEN)
    await hand_over(room, table, BEN, CLEO)
    await play_on(room, table)
    match = await rated(room, table)
    assert match.left == (1,)
    outcome = table.state.outcome()
    rows = await room.store.leaderboard(GUILD)
    assert {row.user: row.mean_placing for row in rows} == {
        ALICE: outcome.placings[0],
        CLEO: outcome.placings[1],
        BEN: 2,
    }
    ratings = await room.store.ratings(match.pool, [ALICE, BEN, CLEO])
    assert ratings[BEN].mu < 25
    assert (ratings[CLEO].mu > 25) == (outcome.placings[1] == 1)
    assert await finishes(room, ALICE, BEN, CLEO) == [[True], [False], [True]]
    notes = {note.line.split()[0]: note for note in await room.tables.rating_notes(table)}
    assert notes[f"P{BEN}"].line.startswith(f"P{BEN} counts as 2nd because they left · ")
    assert notes[f"P{BEN}"].label == ""
    assert notes["Cleo"].label != ""
    await room.tables.erase(BEN)
    assert await room.store.recount(redo, lambda *_: None) == Recounted(1, [], [], [])


async def test_a_seat_of_a_single_person_is_not_rated_however_many_have_it(room: Room) -> None:
    table = await room.open(computers=2)
    await table.start(ALICE, room.time)
    await hand_over(room, table, ALICE, BEN)
    await play_on(room, table)
    assert (await stored(room, table)).rated is None
    assert await room.store.leaderboard(GUILD) == []


async def test_who_takes_a_seat_plays_most_of_it_and_leaves_has_lost_too(room: Room) -> None:
    table = await started(room, BEN)
    await hand_over(room, table, BEN, CLEO)
    await play_all_but_one_move(table)
    await hand_over(room, table, CLEO, DANA)
    await play_on(room, table)
    ratings = await room.store.ratings(table.match.game, [ALICE, BEN, CLEO, DANA])
    assert {*ratings} == {ALICE, BEN, CLEO}
    assert max(ratings[BEN].mu, ratings[CLEO].mu) < 25 < ratings[ALICE].mu
    assert await finishes(room, BEN, CLEO, DANA) == [[False], [False], []]


async def test_who_takes_a_seat_and_leaves_before_half_of_its_moves_has_nothing_of_it(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    await play_all_but_one_move(table)
    for giver, taker in ((CLEO, DANA), (DANA, EVE)):
        await hand_over(room, table, giver, taker)
    await play_on(room, table)
    assert await finishes(room, CLEO, DANA, EVE) == [[False], [], []]


async def test_when_both_have_left_who_stayed_longer_has_won(room: Room) -> None:
    table = await started(room, BEN, computers=1)
    await play_round(table)
    await table.leave(BEN, room.time)
    await table.leave(ALICE, room.time)
    assert (table.state.phase, table.state.gone) == ("over", {table.state.held[BEN]})
    assert table.state.reason == f"everybody else has left or was away, so <@{ALICE}> has won."
    match = await rated(room, table)
    assert [seat.placing for seat in match.seats] == [1, 0, 2]  # the computer is compared with nobody
    ratings = await room.store.ratings(match.pool, [ALICE, BEN])
    assert ratings[ALICE].mu - 25 == 25 - ratings[BEN].mu > 0
    assert {row.user: row.wins for row in await room.store.leaderboard(GUILD)} == {ALICE: 1, BEN: 0}
    assert await finishes(room, ALICE, BEN) == [[True], [False]]
    assert await room.store.recount(redo, lambda *_: None) == Recounted(1, [], [], [])
    assert (await room.reload(table)).state.winner == ALICE
    await room.tables.erase(ALICE)
    assert await room.store.recount(redo, lambda *_: None) == Recounted(1, [], [], [])


async def test_who_is_left_alone_with_computers_and_does_not_finish_the_match_has_won(room: Room) -> None:
    table = await started(room, BEN)
    await play_round(table)
    if table.state.awaited() == (1,):
        await play_once(table)
    await table.leave(BEN, room.time)
    while TABLE not in table.deadlines:
        await play_once(table)
    await pass_deadline(room, table, TABLE)
    assert table.state.reason == f"everybody else has left or was away, so <@{ALICE}> has won."
    assert {row.user: row.wins for row in await room.store.leaderboard(GUILD)} == {ALICE: 1, BEN: 0}
    assert await finishes(room, ALICE, BEN) == [[True], [False]]
    assert await room.store.recount(redo, lambda *_: None) == Recounted(1, [], [], [])


async def away_after_a_round(room: Room, user: int) -> tuple[Table, int]:
    """Return a match of Alice and Ben of which both have played a round, then one is away; and the time for which
    somebody must be away to have left."""
    table = await started(room, BEN, hands=5)
    await play_round(table)
    room.time += 1000
    await absent(room, table, user)
    return table, idle(table.state, room.tables.clock.times)


async def wins(room: Room, table: Table) -> dict[int, int]:
    """Return the wins of each person in a match that has been counted, and so again by a recount."""
    assert table.state.phase == "over"
    assert await room.store.recount(redo, lambda *_: None) == Recounted(1, [], [], [])
    assert await finishes(room, ALICE, BEN) == [[False], [True]]
    return {row.user: row.wins for row in await room.store.leaderboard(GUILD)}


async def test_who_leaves_a_match_of_two_that_the_other_one_was_long_away_from_has_won(room: Room) -> None:
    table, long = await away_after_a_round(room, ALICE)
    room.time += long
    await table.leave(BEN, room.time)
    assert await wins(room, table) == {ALICE: 0, BEN: 1}


async def test_nobody_loses_because_the_other_one_leaves_while_they_are_late(room: Room) -> None:
    table, _ = await away_after_a_round(room, ALICE)
    await table.leave(BEN, room.time)
    assert table.is_open
    await seating.come_back(table, ALICE, room.time)
    await table.leave(ALICE, room.time)
    assert table.state.winner == ALICE


@pytest.mark.parametrize(("leaves", "why"), [(False, "were away when the match ended"), (True, "left")])
async def test_who_does_not_come_back_when_the_other_one_has_left_has_lost(
    room: Room, *, leaves: bool, why: str
) -> None:
    table, _ = await away_after_a_round(room, ALICE)
    await table.leave(BEN, room.time)
    if leaves:
        await table.leave(ALICE, room.time)
    else:
        await pass_deadline(room, table, TABLE)
    assert await wins(room, table) == {ALICE: 0, BEN: 1}
    (line,) = posts.result(table, (await room.tables.played(table.id))[1], "<#7>").walk_children()
    assert isinstance(line, ui.TextDisplay)
    assert line.content.startswith(f"🏆 P{BEN} won at "), "he has won, and no computer for him"
    won, lost = [note.line for note in await room.tables.rating_notes(table)]
    assert won.startswith(f"P{BEN} counts as 1st · ")
    assert lost.startswith(f"P{ALICE} counts as 2nd because they {why} · ")


async def test_a_match_that_falls_asleep_is_won_by_the_one_for_whom_no_computer_plays(room: Room) -> None:
    table, _ = await away_after_a_round(room, ALICE)
    while TABLE not in table.deadlines:
        seat = next(each for each in table.state.awaited() if table.state.strength_at(each))
        await table.answer(seat, table.state.prompts[seat], None)
    await pass_deadline(room, table, TABLE)
    assert await wins(room, table) == {ALICE: 0, BEN: 1}


async def test_when_both_have_left_a_match_that_one_of_them_never_played_counts_for_nobody(
    room: Room,
) -> None:
    table = await started(room, BEN)
    await move(table, ALICE)
    await table.leave(BEN, room.time)
    await table.leave(ALICE, room.time)
    assert table.state.reason == "everybody has left; the match does not count."
    assert await room.store.leaderboard(GUILD) == []


async def test_when_more_than_two_have_left_the_match_counts_for_nobody(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    await play_round(table)
    for user in (BEN, CLEO, ALICE):
        await table.leave(user, room.time)
    assert table.state.reason == "everybody has left; the match does not count."
    assert (await stored(room, table)).rated is None


async def test_the_note_says_why_a_match_of_the_same_people_counts_little(room: Room) -> None:
    for _ in range(11):
        await play_on(room, await started(room, BEN))
    table = await started(room, BEN)
    await play_on(room, table)
    (*_, line) = [note.line for note in await room.tables.rating_notes(table)]
    assert line.endswith("; the 12th match of just these people in 30 days, which counts 69%")
    assert await room.store.recount(redo, lambda *_: None) == Recounted(12, [], [], [])
    room.time += PILE
    table = await started(room, BEN)
    await play_on(room, table)
    assert not any("just these" in note.line for note in await room.tables.rating_notes(table))


async def test_erasing_the_loser_does_not_make_matches_count_in_full_again(room: Room) -> None:
    for number in range(13):
        await play_on(room, await started(room, BEN))
        room.time += 1000
        if number % 3 == 2:
            assert await room.tables.erase(BEN)
    # Whoever is erased later was somebody else at the time of the matches before.
    await play_on(room, await started(room, CLEO))
    room.time += 1000
    assert await room.tables.erase(CLEO)
    table = await started(room, BEN)
    await play_on(room, table)
    notes = [note.line for note in await room.tables.rating_notes(table)]
    assert all(
        line.endswith("; the 15th match of just these people in 30 days, which counts 44%") for line in notes
    )
    assert await room.store.recount(redo, lambda *_: None) == Recounted(15, [], [], [])


async def test_an_erasure_by_a_slow_clock_does_not_make_earlier_matches_count_less(room: Room) -> None:
    for rival in (BEN, CLEO) * 6:
        await play_on(room, await started(room, rival))
        room.time += 1000
    assert await room.store.erase_person(BEN, 1)
    assert await room.store.recount(redo, lambda *_: None) == Recounted(12, [], [], [])


async def hand_over(room: Room, table: Table, giver: int, taker: int) -> None:
    name = {BEN: "Ben", CLEO: "Cleo", DANA: "Dana", EVE: "Eve"}[taker]
    seat = table.seat(giver)
    await seating.offer(table, giver, taker, name, room.time)
    await seating.accept(table, seat, taker, name, room.time)


async def absent(room: Room, table: Table, user: int) -> None:
    """Let a computer play for a person."""
    seat = table.seat(user)
    async with table.changing(room.time):
        await table.commit(room.time, Caretaker((seat,)))


async def play_round(table: Table) -> None:
    """Make one move for each seat."""
    for _ in table.state.players:
        await play_once(table)


async def play_all_but_one_move(table: Table) -> None:
    """Play a match of one hand until its last move."""
    for _ in range(TRICKS * len(table.state.players) - 1):
        await play_once(table)


async def test_a_person_who_took_a_free_seat_answers_for_it_from_then_on(room: Room) -> None:
    table = await started(room, BEN, CLEO, hands=5)
    await move(table, ALICE)
    await table.leave(CLEO, room.time)
    for seat in SEATS[1:3]:
        if table.state.strength_at(seat):
            await table.answer(seat, table.state.prompts[seat], None)
        else:
            await move(table, table.state.players[seat].user)
    await seating.take(table, THIRD, 109, "Dana", room.time)
    await play_on(room, table)
    match = await rated(room, table)
    assert not any(seat.replaced for seat in match.seats)
    assert {*await room.store.ratings(match.pool, [ALICE, BEN, CLEO, 109])} == {ALICE, BEN, CLEO, 109}


async def test_facts_are_kept_with_each_result_and_follow_from_the_log(room: Room) -> None:
    table = await started(room, BEN, game=PALACE)
    await play_on(room, table)
    match, found = await stored(room, table), await counted(room, table)
    assert [{*json.loads(each.facts)} <= {*PALACE.facts.KINDS} for each in found.results] == [True, True]
    assert all(json.loads(each.facts) for each in found.results)
    assert found.rated == match.rated


async def test_partners_have_the_place_of_their_side_among_the_sides(room: Room) -> None:
    table = await started(room, BEN, CLEO, DANA, game=GAMES["hand-and-foot"], deals=1)
    await play_on(room, table)
    found = await counted(room, table)
    assert [each.placing for each in found.results] in ([1, 2, 1, 2], [2, 1, 2, 1])
    assert found.rated is not None
    assert [seat.placing for seat in RatedMatch.from_json(found.rated).seats] == [
        each.placing for each in found.results
    ]


async def test_the_end_of_a_match_gives_each_person_a_reason_for_the_new_rating(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    await play_on(room, table)
    notes = await room.tables.rating_notes(table)
    outcome = present(table.state.game.outcome(table.state.game_state))
    assert [note.seat for note in notes] == [0, 1, 2]
    for seat, line in enumerate(note.line for note in notes):
        name, place = table.state.players[seat].name, ("1st", "2nd", "3rd")[outcome.placings[seat] - 1]
        rating = notes[seat].label.removesuffix("?")
        assert line == f"{name} came {place} · first rating {rating}, still uncertain"


async def finishes(room: Room, *users: int) -> list[list[bool]]:
    return [await room.store.finishes(user, since=0, limit=20) for user in users]


async def test_a_person_for_whom_a_caretaker_played_has_finished_only_if_they_came_back(room: Room) -> None:
    for comes_back in (False, True):
        table = await started(room, BEN, CLEO)
        await absent(room, table, CLEO)
        for _ in range(8):  # of nine moves; the last one is Cleo's
            await play_once(table)
        if comes_back:
            await seating.come_back(table, CLEO, room.time)
        await play_on(room, table)
        match = await rated(room, table)
        assert [seat.replaced for seat in match.seats] == [False, False, True]
        room.time += 1000
    assert (await finishes(room, ALICE, CLEO)) == [[True, True], [True, False]]


async def test_a_person_whose_free_seat_is_taken_has_left_all_the_same(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    await table.leave(CLEO, room.time)
    await seating.take(table, THIRD, 109, "Dana", room.time)
    await play_on(room, table)
    assert await finishes(room, CLEO, 109) == [[False], [True]]


async def test_the_end_of_a_match_names_the_milestones_that_it_earned_and_no_older_ones(room: Room) -> None:
    first = await started(room, BEN)
    await play_on(room, first)
    outcome = present(first.state.game.outcome(first.state.game_state))
    winners = {seat: ["first win"] for seat in SEATS[:2] if outcome.placings[seat] == 1}
    assert await room.tables.milestones(first) == winners
    second = await started(room, BEN)
    await play_on(room, second)
    assert not {*winners} & {*await room.tables.milestones(second)}
    assert await room.tables.milestones(first) == winners


async def test_a_lobby_has_ratings_of_those_who_show_them(room: Room) -> None:
    for _ in range(10):
        await play_on(room, await started(room, BEN, CLEO))
    await room.store.set_preference(CLEO, "ratings", "never")
    table = await room.open(BEN, CLEO, 109)
    words = [
        lobby_words(table.lobby_notes, user, [ALICE, BEN, CLEO, 109]) for user in (ALICE, BEN, CLEO, 109)
    ]
    assert re.fullmatch(r"\d{4}\?? · finishes 10 of the last 10", words[0])
    assert re.fullmatch(r"\d{4}\?? · finishes 10 of the last 10", words[1])
    assert words[2:] == ["finishes 10 of the last 10", ""]
    assert (await room.reload(table)).lobby_notes == table.lobby_notes


async def test_a_lobby_has_no_ratings_while_preferences_cannot_be_read(room: Room) -> None:
    for _ in range(10):
        await play_on(room, await started(room, BEN))
    table = await room.open()
    with failing(room.store, "preferences", Unreadable()):
        await table.join(BEN, "Ben", room.time)
    assert lobby_words(table.lobby_notes, ALICE, [ALICE, BEN]) == "finishes 10 of the last 10"
    assert lobby_words(table.lobby_notes, BEN, [ALICE, BEN]) == ""


async def test_what_somebody_chooses_while_they_sit_down_counts_in_the_lobby(room: Room) -> None:
    table = await room.open()
    async with held(room.store, "finishes", table.join(BEN, "Ben", room.time)):
        await room.store.set_preference(BEN, "ratings", "after the match")
        noting = asyncio.create_task(room.tables.note(BEN))
        await asyncio.wait([noting], timeout=0.1)
    await noting
    assert table.lobby_notes[BEN].hides_ratings


async def test_the_placing_in_a_team_match_is_that_of_the_side() -> None:
    rated = RatedMatch(
        "pool", tuple(RatedSeat(side, side + 1, None, replaced=False) for side in (0, 1, 0, 1))
    )
    match = Match(
        1, "twin-it", 1, "{}", "", 1, 2, 3, "over", 1, 1, 9, None, None, 0, None, 1, rated.to_json()
    )
    steps = [
        RatingStep(
            RatingRow(10 + seat, "pool", 1, 0, seat, 25.0, 8.0, 1.5, 8),
            RatingRow(10 + seat, "pool", 2, 1, seat, 25.0, 8.0, 1.5, 9),
        )
        for seat in SEATS[:4]
    ]
    players = [Player(10 + seat, name) for seat, name in enumerate(["Alice", "Ben", "Cleo", "Dana"])]
    lines = [note.line for note in rating_notes(match, steps, players)]
    assert [(line.split()[0], line[-3:]) for line in lines] == [
        ("Alice", "1st"),
        ("Cleo", "1st"),
        ("Ben", "2nd"),
        ("Dana", "2nd"),
    ]
    assert all("place 1.5 of 2 sides, came" in line for line in lines)


class TooManyToRead(dict[int, RatingRow]):
    """The ratings of everybody in a pool, which nobody may read one by one."""

    def __iter__(self) -> NoReturn:
        raise AssertionError("a recount would read everybody at each match")

    items = values = keys = __iter__


def test_the_ratings_of_a_match_read_only_its_people() -> None:
    results = [Result(1, seat, 2, "palace", user, "x", seat + 1, 0, 2, 9) for seat, user in enumerate((7, 8))]
    rated = RatedMatch("palace", tuple(RatedSeat(seat, seat + 1, None, replaced=False) for seat in SEATS[:2]))
    before = TooManyToRead({7: RatingRow(7, "palace", 3, 0, 0, 30.0, 5.0, 1.5, 1)})
    assert [row.n for row in rating(results, rated)(before, 1)] == [4, 1]


async def test_a_fault_in_facts_or_ratings_does_not_stop_the_last_move(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    table = await started(room, BEN)
    monkeypatch.setattr("bot.match.results.rate", fail)
    monkeypatch.setattr(rules, "count", fail)
    await play_on(room, table)
    assert table.state.phase == "over"
    assert len(await room.store.leaderboard(table.match.guild)) == 2
    assert await room.store.ratings(table.match.game, [ALICE, BEN]) == {}
    assert {record.levelname for record in caplog.records} == {"ERROR"}
    monkeypatch.undo()
    monkeypatch.setitem(GAMES, table.match.game, table.state.game)
    await room.store.recount(redo, lambda *_: None)
    assert {*await room.store.ratings(table.match.game, [ALICE, BEN])} == {ALICE, BEN}
