"""The cog of the toy game: all that a game needs in Discord when text and a menu are enough."""

from bot.client import Palmhouse
from cogs.common.game import GameCog
from tests.toy import GAME


class Toy(GameCog):
    game = GAME


async def setup(bot: Palmhouse) -> None:
    """Add the cog. Called at the start."""
    await bot.add_cog(Toy(bot))
