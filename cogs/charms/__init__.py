"""Charms in Discord: commands and forms (`cog`) and pictures of table and hands (`picture`)."""

from cogs.charms.cog import Charms, setup

__all__ = ["Charms", "setup"]
