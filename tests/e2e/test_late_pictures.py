"""An answer does not wait for its picture: it goes out in words, and an edit adds the picture."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path

import pytest

from bot.match.entries import CloseReason
from bot.messages.answers import OWN
from bot.messages.custom_ids import CustomId
from bot.messages.late_pictures import MOST_STEPS, PATIENCE
from bot.pictures.picture import Picture
from bot.pictures.worker_client import DrawingFailed, Late, WorkerClient
from sandbox import Message, Person
from sandbox.faults import Fault
from sandbox.interactions import DEFER_UPDATE
from tests.e2e.card_room import CardRoom, card_room
from tests.e2e.players import Turns, bid, deal, labels, latest, open_table, shown, start_match
from tests.e2e.test_kept_pictures import pick, play
from tests.e2e.twin_it_table import dealt
from tests.held import fail, held
from tests.simulation.workers import blank_file

SHORT = 0.3
"""Seconds of a pause that a test waits for."""


class HeldUp(WorkerClient):
    """A rasterizer that draws no picture until `ready` is set, and keeps no file."""

    def __init__(self) -> None:
        super().__init__()
        self.ready = asyncio.Event()
        self.ready.set()
        self.rehearsed: list[object] = []
        """The first request of each rehearsal."""

    async def draw(
        self, pictures: Sequence[Picture], *, answer: bool = False, within: float | None = None
    ) -> list[bytes]:
        if pictures and not self.ready.is_set():
            if within is not None and within < PATIENCE:
                raise Late
            await self.ready.wait()
        return [blank_file(picture.paint) for picture in pictures]

    def keeps(self, _: Picture) -> bool:
        return False

    async def prepare(self, requests: Iterable[object]) -> None:
        self.rehearsed.append(next(iter(requests)))


class Slow(WorkerClient):
    """A rasterizer that takes SHORT for each picture, and keeps it."""

    def __init__(self) -> None:
        super().__init__()
        self._names = set[str]()

    async def draw(
        self, pictures: Sequence[Picture], *, answer: bool = False, within: float | None = None
    ) -> list[bytes]:
        if not self._names.issuperset(each.name for each in pictures):
            if within is not None and within < SHORT:
                raise Late
            await asyncio.sleep(SHORT)
            self._names |= {each.name for each in pictures}
        return [blank_file(picture.paint) for picture in pictures]

    def keeps(self, picture: Picture) -> bool:
        return picture.name in self._names


@pytest.fixture
async def rasterizer() -> HeldUp:
    return HeldUp()


@pytest.fixture
async def here(file: Path, rasterizer: HeldUp) -> AsyncIterator[CardRoom]:
    async with card_room(file, seed=lambda: "e2e", rasterizer=rasterizer) as room:
        yield room


@pytest.fixture
def ready(rasterizer: HeldUp) -> asyncio.Event:
    """Return an event: until it is set, no picture is drawn."""
    return rasterizer.ready


async def player_to_act(here: CardRoom) -> Person:
    """Deal a match of two, let both bid, and return the person whose turn it is."""
    alice, ben, *_ = here.people
    await bid(await deal(here, 2), alice, ben)
    await here.rest()
    return here.people[(await here.bot.tables.get(1)).state.awaited()[0]]


async def opened(person: Person) -> Message:
    """Return the person's hand in a new message, opened with the button of the table."""
    table = next(
        message
        for channel in person.world.channels.values()
        for message in reversed(person.sees(channel))
        if not message.ephemeral and "What beats what" in labels(message) and message.files
    )
    return shown(await person.click(table, "My hand"))


async def opened_in_words(here: CardRoom, ready: asyncio.Event) -> tuple[Person, Message]:
    """Return the person whose turn it is, and their hand, whose picture is late."""
    person = await player_to_act(here)
    ready.clear()
    return person, await opened(person)


async def move(person: Person, hand: Message) -> None:
    for number in (0, 1):
        await person.click(hand, pick(hand, number))
    await person.click(hand, play(hand))


async def test_the_picture_of_a_hand_undoes_no_click_on_its_words(
    here: CardRoom, ready: asyncio.Event
) -> None:
    person, hand = await opened_in_words(here, ready)
    await person.click(hand, pick(hand, 0))
    picked = hand.custom_ids
    ready.set()
    await here.box.until(lambda: hand.files)
    await asyncio.sleep(SHORT)
    assert hand.custom_ids == picked
    assert hand.edits == 2, "the answer to the click, and its picture"


