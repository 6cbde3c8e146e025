"""The form by which a game night is planned. What is chosen is in its custom ids; times are shown in the reader's own
zone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

import discord

from bot.match.night_rows import sizes
from bot.match.refusal import Refusal
from bot.match.times import Times
from bot.messages.custom_ids import CustomId, number
from bot.messages.panel import SUCCESS, Item, Panel, button, row, select, text
from bot.messages.router import DEAD_BUTTON, Click, Kind
from bot.store import GuildSettings, Preset
from cogs.presets import options_of
from games import GAMES, AnyGame, Options
from games.phrases import counted, listed

QUARTER: Final = 900
"""Seconds."""
MOST_ROUNDS: Final = 5
SOONEST: Final = 10
"""Minutes from now of the earliest time that the form offers."""
AHEAD: Final = {
    SOONEST: "in 10 minutes",
    30: "in half an hour",
    60: "in an hour",
    **{60 * hours: f"in {hours} hours" for hours in (2, 3, 6, 12)},
    1440: "in a day",
    **{1440 * days: f"in {days} days" for days in range(2, 15)},
}
"""Times to choose, in minutes from now. No zone is needed to understand them."""
SHIFTS: Final = (
    {"−1 h": -60, "−15 min": -15, "+15 min": 15, "+1 h": 60},
    {"−1 day": -1440, "+1 day": 1440, "+1 week": 10080},
)
"""Buttons that move the time, by rows: label and minutes."""
HEAD: Final = """### Plan a game night
Everybody who comes plays each round at a table of the right size, and all tables have the same deal.
**When**: <t:{at}:F>, <t:{at}:R>
**Games**: {games}
**Rounds**: {rounds} · {pace}{weekly}"""
TOO_MANY: Final = "\n**More games than rounds**: choose fewer games, or more rounds."


@dataclass(frozen=True, slots=True)
class Plan:
    """The choices so far."""

    second: int
    """The start, in seconds since the Unix epoch."""
    games: tuple[str, ...] = ()
    """Numbers of games, and of presets with a "p" before them."""
    rounds: int = 3
    weekly: bool = False

    @classmethod
    def begun(cls, now: int) -> Self:
        """Return the plan with which the form opens: in a day, at a full quarter."""
        return cls(_soon(now, 1440))

    @property
    def starts(self) -> int:
        """The start in ms."""
        return self.second * 1000

    def id(self, action: str) -> CustomId:
        """Return the custom id of a part of the form."""
        games = ".".join(self.games)
        return CustomId("night-plan", 0, f"{self.second}:{games}:{self.rounds}:{int(self.weekly)}:{action}")

    @classmethod
    def read(cls, rest: str) -> tuple[Self, str]:
        """Return what `id` wrote: the plan and the action. Raises Refusal for anything else."""
        parts = rest.split(":")
        if len(parts) != 5:
            raise Refusal(DEAD_BUTTON)
        second, rounds = number(parts[0]), number(parts[2])
        if second is None or rounds not in range(1, MOST_ROUNDS + 1) or parts[3] not in ("0", "1"):
            raise Refusal(DEAD_BUTTON)
        games = tuple(filter(None, parts[1].split(".")))
        return cls(second, games[:MOST_ROUNDS], rounds or 1, parts[3] == "1"), parts[4]

    def after(self, action: str, click: Click, now: int) -> Self:
        """Return the plan after a click. Raises Refusal for anything that the form does not offer."""
        chosen = [number(each) for each in click.values]
        match action, click.kind:
            case "ahead", Kind.SELECT if chosen[0] in AHEAD:
                return replace(self, second=_soon(now, chosen[0] or 0))
            case "games", Kind.SELECT:
                return replace(self, games=click.values[:MOST_ROUNDS])
            case "rounds", Kind.SELECT if chosen[0] in range(1, MOST_ROUNDS + 1):
                return replace(self, rounds=chosen[0] or 1)
            case "weekly", Kind.BUTTON:
                return replace(self, weekly=not self.weekly)
            case _, Kind.BUTTON if action in {str(each) for shifts in SHIFTS for each in shifts.values()}:
                return replace(self, second=max(_soon(now, SOONEST), self.second + 60 * int(action)))
        raise Refusal(DEAD_BUTTON)


def _soon(now: int, minutes: int) -> int:
    """Return the second at a full minute that many minutes from now, or at a full quarter if that is later."""
    unit = 60 if minutes < 60 else QUARTER
    return -(-(now // 1000 + 60 * minutes) // unit) * unit


def offered(presets: Sequence[Preset], settings: GuildSettings) -> dict[str, tuple[str, AnyGame, Options]]:
    """Return what can be chosen on a server: by its number in custom ids the label, the game and the options. Games
    that are played together are left out."""
    found: dict[str, tuple[str, AnyGame, Options]] = {}
    for preset in presets:
        options = options_of(preset)
        if options is not None and sizes(GAMES[preset.game], options):
            found[f"p{preset.id}"] = preset.name, GAMES[preset.game], options
    for place, (slug, game) in enumerate(GAMES.items()):
        if slug not in settings.left_out:
            found[str(place)] = game.title, game, game.Options()
    return found


def form(plan: Plan, choices: dict[str, tuple[str, AnyGame, Options]], now: int, times: Times) -> Panel:
    """Build the form. No step leads into the past."""
    games = tuple(each for each in plan.games if each in choices)
    plan = replace(plan, games=games)  # what is not shown is not planned
    ahead = [discord.SelectOption(label=label, value=str(minutes)) for minutes, label in AHEAD.items()]
    options = [
        discord.SelectOption(
            label=label, value=each, description=_about(label, game, chosen), default=each in games
        )
        for each, (label, game, chosen) in choices.items()
    ]
    rounds = [
        discord.SelectOption(label=counted(each, "round"), value=str(each), default=each == plan.rounds)
        for each in range(1, MOST_ROUNDS + 1)
    ]
    named = listed([choices[each][0] for each in games] or ["choose one or more"]) + ", by turns" * (
        len(games) > 1
    )
    has_too_many = len(games) > plan.rounds
    said = HEAD.format(
        at=plan.starts // 1000,
        games=named,
        rounds=plan.rounds,
        pace=times.in_words("live"),  # whatever that of a preset is
        weekly="\n**Repeated** each week, as long as people come" * plan.weekly,
    )
    shifts: list[Item] = [row(*[_shift(plan, *each, now) for each in steps.items()]) for steps in SHIFTS]
    return Panel(
        text(said + TOO_MANY * has_too_many),
        row(select("When", plan.id("ahead"), ahead)),
        *shifts,
        row(select("Games", plan.id("games"), options, most=min(MOST_ROUNDS, len(options)))),
        row(select("Rounds", plan.id("rounds"), rounds)),
        row(
            button("Only once" if plan.weekly else "Each week", plan.id("weekly")),
            button("Plan it", plan.id("plan"), style=SUCCESS, disabled=not games or has_too_many),
        ),
    )


def _shift(plan: Plan, label: str, minutes: int, now: int) -> Item:
    return button(label, plan.id(str(minutes)), disabled=plan.second + 60 * minutes < _soon(now, SOONEST))


def _about(label: str, game: AnyGame, options: Options) -> str | None:
    """Return the second line of an option."""
    words = [*[game.title] * (label != game.title), *options.summary()]
    return " · ".join(words)[:100] or None
