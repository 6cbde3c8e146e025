"""Pages of rules: a short one with a worked example, the full text, and the reference card."""

from bot.messages.answers import Interaction
from bot.messages.custom_ids import CustomId
from bot.messages.emojis import LETTERS
from bot.messages.game_ui import GameUI, hand_style
from bot.messages.panel import SUCCESS, Item, Panel, button, in_words, row, text
from cogs.common.coded import coded
from games import Options
from games.about import about

PAGES = ("first", "full", "beats")
"""The pages, as custom ids name them."""


async def page_for(interaction: Interaction, ui: GameUI, options: Options, which: str = "first") -> Panel:
    """Build a page in the style that the caller has chosen: with pictures, or in words alone."""
    style = hand_style(await interaction.client.store.preferences(interaction.user.id))
    items = _contents(ui, options, which)
    if not style.pictures:
        items = [in_words(item) for item in items]
    panel = Panel(*items, _buttons(ui, options, which))
    return panel.illustrate(ui.emojis if style.pictures else LETTERS)


def _contents(ui: GameUI, options: Options, which: str) -> list[Item]:
    game = ui.game
    match which:
        case "full":
            return [text(game.rulebook.rules(options))]
        case "beats":
            return [text(game.rulebook.reference(options))]
    return [text(f"## {game.title}\n-# {about(game)}\n{game.rulebook.primer(options)}"), *ui.example(options)]


def _buttons(ui: GameUI, options: Options, which: str) -> Item:
    chosen = coded(ui.game, options)
    titles = ("Short rules", "Full rules", ui.game.reference_title)
    others = [(page, title) for page, title in zip(PAGES, titles, strict=True) if page != which]
    links = (button(label, CustomId("page", 0, f"{page}:{chosen}")) for page, label in others)
    return row(*links, button("Try it", CustomId("try", 0, chosen), style=SUCCESS))
