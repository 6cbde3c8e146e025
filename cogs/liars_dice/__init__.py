"""Liar's Dice in Discord: commands, forms and public buttons (`cog`), pictures of table, cups and dice (`picture`)."""

from cogs.liars_dice.cog import LiarsDice, setup

__all__ = ["LiarsDice", "setup"]
