"""Routes of messages in channels."""

from sandbox import posting
from sandbox.channels import Channel, DirectChannel, Thread
from sandbox.form import RateLimited, Refused, list_of, snowflake
from sandbox.messages import DEFAULT, REPLY, THREAD_STARTER, WRITTEN, Message
from sandbox.permissions import Permission, require
from sandbox.routes.table import Call, Json, route
from sandbox.snowflakes import time_of
from sandbox.world import World

NONCE_LIFE = 5 * 60.0
"""Seconds for which a repeated nonce is noticed; Discord promises "the past few minutes"."""
OLD = 3600.0
"""Seconds after which a message takes only few edits."""
FORTNIGHT = 14 * 24 * 3600.0


@route("GET", "/channels/{channel_id}/messages")
def history(call: Call) -> list[Json]:
    """Messages, newest first: at most `limit`, `before`, `after` or `around` an id."""
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
    """One message."""
    return call.read(call.message(call.channel(Permission.READ_MESSAGE_HISTORY)))


@route("POST", "/channels/{channel_id}/messages")
def create(call: Call) -> Json:
    """Post a message. A nonce with `enforce_nonce` makes a repeated request harmless."""
    channel = call.channel()
    posting.check_new(call.box.world, call.body, call.files)
    may_post(call, channel)
    repeated = _same_nonce(call, channel)
    if repeated is not None:
        return call.read(repeated, new=True)
    referenced = _referenced(call, channel)
    nonce = None if call.body.get("nonce") is None else str(call.body["nonce"])
    posted = posting.post(
        channel,
        call.box.world.bot,
        call.body,
        call.files,
        type=REPLY if referenced else DEFAULT,
        nonce=nonce,
        reference=referenced and _reference(referenced),
        referenced=referenced,
    )
    if nonce is not None:
        channel.nonces[nonce] = posted
    return call.read(posted, new=True)


@route("PATCH", "/channels/{channel_id}/messages/{message_id}")
def edit(call: Call) -> Json:
    """Edit a message of one's own."""
    channel = call.channel()
    edited = call.message(channel)
    if edited.author is not call.box.world.bot:
        raise Refused(403, 50005, "Cannot edit a message authored by another user")
    if edited.type not in WRITTEN:
        raise Refused(403, 50021, "Cannot execute action on a system message")
    posting.check_awake(channel)
    posting.check_edit(edited, call.body, call.files)
    _not_too_often(call, edited)
    posting.edit(edited, call.body, call.files)
    return call.read(edited)


@route("DELETE", "/channels/{channel_id}/messages/{message_id}")
def delete(call: Call) -> None:
    """Delete a message; one of somebody else only with MANAGE_MESSAGES."""
    channel = call.channel()
    deleted = call.message(channel)
    if deleted.author is not call.box.world.bot:
        require(channel, call.bot, Permission.MANAGE_MESSAGES)
    if deleted.type == THREAD_STARTER:
        raise Refused(403, 50021, "Cannot execute action on a system message")
    posting.delete(deleted)


@route("POST", "/channels/{channel_id}/messages/bulk-delete")
def bulk_delete(call: Call) -> None:
    """Delete 2 to 100 messages that are younger than a fortnight."""
    channel = call.channel(Permission.MANAGE_MESSAGES)
    ids = [int(id_) for id_ in call.form({"messages": list_of(snowflake, 0, 1000)}, {})["messages"]]
    if not 2 <= len(ids) <= 100:
        raise Refused(400, 50016, "Provided too few or too many messages to delete. Must provide 2 to 100.")
    if any(time_of(id_) < call.box.clock.now() - FORTNIGHT for id_ in ids):
        raise Refused(400, 50034, "You can only bulk delete messages that are under 14 days old.")
    for each in channel.messages():
        if each.id in ids:
            posting.delete(each)


def may_post(call: Call, channel: Channel) -> None:
    """Refuse what the bot may not post here."""
    bot = call.bot
    if isinstance(channel, DirectChannel):
        return _may_write_to(call.box.world, channel)
    in_thread = isinstance(channel, Thread)
    require(channel, bot, Permission.SEND_MESSAGES_IN_THREADS if in_thread else Permission.SEND_MESSAGES)
    if call.files:
        require(channel, bot, Permission.ATTACH_FILES)
    if call.body.get("embeds"):
        require(channel, bot, Permission.EMBED_LINKS)
    moderates = channel.permissions(bot) & Permission.MANAGE_THREADS
    if isinstance(channel, Thread) and channel.locked and not moderates:
        raise Refused(403, 160005, "Thread is locked")
    return None


def _may_write_to(world: World, channel: DirectChannel) -> None:
    if not channel.person.dms_open:
        raise Refused(403, 50007, "Cannot send messages to this user")
    guilds = world.guilds.values()
    if not any(guild.has_bot and channel.person.id in guild.members for guild in guilds):
        raise Refused(403, 50278, "Cannot send messages to this user due to having no mutual guilds")


def _not_too_often(call: Call, edited: Message) -> None:
    """Refuse one edit too many of messages that are more than an hour old."""
    if time_of(edited.id) > call.box.clock.now() - OLD:
        return
    wait = call.box.rate_limits.unannounced("old edits", edited.channel.id)
    if wait is not None:
        text = "Maximum number of edits to messages older than 1 hour reached. Try again later."
        raise RateLimited(30046, text, wait)


def _same_nonce(call: Call, channel: Channel) -> Message | None:
    if not call.body.get("enforce_nonce"):
        return None
    first = channel.nonces.get(str(call.body.get("nonce")))
    return first if first and time_of(first.id) > call.box.clock.now() - NONCE_LIFE else None


def _referenced(call: Call, channel: Channel) -> Message | None:
    """Return the message that a new one replies to."""
    reference = call.body.get("message_reference")
    if reference is None:
        return None
    found = channel.log.get(int(reference["message_id"]))
    if found is not None and not found.deleted and not found.ephemeral:
        return found
    if reference.get("fail_if_not_exists", True):
        raise Refused(400, 50035, "Invalid Form Body")
    return None


def _reference(to: Message) -> Json:
    found = {"type": 0, "message_id": str(to.id), "channel_id": str(to.channel.id)}
    return found | ({"guild_id": str(to.channel.guild.id)} if to.channel.guild else {})
