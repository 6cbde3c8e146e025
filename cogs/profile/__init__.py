"""The profile of a person, and the history of their matches."""

from cogs.profile.cog import setup

__all__ = ["setup"]
