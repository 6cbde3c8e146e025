"""`/learn`: every lesson by its buttons and menus, wrong taps, forged ids, and a restart."""

import asyncio
from itertools import product

import pytest

from games import GAMES
from games.lessons import lessons
from sandbox import Answer, Channel, Message, Person
from tests.cogs.lesson_taps import taps
from tests.e2e.card_room import CardRoom
from tests.e2e.players import labels, set_preferences, shown

PALMER = lessons()["palmer"]


async def learn(person: Person, place: Channel, slug: str) -> Message:
    return shown(await person.slash(place, "learn", game=GAMES[slug].title))


async def tap(here: CardRoom, person: Person, page: Message, slug: str, wanted: str) -> Answer:
    """Make a tap of a lesson on its page."""
    offered = taps(here.bot.game_uis[slug], [*page.buttons, *page.selects])
    custom_id, values = offered[wanted]
    if values:
        return await person.select(page, custom_id, list(values))
    return await person.click(page, custom_id)


async def go_on(here: CardRoom, person: Person, page: Message, slug: str, since: int = 0) -> None:
    """Make the right taps after the first `since` steps."""
    for step in lessons()[slug].steps[since:]:
        assert step.task in page.text
        assert shown(await tap(here, person, page, slug, step.tap)) is page


@pytest.mark.parametrize("slug", lessons())
@pytest.mark.parametrize("pictures", ["pictures", "text only"])
async def test_a_lesson_is_one_private_message_and_leads_to_a_table_like_its_own(
    here: CardRoom, slug: str, pictures: str
) -> None:
    alice = here.people[0]
    await set_preferences(alice, here.room, pictures=pictures)
    page = await learn(alice, here.room, slug)
    assert page.ephemeral
    await go_on(here, alice, page, slug)
    assert all(line in page.text for line in lessons()[slug].learned)
    assert not page.files or pictures == "pictures"
    assert not here.bot.tables.seated(alice.id)
    answer = await alice.click(page, "Play against computers")
    await here.box.until(lambda: "Your practice table is ready" in answer.text)
    assert not here.room.messages(), "nobody else sees it"
    (match,) = here.bot.tables.seated(alice.id)
    state, lesson = (await here.bot.tables.get(match)).state, lessons()[slug]
    assert (state.game.slug, state.practice) == (slug, True)
    assert len(state.players) == 1 + len(lesson.others)
    assert state.options == state.game.Options(**lesson.options)


async def test_a_wrong_tap_is_answered_by_why_and_the_lesson_stays(here: CardRoom) -> None:
    alice = here.people[0]
    page = await learn(alice, here.room, "palmer")
    first = PALMER.steps[0]
    for wrong, why in first.why.items():
        assert shown(await tap(here, alice, page, "palmer", wrong)) is page
        assert why in page.text
        assert first.task in page.text
    await go_on(here, alice, page, "palmer")


async def test_learn_goes_on_where_the_person_stopped_or_from_the_start(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    page = await learn(alice, here.room, "palmer")
    assert "From the start" not in labels(page)
    await tap(here, alice, page, "palmer", PALMER.steps[0].tap)
    page = await learn(alice, alice.dms, "palmer")
    assert PALMER.steps[1].task in page.text
    assert PALMER.steps[0].task in (await learn(ben, here.room, "palmer")).text
    assert shown(await alice.click(page, "From the start")) is page
    assert PALMER.steps[0].task in page.text


@pytest.mark.parametrize("right_first", [True, False])
async def test_two_taps_at_once_never_lead_back(here: CardRoom, right_first: bool) -> None:
    alice, slug = here.people[0], "hand-and-foot"
    first, second, lay, pick, *_ = lessons()[slug].steps
    page = await learn(alice, here.room, slug)
    for step in (first, second):
        await tap(here, alice, page, slug, step.tap)
    taps_at_once = [tap(here, alice, page, slug, each.tap) for each in (lay, pick)]
    await asyncio.gather(*(taps_at_once if right_first else reversed(taps_at_once)))
    assert pick.task in page.text
    await go_on(here, alice, page, slug, since=3)


async def test_a_tap_on_an_earlier_step_shows_the_present_one(here: CardRoom) -> None:
    alice, slug = here.people[0], "hand-and-foot"
    page = await learn(alice, here.room, slug)
    steps = lessons()[slug].steps
    wrong, _ = taps(here.bot.game_uis[slug], page.buttons)[steps[0].tap]
    for step in steps[:3]:
        await tap(here, alice, page, slug, step.tap)
    assert shown(await alice.press(page, wrong)) is page
    assert steps[3].task in page.text
    await go_on(here, alice, page, slug, since=3)


async def test_a_forged_number_of_computers_is_refused(here: CardRoom) -> None:
    alice = here.people[0]
    page = await learn(alice, here.room, "palmer")
    for computers, refused in ((1, "needs at least"), (99, "takes at most")):
        assert refused in (await alice.press(page, f"try:0:{computers}:charms:{{}}")).text
        assert not here.bot.tables.seated(alice.id)


async def test_the_rules_at_the_end_of_a_lesson_leave_it_open(here: CardRoom) -> None:
    alice = here.people[0]
    page = await learn(alice, here.room, "palmer")
    await go_on(here, alice, page, "palmer")
    rules = shown(await alice.click(page, "Rules"))
    assert "Palmer" in rules.text
    assert rules is not page
    assert "You know Palmer now" in page.text


# Forged and old custom ids

FOUND = (("learn", "palmer"), ("learn", ""))
"""Ids that the bot writes: of a lesson, and of the page with all of them."""


async def test_a_forged_id_of_a_lesson_is_refused_politely(here: CardRoom) -> None:
    alice = here.people[0]
    page = await learn(alice, here.room, "palmer")
    before = page.text
    forged = ("", ":", "x", "palmer", "palmer.1", "palmer.1.x:draw", "chess.1.2:draw", "..:")
    for verb, rest in product(("lesson", "learn"), forged):
        answer = await alice.press(page, f"{verb}:0:{rest}")
        assert "does not work any more" in answer.text or (verb, rest) in FOUND
        assert page.text == before, rest


@pytest.mark.parametrize("place", ["0ld.2", f"{PALMER.version}.{len(PALMER.steps)}", f"{PALMER.version}.99"])
async def test_a_lesson_that_has_changed_begins_again_and_says_so(here: CardRoom, place: str) -> None:
    alice = here.people[0]
    page = await learn(alice, here.room, "palmer")
    assert shown(await alice.press(page, f"lesson:0:palmer.{place}:draw")) is page
    assert "has changed" in page.text
    assert PALMER.steps[0].task in page.text


async def test_a_forged_tap_leads_nowhere(here: CardRoom) -> None:
    alice = here.people[0]
    page = await learn(alice, here.room, "palmer")
    for step in ("", "way-steal", "card-7", "card-0", "move", "x:y"):
        await alice.press(page, f"lesson:0:palmer.{PALMER.version}.0:{step}")
        assert PALMER.steps[0].task in page.text
        assert await here.bot.store.lesson(alice.id, "palmer") == 0, step


async def test_a_tap_on_somebody_elses_lesson_shows_the_own_one(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    page = await learn(alice, here.room, "palmer")
    own = await learn(ben, here.room, "thirty-one")
    offered = taps(here.bot.game_uis["palmer"], page.buttons)
    answer = await ben.press(own, offered[PALMER.steps[0].tap].custom_id)
    assert shown(answer) is own
    assert PALMER.steps[0].task in page.text
    kept = [await here.bot.store.lesson(each.id, "palmer") for each in (alice, ben)]
    assert kept == [0, 1]
