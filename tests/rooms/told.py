"""Laws about what people read: how a match or a season has ended, and who calls them to a table. It is worked out from
the replayed log and the stored rows, not asked of the bot, so a wrong text is found and not only an old one."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest

from bot.match.entries import CloseReason
from bot.match.log import read
from bot.match.names import distinct_names, safe, seat_names
from bot.match.state import TableState
from bot.standings.ratings import Rating, shown
from bot.store import Season, SeasonRow
from bot.store.sql import seasons
from games.letters import ROBOT
from games.phrases import capitalized, listed, plural, signed
from games.types import with_seats
from sandbox import Message
from sandbox.components import GALLERY
from sandbox.snowflakes import time_of
from tests.rooms.room import REMOVED, REVOKED, FollowedTable, Room

POSTED = "SELECT match, kind, channel, message FROM posts WHERE kind IN ('end', 'result')"
"""Query for the last messages where matches were played, and for the lines in their channels."""
FORBIDDEN = (REVOKED, REMOVED)
"""Faults that keep the bot from editing its messages."""
RATINGS = "SELECT match, seat, mu FROM ratings"
"""Query for the ratings after matches."""
PLACED = re.compile(r"^\*\*(\d+)\.\*\* (.*): (.*)$", re.MULTILINE)
"""Line of a card with a place."""
SEASON_ROW = re.compile(r"(\d+)\. ([^:.]*): points (−?\d+), wins (\d+), matches (\d+)(?!\d)")
"""Part of the alt text of a season's table."""
CALL = re.compile(r"\S+ .*<@\d+>: \*\*(.*)\*\* (?:opened|challenges you to) \*\*(.*)\*\* · table (\d+)")
"""Beginning of a call to a table: its host, game and number."""
ON_PAGE = 10
"""Number of people on the page of a season's table that is posted."""


async def each_match_that_is_over_is_told_as_its_log_ends(room: Room) -> list[str]:
    posted = defaultdict[int, dict[str, Message | None]](dict)
    for match, kind, channel, number in room.read(POSTED):
        posted[match][kind] = _message(room, channel, number)
    ratings = {(match, seat): shown(Rating(mu, 0.0, 0, 0)) for match, seat, mu in room.read(RATINGS)}
    found = list[str]()
    for table in [each for each in room.tables.values() if _is_comparable(room, each)]:
        end = End(table.state)
        card = _message(room, table.match.channel, table.match.card or 0)
        if card is None or _is_given_up(room, table):
            wrong = []
        else:
            wrong = [f"its card: {each}" for each in end.of_card(words(card))]
        if (last := posted[table.id].get("end")) is not None:
            wrong += [f"its last message: {each}" for each in end.of_last(words(last), alts(last))]
            own = {seat: rating for (match, seat), rating in ratings.items() if match == table.id}
            # What an import has counted before it changes its ratings, but nobody edits it any more.
            if shown_at(last) >= room.recounted:
                wrong += [
                    f"its podium: {each}" for each in end.of_ratings(f"{words(last)}\n{alts(last)}", own)
                ]
        if (line := posted[table.id].get("result")) is not None:
            wrong += [f"its line in the channel: {each}" for each in end.of_line(words(line))]
            if str(table.place) not in words(line):
                wrong.append(f"its line in the channel leads elsewhere: {words(line)!r}")
        found += [f"match {table.id} ({table.match.game}), {each}" for each in wrong]
    return found


def _is_comparable(room: Room, table: FollowedTable) -> bool:
    # Who has erased themselves keeps their name where nothing is edited any more, and has none elsewhere.
    erased = any(player.user < 0 or player.user in room.erased for player in table.state.players)
    return not (table.is_open or table.match.placeless or erased)


def _is_given_up(room: Room, table: FollowedTable) -> bool:
    """Return whether the card of a match that does not count could not be edited when that was closed: this is not
    tried for long."""
    state = table.state
    is_removed = state.reason == CloseReason.BOT_REMOVED.sentence
    forbidden = table.tampered in FORBIDDEN or any(
        room.was_troubled_by(each, state.at / 1000) for each in FORBIDDEN
    )
    return state.phase == "closed" and (is_removed or forbidden)


def _message(room: Room, channel: int, number: int) -> Message | None:
    """Return a message that stands in Discord; None if it was deleted, or may be about what a backup has undone."""
    place = room.channel(channel)
    message = place.log.get(number) if place else None
    return None if message is None or message.deleted or shown_at(message) < room.restored else message


def shown_at(message: Message) -> float:
    """Return the time in seconds since which a message is as it is."""
    return max(time_of(message.id), message.edited or 0)


