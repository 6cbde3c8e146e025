"""What people and moderators do to the places of a match: it is played on, or closed with a word."""

import pytest

from sandbox import Channel, Message, Permission, Thread
from sandbox.posting import delete
from tests.e2e.match import Match, answered, house_only, refused
from tests.e2e.players import leave, shown


async def in_play(match: Match) -> Thread:
    """Dealt, and the first move made. The thread."""
    await match.deal()
    assert "✅" in (await match.step()).text
    await match.rest()
    place = await match.place()
    assert isinstance(place, Thread)
    return place


async def into_trouble(match: Match, room: Channel | None = None) -> None:
    """Play until the bot finds that it cannot tell a move. A hidden choice has no word to tell and meets no trouble."""
    table, publisher = await match.table(), match.here.bot.publisher
    while not publisher.troubles:
        answered(await match.step(room))
        await match.box.until(lambda: publisher.troubles or table.match.published == table.state.n)


def cards(match: Match, place: Channel) -> list[Message]:
    """The cards of the table there, that of the lobby or of the match."""
    return [each for each in match.watcher.sees(place) if "rules:1" in each.custom_ids]


# Messages that are gone


@house_only
async def test_a_board_that_is_deleted_is_posted_again(match: Match) -> None:
    place = await in_play(match)
    old = await match.board()
    delete(old)
    await match.go_on()
    assert len(cards(match, place)) == 1


@house_only
async def test_a_card_that_is_deleted_in_mid_match_is_posted_again_when_it_has_news(match: Match) -> None:
    place = await in_play(match)
    delete(match.card)
    await match.go_on()
    for person in match.people:
        answered(await leave(person, place))
    await match.rest()
    (card,) = cards(match, match.here.room)
    assert "Everybody has left" in card.text


@house_only
async def test_a_lobby_whose_card_is_deleted_is_shown_again_by_command(match: Match) -> None:
    await match.gather()
    delete(match.card)
    host = match.people[0]
    told = await host.slash(match.here.room, "table show")
    await match.box.until(lambda: "Table 1 is posted again" in told.text)
    (match.card,) = cards(match, match.here.room)
    answered(await host.click(match.card, "Start"))
    await match.rest()
    await match.go_on()


async def test_every_message_of_a_match_may_be_deleted_and_it_goes_on(match: Match) -> None:
    place = await in_play(match)
    for message in match.watcher.sees(place):
        delete(message)
    await match.go_on()


# Threads and channels


@house_only
async def test_a_match_whose_thread_is_deleted_goes_on_in_the_channel(match: Match) -> None:
    place = await in_play(match)
    place.delete()
    match.box.fail("POST", f"^/channels/{match.here.room.id}/messages$", 403)
    await match.go_on(match.here.room)
    assert await match.place() is match.here.room
    hand = shown(await match.people[0].click(await match.board(), "My hand"))
    assert hand.ephemeral


@house_only
@pytest.mark.parametrize("locked", [False, True])
async def test_an_archived_thread_is_woken_and_a_locked_one_said_with_the_hand(
    match: Match, locked: bool
) -> None:
    place, room = await in_play(match), match.here.room
    place.archive(locked=locked)
    if locked:
        await into_trouble(match, room)
        hand = await match.people[0].slash(room, "hand")
        assert f"<#{place.id}> is locked" in hand.text
        assert "A moderator can unlock it" in hand.text
        place.archive(False, locked=False)
        await match.sound()
        assert "is locked" not in (await match.people[0].slash(room, "hand")).text
    await match.go_on(room)
    assert not place.archived


@house_only
@pytest.mark.parametrize("threads", [True, False])
async def test_a_match_whose_channel_is_deleted_is_closed_uncounted(match: Match, threads: bool) -> None:
    if not threads:
        match.here.room.deny(match.box.world.bot, Permission.CREATE_PUBLIC_THREADS)
    await match.deal()
    elsewhere = match.here.guild.channel("elsewhere")
    match.here.room.delete()
    table, (alice, text) = await match.table(), await match.next()
    while table.is_open:
        answered(await match.step(elsewhere))
        await match.rest()
    assert "its channel is gone" in refused(await alice.slash(elsewhere, "move", action=text, table="1"))
    assert "You sit at no table" in (await alice.slash(elsewhere, "tables")).text
    assert "No match has been finished" in (await alice.slash(elsewhere, "leaderboard")).text
    assert await match.here.bot.store.untold() == []


@house_only
@pytest.mark.parametrize("lacks", [Permission.SEND_MESSAGES_IN_THREADS, Permission.VIEW_CHANNEL])
async def test_where_the_bot_loses_a_permission_the_hand_says_it_and_all_is_told_later(
    match: Match, lacks: Permission
) -> None:
    await in_play(match)
    room, bot = match.here.room, match.box.world.bot
    room.deny(bot, lacks)
    await into_trouble(match)
    told = (await match.people[0].slash(match.here.room, "hand")).text
    assert "I may not post" in told
    assert "Whoever manages it can let me" in told
    room.allow(bot, lacks)
    await match.go_on()


# People who go


async def test_for_a_member_who_left_the_server_the_table_plays_until_they_are_back(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.clock.BEAT", 0.02)
    place = await in_play(match)
    person, _ = await match.next()
    person.leave(match.here.guild)
    seat, table = match.people.index(person), await match.table()
    while seat not in table.state.away:
        others = [other for other in table.state.awaited() if other != seat]
        for other in others:
            move = match.game.text(table.state.legal(other)[0])
            await table.move(match.people[other].id, move, table.house.now())
        await match.time_out()
        await match.caught_up()
    match.here.guild.add(person.user)
    await match.sound()
    assert f"A computer plays for {person.name} until they press `I'm back`" in "\n".join(
        match.here.transcript(place)
    )
    await match.go_on()
    assert seat not in table.state.away


@house_only
async def test_when_everybody_leaves_the_table_closes_uncounted(match: Match) -> None:
    place = await in_play(match)
    person, text = await match.next()
    for each in match.people:
        answered(await leave(each, place))
    await match.sound()
    assert "everybody has left" in match.here.transcript(place)[-1]
    assert "closed" in refused(await person.slash(place, "move", action=text, table="1"))


@house_only
async def test_when_the_bot_is_removed_its_tables_close_and_nothing_is_tried_again(match: Match) -> None:
    await in_play(match)
    table = await match.table()
    match.here.guild.remove(match.box.world.bot)
    await match.box.until(lambda: not table.is_open)
    await match.rest()
    store = match.here.bot.store
    assert await store.untold() == []
    assert await store.open_matches() == []
    assert await store.leaderboard(match.here.guild.id) == []


@house_only
@pytest.mark.usefixtures("unhurried")
async def test_a_bot_removed_while_it_was_away_closes_its_tables_when_it_is_back(match: Match) -> None:
    await in_play(match)
    table = await match.table()
    await match.box.gateway.drop(resumable=False)
    match.here.guild.remove(match.box.world.bot)
    await match.box.until(lambda: not table.is_open)
    await match.rest()
    assert await match.here.bot.store.untold() == []


async def test_where_no_files_may_be_posted_the_table_is_told_in_words(match: Match) -> None:
    match.here.room.deny(match.box.world.bot, Permission.ATTACH_FILES)
    await match.deal()
    board = await match.board()
    assert board.files == []
    assert all(person.name in board.text for person in match.people)
    assert "✅" in (await match.step()).text
    await match.rest()
    assert match.here.bot.publisher.troubles == {}
