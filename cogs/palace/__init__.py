"""Palace in Discord: commands and forms (`cog`) and pictures of table and hands (`picture`)."""

from cogs.palace.cog import Palace, setup

__all__ = ["Palace", "setup"]
