"""Open matches, and play Twin Palms by clicks, with the simplest legal move and without a pause."""

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from sandbox import Answer, Channel, Message, Person, Sandbox

GREEN = 3
"""Style of the button that makes a move."""


@dataclass(frozen=True)
class Tap:
    """A button that a person is about to press."""

    person: Person
    message: Message
    button: str

    async def press(self) -> Answer:
        """Press it. Raises TimeoutError when the bot does not answer."""
        answer = await self.person.click(self._message_now(), self.button)
        if answer.failed:
            raise TimeoutError(f"{self.person.name} pressed {self.button!r}: {answer.failed}.")
        return answer

    def _message_now(self) -> Message:
        """Return the message, or the newest one with the button if the bot has replaced it since."""
        if self.person.can_see(self.message):
            return self.message
        seen = self.person.sees(self.message.channel)
        return [self.message, *(each for each in seen if self.button in [*each.custom_ids, *_labels(each)])][
            -1
        ]

    async def timed(self) -> float:
        """Press it, and return the milliseconds until the answer."""
        begin = time.perf_counter()
        await self.press()
        return (time.perf_counter() - begin) * 1000


async def open_match(room: Channel, *people: Person, game: str = "twin-palms", **options: Any) -> Message:
    """Let the first person open a table, the others join, and the match begin. Return the card."""
    card = _shown(await people[0].slash(room, f"{game} start", **options))
    for person in people[1:]:
        await Tap(person, card, "Join").press()
    await Tap(people[0], card, "Start").press()
    return card


async def turns(box: Sandbox, card: Message, people: list[Person]) -> AsyncIterator[Tap]:
    """Yield the last tap of each move until the match is over. All taps before it are done.

    The caller must press it: the next player is only asked afterwards.
    """
    await box.until(lambda: card.thread)
    assert card.thread is not None
    place, heard, last = card.thread, 0, people[:0]
    while "🏁" not in card.text:
        news = _posted(place)[heard:]
        pinged = {
            user for message in news for user in message.pings
        }  # the greeting and the call may come at once
        called = [each for each in people if each.id in pinged]
        heard += len(news)
        for person in called or last:
            # The table may just be posted anew.
            await box.until(lambda person=person: _with_hand(person, place))  # type: ignore[misc]
            if tap := await _prepared(person, place):
                last = [person]
                yield tap
        await box.until(partial(_news, card, heard, last))


def _news(card: Message, heard: int, last: list[Person]) -> bool:
    """Return whether there is something to do: a call, another turn of the last player, or the end of the match."""
    assert card.thread is not None
    board = next((each.text for each in reversed(card.thread.messages()) if "Rules" in _labels(each)), "")
    goes_on = any(f"**{person.name}'s turn**" in board for person in last)
    return len(_posted(card.thread)) > heard or goes_on or "🏁" in card.text


def _posted(place: Channel) -> list[Message]:
    """Return what everybody there was shown, with what was deleted since. Hands are no news."""
    return [message for message in place.log.values() if not message.ephemeral]


async def _prepared(person: Person, place: Channel) -> Tap | None:
    """Do all taps of a move but the last, and return that one; None when there is nothing to decide."""
    table = _with_hand(person, place)[-1]
    hand = _shown(await Tap(person, table, "My hand").press())
    cards = [each["custom_id"].split(":")[-1] for each in hand.buttons if ":card-" in each["custom_id"]]
    if cards:  # pick the first two offered; when only two are left they are picked already
        for step in cards[:2] if len(cards) > 2 else ():
            hand = _shown(await Tap(person, hand, _button(hand, step)).press())
    elif "1" in _labels(hand):
        hand = _shown(await Tap(person, hand, "1").press())
    else:
        return None
    # The hand of somebody who has chosen already has no green button.
    green = next((each["custom_id"] for each in hand.buttons if each["style"] == GREEN), None)
    return None if green is None else Tap(person, hand, green)


def _with_hand(person: Person, place: Channel) -> list[Message]:
    return [message for message in person.sees(place) if "My hand" in _labels(message)]


def _button(hand: Message, step: str) -> str:
    """Return the custom id of a step of the form. It contains the picks so far."""
    return next(str(each["custom_id"]) for each in hand.buttons if each["custom_id"].endswith(f":{step}"))


def _labels(message: Message) -> list[str]:
    return [str(each.get("label")) for each in message.buttons]


def _shown(answer: Answer) -> Message:
    if answer.message is None:
        raise TimeoutError(f"The bot showed nothing: {answer.text}")
    return answer.message
