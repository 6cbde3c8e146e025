"""Palace at the table: commands and forms (`cog`), how its table and hands are drawn (`picture`)."""

from cogs.palace.cog import Palace, setup

__all__ = ["Palace", "setup"]
