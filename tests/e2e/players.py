"""People who play by what they see: they read their hand's form and tap on it, as on a phone."""

from random import Random

from sandbox import Answer, Channel, Message, Person


async def open_table(host: Person, room: Channel, command: str, *others: Person, **options: object) -> Message:
    """A lobby with everybody in it; the card."""
    answer = await host.slash(room, command, **options)
    assert answer.message is not None, answer
    for other in others:
        await other.click(answer.message, "Join")
    return answer.message


def latest(person: Person, place: Channel, label: str = "My hand") -> Message:
    """The last message there with that button on it."""
    return next(m for m in reversed(person.sees(place)) if any(b.label == label for b in m.buttons))


async def take_turn(person: Person, place: Channel, rng: Random) -> str:
    """Open the hand, choose at random among what the form offers, confirm. The note on the hand afterwards."""
    hand = (await person.click(latest(person, place), "My hand")).message
    assert hand is not None
    hand = await (_bid if any(b.label == "0" for b in hand.buttons) else _play)(person, hand, rng)
    confirm = next(b for b in hand.buttons if b.label.startswith(("Bid ", "Play ")))
    after = (await person.click(hand, confirm.label)).message
    assert after is not None
    return after.text


async def _bid(person: Person, hand: Message, rng: Random) -> Message:
    hand = await _tap(person, hand, rng.choice("012"))
    bets = [b.label for b in hand.buttons if b.label.startswith(("No bet", "Half", "Max"))]
    return await _tap(person, hand, rng.choice(bets)) if bets else hand


async def _play(person: Person, hand: Message, rng: Random) -> Message:
    cards = hand.selects[0]
    picked = rng.sample([option.value for option in cards.options], 2)
    answer = await person.select(hand, cards.custom_id, picked)
    assert answer.message is not None
    if len(answer.message.selects) == 2:
        numbers = answer.message.selects[1]
        stated = rng.sample([option.value for option in numbers.options], rng.randint(1, numbers.max_values))
        answer = await person.select(answer.message, numbers.custom_id, stated)
        assert answer.message is not None
    return answer.message


async def _tap(person: Person, hand: Message, label: str) -> Message:
    answer: Answer = await person.click(hand, label)
    assert answer.message is not None
    return answer.message
