"""Routes of messages in channels."""

from sandbox import posting
from sandbox.bodies import THREAD_STARTER, WRITTEN
from sandbox.checks import Json, RateLimited, Refused
from sandbox.guilds import Thread
from sandbox.permissions import Permission
from sandbox.routes.table import Call, route
from sandbox.routes.threads import check_room
from sandbox.snowflakes import time_of
from sandbox.world import Channel, DirectChannel, Message

NONCE_LIFE = 5 * 60.0
"""Seconds for which a repeated nonce is recognized; Discord promises "the past few minutes"."""
OLD = 3600.0
"""Age in seconds from which edits of a message are limited."""


@route("GET", "/channels/{channel_id}/messages")
def history(call: Call) -> list[Json]:
    """List messages, newest first: at most `limit`, and only those `before`, `after` or `around` an id."""
    channel = call.channel()
    if not channel.permissions(call.bot) & Permission.READ_MESSAGE_HISTORY:
        return []
    limit = call.limit(100)
    messages = channel.messages()
    if "before" in call.query:
        messages = [each for each in messages if each.id < int(call.query["before"])]
    elif "after" in call.query:
        messages = [each for each in messages if each.id > int(call.query["after"])][:limit]
    elif "around" in call.query:
        centre = int(call.query["around"])
        near = sorted(messages, key=lambda each: abs(each.id - centre))[:limit]
        messages = sorted(near, key=lambda each: each.id)
    return [call.read(each) for each in reversed(messages[-limit:])]


@route("GET", "/channels/{channel_id}/messages/{message_id}")
def message(call: Call) -> Json:
    return call.read(call.message(call.channel(Permission.READ_MESSAGE_HISTORY)))


@route("POST", "/channels/{channel_id}/messages")
def create(call: Call) -> Json:
    """Post a message. With `enforce_nonce`, a request with the same nonce returns the first message again."""
    channel = call.channel()
    posting.check_new(call.world, call.body, call.files)
    _check_may_post(call, channel)
    repeated = _same_nonce(call, channel)
    if repeated is not None:
        return call.read(repeated, new=True)
    nonce = None if call.body.get("nonce") is None else str(call.body["nonce"])
    posted = posting.post(channel, call.world.bot, call.body, call.files, nonce=nonce)
    if nonce is not None:
        channel.nonces[nonce] = posted
    return call.read(posted, new=True)


@route("PATCH", "/channels/{channel_id}/messages/{message_id}")
def edit(call: Call) -> Json:
    """Edit a message of the bot."""
    channel = call.channel()
    edited = call.message(channel)
    if edited.author is not call.world.bot:
        raise Refused(403, 50005, "Cannot edit a message authored by another user")
    if edited.type not in WRITTEN:
        raise Refused(403, 50021, "Cannot execute action on a system message")
    posting.check_writable(channel)
    posting.check_edit(edited, call.body, call.files)
    _count_edit(call, edited)
    posting.edit(edited, call.body, call.files)
    return call.read(edited)


@route("DELETE", "/channels/{channel_id}/messages/{message_id}")
def delete(call: Call) -> None:
    """Delete a message. A message of somebody else needs MANAGE_MESSAGES."""
    channel = call.channel()
    deleted = call.message(channel)
    if deleted.author is not call.world.bot:
        channel.require(call.bot, Permission.MANAGE_MESSAGES)
    if deleted.type == THREAD_STARTER:
        raise Refused(403, 50021, "Cannot execute action on a system message")
    posting.delete(deleted)


def _check_may_post(call: Call, channel: Channel) -> None:
    """Raise Refused unless the bot may post this request's message in the channel."""
    bot = call.bot
    if isinstance(channel, DirectChannel):
        return _check_dms(call, channel)
    in_thread = isinstance(channel, Thread)
    channel.require(bot, Permission.SEND_MESSAGES_IN_THREADS if in_thread else Permission.SEND_MESSAGES)
    if call.files:
        channel.require(bot, Permission.ATTACH_FILES)
    moderates = channel.permissions(bot) & Permission.MANAGE_THREADS
    if isinstance(channel, Thread) and channel.locked and not moderates:
        raise Refused(403, 160005, "Thread is locked")
    if isinstance(channel, Thread) and channel.archived:
        check_room(channel.guild)  # it would become active again
    return None


def _check_dms(call: Call, channel: DirectChannel) -> None:
    if not channel.person.dms_open:
        raise Refused(403, 50007, "Cannot send messages to this user")
    guilds = call.services.guilds.values()
    if not any(guild.has_bot and channel.person.id in guild.members for guild in guilds):
        raise Refused(403, 50278, "Cannot send messages to this user due to having no mutual guilds")


def _count_edit(call: Call, edited: Message) -> None:
    """Count an edit of a message that is more than an hour old. Raises RateLimited for one too many."""
    if time_of(edited.id) > call.now - OLD:
        return
    wait = call.services.rate_limits.unannounced("old edits", edited.channel.id)
    if wait is not None:
        text = "Maximum number of edits to messages older than 1 hour reached. Try again later."
        raise RateLimited(30046, text, wait)


def _same_nonce(call: Call, channel: Channel) -> Message | None:
    if not call.body.get("enforce_nonce"):
        return None
    first = channel.nonces.get(str(call.body.get("nonce")))
    return first if first and time_of(first.id) > call.now - NONCE_LIFE else None
