"""What a picture shows, as data that is painted for the eyes and told for the ears: the alt text is made from the same
scene, so that it says whatever the picture says. Scenes are made from views, hold no more than they show, and are
equal when they look the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")

MOST_ALT = 1024
"""Characters of an alt text on Discord."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card on the table or in a hand. `face` is its SVG; `said` names it ("" for what needs no words)."""

    face: str
    said: str
    under: str = ""
    """SVG of a card that peeks out from beneath it."""
    lifted: bool = False
    """It can be played now."""
    faded: bool = False
    badge: str = ""
    """Written on its corner, like ×3."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's place at the table."""

    name: str
    score: str = ""
    detail: str = ""
    """A line of words under the name."""
    turn: bool = False
    out: bool = False
    first: bool = False
    """It has won."""
    rows: tuple[tuple[Card, ...], ...] = ()
    """The cards that lie there, in rows."""

    def told(self, unit: str) -> str:
        """Name, state and cards."""
        state = [self.name, "to act" * self.turn, "out" * self.out, f"{self.score} {unit}" * bool(self.score)]
        about = ", ".join(filter(None, [*state, self.detail]))
        lying = [card for row in self.rows for card in row]
        beneath = sum(card.under != "" for card in lying)
        cards = ", ".join(filter(None, [spoken(lying), f"{beneath} face down beneath" * bool(beneath)]))
        return f"{about}: {cards}" if cards else about


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards in the middle of the table, the last on top, and what is written under them."""

    cards: tuple[Card, ...]
    caption: str

    def told(self) -> str:
        """Caption and cards."""
        cards = spoken(self.cards)
        return f"{self.caption}: {cards}" if cards else self.caption


@dataclass(frozen=True, slots=True)
class Table:
    """A whole table. `unit` is what scores count ("sand dollars"); seats are clockwise."""

    title: str
    unit: str
    seats: tuple[Seat, ...]
    piles: tuple[Pile, ...] = ()
    note: str = ""
    """One more line in the middle."""
    mark: str = ""
    """A pip (see `blank.placed`) that stands before each score."""
    step: float = 1.07
    """From one card of a row to the next, in widths of a card: less than 1 where they overlap."""

    def cards(self) -> Iterator[Card]:
        """All that are shown."""
        yield from (card for seat in self.seats for row in seat.rows for card in row)
        yield from (card for pile in self.piles for card in pile.cards)

    @property
    def alt(self) -> str:
        """The picture in words."""
        parts = [self.title, self.note, *(seat.told(self.unit) for seat in self.seats)]
        return _sentences([*parts, *(pile.told() for pile in self.piles)])


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that belong together, in rows, and what is written above them."""

    caption: str
    rows: tuple[tuple[Card, ...], ...]

    def told(self) -> str:
        """Caption and cards."""
        return f"{self.caption}: {spoken(card for row in self.rows for card in row) or 'none'}"


@dataclass(frozen=True, slots=True)
class Laid:
    """What somebody has laid on the table, small, under their name. A pile is one of these, too ("Pile of 5")."""

    name: str
    cards: tuple[Card, ...] = ()
    best: bool = False
    """The best so far: framed."""
    detail: str = ""
    """A few letters below the cards: "2/3" for two tricks of three bid."""

    def told(self) -> str:
        """Name, state and cards."""
        about = ", ".join(filter(None, [self.name, "best" * self.best, self.detail]))
        cards = spoken(self.cards)
        return f"{about}: {cards}" if cards else about


@dataclass(frozen=True, slots=True)
class Strip:
    """The table above one's own hand: what must be beaten, in the order in which it was played."""

    laid: tuple[Laid, ...]
    caption: str = ""
    """Trump and led suit, or what goes on the pile."""

    def told(self) -> list[str]:
        """The caption, then what everybody has laid."""
        return [self.caption, *(laid.told() for laid in self.laid)]


