"""Routes of the bot's reactions to messages."""

from sandbox.checks import Refused
from sandbox.emoji import is_standard
from sandbox.permissions import Permission
from sandbox.routes.table import Call, route

MOST = 20
"""Different reactions to one message."""
_OWN = "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me"


@route("PUT", _OWN)
def react(call: Call) -> None:
    """React to a message. A reaction that the message does not have yet needs ADD_REACTIONS."""
    message, emoji = call.message_in_use(Permission.READ_MESSAGE_HISTORY), _emoji(call)
    if not message.reactions.get(emoji):
        message.channel.require(call.bot, Permission.ADD_REACTIONS)
        if len(message.reactions) >= MOST:
            raise Refused(400, 30010, f"Maximum number of reactions reached ({MOST})")
    message.reactions.setdefault(emoji, set()).add(call.bot)
    call.world.clock.notify()


@route("DELETE", _OWN)
def remove(call: Call) -> None:
    """Remove a reaction of the bot."""
    message, emoji = call.message_in_use(Permission.READ_MESSAGE_HISTORY), _emoji(call)
    given = message.reactions.get(emoji, set())
    if call.bot not in given:
        raise Refused(404, 10014, "Unknown Emoji")
    given.remove(call.bot)
    if not given:
        del message.reactions[emoji]
    call.world.clock.notify()


def _emoji(call: Call) -> str:
    """Return the emoji of the path: a standard one, or "name:id" of one that the application owns."""
    emoji = call.ids["emoji"]
    _, _, id_ = emoji.partition(":")
    if not (is_standard(emoji) or (id_.isdecimal() and int(id_) in call.world.emojis)):
        raise Refused(400, 10014, "Unknown Emoji")
    return emoji
