"""Twin It! in Discord: commands and buttons (`cog`), private pages (`pages`), pictures (`layout`) and designs."""

from cogs.twin_it.cog import TwinIt, setup

__all__ = ["TwinIt", "setup"]
