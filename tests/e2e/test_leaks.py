"""Nobody learns what they must not know: everything each person could ever see is searched for it."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from bot.timing import Times
from games.twin_palms.cards import card_text
from sandbox import TOKEN, Channel, Person
from sandbox.messages import strings
from tests.e2e.house import House, house
from tests.e2e.players import bid, deal, hand_of, latest, open_table, take_turn

CARD = re.compile(
    r"(?<![A-Za-z])(Palm|Dolphin|Sunglass|[PDS])(?:s|es)? ?(\*|wild|\d{1,2} wild|\d{1,2})(?!\w)"
)
"""A card in any of its forms: P3, 🌴P3, P*, P*=8, 🌴P wild, 🌴P8 wild, Palm 3."""


def cards_in(text: str) -> set[str]:
    """The cards a text names, as P3 or P*."""
    return {suit[0] + ("*" if "wild" in number else number) for suit, number in CARD.findall(text)}


def test_a_card_is_recognised_in_every_form_it_takes() -> None:
    forms = {
        "P3": "P3",
        "🌴P10": "P10",
        "play D7 S*=8": "D7 S*",
        "🕶️S wild": "S*",
        "🐬D8 wild": "D*",
        "Palm 3": "P3",
    }
    for form, named in forms.items():
        assert cards_in(f"1. {form}, then") == set(named.split())
    assert cards_in("Palms bid 3, PS 4, Ben 7") == set()


class Eyes:
    """What one person could see, each state of each thing once."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self._known = {key for key, _ in person.sights()}

    def look(self) -> Iterator[str]:
        """Every string in what is new since the last look."""
        for key, thing in self.person.sights():
            if key not in self._known:
                self._known.add(key)
                yield from strings(thing)


async def look_around(person: Person, place: Channel) -> None:
    """Try everything that shows something."""
    await person.click(latest(person, place), "My hand")
    await person.press(latest(person, place), "type:1")
    await person.slash(place, "hand")
    await person.slash(place, "tables")
    shown = await person.slash(place, "table show")
    await person.box.until(lambda: shown.message and not shown.message.loading)
    await person.autocomplete(place, "move", "action", "")
    await person.autocomplete(place, "move", "action", "p 3")


@pytest.mark.usefixtures("at_once")
async def test_all_that_anybody_sees_of_cards_is_their_own_hand_and_what_was_played_this_round(
    here: House,
) -> None:
    eyes, rng = [Eyes(person) for person in here.people], Random(1)
    place = await deal(here, 4, mode="extreme", rounds=2)
    table = await here.bot.tables.get(1)
    hands, played, named = _hands(table.sitting.state.hands), set[str](), 0
    while table.sitting.phase == "play":
        seat, dealt = table.sitting.awaited()[0], table.sitting.state.round
        await take_turn(here.people[seat], place, rng)
        await look_around(rng.choice(here.people), place)
        await here.bot.publisher.rest()
        played |= cards_in((await here.bot.store.log(1))[-1].body)
        before, hands = hands, _hands(table.sitting.state.hands)
        for eye, old, new in zip(eyes, [*before, set()], [*hands, set()], strict=True):
            for string in eye.look():
                assert cards_in(string) <= played | old | new, f"{eye.person.name} reads {string!r}"
                named += bool(cards_in(string))
        played = played if table.sitting.state.round == dealt else set()
    assert named > 1000


@pytest.mark.usefixtures("at_once")
async def test_a_seat_that_changes_hands_shows_its_cards_to_whoever_holds_it_and_to_nobody_else(
    tmp_path: Path,
) -> None:
    """Ben leaves and Eve takes his seat, Cleo hands hers to Dana; nobody has played a card yet."""
    async with house(tmp_path / "house.sqlite3", seed=lambda: "e2e") as here:
        _, ben, cleo, dana, eve = here.people
        place = await deal(here, 3, mode="extreme")
        table, eyes = await here.bot.tables.get(1), [Eyes(person) for person in here.people]
        first, second, third = _hands(table.sitting.state.hands)

        async def seen(*hands: set[str]) -> None:
            """What each has seen since the last time names no card but those of the hand they hold."""
            for person in here.people:
                await look_around(person, place)
            await here.bot.publisher.rest()
            for eye, hand in zip(eyes, hands, strict=True):
                named = {card for string in eye.look() for card in cards_in(string)}
                assert named == hand, eye.person.name

        await seen(first, second, third, set(), set())
        await ben.slash(place, "table leave")
        await here.bot.publisher.rest()
        await seen(first, set(), third, set(), set())
        await eve.click(latest(eve, place, "Take the seat"), "Take the seat")
        await seen(first, set(), third, set(), second)
        await cleo.slash(place, "table hand-over", member=dana)
        await seen(first, set(), third, set(), second)
        await dana.click(latest(dana, place, "Accept"), "Accept")
        await seen(first, set(), set(), third, second)


