"""Deals that can be checked: the seal, what the seed follows from, and cuts."""

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from bot.computers.players import question
from bot.match.deadlines import answer_delay
from bot.match.deal_file import ReplayedDeal, after_cut_of, checks, deal_file, replayed
from bot.match.deals import LONGEST_CUT, MOST_CUTS, MOST_CUTS_IN_ALL, MOST_STEPS, first_seal, next_seal
from bot.match.entries import CloseReason, Computer, Cut, Join, Leave, SetOptions, Wish
from bot.match.log import numbered
from bot.match.refusal import Refusal
from bot.match.replay import moves_in
from bot.match.seats import add_computer, dismiss_computer
from bot.match.state import LogEntry, TableState
from bot.match.table import Table
from bot.match.terms import set_option
from bot.match.times import Times
from bot.store import FORMER
from bot.store.seeds import FORMAT, cut_digest, new_seed, secret_of
from games import GAMES
from games.types import with_seats
from tests.bot.tables import ALICE, BEN, CLEO, Room, move, started
from tests.seats import FIRST, SECOND
from tests.stored.logs import match_of
from tests.toy import GAME as TOY
from tests.toy import toy
from tests.toy.rules import HighCard, HighCardOptions

SECRET = "5e" * 32
SEED = f"{FORMAT}:{SECRET}"
WATCHER = 199


@pytest.fixture
def sealed(room: Room) -> Room:
    """Return a room whose tables have a known secret."""
    return Room(room.store, SEED)


async def opened(room: Room) -> Table:
    """Open a table at which Alice, Ben and Cleo have joined by interactions 71 and 72, Cleo without one."""
    table = await room.open()
    await table.join(BEN, "Ben", room.time, 71)
    await table.join(CLEO, "Cleo", room.time, 72)
    return table


def seats_of(table: Table) -> list[int]:
    return [player.user for player in table.state.players]


async def dealt(room: Room, table: Table) -> ReplayedDeal:
    """Replay the stored deal of a table."""
    match = await room.store.match(table.id)
    assert match is not None
    return replayed(match, table.state.game, await room.store.log(table.id))


async def file_of(room: Room, table: Table) -> dict[str, Any]:
    """Return the content of the table's deal file."""
    replay = await dealt(room, table)
    assert all(check.holds for check in checks(replay))
    content: dict[str, Any] = json.loads(deal_file(replay))
    return content


def cuts_in(deal: dict[str, Any]) -> list[list[Any]]:
    return [step for step in deal["lobby"] if step[0] == "cut"]


# The seed


def test_a_new_secret_has_256_bits_and_is_another_one_each_time() -> None:
    seeds = [new_seed() for _ in range(100)]
    assert all(len(bytes.fromhex(secret_of(seed))) == 32 for seed in seeds)
    assert len(set(seeds)) == 100


@pytest.mark.parametrize("old", ["seed", "5e" * 16, "", "e2e:1"])
def test_another_seed_has_no_secret(old: str) -> None:
    assert secret_of(old) == ""


async def test_the_first_seal_is_the_hash_that_is_documented(sealed: Room) -> None:
    table = await opened(sealed)
    cards = json.dumps([str(card) for card in range(1, 13)], separators=(",", ":"))
    options = json.dumps(json.loads(table.match.options), separators=(",", ":"), sort_keys=True)
    dealt = f'{options},{cards},{{"deal N":"whole","seats N":"lot"}}'
    written = f'["palmhouse-deal-1",{table.id},"high-card",{TOY.version},{dealt},"{SECRET}"]'
    assert first_seal(table.match, TOY) == hashlib.sha256(written.encode()).hexdigest()


