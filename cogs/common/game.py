"""The base class of all games' cogs: `start` and `rules`, and a UI of text and a menu that works for any game."""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.refusal import Refusal
from bot.messages.answers import send
from bot.messages.emojis import LETTERS
from bot.messages.game_ui import NOT_MINE, Form, MoveText, Picks
from bot.messages.panel import Item, row, select, shown, text
from bot.pictures.drawing import Scene, picture_of
from bot.pictures.emoji import EmojiDrawing
from bot.pictures.rasterizer import Prepare, Rehearse
from bot.pictures.scene import Banner, HandScene, LaidCards, ScoreSheet, TableScene
from cogs.common.commands import command, options_of
from cogs.common.lookup import Interaction
from cogs.common.opening import TableTerms, chosen_options, open_lobby
from cogs.common.rules_page import page_for
from games import AnyGame, Event, Options
from games.about import about, all_seats
from games.types import Action, Seat

REHEARSED: Final = 8
"""Number of positions that are drawn ahead for each number of players."""


class GameCog(commands.Cog):
    """A game in Discord: its commands `start` and `rules`, built from the game's options, and its `GameUI`.

    A subclass must set `game`. Then the game is shown as text with a menu of moves; override methods to improve that.
    """

    game: ClassVar[AnyGame]
    drawings: ClassVar[Mapping[str, EmojiDrawing]] = {}
    start_options: ClassVar[Sequence[str]] = ()
    """Fields of the game's options that `start` offers, in this order; empty for all of them."""
    rules_options: ClassVar[Sequence[str]] = ()
    """Fields that change the text of the rules; `rules` offers them."""
    rules_description: ClassVar[str] = "How it is played"
    typed: ClassVar[Mapping[str, Any]] = {}
    """Annotations for discord.py of options that people type in another form. Override `options` to convert them."""

    example_text: ClassVar[str] = ""
    """Two or three lines below the picture of the example."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        self.emojis = LETTERS
        bot.game_uis[self.game.slug] = self

    async def cog_load(self) -> None:
        """Add the game's commands. Called by discord.py."""
        model, described = self.game.Options, about(self.game)
        own = options_of(model, self.start_options or model.model_fields, self.typed)
        group = app_commands.Group(name=self.game.slug, description=described)
        computers = app_commands.Range[int, 0, all_seats(self.game).stop - 2]
        shared = options_of(TableTerms, TableTerms.model_fields, {"computers": computers})
        group.add_command(command("start", described, [*own, *shared], self._start))
        own = options_of(model, self.rules_options, self.typed)
        group.add_command(command("rules", self.rules_description, own, self._rules))
        self.bot.tree.add_command(group)

    # Commands

    async def _start(self, interaction: Interaction, given: dict[str, Any]) -> None:
        terms = {name: given.pop(name) for name in TableTerms.model_fields}
        chosen = TableTerms(**{name: value for name, value in terms.items() if value is not None})
        await open_lobby(interaction, self.game, self.options(given), chosen)

    async def _rules(self, interaction: Interaction, given: dict[str, Any]) -> None:
        """Show the first page of the rules under these options, to the caller alone."""
        await send(interaction, await page_for(interaction, self, self.options(given)))

    def options(self, given: Mapping[str, Any]) -> Options:
        """Return the game's options. An option that is missing or None has its usual value.

        Raises Refusal with a sentence for each option that is not allowed.
        """
        return chosen_options(self.game, given)

    # A plain UI

    def table_scene(self, view: Any, names: Sequence[str]) -> TableScene | None:  # noqa: ARG002
        """Return the table as a picture; None for a game without pictures."""
        return None

    def own_cards(self, view: Any, names: Sequence[str]) -> LaidCards | None:  # noqa: ARG002
        """Return the cards that only the view's seat sees, for a replay; None for a game without hidden cards."""
        return None

    def hand_scene(self, view: Any, names: Sequence[str], form: Form) -> HandScene | None:  # noqa: ARG002
        """Return the hand of the view's seat as a picture; None for a game without pictures."""
        return None

    def banner_scene(self) -> Banner | None:
        """Return some cards for the lobby; None for a game without pictures."""
        return None

    def example_scene(self) -> Scene | None:
        """Return a trick or turn as an example for the short rules; None for rules without one."""
        return None

    def score_sheet(self, event: Event, names: Sequence[str]) -> ScoreSheet | None:  # noqa: ARG002
        """Return the scores of a round or match as a picture; None for other events."""
        return None

    def board(self, view: Any, names: Sequence[str], own: int | None = None) -> list[Item]:
        """Return the public table as a picture, or as text for a game without pictures."""
        scene = self.table_scene(view, names)
        if scene is None:
            return [text(self.game.words.describe(view, names))]
        return [shown(picture_of(scene.seen_from(own or 0)))]

    def told(self, event: Event, noted: Container[Seat]) -> Event | None:  # noqa: ARG002
        """Return what the live table tells of this event in words: all of it."""
        return event

    def own_hand(self, view: Any, names: Sequence[str], form: Form, situation: str) -> list[Item]:
        """Return `situation` and the hand as a picture; for players who prefer text, everything that the view says."""
        if not form.style.pictures:
            return [text(self.game.words.describe(view, names))]
        scene = self.hand_scene(view, names, form)
        holds = scene is not None and any(card.alt for card in scene.cards())
        return [text(situation), *([shown(picture_of(scene))] if scene is not None and holds else [])]

    def controls(self, view: Any, match: int) -> list[Item]:  # noqa: ARG002
        """Return no buttons: moves are made from the hand."""
        return []

    def banner(self) -> Item | None:
        """Return the picture of `banner_scene`."""
        scene = self.banner_scene()
        return None if scene is None else shown(picture_of(scene))

    def example(self) -> list[Item]:
        """Return the picture of `example_scene`, and `example_text` below it."""
        scene = self.example_scene()
        return [] if scene is None else [shown(picture_of(scene)), text(self.example_text)]

    def hand(self, view: Any, names: Sequence[str], form: Form) -> list[Item]:
        """Return everything that the view says as text, and a menu of the first 25 legal moves (`/move` takes all)."""
        items = [text(self.game.words.describe(view, names))]
        if form.legal:
            moves = [
                discord.SelectOption(label=self.game.words.label(action), value=self.game.text(action))
                for action in form.legal[:25]
            ]
            items.append(row(select("Your move", form.id("move"), moves)))
        return items

    def suggested(self, view: Any, legal: Sequence[Action]) -> Sequence[Action]:  # noqa: ARG002
        """Return all legal actions."""
        return legal

    def rehearsal(self) -> Iterator[Prepare | Rehearse]:
        """Yield requests to draw tables and hands of some positions, for each number of players."""
        form = Form(0, 0, ())
        for seats, state in self._positions():
            names = [f"Player {seat + 1}" for seat in range(seats)]
            scenes: list[Scene | None] = [self.table_scene(self.game.view(state, None), names)]
            scenes += [
                self.hand_scene(self.game.view(state, seat), names, form) for seat in self.game.awaited(state)
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

    def pick(self, view: Any, form: Form, step: str, values: Sequence[str]) -> Picks | MoveText:  # noqa: ARG002
        """Return the move that is chosen in the menu."""
        if step != "move" or len(values) != 1:
            raise Refusal(NOT_MINE)
        return MoveText(values[0])