@pytest.mark.usefixtures("at_once")
async def test_what_a_computer_holds_shows_nowhere(tmp_path: Path) -> None:
    times = Times(computer=(0, 1))
    async with house(tmp_path / "house.sqlite3", seed=lambda: "e2e", times=times) as here:
        alice = here.people[0]
        card = await open_table(here.room, "twin-palms start", alice, mode="extreme", computers=2)
        await alice.click(card, "Start")
        await here.bot.publisher.rest()
        place, table, eyes = here.thread(card), await here.bot.tables.get(1), [*map(Eyes, here.people)]
        own, *_ = _hands(table.sitting.state.hands)
        for person in here.people:
            await look_around(person, place)
        named = [{card for string in eye.look() for card in cards_in(string)} for eye in eyes]
        assert named == [own, set(), set(), set(), set()]


def _hands(hands: list[list[int]]) -> list[set[str]]:
    return [{card_text(kind) for kind in hand} for hand in hands]


SECRET_BIDS = [["bid 5 max"], ["bid 0", "bid 5 max", "bid 3 half"]]


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("bids", SECRET_BIDS, ids=["another", "changed twice"])
async def test_a_hidden_bid_changes_nothing_that_others_see_until_the_reveal(
    bids: list[str], tmp_path: Path
) -> None:
    usual = await _bidding(tmp_path / "usual.sqlite3", ["bid 1"])
    _same(usual, await _bidding(tmp_path / "other.sqlite3", bids))


@pytest.mark.usefixtures("at_once")
async def test_that_a_bid_was_thought_over_shows_nowhere_after_the_reveal_either(tmp_path: Path) -> None:
    usual = await _bidding(tmp_path / "usual.sqlite3", ["bid 1"], reveal=True)
    _same(usual, await _bidding(tmp_path / "other.sqlite3", ["bid 0", "bid 5 max", "bid 1"], reveal=True))


def _same(usual: dict[str, str], other: dict[str, str]) -> None:
    for who, sight in usual.items():
        assert other[who].splitlines() == sight.splitlines(), who


async def _bidding(path: Path, bens: list[str], *, reveal: bool = False) -> dict[str, str]:
    """What all but Ben see until the reveal, or until after it, and what the bot asks of Discord but for Ben."""
    async with house(path, seed=lambda: "e2e") as here:
        alice, ben, cleo, dana, eve = here.people
        place = await deal(here, 4, mode="advanced")
        await bid(place, alice)
        await hand_of(ben, place)
        for action in bens:
            await bid(place, ben, action=action)
            await here.bot.publisher.rest()
        await bid(place, cleo)
        for person in (alice, cleo, dana, eve):
            await look_around(person, place)
        await bid(place, alice, action="bid 4 half")
        if reveal:
            await bid(place, dana)
            for person in (alice, cleo, dana, eve):
                await look_around(person, place)
        await here.bot.publisher.rest()
        told = {person.name: nameless(_sight(person)) for person in (alice, cleo, dana, eve)}
        return told | {"asked": nameless(_asked(here, ben))}


def _sight(person: Person) -> object:
    """All they saw, in order, and how often they were called."""
    return [[thing for _, thing in person.sights()], len(person.pings)]


def _asked(here: House, but: Person) -> object:
    mine = {str(answer.interaction.id) for answer in but.answers}
    return [
        [each.method, each.template, each.body]
        for each in here.box.requests
        if not mine & set(each.path.split("/"))
    ]


def nameless(thing: object) -> str:
    """As JSON, with every id that is drawn anew in each run replaced by the order in which it first appears."""
    order: dict[str, str] = {}
    return re.sub(
        r"\d{17,20}|[0-9a-f]{32}",
        lambda id_: order.setdefault(id_[0], f"#{len(order)}"),
        json.dumps(thing, indent=0),
    )


@pytest.mark.usefixtures("at_once")
async def test_the_log_of_the_bot_names_no_card_and_no_token(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.publisher.RETRIES", (0.0,))
    for logger in ("bot", "cogs"):
        caplog.set_level(logging.DEBUG, logger)
    async with house(tmp_path / "house.sqlite3", seed=lambda: "e2e") as here:
        place, rng = await deal(here, 2, mode="easy", rounds=1), Random(1)
        table = await here.bot.tables.get(1)
        await bid(place, *here.people[:2])
        here.box.fail("POST", f"/channels/{place.id}/messages", 403)
        while table.sitting.phase == "play":
            person = here.people[table.sitting.awaited()[0]]
            await take_turn(person, place, rng)
        await here.bot.publisher.rest()
        await look_around(here.people[0], place)
        tokens = [TOKEN, *(answer.interaction.token for person in here.people for answer in person.answers)]
    said = [
        caplog.handler.format(record) for record in caplog.records if record.name.startswith(("bot", "cogs"))
    ]
    assert any("could not be told" in line for line in said)
    assert [line for line in said if cards_in(line) or any(token in line for token in tokens)] == []
