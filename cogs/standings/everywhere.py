"""The leaderboard of all servers: ratings in one game, of people who have chosen to be on it.

Its answers are for the caller alone. They open where the caller stands, and in public that would tell which name is
theirs, or that they do not take part.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.client import Palmhouse
from bot.match.names import LONGEST, chosen_name, printable, safe
from bot.match.refusal import Refusal
from bot.messages.answers import Interaction, show
from bot.messages.custom_ids import CustomId
from bot.messages.panel import SUCCESS, Item, Modal, Panel, button, row, text, text_field
from bot.messages.router import DEAD_BUTTON, Click, Kind
from bot.standings.board import RECENT, Ranked, everywhere, missing_everywhere
from bot.standings.ratings import PROVISIONAL_MATCHES, rating_of, shown
from cogs.standings.csv_file import send_csv
from cogs.standings.page import (
    CERTAIN,
    PAGE,
    SURER,
    UNRANKED,
    Line,
    page_in,
    pictures_for,
    pools,
    shown_page,
    table,
    turns,
)
from games.phrases import ordinal

HEADS: Final = ("Rating", "Matches")
RULE: Final = f"-# Ranked are people who take part, after {CERTAIN}, also on other servers. {SURER}"
NOT_HERE: Final = (
    "You are not on this board: it has only people who take part. `Take part` puts your ratings in all games on it, "
    "under a name that you choose."
)


@dataclass(frozen=True, slots=True)
class Caller:
    """The person who sees the board."""

    user: int
    alias: str
    """See `Preferences.alias`."""
    missing: str
    """Things that they still need to be ranked; "" if nothing."""
    pictures: bool


class Everywhere:
    """The pages of this leaderboard, and taking part in it. Adds its routes to the bot's router."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("everywhere", self.turn)
        bot.router.add("take-part", self.ask, at_once=True)
        bot.router.add("take-part-as", self.take_part, Kind.MODAL)
        bot.router.add("stop-taking-part", self.stop)

    async def panel(self, interaction: Interaction, pool: str, page: int | None = None) -> Panel:
        """Build a page (see `shown_page`) for the caller."""
        user, store = interaction.user.id, self.bot.store
        rating = (await store.ratings(pool, [user])).get(user)
        caller = Caller(
            user,
            (await store.preferences(user)).alias,
            missing_everywhere(rating_of(rating) if rating else None, self.bot.time.now()),
            await pictures_for(interaction, store),
        )
        return everywhere_page(pool, await self._people(pool), caller, page)

    async def turn(self, interaction: Interaction, click: Click) -> None:
        """Show a page, or send the whole table as a file."""
        pool, _, written = click.rest.partition(":")
        page = page_in(written)
        if isinstance(page, str):
            people = await self._people(_known(pool))
            rows = [(each.place, each.standing.name, *_cells(each)) for each in people]
            await send_csv(interaction, f"leaderboard-{pool}-everywhere.csv", HEADS, rows)
        else:
            await show(interaction, await self.panel(interaction, _known(pool), page))

    async def ask(self, interaction: Interaction, click: Click) -> None:
        """Open a modal to type a name into."""
        pool = _known(click.rest)
        alias = (await self.bot.store.preferences(interaction.user.id)).alias
        line = text_field(
            "Name shown",
            LONGEST,
            description="People on all servers see it beside your ratings. Empty: your name on Discord.",
            default=printable(alias) or None,  # `safe` may add to its length
            required=False,
        )
        await interaction.response.send_modal(
            Modal("Take part everywhere", CustomId("take-part-as", 0, pool), line)
        )

    async def take_part(self, interaction: Interaction, click: Click) -> None:
        """Put the caller on the board under the name that was typed, and show their page."""
        pool = _known(click.rest)
        if len(click.values) != 1:
            raise Refusal(DEAD_BUTTON)
        typed = click.values[0]
        account = interaction.user.global_name or interaction.user.name
        await self._set(interaction, chosen_name(typed) if typed.strip() else safe(account))
        await show(interaction, await self.panel(interaction, pool))

    async def stop(self, interaction: Interaction, click: Click) -> None:
        """Take the caller off the board, and show it."""
        pool = _known(click.rest)
        await self._set(interaction, "")
        await show(interaction, await self.panel(interaction, pool))

    async def _set(self, interaction: Interaction, alias: str) -> None:
        await self.bot.store.set_preference(interaction.user.id, "alias", alias)

    async def _people(self, pool: str) -> Sequence[Ranked]:
        now = self.bot.time.now()
        found = await self.bot.store.participants(pool, matches=PROVISIONAL_MATCHES, since=now - RECENT)
        # In a thread, so that thousands of people do not hold up other tables.
        return await asyncio.to_thread(everywhere, found, now)


def _known(pool: str) -> str:
    """Return the pool of a custom id. Raises Refusal if there is no such pool."""
    if pool not in pools():
        raise Refusal(DEAD_BUTTON)
    return pool


def everywhere_page(pool: str, people: Sequence[Ranked], caller: Caller, page: int | None) -> Panel:
    """Build a page (see `shown_page`)."""
    page = shown_page([each.standing.user for each in people], caller.user, page)
    last = max(0, len(people) - 1) // PAGE
    title = f"{pools()[pool][1]} · everywhere" + f" · page {page + 1} of {last + 1}" * (last > 0)
    on_page = people[page * PAGE : (page + 1) * PAGE]
    return Panel(
        text(f"### Leaderboard · {title}"),
        *(_table(title, on_page, caller) if people else [text(UNRANKED)]),
        text(_note(people, caller)),
        text(RULE),
        *([row(*turns(partial(_page_id, pool), page, last))] if people else []),
        _part(pool, caller.alias),
    )


def _page_id(pool: str, page: int | str) -> CustomId:
    return CustomId("everywhere", 0, f"{pool}:{page}")


def _table(title: str, people: Sequence[Ranked], caller: Caller) -> list[Item]:
    lines = [Line(each.place, each.standing.user, each.standing.name, _cells(each)) for each in people]
    # Accounts of people with equal names are not shown: an account would tell who is behind a name.
    return table(lines, Counter(), caller.user, title, HEADS, pictures=caller.pictures, accounts=False)


def _note(people: Sequence[Ranked], caller: Caller) -> str:
    """Return the sentence about the caller."""
    if not caller.alias:
        return NOT_HERE
    place = next((each.place for each in people if each.standing.user == caller.user), None)
    if place is None:
        return f"You take part as {safe(caller.alias)} and are not ranked yet. Missing: {caller.missing}."
    return f"You are {ordinal(place)} of {len(people)}, as {safe(caller.alias)}."


def _part(pool: str, alias: str) -> Item:
    """Return the buttons by which people take part."""
    ask = CustomId("take-part", 0, pool)
    if not alias:
        return row(button("Take part", ask, style=SUCCESS))
    return row(button("Change name", ask), button("Stop taking part", CustomId("stop-taking-part", 0, pool)))


def _cells(person: Ranked) -> tuple[str, ...]:
    assert person.rating is not None
    return str(shown(person.rating)), str(person.rating.matches)
