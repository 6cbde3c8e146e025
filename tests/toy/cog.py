"""The cog of the toy game: all that a game needs in Discord when text and a menu are enough."""

from cogs.common.game import GameCog
from tests.toy import GAME


class Toy(GameCog):
    game = GAME
