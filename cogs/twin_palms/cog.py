"""Twin Palms in Discord: its commands, and a hand in which a bid is one form and a play two or three taps."""

from collections.abc import Sequence
from typing import Literal

import discord
from discord import app_commands

from bot.client import Palmhouse
from bot.face import NOT_MINE, Form
from bot.panel import PRIMARY, SECONDARY, SUCCESS, Item, button, row, select, text
from bot.pictures.scene import Hand
from bot.refusal import Refusal
from cogs.common.game import GameCog
from cogs.twin_palms import picture
from cogs.twin_palms.emojis import EMOJIS
from games import GAMES
from games.twin_palms.cards import BETS, WILD, card_text, parse
from games.twin_palms.view import View
from games.twin_palms.words import card, label

Mode = Literal["easy", "normal", "advanced", "extreme"]

OPTIONS = {
    "mode": "Easy: 2 players, one suit. Normal: 2 to 4. Advanced and extreme: 2 to 5, three suits",
    "bets": "Whether a bid can be bet on (default: yes)",
    "rounds": "Rounds to play, instead of the usual number",
    "exact_points": "Points for the exact bids 0 to 5, six numbers (default: 5 4 5 6 7 8)",
    "half_bet_rounding": "How half a bet is rounded (default: up)",
}


class TwinPalms(GameCog, group_name="twin-palms"):
    """Picks in the forms: while bidding "tricks,bet" (2,1), while playing "places=numbers" (0,3=8)."""

    game = GAMES["twin-palms"]
    drawings = EMOJIS

    @app_commands.command(name="start")
    @app_commands.guild_only
    @app_commands.describe(**OPTIONS)
    async def start(
        self,
        interaction: discord.Interaction[Palmhouse],
        mode: Mode = "normal",
        bets: bool = True,
        rounds: app_commands.Range[int, 1, 12] | None = None,
        exact_points: str | None = None,
        half_bet_rounding: Literal["up", "down"] = "up",
    ) -> None:
        """Open a table in this channel; others join by a button"""
        await self.open(
            interaction,
            mode=mode,
            bets=bets,
            rounds=rounds,
            exact_points=_points(exact_points),
            half_bet_rounding=half_bet_rounding,
        )

    @app_commands.command(name="rules")
    @app_commands.describe(mode=OPTIONS["mode"])
    async def rules(self, interaction: discord.Interaction[Palmhouse], mode: Mode = "normal") -> None:
        """How it is played, and what beats what"""
        await self.explain(interaction, mode=mode)

    # Pictures

    table_scene = staticmethod(picture.table)
    sheet = staticmethod(picture.sheet)

    def hand_scene(self, view: View, form: Form) -> Hand:
        """See `picture`."""
        return picture.hand(view, form.looks)

    # The hand

    def hand(self, view: View, names: Sequence[str], form: Form) -> list[Item]:
        """The hand, what it must answer to, and the form of the present decision."""
        items = self.own_hand(view, names, form, _situation(view, names))
        if form.legal and view.phase == "bid":
            items += _bid_form(view, form)
        elif form.legal:
            items += _play_form(view, form)
        return items

    def pick(self, view: View, form: Form, step: str, values: Sequence[str]) -> str | int:
        """One tap on the form."""
        name, _, value = step.partition("-")
        match name:
            case "tricks":
                return f"{value},{_bid_picks(view, form.picks)[1]}"
            case "bet":
                return f"{_bid_picks(view, form.picks)[0]},{value}"
            case "bid":
                tricks, bet = _bid_picks(view, form.picks)
                return parse(f"bid {tricks} {BETS[int(bet)]}")
            case "cards":
                return ",".join(values)
            case "numbers":
                return f"{form.picks.partition('=')[0]}={','.join(values)}"
            case "play":
                return parse(_play_text(view, form.picks))
        raise Refusal(NOT_MINE)


def _points(typed: str | None) -> list[int] | None:
    """Six numbers, typed with spaces or commas; how many and how large is the game's to judge."""
    if typed is None:
        return None
    words = typed.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        raise Refusal(
            "Exact_points takes six whole numbers from 0 to 20 for the bids 0 to 5, like: 5 4 5 6 7 8."
        )
    return [int(word) for word in words]


def _situation(view: View, names: Sequence[str]) -> str:
    lines = [_turn(view, names)]
    if view.seat is not None and view.bids is not None:
        tricks, bet = divmod(view.bids[view.seat], len(BETS))
        stake = f", {view.stakes[view.seat]} at stake" if bet and view.stakes is not None else ""
        lines.append(f"You bid {tricks}{stake}; {view.won[view.seat]} won so far.")
    for place, play in enumerate(view.trick):
        lines.append(f"{names[(view.leader + place) % len(names)]}: {label(play)}")
    return "\n".join(lines)


