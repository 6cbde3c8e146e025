"""Routes that start threads and add people to them."""

from sandbox import posting
from sandbox.bodies import RECIPIENT_ADD, THREAD_STARTER
from sandbox.checks import Refused
from sandbox.guilds import Guild, TextChannel, Thread
from sandbox.permissions import Permission
from sandbox.refusals import check_thread
from sandbox.routes.table import Call, Created, route

MEMBERS = 1000


@route("POST", "/channels/{channel_id}/messages/{message_id}/threads")
def start_from_message(call: Call) -> Created:
    """Start a public thread on a message. The thread gets the id of the message."""
    channel = _parent(call, Permission.CREATE_PUBLIC_THREADS)
    starter = call.message(channel)
    check_thread(call.body)
    if starter.id in call.world.channels:
        raise Refused(400, 160004, "A thread has already been created for this message")
    thread = _new(call, channel, starter.id, private=False)
    posting.open_thread(thread, starter)
    posting.post_system_message(thread, call.world.bot, THREAD_STARTER, "", reference=starter.as_reference())
    return Created(thread.payload())


@route("POST", "/channels/{channel_id}/threads")
def start(call: Call) -> Created:
    """Start a private thread."""
    channel = _parent(call, Permission.CREATE_PRIVATE_THREADS)
    check_thread(call.body)
    thread = _new(call, channel, call.world.snowflakes.next(), private=True)
    posting.open_thread(thread, None)
    return Created(thread.payload())


@route("PUT", "/channels/{channel_id}/thread-members/{user_id}")
def add(call: Call) -> None:
    """Add a user. The user must see the parent channel."""
    thread, user = call.thread(), call.user()
    posting.check_writable(thread)
    thread.require(call.bot, Permission.SEND_MESSAGES_IN_THREADS)
    if not thread.parent.sees(user.id):
        raise Refused(403, 50001, "Missing Access")
    if len(thread.members) >= MEMBERS:
        raise Refused(400, 30033, "Maximum number of thread participants has been reached (1000)")
    if user.id not in thread.members:
        thread.add(user)
        posting.post_system_message(thread, call.world.bot, RECIPIENT_ADD, "", mentions=(user.id,))


def check_room(guild: Guild) -> None:
    """Raise Refused if a server has as many active threads as it may."""
    if sum(not each.archived for each in guild.threads) >= guild.most_threads:
        raise Refused(400, 160006, "Maximum number of active threads reached")


def _parent(call: Call, needed: Permission) -> TextChannel:
    channel = call.channel()
    if not isinstance(channel, TextChannel):
        raise Refused(400, 50024, "Cannot execute action on this channel type")
    channel.require(call.bot, needed)
    return channel


def _new(call: Call, parent: TextChannel, id_: int, *, private: bool) -> Thread:
    world, body = call.world, call.body
    check_room(parent.guild)
    thread = Thread(world, id_, parent, world.bot, body["name"], private, world.clock.now())
    thread.auto_archive = body.get("auto_archive_duration") or thread.auto_archive
    thread.invitable = body.get("invitable") is not False
    return thread
