"""Palmer at the table: commands and forms (`cog`), how its table and hands are drawn (`picture`)."""

from cogs.palmer.cog import setup

__all__ = ["setup"]
