"""The sandbox's objects as Discord's API writes them in JSON."""

from typing import TYPE_CHECKING, Any, TypeAlias

from sandbox.clock import iso
from sandbox.links import signed
from sandbox.snowflakes import time_of

if TYPE_CHECKING:
    from sandbox.messages import Message
    from sandbox.world import Guild, Member, Role, User

Json: TypeAlias = dict[str, Any]

LOCALE = "en-US"


def user(of: "User") -> Json:
    """A user."""
    return {
        "id": str(of.id),
        "username": of.name,
        "discriminator": "0",
        "global_name": None if of.bot else of.name,
        "avatar": None,
        "bot": of.bot,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }


def member(of: "Member") -> Json:
    """A member, with the user."""
    return {"user": user(of.user), **partial_member(of)}


def partial_member(of: "Member") -> Json:
    """A member, without the user."""
    return {
        "nick": of.nick,
        "avatar": None,
        "banner": None,
        "roles": [str(each) for each in of.roles],
        "joined_at": iso(of.joined),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
        "communication_disabled_until": None if of.timeout is None else iso(of.timeout),
    }


def role(of: "Role") -> Json:
    """A role."""
    return {
        "id": str(of.id),
        "name": of.name,
        "permissions": str(int(of.permissions)),
        "position": of.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "icon": None,
        "unicode_emoji": None,
        "managed": False,
        "mentionable": of.mentionable,
        "flags": 0,
    }


_NOTHING = (
    *("icon", "splash", "discovery_splash", "home_header", "banner", "description", "vanity_url_code"),
    *("application_id", "system_channel_id", "afk_channel_id", "rules_channel_id", "widget_channel_id"),
    *("public_updates_channel_id", "safety_alerts_channel_id", "incidents_data", "max_presences"),
)
_LEVELS = (
    *("verification_level", "explicit_content_filter", "mfa_level", "nsfw_level", "premium_tier"),
    *("premium_subscription_count", "system_channel_flags"),
)
_PLAIN_GUILD: Json = {
    **dict.fromkeys(_NOTHING),
    **dict.fromkeys(_LEVELS, 0),
    "default_message_notifications": 1,
    "region": "deprecated",
    "afk_timeout": 300,
    "max_members": 500_000,
    "max_video_channel_users": 25,
    "max_stage_video_channel_users": 50,
    "nsfw": False,
    "widget_enabled": False,
    "premium_progress_bar_enabled": False,
}


def guild(of: "Guild") -> Json:
    """A guild, as its own route answers."""
    return _PLAIN_GUILD | {
        "id": str(of.id),
        "name": of.name,
        "owner_id": str(of.owner.id),
        "preferred_locale": of.locale,
        "roles": [role(each) for each in of.roles.values()],
        "emojis": [],
        "stickers": [],
        "features": [],
    }


def guild_create(of: "Guild", *, all_members: bool = False) -> Json:
    """A guild as the gateway tells of it: with the channels and active threads the bot sees."""
    bot = of.world.bot.id
    members = [each for each in of.members.values() if all_members or each.user.id == bot]
    return guild(of) | {
        "joined_at": iso(of.members[bot].joined),
        "large": False,
        "member_count": len(of.members),
        "members": [member(each) for each in members],
        "channels": [each.payload() for each in of.channels],
        "threads": [each.payload() for each in of.threads if not each.archived and each.sees(bot)],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def message(of: "Message", *, new: bool = False) -> Json:
    """A message, as its own route answers (without the guild, which the gateway adds). `new` tells of its creation."""
    channel, body = of.channel, signed(of.body, of.channel.world)
    mentioned = [channel.world.users[id_] for id_ in of.mentions]
    data = {
        "id": str(of.id),
        "channel_id": str(channel.id),
        "author": user(of.author),
        "timestamp": iso(time_of(of.id)),
        "edited_timestamp": None if of.edited is None else iso(of.edited),
        "tts": False,
        "mention_everyone": of.mention_everyone,
        "mentions": [user(each) for each in mentioned],
        "mention_roles": [str(each) for each in of.mention_roles],
        "pinned": of.pinned is not None,
        "type": of.type,
        **body,
        **(of.interaction or {}),
    }
    if of.reactions:
        data["reactions"] = [_reaction(of, emoji) for emoji in of.reactions]
    if of.ephemeral:
        data["attachments"] = [each | {"ephemeral": True} for each in body["attachments"]]
    if new and of.nonce is not None:
        data["nonce"] = of.nonce
    if of.reference is not None:
        data["message_reference"] = of.reference
        data["referenced_message"] = _referenced(of)
    if of.thread is not None:
        data["thread"] = of.thread.payload()
    return data


def _reaction(of: "Message", emoji: str) -> Json:
    name, _, id_ = emoji.partition(":")
    users = of.reactions[emoji]
    return {
        "emoji": {"id": id_ or None, "name": name},
        "count": len(users),
        "count_details": {"burst": 0, "normal": len(users)},
        "burst_colors": [],
        "me": of.channel.world.bot.id in users,
        "me_burst": False,
    }


def _referenced(of: "Message") -> Json | None:
    """Return the message that a reply answers; None when that is gone."""
    if of.referenced is None or of.referenced.deleted:
        return None
    data = message(of.referenced)
    data.pop("referenced_message", None)
    return data


def without_content(message: Json, reader: int) -> Json:
    """Return a message of a guild as a bot without the message-content intent reads it: empty, unless it is its own or
    mentions it; the same holds of a message that it answers."""
    answered = message.get("referenced_message")
    if answered:
        message = message | {"referenced_message": without_content(answered, reader)}
    if str(reader) in (message["author"]["id"], *(each["id"] for each in message["mentions"])):
        return message
    return message | {"content": "", "embeds": [], "attachments": [], "components": []}


def message_event(of: "Message", *, new: bool = False) -> Json:
    """A message as the gateway tells of it. An ephemeral one names no guild: Discord treats it like a direct one."""
    guild = of.channel.guild
    data = message(of, new=new)
    if guild is None or of.ephemeral:
        return data
    data["guild_id"] = str(guild.id)
    if of.author.id in guild.members:
        data["member"] = partial_member(guild.members[of.author.id])
    return data
