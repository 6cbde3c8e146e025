"""`/leaderboard scope: everywhere`: people of all servers who have chosen to be on it, under names of their choice."""

import pytest

from bot.match.names import LONGEST, safe
from bot.standings.board import RECENT
from bot.standings.ratings import DAY
from sandbox import Answer, Message, Person
from tests.e2e.card_room import CardRoom
from tests.e2e.match import refusal_of
from tests.e2e.players import labels, modal_of, set_preferences, shown, text_and_alt
from tests.e2e.test_standings import ENOUGH, finish, in_turn

pytestmark = pytest.mark.usefixtures("quickly_settled")

NOT_HERE = "You are not on this board: it has only people who take part."


async def everywhere(person: Person, here: CardRoom, **options: str) -> Message:
    """Open the board of Palace for somebody, whose answer nobody else may see."""
    answer = await person.slash(here.room, "leaderboard", scope="everywhere", game="Palace", **options)
    assert answer.ephemeral
    return shown(answer)


async def take_part(person: Person, page: Message, name: str = "", *, times: int = 1) -> Answer:
    """Press the button, type a name and send the modal."""
    button = next(each for each in labels(page) if each in ("Take part", "Change name"))
    modal = modal_of(await person.click(page, button))
    return await person.submit(modal, {"Name shown": name}, times=times)


async def settle(here: CardRoom, *people: Person, ago: int = 0) -> None:
    """Let these people play so many rated matches that their ratings are certain. The first ones are the best."""
    for turn in range(ENOUGH):
        await finish(here, in_turn(turn, *people), ago=ago)
    for _ in range(3):
        await finish(here, people, ago=ago)


async def alias(here: CardRoom, person: Person) -> str:
    return (await here.bot.store.preferences(person.id)).alias


async def test_only_people_who_take_part_are_on_it_and_it_says_what_is_missing(here: CardRoom) -> None:
    alice, ben, cleo, dana, eve = here.people
    await settle(here, alice, ben, cleo)
    await settle(here, eve, dana, ago=RECENT + DAY)
    page = await everywhere(alice, here)
    assert "### Leaderboard · Palace · everywhere\nNobody is ranked here yet." in page.text
    assert NOT_HERE in page.text
    assert labels(page) == ["Take part"]
    assert (await take_part(alice, page)).message is page
    assert "1. Alice (marked): rating 1" in text_and_alt(page)
    assert "You are 1st of 1, as Alice." in page.text
    assert labels(page) == ["My place", "As CSV", "Change name", "Stop taking part"]
    bens = await everywhere(ben, here)
    assert NOT_HERE in bens.text
    assert "Alice: rating 1" in text_and_alt(bens)
    assert "Ben" not in text_and_alt(bens)
    await take_part(ben, bens, "Zed")
    assert "Zed (marked)" in text_and_alt(bens)
    assert " of 2, as Zed." in bens.text
    eves = await everywhere(eve, here)
    await take_part(eve, eves)
    assert "You take part as Eve and are not ranked yet. Missing: " in eves.text
    assert "rated match" in eves.text
    assert "within 30 days" in eves.text
    assert "here within" not in eves.text
    assert "Eve" not in "".join(file["description"] for file in eves.files)


async def test_people_of_other_servers_are_on_it_whatever_they_prefer_at_tables(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await settle(here, alice, ben)
    await set_preferences(alice, here.room, ratings="never")
    await take_part(alice, await everywhere(alice, here), "Zed")
    guild = here.box.guild("Elsewhere")
    room, walter = guild.channel("games"), here.box.person("Walter", guild)
    page = shown(await walter.slash(room, "leaderboard", scope="everywhere", game="Palace"))
    assert "1. Zed: rating 1" in text_and_alt(page)
    assert "Alice" not in text_and_alt(page)
    assert (await here.bot.store.preferences(alice.id)).ratings == "never"


async def test_stopping_and_erasing_take_somebody_off_it(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await settle(here, alice, ben)
    for person in (alice, ben):
        await take_part(person, await everywhere(person, here))
    page = await everywhere(alice, here)
    assert shown(await alice.click(page, "Stop taking part")) is page
    assert NOT_HERE in page.text
    assert "Alice" not in text_and_alt(page)
    assert await alias(here, alice) == ""
    await here.bot.tables.erase(ben.id)
    shown(await alice.press(page, "everywhere:0:palace:mine"))
    assert "Nobody is ranked here yet." in page.text


async def test_a_name_can_be_changed_and_equal_names_are_told_apart_without_accounts(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await settle(here, alice, ben)
    await take_part(alice, await everywhere(alice, here), "Zed")
    page = await everywhere(ben, here)
    await take_part(ben, page, "Zed")
    names = text_and_alt(page)
    assert "Zed: rating" in names.replace(" (marked)", "")
    assert "Zed (2)" in names
    assert "<@" not in names
    assert str(alice.id) not in names
    await ben.submit(modal_of(await ben.click(page, "Change name")), {})  # the field holds the present name
    assert await alias(here, ben) == "Zed"
    await take_part(ben, page, "Yan")
    assert ", as Yan." in page.text


async def test_a_name_is_kept_so_that_it_is_harmless(here: CardRoom) -> None:
    alice, *_ = here.people
    alice.rename(here.guild, "Boss of this server")  # an empty name is that of the account
    page = await everywhere(alice, here)
    for typed, kept in (
        ("", "Alice"),
        ("   ", "Alice"),
        ("**`x`** <@1>", safe("**`x`** <@1>")),
        ("@everyone", "＠everyone"),
        ("\u202eevil", "evil"),
        ("محمد", "\u2068محمد\u2069"),
        ("🌴" * LONGEST, "🌴" * LONGEST),
        ("a\u200bb", "ab"),
    ):
        await take_part(alice, page, typed)
        assert await alias(here, alice) == kept
        assert f"You take part as {kept} and are not ranked yet." in page.text
        await alice.click(page, "Stop taking part")


async def test_a_name_of_which_nothing_can_be_seen_is_refused(here: CardRoom) -> None:
    alice, *_ = here.people
    page = await everywhere(alice, here)
    assert "Nothing of that name can be seen" in refusal_of(await take_part(alice, page, "\u200b\u2800"))
    assert await alias(here, alice) == ""


async def test_a_board_without_a_game_and_a_season_of_all_servers_are_refused(here: CardRoom) -> None:
    alice, *_ = here.people

    async def answer(**options: str) -> str:
        return refusal_of(await alice.slash(here.room, "leaderboard", scope="everywhere", **options))

    assert "Name the game, too." in await answer()
    assert "Seasons belong to one server." in await answer(period="this season")
    assert "Seasons belong to one server." in await answer(season="Autumn", game="Palace")


async def test_preferences_say_under_which_name_somebody_takes_part(here: CardRoom) -> None:
    alice, *_ = here.people
    assert "everywhere" not in shown(await alice.slash(here.room, "preferences")).text
    await take_part(alice, await everywhere(alice, here), "Zed")
    panel = shown(await alice.slash(here.room, "preferences"))
    assert "You are on leaderboards everywhere as Zed" in panel.text


async def test_a_long_name_that_is_read_from_right_to_left_can_be_changed(here: CardRoom) -> None:
    alice = here.people[0]
    page = await everywhere(alice, here)
    await take_part(alice, page, "\N{HEBREW LETTER ALEF}" * LONGEST)
    assert "You take part as" in page.text
    assert (await take_part(alice, page, "Alice")).failed is None
    assert "You take part as Alice" in page.text.replace("*", "")
