"""`python -m sandbox`: a stand-in for Discord on this machine, with one server and four people."""

import argparse
import asyncio
import sys
from contextlib import suppress

from sandbox.permissions import Permission
from sandbox.sandbox import Sandbox

PORT = 8420
PEOPLE = ("Alice", "Ben", "Cleo", "Dana")


def furnish(box: Sandbox) -> None:
    """Create the server Palm Beach with a channel and four people, the first an administrator."""
    guild = box.guild("Palm Beach")
    guild.channel("card-room")
    people = [box.person(name, guild) for name in PEOPLE]
    guild.grant(people[0].user, Permission.ADMINISTRATOR)


async def serve(port: int) -> None:
    """Serve until cancelled."""
    async with Sandbox(port=port) as box:
        furnish(box)
        print(f"{box.url}  (token: {box.token})", flush=True)  # noqa: T201
        await asyncio.Event().wait()


def main() -> None:
    """Read the arguments and serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m sandbox", description=__doc__)
    parser.add_argument(
        "--port", type=int, default=PORT, help=f"port on 127.0.0.1, by default {PORT}; 0 picks a free one"
    )
    port = parser.parse_args().port
    try:
        with suppress(KeyboardInterrupt):
            asyncio.run(serve(port))
    except OSError as error:
        sys.exit(
            f"The sandbox cannot use port {port} ({error.strerror}). Name another one: --port {port + 1}."
        )


if __name__ == "__main__":
    main()
