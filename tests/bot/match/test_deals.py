"""Deals that can be checked: the commitment, what the seed follows from, and cuts."""

import hashlib
import hmac
import json
from collections import Counter
from itertools import permutations

import pytest

from bot.computers.players import question
from bot.match.deadlines import answer_delay
from bot.match.deal_file import checks, deal_file, replayed
from bot.match.deals import (
    FORMAT,
    LONGEST_CUT,
    MOST_CUTS,
    MOST_CUTS_IN_ALL,
    commitment,
    cut_digest,
    dealt_seed,
    new_seed,
    secret_of,
)
from bot.match.entries import CloseReason
from bot.match.refusal import Refusal
from bot.match.replay import moves_in
from bot.match.seats import add_computer, dismiss_computer
from bot.match.table import Table
from bot.match.times import Times
from bot.store import FORMER
from tests.bot.tables import ALICE, BEN, CLEO, EVE, Room, move
from tests.toy.rules import GAME as TOY

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


async def file_of(room: Room, table: Table) -> dict[str, object]:
    """Return the content of the table's deal file."""
    match = await room.store.match(table.id)
    assert match is not None
    replay = replayed(match, table.state.game, await room.store.log(table.id))
    assert all(check.holds for check in checks(replay))
    content: dict[str, object] = json.loads(deal_file(replay))
    return content


# The seed


def test_a_new_secret_has_256_bits_and_is_another_one_each_time() -> None:
    seeds = [new_seed() for _ in range(100)]
    assert all(len(bytes.fromhex(secret_of(seed))) == 32 for seed in seeds)
    assert len(set(seeds)) == 100


@pytest.mark.parametrize("old", ["seed", "5e" * 16, "", "e2e:1"])
def test_the_seed_of_an_older_match_has_no_secret(old: str) -> None:
    assert secret_of(old) == ""


async def test_the_commitment_is_the_hash_that_is_documented(sealed: Room) -> None:
    table = await opened(sealed)
    written = f'["palmhouse-deal-1",{table.id},"high-card",{TOY.version},"{SECRET}"]'
    assert commitment(table.match) == hashlib.sha256(written.encode()).hexdigest()


async def test_the_seed_follows_from_secret_options_seats_joins_and_cuts(sealed: Room) -> None:
    table = await opened(sealed)
    await add_computer(table, ALICE, "sharp", sealed.time)
    await table.cut(WATCHER, "Walter", "blue lamp", sealed.time)
    await table.start(ALICE, sealed.time)
    cut = hashlib.sha256(f'["{SECRET}","blue lamp"]'.encode()).hexdigest()
    options = json.dumps(table.match.options)
    given = f'[{options},["person","person","person","sharp"],["71","72"],["{cut}"]]'
    assert table.state.seed == hmac.new(SECRET.encode(), given.encode(), "sha256").hexdigest()


def test_each_thing_that_the_seed_follows_from_changes_it() -> None:
    person, computer, cut, other = "person", "steady", cut_digest(SEED, "a"), cut_digest(SEED, "b")
    seeds = [
        dealt_seed(SEED, "{}", [person, computer], [1, 2], [cut]),
        dealt_seed(f"{FORMAT}:{'5f' * 32}", "{}", [person, computer], [1, 2], [cut]),
        dealt_seed(SEED, '{"a":1}', [person, computer], [1, 2], [cut]),
        dealt_seed(SEED, "{}", [computer, person], [1, 2], [cut]),
        dealt_seed(SEED, "{}", [person, computer], [2, 1], [cut]),
        dealt_seed(SEED, "{}", [person, computer], [12], [cut]),
        dealt_seed(SEED, "{}", [person, computer], [1, 2], []),
        dealt_seed(SEED, "{}", [person, computer], [1, 2], [cut, other]),
        dealt_seed(SEED, "{}", [person, computer], [1, 2], [other, cut]),
    ]
    assert len(set(seeds)) == len(seeds)


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
    for words in ("one", "one", "two"):
        # Equal secrets do not happen in play; here they show what follows from the seed.
        table = await sealed.open(user=ALICE, computers=1)
        await table.cut(BEN, "Ben", words, sealed.time)
        await table.start(ALICE, sealed.time)
        seat = next(seat for seat, player in enumerate(table.state.players) if player.strength)
        pauses = []
        for prompt in range(20):
            table.state.prompts[seat] = prompt
            pauses.append(answer_delay(table.state, seat, Times()))
        asked = question(table.state, seat, "steady").seed
        assert table.match.seed not in asked
        found.append((table.state.seed, seat, pauses, asked))
        await table.close(CloseReason.CHANNEL_GONE)
    assert found[0] == found[1]
    assert found[0][2:] != found[2][2:]
    assert all(800 <= pause < 1_500 for pause in found[0][2])