async def test_a_click_waits_for_a_picture_that_is_being_sent(here: CardRoom, ready: asyncio.Event) -> None:
    person, hand = await opened_in_words(here, ready)
    own = f"/{person.answers[-1].interaction.token}/"
    slow = Fault("PATCH", own, None, delay=SHORT)
    here.box.faults.add(slow)
    ready.set()
    await here.box.until(lambda: slow.times == 0)
    asked = len(here.box.requests)
    await person.click(hand, pick(hand, 0))
    answer = f"/{person.answers[-1].interaction.token}/"
    sent = [token for each in here.box.requests[asked:] for token in (own, answer) if token in each.path]
    assert sent == [own, answer], "sent after the answer, the older hand would replace it"
    assert hand.files


async def test_no_picture_of_an_answer_before_the_last_is_added(here: CardRoom, ready: asyncio.Event) -> None:
    person, hand = await opened_in_words(here, ready)
    # The bot hears that its first answer has arrived only after the second click.
    here.box.faults.add(Fault("POST", "/callback$", None, after=True, delay=SHORT))
    await person.click(hand, pick(hand, 0))
    await person.click(hand, pick(hand, 1))
    picked = hand.custom_ids
    await asyncio.sleep(2 * SHORT)
    ready.set()
    await here.box.until(lambda: hand.files)
    await asyncio.sleep(SHORT)
    assert hand.custom_ids == picked


async def test_the_hand_after_a_move_keeps_its_picture_until_the_next_one_is_drawn(
    here: CardRoom, ready: asyncio.Event
) -> None:
    person = await player_to_act(here)
    hand = await opened(person)
    (before,) = hand.files
    for number in (0, 1):
        await person.click(hand, pick(hand, number))
    ready.clear()
    await person.click(hand, play(hand))
    assert [each["id"] for each in hand.files] == [before["id"]]
    assert "Your hand: " not in hand.text
    ready.set()
    await here.box.until(lambda: hand.files[0]["id"] != before["id"])


async def test_a_picture_of_before_is_put_into_words_when_the_next_one_takes_long(
    here: CardRoom, ready: asyncio.Event
) -> None:
    person = await player_to_act(here)
    hand = await opened(person)
    ready.clear()
    await move(person, hand)
    await here.box.until(lambda: "Your hand: " in hand.text)
    assert hand.files == []
    ready.set()
    await here.box.until(lambda: hand.files)


async def test_a_picture_of_before_does_not_stay_when_the_next_one_cannot_be_drawn(
    here: CardRoom, rasterizer: HeldUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = await player_to_act(here)
    hand = await opened(person)
    for number in (0, 1):
        await person.click(hand, pick(hand, number))
    fail(monkeypatch, rasterizer, "draw", DrawingFailed("it has no such sprite"))
    await person.click(hand, play(hand))
    await here.rest()
    assert "Your hand: " in hand.text
    assert hand.files == []


async def test_a_hand_whose_picture_cannot_be_drawn_is_not_moved_by_what_others_do_in_secret(
    here: CardRoom, rasterizer: HeldUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 3)
    fail(monkeypatch, rasterizer, "draw", DrawingFailed("it has no such sprite"))
    hand = await opened(alice)
    await bid(place, ben)
    await here.rest()
    assert "Your hand: " in hand.text
    edits = hand.edits
    await bid(place, ben, action="bid 2")
    await here.rest()
    assert hand.edits == edits


async def test_a_table_gets_its_late_picture_no_sooner_by_what_somebody_does_in_secret(
    here: CardRoom, ready: asyncio.Event
) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 3)
    await here.rest()
    ready.clear()
    await bid(place, alice)
    retries = here.bot.publisher._picture_retries
    await here.box.until(lambda: retries.count(1) > MOST_STEPS, timeout=60)
    board = latest(ben, place)
    await asyncio.sleep(1)  # that retry has failed
    ready.set()
    await bid(place, alice, action="bid 2")
    await asyncio.sleep(MOST_STEPS - 2)
    assert board.files == []
    await here.box.until(lambda: board.files, timeout=3)


