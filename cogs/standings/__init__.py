"""`/leaderboard`, and the final tables of seasons."""

from cogs.standings.cog import setup

__all__ = ["setup"]
