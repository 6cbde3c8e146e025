"""Hand and Foot in Discord: commands (`cog`), the form of a turn (`form`) and pictures (`picture`)."""

from cogs.hand_and_foot.cog import HandAndFoot, setup

__all__ = ["HandAndFoot", "setup"]
