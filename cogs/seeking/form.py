"""The form of `Tell me when …`: which games, at which pace, until when, and how many calls a day."""

from collections.abc import Collection, Sequence
from typing import Final

import discord

from bot.match.names import distinct_names
from bot.match.refusal import Refusal
from bot.messages.custom_ids import CustomId
from bot.messages.panel import Item, Modal, button, menu_field
from bot.messages.router import DEAD_BUTTON
from bot.store import GuildSettings, Seek
from cogs.common.new_table import chosen_options
from cogs.settings.panel import PACES
from games import GAMES, AnyGame
from games.phrases import counted, listed

ANY: Final = "any"
"""Stands for every pace."""
STOP: Final = "stop"
"""The choice by which somebody does not look for a game any more."""
HOUR: Final = 3_600_000
"""Milliseconds."""
UNTIL: Final[dict[str, tuple[str, str, int | None]]] = {
    "hour": ("An hour", "Or until you sit down", HOUR),
    "tonight": ("Tonight", "For six hours, or until you sit down", 6 * HOUR),
    "always": ("Always", "Until you stop it here", None),
}
"""Label, description, and length in ms, by choice."""
CALLS: Final = {"1": "One call a day", "3": "Three calls a day", "10": "Ten calls a day"}
OPENS: Final = "When enough people look for a game, I open a table. The last of them is its host"
USUAL_CALLS: Final = 3
MOST_NAMED: Final = 3
"""Maximum number of games that are named; more are counted."""
LEFT: Final = (
    "{} left the menu of this server meanwhile. Press `Tell me when …` again, and choose other games."
)


def seek_button() -> Item:
    """Return the button that opens the form."""
    return button("Tell me when …", CustomId("seek", 0))


def offered(settings: GuildSettings) -> list[str]:
    """Return the slugs of the games in the menus of a server."""
    return [slug for slug in GAMES if slug not in settings.left_out]


def enough(game: AnyGame) -> int:
    """Return how many people must look for a game so that a table of it opens by itself."""
    return max(2, game.seats(chosen_options(game, {})).start)


def form(games: Sequence[str], kept: Seek | None, *, on_board: bool) -> Modal:
    """Build the form with these games, filled in with what the person looks for already."""
    board = "Until then your name is on the board of this server" if on_board else None
    return Modal(
        "Tell me when somebody plays",
        CustomId("seek-with", 0),
        menu_field("Games", _games(games, kept), description=OPENS, most=len(games)),
        menu_field("Pace", _paces(kept)),
        menu_field("Until", _lengths(kept), description=board),
        menu_field("At most", _calls(kept), description="You are mentioned in a channel that you see"),
    )


def _games(games: Sequence[str], kept: Seek | None) -> list[discord.SelectOption]:
    chosen = kept.games if kept else ()
    return [
        discord.SelectOption(
            label=GAMES[slug].title,
            value=slug,
            description=f"A table opens when {enough(GAMES[slug])} people look for it",
            default=slug in chosen,
        )
        for slug in games
    ]


def _paces(kept: Seek | None) -> list[discord.SelectOption]:
    paces = {ANY: ("Any pace", "Whatever the table has")} | PACES
    chosen = kept.pace if kept else ANY
    return [
        discord.SelectOption(label=label, value=pace, description=about, default=pace == chosen)
        for pace, (label, about) in paces.items()
    ]


def _lengths(kept: Seek | None) -> list[discord.SelectOption]:
    length = HOUR if kept is None else kept.until and kept.until - kept.at
    options = [
        discord.SelectOption(label=label, value=value, description=about, default=ms == length)
        for value, (label, about, ms) in UNTIL.items()
    ]
    if kept is not None:
        options.append(discord.SelectOption(label="Not any more", value=STOP, description="No call, ever"))
    return options


def _calls(kept: Seek | None) -> list[discord.SelectOption]:
    most = str(kept.most if kept else USUAL_CALLS)
    return [
        discord.SelectOption(label=label, value=value, default=value == most)
        for value, label in CALLS.items()
    ]


def read(values: Sequence[str], games: Collection[str], seek: Seek) -> Seek | None:
    """Return `seek` with what was chosen in the form; None if the person does not look for a game any more. Raises
    Refusal for anything that the form does not offer."""
    *chosen, pace, until, most = values if len(values) > 3 else ("", "", "", "")
    is_known = pace in (ANY, *PACES) and until in (STOP, *UNTIL) and most in CALLS
    if not is_known or not {*chosen} <= GAMES.keys():
        raise Refusal(DEAD_BUTTON)
    if until == STOP:
        return None
    if left := [GAMES[slug].title for slug in chosen if slug not in games]:
        raise Refusal(LEFT.format(listed(left)))
    length = UNTIL[until][2]
    return seek._replace(
        games=tuple(slug for slug in GAMES if slug in chosen),
        pace=pace,
        until=length and seek.at + length,
        most=int(most),
    )


def told(seek: Seek, *, on_board: bool) -> str:
    """Return what follows from a seek, for its person."""
    board = "Your name is on the board. " if on_board else ""
    needed = {enough(GAMES[slug]) for slug in seek.games if slug in GAMES}
    number = needed.pop() if len(needed) == 1 else "enough"
    pace = "at any pace" if seek.pace == ANY else f"at the {seek.pace} pace"
    calls = "once" if seek.most == 1 else counted(seek.most, "time")
    ends = _ends(seek) and f"{_ends(seek)} or until you sit down"
    return (
        f"🔔 You look for **{_named(seek)}** {pace}{ends}. Whoever opens such a table can have you called to "
        f"it, in a channel that you see, at most {calls} a day. When {number} people look for the same, I open "
        f"a table, and the last of them is its host.\n-# {board}`Tell me when …` changes or stops this."
    )


def lines(seeks: Sequence[Seek]) -> list[str]:
    """Return a line for each of these people, for everybody."""
    names = distinct_names(each.name for each in seeks)
    return [
        f"**{name}** looks for {_named(each)}{_ends(each)}" for name, each in zip(names, seeks, strict=True)
    ]


def _named(seek: Seek) -> str:
    titles = [GAMES[slug].title for slug in seek.games if slug in GAMES]
    if len(titles) == len(GAMES):
        return "any game"
    return listed(titles) if 0 < len(titles) <= MOST_NAMED else f"one of {counted(len(titles), 'game')}"


def _ends(seek: Seek) -> str:
    return "" if seek.until is None else f" until <t:{seek.until // 1000}:t>"