async def test_the_seed_follows_from_the_secret_and_every_step_of_the_lobby(sealed: Room) -> None:
    table = await opened(sealed)
    await add_computer(table, ALICE, "sharp", sealed.time)
    await table.leave(BEN, sealed.time)
    await table.cut(WATCHER, "Walter", "blue lamp", sealed.time)
    seal = first_seal(table.match, TOY)
    cut = hashlib.sha256(f'["{SECRET}","blue lamp"]'.encode()).hexdigest()
    joins = [f'"join","{number}"' for number in (0, 71, 72)]
    for step in (*joins, '"computer","sharp"', '"departure",1', f'"cut","{cut}"'):
        seal = hashlib.sha256(f'["{seal}",{step}]'.encode()).hexdigest()
    assert table.state.seal == seal
    await table.start(ALICE, sealed.time)
    assert table.state.seal == seal, "it stays on the card"
    assert table.state.seed == hmac.new(SECRET.encode(), seal.encode(), "sha256").hexdigest()


MATCH = match_of("high-card", '{"hands":3}', SEED)
OTHERS = {
    "another match": replace(MATCH, id=2),
    "another game": replace(MATCH, game="palmer"),
    "other rules": replace(MATCH, rules=2),
    "other options": replace(MATCH, options='{"hands":4}'),
    "another secret": replace(MATCH, seed=f"{FORMAT}:{'5f' * 32}"),
}


@pytest.mark.parametrize("what", OTHERS)
def test_the_seal_of_a_lobby_binds_whoever_runs_the_bot_before_anybody_cuts(what: str) -> None:
    assert first_seal(OTHERS[what], TOY) != first_seal(MATCH, TOY)


class OtherCards(HighCard):
    """The toy with its cards in another order."""

    card_names = TOY.card_names[::-1]


class AnotherPurpose(HighCard):
    """The toy with another name for its shuffles."""

    shuffles = {"cards N": "whole"}  # noqa: RUF012


class AnotherPack(HighCard):
    """The toy with one card for another."""

    def pack(self, options: HighCardOptions) -> Sequence[int]:
        return [1, 1, *super().pack(options)[2:]]


def test_the_seal_binds_the_cards_their_order_and_the_names_of_shuffles() -> None:
    games = (TOY, toy(OtherCards), toy(AnotherPurpose), toy(AnotherPack))
    assert len({first_seal(MATCH, game) for game in games}) == 4


def test_blanks_and_order_of_the_stored_options_do_not_change_the_seal() -> None:
    options = TOY.Options()
    fields = reversed(options.model_dump(mode="json").items())
    written = [
        replace(MATCH, options=text)
        for text in (options.model_dump_json(), json.dumps(dict(fields), indent=4))
    ]
    assert first_seal(written[0], TOY) == first_seal(written[1], TOY)


SAT = [Join(1, "A", 11), Join(2, "B", 12)]
WORDS = Cut(2, "B", "words", "c" * 64)
LOBBIES: dict[str, list[LogEntry]] = {
    "as it was": [*SAT, WORDS],
    "a computer more": [*SAT, WORDS, Computer("steady", "C")],
    "a sharper computer": [*SAT, WORDS, Computer("sharp", "C")],
    "a seat less": [SAT[0], WORDS],
    "somebody left": [*SAT, WORDS, Leave(2)],
    "somebody else left": [*SAT, WORDS, Leave(1)],
    "another click": [SAT[0], Join(2, "B", 13), WORDS],
    "clicks in another order": [*SAT[::-1], WORDS],
    "one click for two": [Join(1, "A", 1112), WORDS],
    "another cut": [*SAT, Cut(2, "B", "words", "d" * 64)],
    "no cut": [*SAT],
    "a cut that was replaced": [*SAT, WORDS, WORDS],
    "other options": [*SAT, WORDS, SetOptions(1, '{"hands":4}')],
    "a wish": [*SAT, WORDS, Wish(SECOND, 1)],
    "another wish": [*SAT, WORDS, Wish(FIRST, 2)],
    "a cut before a join": [SAT[0], WORDS, SAT[1]],
}


def seals(entries: Sequence[LogEntry]) -> list[str]:
    """Return the seals of a lobby after each of its entries."""
    state = TableState.of(MATCH, TOY)
    return [
        state.seal for entry in entries for logged in numbered(state, 0, [entry]) if state.apply(logged) == []
    ]


def test_each_thing_that_the_seed_follows_from_changes_it() -> None:
    assert len({seals(lobby)[-1] for lobby in LOBBIES.values()}) == len(LOBBIES)


