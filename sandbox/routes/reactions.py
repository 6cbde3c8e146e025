"""Routes of the bot's own reactions to messages."""

from sandbox import posting
from sandbox.emoji import is_standard
from sandbox.form import Refused
from sandbox.messages import Message
from sandbox.permissions import Permission, require
from sandbox.routes.table import Call, route

MOST = 20
"""Different reactions to one message."""
_OWN = "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me"


@route("PUT", _OWN)
def react(call: Call) -> None:
    """React to a message; a reaction that nobody has given yet needs ADD_REACTIONS."""
    message, emoji = _message(call), _emoji(call)
    if not message.reactions.get(emoji):
        require(message.channel, call.bot, Permission.ADD_REACTIONS)
        if len(message.reactions) >= MOST:
            raise Refused(400, 30010, f"Maximum number of reactions reached ({MOST})")
    message.reactions.setdefault(emoji, set()).add(call.bot)
    call.box.clock.tell()


@route("DELETE", _OWN)
def take_back(call: Call) -> None:
    """Take a reaction back."""
    message, emoji = _message(call), _emoji(call)
    given = message.reactions.get(emoji, set())
    if call.bot not in given:
        raise Refused(404, 10014, "Unknown Emoji")
    given.remove(call.bot)
    if not given:
        del message.reactions[emoji]
    call.box.clock.tell()


def _message(call: Call) -> Message:
    channel = call.channel(Permission.READ_MESSAGE_HISTORY)
    message = call.message(channel)
    posting.check_awake(channel)
    return message


def _emoji(call: Call) -> str:
    """Return the emoji of the path: a standard one, or "name:id" of one of the application's own."""
    emoji = call.ids["emoji"]
    _, _, id_ = emoji.partition(":")
    if not (is_standard(emoji) or (id_.isdecimal() and int(id_) in call.box.world.emojis)):
        raise Refused(400, 10014, "Unknown Emoji")
    return emoji
