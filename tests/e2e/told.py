"""What a match's log calls for and what was posted: the two must be the same, without gap or repeat."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.narration import told
from bot.sitting import Sitting
from bot.store import Entry
from sandbox.world import World


@dataclass(frozen=True)
class Post:
    """A public message: its number, its text, and the ids of those whom it pings."""

    number: int
    text: str
    pings: frozenset[int]


def called_for(sitting: Sitting, log: Sequence[Entry]) -> list[Post]:
    """By the log, in order. `sitting` is a table that nobody has come to yet; it is moved on to the end."""
    posts: list[Post] = []
    votes: dict[int, int] = {}
    """By poll, which post asks for votes."""
    for entry in log:
        word = told(sitting, entry, sitting.apply(entry), len(posts))
        if word.text:
            votes |= {int(rest.split(":")[0]): len(posts) for _, verb, rest in word.doors if verb == "vote"}
            posts.append(Post(word.number, word.text, frozenset(word.calls)))
        for vote in [votes[poll] for poll in word.settled if poll in votes]:
            posts[vote] = replace(
                posts[vote], text=f"{posts[vote].text}\n**This is settled.** {word.verdict}"
            )
    return posts


def posted(world: World, match: int) -> list[Post]:
    """By the bot, wherever it was, in the order in which it was posted."""
    places = [*world.channels.values(), *world.gone]
    every = sorted((message for place in places for message in place.log.values()), key=lambda each: each.id)
    found = []
    for message in every:
        mark = re.fullmatch(rf"hand:{match}:(\d+)", next(iter(message.custom_ids), ""))
        if mark and not message.ephemeral and message.author is world.bot:
            found.append(Post(int(mark[1]), message.text, message.pings))
    return found
