"""Palace in Discord: pictures, and a hand with a button for each play that says what it does."""

from collections.abc import Sequence
from itertools import groupby

import discord

from bot.match.refusal import Refusal
from bot.messages.game_ui import MOST_AHEAD, NOT_MINE, Form, MoveText, Picks
from bot.messages.panel import DANGER, SUCCESS, Item, button, card_button, row, select
from bot.pictures.decks.palace import EMOJIS
from cogs.common.game import GameCog
from cogs.palace import picture
from games import GAMES
from games.palace.cards import EACH, FIRST_BLIND, FIRST_PLAY, MOST, RANKS, SHOWS, TAKE, expand, play, ranks
from games.palace.options import PalaceOptions
from games.palace.view import View
from games.palace.words import effect, have_chosen, task
from games.phrases import counted, ordinal, whose_turn
from games.types import Action

ABREAST = 4
"""Buttons in a row."""
MOST_BUTTONS = 12
"""Maximum number of plays with a button each. If there are more, a rank is picked first."""
EXAMPLE = (
    "The **7** is glass: the **9** below it counts, so Cleo must play lower than 9, or a wild.\n"
    "She plays both 5s at once. Her K is too high; the ace would fit, but a wild is worth keeping.\n"
    "Then she draws until she holds three cards again."
)


class Palace(GameCog):
    """Picks of the form: places in the hand while choosing face-up cards (0,3,5); a rank in a large hand (9)."""

    game = GAMES["palace"]
    drawings = EMOJIS
    rules_options = tuple(PalaceOptions.model_fields)
    rules_description = "How it is played, and what the special cards do"

    # Pictures

    looks = picture
    example_text = EXAMPLE

    # The hand

    def hand(self, view: View, names: Sequence[str], form: Form) -> list[Item]:
        """Return the cards to beat, the hand, and the form of the present decision."""
        items = self.own_hand(view, names, form, _situation(view, names, form))
        if not form.legal:
            return items
        if view.phase == "show":
            return items + _show_form(view, form)
        return items + (_blind_form(form) if view.zone == "blind" else _play_form(view, names, form))

    def ahead(self, view: View, actions: Sequence[Action]) -> Sequence[Action]:  # noqa: ARG002
        """Return the actions; of many, a play of one card of each rank and `Take`, then the others as they fit."""
        kinds = [[*plays] for _, plays in groupby(actions, lambda action: (action - FIRST_PLAY) // MOST)]
        first = [plays[0] for plays in kinds] + [plays[-1] for plays in kinds]
        return sorted([*dict.fromkeys([*first, *actions])][:MOST_AHEAD])

    def pick(self, view: View, form: Form, step: str, values: Sequence[str]) -> Picks | MoveText:
        """Return what a click on the form does."""
        name, _, value = step.partition("-")
        match name:
            case "three":
                return Picks(",".join(str(place) for place in _places(view, ",".join(values))))
            case "show":
                return MoveText(f"show {ranks(_picked_kinds(view, form.picks))}")
            case "rank" if len(values) == 1 and values[0] in RANKS:
                return Picks(values[0])
            case "play":
                return MoveText(f"play {value.replace('-', ' ')}")
            case "blind":
                return MoveText(f"blind {value}")
            case "take":
                return MoveText("take")
        raise Refusal(NOT_MINE)


def _situation(view: View, names: Sequence[str], form: Form) -> str:
    """Return a line with the turn and the player's place in the match."""
    assert view.seat is not None
    if view.outcome is not None:
        return "The match is over."
    todo = _task(view, form) if form.legal and view.seat == view.turn else task(view)
    parts = [whose_turn(view.awaited, names, view.seat, todo)]
    parts += have_chosen(view) if view.phase == "show" else [f"stock {view.stock or 'empty'}"]
    if view.seat in view.finished:
        parts.append(f"you are out: {ordinal(view.finished.index(view.seat) + 1)} place")
    return " · ".join(parts)


def _task(view: View, form: Form) -> str:
    """Return what the player is to do with this hand."""
    if list(form.legal) == [TAKE]:
        return "none of your cards fits: take the pile"
    return {
        "hand": "play a card",
        "table": "your hand is empty: play a face-up card",
        "blind": "turn up a face-down card; if it does not fit, you take it and the pile",
    }[view.zone]


# Choosing the face-up cards


def _places(view: View, picks: str) -> list[int]:
    """Return the picked places in the hand, ascending. If none is picked, return those of the choice already made."""
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


def _picked_kinds(view: View, picks: str) -> list[int]:
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
    menu = row(
        select("Pick three: wilds and high ones are best", form.id("three"), cards, least=EACH, most=EACH)
    )
    picked = _picked_kinds(view, form.picks)
    if view.show is not None and picked == [*SHOWS[view.show]]:
        return [menu]
    title = f"Lay {ranks(picked) or 'them'} face up"
    return [menu, row(button(title, form.id("show"), style=SUCCESS, disabled=len(picked) != EACH))]


# Playing


def _play_form(view: View, names: Sequence[str], form: Form) -> list[Item]:
    """Return a button for each play, or a menu of ranks first if there are many; and one for the pile, if legal."""
    plays = [action for action in form.legal if FIRST_PLAY <= action < FIRST_BLIND]
    items: list[Item] = []
    if len(plays) > MOST_BUTTONS:
        items.append(_rank_menu(view, form, plays))
        plays = [action for action in plays if RANKS[play(action)[0]] == form.picks]
    buttons = [_play_button(view, names, form, action) for action in plays]
    items += [row(*buttons[first : first + ABREAST]) for first in range(0, len(buttons), ABREAST)]
    if TAKE in form.legal:
        title = f"Take the pile ({counted(len(view.pile), 'card')})"
        items.append(row(button(title, form.id("take"), style=DANGER)))
    return items


def _rank_menu(view: View, form: Form, plays: Sequence[Action]) -> Item:
    assert view.seat is not None
    held = view.hand if view.zone == "hand" else view.shown[view.seat]
    fits = [
        discord.SelectOption(
            label=RANKS[kind],
            value=RANKS[kind],
            description=f"You have {held[kind]}",
            default=RANKS[kind] == form.picks,
            emoji=form.emojis.get(RANKS[kind]),
        )
        for kind in dict.fromkeys(play(action)[0] for action in plays)
    ]
    return row(select("Pick a rank that fits", form.id("rank"), fits))


def _play_button(view: View, names: Sequence[str], form: Form, action: Action) -> Item:
    """Return the button of a play: its card, the number of copies, and the effect."""
    kind, count = play(action)
    words = [f"×{count}" * (count > 1), effect(view, action, names)]
    step = f"play-{'-'.join([RANKS[kind]] * count)}"
    return card_button(
        RANKS[kind], " · ".join(filter(None, words)) or "play", form.id(step), form.emojis, style=SUCCESS
    )


def _blind_form(form: Form) -> list[Item]:
    places = [action - FIRST_BLIND + 1 for action in form.legal]
    return [row(*(button(f"Turn up card {n}", form.id(f"blind-{n}"), style=SUCCESS) for n in places))]
