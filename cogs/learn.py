"""`/learn`: a lesson in one ephemeral message, on the real engine (`games.lessons`) and the real form of the hand.

The custom ids name the lesson and the number of steps done: a message works after a restart. The store has the number,
too, for the next `/learn`, and for a tap on a step that is past.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.names import safe
from bot.match.refusal import AgainstTheRules, Refusal, naming
from bot.messages.admission import MAY_WAIT
from bot.messages.answers import send, show
from bot.messages.custom_ids import CustomId, number
from bot.messages.emojis import LETTERS
from bot.messages.game_ui import Form, GameUI, Picks, hand_style
from bot.messages.panel import SUCCESS, Item, Panel, button, is_picture, row, rows, shown, text
from bot.messages.router import DEAD_BUTTON, Click, Kind
from bot.pictures.drawing import picture_of
from bot.pictures.hand_style import HandStyle
from cogs.common.coded import coded
from cogs.common.hand_panel import board
from cogs.common.lookup import Interaction, where
from games import GAMES, AnyGame, Event
from games.lessons import LEARNER, PICK, Lesson, Moment, answer, lessons, moment, steps_after

CHANGED: Final = "This lesson has changed since you opened it, so it begins again."
MOST_LINES: Final = 6
"""Maximum number of lines on what has happened since the step before."""


@dataclass(frozen=True, slots=True)
class LessonPlace:
    """A place in a lesson, as custom ids carry it: the game, the lesson's version, and the number of steps done."""

    slug: str
    version: str
    steps: int

    def __str__(self) -> str:
        return f"{self.slug}.{self.version}.{self.steps}"

    @classmethod
    def read(cls, written: str) -> "LessonPlace":
        """Return the place that `str` wrote. Raises Refusal for any other text, and for a game without a lesson."""
        slug, _, rest = written.partition(".")
        version, _, digits = rest.partition(".")
        steps = number(digits)
        if steps is None or slug not in lessons():
            raise Refusal(DEAD_BUTTON)
        return cls(slug, version, steps)

    def exists(self) -> bool:
        """Return whether the lesson has not changed since, and has such a step."""
        lesson = lessons()[self.slug]
        return self.version == lesson.version and self.steps < len(lesson.steps)


@dataclass(frozen=True, slots=True)
class LessonForm(Form):
    """A form in a lesson."""

    place: LessonPlace = field(kw_only=True)

    def id(self, step: str) -> CustomId:
        return CustomId("lesson", 0, f"{self.place}:{step}")


class Learn(commands.Cog):
    """A right tap leads to the next step of a lesson. After a wrong one the step says why it was wrong."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("learn", self.open)
        bot.router.add("lesson", self.tap, Kind.BUTTON | Kind.SELECT)

    @app_commands.command(name="learn", extras={MAY_WAIT: True})
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(game="Which game")
    @app_commands.choices(
        game=[app_commands.Choice(name=GAMES[slug].title, value=slug) for slug in lessons()]
    )
    async def learn(self, interaction: discord.Interaction[Palmhouse], game: str | None = None) -> None:
        """Learn a game by playing it, in private: about ten taps"""
        if game is None:
            await send(interaction, _choice())
            return
        steps = await self._reached(interaction.user.id, game)
        await send(interaction, await self._panel(interaction, game, steps))

    async def open(self, interaction: Interaction, click: Click) -> None:
        """Show a lesson where its person stopped, or from the start; all lessons if none is named."""
        slug, _, start = click.rest.partition(":")
        if not click.rest:
            await send(interaction, _choice())
            return
        if slug not in lessons():
            raise Refusal(DEAD_BUTTON)
        steps = await self._reached(interaction.user.id, slug, again=bool(start))
        news = await self._news(click.match, interaction.user.id) if click.match else []
        panel = await self._panel(interaction, slug, steps)
        await show(interaction, Panel(*news, *panel.children))

    async def _news(self, match: int, user: int) -> list[Item]:
        """Return a line on the person's table, at which the lesson was offered, if it is no lobby any more."""
        try:
            table = await self.bot.tables.get(match)
        except Refusal:  # its rules have changed since, or it is gone
            return []
        if table.state.phase == "lobby" or table.state.seat_of(user) is None:
            return []
        begun = f"has begun in {where(table)}. The match goes on while you learn."
        return [text(f"-# Table {match} {begun if table.is_open else 'has closed.'}")]

    async def tap(self, interaction: Interaction, click: Click) -> None:
        """Show the next step after a right tap; after a wrong one the same step, and why."""
        written, _, step = click.rest.partition(":")
        place = LessonPlace.read(written)
        steps, note = await self._after(interaction.user.id, place, step, click.values)
        await show(interaction, await self._panel(interaction, place.slug, steps, note))

    async def _after(
        self, user: int, place: LessonPlace, step: str, values: Sequence[str]
    ) -> tuple[int, str]:
        """Return the number of steps done after a tap, and what to say about it."""
        if not place.exists():
            await self.bot.store.set_lesson(user, place.slug, 0)
            return 0, CHANGED
        reached = await self.bot.store.lesson(user, place.slug)
        if reached != place.steps:  # another tap came first: two at once, or one in a newer message
            return min(reached, len(lessons()[place.slug].steps)), ""
        steps, note = _went(self.bot.game_uis[place.slug], place, step, values)
        if steps > place.steps:
            await self.bot.store.set_lesson(user, place.slug, steps)
        return steps, note

    async def _reached(self, user: int, slug: str, *, again: bool = False) -> int:
        """Return the number of steps that a person has done. After the last one, or if they want it `again`, the lesson
        begins again."""
        steps = await self.bot.store.lesson(user, slug)
        if steps and (again or steps >= len(lessons()[slug].steps)):
            await self.bot.store.set_lesson(user, slug, 0)
            return 0
        return steps

    async def _panel(self, interaction: Interaction, slug: str, steps: int, note: str = "") -> Panel:
        style = hand_style(await self.bot.store.preferences(interaction.user.id))
        return lesson_panel(
            self.bot.game_uis[slug], steps, safe(interaction.user.display_name), style, note=note
        )


