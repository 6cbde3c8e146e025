"""People who play by what they see: they read their hand's form and tap on it, as on a phone."""

from contextlib import AbstractContextManager, nullcontext, suppress
from random import Random
from typing import Any

from bot.match.state import TableState
from games import AnyGame, Illegal
from games.strategies import choose
from sandbox import Answer, Channel, Message, Person
from tests.e2e.house import House

MENU = 25
"""Options, as many as Discord allows."""
TAPS = 200
"""Enough of them, at random, for a move in every game."""


async def open_table(room: Channel, command: str, host: Person, *others: Person, **options: Any) -> Message:
    """A lobby with everybody in it; the card."""
    card = shown(await host.slash(room, command, **options))
    for other in others:
        await other.click(card, "Join")
    return card


async def deal(here: House, seats: int, /, **options: Any) -> Channel:
    """A match of the first so many people, dealt and told. The place where it is played."""
    card = await open_table(here.room, "twin-palms start", *here.people[:seats], **options)
    await here.people[0].click(card, "Start")
    await here.bot.publisher.rest()
    return here.thread(card) if card.thread else here.room


async def bid(place: Channel, *people: Person, action: str = "bid 1") -> None:
    """Each of them bids, from the keyboard."""
    for person in people:
        assert "✅" in (await person.slash(place, "move", action=action)).text


async def leave(person: Person, place: Channel) -> Answer:
    """They leave the match there, and are sure of it."""
    asked = shown(await person.slash(place, "table leave"))
    return await person.click(asked, "Leave the match")


async def hand_of(person: Person, place: Channel) -> Message:
    """Their hand, opened by the last `My hand` there."""
    return shown(await person.click(latest(person, place), "My hand"))


async def prefer(person: Person, place: Channel, **wanted: str) -> Message:
    """They choose that in the menus of their preferences; the panel."""
    panel = shown(await person.slash(place, "preferences"))
    for name, word in wanted.items():
        assert shown(await person.select(panel, f"preference:0:{name}", [word])) is panel
    return panel


def latest(person: Person, place: Channel, label: str = "My hand") -> Message:
    """The last message there with that button on it."""
    return next(m for m in reversed(person.sees(place)) if any(b.get("label") == label for b in m.buttons))


def shown(answer: Answer) -> Message:
    """The message that an interaction was answered with."""
    assert answer.message is not None, answer
    return answer.message


def heard(message: Message) -> str:
    """What it says to somebody who sees no pictures: its text, and their alt texts."""
    return "\n".join([message.text, *(file["description"] for file in message.files)])


def some_move(state: TableState, rng: Random) -> tuple[int, int]:
    """Somebody who is awaited, and what they do, at random. Where there is more to choose from than a menu holds they
    do the harmless half of the time, and where time counts what a sensible player would: a match of guesses has no
    end."""
    seat = state.awaited()[0]
    legal = state.legal(seat)
    if state.game.real_time:
        return seat, choose(state.game, state.game.view(state.game_state, seat), "steady", state.n)
    if len(legal) > MENU and rng.randrange(2):
        return seat, state.game.fallback(state.game_state, seat)
    return seat, rng.choice(legal)


def too_late(game: AnyGame) -> AbstractContextManager[None]:
    """A move may be refused where time counts: a computer was quicker."""
    return suppress(Illegal) if game.real_time else nullcontext()


async def by_typing(person: Person, place: Channel, rng: Random) -> None:
    """Type one of the moves that are suggested."""
    offered = await person.autocomplete(place, "move", "action", "")
    assert "✅" in (await person.slash(place, "move", action=rng.choice(offered)["value"])).text


async def by_tapping(person: Person, place: Channel, rng: Random) -> None:
    """Open the hand and tap at random on whatever its form offers until a move is made."""
    hand = await hand_of(person, place)
    for _ in range(TAPS):
        if "✅" in hand.text:
            return
        hand = await _tap(person, hand, rng)
    raise AssertionError(f"{TAPS} taps led to no move:\n{hand.text}")


async def _tap(person: Person, hand: Message, rng: Random) -> Message:
    parts = [*hand.buttons, *hand.selects]
    part = rng.choice([p for p in parts if p["custom_id"].startswith("form:") and not p.get("disabled")])
    if part not in hand.selects:
        return shown(await person.click(hand, part["custom_id"]))
    values = [option["value"] for option in part["options"]]
    count = rng.randint(part.get("min_values", 1), part.get("max_values", 1))
    return shown(await person.select(hand, part["custom_id"], rng.sample(values, count)))
