"""Ratings, reliability and milestones at a table: what its messages show of each person, and what never."""

import re

from sandbox import Message
from tests.e2e.card_room import CardRoom
from tests.e2e.match import Match
from tests.e2e.players import open_table, press_more, set_preferences, shown, start_match, text_and_alt
from tests.e2e.stored_matches import begin_match, end_match
from tests.held import losing_answers

RATING = re.compile(r" · \d{3,4}\??(?= |$)", re.MULTILINE)


async def past(here: CardRoom, matches: int, *, game: str = "twin-palms") -> None:
    """Store finished matches in which Alice came first, Ben second and Cleo third; Cleo left all of them."""
    store, guild, people = here.bot.store, here.guild.id, here.people[:3]
    for _ in range(matches):
        at = here.bot.time.now()
        match = await begin_match(store, guild, people, at, game=game)
        await end_match(store, match, guild, people, at, game=game, left=[2])


def person_lines(card: Message) -> list[str]:
    """Return the lines of a card that begin with a seat."""
    return [line for line in card.text.splitlines() if re.match(r"\d\. ", line)]


async def test_a_lobby_shows_ratings_and_how_reliably_people_finish(here: CardRoom) -> None:
    await past(here, 12)
    card = await open_table(here.room, "twin-palms start", *here.people[:4])
    await here.rest()
    alice, ben, cleo, dana = person_lines(card)
    assert re.fullmatch(r"1\. Alice \(host\) · \d{4}\?? · finishes 12 of the last 12", alice)
    assert re.fullmatch(r"2\. Ben · \d{4}\?? · finishes 12 of the last 12", ben)
    assert re.fullmatch(r"3\. Cleo · \d{3,4}\?? · finishes 1 of the last 12", cleo)
    assert dana == "4. Dana"


async def test_a_rating_leaves_the_lobby_at_once_when_its_person_never_wants_it_there(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await past(here, 3)
    await set_preferences(ben, here.room, ratings="never")
    card = await open_table(here.room, "twin-palms start", alice, ben)
    await here.rest()
    lines = person_lines(card)
    assert RATING.search(lines[0])
    assert lines[1] == "2. Ben"
    await set_preferences(alice, here.room, ratings="never")
    await here.rest()
    assert person_lines(card) == ["1. Alice (host)", "2. Ben"]
    await set_preferences(ben, here.room, ratings="shown")
    await here.rest()
    assert RATING.search(person_lines(card)[1])


async def test_a_rating_leaves_the_lobby_though_the_answer_to_the_wish_was_lost(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await past(here, 3)
    card = await open_table(here.room, "twin-palms start", alice, ben)
    await here.rest()
    panel = shown(await ben.slash(here.room, "preferences"))
    with losing_answers(here.bot.store, "set_preference"):
        answer = await ben.select(panel, "preference:0:ratings", ["never"])
    assert "may have counted" in answer.told
    await here.rest()
    assert person_lines(card)[1] == "2. Ben"


async def test_no_rating_is_in_the_lobby_while_somebody_sits_there_who_wants_them_after_the_match(
    here: CardRoom,
) -> None:
    alice, ben, _, dana, _ = here.people
    await past(here, 12)
    await set_preferences(dana, here.room, ratings="after the match")
    card = await open_table(here.room, "twin-palms start", alice, ben)
    await here.rest()
    assert len(RATING.findall(text_and_alt(card))) == 2
    await dana.click(card, "Join")
    await here.rest()
    assert not RATING.search(text_and_alt(card)), card.text
    assert "Ben · finishes 12 of the last 12" in card.text
    await press_more(dana, card, "Leave")
    await here.rest()
    assert len(RATING.findall(text_and_alt(card))) == 2
    await set_preferences(alice, here.room, ratings="after the match")
    await here.rest()
    assert not RATING.search(text_and_alt(card)), card.text
    await set_preferences(alice, here.room, ratings="shown")
    await here.rest()
    assert len(RATING.findall(text_and_alt(card))) == 2


async def test_from_the_first_deal_on_no_message_has_a_rating(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await past(here, 12)
    card = await start_match(here, "twin-palms start", alice, ben)
    thread = here.thread(card)
    hand = shown(await alice.click(alice.sees(thread)[-1], "My hand"))
    for message in [card, hand, *alice.sees(thread)]:
        assert not RATING.search(text_and_alt(message)), message.text
        assert "finishes" not in message.text


async def test_the_last_message_has_milestones_and_the_ratings_that_people_want(match: Match) -> None:
    await match.gather()
    first, second = match.people[:2]
    await set_preferences(second, match.here.room, ratings="never")
    await first.click(match.card, "Start")
    await match.rest()
    await match.finish()
    last = (await match.place()).messages()[-1]
    (winner,) = re.findall(r"🏆 \*\*(\w+) wins", last.text)
    assert re.search(rf"^-# {winner}\b.* · 🌟 first win", last.text, re.MULTILINE)
    assert f"-# {first.name} came" in last.text
    for message in match.watcher.sees(await match.place()) + match.watcher.sees(match.here.room):
        assert not re.search(rf"{second.name}\W* (1[0-9]{{3}}|[+−]|came)", text_and_alt(message))
        assert not re.search(rf"{second.name}: −?-?\d+, rating", text_and_alt(message))
    assert re.search(rf"{first.name}: \d+, rating 1[0-9]{{3}}\?", text_and_alt(last))
    table = await match.table()
    profile = await {person.name: person for person in match.people}[winner].slash(match.here.room, "profile")
    assert table.state.phase == "over"
    assert "**Milestones** first win" in profile.text
