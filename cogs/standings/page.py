"""One page of a leaderboard as a message: the people as a picture or a table, the caller's place, and buttons."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from bot.match.names import distinct_names, safe
from bot.match.refusal import Refusal
from bot.messages.custom_ids import CustomId, number
from bot.messages.panel import Item, Panel, button, row, shown, text
from bot.messages.router import DEAD_BUTTON
from bot.pictures.drawing import picture_of
from bot.pictures.scene import Leaderboard, LeaderboardRow
from bot.standings.board import RECENT_DAYS, Ranked
from bot.standings.ratings import PROVISIONAL_MATCHES
from bot.standings.ratings import shown as shown_rating
from cogs.standings.text_table import cut, text_table
from games import GAMES, AnyGame
from games.phrases import numbered, ordinal

PAGE: Final = 10
"""Number of people on a page."""
MOST_PAGES: Final = 10_000
MINE: Final = "mine"
"""Stands in a custom id for the page where the caller stands."""
EVER: Final = "all"
PERIODS: Final = {"month": f"{RECENT_DAYS} days", EVER: "all time"}
"""Titles of the periods by their words in custom ids."""
UNRANKED: Final = "Nobody is ranked here yet."
BY_WINS: Final = "-# Ranked by wins, then by mean placing (mean), then by matches."
BY_RATING: Final = (
    f"-# Ranked are people with a rated match here in the last {RECENT_DAYS} days and a rating that is certain enough, "
    f"after {PROVISIONAL_MATCHES} rated matches or more. The order follows the lowest value that a rating probably "
    "has, so a surer rating can stand above a higher one. Ratings count matches on all servers, wins and matches only "
    "those here."
)


NARROW: Final = {"Matches": "of"}
"""Short headings for tables as text."""


class Line(NamedTuple):
    """One person on a page."""

    place: int
    user: int
    name: str
    """Their name as it is stored."""
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The leaderboard that a person has asked for."""

    pool: str
    """A rating pool; "" for all games together."""
    period: str
    """A key of PERIODS."""

    @property
    def game(self) -> AnyGame:
        """The game of the pool."""
        return next(game for game in GAMES.values() if self.pool in game.pools)

    @property
    def title(self) -> str:
        """Title of game and period."""
        return f"{self.game.pools[self.pool] if self.pool else 'All games'} · {PERIODS[self.period]}"

    def id(self, page: int | str) -> CustomId:
        """Return the custom id of a button that leads to a page of this leaderboard."""
        return CustomId("leaderboard", 0, f"{self.pool}:{self.period}:{page}")

    @classmethod
    def read(cls, rest: str) -> tuple[Self, int | None]:
        """Return what `id` wrote, with None for the page MINE. Raises Refusal for anything else."""
        pool, _, others = rest.partition(":")
        period, _, written = others.partition(":")
        page = number(written)
        pools = {"", *(pool for game in GAMES.values() for pool in game.pools)}
        is_page = written == MINE or (page is not None and page < MOST_PAGES)
        if pool not in pools or period not in PERIODS or not is_page:
            raise Refusal(DEAD_BUTTON)
        return cls(pool, period), page


@dataclass(frozen=True, slots=True)
class Board:
    """A whole leaderboard, as one person sees it."""

    people: Sequence[Ranked]
    user: int
    """The person who sees it."""
    name: str
    """Their name, safe to print."""
    missing: str
    """Things that they still need to be ranked; "" if they are."""
    played: bool
    """True when matches count here, even if nobody is ranked."""

    @property
    def own_page(self) -> int:
        """The page where the person stands, from 0 on; 0 for a person who is not ranked."""
        users = [each.standing.user for each in self.people]
        return users.index(self.user) // PAGE if self.user in users else 0

    @property
    def note(self) -> str:
        """A sentence with the person's place, or with what is missing."""
        if self.missing:
            return f"{self.name} is not ranked yet. Missing: {self.missing}."
        place = next(each.place for each in self.people if each.standing.user == self.user)
        return f"{self.name} is {ordinal(place)} of {len(self.people)}."


