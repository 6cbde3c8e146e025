"""Scenes: the content of pictures, as data. A painter draws a scene, and its alt text is made from it, so that both
agree.

A scene is made from a view and holds no more than it shows. Scenes that look alike are equal.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import pairwise
from typing import Self, TypeVar

from bot.dates import day
from bot.pictures.artwork import Artwork
from games.contract import Outcome
from games.phrases import counted, ordinal, signed, singular

T = TypeVar("T")


MOST_ALT = 1024
"""Maximum number of characters in an alt text, set by Discord."""


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A playing card in a picture."""

    art: Artwork | None
    """Looks of the card; None for an empty place."""
    alt: str
    """Name of the card in alt texts; "" for a card that they leave out."""
    under: Artwork | None = None
    """Looks of a card that lies under this one and shows at its top edge."""
    lifted: bool = False
    """True for a card that can be played now."""
    faded: bool = False
    badge: str = ""
    """A few letters on the card's corner, like ×3."""
    framed: bool = False
    """True for the top card of a pile whose other cards can be seen, too."""

    @property
    def svg(self) -> str:
        """The card as an SVG document; "" for an empty place."""
        return self.art.svg if self.art else ""

    def drawings(self) -> list[str]:
        """Return the SVG documents of the card and the one under it."""
        return [each.svg for each in (self.art, self.under) if each]

    def counted(self, copies: int) -> "DrawnCard":
        """Return the card with the number of its copies on a badge; without a badge if there is only one."""
        return replace(self, badge=f"×{copies}" * (copies > 1))


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """One player's place at the table."""

    name: str
    score: str = ""
    detail: str = ""
    """A line of words under the name."""
    turn: bool = False
    out: bool = False
    """True for a player who is out, as the words under the name say."""
    won: bool = False
    """True for the winners of a match that is over."""
    rows: tuple[tuple[DrawnCard, ...], ...] = ()
    """The player's cards on the table."""

    def describe(self, unit: str) -> str:
        """Return the player's name, state and cards in words. `unit` is the unit of the score."""
        unit = singular(unit) if self.score == "1" else unit
        state = [self.name, "to act" * self.turn, f"{self.score} {unit}" * bool(self.score)]
        about = ", ".join(filter(None, [*state, self.detail]))
        cards = [card for row in self.rows for card in row]
        beneath = sum(card.under is not None for card in cards)
        words = ", ".join(filter(None, [card_names(cards), f"{beneath} face down beneath" * bool(beneath)]))
        return f"{about}: {words}" if words else about


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards in the middle of the table, the last one on top, with a caption under them."""

    cards: tuple[DrawnCard, ...]
    caption: str

    def describe(self) -> str:
        """Return caption and cards in words."""
        is_untold = not self.cards and self.caption.isalpha()  # unlike "Stock 0"
        cards = "none" if is_untold else card_names(self.cards)
        return f"{self.caption}: {cards}" if cards else self.caption


@dataclass(frozen=True, slots=True)
class TableScene:
    """The whole table, as everybody sees it."""

    title: str
    unit: str
    """Unit of the scores, in the plural: "sand dollars"."""
    seats: tuple[SeatedPlayer, ...]
    """The players, clockwise."""
    piles: tuple[Pile, ...] = ()
    note: str = ""
    """One more line in the middle."""
    mark: str = ""
    """A pip (see `blank.pip_at`) in front of each score."""
    step: float = 1.07
    """Distance between the left edges of two cards in a row, in card widths: below 1 they overlap."""

    def seen_from(self, seat: int) -> Self:
        """Return a copy of the table with this seat at the bottom."""
        return replace(self, seats=(*self.seats[seat:], *self.seats[:seat]))

    def cards(self) -> Iterator[DrawnCard]:
        yield from (card for seat in self.seats for row in seat.rows for card in row)
        yield from (card for pile in self.piles for card in pile.cards)

    @property
    def alt(self) -> str:
        """The picture in words."""
        parts = [self.title, self.note, *(seat.describe(self.unit) for seat in self.seats)]
        return _sentences([*parts, *(pile.describe() for pile in self.piles)])


@dataclass(frozen=True, slots=True)
class Band:
    """A side at a table, drawn across the picture: its players, and below them their cards on the table."""

    mark: DrawnCard
    """A shape in the side's colour."""
    colour: str
    unit: str
    """Unit of the score, in the plural."""
    players: tuple[SeatedPlayer, ...]
    """The members of the side. The first one has its score, if there is one."""
    seats: tuple[int, ...]
    """The numbers of their seats, from 1 on, for names that cannot be drawn."""
    _: KW_ONLY
    numbered: bool = False
    """True to show these numbers before the names on plates, when they tell the order of play."""

    @property
    def score(self) -> str:
        return self.players[0].score

    @property
    def rows(self) -> tuple[tuple[DrawnCard, ...], ...]:
        """The side's cards on the table."""
        return tuple(row for player in self.players for row in player.rows)

    def cards(self) -> Iterator[DrawnCard]:
        """Yield the mark and the cards on the table."""
        yield self.mark
        yield from (card for row in self.rows for card in row)

    def describe(self) -> str:
        """Return the mark, the players, the score and the cards in words."""
        who = " and ".join(
            ", ".join(
                filter(
                    None, [f"{number} " * self.numbered + player.name, "to act" * player.turn, player.detail]
                )
            )
            for number, player in zip(self.seats, self.players, strict=True)
        )
        unit = singular(self.unit) if self.score == "1" else self.unit
        laid = card_names(card for row in self.rows for card in row)
        score = f", {self.score} {unit}" * bool(self.score)
        return f"{self.mark.alt}: {who}{score}{f': {laid}' * bool(laid)}"


