"""Charms in Discord: commands and forms (`cog`) and pictures of table and hands (`picture`)."""
