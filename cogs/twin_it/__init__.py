"""Twin It! at the table: commands and buttons (`cog`), what lies where (`layout`), its designs and pictures."""

from cogs.twin_it.cog import TwinIt, setup

__all__ = ["TwinIt", "setup"]
