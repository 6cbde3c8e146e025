"""Palace in Discord: commands and forms (`cog`), pictures of table and hands (`picture`), its cards (`artwork`)."""

from cogs.palace.cog import Palace, setup

__all__ = ["Palace", "setup"]
