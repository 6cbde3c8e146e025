"""The bot as people install it for themselves: in ephemeral messages, on servers without it and in groups."""

from random import Random

import pytest

from bot.match.openings import MOST_OPENED
from games import GAMES, AnyGame
from sandbox import Channel, Permission
from sandbox.answer import Impossible
from tests.e2e.card_room import CardRoom
from tests.e2e.daily_player import finish, has_form, play_on, said
from tests.e2e.players import labels, shown


@pytest.fixture(params=["a server without the bot", "a group"])
def away(here: CardRoom, request: pytest.FixtureRequest) -> Channel:
    """A place where the bot is no member; Alice and Ben are there, and Alice has installed the bot."""
    alice, ben, *_ = here.people
    alice.install()
    if request.param == "a group":
        return here.box.group(alice, ben)
    guild = here.box.guild("Elsewhere", bot=False)
    for person in (alice, ben):
        guild.add(person.user)
    return guild.channel("chat")


def only_answers(here: CardRoom) -> bool:
    """Return whether the bot has posted and created nothing but answers to interactions."""
    return not [
        each
        for each in here.box.requests
        if each.method == "POST" and "/channels" in each.path and "/webhooks" not in each.path
    ]


async def test_only_five_commands_are_offered_there(here: CardRoom, away: Channel) -> None:
    alice, ben, *_ = here.people
    assert sorted(each["name"] for each in alice.offered(away)) == [
        *("Challenge", "daily", "learn", "practice", "profile")
    ]
    assert ben.offered(away) == []
    with pytest.raises(Impossible):
        await alice.slash(away, "palmer start")


async def test_a_daily_is_played_there_in_one_ephemeral_message(here: CardRoom, away: Channel) -> None:
    alice, ben, *_ = here.people
    deal = await finish(alice, away)
    assert deal.ephemeral
    assert "You are the first to finish" in deal.text
    assert ben.sees(away) == []
    assert all(not answer.followups for answer in alice.answers)
    assert only_answers(here)
    assert [each.guild for each in await here.bot.store.attempts(here.bot.dailies.today())] == [0]


async def test_where_external_apps_are_not_allowed_only_oneself_sees_a_shared_result(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    alice.install()
    guild = here.box.guild("Elsewhere", bot=False)
    room = guild.channel("chat")
    for person in (alice, ben):
        guild.add(person.user)
    room.deny(None, Permission.USE_EXTERNAL_APPS)
    deal = await finish(alice, room)
    assert (await alice.click(deal, "Share")).ephemeral
    assert ben.sees(room) == []


async def test_practice_there_is_one_ephemeral_message_with_hints(here: CardRoom, away: Channel) -> None:
    alice, ben, *_ = here.people
    answer = await alice.slash(away, "practice", game="Palmer", computers=2)
    match = shown(answer)
    assert answer.ephemeral
    assert "Palmer · practice" in match.text
    assert shown(await alice.click(match, "Hint")) is match
    assert "💡" in match.text
    assert shown(await alice.click(match, "Do it")) is match
    assert "✅" in match.text
    await play_on(alice, match, Random(1))
    assert "wins with" in match.text or "share first place" in match.text
    assert labels(match) == ["Rules"]
    assert (ben.sees(away), alice.sees(alice.dms)) == ([], [])
    assert only_answers(here)
    assert await here.bot.store.finished_days(alice.id) == []


async def test_a_second_practice_there_ends_the_first(here: CardRoom, away: Channel) -> None:
    alice, *_ = here.people
    first = shown(await alice.slash(away, "practice", game="Palmer"))
    second = shown(await alice.slash(away, "practice", game="Palace"))
    assert has_form(second)
    (button, *_) = [each["custom_id"] for each in first.buttons if each["custom_id"].startswith("form:")]
    await alice.click(first, button)
    assert "begun another practice match" in first.text
    assert not has_form(first)
    assert len(await here.bot.store.practice_without_place(alice.id)) == 1


async def test_a_practice_there_goes_on_when_another_one_is_refused(here: CardRoom, away: Channel) -> None:
    alice, *_ = here.people
    *_, last = [shown(await alice.slash(away, "practice", game="Palmer")) for _ in range(MOST_OPENED)]
    assert "You have opened 10 tables" in said(await alice.slash(away, "practice", game="Palmer"))
    assert shown(await alice.click(last, "Hint")) is last
    assert has_form(last)


@pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if not game.real_time], ids=lambda g: g.slug
)
async def test_every_game_of_turns_can_be_practised_there(here: CardRoom, game: AnyGame) -> None:
    alice, ben, *_ = here.people
    alice.install()
    group = here.box.group(alice, ben)
    most = game.seats(game.Options()).stop - 2
    match = shown(await alice.slash(group, "practice", game=game.title, computers=most, strength="casual"))
    await play_on(alice, match, Random(1), taps=40)
    assert "· practice" in match.text


async def test_sharp_computers_and_a_game_of_speed_are_refused_there(here: CardRoom, away: Channel) -> None:
    alice, *_ = here.people
    answer = await alice.slash(away, "practice", game="Palmer", strength="sharp")
    assert "Choose `casual` or `steady` here" in said(answer)
    answer = await alice.slash(away, "practice", game="Twin It!")
    assert "Practise it in our direct messages" in said(answer)


async def test_the_table_of_the_day_names_nobody_there(here: CardRoom, away: Channel) -> None:
    alice, ben, *_ = here.people
    await finish(ben, here.room)
    await finish(alice, away, seed=2)
    answer = await alice.slash(away, "daily", show="table")
    assert "2 people have finished it." in said(answer)
    assert "Ben" not in answer.text
