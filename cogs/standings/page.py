"""One page of a leaderboard as a message: the people as a picture or a table, the caller's place, and buttons."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple, Self, TypeAlias

import discord

from bot.match.names import distinct_names, safe
from bot.match.refusal import Refusal
from bot.messages.answers import Interaction
from bot.messages.custom_ids import CustomId, number
from bot.messages.game_ui import hand_style
from bot.messages.member_names import FORMER_MEMBER
from bot.messages.panel import Item, Panel, button, row, select, shown, text
from bot.messages.router import DEAD_BUTTON
from bot.pictures.drawing import picture_of
from bot.pictures.scene import Leaderboard, LeaderboardRow
from bot.standings.board import CERTAIN_MATCHES, RECENT_DAYS, Ranked, share
from bot.standings.ratings import PROVISIONAL_MATCHES
from bot.standings.ratings import shown as shown_rating
from bot.store import Store
from cogs.standings.text_table import cut, text_table
from games import GAMES, AnyGame
from games.phrases import numbered, ordinal

PAGE: Final = 10
"""Number of people on a page."""
MOST_PAGES: Final = 10_000
MINE: Final = "mine"
"""Stands in a custom id for the page where the caller stands."""
CSV: Final = "csv"
"""Stands in a custom id for the whole table as a file."""
EVER: Final = "all"
PERIODS: Final = {"month": f"{RECENT_DAYS} days", EVER: "all time"}
"""Titles of the periods by their words in custom ids."""
UNRANKED: Final = "Nobody is ranked here yet."
BY_WINS: Final = (
    "-# Ranked by the share of people placed behind you, computers aside; a match that a computer wins is nobody's "
    f"win. With fewer than {CERTAIN_MATCHES} matches a person stands below, uncertain."
)
CERTAIN: Final = f"{PROVISIONAL_MATCHES} rated matches or more, one of them in the last {RECENT_DAYS} days"
SURER: Final = "A surer rating can stand above a higher one."
BY_RATING: Final = (
    f"-# Uncertain ratings (?) stand below: a place needs {CERTAIN}. {SURER} "
    "Ratings count matches on all servers."
)


NARROW: Final = {"Matches": "played", "Ahead of": "ahead"}
"""Short headings for tables as text."""

Page: TypeAlias = int | Literal["csv"] | None
"""The target of a custom id: a page from 0 on, None for the one where the person stands, or CSV."""


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
        return pools()[self.pool][0]

    @property
    def title(self) -> str:
        """Title of game and period."""
        return f"{_game_title(self.pool)} · {PERIODS[self.period]}"

    def id(self, page: int | str) -> CustomId:
        """Return the custom id of a button that leads to a page of this leaderboard."""
        return CustomId("leaderboard", 0, f"{self.pool}:{self.period}:{page}")

    @classmethod
    def read(cls, rest: str) -> tuple[Self, "Page"]:
        """Return what `id` wrote. Raises Refusal for anything else."""
        pool, _, others = rest.partition(":")
        period, _, written = others.partition(":")
        if (pool and pool not in pools()) or period not in PERIODS:
            raise Refusal(DEAD_BUTTON)
        return cls(pool, period), page_in(written)


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

    def page(self, page: int | None) -> int:
        """Return the number of the page that is shown for `page` (see `shown_page`)."""
        return shown_page([each.standing.user for each in self.people], self.user, page)

    def on(self, page: int) -> Sequence[Ranked]:
        """Return the people on a page."""
        return self.people[page * PAGE : (page + 1) * PAGE]

    def with_names(self, names: Mapping[int, str]) -> "Board":
        """Return the board with other names, by user. Everybody else keeps their name."""

        people = [
            replace(each, standing=replace(each.standing, name=names[each.standing.user]))
            if each.standing.user in names
            else each
            for each in self.people
        ]
        return replace(self, people=people)

    @property
    def note(self) -> str:
        """A sentence with the person's place, or with what is missing."""
        if self.missing:
            return f"{self.name} is not ranked yet. Missing: {self.missing}."
        place = next(each.place for each in self.people if each.standing.user == self.user)
        return f"{self.name} is {ordinal(place)} of {sum(each.place > 0 for each in self.people)}."


def pools() -> dict[str, tuple[AnyGame, str]]:
    """Return the game and the title of each rating pool."""
    return {pool: (game, title) for game in GAMES.values() for pool, title in game.pools.items()}


async def pictures_for(interaction: Interaction, store: Store) -> bool:
    """Return whether the caller gets pictures in this place."""
    style = hand_style(await store.preferences(interaction.user.id))
    return style.pictures and interaction.app_permissions.attach_files


def page_in(written: str) -> Page:
    """Return the page in a custom id. Raises Refusal for a text that the bot does not write."""
    if written == CSV:
        return CSV
    page = number(written)
    if written != MINE and (page is None or page >= MOST_PAGES):
        raise Refusal(DEAD_BUTTON)
    return page


