"""Everything that is shown to anybody in a room, looked at once: no hidden card and no secret of a deal is in it.

What was looked at is then forgotten, so that an hour of play needs little memory.
"""

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Any

from bot.match.announcements import names
from bot.store.seeds import secret_of
from cogs.seeking.summoning import MOST_CALLED
from games import Event
from games.french import SYMBOLS, TEXT
from games.twin_palms.cards import card_text
from sandbox import Message
from sandbox.bodies import components, strings
from sandbox.routes.messages import NONCE_LIFE
from sandbox.snowflakes import time_of
from tests.contract.subjects import SUBJECTS
from tests.e2e.viewer import cards_in
from tests.rooms.pings import Pings
from tests.rooms.presses import Press
from tests.rooms.room import FollowedTable, Room

FRENCH = re.compile(rf"([{SYMBOLS}])\ufe0f?(10|[2-9AJQK])(?!\w)|(?<!\w)(10|[2-9AJQK])([{SYMBOLS}])")
"""A card of the French pack: ♠7 or 7♠."""
LETTERS = dict(zip(SYMBOLS, "CDHS", strict=True))
OF_TABLES = re.compile(r"(?:hand|form|type|typed|do|hint):(\d+)")
"""Custom ids of buttons below which hands and tables are shown. Other messages, such as rules, name cards as
examples."""
LIVE = re.compile(r"(?:.* )?hand:(\d+):p\d")
"""Custom ids of a live table, whose number it has."""
MOMENT = 2.0
"""Seconds within which no table comes to look again as it did before: a hand in Twin It! lies for longer, unless it is
lifted."""
TOO_LATE = " ms late"
"""Said of a click in Twin It!, but nowhere stored: a table that is read anew does not say it any more."""
STATES_OF_A_MOMENT = 4
"""Number of states of a table that may be replaced meanwhile, and are kept."""
MOVES_OF_A_MOMENT = 3
"""Number of moves that may be made meanwhile."""
UNDONE = 10.0
"""Seconds after a backup was restored in which all tables are shown as they were then."""
ABSENT = "-# 🌙"
"""Beginning of what is said of a person by the hours that they have set just now: until they take that back, or act."""
AWAY = "The bot was away"
"""Words of a table at which a race that a restart has voided begins again, as it began before."""
OF_PROFILES = "matches"
"""The verb of a profile's menu. Its values, such as `p1` for first places, look like cards."""
FILES = 300
"""Number of attached files that are kept, the latest ones."""
REQUESTS = 10_000
"""Number of requests that are kept."""
RETRIED = 30.0
"""Seconds within which discord.py tries a request again that may have had its effect."""
LATELY = 5.0
"""Seconds after which an edit of a private message has another cause than a click in it or another fault."""
DELETED = 20
"""Number of deleted messages of a channel that are kept, as a day may pass before a law asks for one."""
OLD = 400.0
"""Seconds after which a private message is forgotten: longer than laws wait until they hold."""


def french_cards_in(text: str) -> set[str]:
    """Return the cards of the French pack that a text names, as 7S."""
    found = FRENCH.findall(text)
    return {(rank or other) + LETTERS[suit or symbol] for suit, rank, other, symbol in found}


def essence(body: Any) -> object:
    """Return what a person sees of a message: its words, buttons and files."""
    return [*strings(body["components"])], [each["filename"] for each in body["attachments"]]


NAMED: dict[str, tuple[Callable[[str], set[str]], Callable[[int], str]]] = {
    "twin-palms": (cards_in, card_text),
    "palmer": (french_cards_in, TEXT.__getitem__),
    "thirty-one": (french_cards_in, TEXT.__getitem__),
}
"""By game: the function that finds its cards in a text, and the one that names a card. In the other games a card has no
name of its own, or nothing is hidden."""


