"""Posting, editing and deleting messages: what the bot's routes, interactions and people have in common."""

import mimetypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sandbox import mentions, payloads, pictures, rendering
from sandbox.channels import Channel, Thread
from sandbox.messages import EPHEMERAL, HAS_THREAD, LOADING, SETTABLE, WRITTEN, Message
from sandbox.permissions import Permission
from sandbox.refusals import Refused, check_message, stored_name

if TYPE_CHECKING:
    from sandbox.world import User, World

Json: TypeAlias = dict[str, Any]

EMPTY: Json = {"content": "", "embeds": [], "components": [], "attachments": [], "flags": 0}


@dataclass(frozen=True)
class Upload:
    """A file that came with a request as `files[index]`."""

    name: str
    data: bytes
    index: int = 0


def post(
    channel: Channel,
    author: "User",
    raw: Mapping[str, Any],
    files: Sequence[Upload] = (),
    *,
    only_for: int | None = None,
    flags: int = 0,
    **more: Any,
) -> Message:
    """Put a message, already found sound, into a channel. `more` are further fields of `Message`."""
    body = new_body(channel, raw, files)
    body["flags"] |= flags | (EPHEMERAL if only_for else 0)
    message = Message(channel.world.snowflakes.next(), channel, author, body, only_for=only_for, **more)
    channel.log[message.id] = message
    _mention(message, raw)
    _join_and_wake(message)
    message.witness()
    channel.dispatch("MESSAGE_CREATE", payloads.message_event(message, new=True))
    return message


def edit(message: Message, raw: Mapping[str, Any], files: Sequence[Upload] = ()) -> None:
    """Change a message by an edit that was already found sound. It mentions anew, but pings nobody.

    A placeholder becomes a message by it, and does not count as edited."""
    filled = message.loading
    body = _edited(message, raw, files)
    body["flags"] &= ~LOADING
    message.change(body, None if filled else message.channel.world.clock.now())
    if raw.keys() & {"content", "components"}:
        mentions.note(message, raw.get("allowed_mentions"))
    _tell("MESSAGE_UPDATE", message)


def delete(message: Message) -> None:
    """Delete a message."""
    message.deleted = True
    gone = {"id": str(message.id), "channel_id": str(message.channel.id)}
    guild = message.channel.guild
    message.channel.dispatch("MESSAGE_DELETE", gone | ({"guild_id": str(guild.id)} if guild else {}))


def check_new(
    world: "World", raw: Mapping[str, Any], files: Sequence[Upload], *, answer: bool = False
) -> None:
    """Refuse a message Discord would refuse."""
    check_message(raw, files=_names(files), answer=answer, emojis=world.emojis)


def check_there(channel: Channel) -> None:
    """Refuse (10003) what needs a channel that was deleted."""
    channel.world.channel(channel.id)


def check_awake(channel: Channel) -> None:
    """Refuse what neither a deleted channel nor an archived thread allows."""
    check_there(channel)
    if isinstance(channel, Thread) and channel.archived:
        raise Refused(400, 50083, "Thread is archived")


def check_edit(message: Message, raw: Mapping[str, Any], files: Sequence[Upload]) -> None:
    """Refuse an edit Discord would refuse."""
    check_message(raw, files=_names(files), edit_of=message.body, emojis=message.channel.world.emojis)


def _names(files: Sequence[Upload]) -> dict[int, str]:
    return {file.index: file.name for file in files}


def new_body(channel: Channel, raw: Mapping[str, Any], files: Sequence[Upload]) -> Json:
    """The body of a new message, as Discord would return it."""
    body: Json = {name: raw.get(name) or empty for name, empty in EMPTY.items()}
    body["flags"] &= SETTABLE
    named = _listed(raw)
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
    """Return the attachments after an edit: old and new ones that `attachments` lists, or all where there is none."""
    old, named = message.body["attachments"], _listed(raw)
    if raw.get("attachments") is not None and not message.loading:
        old = [each for each in old if each["id"] in named]
        files = [each for each in files if str(each.index) in named]
    return [*old, *(_store(message.channel, each, named.get(str(each.index), {})) for each in files)]


def _listed(raw: Mapping[str, Any]) -> dict[str, Json]:
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
    return data | {key: wishes[key] for key in ("description", "title") if wishes.get(key)}


def _rendered(body: Json) -> Json:
    attachments = body["attachments"]
    body["components"] = rendering.components(body["components"], attachments)
    body["embeds"] = rendering.embeds(body["embeds"], attachments)
    return body


def _mention(message: Message, raw: Mapping[str, Any]) -> None:
    """Note whom a new message mentions and pings. Mentioning members in a thread adds them to it."""
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


def _join_and_wake(message: Message) -> None:
    """Let the author join a thread, and wake it; a locked one is woken by a moderator only."""
    channel = message.channel
    if isinstance(channel, Thread) and not message.ephemeral:
        channel.touch()
        channel.add(message.author)
        moderates = channel.permissions(message.author.id) & Permission.MANAGE_THREADS
        if channel.archived and (moderates or not channel.locked):
            channel.archive(False)


def _tell(event: str, message: Message) -> None:
    message.channel.dispatch(event, payloads.message_event(message))


def open_thread(thread: Thread, starter: Message | None) -> None:
    """Put a new thread into the world; `starter` is the message it hangs on."""
    thread.world.channels[thread.id] = thread
    thread.members[thread.owner.id] = thread.world.clock.now()
    if starter is not None:
        starter.thread = thread
        starter.body["flags"] |= HAS_THREAD
        _tell("MESSAGE_UPDATE", starter)
    thread.dispatch("THREAD_CREATE", thread.payload() | {"newly_created": True})


def announce(channel: Channel, author: "User", kind: int, content: str, **more: Any) -> Message:
    """Put a message of Discord's own into a channel, such as "a thread was started". `more` as in `post`."""
    return post(channel, author, {"content": content}, type=kind, **more)
