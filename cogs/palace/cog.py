"""Palace in Discord: its commands, and a hand in which a play is a rank and then how many, however large it is."""

from collections.abc import Sequence

import discord
from discord import app_commands

from bot.client import Palmhouse
from bot.face import NOT_MINE, Form
from bot.panel import DANGER, SUCCESS, Item, button, row, select
from bot.pictures.scene import Hand
from bot.refusal import Refusal
from cogs.common.game import GameCog
from cogs.palace import picture
from cogs.palace.emojis import EMOJIS
from games import GAMES
from games.palace.cards import EACH, FIRST_BLIND, FIRST_PLAY, RANKS, SHOWS, TAKE, expand, parse, play, ranks
from games.palace.view import View
from games.palace.words import label, pile
from games.phrases import listed

OPTIONS = {
    "allow_equal": "An ordinary rank also goes on its own rank (default: no)",
    "voluntary_pickup": "Who can play may take the pile instead (default: no)",
    "four_across_turns": "Four of a rank on top take the pile away, whoever laid them (default: no)",
    "play_for_places": "Play goes on until one player is left (default: no)",
}


class Palace(GameCog, group_name="palace"):
    """Picks in the forms: while choosing face-up cards places in the hand (0,3,5), while playing a rank (9)."""

    game = GAMES["palace"]
    drawings = EMOJIS

    @app_commands.command(name="start")
    @app_commands.guild_only
    @app_commands.describe(**OPTIONS)
    async def start(
        self,
        interaction: discord.Interaction[Palmhouse],
        allow_equal: bool = False,
        voluntary_pickup: bool = False,
        four_across_turns: bool = False,
        play_for_places: bool = False,
    ) -> None:
        """Open a table in this channel; others join by a button"""
        await self.open(
            interaction,
            allow_equal=allow_equal,
            voluntary_pickup=voluntary_pickup,
            four_across_turns=four_across_turns,
            play_for_places=play_for_places,
        )

    @app_commands.command(name="rules")
    @app_commands.describe(**OPTIONS)
    async def rules(
        self,
        interaction: discord.Interaction[Palmhouse],
        allow_equal: bool = False,
        voluntary_pickup: bool = False,
        four_across_turns: bool = False,
        play_for_places: bool = False,
    ) -> None:
        """How it is played, and what the special cards do"""
        await self.explain(
            interaction,
            allow_equal=allow_equal,
            voluntary_pickup=voluntary_pickup,
            four_across_turns=four_across_turns,
            play_for_places=play_for_places,
        )

    # Pictures

    table_scene = staticmethod(picture.table)
    sheet = staticmethod(picture.sheet)

    def hand_scene(self, view: View, form: Form) -> Hand:
        """See `picture`."""
        return picture.hand(view, form.looks, form.legal)

    # The hand

    def hand(self, view: View, names: Sequence[str], form: Form) -> list[Item]:
        """What must be beaten, the own zones, and the form of the present decision."""
        items = self.own_hand(view, names, form, _situation(view, names))
        if not form.legal:
            return items
        if view.phase == "show":
            return items + _show_form(view, form)
        return items + (_blind_form(form) if view.zone == "blind" else _play_form(view, form))

    def pick(self, view: View, form: Form, step: str, values: Sequence[str]) -> str | int:
        """One tap on the form."""
        name, _, value = step.partition("-")
        match name:
            case "three":
                return ",".join(str(place) for place in _places(view, ",".join(values)))
            case "show":
                return parse(f"show {ranks(_three(view, form.picks))}")
            case "rank" if len(values) == 1 and values[0] in RANKS:
                return values[0]
            case "play" if value in ("1", "2", "3", "4"):
                return parse(f"play {' '.join([form.picks] * int(value))}")
            case "blind":
                return parse(f"blind {value}")
            case "take":
                return TAKE
        raise Refusal(NOT_MINE)


def _situation(view: View, names: Sequence[str]) -> str:
    assert view.seat is not None
    lines = [_turn(view, names)]
    if view.phase == "play":
        lines.append(pile(view))
    return "\n".join(lines)


