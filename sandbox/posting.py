"""Posting, editing and deleting messages, as routes, interactions and people all do it."""

import mimetypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sandbox import mentions, payloads, pictures, rendering
from sandbox.bodies import EPHEMERAL, HAS_THREAD, LOADING, SETTABLE, WRITTEN
from sandbox.checks import Json, Refused
from sandbox.guilds import Thread
from sandbox.members import User
from sandbox.permissions import Permission
from sandbox.refusals import check_message, stored_name
from sandbox.world import Channel, Message, World

EMPTY: Json = {"content": "", "embeds": [], "components": [], "attachments": [], "flags": 0}


@dataclass(frozen=True)
class Upload:
    """A file that was sent with a request as `files[index]`."""

    name: str
    data: bytes
    index: int = 0


def post(
    channel: Channel,
    author: User,
    raw: Mapping[str, Any],
    files: Sequence[Upload] = (),
    *,
    only_for: int | None = None,
    flags: int = 0,
    **more: Any,
) -> Message:
    """Post a message that has passed `check_new`. `more` are further fields of `Message`."""
    body = _new_body(channel, raw, files)
    body["flags"] |= flags | (EPHEMERAL if only_for else 0)
    message = Message(channel.world.snowflakes.next(), channel, author, body, only_for=only_for, **more)
    channel.log[message.id] = message
    _mention(message, raw)
    _join_and_unarchive(message)
    message.note_viewers()
    channel.dispatch("MESSAGE_CREATE", payloads.message_event(message, new=True))
    return message


def edit(message: Message, raw: Mapping[str, Any], files: Sequence[Upload] = ()) -> None:
    """Change a message by an edit that has passed `check_edit`. It can change the mentions, but pings nobody.

    An edit turns a placeholder into a message, which then does not count as edited."""
    filled = message.loading
    body = _edited(message, raw, files)
    body["flags"] &= ~LOADING
    message.change(body, None if filled else message.channel.world.clock.now())
    if raw.keys() & {"content", "components"}:
        mentions.note(message, raw.get("allowed_mentions"))
    _dispatch("MESSAGE_UPDATE", message)


def delete(message: Message) -> None:
    message.deleted = True
    message.channel.dispatch("MESSAGE_DELETE", {"id": str(message.id), **message.channel.address()})


def check_new(world: World, raw: Mapping[str, Any], files: Sequence[Upload], *, answer: bool = False) -> None:
    """Raise Refused for a message that Discord would refuse."""
    check_message(raw, files=_names(files), answer=answer, emojis=world.emojis)


def check_exists(channel: Channel) -> None:
    """Raise Refused (10003) if the channel was deleted."""
    channel.world.channel(channel.id)


def check_writable(channel: Channel) -> None:
    """Raise Refused if the channel was deleted (10003) or is an archived thread (50083)."""
    check_exists(channel)
    if isinstance(channel, Thread) and channel.archived:
        raise Refused(400, 50083, "Thread is archived")


def check_edit(message: Message, raw: Mapping[str, Any], files: Sequence[Upload]) -> None:
    """Raise Refused for an edit that Discord would refuse."""
    check_message(raw, files=_names(files), edit_of=message.body, emojis=message.channel.world.emojis)


def _names(files: Sequence[Upload]) -> dict[int, str]:
    return {file.index: file.name for file in files}


def _new_body(channel: Channel, raw: Mapping[str, Any], files: Sequence[Upload]) -> Json:
    """Return the body of a new message, as Discord would return it."""
    body: Json = {name: raw.get(name) or empty for name, empty in EMPTY.items()}
    body["flags"] &= SETTABLE
    named = _listed_attachments(raw)
    body["attachments"] = [_store(channel, file, named.get(str(file.index), {})) for file in files]
    return _rendered(body)


def _edited(message: Message, raw: Mapping[str, Any], files: Sequence[Upload]) -> Json:
    changed = {name: raw[name] or empty for name, empty in EMPTY.items() if name in raw}
    kept = message.body["flags"] & ~(SETTABLE if "flags" in raw else 0)
    body = message.body | changed
    body["flags"] = kept | (body["flags"] & SETTABLE)
    body["attachments"] = _changed_attachments(message, raw, files)
    return _rendered(body)


def _changed_attachments(message: Message, raw: Mapping[str, Any], files: Sequence[Upload]) -> list[Json]:
    """Return the attachments after an edit: the old and new ones listed in `attachments`, or all without a list."""
    old, named = message.body["attachments"], _listed_attachments(raw)
    if raw.get("attachments") is not None and not message.loading:
        old = [each for each in old if each["id"] in named]
        files = [each for each in files if str(each.index) in named]
    return [*old, *(_store(message.channel, each, named.get(str(each.index), {})) for each in files)]


def _listed_attachments(raw: Mapping[str, Any]) -> dict[str, Json]:
    return {str(each["id"]): each for each in raw.get("attachments") or ()}


def _store(channel: Channel, file: Upload, wishes: Mapping[str, Any]) -> Json:
    world = channel.world
    id_ = world.snowflakes.next()
    world.files[id_] = world.uploads.setdefault(file.data, file.data)
    name = stored_name(wishes.get("filename") or file.name)
    url = f"{world.url}/attachments/{channel.id}/{id_}/{name}"
    data = {"id": str(id_), "filename": name, "size": len(file.data), "url": url, "proxy_url": url}
    data["content_type"] = mimetypes.guess_type(name)[0] or "application/octet-stream"
    data |= dict(zip(("width", "height"), pictures.size(file.data) or (), strict=False))
    return data | ({"description": wishes["description"]} if wishes.get("description") else {})


def _rendered(body: Json) -> Json:
    body["components"] = rendering.components(body["components"], body["attachments"])
    return body


def _mention(message: Message, raw: Mapping[str, Any]) -> None:
    """Set the mentions and pings of a new message. Members mentioned in a thread are added to it."""
    if message.type not in WRITTEN:
        return
    channel = message.channel
    mentions.note(message, raw.get("allowed_mentions"))
    if message.ephemeral:
        return
    if isinstance(channel, Thread):
        for id_ in message.mentions:
            if channel.parent.sees(id_):
                channel.add(channel.world.users[id_])
    message.pings = mentions.pinged(message)


def _join_and_unarchive(message: Message) -> None:
    """Add the author of a message to its thread, and unarchive the thread; only moderators unarchive a locked one."""
    channel = message.channel
    if isinstance(channel, Thread) and not message.ephemeral:
        channel.touch()
        channel.add(message.author)
        moderates = channel.permissions(message.author.id) & Permission.MANAGE_THREADS
        if channel.archived and (moderates or not channel.locked):
            channel.archive(False)


def _dispatch(event: str, message: Message) -> None:
    message.channel.dispatch(event, payloads.message_event(message))


def open_thread(thread: Thread, starter: Message | None) -> None:
    """Add a new thread to the world; `starter` is the message on which it was started, if any."""
    thread.world.channels[thread.id] = thread
    thread.members[thread.owner.id] = thread.world.clock.now()
    if starter is not None:
        starter.thread = thread
        starter.body["flags"] |= HAS_THREAD
        _dispatch("MESSAGE_UPDATE", starter)
    thread.dispatch("THREAD_CREATE", thread.payload() | {"newly_created": True})


def post_system_message(channel: Channel, author: User, kind: int, content: str, **more: Any) -> Message:
    """Post a system message, such as "a thread was started". `more` as in `post`."""
    return post(channel, author, {"content": content}, type=kind, **more)