@dataclass(frozen=True, slots=True)
class Hand:
    """What one player sees alone: the table as a strip, then groups of their own cards, in lines."""

    lines: tuple[tuple[Group, ...], ...]
    large: bool = False
    strip: Strip | None = None

    def cards(self) -> Iterator[Card]:
        """All that are shown, those of the strip first."""
        if self.strip:
            yield from (card for laid in self.strip.laid for card in laid.cards)
        yield from self.own()

    def own(self) -> Iterator[Card]:
        """The cards below the strip."""
        yield from (card for line in self.lines for group in line for row in group.rows for card in row)

    @property
    def alt(self) -> str:
        """The picture in words: the strip, then one's own cards; those that can be played now are listed apart."""
        strip = self.strip.told() if self.strip else []
        told = [group.told() for line in self.lines for group in line]
        ready = spoken(card for card in self.own() if card.lifted)
        return _sentences([*strip, *told, f"Can be played now: {ready}" * bool(ready)])


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score sheet: a row for each player, in order of play or of placing. The first cell of a row is the name."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    first: tuple[int, ...] = ()
    """The rows that won or lead."""
    shown: tuple[tuple[Card, ...], ...] = ()
    """By row, hands that were shown."""

    def cards(self) -> Iterator[Card]:
        """All that are shown."""
        yield from (card for row in self.shown for card in row)

    @property
    def alt(self) -> str:
        """The picture in words."""
        return _sentences([self.title, *(self._told(number) for number in range(len(self.rows)))])

    def _told(self, number: int) -> str:
        name, *cells = self.rows[number]
        told = ", ".join(f"{head} {cell}" for head, cell in zip(self.heads[1:], cells, strict=True) if cell)
        cards = spoken(self.shown[number]) if self.shown else ""
        return f"{name}{' (first)' * (number in self.first)}: {told}{f', {cards}' * bool(cards)}"


@dataclass(frozen=True, slots=True)
class Placed:
    """One player at the end of a match. `place` is 1 for the best; equal ones share it."""

    name: str
    place: int
    score: int


@dataclass(frozen=True, slots=True)
class Podium:
    """The end of a match: who stands on which of three steps, and how many `unit` ("sand dollars") everybody has."""

    title: str
    unit: str
    players: tuple[Placed, ...]
    """In order of place."""
    moment: str = ""
    """The one that decided the match, in a sentence."""

    def step(self, place: int) -> tuple[Placed, ...]:
        """Everybody on one step."""
        return tuple(player for player in self.players if player.place == place)

    @property
    def heading(self) -> str:
        """Heading of the totals."""
        return f"{self.unit.capitalize()} at the end"

    @property
    def alt(self) -> str:
        """The picture in words."""
        placed = (f"{player.place}. {player.name}: {player.score}" for player in self.players)
        return _sentences([self.title, self.heading, *placed, self.moment])


@dataclass(frozen=True, slots=True)
class Banner:
    """A game's title and up to five of its cards."""

    title: str
    cards: tuple[Card, ...]

    @property
    def alt(self) -> str:
        """The picture in words."""
        return _sentences([f"{self.title}: {spoken(self.cards)}"])


def in_rows(things: Sequence[T], longest: int) -> tuple[tuple[T, ...], ...]:
    """Cards, or buttons for them, in as few rows of at most `longest` as it takes, all about equally long."""
    count = -(-len(things) // longest)
    ends = [round(len(things) * row / count) for row in range(count + 1)] if count else []
    return tuple(tuple(things[start:end]) for start, end in pairwise(ends))


def spoken(cards: Iterable[Card]) -> str:
    """The cards that have a name, in order."""
    return ", ".join(f"{card.said} {card.badge}".rstrip() for card in cards if card.said)


def _sentences(parts: Iterable[str]) -> str:
    text = " ".join(f"{part.rstrip('.')}." for part in parts if part)
    return text if len(text) <= MOST_ALT else f"{text[: MOST_ALT - 1]}…"
