"""Twin Palms in Discord: pictures, and a hand in which a bid takes two clicks and a play two or three."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import discord

from bot.match.refusal import Refusal
from bot.messages.custom_ids import CustomId
from bot.messages.game_ui import MOST_AHEAD, NOT_MINE, Form, MoveText, Picks
from bot.messages.panel import (
    PRIMARY,
    SECONDARY,
    SUCCESS,
    Item,
    button,
    card_button,
    row,
    select,
    shown,
    text,
)
from bot.pictures.decks.twin_palms import EMOJIS
from bot.pictures.drawing import picture_of
from cogs.common.game import GameCog
from cogs.common.lookup import Typed
from cogs.twin_palms import picture
from games import GAMES, Options
from games.phrases import chosen, whose_turn
from games.twin_palms.cards import BETS, BIDS, CARDS, NUMBERS, STRENGTH, WILD, card_text, parse
from games.twin_palms.options import TwinPalmsOptions
from games.twin_palms.state import TRICKS
from games.twin_palms.view import View
from games.twin_palms.words import card, label, task
from games.types import Action

EXAMPLE_LINES = (
    "Alice leads two different numbers. Ben answers with a pair of 6, which is better.\n"
    "Cleo makes a pair of 6, too: a wild counts as the number its player says.\n"
    "Ben and Cleo cancel each other, so Alice takes the trick."
)
EASY_EXAMPLE_LINES = (
    "Alice leads two different numbers.\n"
    "Ben plays the same ones: a wild counts as the number its player says.\n"
    "Alice and Ben cancel each other, so nobody takes the trick, and Alice leads again."
)
LAST_CARDS = "your last two cards are picked"
"""Words of the hand in place of the task, when there is nothing to pick."""
BET_STEPS = ("none", "half", "max")
"""Names of the bets in custom ids."""


class TwinPalms(GameCog):
    """Picks of the form: the number of tricks while bidding (2); "places=numbers" while playing (3,0=8), the places in
    the order in which they were picked."""

    game = GAMES["twin-palms"]
    drawings = EMOJIS
    start_options = ("mode", "bets", "rounds", "exact_points", "half_bet_rounding")
    rules_options = ("mode",)
    rules_description = "How it is played, and what beats what"
    typed: ClassVar = {"exact_points": Typed | None}

    def options(self, given: Mapping[str, Any]) -> Options:
        """Return the game's options. The points are typed as six numbers."""
        return super().options({**given, "exact_points": _points(given.get("exact_points"))})

    # Pictures

    looks = picture

    def example(self, options: Options) -> list[Item]:
        """Return the table after the example trick and its explanation."""
        assert isinstance(options, TwinPalmsOptions)
        lines = EASY_EXAMPLE_LINES if options.mode == "easy" else EXAMPLE_LINES
        return [shown(picture_of(picture.example(options))), text(lines)]

    # The hand

    def hand(self, view: View, names: Sequence[str], form: Form) -> list[Item]:
        """Return the hand, and the form of the present decision."""
        items = self.own_hand(view, names, form, _situation(view, names, form))
        if form.legal and view.phase == "bid":
            items += _bid_form(view, form)
        elif form.legal:
            items += _play_form(view, form)
        return items

    def suggested(self, view: View, legal: Sequence[Action]) -> Sequence[Action]:
        """Return the legal actions, without bids with the same stake as another one."""
        if view.phase != "bid":
            return legal
        return [bid for tricks in range(TRICKS + 1) for _, bid in _bids(_stakes(view), tricks)]

    def ahead(self, view: View, actions: Sequence[Action]) -> Sequence[Action]:
        """Return the plays, the strongest first. Of many, for each card the weakest play that throws it away, and the
        strongest plays: who chooses before the others play wants to leave the trick, or to take it."""
        ranked = sorted(actions, key=STRENGTH[view.options.mode].__getitem__, reverse=True)
        if len(ranked) <= MOST_AHEAD:
            return ranked
        # A wild is thrown away only by a play of its own.
        wild_first = sorted(ranked, key=lambda play: all(kind % 12 != WILD for kind in CARDS[play]))
        thrown_away = {*{kind: play for play in wild_first for kind in CARDS[play]}.values()}
        best = {CARDS[play]: play for play in reversed(ranked)}  # the numbers of wilds differ
        strong = [play for play in ranked if best[CARDS[play]] == play and play not in thrown_away]
        return sorted({*strong[: MOST_AHEAD - len(thrown_away)], *thrown_away}, key=ranked.index)

    def pick(self, view: View, form: Form, step: str, values: Sequence[str]) -> Picks | MoveText:
        """Return what a click on the form does."""
        name, _, value = step.partition("-")
        match name:
            case "tricks":
                return Picks(value)
            case "bid" if value in BET_STEPS:
                return MoveText(f"bid {_tricks(view, form.picks)} {BETS[BET_STEPS.index(value)]}")
            case "card":
                return Picks(_picks_after(view, form.picks, value))
            case "numbers":
                return Picks(f"{form.picks.partition('=')[0]}={','.join(values)}")
            case "move" if value:
                return MoveText(value)
        raise Refusal(NOT_MINE)


