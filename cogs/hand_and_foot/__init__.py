"""Hand and Foot in Discord: commands and the table as text (`cog`)."""

from cogs.hand_and_foot.cog import HandAndFoot, setup

__all__ = ["HandAndFoot", "setup"]