def words(message: Message) -> str:
    """Return the texts of a message without the mark of people whose match was left to a computer."""
    return message.text.replace(f"{ROBOT} for ", "")


def alts(message: Message) -> str:
    """Return what the pictures of a message show, in words."""
    pictures = (each for part in message.components if part["type"] == GALLERY for each in part["items"])
    return "\n".join(each["description"] or "" for each in pictures).replace(f"{ROBOT} for ", "")


class End:
    """The end of a match as its log tells it. Each method yields what a message says otherwise."""

    def __init__(self, state: TableState) -> None:
        self._state = state
        self._names = seat_names(state.players)
        self._unit = state.game.unit(state.options)
        if state.phase != "over":
            return
        outcome = state.outcome()
        self._reason = outcome.reason
        self._scores, self._placings = outcome.scores, outcome.placings
        self._is_won = any(self._placings)
        # Where somebody has won, a computer may have no place.
        placed = sorted({*self._placings} - {0} if self._is_won else {0})
        self._groups = [[seat for seat, own in with_seats(self._placings) if own == each] for each in placed]

    def of_card(self, card: str) -> Iterator[str]:
        """Compare the card in the channel."""
        state = self._state
        for number, name in enumerate(self._names, 1):
            if not re.search(rf"^{number}\. {re.escape(name)}(?! \(\d)", card, re.MULTILINE):
                yield f"it has not {name!r} as number {number}: {card!r}"
        if state.reason:
            if state.reason not in card and capitalized(state.reason) not in card:
                yield f"it does not say {state.reason!r}: {card!r}"
            return
        if f"🏁 {self._reason}" not in card:
            yield f"it does not say {self._reason!r}: {card!r}"
        told = [(int(place), who, self._number(score)) for place, who, score in PLACED.findall(card)]
        shares = defaultdict[tuple[int, int], list[str]](list)
        for name, place, score in zip(self._names, self._placings, self._scores, strict=True):
            shares[place, score].append(name)
        wanted = [(place, listed(who), score) for (place, score), who in sorted(shares.items()) if place]
        if told != wanted:
            yield f"it shows {told}, not {wanted}"

    def of_last(self, said: str, alt: str) -> Iterator[str]:
        """Compare the last message where the match was played."""
        first, *others = self._groups
        headline, who = said.partition("\n")[0], self._named(first)
        bold = re.search(r"\*\*(.*?)\*\*", headline)
        verbs = ("", " win", " wins", " share first place")
        if (
            bold is None
            or bold[1] not in [f"{who}{verb}" for verb in verbs]
            or not self._has_trophy(headline)
        ):
            yield f"its winner is not {who!r}: {headline!r}"
        yield from self._numbers(headline, self._ahead(first, others))
        if self._scores and others and not headline.endswith(f" {self._named(others[0])}."):
            yield f"its second is not {self._named(others[0])!r}: {headline!r}"
        told, at = f"{said}\n{alt}", 0
        for seat in [seat for group in self._groups for seat in group]:
            line = f"{self._placings[seat]}. " * self._is_won + self._names[seat] + self._score(seat)
            found = re.compile(rf"{re.escape(line)}(?![\d(]|,\d| \()").search(told, at)
            if found is None:
                yield f"its podium does not show {line!r}, or not in order: {told!r}"
                return
            at = found.end()

    def of_ratings(self, said: str, ratings: dict[int, int]) -> Iterator[str]:
        """Compare ratings on the podium. Those that people do not show, or not any more, may be missing."""
        for seat, name in with_seats(self._names):
            for found in re.finditer(rf"\. {re.escape(name)}(?:: −?[\d,]+)?, rating (\d+)", said):
                if int(found[1]) != ratings.get(seat):
                    yield f"it shows {found[0]!r}, not {ratings.get(seat)}"

    def of_line(self, line: str) -> Iterator[str]:
        """Compare the line in the channel where the table was opened."""
        first, *others = self._groups
        who, said = self._named(first), line.partition(" · ")[0]
        verbs = " (won|beat|share first place|has|have) "
        if not re.match(rf"(🏆 )?{re.escape(who)}{verbs}", said) or not self._has_trophy(said):
            yield f"its winner is not {who!r}: {said!r}"
        if self._state.game.title not in said:
            yield f"it does not name {self._state.game.title}: {said!r}"
        yield from self._numbers(said, self._beaten(first, others))
        for seat in [seat for group in others for seat in group] if self._scores else ():
            if self._names[seat] not in said.replace(who, "", 1):
                yield f"it does not name {self._names[seat]!r}: {said!r}"

    def _ahead(self, first: Sequence[int], others: Sequence[Sequence[int]]) -> list[int]:
        """Return the numbers in the first line of the last message: the best score, and by how much it is ahead."""
        if not self._scores:
            return []
        own, other = self._scores[first[0]], self._scores[others[0][0]] if others else 0
        return [own, abs(own - other)] if own and other and own != other else [own]

    def _beaten(self, first: Sequence[int], others: Sequence[Sequence[int]]) -> list[int]:
        """Return the numbers in the channel's line: the best score, and that of each other side in order of place."""
        if not self._scores:
            return []
        sides = dict.fromkeys(self._state.sides[seat] for group in others for seat in group)
        rest = [self._scores[self._state.sides.index(side)] for side in sides]
        is_shared = len({self._state.sides[seat] for seat in first}) > 1
        own = self._scores[first[0]]
        if len(others) == 1 and not is_shared:
            other = self._scores[others[0][0]]
            return [own, other] if own != other else [own]
        return [own, *rest]

    def _numbers(self, said: str, wanted: Sequence[int]) -> Iterator[str]:
        """Compare the numbers of a sentence, without those in names."""
        for name in sorted(self._names, key=len, reverse=True):
            said = said.replace(name, "…")
        said = said.replace(f"no {plural(self._unit)}", "0")
        told = [self._number(each) for each in re.findall(r"−?\d[\d,]*", said)]
        if told != [*wanted]:
            yield f"its numbers are {told}, not {wanted}: {said!r}"

    def _number(self, said: str) -> int:
        found = re.search(r"−?\d[\d,]*", said)
        return int(found[0].rstrip(",").replace(",", "").replace("−", "-")) if found else 0

    def _named(self, seats: Sequence[int]) -> str:
        return listed(self._names[seat] for seat in seats)

    def _score(self, seat: int) -> str:
        return f": {signed(self._scores[seat])}" if self._scores else ""

    def _has_trophy(self, said: str) -> bool:
        return said.startswith("🏆") is self._is_won