def _points(typed: str | None) -> list[int] | None:
    """Return numbers typed with spaces or commas; the game checks how many and how large."""
    if typed is None:
        return None
    words = typed.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        raise Refusal(
            "Exact_points takes six whole numbers from 0 to 20 for the bids 0 to 5, like: 5 4 5 6 7 8."
        )
    return [int(word) for word in words]


# The line above the hand


def _situation(view: View, names: Sequence[str], form: Form) -> str:
    if view.outcome is not None:
        return "The match is over."
    todo = LAST_CARDS if form.legal and len(view.hand) == 2 else task(view)
    turn = whose_turn(view.awaited, names, view.seat, todo)
    return _playing(view, turn) if view.phase == "play" else _bidding(view, names, turn)


def _playing(view: View, turn: str) -> str:
    assert view.seat is not None
    assert view.bids is not None
    stake = view.stakes[view.seat] if view.stakes else 0
    own = f"you: {view.won[view.seat]} of {view.bids[view.seat] // len(BETS)}"
    trick = f"Trick {len(view.tricks) + 1} of {TRICKS}"
    return " · ".join(filter(None, [turn, trick, own, f"{stake} at stake" * bool(stake)]))


def _bidding(view: View, names: Sequence[str], turn: str) -> str:
    number = f"Round {view.round} of {view.rounds}" if view.round <= view.rounds else f"Round {view.round}"
    leads = f"{'you lead' if view.start == view.seat else f'{names[view.start]} leads'}"
    own = "" if view.bid is None else chosen(label(view.bid))
    return " · ".join(filter(None, [turn, number, leads, own]))


# Bidding


