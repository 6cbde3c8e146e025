"""Thirty-One in Discord: commands and forms (`cog`), pictures of table and hands (`picture`)."""

from cogs.thirty_one.cog import ThirtyOne, setup

__all__ = ["ThirtyOne", "setup"]
