"""Wrong and forged moves in every game: each gets an answer, and the match continues unchanged."""

import asyncio
from itertools import product
from random import Random

from games import AnyGame
from games.types import SEATS, Seat, with_seats
from sandbox.components import STRING_SELECT
from tests.e2e.match import Match, check_answer, refusal_of, three_games_are_enough
from tests.e2e.players import latest, modal_of, press_more, shown

VERBS = (
    *("join", "leave", "start", "cancel", "computer", "hand", "reference", "rules", "form", "type", "typed"),
    *("hint", "back", "take", "accept", "decline", "vote", "quit", "end", "stay"),
)
NUMBERS = ("0", "2", "999999999999999", "9223372036854775807", "9223372036854775808", "9" * 80, "01x", "²")
"""Numbers of tables that were never opened; some are too large for the database."""


def known(game: AnyGame, options: object, seats: int) -> list[str]:
    """Return the texts of actions that are legal at some time in a random match."""
    state, _ = game.new(options, seats, "elsewhere")
    rng = Random(1)
    texts: set[str] = set()
    for _ in range(40):
        if not game.awaited(state):
            break
        for seat in SEATS[:seats]:
            texts.update(
                map(game.text, rng.sample(game.legal(state, seat), min(4, len(game.legal(state, seat)))))
            )
        seat = rng.choice(game.awaited(state))
        game.step(state, seat, rng.choice(game.legal(state, seat)))
    return sorted(texts)


async def illegal_moves(match: Match, seat: Seat, most: int = 12) -> list[str]:
    """Return moves that the seat may not make now: first those that others may make now, then those legal at other
    times."""
    state = (await match.table()).state
    seats = SEATS[: len(match.people)]
    own = {match.game.text(action) for action in state.legal(seat)}
    others = {match.game.text(action) for other in seats for action in state.legal(other)}
    elsewhere = known(match.game, state.options, len(match.people))
    Random(state.n).shuffle(elsewhere)
    return [text for text in (*sorted(others)[:6], *elsewhere) if text not in own][:most]


# Moves


@three_games_are_enough
async def test_a_move_that_is_not_legal_now_is_refused_for_every_seat_at_any_time(match: Match) -> None:
    await match.deal()
    place = await match.place()
    for _ in range(5):
        n = await match.entries()
        for seat, person in with_seats(match.people):
            for text in await illegal_moves(match, seat):
                refusal_of(await person.slash(place, "move", action=text))
        assert await match.entries() == n
        await match.step()
    await match.check()


@three_games_are_enough
async def test_a_move_that_is_not_legal_now_cannot_be_forged_into_a_form(match: Match) -> None:
    await match.deal()
    person, _ = await match.next()
    hand = await match.hand(person)
    n, seat = await match.entries(), SEATS[match.people.index(person)]
    for text in await illegal_moves(match, seat, 5):
        modal = modal_of(await person.click(hand, "Type a move"))
        check_answer(await person.submit(modal, {"Your move": text}))
        assert "✅" not in hand.text
        for menu in [each["custom_id"] for each in hand.selects]:
            check_answer(await person.press(hand, menu, STRING_SELECT, values=[text]))
    assert await match.entries() == n
    await match.check_that_play_continues()


@three_games_are_enough
async def test_another_persons_form_makes_no_move_for_them(match: Match) -> None:
    await match.deal()
    person, text = await match.next()
    hand = await match.hand(person)
    n = await match.entries()
    assert (await person.click(hand, "Type a move")).modal
    public = latest(match.watcher, await match.place())
    for custom_id in hand.custom_ids:
        answer = await match.watcher.press(public, custom_id, STRING_SELECT, values=[text])
        (refusal_of if custom_id.startswith(("form:", "type:")) else check_answer)(answer)
    assert "You do not sit" in refusal_of(await match.watcher.slash(await match.place(), "move", action=text))
    assert await match.entries() == n
    await match.check_that_play_continues()


@three_games_are_enough
async def test_a_typed_move_delivered_twice_or_sent_twice_counts_once(match: Match) -> None:
    await match.deal()
    person, text = await match.next()
    hand, n = await match.hand(person), await match.entries()
    modal = modal_of(await person.click(hand, "Type a move"))
    line = {"Your move": text}
    doing = [person.submit(modal, line, times=2), person.submit(modal, line), person.submit(modal, line)]
    for answer in await asyncio.gather(*doing):
        check_answer(answer)
    assert await match.entries() == n + 1
    await match.check_that_play_continues()


