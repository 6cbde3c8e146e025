"""The pictures of Hand and Foot: the table with a band for each side, hands, score sheets."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from bot.messages.game_ui import Form
from bot.pictures.bands import COLUMNS
from bot.pictures.decks.french import stock
from bot.pictures.decks.hand_and_foot import SIDES, card, meld, pile, reds, side_mark
from bot.pictures.scene import (
    Band,
    BandedTable,
    Banner,
    DrawnCard,
    Group,
    HandScene,
    LaidCards,
    Pile,
    ScoreSheet,
    SeatedPlayer,
    Strip,
    has_won,
    in_rows,
    rows_with,
)
from games.contract import Event
from games.hand_and_foot.cards import CARD, RANK
from games.hand_and_foot.events import DealScored, SideScore
from games.hand_and_foot.melding import MOST_TAKEN
from games.hand_and_foot.scoring import CLEAN as CLEAN_POINTS
from games.hand_and_foot.scoring import DIRTY as DIRTY_POINTS
from games.hand_and_foot.scoring import OUT, RED_THREE
from games.hand_and_foot.state import ASKING
from games.hand_and_foot.view import View
from games.hand_and_foot.words import (
    best_first,
    first_needed,
    has_pairs,
    is_blocked,
    laid_aside,
    members,
    piles_of,
    reds_of,
    total_words,
    unit,
    wilds_of,
)
from games.phrases import counted, listed, ordinal, short, signed
from games.sides import side_placings
from games.types import SEATS, Seat, with_seats

IN_HAND: Final = {False: 7, True: 5}
"""Most stacks in a row of a hand, by whether the player wants large cards."""
LONGEST: Final = 10
"""Most letters of a partner's name in a hand."""


def table(view: View, names: Sequence[str]) -> BandedTable:
    """Return the public table: the stock, the discards, and for each side its players, its score and what it has
    laid."""
    over = view.outcome is not None
    title = "The match is over" if over else f"Deal {view.deal} of {view.options.deals}"
    seats = tuple(_seat(view, seat, name, _detail(view, seat)) for seat, name in with_seats(names))
    piles = (stock(view.stock), _discards(view))
    # Partners stand side by side, but do not play one after the other.
    numbered = has_pairs(view.seats) and not over
    bands = tuple(replace(band, numbered=numbered) for band in _bands(view, seats))
    scored = f" · {unit(view)}" * (view.deal > 1 and not over)
    return BandedTable(f"{title}{scored}", unit(view), seats, piles, first_needed(view), bands=bands)


def _discards(view: View) -> Pile:
    size = len(view.discards)
    blocked = " · blocked" if is_blocked(view) else ""
    return Pile(_takeable(view), f"Discards {size}{blocked}" if size else "Discards")


def _takeable(view: View) -> tuple[DrawnCard, ...]:
    """Return the discards that are taken together, the top one last and framed."""
    *below, top = view.discards[-MOST_TAKEN:] or (None,)
    return (*map(card, below), replace(card(top), framed=bool(below))) if top is not None else ()


def _bands(view: View, seats: Sequence[SeatedPlayer], first: int = 0) -> tuple[Band, ...]:
    """Return a band for each side, from the side `first` on."""
    number = len(view.totals)
    return tuple(_band(view, seats, (first + turn) % number) for turn in range(number))


def _band(view: View, seats: Sequence[SeatedPlayer], side: int) -> Band:
    of = members(view, side)
    players, numbers = tuple(seats[seat] for seat in of), tuple(seat + 1 for seat in of)
    return Band(side_mark(side), SIDES[side], unit(view), players, numbers)


def _seat(view: View, seat: Seat, name: str, detail: str) -> SeatedPlayer:
    """Return a player. The first one of a side has its score and its cards on the table."""
    side = view.side(seat)
    awaited = view.partner if view.phase == ASKING else view.turn
    leads = seat == members(view, side)[0]
    return SeatedPlayer(
        name,
        score=total_words(view, side) * leads,
        detail=detail,
        turn=seat == awaited,
        won=has_won(view.outcome, seat),
        rows=_rows(_laid(view, side)) if leads else (),
    )


