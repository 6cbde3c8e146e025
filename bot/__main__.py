"""`python -m bot` plays on Discord; `python -m bot --sandbox` on a local stand-in for it, without a token.
`python -m bot emojis` uploads small pictures of the cards, once, and after an update again.
`python -m bot policy` prints a privacy policy and terms as Markdown."""

import sys

from bot.stopping import GOES_ON, Stop


def main() -> int:
    """Run until stopped. Return the exit status."""
    stop = Stop(GOES_ON)
    stop.listen()
    # The rest takes a second to import; Ctrl+C meanwhile must print a sentence, not a traceback.
    from bot.start import arguments, start

    return start(arguments(__doc__), stop)


if __name__ == "__main__":
    sys.exit(main())