@three_games_are_enough
async def test_simultaneous_moves_of_everybody_are_each_stored_or_refused(match: Match) -> None:
    await match.deal()
    n, place, table = await match.entries(), await match.place(), await match.table()
    doing = [
        person.slash(place, "move", action=match.game.text(table.state.legal(seat)[0]))
        for seat, person in with_seats(match.people)
        if table.state.legal(seat)
        for _ in range(2)
    ]
    answers = await asyncio.gather(*doing)
    kept = sum("✅" in answer.told for answer in answers)
    for answer in answers:
        check_answer(answer)
    assert await match.entries() == n + kept
    assert kept
    await match.check_that_play_continues()


# People who are not at the table, and tables that do not exist


async def test_a_watcher_who_asks_for_a_hand_is_told_that_they_do_not_sit_there(match: Match) -> None:
    await match.deal()
    place = await match.place()
    for message in (match.card, await match.board(), latest(match.watcher, place)):
        answer = refusal_of(await match.watcher.click(message, "My hand"))
        assert answer.startswith("You do not sit at this table, so")
    assert refusal_of(await match.watcher.slash(place, "hand")).startswith("You do not sit at this table, so")


async def test_buttons_of_an_unknown_table_are_answered(match: Match) -> None:
    await match.deal()
    n, alice, board = await match.entries(), match.people[0], await match.board()
    for verb, number in product(VERBS, NUMBERS):
        for rest in ("", ":0", f":{number}::move"):
            refusal_of(await alice.press(board, f"{verb}:{number}{rest}"[:100]))
    assert await match.entries() == n
    await match.check_that_play_continues()


async def test_commands_about_an_unknown_table_are_answered(match: Match) -> None:
    await match.deal()
    n, alice, place = await match.entries(), match.people[0], await match.place()
    for number in NUMBERS:
        for command in ("hand", "table leave", "table end", "table show"):
            refusal_of(await alice.slash(place, command, table=number))
        refusal_of(await alice.slash(place, "move", action=(await match.next())[1], table=number))
    assert await match.entries() == n
    await match.check_that_play_continues()


@three_games_are_enough
async def test_buttons_of_a_finished_table_are_answered_and_change_nothing(match: Match) -> None:
    await match.deal()
    person, text = await match.next()
    hand = await match.hand(person)
    modal = modal_of(await person.click(hand, "Type a move"))
    forms, board, place = hand.custom_ids, await match.board(), await match.place()
    await match.finish()
    n = await match.entries()
    for message in (match.card, board, latest(person, place)):
        for custom_id in {*message.custom_ids, *(f"{verb}:1" for verb in VERBS)} - {"rematch:1"}:
            check_answer(await person.press(message, custom_id))
    for custom_id in forms:
        check_answer(await person.press(hand, custom_id, STRING_SELECT, values=[text]))
    check_answer(await person.submit(modal, {"Your move": text}))
    assert "over" in refusal_of(await person.slash(place, "move", action=text, table="1"))
    assert "over" in refusal_of(await person.slash(place, "table leave", table="1"))
    assert await match.entries() == n
    await match.check()


# The lobby


@three_games_are_enough
async def test_a_table_takes_only_as_many_people_as_the_game_and_starts_with_enough(match: Match) -> None:
    await match.gather()
    options = (await match.table()).state.options
    seats, alice = match.game.seats(options), match.people[0]
    for person in match.people[1:]:
        check_answer(await press_more(person, match.card, "Leave"))
    if seats.start > 1:
        assert "1 sit here" in refusal_of(await alice.press(match.card, "start:1"))
    guests = [match.box.person(f"Guest {n}", match.here.guild) for n in range(1, seats.stop)]
    for guest in guests[:-1]:
        check_answer(await guest.click(match.card, "Join"))
    assert f"All {seats.stop - 1} seats are taken" in refusal_of(await guests[-1].press(match.card, "join:1"))
    assert "You already sit at this table" in refusal_of(await guests[0].press(match.card, "join:1"))
    assert "Only the host" in refusal_of(await guests[0].click(match.card, "Start"))
    assert "The match has not begun yet" in shown(await alice.slash(match.here.room, "hand")).text
    move = known(match.game, options, seats.start)[0]
    assert "Nothing is dealt yet" in refusal_of(await alice.slash(match.here.room, "move", action=move))
    check_answer(await alice.click(match.card, "Start"))
    await match.check()
