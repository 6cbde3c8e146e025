"""Emojis that an application has already: of the sandbox nothing is asked for them, and nothing is drawn."""

from sandbox import Sandbox
from sandbox.world import Emoji


def put(box: Sandbox, *names: str) -> list[Emoji]:
    """Under these names at Discord."""
    made = [Emoji(box.world.snowflakes.next(), name, "image/png", b"") for name in names]
    box.world.emojis.update({emoji.id: emoji for emoji in made})
    return made
