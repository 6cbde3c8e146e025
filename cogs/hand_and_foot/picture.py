"""The pictures of Hand and Foot: the table with the melds and piles of all sides, hands, score sheets."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from bot.pictures.decks.french import stock
from bot.pictures.hand_style import HandStyle
from bot.pictures.scene import (
    Banner,
    DrawnCard,
    Group,
    HandScene,
    LaidCards,
    Pile,
    ScoreSheet,
    Seat,
    Strip,
    TableScene,
    final_place,
    has_won,
    in_rows,
    rows_with,
)
from cogs.hand_and_foot.artwork import CLEAN, DIRTY, card, meld
from games.contract import Event
from games.hand_and_foot.cards import CARD, IS_WILD, RANK
from games.hand_and_foot.events import DealScored, SideScore
from games.hand_and_foot.scoring import CLEAN as CLEAN_POINTS
from games.hand_and_foot.scoring import DIRTY as DIRTY_POINTS
from games.hand_and_foot.state import ASKING, is_clean, partner
from games.hand_and_foot.view import View
from games.hand_and_foot.words import is_blocked, laid_aside, members
from games.phrases import counted, short, signed

NOTHING: Final = DrawnCard("", "")
"""The empty place of a player before whom nothing lies."""
ABREAST: Final = {2: 8, 3: 6, 4: 6, 5: 4, 6: 4}
"""Most melds in a row of the table, by the number of players."""
IN_HAND: Final = {False: 7, True: 5}
"""Most stacks in a row of a hand, by whether the player wants large cards."""
ROOMY: Final = 3
"""Most others for whom a strip has room for longer names."""
SHOWN: Final = 3
"""Number of cards of the discard pile in a picture."""


def table(view: View, names: Sequence[str]) -> TableScene:
    """Return the public table: melds, piles and red threes, the sizes of hands, the stock and the discards."""
    seats = tuple(_seat(view, seat, name) for seat, name in enumerate(names))
    over = view.outcome is not None
    title = "The match is over" if over else f"Deal {view.deal} of {view.options.deals}"
    return TableScene(title, "points", seats, (stock(view.stock), _discards(view)), _note(view))


def _note(view: View) -> str:
    waiting = not all(view.has_opened(side) for side in range(len(view.totals)))
    return f"First melds need {view.minimum} points" if waiting and view.outcome is None else ""


def _discards(view: View) -> Pile:
    size = len(view.discards)
    blocked = " · blocked" if is_blocked(view) else ""
    return Pile(tuple(map(card, view.discards[-SHOWN:])), f"Discards {size}{blocked}" if size else "Discards")


def _seat(view: View, seat: int, name: str) -> Seat:
    awaited = view.turn
    if view.turn is not None and view.phase == ASKING:
        awaited = partner(view.turn, view.seats)
    return Seat(
        name,
        score=signed(view.totals[view.side(seat)]),
        detail=_detail(view, seat),
        turn=seat == awaited,
        won=has_won(view.outcome, seat),
        rows=_rows(view, seat),
    )


def _detail(view: View, seat: int) -> str:
    if view.outcome is not None:
        return final_place(view.outcome, seat)
    held = counted(view.counts[seat], "card")
    return f"{held} + foot" if view.feet[seat] else f"{held}, in foot"


def _rows(view: View, seat: int) -> tuple[tuple[DrawnCard, ...], ...]:
    """Return the open melds of a side before its first player, and its piles before the last one; each player's red
    threes with those."""
    side = view.side(seat)
    of = members(view, side)
    cards = [*_reds(view, seat)]
    if seat == of[-1]:
        cards = [*_piles(view, side), *cards]
    if seat == of[0]:
        cards += melds(view, side)
    return in_rows(cards or [NOTHING], ABREAST[view.seats])


def _reds(view: View, seat: int) -> tuple[DrawnCard, ...]:
    reds = view.reds[seat]
    return (replace(card(reds[0]), alt="red 3").counted(len(reds)),) if reds else ()


def _piles(view: View, side: int) -> tuple[DrawnCard, ...]:
    clean = sum(map(is_clean, view.piles[side]))
    dirty = len(view.piles[side]) - clean
    return tuple(kind.counted(number) for kind, number in ((CLEAN, clean), (DIRTY, dirty)) if number)


def melds(view: View, side: int) -> tuple[DrawnCard, ...]:
    """Return the open melds of a side as a card each, with their sizes."""
    return tuple(_meld(cards) for cards in view.melds[side] if cards)


def _meld(cards: Sequence[int]) -> DrawnCard:
    return meld(cards[0], sum(IS_WILD[each] for each in cards)).counted(len(cards))


def stacks(cards: Iterable[int]) -> tuple[DrawnCard, ...]:
    """Return sorted cards as a card for each rank, with the number of its copies."""
    equal = [[*group] for _, group in groupby(cards, key=lambda each: RANK[each])]
    return tuple(card(group[0]).counted(len(group)) for group in equal)


def hand(view: View, style: HandStyle, names: Sequence[str]) -> HandScene:
    """Return the player's own cards by rank, what is laid aside and the side's melds, below the discard pile.

    Captions are short: a single card leaves them little room."""
    assert view.seat is not None
    wide, side = IN_HAND[style.large], view.side(view.seat)
    own = f"Your hand ({len(view.hand)})" if view.feet[view.seat] else f"Your foot ({len(view.hand)})"
    lines = [(Group(own, in_rows(stacks(view.hand), wide)),)]
    aside = tuple(_meld(sorted(cards)) for cards in view.aside if cards)
    if aside:
        laid = f"Aside: {laid_aside(view)}/{view.minimum}"
        lines.append((Group(laid, in_rows(aside, wide)),))
    table = (*_piles(view, side), *melds(view, side))
    if table:
        lines.append((Group("Melded", in_rows(table, wide)),))
    return HandScene(tuple(lines), style.large, _strip(view, names))


def _strip(view: View, names: Sequence[str]) -> Strip:
    """Return the discard pile, its top at the right as on the table, and how many cards the others have left."""
    assert view.seat is not None
    pile = LaidCards(
        f"Pile of {len(view.discards)}" if view.discards else "No pile",
        tuple(map(card, view.discards[-SHOWN:])),
        detail="blocked" if is_blocked(view) else "top at the right" * (len(view.discards) > 1),
    )
    return Strip((pile,), _others(view, names))


def _others(view: View, names: Sequence[str]) -> str:
    """Return "Ben 11 + foot · Cleo 5"; with many others, "+ F" for a foot."""
    others = [seat for seat in range(view.seats) if seat != view.seat]
    length, foot = (8, " + foot") if len(others) <= ROOMY else (4, " + F")
    return " · ".join(
        f"{short(names[seat], length)} {view.counts[seat]}{foot * bool(view.feet[seat])}" for seat in others
    )


def own_cards(view: View, names: Sequence[str]) -> LaidCards | None:
    """Return the hand of the view's seat, with what is laid aside."""
    assert view.seat is not None
    held = sorted([*view.hand, *(each for cards in view.aside for each in cards)])
    points = laid_aside(view)
    return (
        LaidCards(names[view.seat], stacks(held), detail=f"{points} laid aside" * bool(points))
        if held
        else None
    )


