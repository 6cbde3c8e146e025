"""Routes that describe channels, and archive and delete threads."""

from sandbox.checks import Json, Refused, boolean
from sandbox.permissions import Permission
from sandbox.routes.table import Call, route
from sandbox.routes.threads import check_room


@route("GET", "/channels/{channel_id}")
def channel(call: Call) -> Json:
    return call.channel().payload()


@route("PATCH", "/channels/{channel_id}")
def archive(call: Call) -> Json:
    """Archive or unarchive a thread: its owner and moderators can, and others can unarchive one. Only moderators can
    change one that is locked."""
    thread, archived = call.thread(), call.form({"archived": boolean}, {})["archived"]
    if thread.archived and archived:
        raise Refused(400, 50083, "Thread is archived")
    if thread.locked or (archived and thread.owner.id != call.bot):
        thread.require(call.bot, Permission.MANAGE_THREADS)
    if thread.archived:
        check_room(thread.guild)
    thread.archive(archived)
    return thread.payload()


@route("DELETE", "/channels/{channel_id}")
def delete(call: Call) -> Json:
    """Delete a thread."""
    thread = call.thread()
    thread.require(call.bot, Permission.MANAGE_THREADS)
    thread.delete()
    return thread.payload()
