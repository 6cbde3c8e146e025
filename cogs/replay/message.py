"""A step of a replay as a message: the table, the hands, what happened, and the way to other steps."""

from collections.abc import Sequence
from typing import Final

import discord

from bot.match.replay import PUBLIC, PointOfView, Replay, Step
from bot.messages.custom_ids import CustomId
from bot.messages.emojis import LETTERS
from bot.messages.game_ui import GameUI
from bot.messages.panel import PRIMARY, Item, Panel, button, row, select, shown, text
from bot.pictures.drawing import picture_of
from bot.pictures.scene import LaidCards, OpenHands
from cogs.common.matches import title
from cogs.replay.access import Opened
from cogs.replay.words import plain, view_words
from games.phrases import capitalized, counted, ordinal

OPTIONS: Final = 25
"""Maximum number of options in a menu, set by Discord."""
LABEL: Final = 100
"""Maximum length of an option's label, set by Discord."""
LONGEST: Final = 1_400
"""Maximum length of the text about a step: the message must have room for two alt texts and a table in words."""
PRIVATE_HANDS: Final = (
    "-# Hands are shown to the players alone, unless all of them choose `Replays: open` in `/preferences`."
)


def step_panel(opened: Opened, ui: GameUI, seats: PointOfView, at: int, *, pictures: bool) -> Panel:
    """Build the message of step number `at`, from 0; of the last step for a higher number."""
    replay = opened.replay
    assert replay is not None
    steps = replay.steps(seats)
    at = min(at, len(steps) - 1)
    step = steps[at]
    said = "\n".join(replay.lines(step, seats))
    panel = Panel(
        text(_heading(opened, replay, seats, at, len(steps))),
        *ui.board(replay.game.view(step.state, None), step.names),
        *_hands(replay, step, ui, seats),
        text(said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"),
        _ways(opened, seats, at, len(steps) - 1),
        *_jumps(opened, replay, seats, steps),
        *_views(opened, replay, step, seats),
        files_row(opened, seats),
    )
    if not pictures:
        panel.put_into_words()
    return panel.illustrate(ui.emojis if pictures else LETTERS)


def moves_panel(opened: Opened) -> Panel:
    """Build the message of a match whose rules have changed: its moves are left, as a file."""
    match = opened.match
    return Panel(
        text(
            f"The rules of {title(match.game)} have changed since match {match.id}, so it cannot be shown step by "
            "step. Its moves are still there as text."
        ),
        row(button("As text", CustomId("replay-text", match.id, code(PUBLIC)))),
    )


def open_hands(replay: Replay, step: Step, ui: GameUI, seats: PointOfView) -> list[tuple[int, LaidCards]]:
    """Return the hands that a point of view shows, each with its seat."""
    found = [(seat, ui.looks.own_cards(replay.game.view(step.state, seat), step.names)) for seat in seats]
    return [(seat, hand) for seat, hand in found if hand is not None]


def jumps(replay: Replay, steps: Sequence[Step], seats: PointOfView) -> list[tuple[int, str]]:
    """Return the steps to jump to, each with a label: at most OPTIONS rounds, or a few steps if there is one round."""
    rounds = replay.rounds(steps)
    if len(rounds) > 1:
        few = rounds[:: _every(rounds)]
        return [(at, plain(replay.heading(steps[at])) or f"Round {rounds.index(at) + 1}") for at in few]
    return [
        (at, f"Step {at + 1}: {plain(replay.lines(steps[at], seats)[0])}")
        for at in range(0, len(steps), _every(steps))
    ]


def _every(things: Sequence[object]) -> int:
    """Return the distance of the things that a menu offers, if it cannot offer all."""
    return -(-len(things) // OPTIONS)


def _jump_words(replay: Replay, steps: Sequence[Step]) -> str:
    """Return "Jump to … (28 rounds, every 2nd here)", or "Jump to …" for a menu that has everything."""
    rounds = replay.rounds(steps)
    things, name = (rounds, replay.game.round_name) if len(rounds) > 1 else (steps, "step")
    every = _every(things)
    left_out = f" ({counted(len(things), name)}, every {ordinal(every)} here)" if every > 1 else ""
    return f"Jump to …{left_out}"


# Custom ids: the point of view, the step, and the name of the button, as two ids in one message must differ


def code(seats: PointOfView) -> str:
    """Return a point of view as a custom id carries it: "all", "public" or a seat."""
    return "public" if not seats else "all" if len(seats) > 1 else str(seats[0])


def point_of_view(written: str, replay: Replay) -> PointOfView | None:
    """Return the point of view that `code` wrote; None for any other text."""
    if written in ("all", "public"):
        return replay.all_hands if written == "all" else PUBLIC
    return next(((seat,) for seat in replay.all_hands if str(seat) == written), None)


def _at(opened: Opened, seats: PointOfView, at: int | str, name: str) -> CustomId:
    return CustomId("replay", opened.match.id, f"{code(seats)}:{at}:{name}")


def _heading(opened: Opened, replay: Replay, seats: PointOfView, at: int, count: int) -> str:
    seen = f" · {view_words(replay, seats)}" * replay.has_secrets
    line = f"-# {replay.game.title} · match {opened.match.id} · step {at + 1} of {count}{seen}"
    return "\n".join([line, *[PRIVATE_HANDS] * (opened.points_of_view == (PUBLIC,) and at == 0)])


def _hands(replay: Replay, step: Step, ui: GameUI, seats: PointOfView) -> list[Item]:
    """Return the hands; at the end of a round its score sheet instead, which everybody saw."""
    sheets = [sheet for event in step.events if (sheet := ui.looks.score_sheet(event, step.names))]
    if sheets and replay.ends_round(step):
        return [shown(picture_of(sheets[-1]))]
    hands = tuple(hand for _, hand in open_hands(replay, step, ui, seats))
    return [shown(picture_of(OpenHands(hands)))] if hands else []


def _ways(opened: Opened, seats: PointOfView, at: int, last: int) -> Item:
    ways = (("First", 0), ("Back", max(at - 1, 0)), ("Next", min(at + 1, last)), ("Last", last))
    return row(
        *(
            button(
                name,
                _at(opened, seats, to, name.lower()),
                style=PRIMARY if name == "Next" else discord.ButtonStyle.secondary,
                disabled=to == at,
            )
            for name, to in ways
        )
    )


def _jumps(opened: Opened, replay: Replay, seats: PointOfView, steps: Sequence[Step]) -> list[Item]:
    found = jumps(replay, steps, seats)
    if len(found) < 2:
        return []
    options = [discord.SelectOption(label=label[:LABEL], value=str(to)) for to, label in found]
    return [row(select(_jump_words(replay, steps), _at(opened, seats, 0, "jump"), options))]


def _views(opened: Opened, replay: Replay, step: Step, seats: PointOfView) -> list[Item]:
    """Return the menu of the other points of view. The value of an option is the point of view and its step."""
    if len(opened.points_of_view) < 2:
        return []
    options = [
        discord.SelectOption(
            label=capitalized(view_words(replay, each))[:LABEL],
            value=f"{code(each)}:{replay.number(step, each)}",
            default=each == seats,
        )
        for each in opened.points_of_view
    ]
    return [row(select("Point of view", _at(opened, seats, 0, "view"), options))]


def files_row(opened: Opened, seats: PointOfView) -> Item:
    """Return the buttons that send the whole match as a file, from this point of view."""
    return row(
        button("As text", CustomId("replay-text", opened.match.id, code(seats))),
        button("As page", CustomId("replay-page", opened.match.id, code(seats))),
    )
