"""Routes of pinned messages."""

from datetime import datetime

from sandbox import posting
from sandbox.bodies import PINNED
from sandbox.checks import Json, Refused
from sandbox.clock import iso
from sandbox.permissions import Permission
from sandbox.routes.table import Call, route
from sandbox.world import Channel, Message

MOST = 250
"""Pinned messages of a channel."""
_ALL = "/channels/{channel_id}/messages/pins"
_ONE = _ALL + "/{message_id}"


@route("GET", _ALL)
def pins(call: Call) -> Json:
    """List the pinned messages, last pinned first: at most `limit`, and only those pinned `before` a time."""
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
    """Pin a message, and post the system message that says so."""
    message = call.message_in_use(Permission.PIN_MESSAGES)
    if message.pinned is not None:
        return
    channel = message.channel
    if len(_pinned(channel)) >= MOST:
        raise Refused(400, 30003, f"Maximum number of pins reached for the channel ({MOST})")
    message.pinned = call.now
    posting.post_system_message(channel, call.world.bot, PINNED, "", reference=message.as_reference())


@route("DELETE", _ONE)
def unpin(call: Call) -> None:
    call.message_in_use(Permission.PIN_MESSAGES).pinned = None
    call.world.clock.notify()


def _pinned(channel: Channel) -> list[Message]:
    return [each for each in channel.messages() if each.pinned is not None]