@dataclass(frozen=True, slots=True)
class BandedTable(TableScene):
    """A table that is drawn as a band for each side, below the piles: for games with many cards before a side."""

    bands: tuple[Band, ...] = ()
    """The sides. Their players are the `seats`."""

    def cards(self) -> Iterator[DrawnCard]:
        """Yield all cards of the picture."""
        yield from (card for pile in self.piles for card in pile.cards)
        yield from (card for band in self.bands for card in band.cards())

    @property
    def alt(self) -> str:
        """The picture in words."""
        piles = (pile.describe() for pile in self.piles)
        return _sentences([self.title, self.note, *piles, *(band.describe() for band in self.bands)])


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that belong together, in rows, with a caption above them."""

    caption: str
    rows: tuple[tuple[DrawnCard, ...], ...]

    def describe(self) -> str:
        """Return caption and cards in words."""
        return f"{self.caption}: {card_names(card for row in self.rows for card in row) or 'none'}"


@dataclass(frozen=True, slots=True)
class LaidCards:
    """A player's cards on the table, drawn small in a strip under the player's name. A pile can stand there, too: then
    the name is its caption ("Pile of 5")."""

    name: str
    cards: tuple[DrawnCard, ...] = ()
    best: bool = False
    """True for the best cards so far: they get a frame."""
    detail: str = ""
    """A few letters below the cards: "2/3" for two tricks of three bid."""
    slot: bool = True
    """True when the outline of a card is drawn where there is none; False where none is missing."""

    def describe(self) -> str:
        """Return name, state and cards in words."""
        about = ", ".join(filter(None, [self.name, "best" * self.best, self.detail]))
        cards = card_names(self.cards)
        return f"{about}: {cards}" if cards else about


@dataclass(frozen=True, slots=True)
class Strip:
    """The table, drawn small above a player's own hand: the cards to beat, in the order in which they were played."""

    laid: tuple[LaidCards, ...]
    caption: str = ""
    """Trump and led suit, or what can go on the pile."""
    in_threes: bool = False
    """True for three players in a row, with a single card each and the words beside it: names need that room where many
    play."""

    def describe(self) -> list[str]:
        """Return the caption and the cards of each player in words."""
        return [self.caption, *(laid.describe() for laid in self.laid)]


