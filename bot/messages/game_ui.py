"""The looks and the forms of one game, which its cog gives to the messages."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol

import discord

from bot.match.refusal import Refusal
from bot.messages.custom_ids import CustomId
from bot.messages.emojis import LETTERS, Emojis
from bot.messages.panel import Item, row, select, shown, text
from bot.pictures.drawing import Scene, picture_of
from bot.pictures.emoji import EmojiDrawing
from bot.pictures.hand_style import USUAL_STYLE, HandStyle
from bot.pictures.rasterizer import Prepare, Rehearse
from bot.pictures.scene import Banner, HandScene, LaidCards, ScoreSheet, TableScene
from bot.store import Preferences
from games import AnyGame, Event, Options
from games.types import Action, Seat

MOST_PICKS = 60
"""Maximum number of characters of a form's picks. The other parts of a custom id need the rest."""

MOST_AHEAD: Final = 16
"""Maximum number of moves from which a person chooses ahead. A menu has 25 options, but it is sent with each hand."""

REHEARSED: Final = 8
"""Number of positions that are drawn ahead for each number of players."""

NOT_MINE = "This form does not work any more. Press `My hand` for the current one."
"""Refusal of a forged or broken form."""


def hand_style(kept: Preferences) -> HandStyle:
    """Return the style of hands for these preferences."""
    return HandStyle(kept.pictures == "pictures", kept.cards == "large", kept.order)


@dataclass(frozen=True, slots=True)
class Picks:
    """A click that changes the picks of a form. `text` has all picks, for the form's next custom ids."""

    text: str


@dataclass(frozen=True, slots=True)
class MoveText:
    """A click that makes a move. `text` is the text of the move."""

    text: str


@dataclass(frozen=True, slots=True)
class Form:
    """The state of a form in a hand: the decision that it is for, the legal actions, and the picks so far.

    `picks` is in the custom ids (at most MOST_PICKS characters, no colon): nothing is kept between clicks. They end
    with the decision; in a game in real time they outlast it, like the page of a hand.
    """

    match: int
    prompt: int
    legal: Sequence[Action]
    picks: str = ""
    style: HandStyle = USUAL_STYLE
    """Style that the player has chosen."""
    emojis: Emojis = LETTERS
    """Emojis of cards, for buttons and options."""

    def id(self, step: str) -> CustomId:
        """Return the custom id of a component of the form. `step` comes back to `GameUI.pick`; it has no colon."""
        return CustomId("form", self.match, f"{self.prompt}:{self.picks}:{step}")


class Looks(Protocol):
    """The looks of a game: functions of views alone, so no secret can leak. The module `picture` beside its cog has
    them."""

    def table(self, view: Any, names: Sequence[str]) -> TableScene | None:
        """Return the public table as a scene; None for a game without pictures."""

    def hand(self, view: Any, names: Sequence[str], form: Form) -> HandScene | None:
        """Return the hand of the view's seat as a scene; None for a game without pictures."""

    def own_cards(self, view: Any, names: Sequence[str]) -> LaidCards | None:
        """Return what the view's seat sees and a watcher does not (cards, a choice), for a replay; None for nothing."""

    def score_sheet(self, event: Event, names: Sequence[str]) -> ScoreSheet | None:
        """Return the scores if the event is the end of a round or a match; None for other events."""

    def banner(self) -> Banner | None:
        """Return some cards for the lobby; None for a game without pictures."""

    def example(self) -> Scene | None:
        """Return a trick or turn as an example for the short rules; None for rules without one."""


class NoPictures:
    """The looks of a game that is shown in words."""

    def table(self, *_: Any) -> Any:
        return None

    hand = own_cards = score_sheet = banner = example = table


