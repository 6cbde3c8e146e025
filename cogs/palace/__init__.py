"""Palace at the table: commands and forms (`cog`), how its table and hands are drawn (`picture`)."""

from cogs.palace.cog import setup

__all__ = ["setup"]
