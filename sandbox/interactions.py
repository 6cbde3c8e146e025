"""Interactions: an act of a person, the token with which the bot answers it, and Discord's rules for answers.

The first answer is due within 3 s. Until 15 minutes after the event the token can edit it and send followups.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sandbox import payloads, posting, rendering
from sandbox.bodies import CHAT_INPUT, CONTEXT_MENU, DEFAULT, EPHEMERAL, LOADING
from sandbox.checks import Json, Refused, check, integer, record
from sandbox.command_checks import SUB_COMMAND, SUB_GROUP
from sandbox.guilds import context_of, guild_of
from sandbox.members import LOCALE, User
from sandbox.permissions import Permission
from sandbox.posting import Upload
from sandbox.refusals import AUTOCOMPLETE, COMMAND, check_answer_type, check_choices, check_modal
from sandbox.snowflakes import time_of
from sandbox.world import Channel, Message, World

FIRST_ANSWER = 3.0
OF_USERS_OWN = Permission.ATTACH_FILES | Permission.MENTION_EVERYONE
"""The bot's permissions where only a user has installed it, if the user has them, too."""
MOST_FOLLOW_UPS = 5
"""Followups to an interaction that only a user's own installation allows."""
TOKEN_LIFE = 15 * 60.0
UPLOAD_LIMIT = 10 * 1024 * 1024
MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9


@dataclass(eq=False)
class Interaction:
    """One act of one person."""

    id: int
    token: str
    type: int
    user: User
    channel: Channel
    data: Json
    source: Message | None = None
    """Message whose component was used."""
    opener: "Interaction | None" = None
    """For a submitted modal: the interaction that opened it."""
    owners: Json = field(default_factory=lambda: {"0": "0"})
    """By installation type: who has installed the application so that this interaction reaches it."""
    answer: int | None = None
    """Type of the first answer, once it was given."""
    original: Message | None = None
    """Message that `@original` names."""
    followups: list[Message] = field(default_factory=list)
    modal: Json | None = None
    choices: list[Json] | None = None
    patience: float = FIRST_ANSWER
    """Seconds within which the first answer must come."""
    edits: int = field(init=False)
    """Number of edits of `source` before it was used."""

    def __post_init__(self) -> None:
        self.edits = self.source.edits if self.source is not None else 0

    @property
    def is_users_own(self) -> bool:
        """True when only the user has installed the application: the bot is no member here."""
        return "0" not in self.owners

    @property
    def hidden(self) -> bool:
        """True when Discord makes every answer ephemeral: the user may not use applications of their own here."""
        granted = self.channel.permissions(self.user.id)
        return (
            self.is_users_own
            and guild_of(self.channel) is not None
            and not granted & Permission.USE_EXTERNAL_APPS
        )

    @property
    def due(self) -> float:
        """Unix time after which the first answer is too late."""
        return time_of(self.id) + self.patience

    @property
    def expires(self) -> float:
        """Unix time at which the token expires."""
        return time_of(self.id) + TOKEN_LIFE


