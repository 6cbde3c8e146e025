"""The call of each table: posting, editing and deleting the small message below it. `bot.match.call` makes its content.

Discord notifies the people mentioned when a message is posted, not when it is edited. So a call about something new
is a new message; any other change is an edit, or deletes the message.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import discord

from bot.gateway.discord_time import posted_at, snowflake_at
from bot.match.call import Call, bits, call
from bot.match.state import Poll, Reminder
from bot.match.table import Table
from bot.match.tables import Tables
from bot.messages import posts
from bot.messages.live_message import edit, is_lost, looks_like
from bot.messages.outbox import AHEAD, Outbox
from bot.messages.venue import place_of
from bot.store import Post


class Calls:
    """The calls of all tables. `is_looking` returns whether a person has just clicked in an open hand, by table and
    user."""

    def __init__(self, tables: Tables, outbox: Outbox, is_looking: Callable[[int, int], bool]) -> None:
        self._tables = tables
        self._outbox = outbox
        self._is_looking = is_looking
        self._shown: dict[int, tuple[int, list[dict[str, Any]]]] = {}
        """By table: the message and its components."""

    async def show(self, table: Table, pause: int = 0) -> int:
        """Bring a table's call up to date. Return the ms to wait before a new one is due, or 0. For the next turn that
        is after the `pause` in ms, so that the next table is above it."""
        now, post = self._tables.clock.now(), _post(table)
        wanted, known = call_of(table, now, post), post.number if post else 0
        looking = all(self._is_looking(table.id, user) for part in wanted.newest for user in part.users)
        due = (wanted.later if looking else wanted.due) if wanted.number > known else 0
        # While the last edits were under way, the pause may have ended.
        wait = max(0, due - now, pause if due else 0)
        if wait and self._was_found(table, wanted):
            wait = 0  # else it would be deleted, and posted once more
        if wait:
            await self._update(table, post, Call(tuple(part for part in wanted.parts if 0 < part.n <= known)))
        elif wanted.number > known or wanted.calls:
            await self._replace(table, post, wanted)
        else:
            await self._update(table, post, wanted)
        waits = [each for each in (wait, wanted.wakes - now) if each > 0]
        return min(waits, default=0)

    def _was_found(self, table: Table, wanted: Call) -> bool:
        """Return whether a call stands there already that could not be noted."""
        return self._outbox.has_found(
            table, place_of(table), posts.called(table, wanted), _since(table, wanted)
        )

    async def lift(self, table: Table, live: int) -> None:
        """Delete the call if it is above the live table, whose message id is `live`."""
        post = _post(table)
        if post is not None and 0 < post.message < live:
            await self._tables.unpublish(table)  # it may have to be posted again below
            await self._delete(table, post)

    async def owe(self, table: Table, greeting: int, sent: int) -> None:
        """Let the newest call be posted after all if it is newer than the `greeting`, which mentions everybody: an
        earlier try may have posted that. The present one began at the time `sent` in ms."""
        post, posted = _post(table), posted_at(greeting)
        if post is not None and sent - posted > AHEAD and _asked(table).get(post.number, 0) > posted:
            await self._tables.delete_post(table, post)

    def forget(self, match: int) -> None:
        """Forget a table that is over, or that another process shows."""
        self._shown.pop(match, None)

    async def _update(self, table: Table, post: Post | None, wanted: Call) -> None:
        """Edit or delete the posted call. That notifies nobody."""
        if post is None:
            return
        if not wanted.parts:
            await self._delete(table, post)
        elif post.message:
            await self._edit(table, post, wanted)
        elif wanted.stays:  # deleted when the table was posted again below it
            await self._send_again(table, wanted, post)

    async def _replace(self, table: Table, post: Post | None, wanted: Call) -> None:
        """Post a call for something new, or for people who have woken, and delete the earlier one."""
        if post is not None:
            await self._delete(table, post)
        pinged: list[int] = []
        for part in wanted.parts:
            pinged += await self._tables.store.who_want_pings(part.calls, urgent=part.urgent)
        new = new_post(table, wanted, post.number if post else 0)
        await self._send(table, wanted, new, pinged)
        if post is not None and post.key != new.key:
            await self._tables.delete_post(table, post)

    async def _send(self, table: Table, wanted: Call, post: Post, pinged: Sequence[int]) -> None:
        """Post a call, and note it as `post`."""
        panel, message, was_found = posts.called(table, wanted), 0, False
        if pinged or wanted.stays:
            # Hashed: the number counts log entries, so it would show how often players change their secret choices.
            asleep = f" {post.asleep}" * (post.asleep > 0)
            source = f"{table.match.seed} call {post.number} {post.copies}{asleep}"
            # Each copy has its own nonce: Discord remembers those of deleted messages, too.
            nonce = f"{table.id}-{hashlib.sha256(source.encode()).hexdigest()[:12]}"
            was_found, since = self._was_found(table, wanted), _since(table, wanted)
            message = await self._outbox.send(table, place_of(table), panel, nonce, pinged, after=since)
            if 0 < message < _live(table):  # posted, but not noted, before the table was posted below it
                await self._outbox.delete(table, place_of(table), message)
                if wanted.stays:
                    await self._send_again(table, wanted, post)
                    return
                message = 0
            self._shown[table.id] = message, panel.payload()
        await self._tables.save_post(table, replace(post, channel=place_of(table), message=message))
        if was_found:  # it may say another time
            self._shown.pop(table.id, None)
            await self._edit(table, table.posts[post.key], wanted)

    async def _send_again(self, table: Table, wanted: Call, post: Post) -> None:
        """Post a call anew, which notifies nobody."""
        await self._tables.unpublish(table)
        await self._send(table, wanted, replace(post, copies=post.copies + 1), ())

    async def _edit(self, table: Table, post: Post, wanted: Call) -> None:
        panel, message = posts.called(table, wanted), self._outbox.message(table, post.channel, post.message)
        if self._shown.get(table.id) == (post.message, panel.payload()):
            return
        shown = self._shown.pop(table.id, None)  # after an error it is not known what arrived
        try:
            if shown is not None or not await looks_like(message, panel):
                await edit(message, panel, self._outbox.rasterizer)
        except discord.HTTPException as error:
            if not is_lost(error):
                raise
            # Deleted by somebody, or too old to edit. Its people have been notified, so the new one mentions nobody.
            await self._delete(table, post)
            await self._send_again(table, wanted, post)
        else:
            self._shown[table.id] = post.message, panel.payload()

    async def _delete(self, table: Table, post: Post) -> None:
        if post.message:
            await self._outbox.delete(table, post.channel, post.message)
            # The row outlives its message, so nobody is called twice.
            await self._tables.save_post(table, replace(post, message=0))


def call_of(table: Table, now: int, post: Post | None = None) -> Call:
    """Return the call of a table as it is now, after the one with the row `post`."""
    known, asleep = (post.number, post.asleep) if post else (0, 0)
    slept = [user for user, bit in bits(table.state).items() if bit & asleep]
    return call(table.state, table.clock.times, table.hours, table.deadlines).at(now, known, slept)


def new_post(table: Table, wanted: Call, known: int = 0) -> Post:
    """Return the row of a call that is posted now, after one with the number `known`."""
    known_by = bits(table.state)
    # Who has left the table since then is called to it no more.
    asleep = sum({known_by.get(user, 0) for user in wanted.digested.union(wanted.asleep)})
    return Post(table.id, "call", max(known, wanted.number), place_of(table), 0, asleep=asleep)


def _live(table: Table) -> int:
    """Return the message id of the live table, or 0."""
    return max(
        (each.message for each in table.posts.values() if each.kind == "page" and not each.final), default=0
    )


def _asked(table: Table) -> dict[int, int]:
    """Return the times in ms of the log entries by which people are called to turns and votes, and reminded."""
    asked: list[Reminder | Poll] = [*table.state.reminders, *table.state.polls.values()]
    return dict(table.state.called.values()) | {each.n: each.at for each in asked}


def _since(table: Table, wanted: Call) -> int:
    """Return a message id. What stands above it may have called for an earlier turn, maybe in the same words."""
    return max(_live(table), snowflake_at(_asked(table).get(wanted.number, 0) - AHEAD))


def _post(table: Table) -> Post | None:
    """Return the row of the call; the last one if there are two after a kill."""
    calls = [post for post in table.posts.values() if post.kind == "call"]
    return max(calls, key=lambda post: post.number, default=None)
