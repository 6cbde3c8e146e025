"""Palmer in Discord: commands and forms (`cog`), pictures of table and hands (`picture`)."""

from cogs.palmer.cog import Palmer, setup

__all__ = ["Palmer", "setup"]