def lesson_panel(ui: GameUI, steps: int, learner: str, style: HandStyle, *, note: str = "") -> Panel:
    """Build a game's lesson after some of its steps. `note` is about the tap before, if that led to no step."""
    game, lesson = ui.game, lessons()[ui.game.slug]
    now, names = moment(game, lesson, steps), [learner, *lesson.players[1:]]
    emojis = ui.emojis if style.pictures else LETTERS
    if steps == len(lesson.steps):
        events = _round(game, now.events)
        drawn = [
            sheet for event in events if (sheet := ui.looks.score_sheet(event, names)) and style.pictures
        ]
        pictures = [shown(picture_of(sheet)) for sheet in drawn[-1:]]
        return Panel(*_end(game, lesson, game.record.lines(events, names), pictures)).illustrate(emojis)
    step = lesson.steps[steps]
    title, idea = f"-# Learn {game.title} · step {steps + 1} of {len(lesson.steps)}", f"💡 {step.idea}"
    said = [idea] if note else game.record.lines(now.events, names)[-MOST_LINES:]
    told = text(f"{f'👉 {note}' if note else idea}\n**{step.task}**")
    items = _before_form(told, _table(ui, steps, now, names, style))
    return Panel(text("\n".join([title, *said])), *items, *_back(game, steps)).illustrate(emojis)


def _before_form(told: Item, items: Sequence[Item]) -> list[Item]:
    """Insert a text between the hand and its form, whose first words belong to its buttons. In a hand without pictures,
    the first text says everything."""
    last = max((n for n, item in enumerate(items) if is_picture(item)), default=0)
    return [*items[: last + 1], told, *items[last + 1 :]]


def _table(ui: GameUI, steps: int, now: Moment, names: Sequence[str], style: HandStyle) -> list[Item]:
    """Return the table and the learner's hand with its form."""
    view = ui.game.view(now.state, LEARNER)
    form = _form(ui, LessonPlace(ui.game.slug, lessons()[ui.game.slug].version, steps), now, style)
    items: list[Item] = []
    if style.pictures and not ui.game.real_time:  # in real time the hand shows the whole table
        items = board(ui, now.state, names, ui.looks.hand(view, names, form), LEARNER)
    return [*items, *ui.hand(view, names, form)]


def _form(ui: GameUI, place: LessonPlace, now: Moment, style: HandStyle) -> LessonForm:
    emojis = ui.emojis if style.pictures else LETTERS
    legal = ui.game.legal(now.state, LEARNER)
    return LessonForm(0, place.steps, legal, now.picks, style, emojis, place=place)


def tapped(ui: GameUI, place: LessonPlace, step: str, values: Sequence[str]) -> str:
    """Return the tap that a click makes, as lessons write it. Raises Refusal for one that makes no sense."""
    game, lesson = ui.game, lessons()[place.slug]
    now = moment(game, lesson, place.steps)
    form = _form(ui, place, now, HandStyle())
    with naming(lesson.players):
        chosen = ui.pick(game.view(now.state, LEARNER), form, step, values)
        return f"{PICK}{chosen.text}" if isinstance(chosen, Picks) else game.text(game.parse(chosen.text))


def _went(ui: GameUI, place: LessonPlace, step: str, values: Sequence[str]) -> tuple[int, str]:
    """Return the number of steps done after a click, and why it was wrong; "" if it was right."""
    lesson = lessons()[place.slug]
    try:
        tap = tapped(ui, place, step, values)
    except AgainstTheRules as refusal:
        return place.steps, str(refusal)
    except Refusal:  # a forged id
        return place.steps, "That is not on this step."
    steps = steps_after(lesson, place.steps, tap)
    return steps, "" if steps > place.steps else answer(ui.game, lesson, place.steps, tap)


def _round(game: AnyGame, events: Sequence[Event]) -> Sequence[Event]:
    """Return the events up to the end of a round, if one has ended: a lesson ends there."""
    last = max(
        (n for n, event in enumerate(events, start=1) if game.record.closes(event)), default=len(events)
    )
    return events[:last]


def _back(game: AnyGame, steps: int) -> list[Item]:
    again = button("From the start", CustomId("learn", 0, f"{game.slug}:start"))
    return [row(again)] if steps else []


def _end(game: AnyGame, lesson: Lesson, said: Sequence[str], pictures: Sequence[Item]) -> list[Item]:
    """Return the last page: what has happened, what the learner knows now, and where to go on."""
    known = [f"✅ {line}" for line in lesson.learned]
    played = coded(game, game.Options(**lesson.options))
    return [
        text("\n".join([f"### You know {game.title} now", *said])),
        *pictures,
        text("\n".join(known)),
        row(
            button(
                "Play against computers", CustomId("try", 0, f"{len(lesson.others)}:{played}"), style=SUCCESS
            ),
            button("Rules", CustomId("short-rules", 0, played)),
        ),
        *_back(game, len(lesson.steps)),
    ]


def _choice() -> Panel:
    """Return a button for each lesson."""
    return Panel(
        text("### Learn a game\nYou play it, in private, and every wrong tap is explained: about ten taps."),
        *rows([button(GAMES[slug].title, CustomId("learn", 0, slug)) for slug in lessons()]),
    )
