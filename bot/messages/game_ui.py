"""The protocol of a game's cog: how its table and its hands look in Discord."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from bot.match.refusal import Refusal
from bot.messages.custom_ids import CustomId, number
from bot.messages.emojis import LETTERS, Emojis
from bot.messages.panel import Item
from bot.pictures.emoji import EmojiDrawing
from bot.pictures.hand_style import USUAL_STYLE, HandStyle
from bot.pictures.rasterizer import Prepare, Rehearse
from bot.pictures.scene import HandScene, LaidCards, ScoreSheet, TableScene
from bot.store import Preferences
from games import AnyGame, Event
from games.types import Action, Seat

MOST_PICKS = 60
"""Maximum number of characters of a form's picks. The other parts of a custom id need the rest."""

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

    @staticmethod
    def read(rest: str) -> tuple[int, str, str]:
        """Return prompt, picks and step from the rest of a form's custom id. Raises Refusal for anything else."""
        parts = rest.split(":")
        prompt = number(parts[0])
        if len(parts) != 3 or prompt is None:
            raise Refusal(NOT_MINE)
        return prompt, parts[1], parts[2]


class GameUI(Protocol):
    """Messages and forms of one game, built from views alone: no secret can leak."""

    game: ClassVar[AnyGame]
    drawings: ClassVar[Mapping[str, EmojiDrawing]]
    """Drawings of cards to upload as emojis, by the names of the cards in the engine's texts."""
    emojis: Emojis
    """Emojis that the application has."""

    def board(self, view: Any, names: Sequence[str], own: int | None = None) -> list[Item]:
        """Return the public table, without its buttons; with the seat `own` at the bottom, if only its player sees
        it."""

    def told(self, event: Event, noted: Container[Seat]) -> Event | None:
        """Return what the live table of a game in real time tells of this event in words, without what its notes on the
        `noted` seats tell; None for what its picture shows."""

    def table_scene(self, view: Any, names: Sequence[str]) -> TableScene | None:
        """Return the public table as a scene; None for a game without pictures."""

    def hand_scene(self, view: Any, names: Sequence[str], form: Form) -> HandScene | None:
        """Return the hand of the view's seat as a scene; None for a game without pictures."""

    def own_cards(self, view: Any, names: Sequence[str]) -> LaidCards | None:
        """Return what the view's seat sees and a watcher does not (cards, a choice), for a replay; None for nothing."""

    def controls(self, view: Any, match: int) -> list[Item]:
        """Return the buttons below the public table, for everybody; empty for a game played from the hands alone."""

    def score_sheet(self, event: Event, names: Sequence[str]) -> ScoreSheet | None:
        """Return the scores if the event is the end of a round or a match; None for other events."""

    def banner(self) -> Item | None:
        """Return a picture of some cards for the lobby; None for a game without pictures."""

    def example(self) -> list[Item]:
        """Return a trick or turn as an example for the short rules: a picture and two or three lines."""

    def hand(self, view: Any, names: Sequence[str], form: Form) -> list[Item]:
        """Return the hand of the view's seat and, when the seat has legal actions, a form to choose one."""

    def suggested(self, view: Any, legal: Sequence[Action]) -> Sequence[Action]:
        """Return the legal actions that `/move` suggests: of those that come to the same, one."""

    def rehearsal(self) -> Iterable[Prepare | Rehearse]:
        """Return requests to the rasterizer that make the sprites of the game's pictures."""

    def pick(self, view: Any, form: Form, step: str, values: Sequence[str]) -> Picks | MoveText:
        """Return what a click on the form does. `step` is from `Form.id`, `values` are the choices in a menu.

        Both may be forged. Raise Refusal(NOT_MINE) or the game's Illegal for anything that makes no sense. The table
        checks whether a move is legal.
        """
