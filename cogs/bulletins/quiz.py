"""The question of a week: at a point where a match was decided, what would you play? Nobody else sees the answer.

It follows from the log of the match and from what computers would play, so nothing about it is stored.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Final

from bot.client import Palmhouse
from bot.computers.worker import Question
from bot.computers.worker_client import NoAdvice
from bot.match.refusal import Refusal
from bot.match.replay import replay_of
from bot.match.review import Decision, Review, review
from bot.messages.answers import Interaction, send, show
from bot.messages.custom_ids import CustomId
from bot.messages.emojis import LETTERS
from bot.messages.game_ui import GameUI, hand_style
from bot.messages.panel import PRIMARY, Item, Panel, button, row, shown, text
from bot.messages.router import DEAD_BUTTON, Click
from bot.pictures.drawing import picture_of
from bot.pictures.scene import OpenHands
from bot.store import LogRow
from cogs.bulletins.week import has_quiz
from cogs.replay.access import Opened, opened
from games import AnyGame
from games.advice import Advice, Strength
from games.phrases import capitalized
from games.types import Action

KEPT: Final = 8
"""Number of questions that are kept."""
LOOKED_AT: Final = 8
"""Number of decisions of a match about which computers are asked."""
MOST: Final = 4
"""Maximum number of choices."""
LABEL: Final = 80
"""Maximum length of a button's label, set by Discord."""
MOST_LINES: Final = 4
"""Maximum number of lines on what happened."""
ASKED: Final[tuple[tuple[Strength, int], ...]] = (("steady", 0), ("casual", 1), ("casual", 2), ("casual", 3))
"""Strengths of computers that find choices, each with a number for its seed."""
NOT_OPEN: Final = (
    "Somebody who played this match keeps their hands private now, so there is no question about it any more."
)
NO_QUESTION: Final = "There is no question about this match."
NOT_NOW: Final = "The computers do not answer right now. Press the button again."


@dataclass(frozen=True, slots=True)
class Quiz:
    """A decision of a match, and the choices that people have."""

    found: Review
    decision: Decision
    best: Advice
    """The move of a sharp computer."""
    choices: Sequence[Action]
    is_disputed: bool
    """True when a computer that searches finds something else than the rules of thumb."""

    def label(self, action: Action) -> str:
        return self.found.game.words.label(action)