@dataclass(frozen=True, slots=True)
class HandScene:
    """A hand, for its player alone: a strip with the table, and below it lines with groups of the player's cards."""

    lines: tuple[tuple[Group, ...], ...]
    large: bool = False
    strip: Strip | None = None
    bands: tuple[Band, ...] = ()
    """Cards of all sides on the table, below the player's own; empty if the strip says enough."""

    def cards(self) -> Iterator[DrawnCard]:
        """Yield all cards of the picture, those of the strip first."""
        if self.strip:
            yield from (card for laid in self.strip.laid for card in laid.cards)
        yield from self.own_cards()
        yield from (card for band in self.bands for card in band.cards())

    def own_cards(self) -> Iterator[DrawnCard]:
        """Yield the player's own cards."""
        yield from (card for line in self.lines for group in line for row in group.rows for card in row)

    @property
    def alt(self) -> str:
        """The picture in words: the strip, the player's own cards, and those of them that can be played now."""
        strip = self.strip.describe() if self.strip else []
        groups = [group.describe() for line in self.lines for group in line]
        playable = card_names(card for card in self.own_cards() if card.lifted)
        bands = (band.describe() for band in self.bands)
        return _sentences([*strip, *groups, f"Can be played now: {playable}" * bool(playable), *bands])


@dataclass(frozen=True, slots=True)
class OpenHands:
    """The hands of several players, face up: for a replay."""

    hands: tuple[LaidCards, ...]
    """At least one."""

    @property
    def alt(self) -> str:
        """The picture in words."""
        return _sentences(["Hands, face up", *(hand.describe() for hand in self.hands)])


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The scores of a round or a match: a row for each player."""

    title: str
    headings: tuple[str, ...]
    """Headings of the columns. The first column has the names; its heading is empty."""
    rows: tuple[tuple[str, ...], ...]
    """The cells, in order of play or of placing."""
    leaders: tuple[int, ...] = ()
    """Numbers of the rows of the winners or leaders, from 0 on."""
    hands: tuple[tuple[DrawnCard, ...], ...] = ()
    """The cards that each player had to show, by row; empty when nobody had to show cards."""
    stamp: DrawnCard | None = None
    """Words stamped below the rows, as a drawing of any shape."""
    marks: tuple[DrawnCard, ...] = ()
    """The mark of each row's side. The names then have lines of their own, so that there is room for more columns."""

    def cards(self) -> Iterator[DrawnCard]:
        """Yield all cards of the picture, the marks and the stamp."""
        yield from (card for hand in self.hands for card in hand)
        yield from self.marks
        yield from [self.stamp] if self.stamp else []

    @property
    def alt(self) -> str:
        """The picture in words."""
        rows = (self._describe_row(number) for number in range(len(self.rows)))
        return _sentences([self.title, *rows, self.stamp.alt if self.stamp else ""])

    def _describe_row(self, number: int) -> str:
        name, *cells = self.rows[number]
        scores = ", ".join(
            f"{head} {cell}" for head, cell in zip(self.headings[1:], cells, strict=True) if cell
        )
        cards = card_names(self.hands[number]) if self.hands else ""
        mark = f"{self.marks[number].alt}: " if self.marks else ""
        return f"{mark}{name}{' (first)' * (number in self.leaders)}: {scores}{f', {cards}' * bool(cards)}"