def test_names_ids_and_words_of_people_are_no_part_of_the_seal_so_that_erasing_keeps_it() -> None:
    erased = [
        Join(-1, "former player", 11),
        Join(-2, "former player", 12),
        Cut(-2, "former player", "", "c" * 64),
    ]
    assert seals(erased) == seals(LOBBIES["as it was"])


async def test_who_cut_can_compare_the_seal_before_and_learns_what_came_after(sealed: Room) -> None:
    table = await opened(sealed)
    await table.cut(BEN, "Ben", "one", sealed.time)
    await table.cut(CLEO, "Cleo", "two", sealed.time)
    copied = table.state.seal
    await table.cut(BEN, "Ben", "three", sealed.time)
    await add_computer(table, ALICE, "steady", sealed.time)
    await table.cut(WATCHER, "Walter", "four", sealed.time)
    last = table.state.seal
    await table.start(ALICE, sealed.time)
    await table.close(CloseReason.CHANNEL_GONE)
    replay = await dealt(sealed, table)
    assert after_cut_of(replay, BEN) == (copied, "1 computer and 1 cut")
    seal, later = after_cut_of(replay, WATCHER) or ("", "something")
    assert (next_seal(seal, ("cut", cut_digest(SEED, "four"))), later) == (last, "")
    assert after_cut_of(replay, ALICE) is None


async def test_the_order_of_the_seats_is_drawn_and_every_order_is_as_likely(room: Room) -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    for number in range(240):
        drawn = Room(room.store, f"{FORMAT}:{number}")
        table = await opened(drawn)
        await table.start(ALICE, drawn.time)
        orders[tuple(seats_of(table))] += 1
        await table.close(CloseReason.CHANNEL_GONE)
    assert orders.keys() == {*permutations((ALICE, BEN, CLEO))}
    assert min(orders.values()) > 20  # 40 expected; fewer than 21 in one of six has a chance below 1 in 1,000


async def test_the_first_message_says_the_order_of_the_seats(sealed: Room) -> None:
    table = await opened(sealed)
    await table.start(ALICE, sealed.time)
    lines = [item.line for item in table.pages.live.items if item.line]
    order = [{ALICE: f"P{ALICE}", BEN: "Ben", CLEO: "Cleo"}[user] for user in seats_of(table)]
    assert lines == [f"🪑 Seats, drawn by lot: {order[0]}, {order[1]} and {order[2]}."]


async def test_the_choices_and_pauses_of_computers_follow_from_the_seed_of_the_deal(sealed: Room) -> None:
    found = []
    for words in ("one", "two"):
        table = await sealed.open(user=ALICE, computers=1)
        await table.cut(BEN, "Ben", words, sealed.time)
        await table.start(ALICE, sealed.time)
        found += [choices_of(each) for each in (table, await sealed.reload(table))]
        await table.close(CloseReason.CHANNEL_GONE)
    assert found[0] == found[1]
    assert found[0][1:] != found[2][1:]


def choices_of(table: Table) -> tuple[str, list[int], str]:
    """Return the seed, the pauses of a computer before its first 20 answers, and the seed of its first choice."""
    seat = next(seat for seat, player in with_seats(table.state.players) if player.strength)
    asked = question(table.state, seat, "steady").seed
    assert table.match.seed not in asked
    pauses = []
    for prompt in range(20):
        table.state.prompts[seat] = prompt
        pauses.append(answer_delay(table.state, seat, Times()))
    assert all(800 <= pause < 1_500 for pause in pauses)
    return table.state.seed, pauses, asked


async def test_moves_without_rules_have_the_names_of_the_drawn_seats(sealed: Room) -> None:
    table = await opened(sealed)
    await table.cut(CLEO, "Cleo", "three", sealed.time)
    await table.start(ALICE, sealed.time)
    seats = table.state.awaited()
    for seat in seats:
        await move(table, table.state.players[seat].user)
    log = await sealed.store.log(table.id)
    who = [line.partition(":")[0] for line in moves_in(log)]
    assert who[: len(seats)] == [table.state.players[seat].name for seat in seats]


