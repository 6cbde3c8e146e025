"""The menu below the table of a season: it opens exactly the matches that the table counts, for everybody."""

from bot.standings.ratings import DAY, START_MU
from bot.standings.season import PATIENCE, SETTLING
from cogs.standings.season import rows_of
from sandbox import Answer, Message, Person
from sandbox.components import STRING_SELECT
from tests.e2e.card_room import CardRoom
from tests.e2e.match import refusal_of
from tests.e2e.players import set_preferences, shown, text_and_alt
from tests.e2e.stored_matches import begin_match, end_match
from tests.e2e.test_seasons import GAME, begin, finals, pass_by, play, played, posted, the_season


async def menu(person: Person, page: Message, whose: str) -> Answer:
    """Choose a person in the menu below a season's table."""
    (found,) = page.selects
    (value,) = (each["value"] for each in found["options"] if each["label"] == whose)
    return await person.select(page, found["custom_id"], [value])


async def test_every_row_of_a_table_opens_exactly_the_matches_that_it_counts(here: CardRoom) -> None:
    alice, ben, cleo, dana, eve = here.people
    store, guild = here.bot.store, here.guild.id
    await played(here, alice, ben)  # before the season
    await pass_by(here, 1_000)
    await begin(here, days=1)
    season = await the_season(here)
    await played(here, alice, ben, cleo)
    await played(here, ben, alice)
    await play(store, guild + 1, [alice, ben], season.starts, season.starts)
    unrated = await begin_match(store, guild, [alice], season.starts)
    await end_match(store, unrated, guild, [alice], season.starts, computers=1, rated=False)
    last = await play(store, guild, [dana, alice], season.ends - 1)
    never = await play(store, guild, [eve, alice], season.ends - 1)
    await play(store, guild, [eve, ben], season.ends, season.ends)  # after the season
    await end_match(store, last, guild, [dana, alice], season.ends + 5)

    async def check(page: Message) -> None:
        for row in await rows_of(store, await the_season(here)):
            place = f"{row.place}. {row.name}"
            opened = await menu(eve, page, place)
            assert opened.ephemeral
            assert opened.message is not page
            plural = "es" * (row.matches > 1)
            assert opened.text.startswith(
                f"### {row.name} · {row.matches} match{plural}\n-# All games · rated matches of season Autumn\n"
            )

    await check(shown(await ben.slash(here.room, "leaderboard", period="this season", public=True)))
    await pass_by(here, DAY + PATIENCE + SETTLING)
    await here.box.until(lambda: len(finals(here.box)) == 1)
    now = here.bot.time.now()
    await end_match(store, never, guild, [eve, alice], now + 5)  # after the closing: does not count
    final = finals(here.box)[0]
    assert "2. Alice: points 100, wins 1, matches 3." in text_and_alt(final)
    assert "Eve" not in text_and_alt(final)
    await check(final)
    await check(shown(await eve.slash(here.room, "leaderboard", season="Autumn")))


async def test_people_who_were_erased_are_not_in_the_menu_and_open_nothing(here: CardRoom) -> None:
    alice = await begin(here)
    _, ben, cleo, *_ = here.people
    await played(here, alice, ben)
    before = shown(await cleo.slash(here.room, "leaderboard", period="this season"))
    await here.bot.tables.erase(ben.id)
    page = shown(await cleo.slash(here.room, "leaderboard", period="this season"))
    assert "former player" in text_and_alt(page)
    assert [each["label"] for each in page.selects[0]["options"]] == ["1. Alice"]
    assert "They may have erased themselves" in refusal_of(await menu(cleo, before, "2. Ben"))
    await here.bot.tables.erase(alice.id)
    page = shown(await cleo.slash(here.room, "leaderboard", period="this season"))
    assert page.selects == []


