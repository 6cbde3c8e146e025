"""What the house asks of a game's cog: how its table and its hand look in Discord."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from bot.match.refusal import Refusal
from bot.match.table import Stale
from bot.messages.custom_ids import CustomId, number
from bot.messages.emojis import LETTERS, Drawing, Emojis
from bot.messages.panel import Item
from bot.pictures.hand_style import USUAL_STYLE, HandStyle
from bot.pictures.scene import Sheet
from bot.store import Preferences
from games import AnyGame, Event

MOST_PICKS = 60
"""Characters of a form's picks: with all else they must fit into a custom id."""


NOT_MINE = "This form does not work any more. Press `My hand` for the current one."
"""What a forged or broken form is refused with."""


def hand_style(kept: Preferences) -> HandStyle:
    """Return how somebody with these preferences sees hands."""
    return HandStyle(kept.pictures == "pictures", kept.cards == "large", kept.order)


@dataclass(frozen=True, slots=True)
class Picks:
    """A click by which more is picked. `text` is what is picked now, for the form's next custom ids."""

    text: str


@dataclass(frozen=True, slots=True)
class Move:
    """A click by which a move is made, by its text."""

    text: str


@dataclass(frozen=True, slots=True)
class Form:
    """A hand in the making: which decision it is for, what may be chosen, and what is picked so far.

    `picks` travels in the custom ids (at most MOST_PICKS characters without a colon): nothing is kept between clicks.
    """

    match: int
    prompt: int
    legal: Sequence[int]
    picks: str = ""
    looks: HandStyle = USUAL_STYLE
    """How its player likes to see it."""
    emojis: Emojis = LETTERS
    """Of the cards, for buttons and options that stand for one."""

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
    """One game's looks. Made from views alone, so that they cannot leak."""

    game: ClassVar[AnyGame]
    drawings: ClassVar[Mapping[str, Drawing]]
    """Its cards as emojis to be, by what the engine's words call them."""
    emojis: Emojis
    """Those of them that the application has."""

    def board(self, view: Any, names: Sequence[str]) -> list[Item]:
        """The public table, without its buttons."""

    def controls(self, view: Any, match: int) -> list[Item]:
        """Buttons for everybody below the public table; none unless everything happens in public."""

    def sheet(self, event: Event, names: Sequence[str]) -> Sheet | None:
        """The scores, when the event is that a round or a match is scored."""

    def banner(self) -> Item | None:
        """A picture of a few of the game's own cards for the lobby; None for a game without pictures."""

    def example(self) -> list[Item]:
        """One worked trick or turn, as a picture and two or three lines: the page behind `Rules` shows it."""

    def hand(self, view: Any, names: Sequence[str], form: Form) -> list[Item]:
        """A seat's own hand and, when it has something to decide, the form to decide it with."""

    def pick(self, view: Any, form: Form, step: str, values: Sequence[str]) -> Picks | Move:
        """Return what a click on the form does. `step` is from `Form.id`, `values` are the choices in a menu.

        Both may be forged: the table judges a move, and for anything else that makes no sense raise Refusal(NOT_MINE)
        or Illegal.
        """


def move_text(game: AnyGame, legal: Sequence[int], written: str) -> str:
    """Return the text of a move that a custom id names.

    On messages of older versions that is the number of an action; raises Stale when that is not `legal` any more.
    """
    action = number(written)
    if action is None:
        return written
    if action not in legal:
        raise Stale
    return game.text(action)