async def test_a_hand_is_not_drawn_late_once_its_player_has_opened_another(
    here: CardRoom, ready: asyncio.Event
) -> None:
    person = await player_to_act(here)
    ready.clear()
    first, second = await opened(person), await opened(person)
    ready.set()
    await here.box.until(lambda: second.files)
    await here.rest()
    assert first.deleted
    assert not [each for each in here.box.requests if each.status == 404]


async def test_a_hand_is_not_drawn_late_once_the_answer_to_a_typed_move_is_below_it(
    here: CardRoom, ready: asyncio.Event
) -> None:
    person = await player_to_act(here)
    (place,) = here.room.threads
    ready.clear()
    first = await opened(person)
    offered = await person.autocomplete(place, "move", "action", "")
    answer = shown(await person.slash(place, "move", action=offered[0]["value"]))
    assert "✅" in answer.text
    ready.set()
    await here.box.until(lambda: answer.files)
    await here.rest()
    assert first.deleted
    assert not [each for each in here.box.requests if each.status == 404]


async def test_a_stop_does_not_wait_for_pictures(here: CardRoom, ready: asyncio.Event) -> None:
    _, hand = await opened_in_words(here, ready)
    await asyncio.wait_for(here.bot.late_pictures.close(), 5)
    assert hand.files == []
    ready.set()


async def test_a_table_whose_picture_is_late_is_shown_in_words_and_the_picture_follows(
    here: CardRoom, ready: asyncio.Event
) -> None:
    alice, ben, *_ = here.people
    ready.clear()
    card = await open_table(here.room, "twin-palms start", alice, ben)
    assert ben.name in card.text
    await alice.click(card, "Start")
    await here.box.until(lambda: card.thread and any(m.buttons for m in card.thread.messages()))
    assert card.thread is not None
    table = next(message for message in card.thread.messages() if message.buttons)
    assert table.files == []
    assert "0 of 2 have bid" in table.text
    await bid(card.thread, ben)
    await here.box.until(lambda: "1 of 2 have bid" in table.text)
    assert table.files == []
    ready.set()
    await here.box.until(lambda: table.files)
    assert "1 of 2 have bid" in table.files[0]["description"]
    assert "1 of 2 have bid" not in table.text


async def test_no_call_waits_for_a_picture(here: CardRoom, ready: asyncio.Event) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    await here.rest()
    ready.clear()
    await bid(place, ben, alice)  # Ben leads, so he is called
    awaited = here.people[(await here.bot.tables.get(1)).state.awaited()[0]]
    await here.box.until(lambda: place.messages()[-1].pings == {awaited.id})
    table = next(message for message in place.messages() if "What beats what" in labels(message))
    assert table.files == []
    ready.set()
    await here.box.until(lambda: table.files)


async def test_a_game_is_rehearsed_once_as_its_first_table_opens(here: CardRoom, rasterizer: HeldUp) -> None:
    rehearsed = rasterizer.rehearsed
    for person in here.people[:2]:
        await open_table(here.room, "twin-palms start", person)
        await here.box.until(lambda: rehearsed)
    assert len(rehearsed) == 1
    await open_table(here.room, "charms start", here.people[2])
    await here.box.until(lambda: len(rehearsed) == 2)


async def test_a_record_waits_for_an_edit_of_its_live_table_after_an_earlier_record_got_its_picture(
    file: Path, rasterizer: HeldUp
) -> None:
    # Without Discord's limits the client sends one edit of a message after the other anyway.
    async with card_room(file, rasterizer=rasterizer, rate_limits=True) as here:
        alice, ben, *_ = here.people
        card = await start_match(here, "liars-dice start", alice, ben)
        place = here.thread(card)
        turns = Turns(here, await here.bot.tables.get(1), place)

        async def play(*moves: str) -> None:
            for text in moves:
                await turns.person(0).slash(place, "move", action=text)

        def table_of_round(number: int) -> Message:
            return next(each for each in place.messages() if f"**Round {number}**" in each.text)

        await play("bid 10x6")
        await here.rest()
        first = table_of_round(1)
        rasterizer.ready.clear()
        here.box.faults.add(slow := Fault("PATCH", f"/messages/{first.id}$", None, delay=1.0))
        await play("doubt")
        await here.box.until(lambda: slow.times == 0)
        second = table_of_round(2)
        here.box.faults.add(late := Fault("PATCH", f"/messages/{second.id}$", 429, retry_after=2.0))
        await play("bid 9x6", "doubt")
        await here.box.until(lambda: late.times == 0)
        rasterizer.ready.set()
        await here.rest()
        assert second.buttons == []


