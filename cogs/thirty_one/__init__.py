"""Thirty-One at the table: commands and forms (`cog`), how its table and hands are drawn (`picture`)."""

from cogs.thirty_one.cog import ThirtyOne, setup

__all__ = ["ThirtyOne", "setup"]
