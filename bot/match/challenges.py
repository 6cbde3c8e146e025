"""A limit on challenges within an hour: of those by a person, and of those to a person."""

from typing import Final

from bot.match.names import safe
from bot.match.refusal import Refusal
from bot.match.state import Player
from bot.store import Store

MOST: Final = 3
"""Maximum number of challenges by a person within an hour, and of those to a person."""
HOUR: Final = 3_600_000
TOO_MANY: Final = "You have challenged people {} times within an hour. You can do it again <t:{}:R>."
TOO_OFTEN: Final = "{} was challenged {} times within an hour. You can do it <t:{}:R>."


async def check_challenges(store: Store, by: int, to: Player, now: int) -> None:
    """Raise Refusal if there were too many challenges within an hour for one more."""
    lately = await store.challenges(by, to.user, now - HOUR)
    own = [at for host, _, at in lately if host == by]
    theirs = [at for _, user, at in lately if user == to.user]
    if len(own) >= MOST:
        raise Refusal(TOO_MANY.format(MOST, (own[-MOST] + HOUR) // 1000 + 1))
    if len(theirs) >= MOST:
        raise Refusal(TOO_OFTEN.format(safe(to.name), MOST, (theirs[-MOST] + HOUR) // 1000 + 1))
