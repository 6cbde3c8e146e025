"""The terms of a match, changed in its lobby: options by the host, and partners who wish for each other."""

from collections import Counter

import pytest

from bot.match.entries import CloseReason, Reserve
from bot.match.refusal import Refusal
from bot.match.seats import add_computer, decline_kept
from bot.match.terms import set_option, wish
from bot.store.seeds import FORMAT
from games import GAMES
from tests.bot.tables import ALICE, BEN, CLEO, DANA, Room


async def test_the_host_changes_options_until_the_start_and_a_reload_keeps_them(room: Room) -> None:
    room = Room(room.store, f"{FORMAT}:secret")
    table = await room.open(BEN, CLEO, game=GAMES["twin-palms"])
    with pytest.raises(Refusal, match="Only the host"):
        await set_option(table, BEN, "rounds", 1, room.time)
    with pytest.raises(Refusal, match="3 sit here, and with that option at most 2 can play"):
        await set_option(table, ALICE, "mode", "easy", room.time)
    seal = table.state.seal
    await set_option(table, ALICE, "rounds", None, room.time)
    assert table.state.seal == seal, "nothing has changed"
    await set_option(table, ALICE, "rounds", 1, room.time)
    assert table.state.seal != seal
    loaded = await room.reload(table)
    assert (loaded.state.options, loaded.state.seal) == (table.state.options, table.state.seal)
    await loaded.start(ALICE, room.time)
    assert loaded.state.game_state.options.rounds == 1
    with pytest.raises(Refusal, match="stay as they are"):
        await set_option(loaded, ALICE, "rounds", 2, room.time)


async def test_no_option_takes_away_a_seat_that_is_kept(room: Room) -> None:
    table = await room.open(BEN, game=GAMES["twin-palms"])
    async with table.changing(room.time):
        await table.commit(room.time, Reserve(CLEO, "Cleo"))
    with pytest.raises(
        Refusal, match=r"2 sit here, seats are kept for Cleo, open to all .*, and with that option at most 2"
    ):
        await set_option(table, ALICE, "mode", "easy", room.time)
    await decline_kept(table, CLEO, room.time)
    await set_option(table, ALICE, "mode", "easy", room.time)


async def test_a_lobby_is_shown_with_the_notes_that_are_read_for_new_options(room: Room) -> None:
    table = await room.open(game=GAMES["palmer"])
    await room.store.set_preference(ALICE, "ratings", "after the match")
    shown: list[bool] = []
    room.tables.on_change.append(lambda table: shown.append(table.lobby_notes[ALICE].hides_ratings))
    await set_option(table, ALICE, "limit", 10, room.time)
    assert shown[-1]


@pytest.mark.parametrize(("game", "seats"), [("hand-and-foot", 4), ("hand-and-foot", 6), ("twin-palms", 4)])
async def test_two_who_wish_for_each_other_are_partners_where_pairs_play(
    room: Room, game: str, seats: int
) -> None:
    found: Counter[str] = Counter()
    for number in range(40):
        drawn = Room(room.store, f"{FORMAT}:{number}")
        table = await drawn.open(BEN, CLEO, DANA, game=GAMES[game])
        for _ in range(seats - 4):
            await add_computer(table, ALICE, "casual", drawn.time)
        for user, partner in ((ALICE, CLEO), (CLEO, ALICE), (BEN, DANA)):
            await wish(table, user, partner, drawn.time)
        table = await drawn.reload(table)
        await table.start(ALICE, drawn.time)
        side = dict(zip((player.user for player in table.state.players), table.state.sides, strict=True))
        found.update(["Alice"] * (side[ALICE] == side[CLEO]) + ["Ben"] * (side[BEN] == side[DANA]))
        assert len({*table.state.players}) == seats
        await table.close(CloseReason.CHANNEL_GONE)
    assert (found["Alice"] == 40) == (game == "hand-and-foot")
    assert (found["Ben"] == 40) == (game == "hand-and-foot" and seats == 4), "the rest is drawn"


async def test_a_wish_ends_when_one_of_the_two_leaves_the_lobby(room: Room) -> None:
    table = await room.open(BEN, CLEO, DANA, game=GAMES["hand-and-foot"])
    for user, partner in ((ALICE, DANA), (DANA, ALICE), (BEN, CLEO), (CLEO, BEN)):
        await wish(table, user, partner, room.time)
    assert table.state.pairs == [(0, 3), (1, 2)]
    await table.leave(BEN, room.time)
    await table.join(BEN, "Ben", room.time, 73)
    assert table.state.pairs == [(0, 2)]
    await wish(table, ALICE, ALICE, room.time)
    assert table.state.pairs == []
    with pytest.raises(Refusal, match="do not sit at this table"):
        await wish(table, ALICE, 999, room.time)