async def the_final_table_of_a_season_shows_its_stored_rows(room: Room) -> list[str]:
    return [
        f"that of season {season.id}: {each}"
        for season in [Season(*row) for row in room.read("SELECT * FROM seasons WHERE message > 0")]
        for message in [_message(room, season.channel, season.message or 0)]
        if message is not None
        for rows in [[SeasonRow(*row) for row in room.read(seasons.TABLE, season.id)]]
        for each in faults_of_season_table(rows, f"{message.text}\n{alts(message)}", room.erased)
    ]


def faults_of_season_table(rows: Sequence[SeasonRow], said: str, erased: Collection[int]) -> Iterator[str]:
    """Yield what the final table of a season shows otherwise than its stored rows."""
    page, is_anonymous = rows[:ON_PAGE], any(row.user < 0 or row.user in erased for row in rows)
    names = distinct_names(safe(row.name) for row in page)
    wanted = [_cells(*each) for each in zip(page, names, strict=True)]
    told = [(place, *cells, name) for place, name, *cells in SEASON_ROW.findall(said)]
    # Who is erased loses their name, and their number may put them elsewhere among equal ones.
    compared = slice(2) if is_anonymous else slice(None)
    for one, other in zip_longest(told, wanted, fillvalue=()):
        if one[compared] != other[compared]:
            yield f"it shows {one}, not {other}"
            return
    first = [f"**{name}**" for row, name in zip(page, names, strict=True) if row.place == 1]
    if first and not is_anonymous and f"🏆 {listed(first)} win" not in said:
        yield f"its winners are not {listed(first)}: {said!r}"


def _cells(row: SeasonRow, name: str) -> tuple[str, ...]:
    return (*map(str, (row.place, row.points, row.wins, row.matches)), name)


async def each_call_to_a_table_names_its_host_game_and_number(room: Room) -> list[str]:
    found = list[str]()
    standing = (
        (each, own) for channel in room.channels for each in channel.messages() for own in each.custom_ids
    )
    for message, own in standing:
        table = room.tables.get(int(own.split(":")[1])) if own.endswith(":call") else None
        # A restored database gives numbers again.
        if table is None or room.is_restored or any(each.user in room.erased for each in table.rows):
            continue
        told = CALL.match(message.text)
        names = {(host, table.state.game.title, str(table.id)) for host in _hosts(table)}
        if told is None or told.groups() not in names:
            found.append(f"that to match {table.id} says {message.text!r}, not {names}")
    return found


def _hosts(table: FollowedTable) -> set[str]:
    """Return the names of all hosts that a table has had: a call is not edited when its host leaves."""
    state, found = TableState.of(table.match, table.state.game), set[str]()
    for row in table.rows:
        state.apply(read(row))
        if state.phase != "lobby":
            break
        found |= {seat_names(state.players)[state.players.index(state.host)]} if state.people() else set()
    return found
