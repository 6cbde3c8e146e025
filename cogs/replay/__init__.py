"""Replays of matches that are over: step by step in Discord, as a text file and as a page."""

from cogs.replay.cog import setup

__all__ = ["setup"]
