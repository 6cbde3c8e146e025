"""Hand and Foot in Discord: commands (`cog`), the form of a turn (`form`), pictures (`picture`) and their cards
(`artwork`)."""

from cogs.hand_and_foot.cog import HandAndFoot, setup

__all__ = ["HandAndFoot", "setup"]
