"""Charms at the table: commands and forms (`cog`), how its table and hands are drawn (`picture`)."""

from cogs.charms.cog import Charms, setup

__all__ = ["Charms", "setup"]
