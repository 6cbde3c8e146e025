"""Twin Palms at the table: commands and forms (`cog`), how its table and hands are drawn (`picture`)."""

from cogs.twin_palms.cog import setup

__all__ = ["setup"]
