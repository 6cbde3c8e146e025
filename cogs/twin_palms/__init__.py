"""Twin Palms in Discord: commands and forms (`cog`), pictures of table and hands (`picture`), its cards (`artwork`)."""

from cogs.twin_palms.cog import TwinPalms, setup

__all__ = ["TwinPalms", "setup"]