async def test_joins_count_even_of_people_who_have_left_the_lobby(sealed: Room) -> None:
    table = await opened(sealed)
    await table.leave(BEN, sealed.time)
    await table.join(BEN, "Ben", sealed.time, 73)
    await add_computer(table, ALICE, "casual", sealed.time)
    await dismiss_computer(table, ALICE, sealed.time)
    await table.start(ALICE, sealed.time)
    joins = [["join", str(number)] for number in (0, 71, 72)]
    later = [["departure", 1], ["join", "73"], ["computer", "casual"], ["departure", 3]]
    assert (await file_of(sealed, table))["lobby"] == [*joins, *later]


async def test_changes_of_options_are_counted_in_words(sealed: Room) -> None:
    table = await sealed.open(BEN, CLEO, game=GAMES["palmer"])
    for limit in (10, 20):
        await set_option(table, ALICE, "limit", limit, sealed.time)
    await table.start(ALICE, sealed.time)
    found = checks(await dealt(sealed, table))
    assert any(each.finding.endswith("3 joins and 2 option changes") for each in found)


async def test_the_checks_do_not_say_how_often_a_secret_choice_was_changed(sealed: Room) -> None:
    table = await started(sealed, BEN, game=GAMES["twin-palms"])
    await table.play(ALICE, ["bid 1"], sealed.time)
    found = [*checks(await dealt(sealed, table))]
    await table.play(ALICE, ["bid 2"], sealed.time)
    assert [*checks(await dealt(sealed, table))] == found


async def test_a_seed_without_a_secret_is_used_as_it_is_in_the_order_of_the_joins(room: Room) -> None:
    table = await opened(room)
    with pytest.raises(Refusal, match="the same for everybody, so nobody can cut it"):
        await table.cut(BEN, "Ben", "words", room.time)
    await table.start(ALICE, room.time)
    assert (table.state.seed, seats_of(table)) == ("seed", [ALICE, BEN, CLEO])


# What stays when people are erased


async def test_an_erased_persons_words_are_gone_and_the_match_replays_to_the_same_seed(sealed: Room) -> None:
    table = await opened(sealed)
    await table.cut(BEN, "Ben", "my secret words", sealed.time)
    await table.cut(WATCHER, "Walter", "other words", sealed.time)
    await table.start(ALICE, sealed.time)
    before = table.state.seed
    await table.close(CloseReason.CHANNEL_GONE)
    deal = await file_of(sealed, table)
    for user in (BEN, WATCHER):
        assert await sealed.tables.erase(user)
    loaded = await sealed.reload(table)
    assert loaded.state.seed == before
    assert [(cut.name, cut.words) for cut in loaded.state.cuts.values()] == [(FORMER, "")] * 2
    after = await file_of(sealed, loaded)
    assert cuts_in(after) == [[*step, digest, ""] for *step, digest, _ in cuts_in(deal)]
    assert after | {"lobby": 0} == deal | {"lobby": 0}
    assert "words" not in str([row.body for row in await sealed.store.log(table.id)])


# Cuts


async def test_a_cut_with_a_seal_that_has_changed_since_is_refused(sealed: Room) -> None:
    table = await opened(sealed)
    copied = table.state.seal
    await table.cut(CLEO, "Cleo", "first", sealed.time, copied)
    with pytest.raises(Refusal, match=r"while you typed.*Press `Cut` again"):
        await table.cut(BEN, "Ben", "words", sealed.time, copied)
    await table.cut(BEN, "Ben", "words", sealed.time, table.state.seal)


async def test_a_cut_that_is_refused_after_other_options_does_not_say_that_somebody_joined(
    sealed: Room,
) -> None:
    table = await sealed.open(BEN, game=GAMES["palmer"])
    copied = table.state.seal
    await set_option(table, ALICE, "limit", 10, sealed.time)
    with pytest.raises(Refusal, match="This lobby has changed while you typed") as refused:
        await table.cut(BEN, "Ben", "words", sealed.time, copied)
    assert "joined" not in str(refused.value)


