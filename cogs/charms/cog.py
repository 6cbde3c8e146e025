"""Charms in Discord: its commands, the table with what each shows, and a hand that offers only what may be played."""

from collections.abc import Sequence
from typing import Literal

import discord
from discord import app_commands

from bot.client import Palmhouse
from bot.face import NOT_MINE, Form
from bot.panel import PRIMARY, SECONDARY, SUCCESS, Item, button, row, text
from bot.pictures.scene import Hand
from bot.refusal import Refusal
from cogs.charms import picture
from cogs.charms.emojis import EMOJIS
from cogs.common.game import GameCog
from games import GAMES
from games.charms.cards import ACTIONS, BIDS, CARDS, FIRST_PLAY, SIGNS
from games.charms.view import View
from games.charms.words import bound, heading, label, middle, own, status, suit_name

WIDE = 4
"""Buttons in a row, as many as a phone shows."""


class Charms(GameCog, group_name="charms"):
    """Picks in the forms: the suit card of the first trick, as its kind. Every other button is a move."""

    game = GAMES["charms"]
    drawings = EMOJIS

    @app_commands.command(name="start")
    @app_commands.guild_only
    @app_commands.describe(
        hands="Hands to play (default: 4)",
        bidding="Hidden: all at once, revealed together (default). Open: in turn, in public",
    )
    async def start(
        self,
        interaction: discord.Interaction[Palmhouse],
        hands: app_commands.Range[int, 1, 12] = 4,
        bidding: Literal["hidden", "open"] = "hidden",
    ) -> None:
        """Open a table in this channel; others join by a button"""
        await self.open(interaction, hands=hands, bidding=bidding)

    @app_commands.command(name="rules")
    @app_commands.describe(bidding="Whether bids are hidden or open")
    async def rules(
        self, interaction: discord.Interaction[Palmhouse], bidding: Literal["hidden", "open"] = "hidden"
    ) -> None:
        """How it is played, and what beats what"""
        await self.explain(interaction, bidding=bidding)

    # Pictures

    table_scene = staticmethod(picture.table)
    sheet = staticmethod(picture.sheet)

    def hand_scene(self, view: View, form: Form) -> Hand:
        """See `picture`."""
        return picture.hand(view, form.looks, form.legal)

    # The hand

    def hand(self, view: View, names: Sequence[str], form: Form) -> list[Item]:
        """What is shown, the own hand, and the form of the turn."""
        lines = [heading(view), status(view, names), middle(view), *own(view)[1:], _so_far(view)]
        items = self.own_hand(view, names, form, "\n".join(filter(None, lines)))
        if form.legal and view.phase == "bid":
            items += _bid_form(view, form)
        elif form.legal:
            items += _first_form(view, form) if view.trick == 1 else _play_form(view, form)
        return items

    def pick(self, view: View, form: Form, step: str, values: Sequence[str]) -> str | int:  # noqa: ARG002
        """One tap on the form."""
        name, _, value = step.partition("-")
        if name == "suit" and value in map(str, _suits(form)):
            return value
        if name == "move" and value in map(str, ACTIONS):
            return int(value)
        raise Refusal(NOT_MINE)


def _so_far(view: View) -> str:
    """The own bid, once all see it, and the tricks that came of it; in the bidding and after the match nothing."""
    assert view.seat is not None
    bid = view.bids[view.seat]
    if view.phase != "play" or bid is None:
        return ""
    return f"You bid {bid}; {view.winners.count(view.seat)} won so far."


def _rows(buttons: Sequence[Item]) -> list[Item]:
    return [row(*buttons[start : start + WIDE]) for start in range(0, len(buttons), WIDE)]


# Bidding


def _bid_form(view: View, form: Form) -> list[Item]:
    bids = [_move(str(bid), bid, form, PRIMARY if bid == view.bid else SECONDARY) for bid in BIDS]
    return [text("Tricks you will win:"), *_rows(bids)]


def _move(title: str, action: int, form: Form, style: discord.ButtonStyle = SUCCESS) -> Item:
    """A bid, or a play; one of a single card has its emoji."""
    emoji = form.emojis.get(SIGNS[CARDS[action][0]]) if len(CARDS[action]) == 1 else None
    return button(title, form.id(f"move-{action}"), style=style, emoji=emoji)


# The first trick: a suit, then a number


def _suits(form: Form) -> list[int]:
    """The suits that may be played with a number."""
    return sorted({CARDS[action][0] for action in form.legal if len(CARDS[action]) == 2})


def _first_form(view: View, form: Form) -> list[Item]:
    suits = _suits(form)
    picked = form.picks if len(suits) > 1 else str(suits[0])
    choices = [
        button(
            suit_name(suit),
            form.id(f"suit-{suit}"),
            style=PRIMARY if picked == str(suit) else SECONDARY,
            emoji=form.emojis.get(SIGNS[suit]),
        )
        for suit in suits
    ]
    items = [*_why(view), text("Your suit card:"), row(*choices)]
    pairs = [action for action in form.legal if str(CARDS[action][0]) == picked]
    if pairs:
        items += [text("With your number card:"), *_rows([_move(label(pair), pair, form) for pair in pairs])]
    return items


# The later tricks


def _play_form(view: View, form: Form) -> list[Item]:
    return [*_why(view), *_rows([_move(_title(view, action), action, form) for action in form.legal])]


def _title(view: View, action: int) -> str:
    """🪙C coin; 7 ×2: the card, and how often it is held."""
    count = view.hand.count(action - FIRST_PLAY)
    return label(action) + f" ×{count}" * (count > 1)


def _why(view: View) -> list[Item]:
    """Why other cards of the hand are not offered."""
    return [text(f"-# {sentence}")] if (sentence := bound(view)) else []


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Charms(bot))