def score_sheet(event: Event, names: Sequence[str]) -> ScoreSheet | None:
    """Return the scores of all sides at the end of a deal."""
    if not isinstance(event, DealScored):
        return None
    title = "The stock ran out" if event.out is None else f"{names[event.out]} went out"
    headings = ("", "piles", "cards", "extra", "deal", "total")
    rows = tuple(_row(score, names) for score in event.scores)
    best = rows_with(max(score.points for score in event.scores), [score.points for score in event.scores])
    return ScoreSheet(f"Deal {event.deal}: {title}", headings, rows, best)


def _row(score: SideScore, names: Sequence[str]) -> tuple[str, ...]:
    """Return the cells of a side: points of piles, of cards without those left over, of red threes and going out."""
    who = " & ".join(names[seat] for seat in score.seats)
    piles = CLEAN_POINTS * score.clean + DIRTY_POINTS * score.dirty
    cards = score.melded - score.held
    cells = (piles, cards, score.points - piles - cards, score.points, score.total)
    return (who, *(f"{points}".replace("-", "−") for points in cells))


def banner() -> Banner:
    """Return a banner with a joker and cards of high ranks."""
    return Banner("Hand and Foot", tuple(card(CARD[text]) for text in ("KH", "2D", "JOKER")))


def example() -> HandScene:
    """Return Alice's first meld in the rulebook's example."""
    groups = ("QC QD QH", "8C 8D 2C", "AC AD JOKER")
    laid = tuple(tuple(card(CARD[text]) for text in group.split()) for group in groups)
    captions = ("30 points", "40 points", "90 points")
    return HandScene(
        tuple((Group(caption, (cards,)),) for caption, cards in zip(captions, laid, strict=True)),
        strip=Strip((), "First meld in deal 2: 90 points"),
    )
