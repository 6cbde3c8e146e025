"""The card of today's deal, and the table of a day."""

from collections.abc import Sequence
from typing import Final

from bot.client import Palmhouse
from bot.match.dailies import Results
from bot.match.names import distinct_names, safe
from bot.match.tables import Outdated
from bot.messages.custom_ids import CustomId
from bot.messages.panel import SUCCESS, Item, Panel, button, row, text
from bot.standings import daily
from bot.store import Attempt
from cogs.common.daily_result import compared, daily_id, heading, order, placing, score, streak_lines
from games.phrases import counted

MOST_EARLIER: Final = 2
"""Maximum number of buttons for earlier days."""
MOST_ROWS: Final = 20
"""Maximum number of rows of a table."""


async def card(bot: Palmhouse, user: int) -> Panel:
    """Build the card of today's deal for a person who has not finished it."""
    today, terms = bot.dailies.today(), daily.terms_of(bot.dailies.today())
    attempt, attempts = await bot.store.attempt(user, today), await bot.store.attempts(today)
    finished = sum(each.placing is not None for each in attempts)
    until = await (bot.dailies.end(today) if attempt is None else bot.dailies.closing(today))
    lines = [
        f"### {heading(today)}",
        f"{terms.game.blurb}.",
        f"You play alone against {counted(terms.seats - 1, 'computer')}, for about {counted(terms.minutes, 'minute')}. "
        "Everybody gets the same cards, and everybody has one attempt.",
        f"{_finished(finished)} {'Open until' if attempt is None else 'You have begun: finish it by'} "
        f"<t:{until // 1000}:f>.",
        *streak_lines(await bot.dailies.streak(user)),
    ]
    buttons = [
        button("Play" if attempt is None else "Go on", daily_id("play", today), style=SUCCESS),
        *await _earlier(bot, user, today),
        *[button("Learn", CustomId("learn", 0, terms.slug))] * (attempt is None),
        button("About", daily_id("about")),
    ]
    return Panel(text("\n".join(lines)), row(*buttons))


def _finished(people: int) -> str:
    if people == 0:
        return "Nobody has finished it yet."
    return "1 person has finished it." if people == 1 else f"{people} people have finished it."


async def _earlier(bot: Palmhouse, user: int, today: int) -> list[Item]:
    """Return a button for each deal before `today` that the person can still begin or finish."""
    buttons: list[Item] = []
    for day, is_open in (await bot.dailies.unclosed_days()).items():
        if day >= today:
            continue
        attempt = await bot.store.attempt(user, day)
        label = f"{'Play' if attempt is None else 'Go on with'} daily {daily.number_of(day)}"
        offered = is_open if attempt is None else await _can_go_on(bot, attempt)
        buttons += [button(label, daily_id("play", day))] * offered
    return buttons[:MOST_EARLIER]


async def _can_go_on(bot: Palmhouse, attempt: Attempt) -> bool:
    try:
        table = await bot.tables.get(attempt.match)
    except Outdated:  # the bot was updated meanwhile
        return False
    return table.is_open


async def table_of_the_day(bot: Palmhouse, user: int, day: int, guild: int) -> Panel:
    """Build the table of a day: the people who began it on this server, and how the person compares with all."""
    finished = [each for each in await bot.store.attempts(day) if each.placing is not None]
    own = next((each for each in finished if each.user == user), None)
    here = [each for each in finished if guild and each.guild == guild]
    lines = [f"### {heading(day)} · table of the day"]
    if guild:
        rows = _rows(here, user)
        lines += [
            "**On this server**",
            *([*rows, f"-# Ordered {order(day)}."] if rows else ["Nobody has finished it here."]),
        ]
    lines += ["**Everywhere**", _finished(len(finished))]
    if own is not None:
        lines.append(compared(Results(own, [each for each in finished if each is not own])))
    return Panel(text("\n".join(lines)))


def _rows(here: Sequence[Attempt], user: int) -> list[str]:
    """Return a line for each of the first people, and for the person: place, name, placing and score."""
    ranking = daily.ranking(here)
    who = distinct_names(safe(attempt.name) for _, attempt in ranking)
    lines = []
    for number, ((place, attempt), name) in enumerate(zip(ranking, who, strict=True)):
        if number < MOST_ROWS or attempt.user == user:
            mark = "**" * (attempt.user == user)
            lines.append(f"{place}. {mark}{name}{mark} · {placing(attempt)} · {score(attempt)}")
    left_out = len(ranking) - len(lines)
    return [*lines, f"-# and {left_out} more"] if left_out else lines
