"""Messages as Discord's API writes them in JSON. Users, channels and guilds have methods for their payloads."""

from collections.abc import Iterator

from sandbox.checks import Json
from sandbox.clock import iso
from sandbox.guilds import guild_of
from sandbox.snowflakes import time_of
from sandbox.world import Message


def message(of: Message, *, new: bool = False) -> Json:
    """Return a message as its REST route answers, without its guild. `new`: the payload reports its creation, and so
    contains the nonce."""
    world = of.channel.world
    body = world.links.signed(of.body)
    mentioned = [world.users[id_] for id_ in of.mentions]
    data = {
        "id": str(of.id),
        "channel_id": str(of.channel.id),
        "author": of.author.payload(),
        "timestamp": iso(time_of(of.id)),
        "edited_timestamp": None if of.edited is None else iso(of.edited),
        "tts": False,
        "mention_everyone": of.mention_everyone,
        "mentions": [each.payload() for each in mentioned],
        "mention_roles": [str(each) for each in of.mention_roles],
        "pinned": of.pinned is not None,
        "type": of.type,
        **body,
        "attachments": [*_unused_attachments(body)],
        **(of.interaction or {}),
    }
    if of.ephemeral:
        data["attachments"] = [each | {"ephemeral": True} for each in data["attachments"]]
    if new and of.nonce is not None:
        data["nonce"] = of.nonce
    if of.reference is not None:
        data["message_reference"] = of.reference
    if of.thread is not None:
        data["thread"] = of.thread.payload()
    return data


def _unused_attachments(body: Json) -> Iterator[Json]:
    """Yield the attachments that no component shows: Discord leaves the others out of the list.

    See https://github.com/discord/discord-api-docs/pull/8279. The media of a component name their attachment."""
    if body["attachments"]:
        used = {*_attachment_ids(body["components"])}
        yield from (each for each in body["attachments"] if each["id"] not in used)


def _attachment_ids(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        if "attachment_id" in part:
            yield part["attachment_id"]
        for each in part.values():
            yield from _attachment_ids(each)
    elif isinstance(part, list):
        for each in part:
            yield from _attachment_ids(each)


def without_content(message: Json, reader: int) -> Json:
    """Return a guild's message as a bot without the message-content intent reads it: empty, unless the bot `reader`
    wrote it or is mentioned in it."""
    if str(reader) in (message["author"]["id"], *(each["id"] for each in message["mentions"])):
        return message
    return message | {"content": "", "embeds": [], "attachments": [], "components": []}


def message_event(of: Message, *, new: bool = False) -> Json:
    """Return a message as a gateway event describes it."""
    guild = guild_of(of.channel)
    data = message(of, new=new)
    # Discord treats an ephemeral message like a direct one: its event names no guild.
    if guild is None or of.ephemeral:
        return data
    data["guild_id"] = str(guild.id)
    if of.author.id in guild.members:
        data["member"] = guild.members[of.author.id].partial_payload()
    return data