def shown_page(users: Sequence[int], user: int, page: int | None) -> int:
    """Return the number of the page to show of a table of `users`; the first page is 0.

    None is the page where `user` stands, the first one for a person who is not in the table. A number after the last
    page, as on an old button, means the last one.
    """
    if page is None:
        return users.index(user) // PAGE if user in users else 0
    return min(page, max(0, len(users) - 1) // PAGE)


def page_of(board: Board, wanted: Wanted, page: int | None, *, pictures: bool) -> Panel:
    """Build a page (see `shown_page`)."""
    if not board.played:
        note = f"\n{board.note}" * bool(wanted.pool)
        return Panel(text(f"### Leaderboard · {wanted.title}\n{_nobody(wanted)}{note}"), *_menus(wanted))
    last = max(0, len(board.people) - 1) // PAGE
    page = board.page(page)
    title = wanted.title + f" · page {page + 1} of {last + 1}" * (last > 0)
    people = board.on(page)
    return Panel(
        text(f"### Leaderboard · {title}"),
        *(_table(board, people, title, wanted, pictures=pictures) if people else [text(UNRANKED)]),
        *map(text, [board.note, BY_RATING if wanted.pool else BY_WINS]),
        row(*turns(wanted.id, page, last, file=people != [])),
        *_menus(wanted),
    )


def _menus(wanted: Wanted) -> list[Item]:
    """Return the menus that lead to another game, and to another period."""
    games = [(each, replace(wanted, pool=each)) for each in ["", *pools()]]
    periods = [(each, replace(wanted, period=each)) for each in PERIODS]
    return [
        row(
            select(
                title,
                CustomId("leaderboard-menu", 0, title.lower()),
                [
                    discord.SelectOption(
                        label=label(each), value=other.id(MINE).rest, default=other == wanted
                    )
                    for each, other in found
                ],
            )
        )
        for title, found, label in (("Game", games, _game_title), ("Period", periods, PERIODS.__getitem__))
    ]


def _game_title(pool: str) -> str:
    return pools()[pool][1] if pool else "All games"


def _nobody(wanted: Wanted) -> str:
    kind = "rated match" if wanted.pool else "match"
    when = "yet" if wanted.period == EVER else f"in the last {RECENT_DAYS} days"
    return f"No {kind} has been finished here {when}. `/play` opens a table."


def heads_of(wanted: Wanted) -> tuple[str, ...]:
    """Return the headings of the columns after the names."""
    return ("Rating", "Wins", "Matches") if wanted.pool else ("Ahead of", "Wins", "Matches")


def _table(
    board: Board, people: Sequence[Ranked], title: str, wanted: Wanted, *, pictures: bool
) -> list[Item]:
    heads = heads_of(wanted)
    lines = [Line(each.place, each.standing.user, each.standing.name, cells_of(each)) for each in people]
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
    accounts: bool = True,
) -> list[Item]:
    """Return one page of people as a picture or as text and, with `accounts`, the accounts of those with equal names.

    `counts` are the names of all people on the board, `user` is the person to mark, and `heads` are the headings of the
    cells.
    """
    names = [safe(each.name) for each in people]
    names = distinct_names(names if pictures else map(cut, names))
    rows = tuple(
        LeaderboardRow(each.place, name, each.cells, each.user == user)
        for each, name in zip(people, names, strict=True)
    )
    below = [text(line) for line in _accounts(counts, people, names)] if accounts else []
    if pictures:
        return [shown(picture_of(Leaderboard(title, heads, rows))), *below]
    return [text(text_table([NARROW.get(head, head.lower()) for head in heads], rows)), *below]


def _accounts(counts: Counter[str], people: Sequence[Line], names: Sequence[str]) -> Iterator[str]:
    """Yield a line with the accounts of the people whose name somebody else on the board has, too. It pings nobody."""
    heads = [numbered(name)[0] for name in names]
    alike = [
        f"{name}: <@{each.user}>"
        for each, name, head in zip(people, names, heads, strict=True)
        if each.user > 0  # less than 0: was erased
        and each.name != FORMER_MEMBER  # Discord shows their account as a bare number
        and (counts[each.name] > 1 or heads.count(head) > 1)
    ]
    if alike:
        yield f"-# {' · '.join(alike)}"


def cells_of(person: Ranked) -> tuple[str, ...]:
    """Return the numbers after a name."""
    standing, rating = person.standing, person.rating
    if rating is None:
        first = f"{share(standing):.0%}" if standing.met else "–"
    else:
        first = f"{shown_rating(rating)}{'?' * (person.place == 0)}"
    return first, str(standing.wins), str(standing.matches)


def turns(page_id: Callable[[int | str], CustomId], page: int, last: int, *, file: bool = True) -> list[Item]:
    """Return the buttons below a table. `page_id` returns the custom id that leads to a page, MINE or CSV."""
    pages = [
        button("Previous", page_id(max(0, page - 1)), disabled=page == 0),
        button("Next", page_id(min(page + 1, last)), disabled=page == last),
    ]
    own, whole = button("My place", page_id(MINE)), button("As CSV", page_id(CSV))
    return [*(pages if last else ()), own, *[whole] * file]