class Screens:
    """Looks at each state of each message once, after the entries from which it was made are read."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.looked = 0
        """Number of states of messages so far."""
        self.named = 0
        """Number of cards that were named in them."""
        self._pings = Pings(room)
        self._first: dict[str, int] = {}
        """By nonce: the id of the first message with it."""
        self._new: deque[tuple[Message, Any, Any, frozenset[int], float]] = deque()
        self._earlier: defaultdict[int, deque[tuple[object, float]]] = defaultdict(
            lambda: deque(maxlen=STATES_OF_A_MOMENT)
        )
        """By message: what it showed before its last edits, and the times of those."""
        self._seen: defaultdict[tuple[int, int | None], set[str]] = defaultdict(set)
        """By match and seat (None: watchers): cards that were visible to them at some time."""

    def __enter__(self) -> "Screens":
        self._note_viewers = Message.note_viewers
        new, clock = self._new, self.room.box.clock

        def note(message: Message) -> None:
            original(message)
            before = message.past[-1] if message.past else None
            new.append((message, before, message.body, message.viewers[-1], clock.now()))

        original = Message.note_viewers
        Message.note_viewers = note  # type: ignore[method-assign,assignment]
        return self

    def __exit__(self, *_: object) -> None:
        Message.note_viewers = self._note_viewers  # type: ignore[method-assign]

    def learn(self, table: FollowedTable, events: Sequence[Event]) -> None:
        """Learn which cards each seat can see after the last entry, and which ones were shown to all by it."""
        name, state = table.match.game, table.state
        if name not in NAMED or state.game_state is None:
            return
        secrets, (find, named) = SUBJECTS[name].secrets, NAMED[name]
        shown = "\n".join(state.game.record.lines([each for each in events if each.to is None], names(state)))
        for seat in (None, *range(len(state.players))):
            cards = [*map(named, secrets.cards(state.game_state))]
            for hidden in (
                card for place in secrets.unseen(state.game_state, seat).values() for card in place
            ):
                cards.remove(named(hidden))
            self._seen[table.id, seat].update(cards, find(shown))

    def compare(self, table: FollowedTable) -> list[str]:
        """Return a sentence for each seat whose view shows a choice that others have made in secret."""
        game, position = table.state.game, table.state.game_state
        secrets = SUBJECTS[table.match.game].secrets
        return [
            f"the view of seat {seat} at match {table.id} shows a secret choice after entry {table.state.n}"
            for seat in (None, *range(len(table.state.players)))
            for twin in (secrets.choices(position, seat) if table.state.phase == "play" else ())
            if game.view(twin, seat) != game.view(position, seat)
        ]

    def look(self) -> None:
        """Look at everything new, then forget it."""
        if not self._new:
            return
        # A channel and direct messages may show several matches: there only buttons tell which one a message is of.
        tables = [*self.room.tables.values()]
        places = {
            table.place: table for table in tables if table.match.place not in (None, table.match.channel)
        }
        secret = {secret_of(t.match.seed): t.id for t in tables if t.is_open}
        while self._new:
            message, before, body, viewers, at = self._new.popleft()
            self.looked += 1
            if message.author is not self.room.box.world.bot:
                continue
            text = "\n".join(strings(body))
            for each in secret.keys() - {""}:
                if each in text:
                    self.room.errors.append(f"the secret of match {secret[each]} was shown: {text:.500}")
            self.room.errors += self._wrong_change(message, before, body, at)
            tables = self._tables(message, body, places)
            if at >= self.room.restored:  # else the entries it came from may have gone before they were read
                # A private message keeps its picture, if only one of a lesson, until the new one is drawn.
                kept = strings(before["attachments"]) if before and message.only_for is not None else ()
                self._check(tables, text, viewers, "\n".join(kept))
            self._note_doubled(message, tables)
            self.room.errors += self._uncalled_for(message)
            if message.pings and not message.edits and len(tables) == 1:
                self.room.errors += self._pings.note(tables[0], message)
            message.past.clear()
            del message.viewers[:-1]

    def _note_doubled(self, message: Message, tables: Sequence[FollowedTable]) -> None:
        """Note that a message stands twice: the machine slept while a request was tried again, and Discord has
        forgotten its nonce."""
        first = self._first.setdefault(message.nonce, message.id) if message.nonce else message.id
        if time_of(message.id) - time_of(first) > NONCE_LIFE:
            for table in tables:
                table.tamper("posted twice")

    def _uncalled_for(self, message: Message) -> Iterator[str]:
        """Yield that a call mentions too many people, or one who did not ask for that and was not challenged."""
        if not any(each.endswith(":call") for each in message.custom_ids) or message.edits or message.deleted:
            return
        self.room.counts["kept: calls to tables"] += 1
        if len(message.pings) > MOST_CALLED or not message.pings <= self.room.askers:
            yield f"a call mentions {sorted(message.pings)}, of {sorted(self.room.askers)}: {message.text:.200}"

    def _wrong_change(self, message: Message, before: Any, body: Any, at: float) -> Iterator[str]:
        """Yield what no edit of the bot does."""
        if before is not None and message.only_for is None:
            yield from self._backwards(message, before, body, at)
        same = message.ephemeral and before is not None and essence(before) == essence(body)
        if same and not self._is_excused(message):
            # Its person would know by that that somebody has done something in secret.
            yield f"a private message was edited without a change: {message.text:.300}"

    def _backwards(self, message: Message, before: Any, now: Any, at: float) -> Iterator[str]:
        """Yield an edit that shows what a table has shown before an earlier edit, a moment ago."""
        earlier, shown = self._earlier[message.id], essence(now)
        since = max((left for each, left in earlier if each == shown), default=-inf)
        earlier.append((essence(before), at))
        # Words stand in the place of a picture while files are not allowed.
        is_alike = bool(before["attachments"]) == bool(now["attachments"])
        is_again = is_alike and shown != essence(before) and at < since + MOMENT
        # A process that was frozen sends again the edit whose answer it did not read. Discord has no fence for that.
        thawed = self.room.plan.processes > 1 and self.room.excuse(at - MOMENT, at) is not None
        live = LIVE.match(" ".join(message.custom_ids))
        table = self.room.tables.get(int(live[1])) if live else None
        # What was undone may be done again.
        begins_again = AWAY in message.text or since < self.room.restored + UNDONE
        # A hand is lifted, or lifts by itself a moment after an edit that showed it late.
        lifted = table and any(
            row.body == "lift" or row.kind == "tick" for row in table.rows[-MOVES_OF_A_MOMENT:]
        )
        forgotten = TOO_LATE in str(before) or ABSENT in str(before)
        if is_again and table and not (thawed or begins_again or lifted or forgotten):
            yield f"a table has gone back to an earlier state: {message.text:.400}"

    def _is_excused(self, message: Message) -> bool:
        """Return whether the person has just used a private message, or an edit of it may have been lost."""
        box, now = self.room.box, self.room.box.clock.now()
        used = any(
            each.source is message and time_of(each.id) > now - LATELY
            for each in box.interactions._by_token.values()
        )
        again = self.room.answers_failed_since(now - RETRIED)
        return used or again or self.room.excuse_private_edit(now - LATELY, now)

    def _tables(self, message: Message, body: Any, places: dict[int, FollowedTable]) -> list[FollowedTable]:
        """Return the tables whose cards a message may show."""
        ids = [each.get("custom_id") or "" for each in components(body)]
        found = {int(match[1]) for each in ids if (match := OF_TABLES.match(each))}
        of_profile = any(each.startswith(f"{OF_PROFILES}:") for each in message.custom_ids)
        if message.only_for is None and message.channel.id in places and not of_profile:
            found.add(places[message.channel.id].id)
        return [self.room.tables[number] for number in sorted(found) if number in self.room.tables]

    def _check(
        self, tables: Sequence[FollowedTable], text: str, viewers: frozenset[int], before: str
    ) -> None:
        """Check that a text names no card that somebody who sees it has not seen at one of the tables, or `before`."""
        named = [each for each in tables if each.match.game in NAMED and each.state.game_state is not None]
        for find in {NAMED[each.match.game][0] for each in named}:
            cards = find(text)
            self.named += len(cards)
            for user in sorted(viewers - {self.room.box.world.bot.id}) if cards else ():
                seats = {each.id: each.state.held.get(user, each.state.seat_of(user)) for each in named}
                unseen = cards.difference(find(before), *(self._seen[pair] for pair in seats.items()))
                if unseen:
                    self.room.errors.append(
                        f"somebody saw hidden cards ({sorted(unseen)}) of (match, seat) {[*seats.items()]}: {text:.500}"
                    )

    def forget(self) -> None:
        """Drop what nobody looks at any more: requests, files, and old private messages."""
        box = self.room.box
        del box.requests[:-REQUESTS]
        for id_ in [*box.world.files][:-FILES]:
            del box.world.files[id_]
        box.world.uploads.clear()
        box.world.deleted_channels.clear()
        old = box.world.snowflakes.next() - (int(OLD * 1000) << 22)
        for channel in box.world.channels.values():
            aged = {id_: each for id_, each in channel.log.items() if id_ < old}
            private = [id_ for id_, each in aged.items() if each.ephemeral]
            deleted = [id_ for id_, each in aged.items() if each.deleted and not each.ephemeral]
            for id_ in (*private, *deleted[:-DELETED]):
                del channel.log[id_]
        by_token = box.interactions._by_token
        now = box.clock.now()
        for token in [token for token, each in by_token.items() if each.expires < now]:
            self.room.pressed.append(Press.of(by_token.pop(token)))
