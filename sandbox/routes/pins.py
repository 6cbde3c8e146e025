"""Routes of pinned messages."""

from datetime import datetime

from sandbox import posting
from sandbox.channels import Channel
from sandbox.clock import iso
from sandbox.form import Refused
from sandbox.messages import PINNED, Message
from sandbox.permissions import Permission
from sandbox.routes.table import Call, Json, route

MOST = 250
"""Pinned messages of a channel."""
_ALL = "/channels/{channel_id}/messages/pins"
_ONE = _ALL + "/{message_id}"


@route("GET", _ALL)
def pins(call: Call) -> Json:
    """List the pinned messages, the one pinned last first: at most `limit`, of a time `before`."""
    channel = call.channel(Permission.READ_MESSAGE_HISTORY)
    limit = call.limit(50)
    found = sorted(_pinned(channel), key=lambda each: each.pinned or 0, reverse=True)
    if "before" in call.query:
        before = datetime.fromisoformat(call.query["before"]).timestamp()
        found = [each for each in found if (each.pinned or 0) < before]
    items = [{"pinned_at": iso(each.pinned or 0), "message": call.read(each)} for each in found]
    return {"items": items[:limit], "has_more": len(items) > limit}


@route("PUT", _ONE)
def pin(call: Call) -> None:
    """Pin a message, which a message of Discord's own tells."""
    message = _message(call)
    if message.pinned is not None:
        return
    channel = message.channel
    if len(_pinned(channel)) >= MOST:
        raise Refused(400, 30003, f"Maximum number of pins reached for the channel ({MOST})")
    message.pinned = call.box.clock.now()
    about = {"type": 0, "message_id": str(message.id), "channel_id": str(channel.id)}
    about |= {"guild_id": str(channel.guild.id)} if channel.guild else {}
    posting.announce(channel, call.box.world.bot, PINNED, "", reference=about)


@route("DELETE", _ONE)
def unpin(call: Call) -> None:
    """Pin a message no more."""
    _message(call).pinned = None
    call.box.clock.tell()


def _message(call: Call) -> Message:
    channel = call.channel(Permission.PIN_MESSAGES)
    message = call.message(channel)
    posting.check_awake(channel)
    return message


def _pinned(channel: Channel) -> list[Message]:
    return [each for each in channel.messages() if each.pinned is not None]