@dataclass(frozen=True, slots=True)
class PlacedPlayer:
    """One player at the end of a match. `place` is 1 for the best; players with equal scores share a place. It is 0
    in a match that was lost together."""

    name: str
    place: int
    score: int | None
    """None in a match without scores."""
    rating: str = ""
    """The new rating and its change: "1540 +12"; "" when it is not shown."""

    def describe(self) -> str:
        """Return the placing in words: "1. Ben: 20, rating 1540 +12"."""
        score = "" if self.score is None else f": {signed(self.score)}"
        return f"{self.number}{self.name}{score}{f', rating {self.rating}' * bool(self.rating)}"

    @property
    def number(self) -> str:
        """The place before a name: "1. "."""
        return f"{self.place}. " * (self.place > 0)


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """The scores of one side after each round."""

    name: str
    seat: int
    """Its first seat, from 0 to 7, which has the colour."""
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScoreCurve:
    """The course of a match of two rounds or more: a line of scores for each side."""

    unit: str
    """Unit of the scores, in the plural: "sand dollars"."""
    round_name: str
    """Word for a round: "deal"."""
    lines: tuple[ScoreLine, ...]
    low_wins: bool = False

    @property
    def rounds(self) -> int:
        return len(self.lines[0].scores)

    @property
    def heading(self) -> str:
        """Heading of the lines: "Sand dollars after each round"."""
        return f"{self.unit.capitalize()} after each {self.round_name}{' · fewest win' * self.low_wins}"

    def describe(self) -> list[str]:
        """Return the first scores and who led in words. The last scores are those of the placings."""
        first = ", ".join(f"{line.name} {signed(line.scores[0])}" for line in self.lines)
        fewest = " (fewest win)" * self.low_wins
        begin = f"After {self.round_name} 1 of {self.rounds}{fewest}: {first}"
        if len(self.lines) == 1:
            return [begin]
        if len({line.scores[-1] for line in self.lines}) == 1:
            return [begin, f"All are level after the last {self.round_name}"]
        return [begin, self._describe_lead()]

    def _describe_lead(self) -> str:
        alone = [leader for leader in self._leaders() if leader]
        shared = self.rounds - len(alone)
        changes = sum(one is not other for one, other in pairwise(alone))
        level = f"was shared after {counted(shared, self.round_name)}"
        if not alone:
            return f"The lead was shared after every {self.round_name}"
        if not changes:
            name = alone[0].name
            return (
                f"Only {name} led alone; the lead {level}"
                if shared
                else f"{name} led after every {self.round_name}"
            )
        changed = f"The lead changed {'once' if changes == 1 else f'{changes} times'}"
        return f"{changed} and {level}" if shared else changed

    def _leaders(self) -> Iterator[ScoreLine | None]:
        """Yield the line of the side that led after each round; None where several did."""
        best = min if self.low_wins else max
        for scores in zip(*(line.scores for line in self.lines), strict=True):
            leading = [line for line, score in zip(self.lines, scores, strict=True) if score == best(scores)]
            yield leading[0] if len(leading) == 1 else None


@dataclass(frozen=True, slots=True)
class Podium:
    """The end of a match: the best players on three steps, the scores of all, and the course of the scores."""

    title: str
    unit: str
    """Unit of the scores, in the plural: "sand dollars"."""
    players: tuple[PlacedPlayer, ...]
    """In order of place."""
    moment: str = ""
    """A sentence about the best moment of the match."""
    curve: ScoreCurve | None = None
    """None for a match of one round, and for a game without rounds."""

    def step(self, place: int) -> tuple[PlacedPlayer, ...]:
        """Return the players who share the step of `place`."""
        return tuple(player for player in self.players if player.place == place)

    @property
    def heading(self) -> str:
        return "The end" if self.players[0].score is None else f"{self.unit.capitalize()} at the end"

    @property
    def alt(self) -> str:
        """The picture in words."""
        placed = (player.describe() for player in self.players)
        curve = self.curve.describe() if self.curve else []
        return _sentences([self.title, self.heading, *placed, self.moment, *curve])


@dataclass(frozen=True, slots=True)
class DailyResult:
    """A person's result of a daily deal to share: it tells nothing about the cards."""

    title: str
    """Name of the daily: "Palmhouse daily 326 · Palace"."""
    name: str
    placing: str
    """The placing among the computers: "2nd of 4"."""
    score: str
    """The score with its unit: "32 points"."""
    percentage: int | None
    """Percentage of others who did worse; None with few others."""
    compared: str
    """The comparison in words; "" without others."""
    streak: int
    """Days in a row."""

    @property
    def days(self) -> str:
        """The streak in words: "3 days in a row"; "" for fewer than two days."""
        return f"{self.streak} days in a row" if self.streak > 1 else ""

    @property
    def alt(self) -> str:
        """The picture in words."""
        below = ", ".join(filter(None, [self.compared, self.days]))
        return _sentences([self.title, f"{self.name}: {self.placing}, {self.score}", below.capitalize()])


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One person on a leaderboard. `place` is 1 for the best; people who are equal share a place. 0 is none yet."""

    place: int
    name: str
    cells: tuple[str, ...]
    marked: bool = False
    """True for the person who asked."""

    def describe(self, headings: Sequence[str]) -> str:
        """Return the row in words: "3. Ben: rating 1540, wins 4, matches 12"."""
        cells = ", ".join(f"{head.lower()} {cell}" for head, cell in zip(headings, self.cells, strict=True))
        return f"{self.number} {self.name}{' (marked)' * self.marked}: {cells}"

    @property
    def number(self) -> str:
        """The place before a name: "3."; a dash for none."""
        return f"{self.place}." if self.place else "–"


@dataclass(frozen=True, slots=True)
class Leaderboard:
    title: str
    headings: tuple[str, ...]
    """Headings of the columns after the names."""
    rows: tuple[LeaderboardRow, ...]
    """At least one person."""

    @property
    def alt(self) -> str:
        """The picture in words."""
        return _sentences([self.title, *(row.describe(self.headings) for row in self.rows)])


@dataclass(frozen=True, slots=True)
class Banner:
    """A game's title and up to five of its cards."""

    title: str
    cards: tuple[DrawnCard, ...]

    @property
    def alt(self) -> str:
        """The picture in words."""
        return _sentences([f"{self.title}: {card_names(self.cards)}"])