def _turn(view: View, names: Sequence[str]) -> str:
    if view.outcome is not None:
        return "The match is over."
    if view.show is not None:
        return f"You have chosen. {label(view.show)}. You may change it until all have chosen."
    if view.seat in view.finished:
        return f"You are out, in place {view.finished.index(view.seat) + 1}."
    if view.seat in view.awaited:
        return f"**Your turn**: {_task(view)}"
    return f"Waiting for {listed(names[seat] for seat in view.awaited)}."


def _task(view: View) -> str:
    if view.phase == "show":
        return "choose three cards to lie face up; wilds and high cards serve best there."
    return {
        "hand": "play from your hand.",
        "table": "your hand is empty, play from your face-up cards.",
        "blind": "turn up a face-down card. If it does not fit, you take it and the pile.",
    }[view.zone]


# Choosing the face-up cards


def _places(view: View, picks: str) -> list[int]:
    """The picked places in the hand, ascending; while nothing is picked, those of the choice already made."""
    hand = expand(view.hand)
    if not picks and view.show is not None:
        chosen, places = list(SHOWS[view.show]), []
        for place, kind in enumerate(hand):
            if kind in chosen:
                chosen.remove(kind)
                places.append(place)
        return places
    picked = picks.split(",")
    return [place for place in range(len(hand)) if str(place) in picked][:EACH]


def _three(view: View, picks: str) -> list[int]:
    hand = expand(view.hand)
    return [hand[place] for place in _places(view, picks)]


def _show_form(view: View, form: Form) -> list[Item]:
    places = _places(view, form.picks)
    cards = [
        discord.SelectOption(
            label=RANKS[kind],
            value=str(place),
            default=place in places,
            emoji=form.emojis.get(RANKS[kind]),
        )
        for place, kind in enumerate(expand(view.hand))
    ]
    ready = len(places) == EACH
    title = f"Lay {ranks(_three(view, form.picks))} face up" if ready else "Pick three cards"
    return [
        row(select("Pick three cards", form.id("three"), cards, least=EACH, most=EACH)),
        row(button(title, form.id("show"), style=SUCCESS, disabled=not ready)),
    ]


# Playing


def _play_form(view: View, form: Form) -> list[Item]:
    """A menu of the ranks that fit, then a button for each number of cards; and the pile, if it may be taken."""
    most: dict[int, int] = {}
    for action in form.legal:
        if FIRST_PLAY <= action < FIRST_BLIND:
            kind, count = play(action)
            most[kind] = max(count, most.get(kind, 0))
    items: list[Item] = []
    if most:
        held = view.hand if view.zone == "hand" else view.shown[view.seat or 0]
        fits = [
            discord.SelectOption(
                label=RANKS[kind],
                value=RANKS[kind],
                description=f"You have {held[kind]}",
                default=RANKS[kind] == form.picks,
                emoji=form.emojis.get(RANKS[kind]),
            )
            for kind in most
        ]
        items.append(row(select("Pick a rank that goes on the pile", form.id("rank"), fits)))
    picked = next((kind for kind in most if RANKS[kind] == form.picks), None)
    if picked is not None:
        counts = range(1, most[picked] + 1)
        items.append(row(*(_play_button(picked, count, form) for count in counts)))
    if TAKE in form.legal:
        items.append(row(button(_take(view), form.id("take"), style=DANGER)))
    return items


def _play_button(kind: int, count: int, form: Form) -> Item:
    title, emoji = f"Play {ranks([kind] * count)}", form.emojis.get(RANKS[kind])
    return button(title, form.id(f"play-{count}"), style=SUCCESS, emoji=emoji)


def _take(view: View) -> str:
    number = len(view.pile)
    return f"Take the pile ({number} card{'s' * (number != 1)})"


def _blind_form(form: Form) -> list[Item]:
    places = [action - FIRST_BLIND + 1 for action in form.legal]
    return [row(*(button(f"Turn up card {n}", form.id(f"blind-{n}"), style=SUCCESS) for n in places))]


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Palace(bot))
