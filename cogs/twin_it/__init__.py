"""Twin It! in Discord: commands and buttons (`cog`), private pages (`pages`), pictures (`layout`) and designs."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cogs.twin_it.cog import TwinIt, setup

__all__ = ["TwinIt", "setup"]


def __getattr__(name: str) -> Any:
    """Import the cog when it is needed: the rasterizer only needs the painters, and has 32 MiB less without it."""
    if name not in __all__:
        raise AttributeError(name)
    from cogs.twin_it import cog

    return getattr(cog, name)
