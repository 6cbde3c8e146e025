"""Routes that describe, change and delete channels, threads included."""

from collections.abc import Mapping

from sandbox.bodies import NAME_CHANGE
from sandbox.checks import Check, Json, RateLimited, Refused, boolean, integer, text
from sandbox.guilds import TextChannel, Thread
from sandbox.permissions import Permission
from sandbox.posting import post_system_message
from sandbox.refusals import THREAD_FIELDS
from sandbox.routes.table import Call, route
from sandbox.world import Channel, DirectChannel

_CHANNEL: Mapping[str, Check] = {
    "name": text(1, 100),
    "topic": text(0, 1024),
    "rate_limit_per_user": integer(0, 21600),
}
_THREAD: Mapping[str, Check] = {
    "name": text(1, 100),
    "archived": boolean,
    "locked": boolean,
    **THREAD_FIELDS,
}


@route("GET", "/channels/{channel_id}")
def channel(call: Call) -> Json:
    return call.channel().payload()


@route("PATCH", "/channels/{channel_id}")
def change(call: Call) -> Json:
    """Change a text channel or a thread."""
    match call.channel():
        case Thread() as thread:
            return _change_thread(call, thread)
        case TextChannel() as channel:
            return _change_text_channel(call, channel)
    raise Refused(403, 50024, "Cannot execute action on this channel type")


@route("DELETE", "/channels/{channel_id}")
def delete(call: Call) -> Json:
    """Delete a channel or a thread."""
    match call.channel():
        case Thread() as thread:
            thread.require(call.bot, Permission.MANAGE_THREADS)
            thread.delete()
            return thread.payload()
        case TextChannel() as channel:
            channel.require(call.bot, Permission.MANAGE_CHANNELS)
            payload = channel.payload()
            channel.delete()
            return payload
        case DirectChannel() as direct:
            return direct.payload()
    raise Refused(403, 50024, "Cannot execute action on this channel type")


@route("POST", "/channels/{channel_id}/typing")
def typing(call: Call) -> None:
    """Show that the bot is typing."""
    call.channel(_writing(call.world.channel(call.id("channel_id"))))


def _writing(channel: Channel) -> Permission:
    in_thread = isinstance(channel, Thread)
    return Permission.SEND_MESSAGES_IN_THREADS if in_thread else Permission.SEND_MESSAGES


def _change_text_channel(call: Call, channel: TextChannel) -> Json:
    body = call.form({}, _CHANNEL)
    channel.require(call.bot, Permission.MANAGE_CHANNELS)
    if (body.get("name", channel.name), body.get("topic", channel.topic)) != (channel.name, channel.topic):
        _count_rename(call, channel)
    channel.name = body.get("name", channel.name)
    channel.topic = body.get("topic", channel.topic)
    channel.slowmode = body.get("rate_limit_per_user", channel.slowmode)
    channel.changed()
    return channel.payload()


def _change_thread(call: Call, thread: Thread) -> Json:
    body = call.form({}, _THREAD)
    _check_may_change(call, thread, body)
    renamed = body.get("name", thread.name) != thread.name
    if renamed:
        _count_rename(call, thread)
    thread.name = body.get("name", thread.name)
    thread.slowmode = body.get("rate_limit_per_user", thread.slowmode)
    if "auto_archive_duration" in body:
        thread.auto_archive = body["auto_archive_duration"]
        thread.touch()
    thread.invitable = body.get("invitable", thread.invitable)
    if renamed:
        post_system_message(thread, call.world.bot, NAME_CHANGE, thread.name)
    thread.archive(body.get("archived", thread.archived), locked=body.get("locked"))
    return thread.payload()


def _count_rename(call: Call, channel: Channel) -> None:
    """Count a change of a name or topic. Raises RateLimited for one too many."""
    wait = call.services.rate_limits.unannounced("renames", channel.id)
    if wait is not None:
        raise RateLimited(0, "You are being rate limited.", wait)


def _check_may_change(call: Call, thread: Thread, body: Json) -> None:
    """Raise Refused unless the bot may change these fields of a thread.

    Moderators may change all, the owner may rename and archive, and others may unarchive a thread that is not locked.
    """
    if thread.archived and body.get("archived") is not False:
        raise Refused(400, 50083, "Thread is archived")
    moderates = thread.permissions(call.bot) & Permission.MANAGE_THREADS
    owns = thread.owner.id == call.bot and body.keys() <= {
        "name",
        "archived",
        "auto_archive_duration",
        "invitable",
    }
    unarchives = body.keys() == {"archived"} and body["archived"] is False
    if not moderates and (thread.locked or not (owns or unarchives)):
        raise Refused(403, 50013, "Missing Permissions")