async def test_nobody_changes_a_lobby_without_end(sealed: Room) -> None:
    table = await opened(sealed)
    for number in range(MOST_STEPS):
        await table.cut(WATCHER, "Walter", f"words {number}", sealed.time)
    with pytest.raises(Refusal, match="You have changed this lobby 20 times"):
        await table.cut(WATCHER, "Walter", "words", sealed.time)
    for _ in range((MOST_STEPS - 1) // 2):
        await table.leave(BEN, sealed.time)
        await table.join(BEN, "Ben", sealed.time)
    await table.leave(BEN, sealed.time)
    with pytest.raises(Refusal, match="You have changed this lobby 20 times"):
        await table.join(BEN, "Ben", sealed.time)
    await table.cut(CLEO, "Cleo", "words", sealed.time)


async def test_a_host_who_has_changed_the_lobby_too_often_reads_that_they_can_start_it(sealed: Room) -> None:
    table = await opened(sealed)
    for number in range(MOST_STEPS - 1):
        await table.cut(ALICE, "Alice", f"words {number}", sealed.time)
    with pytest.raises(Refusal, match="Its host can still start or cancel it"):
        await table.cut(ALICE, "Alice", "words", sealed.time)
    await table.start(ALICE, sealed.time)
    with pytest.raises(Refusal, match="The match has begun, so its deal cannot be cut any more"):
        await table.cut(ALICE, "Alice", "words", sealed.time)


async def test_people_without_a_seat_can_cut_until_there_are_eight_and_others_until_sixteen(
    sealed: Room,
) -> None:
    table = await opened(sealed)
    for user in range(200, 200 + MOST_CUTS):
        await table.cut(user, "N", "words", sealed.time)
    with pytest.raises(Refusal, match="8 people have cut already"):
        await table.cut(WATCHER, "N", "words", sealed.time)
    await table.cut(200, "N", "again", sealed.time)
    await table.cut(ALICE, "N", "words", sealed.time)
    assert len(table.state.cuts) == MOST_CUTS + 1
    for user in range(300, 300 + MOST_CUTS_IN_ALL - MOST_CUTS - 1):
        await table.join(user, "N", sealed.time)
        await table.cut(user, "N", "words", sealed.time)
        await table.leave(user, sealed.time)
    with pytest.raises(Refusal, match="16 people have cut already"):
        await table.cut(BEN, "N", "words", sealed.time)
    await table.cut(ALICE, "N", "again", sealed.time)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("  blue \n lamp ", "blue lamp"),
        ("**bold** `x` ||y||", "∗∗bold∗∗ ˋxˋ ∣∣y∣∣"),
        ("<@123> @everyone", "‹＠123› ＠everyone"),
        ("\u202eevil\u200b", "evil"),
        ("מחר", "מחר"),
        ("🎴" * LONGEST_CUT, "🎴" * LONGEST_CUT),
        ("\ud800x", "x"),
    ],
)
async def test_words_are_stored_as_they_are_printed(typed: str, words: str, sealed: Room) -> None:
    table = await opened(sealed)
    await table.cut(BEN, "Ben\n**B**", typed, sealed.time)
    loaded = await sealed.reload(table)
    assert [cut.words for cut in loaded.state.cuts.values()] == [words]


@pytest.mark.parametrize(
    "typed", ["", "  \n ", "\u200b\u202e\u2800", "x" * 41, "**`" * 1_333 + "x", "é" * 4_000]
)
async def test_empty_and_long_cuts_are_refused_with_a_sentence(typed: str, sealed: Room) -> None:
    table = await opened(sealed)
    with pytest.raises(Refusal, match=r"visible characters; 1 to 40 are allowed\. Press `Cut` again\."):
        await table.cut(BEN, "Ben", typed, sealed.time)
    assert not table.state.cuts


async def test_after_the_start_and_after_the_end_nobody_can_cut(sealed: Room) -> None:
    table = await opened(sealed)
    await table.start(ALICE, sealed.time)
    with pytest.raises(Refusal, match="The match has begun, so its deal cannot be cut any more"):
        await table.cut(BEN, "Ben", "words", sealed.time)
    await table.close(CloseReason.CHANNEL_GONE)
    with pytest.raises(Refusal, match="closed"):
        await table.cut(BEN, "Ben", "words", sealed.time)
