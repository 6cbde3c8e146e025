"""Routes that start threads, list them, and change their members."""

from collections.abc import Sequence

from sandbox import posting
from sandbox.bodies import RECIPIENT_ADD, THREAD_CREATED, THREAD_STARTER
from sandbox.checks import Json, Refused
from sandbox.guilds import PRIVATE_THREAD, PUBLIC_THREAD, TextChannel, Thread
from sandbox.members import User
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
    about = starter.as_reference()
    posting.post_system_message(
        thread, call.world.bot, THREAD_STARTER, "", reference=about, referenced=starter
    )
    return Created(thread.payload())


@route("POST", "/channels/{channel_id}/threads")
def start(call: Call) -> Created:
    """Start a public or private thread without a message."""
    private = (call.body or {}).get("type", PRIVATE_THREAD) == PRIVATE_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    channel = _parent(call, needed)
    check_thread(call.body)
    if call.body.get("type") not in (None, PUBLIC_THREAD, PRIVATE_THREAD):
        raise Refused(400, 50024, "Cannot execute action on this channel type")
    thread = _new(call, channel, call.world.snowflakes.next(), private=private)
    posting.open_thread(thread, None)
    if not private:
        about = {"type": 0, **thread.address()}
        posting.post_system_message(
            channel, call.world.bot, THREAD_CREATED, thread.name, reference=about, thread=thread
        )
    return Created(thread.payload())


@route("PUT", "/channels/{channel_id}/thread-members/@me")
def join(call: Call) -> None:
    """Add the bot to a thread."""
    _writable_thread(call).add(call.world.bot)


@route("DELETE", "/channels/{channel_id}/thread-members/@me")
def leave(call: Call) -> None:
    """Remove the bot from a thread."""
    _writable_thread(call).remove(call.world.bot)


@route("PUT", "/channels/{channel_id}/thread-members/{user_id}")
def add(call: Call) -> None:
    """Add a user. The user must see the parent channel."""
    thread, user = _writable_thread(call), _user(call)
    thread.require(call.bot, Permission.SEND_MESSAGES_IN_THREADS)
    if not thread.parent.sees(user.id):
        raise Refused(403, 50001, "Missing Access")
    if len(thread.members) >= MEMBERS:
        raise Refused(400, 30033, "Maximum number of thread participants has been reached (1000)")
    if user.id not in thread.members:
        thread.add(user)
        posting.post_system_message(thread, call.world.bot, RECIPIENT_ADD, "", mentions=(user.id,))


@route("DELETE", "/channels/{channel_id}/thread-members/{user_id}")
def remove(call: Call) -> None:
    """Remove a user. This needs MANAGE_THREADS, except in a private thread that the bot owns."""
    thread = _writable_thread(call)
    if not (thread.private and thread.owner.id == call.bot):
        thread.require(call.bot, Permission.MANAGE_THREADS)
    thread.remove(_user(call))


@route("GET", "/channels/{channel_id}/thread-members/{user_id}")
def member(call: Call) -> Json:
    thread = _thread(call)
    if call.id("user_id") not in thread.members:
        raise Refused(404, 10007, "Unknown Member")
    return thread.member(call.id("user_id"))


@route("GET", "/channels/{channel_id}/thread-members")
def members(call: Call) -> list[Json]:
    """List all memberships."""
    thread = _thread(call)
    return [thread.member(user) for user in thread.members]


@route("GET", "/channels/{channel_id}/threads/archived/public")
def archived_public(call: Call) -> Json:
    """List the archived public threads of a channel."""
    return _archived(call, private=False)


@route("GET", "/channels/{channel_id}/threads/archived/private")
def archived_private(call: Call) -> Json:
    """List the archived private threads of a channel."""
    call.channel(Permission.MANAGE_THREADS)
    return _archived(call, private=True)


def _archived(call: Call, *, private: bool) -> Json:
    channel = call.channel(Permission.READ_MESSAGE_HISTORY)
    if not isinstance(channel, TextChannel):
        raise Refused(400, 50024, "Cannot execute action on this channel type")
    found = [each for each in channel.threads if each.archived and each.private == private]
    found.sort(key=lambda each: each.archived_at, reverse=True)
    return thread_list(call, found)


def thread_list(call: Call, threads: Sequence[Thread]) -> Json:
    """Return the answer that lists these threads, with the bot's memberships."""
    members = [each.member(call.bot) for each in threads if call.bot in each.members]
    return {"threads": [each.payload() for each in threads], "members": members, "has_more": False}


def _parent(call: Call, needed: Permission) -> TextChannel:
    channel = call.channel()
    if not isinstance(channel, TextChannel):
        raise Refused(400, 50024, "Cannot execute action on this channel type")
    channel.require(call.bot, needed)
    return channel


def _new(call: Call, parent: TextChannel, id_: int, *, private: bool) -> Thread:
    world, body = call.world, call.body
    if sum(not each.archived for each in parent.guild.threads) >= parent.guild.most_threads:
        raise Refused(400, 160006, "Maximum number of active threads reached")
    thread = Thread(world, id_, parent, world.bot, body["name"], private, world.clock.now())
    thread.auto_archive = body.get("auto_archive_duration") or thread.auto_archive
    thread.slowmode = body.get("rate_limit_per_user") or 0
    thread.invitable = body.get("invitable") is not False
    return thread


def _thread(call: Call) -> Thread:
    channel = call.channel()
    if not isinstance(channel, Thread):
        raise Refused(400, 50024, "Cannot execute action on this channel type")
    return channel


def _writable_thread(call: Call) -> Thread:
    thread = _thread(call)
    posting.check_writable(thread)
    return thread


def _user(call: Call) -> User:
    user = call.world.users.get(call.id("user_id"))
    if user is None:
        raise Refused(404, 10013, "Unknown User")
    return user