@dataclass(frozen=True, slots=True)
class RatingChart:
    """The course of a person's rating over time."""

    title: str
    points: tuple[tuple[int, int], ...]
    """Time in ms and rating after a match, in order; at least two. The highest and lowest rating are among them."""
    matches: int
    """Number of rated matches. There can be fewer points."""
    last: str
    """The last rating as people see it: "1612", or "1612?" while it is provisional."""
    trend: str
    """The latest change in words."""

    @property
    def ratings(self) -> tuple[int, ...]:
        return tuple(rating for _, rating in self.points)

    @property
    def days(self) -> tuple[str, str]:
        """The dates (UTC) of the first and the last point."""
        return day(self.points[0][0]), day(self.points[-1][0])

    @property
    def summary(self) -> tuple[tuple[str, str], ...]:
        """The first, highest, lowest and last rating, each with its name."""
        first, *_ = ratings = self.ratings
        return (
            ("first", str(first)),
            ("highest", str(max(ratings))),
            ("lowest", str(min(ratings))),
            ("last", self.last),
        )

    @property
    def alt(self) -> str:
        """The picture in words."""
        first, last = self.days
        course = ", ".join(f"{name} {rating}" for name, rating in self.summary)
        span = f"{self.matches} rated matches, {f'on {first}' if first == last else f'{first} to {last}'}"
        return _sentences([f"Rating: {self.title}", span, course.capitalize(), f"Trend: {self.trend}"])


# Helpers for the scenes of several games


def in_rows(things: Sequence[T], longest: int) -> tuple[tuple[T, ...], ...]:
    """Arrange cards, or the buttons for them, in as few rows as possible, with at most `longest` in each.

    The rows are about equally long."""
    count = -(-len(things) // longest)
    ends = [round(len(things) * row / count) for row in range(count + 1)] if count else []
    return tuple(tuple(things[start:end]) for start, end in pairwise(ends))


def hidden_hand(back: Artwork, size: int) -> tuple[DrawnCard, ...]:
    """Return one card, face down, that stands for a hand of `size` cards; none for an empty hand."""
    return (DrawnCard(back, "cards in hand", badge=f"×{size}"),) if size else ()


def has_won(outcome: Outcome | None, seat: int) -> bool:
    """Return whether the match is over and this seat has won or shares first place."""
    return outcome is not None and outcome.placings[seat] == 1


def final_place(outcome: Outcome, seat: int) -> str:
    """Return "1st place", "2nd place" and so on."""
    return f"{ordinal(outcome.placings[seat])} place"


def rows_with(value: int, column: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of the rows that have `value` in this column of a score sheet."""
    return tuple(row for row, each in enumerate(column) if each == value)


def card_names(cards: Iterable[DrawnCard]) -> str:
    """Return the names and badges of the cards, in order, with commas between them."""
    return ", ".join(f"{card.alt} {card.badge}".rstrip() for card in cards if card.alt)


def _sentences(parts: Iterable[str]) -> str:
    text = " ".join(f"{part.rstrip('.')}." for part in parts if part)
    return text if len(text) <= MOST_ALT else f"{text[: MOST_ALT - 1]}…"
