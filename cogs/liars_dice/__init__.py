"""Liar's Dice in Discord: commands, forms and public buttons (`cog`), pictures of table, cups and dice (`picture`)."""
