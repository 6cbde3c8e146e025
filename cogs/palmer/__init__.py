"""Palmer at the table: commands and forms (`cog`), how its table and hands are drawn (`picture`)."""

from cogs.palmer.cog import Palmer, setup

__all__ = ["Palmer", "setup"]
