"""What every game's cog has: where `start` and `rules` end, and a plain face that serves any game as text and menus."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import discord
from discord.ext import commands
from pydantic import ValidationError

from bot.client import Palmhouse
from bot.match.refusal import Refusal
from bot.messages.answers import send
from bot.messages.emojis import LETTERS, Drawing
from bot.messages.game_ui import NOT_MINE, Form
from bot.messages.panel import Item, row, select, shown, text
from bot.pictures.drawing import pictured
from bot.pictures.scene import Hand, Sheet, Table
from cogs.common.find import Interaction
from cogs.common.opening import Start, caller, open_table, party, show_card, terms_of, with_terms
from cogs.common.rules_page import page_for
from games import AnyGame, Event
from games.about import about


class GameCog(commands.GroupCog):
    """One game's commands and its face (see bot.face). A subclass names its `game` and writes `start` and `rules`
    with typed options; it overrides what its game deserves better than text and one menu. The commands are described
    by what the game is (see games.about)."""

    known: ClassVar[list[type["GameCog"]]] = []
    """All of them whose modules are loaded."""
    game: ClassVar[AnyGame]
    drawings: ClassVar[Mapping[str, Drawing]] = {}
    start: Start
    """Opens a table. What can be said of a table of any game (see `with_terms`) is added to its options here."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        described = about(cls.game)
        cls.__cog_group_description__ = described
        cls.start = with_terms(cls.start, described)
        GameCog.known.append(cls)

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        self.emojis = LETTERS
        bot.game_uis[self.game.slug] = self

    # Commands

    async def open(self, interaction: Interaction, **options: Any) -> None:
        """Open a lobby in this channel; options that are None are left to the game's defaults."""
        chosen, terms = self.options(**options), terms_of(interaction)
        players = party(self.game, chosen, caller(interaction), terms.computers, terms.strength)
        await show_card(
            interaction, await open_table(interaction, self.game, chosen, players, pace=terms.pace)
        )

    async def explain(self, interaction: Interaction, **options: Any) -> None:
        """Show the first page of the rules under these options, to the caller alone."""
        await send(interaction, await page_for(interaction, self, self.options(**options)))

    def options(self, **options: Any) -> Any:
        """The game's options. Raises Refusal with a sentence for each that is not allowed."""
        try:
            return self.game.Options(**{name: value for name, value in options.items() if value is not None})
        except ValidationError as error:
            said = [fault["msg"].removeprefix("Value error, ") for fault in error.errors()]
            raise Refusal(" ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in said)) from None

    # The plain face

    def table_scene(self, view: Any, names: Sequence[str]) -> Table | None:  # noqa: ARG002
        """The table as a picture."""
        return None

    def hand_scene(self, view: Any, names: Sequence[str], form: Form) -> Hand | None:  # noqa: ARG002
        """The own hand as a picture."""
        return None

    def sheet(self, event: Event, names: Sequence[str]) -> Sheet | None:  # noqa: ARG002
        """The scores of a round or a match as a picture."""
        return None

    def board(self, view: Any, names: Sequence[str]) -> list[Item]:
        """The public table as a picture; as text when there is none."""
        scene = self.table_scene(view, names)
        return [text(self.game.describe(view, names)) if scene is None else shown(pictured(scene))]

    def own_hand(self, view: Any, names: Sequence[str], form: Form, situation: str) -> list[Item]:
        """The own hand as a picture below what must be known with it; for who likes text better all that is known."""
        if not form.looks.pictures:
            return [text(self.game.describe(view, names))]
        scene = self.hand_scene(view, names, form)
        holds = scene is not None and any(card.said for card in scene.cards())
        return [text(situation), *([shown(pictured(scene))] if scene is not None and holds else [])]

    def controls(self, view: Any, match: int) -> list[Item]:  # noqa: ARG002
        """None: a move is made from one's own hand."""
        return []

    def banner(self) -> Item | None:
        """None: a game without cards of its own."""
        return None

    def example(self) -> list[Item]:
        """Nothing: the primer has to do."""
        return []

    def hand(self, view: Any, names: Sequence[str], form: Form) -> list[Item]:
        """All that the seat knows as text, and a menu of what it may do (the first 25; `/move` knows them all)."""
        items = [text(self.game.describe(view, names))]
        if form.legal:
            moves = [
                discord.SelectOption(label=self.game.label(action), value=self.game.text(action))
                for action in form.legal[:25]
            ]
            items.append(row(select("Your move", form.id("move"), moves)))
        return items

    def pick(self, view: Any, form: Form, step: str, values: Sequence[str]) -> str | int:  # noqa: ARG002
        """The menu's choice is the action's text."""
        if step != "move" or len(values) != 1:
            raise Refusal(NOT_MINE)
        return self.game.parse(values[0])
