"""Emojis that an application already has: put straight into the sandbox, without requests and drawings."""

from sandbox import Sandbox
from sandbox.world import Emoji


def put(box: Sandbox, *names: str) -> list[Emoji]:
    """Put emojis with these names into the sandbox."""
    made = [Emoji(box.world.snowflakes.next(), name, "image/png", b"") for name in names]
    box.world.emojis.update({emoji.id: emoji for emoji in made})
    return made
