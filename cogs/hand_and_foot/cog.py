"""Hand and Foot in Discord."""

from bot.client import Palmhouse
from cogs.common.game import GameCog
from games import GAMES


class HandAndFoot(GameCog):
    game = GAMES["hand-and-foot"]


async def setup(bot: Palmhouse) -> None:
    """Add the cog. Called at the start."""
    await bot.add_cog(HandAndFoot(bot))
