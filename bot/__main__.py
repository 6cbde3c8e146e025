"""`python -m bot` plays on Discord; `python -m bot --sandbox` on a local stand-in for it, without a token."""

import os
import sys

from bot.stopping import GOES_ON, Stop

STDOUT, STDERR = 1, 2
"""File descriptors."""


def main() -> int:
    """Run until stopped. Return the exit status."""
    stop = Stop(GOES_ON)
    stop.listen()
    # The rest takes a second to import; Ctrl+C meanwhile must print a sentence, not a traceback.
    from bot.start import arguments, start

    try:
        try:
            return start(arguments(__doc__), stop)
        finally:
            if sys.stdout:  # None if the process was started without it
                sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the output has ended, as `head` does. What is not written yet is dropped.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (STDOUT, STDERR):
            os.dup2(nowhere, stream)
        return 1


if __name__ == "__main__":
    sys.exit(main())