def _tricks(view: View, picks: str) -> str:
    """Return the number of tricks picked, else that of the bid already made, else ""."""
    if not picks and view.bid is not None:
        return str(view.bid // len(BETS))
    return picks if picks in [*"012345"] else ""


def _bid_form(view: View, form: Form) -> list[Item]:
    tricks = _tricks(view, form.picks)
    counts = [
        row(*(_choice(n, form.id(f"tricks-{n}"), n == tricks) for n in some)) for some in ("012", "345")
    ]
    if not tricks:
        ready = [button("Pick a number of tricks", form.id("bid"), style=SUCCESS, disabled=True)]
    else:
        stakes = _stakes(view)
        made = view.bid is not None and (view.bid // len(BETS), stakes[view.bid % len(BETS)])
        ready = [
            button(
                label(bid),
                form.id(f"bid-{BET_STEPS[bid % len(BETS)]}"),
                style=SECONDARY if made == (int(tricks), stake) else SUCCESS,
            )
            for stake, bid in _bids(stakes, int(tricks))
        ]
    return [text("Tricks you will win:"), *counts, *_bet_rule(view, tricks), row(*ready)]


def _bet_rule(view: View, tricks: str) -> list[Item]:
    """Return a line on what the bets are and what they do; nothing before a bet is offered."""
    _, half, most = _stakes(view)
    if not tricks or not most:
        return []
    bets = f"Half bet {half}, max bet {most}" if 0 < half < most else f"Max bet {most}"
    return [text(f"-# {bets}: won with exactly {tricks}, else lost.")]


def _choice(title: str, custom_id: CustomId, chosen: bool) -> Item:
    return button(title, custom_id, style=PRIMARY if chosen else SECONDARY)


def _stakes(view: View) -> Sequence[int]:
    """Return the sand dollars at stake with no bet, a half bet and a max bet."""
    assert view.seat is not None
    stakes: Sequence[int] = view.options.stakes(view.round, view.dollars[view.seat])
    return stakes


def _bids(stakes: Sequence[int], tricks: int) -> list[tuple[int, Action]]:
    """Return the stake and the bid for each bet. If several bets have the same stake, return the highest one."""
    kinds = {stake: kind for kind, stake in enumerate(stakes)} | {0: 0}
    return [(stake, BIDS[tricks * len(BETS) + kind]) for stake, kind in sorted(kinds.items())]


# Playing


def _places(view: View, picks: str) -> list[int]:
    """Return the picked places in the hand, in the order in which they were picked."""
    picked = picks.partition("=")[0].split(",")
    known = {str(place): place for place in range(len(view.hand))}
    return [known[place] for place in dict.fromkeys(picked) if place in known]


def _picks_after(view: View, picks: str, value: str) -> str:
    """Return the picks after a click on a card. A picked card is put back; a third card replaces the first one."""
    places = _places(view, picks)
    if value not in map(str, range(len(view.hand))):
        raise Refusal(NOT_MINE)
    place = int(value)
    kept = [other for other in places if other != place] if place in places else [*places, place][-2:]
    return ",".join(map(str, kept))


def _stated(picks: str) -> list[int]:
    """Return the numbers picked for wilds, ascending."""
    picked = picks.partition("=")[2].split(",")
    return [number for number in range(WILD) if str(number) in picked]


def _play_form(view: View, form: Form) -> list[Item]:
    places = _picked(view, form)
    cards = [
        row(*(_card(view, form, place, place in places) for place in places_of_row))
        for places_of_row in picture.places(view, form.style)
    ]
    wilds = sum(view.hand[place] % 12 == WILD for place in places) if len(places) == 2 else 0
    return [*cards, *_number_menu(form, wilds), row(*_plays(view, form, places))]


def _picked(view: View, form: Form) -> list[int]:
    """Return the picked places; the last two cards of a hand are picked already."""
    places = _places(view, form.picks)
    if len(places) > 2:
        raise Refusal(NOT_MINE)
    return list(range(2)) if len(view.hand) == 2 else places


def _card(view: View, form: Form, place: int, picked: bool) -> Item:
    return card_button(
        card(view.hand[place]),
        "",
        form.id(f"card-{place}"),
        form.emojis,
        style=PRIMARY if picked else SECONDARY,
    )


def _number_menu(form: Form, wilds: int) -> list[Item]:
    """Return a menu of the numbers that the picked wilds can have; nothing without wilds."""
    if not wilds:
        return []
    stated = _stated(form.picks)
    if len(stated) > wilds:
        raise Refusal(NOT_MINE)
    numbers = [discord.SelectOption(label=f"as {n}", value=str(n), default=n in stated) for n in range(WILD)]
    ask = "The wild counts as" if wilds == 1 else "The wilds count as: one number for both, or two"
    return [row(select(ask, form.id("numbers"), numbers, most=wilds))]


def _plays(view: View, form: Form, places: list[int]) -> list[Item]:
    """Return a button for the picked play. If several plays fit the picks: for the two strongest and the weakest."""
    if not places:
        return [button("Pick two cards", form.id("play"), style=SUCCESS, disabled=True)]
    possible = _possible(view, form, places)
    if len(possible) == 1:
        return [button(f"Play {_numbers(possible[0])}", _move(form, possible[0]), style=SUCCESS)]
    style = SUCCESS if len(places) == 2 else SECONDARY  # green once all its cards are picked
    order = sorted(possible, key=STRENGTH[view.options.mode].__getitem__, reverse=True)
    offered = dict.fromkeys([*order[:2], order[-1]])
    held = view.hand[places[0]] if len(places) == 1 else None
    return [button(f"Play {_with(play, held)}", _move(form, play), style=style) for play in offered]


def _with(play: Action, held: int | None) -> str:
    """Return a play's label, without a picked card that is no wild: so three of them fit in a row of a phone."""
    if held is None or held % 12 == WILD:
        return label(play)
    cards = [*zip(CARDS[play], NUMBERS[play], strict=True)]
    cards.remove((held, held % 12))
    return f"+ {card(*cards[0])}"


def _move(form: Form, play: Action) -> CustomId:
    return form.id(f"move-{GAMES['twin-palms'].text(play)}")


def _possible(view: View, form: Form, places: list[int]) -> list[Action]:
    """Return the plays with the picked cards, and with the numbers stated for wilds."""
    held = [view.hand[place] for place in places]
    stated = _stated(form.picks) if len(places) == 2 else []
    if stated:
        return [parse(_play_text(held, stated))]
    if len(held) == 1:
        return [play for play in form.legal if held[0] in CARDS[play]]
    return [play for play in form.legal if CARDS[play] == tuple(sorted(held))]


def _play_text(held: Sequence[int], numbers: list[int]) -> str:
    """Return two cards as the text of a play.

    Two wilds with one number both have it. Of two numbers the higher goes to the stronger suit; the other way round
    would rank the same.
    """
    numbers, words = numbers[:], []
    for kind in sorted(held):
        wild = kind % 12 == WILD
        words.append(card_text(kind) + f"={numbers[-1]}" * wild)
        if wild and len(numbers) > 1:
            numbers.pop()
    return f"play {' '.join(words)}"


def _numbers(play: int) -> str:
    """Return the numbers of a play: 6 + 6; 3 + wild 8. The picked cards show the suits."""
    cards = zip(CARDS[play], NUMBERS[play], strict=True)
    return " + ".join(f"{'wild ' * (kind % 12 == WILD)}{number}" for kind, number in cards)
