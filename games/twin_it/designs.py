"""The designs of Twin It!: what each is called when it is spoken."""

from typing import Final

NAMES: Final[tuple[str, ...]] = tuple(f"design {design}" for design in range(119))
"""By design: short and unique."""
