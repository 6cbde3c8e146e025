"""People: what they do as a Discord client would do it, and everything they can see."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from sandbox import forms, payloads, posting, slash
from sandbox.answer import Answer, Impossible, Modal
from sandbox.channels import Channel, DirectChannel, Thread
from sandbox.command_forms import LOCALES
from sandbox.components import BUTTON, LINK, SELECTS
from sandbox.interactions import Interaction
from sandbox.messages import Message, strings
from sandbox.permissions import Permission
from sandbox.refusals import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT
from sandbox.world import Guild, User

if TYPE_CHECKING:
    from sandbox.sandbox import Sandbox

Json: TypeAlias = dict[str, Any]

LONGEST = 2000
"""Characters of what a person may write."""
LONGEST_NICK = 32


class Person:
    """Somebody with a Discord client. What the client would not let them do raises Impossible."""

    def __init__(self, box: "Sandbox", user: User) -> None:
        self.box = box
        self.user = user
        self.answers: list[Answer] = []
        self._dismissed: set[int] = set()

    @property
    def id(self) -> int:
        """Their user id."""
        return self.user.id

    @property
    def name(self) -> str:
        """Their name."""
        return self.user.name

    @property
    def locale(self) -> str:
        """The language of their client."""
        return self.user.locale

    @property
    def mention(self) -> str:
        """How a message mentions them."""
        return f"<@{self.id}>"

    def __repr__(self) -> str:
        return f"<Person {self.name}>"

    # What they see.

    @property
    def dms(self) -> DirectChannel:
        """Their direct messages with the bot."""
        return self.box.world.direct(self.user)

    def places(self) -> list[Channel]:
        """The channels, threads and direct messages they see."""
        return [each for each in self.box.world.channels.values() if each.sees(self.id)]

    def sees(self, channel: Channel) -> list[Message]:
        """The messages they see in a channel, oldest first, their own ephemeral ones included."""
        if not channel.permissions(self.id) & Permission.READ_MESSAGE_HISTORY:
            return []
        return [each for each in channel.log.values() if self.can_see(each)]

    def can_see(self, message: Message) -> bool:
        """Whether they see a message now."""
        return message.visible_to(self.id) and message.id not in self._dismissed

    @property
    def pings(self) -> list[Message]:
        """The messages that pinged them."""
        logs = (channel.log.values() for channel in self.box.world.channels.values())
        return [each for log in logs for each in log if self.id in each.pings]

    def everything(self) -> Iterator[str]:
        """Every string they could ever see or read out of their client: texts, labels, values, custom ids, file
        names, alt texts, nonces, names of places, in everything of `sights`."""
        for _, thing in self.sights():
            yield from strings(thing)

    def sights(self) -> Iterator[tuple[Hashable, object]]:
        """All that was ever shown to them, each with a key of its own that stays: every state of every message, the
        places they see, the forms and choices they were offered, the commands."""
        world = self.box.world
        for place in self.places():
            described = place.payload()
            names = described.get("name"), described.get("topic")
            yield (place.id, *names), names
        for channel in [*world.channels.values(), *world.gone]:
            for message in list(channel.log.values()):
                yield from self._states(message)
        for answer in self.answers:
            given = answer.interaction
            yield (given.id, given.answer), (given.modal, given.choices)
        yield "commands", self.box.commands.usable(None)

    def _states(self, message: Message) -> Iterator[tuple[Hashable, object]]:
        states = [*message.past, message.body]
        for number, (body, witnesses) in enumerate(zip(states, message.witnesses, strict=True)):
            latest = number == message.edits
            if self.id in witnesses or (latest and message.visible_to(self.id)):
                yield (message.id, number), (body, message.nonce)

    # What they do.

    async def slash(self, channel: Channel, command: str, **options: Any) -> Answer:
        """Use a command, e.g. "twin-palms start"; options by name, users as Person, channels as such."""
        self._may_use_commands(channel)
        data = slash.invocation(self, channel, command, options)
        return await self.interact(COMMAND, channel, data)

    async def autocomplete(
        self, channel: Channel, command: str, option: str, typed: str, **options: Any
    ) -> list[Json]:
        """The choices the bot offers for an option while `typed` stands in it."""
        self._may_use_commands(channel)
        data = slash.completion(self, channel, command, option, typed, options)
        return (await self.interact(AUTOCOMPLETE, channel, data)).choices

    async def click(self, message: Message, button: str, *, times: int = 1, wait: bool = True) -> Answer:
        """Press a button, by label or custom id; `times` and `wait` as in `interact`."""
        found = _called(message.buttons, button)
        if found.get("style") == LINK:
            raise Impossible(f"{button!r} is a link to {found['url']}; the bot does not hear of it.")
        return await self.use(message, found["custom_id"], times=times, wait=wait)

    async def select(
        self, message: Message, select: str, picks: Sequence[Any], *, times: int = 1, wait: bool = True
    ) -> Answer:
        """Choose in a select, by placeholder or custom id; picks are values, a Person, a role, a channel, or labels
        that are no option's value."""
        found = _called(message.selects, select)
        values = forms.by_value(found, picks)
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
        """Press a button or pick values in a select as a client sends it, which knows no labels."""
        component = self._usable(message, custom_id)
        data = {"component_type": component["type"], "custom_id": custom_id, "id": component["id"]}
        if component["type"] in SELECTS:
            data |= forms.picked(self, message.channel, component, picks)
        return await self.interact(COMPONENT, message.channel, data, message, times=times, wait=wait)

    async def submit(
        self, modal: Modal, entries: Mapping[str, Any], *, times: int = 1, wait: bool = True
    ) -> Answer:
        """Fill in a modal by label or custom id and send it; what is not named stays as the bot prefilled it."""
        return await self.send(modal, forms.by_custom_id(modal, entries), times=times, wait=wait)

    async def send(
        self, modal: Modal, entries: Mapping[str, Any], *, times: int = 1, wait: bool = True
    ) -> Answer:
        """Send a modal as a client does, which knows no labels: `entries` are by custom id, options by value."""
        data, opened = forms.filled(self, modal, entries), modal.interaction
        return await self.interact(
            MODAL_SUBMIT, opened.channel, data, opened.source, opener=opened, times=times, wait=wait
        )

    async def press(
        self, message: Message | int, custom_id: str, kind: int = BUTTON, *, wait: bool = True, **data: Any
    ) -> Answer:
        """Forge the use of a component, whatever the message shows now: old buttons, others' custom ids."""
        found = message if isinstance(message, Message) else self._message(message)
        raw = {"component_type": kind, "custom_id": custom_id, "id": 1, **data}
        return await self.interact(COMPONENT, found.channel, raw, found, wait=wait)

    async def say(self, channel: Channel, content: str) -> Message:
        """Write a message."""
        self._check_open(channel)
        in_thread = isinstance(channel, Thread)
        need = Permission.SEND_MESSAGES_IN_THREADS if in_thread else Permission.SEND_MESSAGES
        granted = channel.permissions(self.id)
        if not granted & need or not content.strip() or len(content) > LONGEST:
            raise Impossible(f"{self.name} may not write that there.")
        if isinstance(channel, Thread) and channel.locked and not granted & Permission.MANAGE_THREADS:
            raise Impossible(f"{self.name} may not write there: the thread is locked.")
        if wait := channel.wait(self.id):
            raise Impossible(
                f"{self.name} may write there again in {wait:.0f} s: the channel is in slowmode."
            )
        return posting.post(channel, self.user, {"content": content})

    def dismiss(self, message: Message) -> None:
        """Take an ephemeral message away from one's own screen. The bot does not hear of it."""
        if not message.ephemeral:
            raise Impossible("Only ephemeral messages can be dismissed.")
        self._dismissed.add(message.id)
        self.box.clock.tell()

    def restart(self) -> None:
        """Start the client anew: ephemeral messages are gone."""
        for channel in self.places():
            self._dismissed |= {each.id for each in self.sees(channel) if each.ephemeral}
        self.box.clock.tell()

    def delete(self, message: Message) -> None:
        """Delete a message, as its author or as who may manage messages."""
        manages = message.channel.permissions(self.id) & Permission.MANAGE_MESSAGES
        if message.author is not self.user and not manages:
            raise Impossible(f"{self.name} may not delete that message.")
        posting.delete(message)

    def leave(self, guild: Guild) -> None:
        """Leave a guild."""
        guild.remove(self.user)

    def rename(self, guild: Guild, nick: str | None) -> None:
        """Choose a nickname in a guild; None gives it up."""
        if nick is not None and not (nick.strip() and len(nick) <= LONGEST_NICK):
            raise Impossible(f"A nickname has 1 to {LONGEST_NICK} characters.")
        member = guild.members[self.id]
        member.nick = nick
        guild.dispatch("GUILD_MEMBER_UPDATE", payloads.member(member) | {"guild_id": str(guild.id)})

    def speak(self, locale: str) -> None:
        """Set the language of their client."""
        if locale not in LOCALES:
            raise Impossible(f"Discord has no {locale!r}; there are {LOCALES}.")
        self.user.locale = locale
        self.box.clock.tell()

    def close_dms(self) -> None:
        """Let no bot write direct messages."""
        self.user.dms_open = False

    def open_dms(self) -> None:
        """Let bots write direct messages again."""
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
        """Send an interaction as it is, `times` over, and (unless told not to `wait`) wait for the first answer.
        `opener` is the interaction that opened the modal which is sent.

        When no bot is connected, and none was cut off by the sandbox and may resume, there is no waiting."""
        self._check_open(channel)
        interaction = self.box.interactions.begin(type_, self.user, channel, data, source, opener)
        reached = channel.guild is None or channel.guild.has_bot
        for _ in range(times if reached else 0):
            self.box.deliver(self.box.interactions.event(interaction))
        answered = not wait or (reached and await self._answered(interaction))
        answer = Answer(interaction, failed=not answered)
        self.answers.append(answer)
        return answer

    async def _answered(self, interaction: Interaction) -> bool:
        box = self.box
        await box.clock.until(
            lambda: interaction.answer is not None or not box.gateway.expected, interaction.due
        )
        return interaction.answer is not None

    def _usable(self, message: Message, custom_id: str) -> Json:
        """Return the component of that custom id, if this person can use it."""
        if not self.can_see(message):
            raise Impossible(f"{self.name} does not see that message.")
        for component in message.components:
            if component.get("custom_id") == custom_id:
                if component.get("disabled"):
                    raise Impossible(f"{custom_id!r} is disabled.")
                return component
        raise Impossible(f"There is no component {custom_id!r}; there are {message.custom_ids}.")

    def _message(self, id_: int) -> Message:
        for channel in self.box.world.channels.values():
            if id_ in channel.log:
                return channel.log[id_]
        raise Impossible(f"There is no message {id_}.")

    def _check_open(self, channel: Channel) -> None:
        if not channel.sees(self.id):
            raise Impossible(f"{self.name} does not see that channel.")
        if channel.guild and self.box.gateway.is_out(channel.guild):
            raise Impossible("That server is unavailable just now.")

    def _may_use_commands(self, channel: Channel) -> None:
        if isinstance(channel, Thread) and channel.archived:
            raise Impossible("There are no commands in an archived thread; a message wakes it.")
        if not channel.permissions(self.id) & Permission.USE_APPLICATION_COMMANDS:
            raise Impossible(f"{self.name} may not use commands there.")


def _called(components: Sequence[Json], name: str) -> Json:
    """Return the component of a label, placeholder or custom id."""
    keys = ("label", "placeholder", "custom_id")
    found = [each for each in components if name in [each.get(key) for key in keys]]
    if len(found) != 1:
        there = [each.get("label") or each.get("placeholder") or each.get("custom_id") for each in components]
        raise Impossible(f"{len(found)} components are called {name!r}; there are {there}.")
    return found[0]
