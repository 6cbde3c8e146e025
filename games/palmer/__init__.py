"""Palmer: a square of four cards, two of them never looked at; equal ranks cancel, and the fewest points win.

`actions`, `events`, `options` and `state` are its data; `rules`, `refusals` and `view` the engine. People read `words`,
`rulebook`, `record`, `facts` and the `lesson`; computers ask `advice`.
"""

from typing import Final

from games.palmer import facts, record, rulebook, words
from games.palmer.rules import Palmer

GAME: Final = Palmer(words=words, rulebook=rulebook, record=record, facts=facts)
