"""Charms in Discord: commands and forms (`cog`), pictures of table and hands (`picture`), its cards (`artwork`)."""

from cogs.charms.cog import Charms, setup

__all__ = ["Charms", "setup"]
