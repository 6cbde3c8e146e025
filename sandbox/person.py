"""People: what they can do with a Discord client, and everything that they can see."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

from sandbox import inputs, posting, slash
from sandbox.answer import Answer, Impossible, Modal
from sandbox.bodies import strings
from sandbox.checks import Json
from sandbox.commands import Commands
from sandbox.components import BUTTON, LINK, SELECTS
from sandbox.gateway import Gateway
from sandbox.guilds import Guild, Thread, guild_of
from sandbox.interactions import Interaction, Interactions
from sandbox.members import User
from sandbox.permissions import Permission
from sandbox.refusals import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT
from sandbox.world import Channel, DirectChannel, Message, World

LONGEST = 2000
"""Characters of a message that a person may write."""
LONGEST_NICK = 32


class Person:
    """A user with a Discord client. An act that the client would not allow raises Impossible."""

    def __init__(
        self,
        user: User,
        world: World,
        gateway: Gateway,
        commands: Commands,
        interactions: Interactions,
        deliver: Callable[[Json], object],
    ) -> None:
        """`deliver` sends an interaction's event to the bot."""
        self.user = user
        self.world = world
        self._gateway = gateway
        self._commands = commands
        self._interactions = interactions
        self._deliver = deliver
        self.answers: list[Answer] = []
        self._dismissed: set[int] = set()

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def name(self) -> str:
        return self.user.name

    @property
    def mention(self) -> str:
        """Text by which a message mentions them."""
        return f"<@{self.id}>"

    def __repr__(self) -> str:
        return f"<Person {self.name}>"

    # What they see.

    @property
    def dms(self) -> DirectChannel:
        """Direct messages with the bot, opened if necessary."""
        return self.world.direct(self.user)

    def places(self) -> list[Channel]:
        """Return the channels, threads and direct messages they see."""
        return [each for each in self.world.channels.values() if each.sees(self.id)]

    def sees(self, channel: Channel) -> list[Message]:
        """Return the messages they see in a channel, oldest first, including their own ephemeral ones."""
        if not channel.permissions(self.id) & Permission.READ_MESSAGE_HISTORY:
            return []
        return [each for each in channel.log.values() if self.can_see(each)]

    def can_see(self, message: Message) -> bool:
        """Return whether they see a message now."""
        return message.visible_to(self.id) and message.id not in self._dismissed

    @property
    def pings(self) -> list[Message]:
        """Messages that pinged them."""
        logs = (channel.log.values() for channel in self.world.channels.values())
        return [each for log in logs for each in log if self.id in each.pings]

    def everything(self) -> Iterator[str]:
        """Yield every string in everything that `sights` yields: texts, labels, values, custom ids, file names, alt
        texts, nonces, names of channels."""
        for _, thing in self.sights():
            yield from strings(thing)

    def sights(self) -> Iterator[tuple[Hashable, object]]:
        """Yield everything that their client has received, each item with a key that stays the same: the channels they
        see, every state of every message, the modals and choices they were offered, the commands."""
        world = self.world
        for place in self.places():
            name = place.payload().get("name")
            yield (place.id, name), name
        for channel in [*world.channels.values(), *world.deleted_channels]:
            for message in list(channel.log.values()):
                yield from self._states(message)
        for answer in self.answers:
            given = answer.interaction
            yield (given.id, given.answer), (given.modal, given.choices)
        yield "commands", self._commands.all()

    def _states(self, message: Message) -> Iterator[tuple[Hashable, object]]:
        states = [*message.past, message.body]
        for number, (body, viewers) in enumerate(zip(states, message.viewers, strict=True)):
            latest = number == message.edits
            if self.id in viewers or (latest and message.visible_to(self.id)):
                yield (message.id, number), (body, message.nonce)

    # What they do.

    async def slash(self, channel: Channel, command: str, **options: Any) -> Answer:
        """Use a command, e.g. "twin-palms start". Options by name; users, roles and channels as objects or ids."""
        return await self.command(channel, command, options)

    async def command(
        self, channel: Channel, command: str, options: Mapping[str, Any], *, times: int = 1
    ) -> Answer:
        """Use a command with the options of a mapping, else as `slash`; `times` as in `interact`."""
        self._may_use_commands(channel)
        data = slash.invocation(self.user, self._commands, channel, command, options)
        return await self.interact(COMMAND, channel, data, times=times)

    async def choose(self, channel: Channel, command: str, target: "Message | User | Person") -> Answer:
        """Use a command of the menu that a long press on a message or a person opens."""
        self._may_use_commands(channel)
        meant = target.user if isinstance(target, Person) else target
        if isinstance(meant, Message) and not self.can_see(meant):
            raise Impossible(f"{self.name} does not see that message.")
        data = slash.choice(self.user, self._commands, channel, command, meant)
        return await self.interact(COMMAND, channel, data)

    async def autocomplete(
        self, channel: Channel, command: str, option: str, typed: str, **options: Any
    ) -> list[Json]:
        """Return the choices that the bot offers for an option while it contains `typed`."""
        self._may_use_commands(channel)
        data = slash.completion(self.user, self._commands, channel, command, option, typed, options)
        return (await self.interact(AUTOCOMPLETE, channel, data)).choices

    async def click(self, message: Message, button: str, *, times: int = 1, wait: bool = True) -> Answer:
        """Press a button, by label or custom id; `times` and `wait` as in `interact`."""
        found = _called(message.buttons, button)
        if found.get("style") == LINK:
            raise Impossible(
                f"{button!r} is a link to {found['url']}; the bot is not informed of clicks on it."
            )
        return await self.use(message, found["custom_id"], times=times, wait=wait)

    async def select(
        self, message: Message, select: str, picks: Sequence[Any], *, times: int = 1, wait: bool = True
    ) -> Answer:
        """Choose in a select, by placeholder or custom id. Picks are values, labels, or a Person, role or channel.
        `times` and `wait` as in `interact`."""
        found = _called(message.selects, select)
        values = inputs.by_value(found, picks)
        return await self.use(message, found["custom_id"], values, times=times, wait=wait)

    async def use(
        self,
        message: Message,
        custom_id: str,
        picks: Sequence[Any] = (),
        *,
        times: int = 1,
        wait: bool = True,
    ) -> Answer:
        """Press a button or choose values in a select, by custom id and values only, as a client sends it."""
        component = self._usable(message, custom_id)
        data = {"component_type": component["type"], "custom_id": custom_id, "id": component["id"]}
        if component["type"] in SELECTS:
            data |= inputs.picked(self.user, message.channel, component, picks)
        return await self.interact(COMPONENT, message.channel, data, message, times=times, wait=wait)

    async def submit(
        self, modal: Modal, entries: Mapping[str, Any], *, times: int = 1, wait: bool = True
    ) -> Answer:
        """Fill in a modal, by label or custom id, and send it. Fields without an entry keep the bot's default."""
        return await self.send(modal, inputs.by_custom_id(modal, entries), times=times, wait=wait)

    async def send(
        self, modal: Modal, entries: Mapping[str, Any], *, times: int = 1, wait: bool = True
    ) -> Answer:
        """Send a modal as a client does: `entries` by custom id, options by value."""
        data, opened = inputs.filled(self.user, modal, entries), modal.interaction
        return await self.interact(
            MODAL_SUBMIT, opened.channel, data, opened.source, opener=opened, times=times, wait=wait
        )

    async def press(
        self, message: Message | int, custom_id: str, kind: int = BUTTON, *, wait: bool = True, **data: Any
    ) -> Answer:
        """Forge the use of a component, whether the message has it or not: an old button, somebody else's custom id."""
        found = message if isinstance(message, Message) else self._message(message)
        raw = {"component_type": kind, "custom_id": custom_id, "id": 1, **data}
        return await self.interact(COMPONENT, found.channel, raw, found, wait=wait)

    async def say(self, channel: Channel, content: str) -> Message:
        """Post a message."""
        self._check_open(channel)
        in_thread = isinstance(channel, Thread)
        need = Permission.SEND_MESSAGES_IN_THREADS if in_thread else Permission.SEND_MESSAGES
        granted = channel.permissions(self.id)
        if not granted & need or not content.strip() or len(content) > LONGEST:
            raise Impossible(f"{self.name} may not write that there.")
        if isinstance(channel, Thread) and channel.locked and not granted & Permission.MANAGE_THREADS:
            raise Impossible(f"{self.name} may not write there: the thread is locked.")
        return posting.post(channel, self.user, {"content": content})

    def dismiss(self, message: Message) -> None:
        """Remove an ephemeral message from one's own screen. The bot is not informed."""
        if not message.ephemeral:
            raise Impossible("Only ephemeral messages can be dismissed.")
        self._dismissed.add(message.id)
        self.world.clock.notify()

    def restart(self) -> None:
        """Restart the client, which removes its ephemeral messages."""
        for channel in self.places():
            self._dismissed |= {each.id for each in self.sees(channel) if each.ephemeral}
        self.world.clock.notify()

    def delete(self, message: Message) -> None:
        """Delete a message of one's own, or of anybody with the permission to manage messages."""
        manages = message.channel.permissions(self.id) & Permission.MANAGE_MESSAGES
        if message.author is not self.user and not manages:
            raise Impossible(f"{self.name} may not delete that message.")
        posting.delete(message)

    def leave(self, guild: Guild) -> None:
        guild.remove(self.user)

    def rename(self, guild: Guild, nick: str | None) -> None:
        """Set the nickname in a guild; None removes it."""
        if nick is not None and not (nick.strip() and len(nick) <= LONGEST_NICK):
            raise Impossible(f"A nickname has 1 to {LONGEST_NICK} characters.")
        guild.members[self.id].nick = nick
        guild.member_changed(self.user)

    def install(self) -> None:
        """Install the application for oneself: in any server, in group direct messages, and everywhere else."""
        self.user.installed = True

    def close_dms(self) -> None:
        """Refuse direct messages from bots."""
        self.user.dms_open = False

    def open_dms(self) -> None:
        """Accept direct messages from bots again."""
        self.user.dms_open = True

    async def interact(
        self,
        type_: int,
        channel: Channel,
        data: Json,
        source: Message | None = None,
        *,
        opener: Interaction | None = None,
        times: int = 1,
        wait: bool = True,
    ) -> Answer:
        """Deliver an interaction to the bot `times` times and, if `wait`, wait for the first answer.

        `opener` is the interaction that opened the submitted modal. Without a bot that is connected, or that the
        sandbox disconnected and that may resume, this does not wait."""
        self._check_open(channel)
        owners = self._owners(channel, data, source, opener)
        interaction = self._interactions.begin(type_, self.user, channel, data, source, opener, owners)
        reached = owners != {}
        for _ in range(times if reached else 0):
            self._deliver(self._interactions.event(interaction))
        answered = not wait or (reached and await self._answered(interaction))
        answer = Answer(interaction, failed=not answered)
        self.answers.append(answer)
        return answer

    def _owners(
        self, channel: Channel, data: Json, source: Message | None, opener: Interaction | None
    ) -> Json:
        """Return by whose installation an interaction reaches the bot. Components and modals go on with the
        installation of the command that led to them."""
        if opener is not None:
            return opener.owners
        guild = guild_of(channel)
        if guild is not None and guild.has_bot:
            by_guild: Json = {"0": str(guild.id)}
        else:
            by_guild = {"0": "0"} if guild is None and isinstance(channel, DirectChannel) else {}
        if source is not None:
            about = (source.interaction or {}).get("interaction_metadata", {})
            known = about.get("authorizing_integration_owners", by_guild)
            return by_guild | {key: owner for key, owner in known.items() if key != "0"}
        for command in self._commands.all():
            if command["id"] == data.get("id"):
                return slash.owners(command, self.user, channel)
        return by_guild

    async def _answered(self, interaction: Interaction) -> bool:
        def over() -> bool:
            return interaction.answer is not None or not self._gateway.expected

        await self.world.clock.until(over, interaction.due)
        return interaction.answer is not None

    def offered(self, channel: Channel) -> list[Json]:
        """Return the commands they may use in a channel."""
        return slash.offered(self.user, self._commands, channel)

    def _usable(self, message: Message, custom_id: str) -> Json:
        """Return the component of a custom id. Raises Impossible unless this person can use it."""
        if not self.can_see(message):
            raise Impossible(f"{self.name} does not see that message.")
        for component in message.components:
            if component.get("custom_id") == custom_id:
                if component.get("disabled"):
                    raise Impossible(f"{custom_id!r} is disabled.")
                return component
        refusal = Impossible("That button or menu is not there any more.")
        refusal.add_note(f"There is no component {custom_id!r}; there are {message.custom_ids}.")
        raise refusal

    def _message(self, id_: int) -> Message:
        for channel in self.world.channels.values():
            if id_ in channel.log:
                return channel.log[id_]
        raise Impossible(f"There is no message {id_}.")

    def _check_open(self, channel: Channel) -> None:
        if channel.id not in self.world.channels:
            raise Impossible("That channel was deleted.")
        if not channel.sees(self.id):
            raise Impossible(f"{self.name} does not see that channel.")
        guild = guild_of(channel)
        if guild and self._gateway.is_out(guild):
            raise Impossible("That server is unavailable at the moment.")

    def _may_use_commands(self, channel: Channel) -> None:
        if isinstance(channel, Thread) and channel.archived:
            raise Impossible("There are no commands in an archived thread; a message unarchives it.")
        if not channel.permissions(self.id) & Permission.USE_APPLICATION_COMMANDS:
            raise Impossible(f"{self.name} may not use commands there.")


def _called(components: Sequence[Json], name: str) -> Json:
    """Return the only component with this label, placeholder or custom id."""
    keys = ("label", "placeholder", "custom_id")
    found = [each for each in components if name in [each.get(key) for key in keys]]
    if len(found) != 1:
        there = [each.get("label") or each.get("placeholder") or each.get("custom_id") for each in components]
        raise Impossible(f"{len(found)} components are called {name!r}; there are {there}.")
    return found[0]
