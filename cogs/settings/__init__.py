"""`/settings`: what the people who manage a server decide for it."""

from cogs.settings.cog import setup

__all__ = ["setup"]
