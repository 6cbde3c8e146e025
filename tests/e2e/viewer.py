"""Everything that people can see, wherever it is shown."""

import json
import re
from collections.abc import Iterator
from hashlib import sha256

from sandbox import Channel, Person
from sandbox.bodies import strings
from tests.e2e.players import latest

CARD = re.compile(
    r"(?<![A-Za-z])(Palm|Dolphin|Sunglass|[PDS])(?:s|es)? ?(\*|wild|\d{1,2} wild|\d{1,2})(?!\w)"
)
"""A card of Twin Palms in any of its forms: P3, 🌴P3, P*, P*=8, 🌴P wild, 🌴P8 wild, Palm 3."""


def cards_in(text: str) -> set[str]:
    """Return the cards of Twin Palms that a text names, as P3 or P*."""
    return {suit[0] + ("*" if "wild" in number else number) for suit, number in CARD.findall(text)}


class Viewer:
    """Collects what one person can see; each state of each message counts once."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self._known = {key for key, _ in person.sights()}

    def new_texts(self) -> Iterator[str]:
        """Yield every text that is new since the last call, and a digest of every new picture."""
        for key, thing in self.person.sights():
            if key not in self._known:
                self._known.add(key)
                yield from strings(thing)
                yield from pictures(self.person, thing)


def pictures(person: Person, thing: object) -> list[str]:
    """Return a short digest of each picture of a message."""
    attached = re.findall(r"/attachments/\d+/(\d+)/", json.dumps(thing))
    files = person.world.files
    return [sha256(files[int(id_)]).hexdigest()[:16] for id_ in dict.fromkeys(attached)]


async def open_everything(person: Person, place: Channel) -> None:
    """Open everything that shows something about the match."""
    await person.click(latest(person, place), "My hand")
    await person.press(latest(person, place), "type:1")
    await person.slash(place, "hand")
    await person.slash(place, "tables")
    shown = await person.slash(place, "table show")
    await person.world.clock.wait_for(lambda: shown.message and not shown.message.loading, 20)
    for typed in ("", "p", "3"):
        await person.autocomplete(place, "move", "action", typed)


def without_ids(thing: object) -> list[str]:
    """Return `thing` as lines of JSON in which every random id, address and digest is replaced by the order of its
    first appearance. Nonces, which count the posts of everybody, and the time at which a lobby closes are so, too."""
    order: dict[str, str] = {}
    return re.sub(
        r"closes <t:\d+|127\.0\.0\.1:\d+|[0-9a-f]{32}|\d{17,20}|\b\d+-[0-9a-f]{12}\b|\b\d+-page-\d+(-\d+)?\b",
        lambda id_: order.setdefault(id_[0], f"#{len(order)}"),
        json.dumps(thing, indent=0),
    ).splitlines()
