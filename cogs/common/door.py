"""The buttons that lead to a game, for everybody who does not know the commands."""

from typing import Final

from bot.messages.custom_ids import CustomId
from bot.messages.panel import PRIMARY, Item, button
from cogs.common.daily_result import daily_id

BOARD: Final = CustomId("board", 0)
"""The button that shows what `/play` shows. Every board has it, and no other message that everybody sees."""


def play_button() -> Item:
    return button("Play", BOARD, style=PRIMARY)


def alone() -> list[Item]:
    """Return the buttons for what a person plays alone: the deal of the day, and lessons."""
    return [button("Daily deal", daily_id("card")), button("Learn", CustomId("learn", 0))]
