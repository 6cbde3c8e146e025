"""Discord's error codes that the bot treats in ways of their own. Others are errors like any."""

from typing import Final

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_GUILD: Final = 10004
UNKNOWN_MESSAGE: Final = 10008
"""The message is not there any more."""
UNKNOWN_WEBHOOK: Final = 10015
UNKNOWN_INTERACTION: Final = 10062
"""The first answer to an interaction is late."""
TOO_MANY_EMOJIS: Final = 30008
"""The application has as many emojis as it may."""
TOO_OLD: Final = 30046
"""A message of that age takes no more edits for now."""
OPENING_TOO_FAST: Final = 40003
"""More people are written to for the first time than Discord allows in a while."""
NETWORK_FAILED: Final = 40333
"""Discord's own network refuses any request for a while. The status is 403, as for a missing permission."""
ACKNOWLEDGED: Final = 40060
"""The interaction is answered already: the first answer arrived, even if its response was lost."""
MISSING_ACCESS: Final = 50001
"""The bot is not in the server, or may not see the channel; for commands: the server did not allow their scope."""
ANOTHER_AUTHOR: Final = 50005
"""The message is of another application, which the host used before."""
CLOSED_MESSAGES: Final = 50007
"""The person takes no direct messages from the bot."""
NO_COMMON_SERVER: Final = 50278
"""The person is on no server of the bot any more, so it may not write to them."""
INVALID_RECIPIENT: Final = 50033
"""The account is gone, or is another bot's."""
UNREACHABLE: Final = (CLOSED_MESSAGES, NO_COMMON_SERVER, INVALID_RECIPIENT)
"""Codes that refuse any direct message to a person. All others are no fact about that person."""
MISSING_PERMISSIONS: Final = 50013
EXPIRED: Final = 50027
"""The token of an interaction is older than 15 minutes, as when the bot's machine sleeps before a follow-up."""
INVALID_FORM: Final = 50035
"""The message is invalid, such as one with an unknown emoji."""
ARCHIVED: Final = 50083
"""The thread is archived."""
THREAD_EXISTS: Final = 160004
LOCKED_THREAD: Final = 160005
TOO_MANY_THREADS: Final = 160006
"""The server has 1,000 threads that are not archived."""

REFUSED: Final = (400, 403, 404)
"""HTTP statuses with which Discord refuses a request: tried again at once, it is refused again."""
