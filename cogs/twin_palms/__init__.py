"""Twin Palms at the table: commands and forms (`cog`), how its table and hands are drawn (`picture`)."""

from cogs.twin_palms.cog import TwinPalms, setup

__all__ = ["TwinPalms", "setup"]