async def sending_late(here: CardRoom, ready: asyncio.Event, delay: float) -> tuple[Person, Message]:
    """Return Alice and a page of rules, as the edit that adds its picture is sent. It is carried out after `delay`
    seconds, even if it is cancelled."""
    alice = here.people[0]
    ready.clear()
    page = shown(await alice.slash(here.room, "twin-palms rules"))
    slow = Fault("PATCH", f"/{alice.answers[-1].interaction.token}/", None, delay=delay, arrives=True)
    here.box.faults.add(slow)
    ready.set()
    await here.box.until(lambda: not slow.times)
    return alice, page


async def test_a_late_click_that_waits_for_a_picture_that_is_being_sent_is_answered_in_time(
    here: CardRoom, ready: asyncio.Event
) -> None:
    alice, page = await sending_late(here, ready, 4.0)
    here.box.under_way = lambda: 1.4
    here.box.faults.add(Fault("POST", "/callback$", None, delay=0.2))
    assert (await alice.click(page, "Full rules")).interaction.answer == DEFER_UPDATE


async def test_a_picture_of_before_that_arrives_after_the_answer_to_a_click_does_not_stay(
    here: CardRoom, ready: asyncio.Event
) -> None:
    alice, page = await sending_late(here, ready, 2.5)
    short = page.text
    await alice.click(page, "Full rules")
    await here.box.until(lambda: page.text != short)
    full = page.text
    await here.box.until(lambda: page.text != full)
    await here.box.until(lambda: page.text == full)


@pytest.mark.parametrize("pause", [0.5, 2.0], ids=["with it", "after it"])
async def test_a_picture_of_before_that_arrives_after_the_answers_to_two_clicks_does_not_stay(
    pause: float, here: CardRoom, ready: asyncio.Event
) -> None:
    alice, page = await sending_late(here, ready, 3.0)
    first, second = (each["custom_id"] for each in page.buttons[:2])
    await alice.press(page, first, wait=False)
    await asyncio.sleep(pause)
    await alice.press(page, second)
    last = page.text
    await here.box.until(lambda: page.text != last)
    await here.box.until(lambda: page.text == last)


async def test_a_page_of_before_that_arrives_after_its_message_became_a_hand_does_not_stay(
    here: CardRoom, ready: asyncio.Event
) -> None:
    game = await dealt(here, 2, mode="timed", seconds=60)
    hands = await game.open_spread()
    await game.rest()
    ready.clear()
    alice = game.people[0]
    await alice.click(hands[0], "▶")
    slow = Fault("PATCH", f"/{alice.answers[-1].interaction.token}/", None, delay=2, arrives=True)
    here.box.faults.add(slow)
    ready.set()
    await here.box.until(lambda: not slow.times)
    await alice.press(hands[0], str(CustomId("hand", 1, OWN)))
    hand = hands[0].text
    await here.box.until(lambda: hands[0].text != hand)
    await here.box.until(lambda: hands[0].text == hand)


async def test_a_replay_begins_with_its_pictures_so_that_its_words_stay_where_they_are(file: Path) -> None:
    async with card_room(file, seed=lambda: "e2e", rasterizer=Slow()) as here:
        alice, ben, *_ = here.people
        await start_match(here, "palace start", alice, ben)
        await (await here.bot.tables.get(1)).close(CloseReason.VOTED)
        await here.rest()
        first = shown(await alice.slash(here.room, "replay", match="1"))
        await asyncio.sleep(4 * SHORT)
        assert (len(first.files), first.edits) == (2, 0)


async def test_a_replay_that_is_read_slowly_is_answered_in_time_without_its_pictures(file: Path) -> None:
    async with card_room(file, seed=lambda: "e2e", rasterizer=Slow()) as here:
        alice, ben, *_ = here.people
        await start_match(here, "palace start", alice, ben)
        await (await here.bot.tables.get(1)).close(CloseReason.VOTED)
        await here.rest()
        async with held(here.bot.store, "log", alice.slash(here.room, "replay", match="1")) as answering:
            await asyncio.sleep(2.8)
        answer = await answering
        await here.box.until(lambda: "step 1 of" in shown(answer).text)