def page_of(board: Board, wanted: Wanted, page: int | None, *, pictures: bool) -> Panel:
    """Build a page. Pages are numbered from 0; None is the one where the person stands.

    A number after the last page, as on an old button, means the last one.
    """
    if not board.played:
        note = f"\n{board.note}" * bool(wanted.pool)
        return Panel(text(f"### Leaderboard · {wanted.title}\n{_nobody(wanted)}{note}"))
    last = max(0, len(board.people) - 1) // PAGE
    page = board.own_page if page is None else min(page, last)
    title = wanted.title + f" · page {page + 1} of {last + 1}" * (last > 0)
    people = board.people[page * PAGE : (page + 1) * PAGE]
    below = [board.note, BY_RATING if wanted.pool else BY_WINS]
    return Panel(
        text(f"### Leaderboard · {title}"),
        *(_table(board, people, title, wanted, pictures=pictures) if people else [text(UNRANKED)]),
        *(text(line) for line in below),
        _buttons(wanted, page, last),
    )


def _nobody(wanted: Wanted) -> str:
    kind = "rated match" if wanted.pool else "match"
    when = "yet" if wanted.period == EVER else f"in the last {RECENT_DAYS} days"
    return f"No {kind} has been finished here {when}. A game's `start` command opens a table."


def _table(
    board: Board, people: Sequence[Ranked], title: str, wanted: Wanted, *, pictures: bool
) -> list[Item]:
    heads = ("Rating", "Wins", "Matches") if wanted.pool else ("Wins", "Matches", "Mean")
    lines = [Line(each.place, each.standing.user, each.standing.name, _cells(each)) for each in people]
    counts = Counter(each.standing.name for each in board.people)
    return table(lines, counts, board.user, title, heads, pictures=pictures)


def table(
    people: Sequence[Line],
    counts: Counter[str],
    user: int,
    title: str,
    heads: tuple[str, ...],
    *,
    pictures: bool,
) -> list[Item]:
    """Return one page of people as a picture or as text, and the accounts of those with equal names.

    `counts` are the names of all people on the board, `user` is the person to mark, and `heads` are the headings of the
    cells.
    """
    names = [safe(each.name) for each in people]
    names = distinct_names(names if pictures else map(cut, names))
    rows = tuple(
        LeaderboardRow(each.place, name, each.cells, each.user == user)
        for each, name in zip(people, names, strict=True)
    )
    accounts = [text(line) for line in _accounts(counts, people, names)]
    if pictures:
        return [shown(picture_of(Leaderboard(title, heads, rows))), *accounts]
    return [text(text_table([NARROW.get(head, head.lower()) for head in heads], rows)), *accounts]


def _accounts(counts: Counter[str], people: Sequence[Line], names: Sequence[str]) -> Iterator[str]:
    """Yield a line with the accounts of the people whose name somebody else on the board has, too. It pings nobody."""
    heads = [numbered(name)[0] for name in names]
    alike = [
        f"{name}: <@{each.user}>"
        for each, name, head in zip(people, names, heads, strict=True)
        if counts[each.name] > 1 or heads.count(head) > 1
    ]
    if alike:
        yield f"-# {' · '.join(alike)}"


def _cells(person: Ranked) -> tuple[str, ...]:
    standing, rating = person.standing, person.rating
    numbers = str(standing.wins), str(standing.matches)
    return (
        (*numbers, f"{standing.mean_placing:.1f}")
        if rating is None
        else (str(shown_rating(rating)), *numbers)
    )


def _buttons(wanted: Wanted, page: int, last: int) -> Item:
    turns = (
        button("Previous", wanted.id(max(0, page - 1)), disabled=page == 0),
        button("Next", wanted.id(min(page + 1, last)), disabled=page == last),
    )
    return row(*(turns if last else ()), button("My place", wanted.id(MINE)))