def _turn(view: View, names: Sequence[str]) -> str:
    if view.outcome is not None:
        return "The match is over."
    if view.phase == "bid" and view.bid is not None:
        return f"**Round {view.round}.** You have chosen: {label(view.bid)}. You may change it until all have bid."
    if view.seat in view.awaited:
        task = "bid" if view.phase == "bid" else f"trick {len(view.tricks) + 1} of 5, play two cards"
        return f"**Round {view.round}: your turn**, {task}."
    return f"**Round {view.round}.** Waiting for {', '.join(names[seat] for seat in view.awaited)}."


# Bidding


def _bid_picks(view: View, picks: str) -> tuple[str, str]:
    """Tricks ("" when none are picked yet) and bet as digits; the choice already made counts as picked."""
    if not picks and view.bid is not None:
        tricks, bet = divmod(view.bid, len(BETS))
        return str(tricks), str(bet)
    tricks_picked, _, bet_picked = picks.partition(",")
    return (tricks_picked if tricks_picked in "012345" else ""), (
        bet_picked if bet_picked in ("1", "2") else "0"
    )


def _bid_form(view: View, form: Form) -> list[Item]:
    tricks, bet = _bid_picks(view, form.picks)
    items = [text("Tricks you will win:")]
    items += [
        row(*(_choice(n, form.id(f"tricks-{n}"), n == tricks) for n in some)) for some in ("012", "345")
    ]
    stakes = [view.options.stake(kind, view.round, view.dollars[view.seat or 0]) for kind in range(len(BETS))]
    if view.options.bets:
        titles = ("No bet", f"Half: {stakes[1]}", f"Max: {stakes[2]}")
        items.append(row(*(_choice(titles[n], form.id(f"bet-{n}"), str(n) == bet) for n in range(len(BETS)))))
    stake = f", stake {stakes[int(bet)]}" if bet != "0" else ""
    ready = f"Bid {tricks}{stake}" if tricks else "Pick a number of tricks"
    items.append(row(button(ready, form.id("bid"), style=SUCCESS, disabled=not tricks)))
    return items


def _choice(title: str, custom_id: str, chosen: bool) -> Item:
    return button(title, custom_id, style=PRIMARY if chosen else SECONDARY)


# Playing


def _places(view: View, picks: str) -> list[int]:
    """The picked places in the hand, ascending."""
    picked = picks.partition("=")[0].split(",")
    return [place for place in range(len(view.hand)) if str(place) in picked]


def _stated(picks: str) -> list[int]:
    """The numbers picked for wilds, ascending."""
    picked = picks.partition("=")[2].split(",")
    return [number for number in range(WILD) if str(number) in picked]


def _play_text(view: View, picks: str) -> str:
    """The picks as the text of a play. Two wilds with one number are both that; of two numbers the higher goes to
    the stronger suit, which ranks the same as the other way round."""
    numbers = _stated(picks)
    words = []
    for place in _places(view, picks):
        kind = view.hand[place]
        wild = kind % 12 == WILD
        words.append(card_text(kind) + (f"={numbers[-1]}" if wild and numbers else ""))
        if wild and len(numbers) > 1:
            numbers.pop()
    return f"play {' '.join(words)}"


def _play_form(view: View, form: Form) -> list[Item]:
    places = _places(view, form.picks)
    cards = [
        discord.SelectOption(
            label=card(kind), value=str(place), default=place in places, emoji=form.emojis.get(card(kind))
        )
        for place, kind in enumerate(view.hand)
    ]
    items = [row(select("Pick two cards", form.id("cards"), cards, least=2, most=2))]
    wilds = sum(view.hand[place] % 12 == WILD for place in places)
    stated = _stated(form.picks)
    if len(places) > 2 or len(stated) > wilds:
        raise Refusal(NOT_MINE)
    if wilds:
        numbers = [
            discord.SelectOption(label=f"as {n}", value=str(n), default=n in stated) for n in range(WILD)
        ]
        ask = "The wild counts as" if wilds == 1 else "The wilds count as: one number for both, or two"
        items.append(row(select(ask, form.id("numbers"), numbers, most=wilds)))
    ready = len(places) == 2 and (not wilds or stated != [])
    title = f"Play {label(parse(_play_text(view, form.picks)))}" if ready else _missing(places)
    items.append(row(button(title, form.id("play"), style=SUCCESS, disabled=not ready)))
    return items


def _missing(places: list[int]) -> str:
    return "State the wild's number" if places else "Pick two cards"


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(TwinPalms(bot))