class Interactions:
    def __init__(self, world: World) -> None:
        self._world = world
        self.first_answer = FIRST_ANSWER
        """Seconds within which the first answer to the next interactions must come."""
        self._by_token: dict[str, Interaction] = {}

    def begin(
        self,
        type_: int,
        user: User,
        channel: Channel,
        data: Json,
        source: Message | None = None,
        opener: Interaction | None = None,
        owners: Json | None = None,
    ) -> Interaction:
        """Record an act of a person. The caller must still send its event to the bot. By default `owners` is the
        guild."""
        id_, token = self._world.snowflakes.next(), secrets.token_urlsafe(48)
        if owners is None:
            guild = guild_of(channel)
            owners = {"0": str(guild.id) if guild else "0"}
        interaction = Interaction(
            id_, token, type_, user, channel, data, source, opener, owners, patience=self.first_answer
        )
        self._by_token[token] = interaction
        return interaction

    def respond(self, id_: int, token: str, raw: Mapping[str, Any], files: Sequence[Upload]) -> Interaction:
        """Give the first answer. Raises Refused when it is too late (10062) or not the first (40060)."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != id_:
            raise Refused(404, 10062, "Unknown interaction")
        if interaction.answer is not None:
            raise Refused(400, 40060, "Interaction has already been acknowledged.")
        if self._world.clock.now() > interaction.due:
            raise Refused(404, 10062, "Unknown interaction")
        type_ = raw.get("type")
        from_component = interaction.source is not None
        check_answer_type(interaction.type, type_, from_component)  # type: ignore[arg-type] # it checks that too
        self._answer(interaction, int(type_ or 0), raw.get("data") or {}, files)
        self._world.clock.notify()
        return interaction

    def _answer(
        self, interaction: Interaction, type_: int, data: Mapping[str, Any], files: Sequence[Upload]
    ) -> None:
        if type_ == MESSAGE:
            posting.check_new(self._world, data, files, answer=True)
            interaction.original = self._post(interaction, data, files)
        elif type_ == DEFER:
            check(data, record({}, {"flags": integer(0, 2**31 - 1)}))
            interaction.original = self._post(interaction, data, (), flags=LOADING)
        elif type_ == UPDATE:
            assert interaction.source is not None
            if interaction.source.deleted:
                raise Refused(404, 10008, "Unknown Message")
            posting.check_edit(interaction.source, data, files)
            interaction.original = interaction.source
            posting.edit(interaction.source, data, files)
        elif type_ == DEFER_UPDATE:
            interaction.original = interaction.source
        elif type_ == CHOICES:
            check_choices(data.get("choices") or [])
            interaction.choices = list(data.get("choices") or [])
        else:
            check_modal(data)
            interaction.modal = {**data, "components": rendering.components(data["components"])}
        interaction.answer = type_

    def answered(self, token: str) -> Interaction:
        """Return the interaction whose token may edit and follow up. Raises Refused when the token has expired (50027),
        there is no first answer yet (10015) or the channel was deleted (10003)."""
        interaction = self._by_token.get(token)
        if interaction is None or self._world.clock.now() > interaction.expires:
            raise Refused(401, 50027, "Invalid Webhook Token")
        if interaction.answer is None or interaction.type == AUTOCOMPLETE:
            raise Refused(404, 10015, "Unknown Webhook")
        posting.check_exists(interaction.channel)
        return interaction

    def follow_up(self, token: str, raw: Mapping[str, Any], files: Sequence[Upload]) -> Message:
        """Send a followup and return it. The first one after a deferred answer replaces the placeholder, if that still
        exists."""
        interaction = self.answered(token)
        placeholder = interaction.original
        if placeholder is not None and placeholder.loading and not placeholder.deleted:
            self.edit(placeholder, raw, files)
            return placeholder
        if interaction.is_users_own and len(interaction.followups) >= MOST_FOLLOW_UPS:
            raise Refused(400, 40094, "This interaction has reached the maximum number of follow up messages")
        posting.check_new(self._world, raw, files, answer=True)
        message = self._post(interaction, raw, files)
        interaction.followups.append(message)
        self._world.clock.notify()
        return message

    def message(self, token: str, which: int | None) -> Message:
        """Return the original response (None) or the followup of an id. Raises Refused (10008) if there is none."""
        interaction = self.answered(token)
        own = [interaction.original, *interaction.followups]
        for message in own:
            wanted = message is own[0] if which is None else message is not None and message.id == which
            if message is not None and wanted and not message.deleted:
                return message
        raise Refused(404, 10008, "Unknown Message")

    def edit(self, message: Message, raw: Mapping[str, Any], files: Sequence[Upload]) -> None:
        """Edit a response. This turns a placeholder into a message."""
        if message.loading:
            posting.check_new(self._world, raw, files, answer=True)
        else:
            posting.check_edit(message, raw, files)
        posting.edit(message, raw, files)

    def _post(
        self,
        interaction: Interaction,
        raw: Mapping[str, Any],
        files: Sequence[Upload],
        *,
        flags: int = 0,
    ) -> Message:
        ephemeral = int(raw.get("flags") or 0) & EPHEMERAL or interaction.hidden
        only_for = interaction.user.id if ephemeral else None
        return posting.post(
            interaction.channel,
            self._world.bot,
            raw,
            files,
            only_for=only_for,
            flags=flags,
            type=_message_type(interaction),
            interaction=self._metadata(interaction),
        )

    def _metadata(self, interaction: Interaction) -> Json:
        about = _about(interaction)
        if interaction.original is not None:
            about["original_response_message_id"] = str(interaction.original.id)
        data: Json = {
            "interaction_metadata": about,
            "webhook_id": str(self._world.bot.id),
            "application_id": str(self._world.bot.id),
        }
        if interaction.type == COMMAND:
            named = {"name": _full_name(interaction.data)}
            data["interaction"] = {key: about[key] for key in ("id", "type", "user")} | named
        return data

    def event(self, interaction: Interaction) -> Json:
        """Return the interaction as its gateway event describes it."""
        channel, user, guild = interaction.channel, interaction.user, guild_of(interaction.channel)
        allowed = str(int(channel.permissions(user.id)))
        data: Json = {
            "id": str(interaction.id),
            "application_id": str(self._world.bot.id),
            "type": interaction.type,
            "token": interaction.token,
            "version": 1,
            "data": interaction.data,
            "channel_id": str(channel.id),
            "channel": channel.payload() | {"permissions": allowed},
            "locale": LOCALE,
            "app_permissions": str(int(_app_permissions(interaction))),
            "entitlements": [],
            "authorizing_integration_owners": interaction.owners,
            "context": context_of(channel),
            "attachment_size_limit": UPLOAD_LIMIT,
        }
        if interaction.source is not None:
            data["message"] = payloads.message(interaction.source)
        if guild is None:
            return data | {"user": user.payload()}
        return data | {
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": LOCALE, "features": []},
            "guild_locale": LOCALE,
            "member": guild.members[user.id].payload() | {"permissions": allowed},
        }


def _about(interaction: Interaction) -> Json:
    """Return the metadata by which a message describes the interaction that it answers."""
    about: Json = {
        "id": str(interaction.id),
        "type": interaction.type,
        "user": interaction.user.payload(),
        "authorizing_integration_owners": interaction.owners,
    }
    if (target := interaction.data.get("target_id")) is not None:
        users = interaction.data["resolved"].get("users")
        about |= {"target_user": users[target]} if users else {"target_message_id": target}
    if interaction.opener is not None:
        about["triggering_interaction_metadata"] = _about(interaction.opener)
    elif interaction.source is not None:
        about["interacted_message_id"] = str(interaction.source.id)
    return about


def _full_name(command: Mapping[str, Any]) -> str:
    """Return a command's full name, such as "game start", from its interaction data."""
    inner = [each for each in command.get("options") or () if each["type"] in (SUB_COMMAND, SUB_GROUP)]
    return " ".join([command["name"], *map(_full_name, inner)])


def _app_permissions(interaction: Interaction) -> Permission:
    """Return the bot's permissions. Where it is no member, they are a few of the user's own."""
    channel = interaction.channel
    if interaction.is_users_own:
        return channel.permissions(interaction.user.id) & OF_USERS_OWN
    return channel.permissions(channel.world.bot.id)


def _message_type(interaction: Interaction) -> int:
    if interaction.type != COMMAND:
        return DEFAULT
    return CHAT_INPUT if interaction.data["type"] == 1 else CONTEXT_MENU