async def test_a_match_is_loaded_with_the_same_seats_seed_and_cards(sealed: Room) -> None:
    table = await opened(sealed)
    await table.cut(CLEO, "Cleo", "words", sealed.time)
    lobby = await sealed.reload(table)
    assert lobby.state.cuts == table.state.cuts
    await lobby.start(ALICE, sealed.time)
    await move(lobby, BEN)
    loaded = await sealed.reload(lobby)
    assert (loaded.state.seed, seats_of(loaded)) == (lobby.state.seed, seats_of(lobby))
    assert TOY.view(loaded.state.game_state, 0) == TOY.view(lobby.state.game_state, 0)


async def test_moves_without_rules_have_the_names_of_the_drawn_seats(sealed: Room) -> None:
    table = await opened(sealed)
    await table.cut(CLEO, "Cleo", "three", sealed.time)
    await table.start(ALICE, sealed.time)
    seats = table.state.awaited()
    for seat in seats:
        await move(table, table.state.players[seat].user)
    log = await sealed.store.log(table.id)
    who = [line.partition(":")[0] for line in moves_in(log, table.match.seed)]
    assert who[: len(seats)] == [table.state.players[seat].name for seat in seats]


async def test_joins_count_even_of_people_who_have_left_the_lobby(sealed: Room) -> None:
    table = await opened(sealed)
    await table.leave(BEN, sealed.time)
    await table.join(BEN, "Ben", sealed.time, 73)
    assert table.state.joins == [71, 72, 73]
    await add_computer(table, ALICE, "casual", sealed.time)
    await dismiss_computer(table, ALICE, sealed.time)
    await table.start(ALICE, sealed.time)
    assert (await file_of(sealed, table))["seats"] == ["person"] * 3


async def test_a_table_of_an_older_version_keeps_its_seed_and_the_order_of_its_joins(room: Room) -> None:
    table = await opened(room)
    with pytest.raises(Refusal, match="An older version of the bot opened this table"):
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
    assert after == deal | {"cuts": [[digest, ""] for digest, _ in deal["cuts"]]}  # type: ignore[attr-defined]
    assert "words" not in str([row.body for row in await sealed.store.log(table.id)])


async def test_a_table_that_is_cancelled_or_ended_has_a_deal_file_too(sealed: Room) -> None:
    table = await opened(sealed)
    await table.cut(BEN, "Ben", "words", sealed.time)
    await table.cancel(ALICE, sealed.time, manages=False)
    deal = await file_of(sealed, table)
    assert (deal["secret"], deal["seats"], deal["decks"]) == (SECRET, [], [])
    table = await opened(sealed)
    await table.start(ALICE, sealed.time)
    await table.cancel(EVE, sealed.time, manages=True)
    assert len((await file_of(sealed, table))["decks"]) > 1  # type: ignore[arg-type]


# Cuts


async def test_a_second_cut_replaces_the_first_one_and_is_the_last(sealed: Room) -> None:
    table = await opened(sealed)
    for user, words in ((BEN, "one"), (CLEO, "two"), (BEN, "three")):
        await table.cut(user, "N", words, sealed.time)
    assert [cut.words for cut in table.state.cuts.values()] == ["two", "three"]


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


async def test_a_person_who_cut_can_be_erased_while_the_lobby_is_open(sealed: Room) -> None:
    table = await opened(sealed)
    await table.cut(WATCHER, "Walter", "my words", sealed.time)
    assert await sealed.tables.erase(WATCHER)
    table = await sealed.tables.get(table.id)
    assert [(cut.name, cut.words) for cut in table.state.cuts.values()] == [(FORMER, "")]
    await table.start(ALICE, sealed.time)
    await table.close(CloseReason.CHANNEL_GONE)
    assert len((await file_of(sealed, table))["cuts"]) == 1  # type: ignore[arg-type]


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
    with pytest.raises(Refusal, match="The cards are dealt"):
        await table.cut(BEN, "Ben", "words", sealed.time)
    await table.close(CloseReason.CHANNEL_GONE)
    with pytest.raises(Refusal, match="closed"):
        await table.cut(BEN, "Ben", "words", sealed.time)