def _detail(view: View, seat: Seat) -> str:
    if view.outcome is not None:
        sides = [view.side(each) for each in SEATS[: view.seats]]
        return f"{ordinal(side_placings(view.outcome.placings, sides)[seat])} place"
    held = counted(view.counts[seat], "card")
    return f"{held} + foot" if view.feet[seat] else f"{held}, in foot"


def _rows(chips: Sequence[DrawnCard]) -> tuple[tuple[DrawnCard, ...], ...]:
    """Return chips in full rows."""
    # Not in rows of equal length, in which ranks would change their places more often.
    return tuple(tuple(chips[start : start + COLUMNS]) for start in range(0, len(chips), COLUMNS))


def _laid(view: View, side: int) -> tuple[DrawnCard, ...]:
    """Return a chip for each pile and each open meld of a side, and one for the red threes of its players."""
    threes = reds_of(view, side)
    return (
        *(pile(rank, clean=clean) for rank, clean in piles_of(view, side)),
        *melds(view, side),
        *([reds(threes)] if threes else []),
    )


def melds(view: View, side: int) -> tuple[DrawnCard, ...]:
    """Return a chip for each open meld of a side."""
    return tuple(
        meld(rank, len(cards), wilds_of(cards)) for rank, cards in enumerate(view.melds[side]) if cards
    )


def stacks(cards: Iterable[int]) -> tuple[DrawnCard, ...]:
    """Return sorted cards as a card for each rank, with the number of its copies."""
    equal = [[*group] for _, group in groupby(cards, key=lambda each: RANK[each])]
    return tuple(card(group[0]).counted(len(group)) for group in equal)


def hand(view: View, names: Sequence[str], form: Form) -> HandScene:
    """Return the player's own cards by rank and what is laid aside, below the discard pile and above what the sides
    have laid."""
    assert view.seat is not None
    wide = IN_HAND[form.style.large]
    own = f"Your hand ({len(view.hand)})" if view.feet[view.seat] else f"Your foot ({len(view.hand)})"
    lines = [(Group(own, in_rows(stacks(view.hand), wide)),)]
    aside = [each for cards in view.aside for each in stacks(sorted(cards))]
    if aside:
        laid = f"Aside: {laid_aside(view)}/{view.minimum}"
        lines.append((Group(laid, in_rows(aside, wide)),))
    seats = [
        _seat(view, seat, _cut(view, seat, names), _short_detail(view, seat)) for seat in SEATS[: view.seats]
    ]
    bands = _bands(view, seats, view.side(view.seat))
    return HandScene(tuple(lines), form.style.large, Strip((_pile_above(view),)), bands)


def _cut(view: View, seat: Seat, names: Sequence[str]) -> str:
    return "You" if seat == view.seat else short(names[seat], LONGEST)


def _short_detail(view: View, seat: Seat) -> str:
    """Return the number of cards, as little room is left."""
    if view.outcome is not None:
        return ""
    held = len(view.hand) if seat == view.seat else view.counts[seat]  # one's own without those laid aside
    return f"{held} + foot" if view.feet[seat] else f"{held} in foot"


def _pile_above(view: View) -> LaidCards:
    """Return the discards with their number, and the number of cards in the stock."""
    named = f"Stock {view.stock}, discards {len(view.discards)}"
    return LaidCards(named, _takeable(view), detail="blocked" * is_blocked(view))


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
    headings = ("", "piles", "cards", "red 3s", "out", "left", "deal", "total")
    scores = best_first(event)
    best = rows_with(scores[0].points, [score.points for score in scores])
    rows = tuple(_row(score, names) for score in scores)
    marks = tuple(side_mark(event.scores.index(score)) for score in scores)
    return ScoreSheet(f"Deal {event.deal}: {title}", headings, rows, best, marks=marks)


def _row(score: SideScore, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a side, and its points for each reason."""
    piles = CLEAN_POINTS * score.clean + DIRTY_POINTS * score.dirty
    cells = (piles, score.melded, RED_THREE * score.reds, OUT * score.out, -score.held)
    return (listed(names[seat] for seat in score.seats), *map(signed, (*cells, score.points, score.total)))


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
