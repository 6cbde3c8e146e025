"""Texts of Hand and Foot for players: actions, events and views, as Markdown for Discord."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from games.contract import Event, Outcome
from games.ending import Ended
from games.hand_and_foot.actions import AGREE, ASK, DISCARD, DRAW, MELD, REFUSE, TAKE, melded
from games.hand_and_foot.cards import IS_WILD, RANK, RANKS, SIGN, by_rank, points, ranks, signs
from games.hand_and_foot.events import (
    Answered,
    Asked,
    DealBegan,
    DealScored,
    Dealt,
    Discarded,
    Drew,
    FootSeen,
    FootTaken,
    LaidAside,
    LaidReds,
    Looked,
    Melded,
    PileMade,
    SideScore,
    Took,
)
from games.hand_and_foot.melding import MOST_TAKEN, TAKEN, top_rank
from games.hand_and_foot.scoring import CLEAN, DIRTY, OUT, RED_THREE
from games.hand_and_foot.state import AGREED, ASKING, DRAWING, REFUSED, is_clean, partner, sides
from games.hand_and_foot.view import View
from games.phrases import counted, ended, listed, scored, short, signed, whose_turn
from games.sides import by_side, opponents
from games.types import SEATS, Action, Seat, with_seats

LONG: Final = 21
"""Most different cards of a hand that a description names one by one."""
DRAW_TWO: Final = "draw two cards"
"""Task of a player who cannot take the pile."""
KIND: Final = {True: "clean", False: "dirty"}


def label(action: Action) -> str:
    """Return "Draw two cards", "Lay K K K 2", "Discard ♠7" and so on."""
    named = {
        DRAW: "Draw two cards",
        TAKE: "Take the discard pile",
        ASK: "Ask your partner: may I go out?",
        AGREE: "Agree",
        REFUSE: "Refuse",
    }
    if action < MELD:
        return named.get(action) or f"Discard {SIGN[action - DISCARD]}"
    rank, way = melded(action)
    laid = [RANKS[rank]] * way.naturals + ["2"] * way.twos + ["Joker"] * way.jokers
    return f"Lay {' '.join(laid)}" if way.naturals else f"Lay {_wilds(laid)} on the {RANKS[rank]}s"


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in one or a few short lines."""
    match event:
        case DealBegan():
            return f"{deal_began(event, names)}."
        case Dealt(cards=cards):
            return f"Your hand: {signs(cards)}."
        case Looked(cards=cards):
            return f"From the stock: {signs(cards)}."
        case FootSeen(cards=cards):
            return f"Your foot: {signs(cards)}."
        case LaidAside():
            return f"Laid aside: {ranks(event.cards)}. {event.points} of {event.minimum} points."
        case Asked(seat=seat):
            return f"{names[seat]} asks {names[event.partner]}: may I go out?"
        case Answered(partner=seat, agreed=agreed):
            return f"{names[seat]} {'agrees: you may go out' if agreed else 'refuses: play on'}."
        case DealScored():
            return "\n".join(deal_scored(event, names))
        case Ended(outcome=outcome):
            return match_ended(outcome, names)
    seat, done = action_words(event)
    return f"{names[seat]} {done}." if done else ""


def done(action: Action, events: Sequence[Event]) -> str:
    """Return "You drew ♠4 and Joker", or the label of another action with what it led to: "Discard ♥K. You took up your
    foot"."""
    came = [said for event in _in_this_deal(events) if (said := _came(event, taking=action == TAKE))]
    if not came or action == DRAW:
        return f"You {listed(came)}" if came else label(action)
    return f"{label(action)}. You {listed(came)}"


