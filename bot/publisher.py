"""Posting what is committed: the narration of every entry, once and in order, and the cards of each table.

`published` in the store is the last entry told. What is beyond it after a start is told then; a message whose receipt
was lost is sent again under the same nonce, which Discord answers with the message it already has.
"""

import asyncio
import contextlib
import logging
import re
from collections.abc import AsyncGenerator, Iterator, Mapping
from functools import partial
from typing import Literal, get_args

import discord

from bot import lobby_card, posts
from bot.card import EXPECTED, Budget, Card
from bot.face import Face
from bot.narration import Told, names
from bot.panel import Panel
from bot.refusal import Refusal
from bot.table import Table
from bot.tables import Tables

log = logging.getLogger(__name__)

RETRIES = (1.0, 5.0, 15.0, 60.0)
"""Seconds to wait before a post that failed is tried again; the last one from then on."""

IN_SIGHT = 3
"""So many messages a phone shows at least."""

THREAD_EXISTS = 160004
UNKNOWN_CHANNEL = 10003
LOCKED_THREAD = 160005

Kind = Literal["card", "board", "more"]
"""The card stands in the channel where the table was opened, the board where the match is played, and what the board
has no room for below it."""
KINDS: tuple[Kind, ...] = get_args(Kind)


class Publisher:
    """The public voice of all tables. One worker a table, alive only while it has something to say."""

    def __init__(self, client: discord.Client, tables: Tables, faces: Mapping[str, Face]) -> None:
        self._client = client
        self._tables = tables
        self._faces = faces
        self._work: dict[int, asyncio.Task[None]] = {}
        self._cards: dict[tuple[int, Kind], Card] = {}
        self._budget = Budget()
        self.troubles: dict[int, str] = {}
        """By table: why nothing can be posted there just now, and who can mend it. Shown with the hands."""
        self._doubted: set[int] = set()
        """Tables that a kill or a fault left with something untold; some of it may be posted all the same."""
        tables.on_change.append(self.wake)

    def wake(self, table: Table) -> None:
        """The table has changed: redraw its cards, and tell what is untold."""
        for kind in KINDS:
            if card := self.card(table, kind):
                card.touch()
        if table.untold or self._lacks_more(table):
            self._set_to_work(table.id)

    def _set_to_work(self, match: int) -> None:
        if match not in self._work:
            self._work[match] = asyncio.create_task(self._publish(match), name=f"publish-{match}")

    def card(self, table: Table, kind: Kind) -> Card | None:
        """One of the table's messages, None until it is posted."""
        message = getattr(table.match, kind)
        if message is None:
            return None
        if (table.id, kind) not in self._cards:
            self._cards[table.id, kind] = Card(
                self._channel(table, kind).get_partial_message(message),
                partial(self._draw, table.id, kind),
                partial(self.post, table.id, kind),
                self._budget,
            )
        card = self._cards[table.id, kind]
        card.shared = table.match.more is not None
        return card

    async def post(self, match: int, kind: Kind) -> None:
        """Post a card anew, at the end of its channel; the old one, if any, is shortened to a pointer."""
        table = await self._tables.get(match)
        old = self.card(table, kind)
        panel = await self._draw(match, kind)
        message = await self._channel(table, kind).send(
            view=panel,
            files=await panel.files(),
            nonce=f"{kind}{getattr(table.match, kind) or match}",
        )
        await self._tables.note(table, **{kind: message.id})
        self._cards.pop((match, kind), None)
        if card := self.card(table, kind):
            card.posted(panel)
        if old is not None:
            with contextlib.suppress(*EXPECTED):
                await old.shorten(posts.moved(table))
        if kind == "board" and table.match.more is not None:
            await self.post(match, "more")
        if not table.is_open:
            await self._retire(table)

    async def in_sight(self, table: Table, kind: Kind) -> bool:
        """Whether a card is among the last messages of its channel, so that to post it anew would only be noise."""
        with contextlib.suppress(discord.Forbidden, discord.NotFound):
            last = [message.id async for message in self._channel(table, kind).history(limit=IN_SIGHT)]
            return getattr(table.match, kind) in last
        return False

    def seen(self, message: discord.Message) -> None:
        """A message has come in: it pushes the cards above it out of sight."""
        for card in self._cards.values():
            if card.message.channel.id == message.channel.id:
                card.below += message.id > card.message.id

    async def load(self) -> None:
        """Before anybody can act: learn which tables have something untold."""
        self._doubted.update(await self._tables.store.untold())

    def resume(self) -> None:
        """Tell what is untold since before the start."""
        for match in sorted(self._doubted):
            self._set_to_work(match)

    async def _reconcile(self, table: Table) -> None:
        """What was posted, though a kill or a fault kept it from being noted, is told already."""
        if table.match.place is not None:
            posted = await self._last_posted(table)
            while table.untold and table.untold[0].number <= posted:
                await self._told(table)
        self._doubted.discard(table.id)
        self.wake(table)

    async def _last_posted(self, table: Table) -> int:
        """The number on the last of our messages in the table's place, 0 where we may not read them."""
        mark = re.compile(rf"hand:{table.id}:(\d+)")
        told = [0]
        async for message in self._posted(table):
            told += [int(found[1]) for name in _custom_ids(message) if (found := mark.fullmatch(name))]
        return max(told)

    async def _posted(self, table: Table) -> AsyncGenerator[discord.Message, None]:
        """Our last messages in the table's place, newest first; none where we may not read them."""
        with contextlib.suppress(discord.Forbidden, discord.NotFound):
            async for message in self._channel(table, "board").history(limit=100):
                if message.author == self._client.user:
                    yield message

    async def rest(self) -> None:
        """Wait until everything is told and every card is up to date."""
        while self._work:
            await asyncio.gather(*self._work.values())
        await asyncio.gather(*(card.rest() for card in [*self._cards.values()]))

    def _channel(self, table: Table, kind: Kind) -> discord.PartialMessageable:
        where = table.match.channel if kind == "card" else table.match.place
        assert where is not None
        return self._client.get_partial_messageable(where, guild_id=table.match.guild)

    async def _draw(self, match: int, kind: Kind) -> Panel:
        table = await self._tables.get(match)
        draw = {"card": lobby_card.card, "board": posts.board, "more": posts.more}[kind]
        return draw(table, self._faces[table.match.game], pictures=self._may_attach(table))

    def _lacks_more(self, table: Table) -> bool:
        """Whether the board has not room for everything, and there is no second message yet."""
        if not table.sitting.game.real_time or table.sitting.phase != "play" or table.match.board is None:
            return False
        view = table.sitting.game.view(table.sitting.state, None)
        return table.match.more is None and bool(
            self._faces[table.match.game].more(view, names(table.sitting), table.id)
        )

    def _may_attach(self, table: Table) -> bool:
        """Whether pictures may be posted where the table is played."""
        place = self._client.get_channel(table.match.place or table.match.channel)
        if not isinstance(place, discord.TextChannel | discord.VoiceChannel | discord.Thread):
            return True
        with contextlib.suppress(discord.ClientException):  # of a thread whose channel is not known
            return place.permissions_for(place.guild.me).attach_files
        return True

    # Telling

    async def _publish(self, match: int) -> None:
        failures = 0
        try:
            while True:
                try:
                    if not await self._go_on(await self._tables.get(match)):
                        return
                    failures = 0
                except Refusal:
                    raise
                except Exception as error:  # whatever it is, what was acknowledged is still to be told
                    self._doubted.add(match)
                    expected = isinstance(error, EXPECTED)
                    log.warning("table %s could not be told: %s", match, error, exc_info=not expected)
                    await asyncio.sleep(RETRIES[min(failures, len(RETRIES) - 1)])
                    failures += 1
        except Refusal as refusal:
            log.warning("table %s cannot be told: %s", match, refusal)
        finally:
            del self._work[match]

    async def _go_on(self, table: Table) -> bool:
        """One step: find out what is told already, or tell the next entry. False when all is told."""
        if not table.untold:
            if self._lacks_more(table):
                await self.post(table.id, "more")
            if not table.is_open:
                await self._retire(table)
            return False
        try:
            if table.id in self._doubted:
                await self._reconcile(table)
            else:
                await self._tell(table, table.untold[0])
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
            await self._move(table)
        except discord.Forbidden as error:
            if table.is_open:
                self.troubles[table.id] = _trouble(table.match.place or table.match.channel, error.code)
                raise
            await self._fall_silent(table)
        return True

    async def _tell(self, table: Table, word: Told) -> None:
        if word.text:
            await self._settle(table)
            pinged = await self._tables.store.pinged(word.calls, urgent=word.urgent)
            pictures = self._may_attach(table)
            panel = posts.word(table, word, self._faces[table.match.game], pictures=pictures)
            await self._channel(table, "board").send(
                view=panel,
                files=await panel.files(),
                nonce=f"{table.id}-{word.number}",
                allowed_mentions=discord.AllowedMentions(users=[discord.Object(user) for user in pinged]),
            )
        await self._told(table)

    async def _told(self, table: Table) -> None:
        """The oldest untold entry is told; silent ones in between are noted with the next."""
        word = table.untold[0]
        if word.settled:
            await self._settle_polls(table, word)
        if self.troubles.pop(table.id, None):
            self.wake(table)  # while nothing could be posted there, nothing could be edited
        if len(table.untold) == 1 and not table.is_open:
            # First: once all is told, a kill would leave the cards as they are for ever.
            await self._show_end(table)
        if word.text or len(table.untold) == 1:
            await self._tables.note(table, published=word.n)
        table.untold.popleft()

    async def _settle_polls(self, table: Table, word: Told) -> None:
        """The messages that asked for votes say how it ended, and ask no more."""
        wanted = {f"vote:{table.id}:{number}:" for number in word.settled}
        async with contextlib.aclosing(self._posted(table)) as posted:
            async for message in posted:
                ids = [*_custom_ids(message)]
                if asked := {vote for vote in wanted if any(name.startswith(vote) for name in ids)}:
                    await self._settle_poll(message, word.verdict, ids[0])
                    wanted -= asked
                if not wanted:
                    return
        log.info("no message was found that asks for %s", ", ".join(sorted(wanted)))

    async def _settle_poll(self, message: discord.Message, verdict: str, hand: str) -> None:
        said = "\n".join(part.content for part in message.components if isinstance(part, discord.TextDisplay))
        try:
            await message.edit(view=posts.settled(said, verdict, hand))
        except discord.HTTPException as error:
            if error.status >= 500:
                raise
            log.info("a vote stays as it is (%s %s)", error.status, error.code)

    async def _fall_silent(self, table: Table) -> None:
        """Nobody there can hear it any more; the result is in the standings."""
        await self._tables.note(table, published=table.sitting.n)
        table.untold.clear()

    async def _retire(self, table: Table) -> None:
        """A table that is over needs no place in memory; old buttons load it from its log."""
        await self._show_end(table)
        for kind in KINDS:
            self._cards.pop((table.id, kind), None)
        self.troubles.pop(table.id, None)
        self._doubted.discard(table.id)
        self._tables.forget(table)

    async def _show_end(self, table: Table) -> None:
        for kind in KINDS:
            if card := self.card(table, kind):
                card.touch()
                await card.rest()

    # Places

    async def _settle(self, table: Table) -> None:
        """See to it that the match has a place, and a board in it."""
        if table.match.place is None:
            await self._tables.settle(table, await self._thread(table) or table.match.channel)
            self.wake(table)
        if table.match.board is None:
            try:
                await self.post(table.id, "board")
            except discord.Forbidden:  # threads can be made here, but not written in
                if table.match.place == table.match.channel:
                    raise
                await self._move(table)

    async def _move(self, table: Table) -> None:
        """The place is gone: go on in the channel; when that is gone too the table closes."""
        if table.match.place in (None, table.match.channel):
            await table.close("its channel is gone.")
            await self._fall_silent(table)
            return
        await self._tables.settle(table, table.match.channel)
        self._cards.pop((table.id, "board"), None)
        await self.post(table.id, "board")

    async def _thread(self, table: Table) -> int | None:
        """A thread of the table's own under its card; None where that is not allowed."""
        card = table.match.card
        if card is None or not table.match.guild:  # direct messages have no threads
            return None
        message = self._channel(table, "card").get_partial_message(card)
        try:
            thread = await message.create_thread(
                name=f"{table.sitting.game.title} · table {table.id}", auto_archive_duration=1440
            )
        except discord.HTTPException as error:
            if error.status >= 500 or error.status == 401:
                raise  # that says nothing about threads here
            if error.code == THREAD_EXISTS:
                # It was made just before a kill. A message's thread has the message's number.
                return card
            log.info("table %s stays in its channel (%s %s)", table.id, error.status, error.code)
            return None
        return thread.id


def _trouble(place: int, code: int) -> str:
    if code == LOCKED_THREAD:
        return f"⚠️ <#{place}> is locked: I cannot tell there what happens. A moderator can unlock it; play goes on."
    return (
        f"⚠️ I may not post in <#{place}>. Whoever manages it can let me view it and send messages there; the match "
        "goes on, and what I could not say I say then."
    )


def _custom_ids(message: discord.Message) -> Iterator[str]:
    """Of the buttons at the foot of a message."""
    for part in message.components:
        if isinstance(part, discord.ActionRow):
            yield from (child.custom_id or "" for child in part.children if isinstance(child, discord.Button))