async def test_a_forged_menu_is_refused(here: CardRoom) -> None:
    alice = await begin(here)
    await played(here, alice, here.people[1])
    theirs = await here.bot.store.add_season(here.guild.id + 1, 1, "Theirs", 1, 2**52)
    assert theirs is not None
    words = {"id": (await the_season(here)).id, "theirs": theirs.id, "me": alice.id}
    page = shown(await alice.slash(here.room, "leaderboard", period="this season"))
    for rest, value in (
        ("{id}", "x"),
        ("{id}", "-5"),
        ("{id}", "99999999999999999999"),
        ("{id}", "{me},p1"),
        ("{theirs}", "{me}"),
        ("{id},p1,e{id}", "{me}"),
        ("0{id}", "{me}"),
        ("99", "{me}"),
        ("", "{me}"),
        ("x", "{me}"),
    ):
        written = f"season-matches:0:{rest.format(**words)}"
        answer = await alice.press(page, written, STRING_SELECT, values=[value.format(**words)])
        assert refusal_of(answer)
        assert "### " not in answer.text


async def test_seasons_of_other_servers_and_in_direct_messages_open_nothing(here: CardRoom) -> None:
    alice = await begin(here)
    await played(here, alice, here.people[1])
    season = await the_season(here)
    theirs = await here.bot.store.add_season(here.guild.id + 1, 1, "Theirs", 1, 2**52)
    assert theirs is not None
    page = shown(await alice.slash(here.room, "history"))
    for chosen in (f"e{theirs.id}", "e99", f"e{season.id},e{season.id}", "e-1", "e"):
        forged = await alice.press(page, f"history:0:{alice.id}:0:{chosen}")
        assert "does not work any more" in refusal_of(forged)
    private = shown(await alice.slash(alice.dms, "history"))
    forged = await alice.press(private, f"history:0:{alice.id}:0:e{season.id}")
    assert "does not work any more" in refusal_of(forged)


# Names and ties of players

NAMES = (
    *("**`x`**", "<@1> @everyone", "[a](https://evil.example)", "\u202eكأس", "🌴" * 32, "\u2800", "~~" * 16),
)


async def test_any_names_of_players_stand_in_tables_menus_and_histories(here: CardRoom) -> None:
    alice = await begin(here, days=1)
    people = [here.box.person(name, here.guild) for name in (*NAMES, "same", "same")]
    await played(here, *people[:4])
    await played(here, *people[4:])
    await pass_by(here, DAY + SETTLING)
    await posted(here)
    final = finals(here.box)[0]
    options = final.selects[0]["options"]
    assert len({each["label"] for each in options}) == len(people)
    texts = [text_and_alt(final), *(each["label"] for each in options)]
    for each in options:
        opened = await alice.select(final, final.selects[0]["custom_id"], [each["value"]])
        assert "· 1 match\n" in opened.text
        texts.append(opened.text)
    await set_preferences(alice, here.room, pictures="text only")
    texts.append(text_and_alt(shown(await alice.slash(here.room, "leaderboard", season="Autumn"))))
    texts += [(await alice.slash(here.room, "profile", member=person)).text for person in people]
    for text in texts:
        assert not any(
            part in text for part in ("@everyone", "<@1>", "](https://evil", "\u202e", "~~", "**`")
        )
        assert text.count("\u2068") == text.count("\u2069")
        assert "🌴" * 21 not in text


async def test_a_table_that_all_share_has_one_place_and_the_match_of_each(here: CardRoom) -> None:
    alice = await begin(here, days=1)
    people, now = here.people[:4], here.bot.time.now()
    match = await play(here.bot.store, here.guild.id, people, now)
    await end_match(here.bot.store, match, here.guild.id, people, now, placings=[1] * 4)
    assert {row.mu for row in (await here.bot.store.ratings(GAME.slug, [p.id for p in people])).values()} == {
        START_MU
    }
    await pass_by(here, DAY + SETTLING)
    await posted(here)
    final = finals(here.box)[0]
    assert "🏆 **Alice**, **Ben**, **Cleo** and **Dana** win with 50 points." in final.text
    assert [each["label"] for each in final.selects[0]["options"]] == [f"1. {p.name}" for p in people]
    opened = await menu(alice, final, "1. Cleo")
    assert "1st Alice, 1st Ben, **1st Cleo**, 1st Dana" in opened.text
