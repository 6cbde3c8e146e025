"""Twin Palms in Discord: commands and forms (`cog`) and pictures of table and hands (`picture`)."""

from cogs.twin_palms.cog import TwinPalms, setup

__all__ = ["TwinPalms", "setup"]
