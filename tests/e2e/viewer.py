"""What people can see: everything that is shown to them, wherever they look."""

import json
import re
from collections.abc import Iterator
from hashlib import sha256

from sandbox import Channel, Person
from sandbox.messages import strings
from tests.e2e.players import latest

CARD = re.compile(
    r"(?<![A-Za-z])(Palm|Dolphin|Sunglass|[PDS])(?:s|es)? ?(\*|wild|\d{1,2} wild|\d{1,2})(?!\w)"
)
"""A card of Twin Palms in any of its forms: P3, 🌴P3, P*, P*=8, 🌴P wild, 🌴P8 wild, Palm 3."""


def cards_in(text: str) -> set[str]:
    """The cards of Twin Palms that a text names, as P3 or P*."""
    return {suit[0] + ("*" if "wild" in number else number) for suit, number in CARD.findall(text)}


class Eyes:
    """What one person could see, each state of each thing once."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self._known = {key for key, _ in person.sights()}

    def look(self) -> Iterator[str]:
        """Every string in what is new since the last look, and what every new picture comes to."""
        for key, thing in self.person.sights():
            if key not in self._known:
                self._known.add(key)
                yield from strings(thing)
                yield from pictures(self.person, thing)


def pictures(person: Person, thing: object) -> list[str]:
    """The pictures of a message, each as a short number that stands for its bytes."""
    attached = re.findall(r"/attachments/\d+/(\d+)/", json.dumps(thing))
    files = person.box.world.files
    return [sha256(files[int(id_)]).hexdigest()[:16] for id_ in dict.fromkeys(attached)]


async def look_around(person: Person, place: Channel) -> None:
    """Try everything that shows something."""
    await person.click(latest(person, place), "My hand")
    await person.press(latest(person, place), "type:1")
    await person.slash(place, "hand")
    await person.slash(place, "tables")
    shown = await person.slash(place, "table show")
    await person.box.until(lambda: shown.message and not shown.message.loading)
    for typed in ("", "p", "3"):
        await person.autocomplete(place, "move", "action", typed)


def nameless(thing: object) -> list[str]:
    """As lines of JSON, with every id, address and digest that is drawn anew each time replaced by the order in which
    it first appears. So is a nonce that counts how often everybody saw a message posted anew."""
    order: dict[str, str] = {}
    return re.sub(
        r"127\.0\.0\.1:\d+|[0-9a-f]{32}|\d{17,20}|\b\d+-[0-9a-f]{12}\b|\b\d+-page-\d+(-\d+)?\b",
        lambda id_: order.setdefault(id_[0], f"#{len(order)}"),
        json.dumps(thing, indent=0),
    ).splitlines()
