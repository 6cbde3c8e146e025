"""The result of a daily deal: as its player sees it, and as they share it, without a word on the cards."""

from collections.abc import Sequence

from bot.client import Palmhouse
from bot.match.announcements import names
from bot.match.dailies import Results
from bot.match.entries import Close, CloseReason
from bot.match.names import safe
from bot.match.table import Table
from bot.messages.custom_ids import CustomId
from bot.messages.panel import SUCCESS, Item, Panel, button, in_words, row, shown, text
from bot.pictures.drawing import picture_of
from bot.pictures.scene import DailyResult, PlacedPlayer, Podium
from bot.standings import daily
from bot.store import Attempt
from games.phrases import counted, ordinal, plural, scored

GIVEN_UP = "You left this deal before its end, so it has no result. Tomorrow has another one."
CLOSED = "This deal closed before you finished it, so it has no result. `/daily` shows today's."
MOST_MARKS = 24
"""Maximum number of emojis for the course of a match: two rows on a phone."""


def daily_id(action: str, day: int | None = None) -> CustomId:
    """Return the custom id of a button about daily deals."""
    return CustomId("daily", 0, action if day is None else f"{action}:{day}")


def heading(day: int) -> str:
    """Return the name of a daily deal: "Daily 326 · Palace"."""
    return f"Daily {daily.number_of(day)} · {daily.terms_of(day).game.title}"


async def result_panel(
    bot: Palmhouse, table: Table, attempt: Attempt, above: Sequence[Item], *, pictures: bool
) -> Panel:
    """Build the result of an attempt that is over, for its player. `above` are the items above it."""
    if attempt.placing is None:
        last = table.state.last
        in_time = not isinstance(last, Close) or last.reason is not CloseReason.DAY_OVER
        return Panel(*above, text(GIVEN_UP if in_time else CLOSED))
    podium = shown(picture_of(_podium(table, attempt.user)))
    results, streak = await bot.dailies.results(attempt), await bot.dailies.streak(attempt.user)
    words = text(
        "\n".join([f"### {placing(attempt)} · {score(attempt)}", compared(results), *streak_lines(streak)])
    )
    buttons = row(
        button("Share", daily_id("share", attempt.day), style=SUCCESS),
        button("Table of the day", daily_id("table", attempt.day)),
        button("About", daily_id("about")),
    )
    return Panel(*above, podium if pictures else in_words(podium), words, buttons)


def placing(attempt: Attempt) -> str:
    """Return "2nd of 4"."""
    assert attempt.placing is not None
    return f"{ordinal(attempt.placing)} of {daily.terms_of(attempt.day).seats}"


def score(attempt: Attempt) -> str:
    """Return "32 points"."""
    assert attempt.score is not None
    terms = daily.terms_of(attempt.day)
    return scored(attempt.score, terms.game.unit(terms.options))


def order(day: int) -> str:
    """Return "by place at the table, then by points, most first"."""
    terms = daily.terms_of(day)
    units, first = plural(terms.game.unit(terms.options)), "fewest" if daily.low_wins(day) else "most"
    return f"by place at the table, then by {units}, {first} first"


def compared(results: Results) -> str:
    """Return how the person compares with all others who have finished the deal."""
    if not results.others:
        return "You are the first to finish this deal. `/daily` compares you with others later."
    return f"You are {results.compared} on this deal."


def streak_lines(days: int) -> list[str]:
    """Return a line on the streak; none without one."""
    return [f"Streak: {counted(days, 'day')}."] if days else []


def shared_panel(results: Results, name: str, streak: int, course: str, *, pictures: bool) -> Panel:
    """Build the message by which a person shares a result with a channel. `course` is the match in emojis."""
    attempt = results.own
    title = f"Palmhouse {_small(heading(attempt.day))}"
    scene = DailyResult(
        title,
        safe(name),
        placing(attempt),
        score(attempt),
        results.percentage,
        results.compared,
        streak,
    )
    lines = [
        f"**{safe(name)}** · {title}",
        f"{scene.placing} at the table · {scene.score}",
        course[:MOST_MARKS],
        " · ".join(filter(None, [results.place, scene.days])),
    ]
    return Panel(
        text("\n".join(filter(None, lines))),
        *([shown(picture_of(scene))] if pictures else []),
        row(button("Play the daily", daily_id("card"), style=SUCCESS)),
    )


def _small(title: str) -> str:
    return title[0].lower() + title[1:]


def _podium(table: Table, user: int) -> Podium:
    """Return the end of the match, where the person is called "You"."""
    state, who = table.state, names(table.state)
    who = ["You" if player.user == user else name for player, name in zip(state.players, who, strict=True)]
    outcome = state.outcome()
    seats = sorted(range(len(who)), key=lambda seat: outcome.placings[seat])
    placed = (PlacedPlayer(who[seat], outcome.placings[seat], outcome.scores[seat]) for seat in seats)
    return Podium(state.game.title, plural(state.game.unit(state.options)), tuple(placed))