class Quizzes:
    """The questions about matches."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        self._replay_of = lru_cache(KEPT)(replay_of)
        self._kept: dict[tuple[LogRow, ...], Quiz] = {}
        """By log, the latest last: after an erasure the log is another one, with another name."""
        self._making = asyncio.Lock()
        """Held while a question is made, so that those who ask at once wait for the same one."""

    async def click(self, interaction: Interaction, click: Click) -> None:
        """Ask the question in a message of its own, or answer what was chosen there."""
        match = await self._open(interaction, click)
        quiz = await self._quiz(match)
        # Computers may have thought for seconds, and somebody closed their hands or was erased meanwhile.
        if (await self._open(interaction, click)).log != match.log:
            raise Refusal(NOT_OPEN)
        style = hand_style(await self.bot.store.preferences(interaction.user.id))
        ui = self.bot.game_uis[match.match.game]
        if not click.rest:
            await send(interaction, _asked(match.match.id, quiz, ui, pictures=style.pictures))
            return
        emojis = ui.emojis if style.pictures else LETTERS
        await show(interaction, _answered(match.match.id, quiz, _chosen(quiz, click.rest)).illustrate(emojis))

    async def _open(self, interaction: Interaction, click: Click) -> Opened:
        """Return the match of a click. Raises Refusal unless the caller may see all its hands."""
        match = await opened(interaction, click.match, self._replay_of)
        if match.replay is None:
            raise Refusal(NO_QUESTION)
        if match.replay.all_hands not in match.points_of_view:
            raise Refusal(NOT_OPEN)
        return match

    async def _quiz(self, match: Opened) -> Quiz:
        """Return the question about a match. Raises Refusal when there is none."""
        async with self._making:
            if match.log not in self._kept:
                self._kept[match.log] = await self._made(match)
                for old in [*self._kept][:-KEPT]:
                    del self._kept[old]
            return self._kept[match.log]

    async def _made(self, match: Opened) -> Quiz:
        """Make the question about a match: of the latest decision about which computers differ, and make most choices.
        Raises Refusal."""
        assert match.replay is not None
        found = await asyncio.to_thread(review, match.match, match.replay.game, match.log)
        if found is None or not has_quiz(found):
            raise Refusal(NO_QUESTION)
        try:
            decisions = found.deciding()
            few = decisions[:: ceil(len(decisions) / LOOKED_AT)]
            tried = [await self._about(found, each) for each in few]
        except NoAdvice:
            raise Refusal(NOT_NOW) from None
        return max(tried, key=lambda each: (each.is_disputed, len(each.choices)))

    async def _about(self, found: Review, decision: Decision) -> Quiz:
        """Return the question about a decision. Raises NoAdvice."""
        best = await self._ask(found.game, decision, "sharp", 0)
        usual, *others = [(await self._ask(found.game, decision, *each)).action for each in ASKED]
        choices = [*dict.fromkeys((decision.action, best.action, usual, *others))]
        left = [each for each in decision.legal if each not in choices]
        choices += left[: len(choices) == 1]
        return Quiz(found, decision, best, sorted(choices[:MOST]), best.action != usual)

    async def _ask(self, game: AnyGame, decision: Decision, strength: Strength, seed: int) -> Advice:
        view = game.view(decision.state, decision.seat)
        question = Question(game, view, strength, f"quiz {decision.n} {seed}")
        return await self.bot.computers.worker_client.ask(question)


def _chosen(quiz: Quiz, written: str) -> Action:
    """Return the choice that a button carries. Raises Refusal for anything that the question does not offer."""
    texts = {quiz.found.game.text(action): action for action in quiz.choices}
    n, _, chosen = written.partition(":")
    if n != str(quiz.decision.n) or chosen not in texts:
        raise Refusal(DEAD_BUTTON)
    return texts[chosen]


def _asked(match: int, quiz: Quiz, ui: GameUI, *, pictures: bool) -> Panel:
    """Build the question: the table and the hand at that point, and a button for each choice."""
    game, decision = quiz.found.game, quiz.decision
    view, own = game.view(decision.state, None), game.view(decision.state, decision.seat)
    hand = ui.looks.own_cards(own, quiz.found.names)
    rounds = len(game.record.scores_by_round(quiz.found.events, quiz.found.options))
    when = f" · {game.round_name} {decision.round + 1} of {rounds}" * (rounds > 1)
    panel = Panel(
        text(f"### What would you play?\n-# {game.title} · match {match}{when}"),
        *ui.board(view, quiz.found.names),
        *[shown(picture_of(OpenHands((hand,)))) for hand in [hand] if hand is not None],
        text(f"You sit in the place of **{decision.name}**{_task(quiz)}."),
        *(row(_choice(match, quiz, action)) for action in quiz.choices),
    )
    if not pictures:
        panel.put_into_words()
    return panel.illustrate(ui.emojis if pictures else LETTERS)


def _task(quiz: Quiz) -> str:
    """Return ": play two cards"; "" for a game that says nothing then."""
    game, view = quiz.found.game, quiz.found.game.view(quiz.decision.state, None)
    task = game.words.task(view) or game.words.question(view, quiz.found.names)
    return f": {task}" * bool(task)


def _choice(match: int, quiz: Quiz, action: Action) -> Item:
    written = f"{quiz.decision.n}:{quiz.found.game.text(action)}"
    return button(capitalized(quiz.label(action))[:LABEL], CustomId("quiz", match, written))


def _answered(match: int, quiz: Quiz, chosen: Action) -> Panel:
    """Build the answer: what was played and what came of it, and what a sharp computer would play, and why."""
    decision, found, best = quiz.decision, quiz.found, quiz.best
    lines = found.game.record.lines(found.course(decision), found.names)
    own = f"You: **{quiz.label(chosen)}**" + " ✅" * (chosen == best.action)
    played = f"{decision.name} chose **{quiz.label(decision.action)}**" + ", too" * (
        chosen == decision.action
    )
    sharp = f"A sharp computer would choose **{quiz.label(best.action)}**. {best.reason}"
    return Panel(
        text(f"### {found.game.title} · match {match}\n{own}"),
        text("\n".join([f"{played}. What came of it:", *lines[:MOST_LINES]])),
        text(sharp),
        row(button("Replay", CustomId("replay", match), style=PRIMARY)),
    )