def _in_this_deal(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events up to the end of the deal."""
    ends = (number for number, event in enumerate(events, 1) if isinstance(event, DealScored))
    return events[: next(ends, len(events))]


def _came(event: Event, *, taking: bool) -> str:
    """Return what an event of a player's own action means to the player, as words that follow "You". `taking` is True
    when the player took the discard pile: the name of that action does not say what was melded."""
    match event:
        case Took(below=below) if below:
            return f"got {listed(signs([card]) for card in sorted(below))}"
        case Melded() if taking:
            return f"melded {', '.join(map(laid, event.ranks, event.groups))}"
        case Looked(cards=cards):
            return f"drew {listed(signs([card]) for card in cards)}"
        case LaidReds(cards=cards):
            return f"laid out {signs(cards)}"
        case PileMade(rank=rank, clean=clean):
            return f"finished a {KIND[clean]} pile of {RANKS[rank]}s"
        case FootTaken():
            return "took up your foot"
        case DealScored(out=out):
            return "ended the deal, as the stock has too few cards" if out is None else "went out"
    return ""


def match_ended(outcome: Outcome, names: Sequence[str]) -> str:
    """Return who won the match, and the places of all others."""
    pair = len(names) in (4, 6) and outcome.placings.count(1) == 2
    return ended(by_side(outcome, sides(len(names))), names, "point", team=pair)


def action_words(event: Event) -> tuple[Seat, str]:
    """Return the seat, and what it did as the words that follow its name: "lays K K K"; "" for another event."""
    match event:
        case Drew(seat=seat):
            return seat, "draws"
        case Took(seat=seat):
            return seat, taken(event)
        case LaidReds(seat=seat, cards=cards):
            return seat, f"lays out {signs(cards)}"
        case Melded(seat=seat):
            first = f" as first meld, {event.first} points" * bool(event.first)
            return seat, f"lays {', '.join(map(laid, event.ranks, event.groups))}{first}"
        case PileMade(seat=seat, rank=rank, clean=clean):
            return seat, f"finishes a **{KIND[clean]} pile** of {RANKS[rank]}s"
        case FootTaken(seat=seat):
            return seat, "takes up the **foot**"
        case Discarded(seat=seat, card=card):
            return seat, f"drops {SIGN[card]}"
    return SEATS[0], ""


def taken(event: Took) -> str:
    """Return "takes the pile: K, ♣5 ♦9"."""
    below = f", {signs(reversed(event.below))}" if event.below else ""
    return f"takes {counted(1 + len(event.below), 'discard')}: {SIGN[event.top]}{below}"


def laid(rank: int, group: Sequence[int]) -> str:
    """Return "K K K 2", or "2 and Joker on the Ks" when only wild cards are laid."""
    if RANK[group[0]] == rank:
        return ranks(group)
    return f"{_wilds(RANKS[RANK[card]] for card in group)} on the {RANKS[rank]}s"


def _wilds(laid: Iterable[str]) -> str:
    """Return "2 2 and Joker"."""
    return listed(" ".join(equal) for _, equal in groupby(laid))


def deal_began(event: DealBegan, names: Sequence[str]) -> str:
    """Return the heading of a deal, in pairs with those who are partners."""
    pairs = f"{opponents(names, sides(len(names)))} · " if has_pairs(len(names)) else ""
    return (
        f"**Deal {event.deal}** · {pairs}{names[event.dealer]} deals, {names[event.start]} begins, "
        f"first melds need {event.minimum} points"
    )


def has_pairs(seats: int) -> bool:
    """Return whether this many players play in pairs."""
    return partner(SEATS[0], seats) is not None


def deal_scored(event: DealScored, names: Sequence[str]) -> list[str]:
    """Return a line on the end of a deal, and one for each side, the best first."""
    how = "The stock has too few cards." if event.out is None else f"{names[event.out]} goes out."
    return [f"**{how}** Deal {event.deal}:", *(_scored(score, names) for score in best_first(event))]


def best_first(event: DealScored) -> list[SideScore]:
    """Return the scores of a deal, the best first."""
    return sorted(event.scores, key=lambda score: -score.points)


def _scored(score: SideScore, names: Sequence[str]) -> str:
    """Return a side's points for each reason, as on the score sheet."""
    parts = [
        f"{counted(score.clean, 'clean pile')} {signed(CLEAN * score.clean)}" * bool(score.clean),
        f"{counted(score.dirty, 'dirty pile')} {signed(DIRTY * score.dirty)}" * bool(score.dirty),
        f"cards {signed(score.melded)}" * bool(score.melded),
        f"{counted(score.reds, 'red three')} {signed(RED_THREE * score.reds)}" * bool(score.reds),
        f"out {OUT}" * score.out,
        f"left over {signed(-score.held)}" * bool(score.held),
    ]
    why = ", ".join(filter(None, parts))
    who = listed(names[seat] for seat in score.seats)
    return f"{who} **{signed(score.points)}** ({why}), total {signed(score.total)}"


def task(view: View) -> str:
    """Return what the player in turn has to do; "" after the end."""
    if view.turn is None:
        return ""
    if view.phase == DRAWING:
        rank = top_rank(view.discards)
        return DRAW_TWO if rank is None else f"{DRAW_TWO}, or take the pile with two {RANKS[rank]}s"
    return "meld if you like, then discard a card"


def question(view: View, names: Sequence[str]) -> str:
    """Return what a player asks the partner or, for those who may not know the answer, that there is one; else ""."""
    if view.turn is None or view.partner is None or not view.asked:
        return ""
    if view.phase == ASKING:
        return f"{names[view.turn]} asks whether to go out: agree or refuse"
    answered = f"{names[view.partner]} has answered: {task(view)}"
    return answered if view.consent is None else ""


def status(view: View, names: Sequence[str]) -> str:
    """Return whose turn it is and what to do, or how the match ended."""
    if view.outcome is not None:
        return match_ended(view.outcome, names)
    awaited = view.partner if view.phase == ASKING else view.turn
    if awaited is None:
        return ""
    todo = _own_task(view) if awaited == view.seat else task(view)
    return whose_turn([awaited], names, view.seat, question(view, names) or todo) + _answer(view, names)


def _own_task(view: View) -> str:
    """Return the task of this seat: a first meld that it has begun, or `task`, without the pile if it holds too few
    cards for that."""
    if any(view.aside):
        return "finish the first meld"
    rank = top_rank(view.discards)
    too_few = sum(RANK[card] == rank for card in view.hand) < TAKEN - 1
    return DRAW_TWO if view.phase == DRAWING and too_few else task(view)


def _answer(view: View, names: Sequence[str]) -> str:
    """Return the partner's answer, if this seat knows it."""
    asked = view.partner
    if asked is None or view.consent not in (AGREED, REFUSED):
        return ""
    if view.seat == view.turn:
        refused = "refuses, so you may not go out this turn: keep a card"
        return f" · {names[asked]} {'agrees: you may go out' if view.consent == AGREED else refused}"
    return f" · you {'agreed' if view.consent == AGREED else 'refused'}" if view.seat == asked else ""


def heading(view: View) -> str:
    """Return the number of the deal, and what a first meld needs until this seat's side has made it."""
    opened = view.seat is not None and view.has_opened(view.side(view.seat))
    needed = "" if opened else f" · first meld {view.minimum}"
    return f"Deal {view.deal} of {view.options.deals}{needed}"


def describe(view: View, names: Sequence[str]) -> str:
    """Return everything in the view, as text."""
    cut = [short(name, 12) for name in names]
    lines = [status(view, cut), f"**Hand and Foot** · {heading(view)}", own(view), first_meld(view)]
    who = ["You" if seat == view.seat else name for seat, name in with_seats(cut)]
    lines += (_side(view, side, who) for side in range(len(view.totals)))
    lines += (_seat(view, seat, name) for seat, name in with_seats(who))
    lines.append(f"{discards(view)} Stock: {counted(view.stock, 'card')}.")
    return "\n".join(filter(None, lines))


def own(view: View) -> str:
    """Return the cards of this seat."""
    if view.seat is None or view.outcome is not None:
        return ""
    held = numbers(view.hand) if len({*view.hand}) > LONG else signs(view.hand)
    what = "hand" if view.feet[view.seat] else "foot"
    return f"Your {what}, {counted(len(view.hand), 'card')}: {held}."


def first_meld(view: View) -> str:
    """Return what is laid aside for the first meld; "" for nothing."""
    groups = [laid(rank, cards) for rank, cards in enumerate(view.aside) if cards]
    if not groups:
        return ""
    return f"Laid aside: {', '.join(groups)}: {laid_aside(view)} of {view.minimum} points."


def laid_aside(view: View) -> int:
    """Return the points laid aside for the first meld."""
    return sum(map(points, view.aside))


def numbers(cards: Iterable[int]) -> str:
    """Return cards as numbers by rank: "4×3 K Joker×2"."""
    held = by_rank(cards)
    return " ".join(
        f"{RANKS[rank]}{f'×{number}' * (number > 1)}" for rank, number in enumerate(held) if number
    )


def meld_words(rank: int, cards: int, wilds: int) -> str:
    """Return "7 ×3" or "K ×4 (1 wild)" for an open meld."""
    return f"{RANKS[rank]} ×{cards}{f' ({wilds} wild)' * bool(wilds)}"


def pile_words(rank: int, *, clean: bool) -> str:
    """Return "clean K"."""
    return f"{KIND[clean]} {RANKS[rank]}"


def reds_words(number: int) -> str:
    """Return "red 3 ×2"."""
    return f"red 3{f' ×{number}' * (number > 1)}"


def wilds_of(cards: Iterable[int]) -> int:
    """Return the number of wild cards."""
    return sum(IS_WILD[card] for card in cards)


def piles_of(view: View, side: int) -> list[tuple[int, bool]]:
    """Return the rank of each pile of a side, and whether it is clean: clean ones first."""
    piles = view.piles[side]
    return sorted(
        ((RANK[pile[0]], is_clean(pile)) for pile in piles), key=lambda pile: (not pile[1], pile[0])
    )


def reds_of(view: View, side: int) -> int:
    """Return the number of red threes that a side has laid out."""
    return sum(len(view.reds[seat]) for seat in members(view, side))


def members(view: View, side: int) -> list[Seat]:
    """Return the seats of a side."""
    return [seat for seat, own in with_seats(sides(view.seats)) if own == side]


def _side(view: View, side: int, names: Sequence[str]) -> str:
    """Return "You and Cleo, 1,200 points after deal 1: clean K, 7 ×3 (1 wild), red 3"."""
    laid = [pile_words(rank, clean=clean) for rank, clean in piles_of(view, side)]
    laid += [
        meld_words(rank, len(cards), wilds_of(cards)) for rank, cards in enumerate(view.melds[side]) if cards
    ]
    laid += [reds_words(reds_of(view, side))] * bool(reds_of(view, side))
    who = " and ".join(names[seat] for seat in members(view, side))
    total = total_words(view, side)
    return f"{who}{f', {total} {unit(view)}' * bool(total)}: {', '.join(laid) or 'nothing laid yet'}."


def total_words(view: View, side: int) -> str:
    """Return the total of a side; "" in the first deal, which everybody begins without points."""
    return signed(view.totals[side]) if view.deal > 1 or view.outcome is not None else ""


def unit(view: View) -> str:
    """Return the unit of totals: they grow at the end of a deal only."""
    return f"points after deal {view.deal - 1}" if view.outcome is None else "points"


def first_needed(view: View) -> str:
    """Return what first melds need, as long as a side has made none."""
    waiting = not all(view.has_opened(side) for side in range(len(view.totals)))
    return f"First meld {view.minimum}" if waiting and view.outcome is None else ""


def _seat(view: View, seat: Seat, name: str) -> str:
    if view.outcome is not None:
        return f"{name}: {scored(view.counts[seat], 'card')} left."
    foot = "foot waits" if view.feet[seat] else "in the foot"
    known = f" (known: {numbers(view.known[seat])})" if view.known[seat] else ""
    held = len(view.hand) if seat == view.seat else view.counts[seat]  # one's own without those laid aside
    return f"{name}: {counted(held, 'card')}{known}, {foot}."


def discards(view: View) -> str:
    """Return how many discards lie below those that can be taken, and these, the top last as in the pictures."""
    if not view.discards:
        return "No discards."
    below = len(view.discards) - MOST_TAKEN
    blocked = " Blocked: nobody can take them now." if is_blocked(view) else ""
    return f"Discards, the top last: {f'{below} below, ' * (below > 0)}{signs(view.discards[-MOST_TAKEN:])}.{blocked}"


def is_blocked(view: View) -> bool:
    """Return whether a wild card or a black three lies on the pile, which nobody can take then."""
    return bool(view.discards) and top_rank(view.discards) is None