class GameUI:
    """Messages and forms of one game, built from views alone: no secret can leak.

    A subclass must set `game`. Then the game is shown as text with a menu of moves; `looks` and other methods improve
    that.
    """

    game: ClassVar[AnyGame]
    looks: Looks = NoPictures()
    drawings: ClassVar[Mapping[str, EmojiDrawing]] = {}
    """Drawings of cards to upload as emojis, by the names of the cards in the engine's texts."""
    emojis: Emojis = LETTERS
    """Emojis that the application has."""
    example_text: ClassVar[str] = ""
    """Two or three lines below the picture of the example."""

    def board(self, view: Any, names: Sequence[str], own: int | None = None) -> list[Item]:
        """Return the public table, without its buttons, as a picture or in words; with the seat `own` at the bottom, if
        only its player sees it."""
        scene = self.looks.table(view, names)
        if scene is None:
            return [text(self.game.words.describe(view, names))]
        return [shown(picture_of(scene.seen_from(own or 0)))]

    def told(self, event: Event, noted: Container[Seat]) -> Event | None:  # noqa: ARG002
        """Return what the live table of a game in real time tells of this event in words, without what its notes on the
        `noted` seats tell; None for what its picture shows."""
        return event

    def controls(self, view: Any, match: int) -> list[Item]:  # noqa: ARG002
        """Return the buttons below the public table, for everybody; empty for a game played from the hands alone."""
        return []

    def banner(self) -> Item | None:
        """Return a picture of some cards for the lobby; None for a game without pictures."""
        scene = self.looks.banner()
        return None if scene is None else shown(picture_of(scene))

    def example(self, options: Options) -> list[Item]:  # noqa: ARG002
        """Return the example for the short rules under these options: a picture and `example_text`."""
        scene = self.looks.example()
        return [] if scene is None else [shown(picture_of(scene)), text(self.example_text)]

    def hand(self, view: Any, names: Sequence[str], form: Form) -> list[Item]:
        """Return the hand of the view's seat and, when the seat has legal actions, a form to choose one: all as text,
        and a menu of the first 25 moves (`/move` takes all)."""
        items = [text(self.game.words.describe(view, names))]
        if form.legal:
            moves = [
                discord.SelectOption(label=self.game.words.label(action), value=self.game.text(action))
                for action in form.legal[:25]
            ]
            items.append(row(select("Your move", form.id("move"), moves)))
        return items

    def own_hand(self, view: Any, names: Sequence[str], form: Form, situation: str) -> list[Item]:
        """Return `situation` and the hand as a picture; for players who prefer text, everything that the view says."""
        if not form.style.pictures:
            return [text(self.game.words.describe(view, names))]
        scene = self.looks.hand(view, names, form)
        holds = scene is not None and any(card.alt for card in scene.cards())
        return [text(situation), *([shown(picture_of(scene))] if scene is not None and holds else [])]

    def suggested(self, view: Any, legal: Sequence[Action]) -> Sequence[Action]:  # noqa: ARG002
        """Return the legal actions that `/move` suggests: of those that come to the same, one."""
        return legal

    def ahead(self, view: Any, actions: Sequence[Action]) -> Sequence[Action]:
        """Return the actions to choose from ahead; a menu shows the first MOST_AHEAD."""
        return self.suggested(view, actions)

    def pick(self, view: Any, form: Form, step: str, values: Sequence[str]) -> Picks | MoveText:  # noqa: ARG002
        """Return what a click on the form does. `step` is from `Form.id`, `values` are the choices in a menu.

        Both may be forged. Raise Refusal(NOT_MINE) or the game's Illegal for anything that makes no sense. The table
        checks whether a move is legal.
        """
        if step != "move" or len(values) != 1:
            raise Refusal(NOT_MINE)
        return MoveText(values[0])

    def rehearsal(self) -> Iterator[Prepare | Rehearse]:
        """Yield requests to the rasterizer that make the sprites of the game's pictures: tables and hands of some
        positions, for each number of players."""
        form = Form(0, 0, ())
        for seats, state in self._positions():
            names = [f"Player {seat + 1}" for seat in range(seats)]
            scenes: list[Scene | None] = [self.looks.table(self.game.view(state, None), names)]
            scenes += [
                self.looks.hand(self.game.view(state, seat), names, form) for seat in self.game.awaited(state)
            ]
            yield from (Rehearse(picture_of(scene).paint) for scene in scenes if scene is not None)

    def _positions(self) -> Iterator[tuple[int, Any]]:
        """Yield the number of players and a position, for the first moves of some matches."""
        options = self.game.Options()
        for seats in self.game.seats(options):
            state, _ = self.game.new(options, seats, f"rehearsal {seats}")
            for _ in range(REHEARSED):
                if not (awaited := self.game.awaited(state)):
                    break
                yield seats, state
                self.game.step(state, awaited[0], self.game.fallback(state, awaited[0]))
