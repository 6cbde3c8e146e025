"""The rows of the store. Times are ms since the Unix epoch on Discord's clock; people, guilds, channels and
messages are Discord snowflakes. Match and Result have their fields in the order of the table's columns."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from bot.pictures.hand_style import HandStyle, Order

PostKind: TypeAlias = Literal["page", "call", "end", "result"]
"""The kinds of a match's messages: a page of what happened (the last one is the live table), the call to the people who
are awaited, the end, or the result in the channel."""


@dataclass(frozen=True, slots=True)
class Match:
    """One match, from its lobby on."""

    id: int
    game: str
    """The game's slug."""
    rules: int
    """Version of the rules it began with."""
    options: str
    """The game's options as JSON."""
    seed: str
    guild: int
    channel: int
    """Where it was opened."""
    host: int
    """Who opened it."""
    phase: str
    """lobby, play, over (counted) or closed (not counted)."""
    opened: int
    started: int | None
    ended: int | None
    place: int | None
    """The thread or channel where it is played."""
    card: int | None
    """Message of the lobby card, in `channel`."""
    published: int
    """The last entry of the log that all messages show; 0 at first."""
    rematch_of: int | None
    """The match of which this is the rematch; no match has two."""


@dataclass(frozen=True, slots=True)
class Post:
    """One message of a match. Its text follows from the log."""

    match: int
    kind: PostKind
    number: int
    """Of a page: the number of its first item. Of a call: the entry that made it necessary. Else 0."""
    channel: int
    message: int
    """0: there is none any more, and none is wanted."""
    old: int | None = None
    """The message it replaces, until that is deleted. The same as `message` while the new one is on its way."""
    final: int = 0
    """1 when it changes no more."""
    copies: int = 0
    """Number of times it was posted anew."""

    @property
    def key(self) -> tuple[PostKind, int]:
        """Its kind and number: unique in its match."""
        return self.kind, self.number


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a match's log; `n` counts from 1 without a gap."""

    n: int
    kind: str
    seat: int | None
    user: int | None
    body: str
    """The text form of an action, a name or a reason: whatever the kind needs."""
    at: int


@dataclass(frozen=True, slots=True)
class Result:
    """How one seat came out of a finished match. Placing 1 is best; equal placings are shared (1, 1, 3)."""

    match: int
    seat: int
    guild: int
    game: str
    user: int
    name: str
    placing: int
    score: int
    players: int
    ended: int


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a leaderboard: all results of one person in a guild. A shared first placing is a win."""

    user: int
    name: str
    """As last used in the matches counted."""
    matches: int
    wins: int
    mean_placing: float


@dataclass(frozen=True, slots=True)
class Preferences:
    """How a person likes to play, on every server alike."""

    hand: str = "ephemeral"
    """Where their hands are shown: "ephemeral" or "dm"."""
    pings: str = "always"
    """When they are called by a mention: "always", "only reminders" or "never"."""
    pictures: str = "pictures"
    """How their hands are shown: as "pictures" or as "text only"."""
    cards: str = "usual"
    """The size of the cards in them: "usual" or "large"."""
    order: Order = "suit"
    """What they are sorted by first."""

    @property
    def looks(self) -> HandStyle:
        """How they like to see their hands."""
        return HandStyle(self.pictures == "pictures", self.cards == "large", self.order)
