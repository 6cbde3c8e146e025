"""The toy's cog: all that a game needs to be played in Discord, when text and a menu are enough."""

from bot.client import Palmhouse
from cogs.common.game import GameCog
from tests.toy.rules import GAME


class Toy(GameCog):
    game = GAME


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Toy(bot))
