"""The buttons that lead to a game, for everybody who does not know the commands."""

from bot.messages.custom_ids import CustomId
from bot.messages.panel import PRIMARY, Item, button
from cogs.common.daily_result import daily_id


def play_button() -> Item:
    """Return the button that shows what `/play` shows."""
    return button("Play", CustomId("board", 0), style=PRIMARY)


def alone() -> list[Item]:
    """Return the buttons for what a person plays alone: the deal of the day, and lessons."""
    return [button("Daily deal", daily_id("card")), button("Learn", CustomId("learn", 0))]
