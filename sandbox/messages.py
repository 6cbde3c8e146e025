"""Messages: what they show now, what they showed before, and to whom."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from sandbox.components import BUTTON, SELECTS, TEXT_DISPLAY, walk
from sandbox.form import Form

if TYPE_CHECKING:
    from sandbox.channels import Channel, Thread
    from sandbox.world import User

Json: TypeAlias = dict[str, Any]

DEFAULT, RECIPIENT_ADD, NAME_CHANGE, PINNED, THREAD_CREATED = 0, 1, 4, 6, 18
REPLY, CHAT_INPUT, THREAD_STARTER, CONTEXT_MENU = 19, 20, 21, 23
WRITTEN = (DEFAULT, REPLY, CHAT_INPUT, CONTEXT_MENU)
"""Types of what somebody wrote; all others are messages of Discord's own."""
HAS_THREAD, EPHEMERAL, LOADING, IS_COMPONENTS_V2 = 1 << 5, 1 << 6, 1 << 7, 1 << 15
SETTABLE = (1 << 2) | (1 << 12) | IS_COMPONENTS_V2
"""Flags a bot may choose: no embeds, no notification, components V2."""
BODY = ("content", "embeds", "components", "attachments", "flags")
"""What an edit can change."""


@dataclass(eq=False)
class Message:
    """A message. `body` holds the fields of `BODY` as Discord returns them; an edit replaces it and keeps the old
    one in `past`. `only_for` is the one user who sees an ephemeral message."""

    id: int
    channel: "Channel" = field(repr=False)
    author: "User" = field(repr=False)
    body: Json
    type: int = DEFAULT
    only_for: int | None = None
    nonce: str | None = None
    reference: Json | None = None
    interaction: Json | None = None
    thread: "Thread | None" = field(default=None, repr=False)
    edited: float | None = None
    pinned: float | None = None
    """Time at which it was pinned, in Unix seconds."""
    reactions: dict[str, set[int]] = field(default_factory=dict, repr=False)
    """Users by the emoji they reacted with: a standard one, or "name:id"."""
    deleted: bool = False
    referenced: "Message | None" = field(default=None, repr=False)
    mentions: tuple[int, ...] = ()
    mention_roles: tuple[int, ...] = ()
    mention_everyone: bool = False
    pings: frozenset[int] = frozenset()
    past: list[Json] = field(default_factory=list, repr=False)
    witnesses: list[frozenset[int]] = field(default_factory=list, repr=False)
    """Who could see each state when it was shown: one set for each of `past`, then one for `body`."""

    def change(self, body: Json, edited: float | None) -> None:
        """Show `body` from now on; `edited` is the time when that counts as an edit, else None."""
        self.past.append(self.body)
        self.body = body
        self.edited = edited
        self.witness()

    def witness(self) -> None:
        """Note who sees the present state."""
        one = () if self.only_for is None else (self.only_for,)
        self.witnesses.append(frozenset(one or self.channel.onlookers()))

    def visible_to(self, user: int) -> bool:
        """Whether a user sees this message now."""
        if self.deleted or self.only_for not in (None, user):
            return False
        return self.channel.sees(user)

    @property
    def ephemeral(self) -> bool:
        """Whether only one person sees it."""
        return self.only_for is not None

    @property
    def loading(self) -> bool:
        """Whether it is still the placeholder "… is thinking"."""
        return bool(self.body["flags"] & LOADING)

    @property
    def edits(self) -> int:
        """How often it was edited."""
        return len(self.past)

    @property
    def text(self) -> str:
        """All text a reader sees, in order: content, embeds, text displays."""
        return "\n".join(texts(self.body))

    @property
    def components(self) -> list[Json]:
        """Every component, nested ones after what holds them."""
        return list(components(self.body))

    @property
    def buttons(self) -> list[Json]:
        """Every button."""
        return [each for each in self.components if each["type"] == BUTTON]

    @property
    def selects(self) -> list[Json]:
        """Every select."""
        return [each for each in self.components if each["type"] in SELECTS]

    @property
    def custom_ids(self) -> list[str]:
        """The custom ids of all components that have one."""
        return [each["custom_id"] for each in self.components if each.get("custom_id")]

    @property
    def files(self) -> list[Json]:
        """The attachments: `filename`, `description` (the alt text), `url` and so on."""
        return list(self.body["attachments"])


def components(body: Mapping[str, Any]) -> Iterator[Json]:
    """Every component of a message's or modal's body."""
    for component, _ in walk(body["components"], Form()):
        yield dict(component)


def texts(body: Mapping[str, Any]) -> Iterator[str]:
    """The texts a reader sees, in order."""
    if body.get("content"):
        yield body["content"]
    for embed in body.get("embeds") or ():
        yield from _embed_texts(embed)
    for component in components(body):
        if component["type"] == TEXT_DISPLAY:
            yield component["content"]


def _embed_texts(embed: Mapping[str, Any]) -> Iterator[str]:
    yield from filter(
        None, (embed.get("author", {}).get("name"), embed.get("title"), embed.get("description"))
    )
    for each in embed.get("fields") or ():
        yield f"{each['name']}\n{each['value']}"
    yield from filter(None, (embed.get("footer", {}).get("text"),))


def strings(part: object) -> Iterator[str]:
    """Every string in a body, shown or not: texts, labels, custom ids, values, file names, alt texts, URLs."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for each in part.values():
            yield from strings(each)
    elif isinstance(part, list | tuple):
        for each in part:
            yield from strings(each)
