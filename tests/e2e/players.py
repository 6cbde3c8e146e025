"""People who play by what they see: they read their hand's form and tap on it, as on a phone."""

from random import Random
from typing import Any

from sandbox import Answer, Channel, Message, Person
from tests.e2e.house import House


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


async def hand_of(person: Person, place: Channel) -> Message:
    """Their hand, opened by the last `My hand` there."""
    return shown(await person.click(latest(person, place), "My hand"))


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


async def take_turn(person: Person, place: Channel, rng: Random) -> str:
    """Open the hand, choose at random among what the form offers, confirm. What the hand says afterwards."""
    hand = await hand_of(person, place)
    bidding = any(b["label"] == "0" for b in hand.buttons)
    hand = await (_bid if bidding else _play)(person, hand, rng)
    confirm = next(b for b in hand.buttons if b["label"].startswith(("Bid ", "Play ")))
    return shown(await person.click(hand, confirm["label"])).text


async def _bid(person: Person, hand: Message, rng: Random) -> Message:
    hand = shown(await person.click(hand, rng.choice("012")))
    bets = [b["label"] for b in hand.buttons if b["label"].startswith(("No bet", "Half", "Max"))]
    return shown(await person.click(hand, rng.choice(bets))) if bets else hand


async def _play(person: Person, hand: Message, rng: Random) -> Message:
    cards = hand.selects[0]
    picked = rng.sample([option["value"] for option in cards["options"]], 2)
    hand = shown(await person.select(hand, cards["custom_id"], picked))
    if len(hand.selects) == 2:
        numbers = hand.selects[1]
        stated = rng.sample(
            [option["value"] for option in numbers["options"]], rng.randint(1, numbers["max_values"])
        )
        hand = shown(await person.select(hand, numbers["custom_id"], stated))
    return hand
