"""The pictures of Twin Palms: the table with the cards of a trick, hands, score sheets."""

from collections.abc import Sequence
from dataclasses import replace

from bot.messages.game_ui import Form
from bot.pictures.decks.twin_palms import BACK, SAND_DOLLAR, card
from bot.pictures.hand_style import HandStyle
from bot.pictures.scene import (
    Banner,
    DrawnCard,
    Group,
    HandScene,
    LaidCards,
    ScoreSheet,
    SeatedPlayer,
    Strip,
    TableScene,
    final_place,
    has_won,
    hidden_hand,
    in_rows,
    rows_with,
)
from games.contract import Event
from games.phrases import gained
from games.twin_palms.cards import BETS, CARDS, NUMBERS, WILD, parse
from games.twin_palms.events import RoundScored, ScoreRow
from games.twin_palms.options import TwinPalmsOptions
from games.twin_palms.rulebook import EASY_EXAMPLE, EXAMPLE
from games.twin_palms.state import TRICKS
from games.twin_palms.view import View, best
from games.twin_palms.words import label
from games.types import Action, Seat, around, with_seats


def table(view: View, names: Sequence[str]) -> TableScene:
    """Return the public table: the cards of this trick before their players, bids and tricks won."""
    number = f"{view.round} of {view.rounds}" if view.round <= view.rounds else f"{view.round}, a further one"
    trick = f" · trick {len(view.tricks) + 1} of {TRICKS}" if view.phase == "play" else ""
    seats = tuple(_seat(view, seat, name) for seat, name in with_seats(names))
    return TableScene(f"Round {number}{trick}", "sand dollars", seats, mark=SAND_DOLLAR, note=_note(view))


def _seat(view: View, seat: Seat, name: str) -> SeatedPlayer:
    return SeatedPlayer(
        name,
        score=str(view.dollars[seat]),
        detail=_detail(view, seat),
        turn=seat in view.awaited,
        won=has_won(view.outcome, seat),
        rows=(_laid(view, seat),),
    )


def _detail(view: View, seat: Seat) -> str:
    if view.outcome is not None:
        return final_place(view.outcome, seat)
    if view.bids is None:
        state = "has bid" if view.has_bid[seat] else "bidding"
        return f"{state} · leads" if seat == view.start else state
    stake = view.stakes[seat] if view.stakes else 0
    won = f"won {view.won[seat]}/{view.bids[seat] // len(BETS)}"
    if not view.trick and view.tricks and view.tricks[-1].winner == seat:
        return f"{won} · took it"
    return f"{won} · stake {stake}" if stake else won


def _laid(view: View, seat: Seat) -> tuple[DrawnCard, ...]:
    """Return a seat's cards in this trick, or in the last trick until the next one is led; else its hand, face down."""
    leader, plays = _on_table(view)
    turn = (seat - leader) % len(view.dollars)
    if view.phase != "bid" and turn < len(plays):
        faded = _is_over(view) and view.tricks[-1].winner != seat
        return tuple(replace(each, faded=faded) for each in _played(plays[turn]))
    return hidden_hand(BACK, view.hand_sizes[seat])


def _is_over(view: View) -> bool:
    """Return whether the last trick is still on the table, until the next one is led."""
    return bool(view.tricks) and not view.trick


def _on_table(view: View) -> tuple[Seat, tuple[Action, ...]]:
    """Return the leader and the plays of the trick on the table."""
    return (view.tricks[-1].leader, view.tricks[-1].plays) if _is_over(view) else (view.leader, view.trick)


def _played(play: int) -> list[DrawnCard]:
    pairs = zip(CARDS[play], NUMBERS[play], strict=True)
    return [card(kind, number if kind % (WILD + 1) == WILD else None) for kind, number in pairs]


def _note(view: View) -> str:
    if view.outcome is not None:
        return "The match is over"
    if view.phase == "bid":
        return f"{sum(view.has_bid)} of {len(view.has_bid)} have bid"
    if view.tricks and not view.trick and view.tricks[-1].winner is None:
        return f"Nobody takes trick {len(view.tricks)}"
    return ""


def places(view: View, style: HandStyle) -> tuple[tuple[int, ...], ...]:
    """Return the places of the player's own cards in `view.hand`, in rows, in the order that the player has chosen."""
    order = list(range(len(view.hand)))
    if style.order == "rank":
        order.sort(key=lambda place: (view.hand[place] % (WILD + 1), view.hand[place]))
    return in_rows(order, 4 if style.large else 5)


def hand(view: View, names: Sequence[str], form: Form) -> HandScene:
    """Return the trick on the table, and below it the player's own cards."""
    rows = tuple(tuple(card(view.hand[place]) for place in row) for row in places(view, form.style))
    return HandScene(
        ((Group("Your hand", rows),),),
        form.style.large,
        _strip(view, names) if view.phase == "play" else None,
    )


def _strip(view: View, names: Sequence[str]) -> Strip:
    leader, _ = _on_table(view)
    seats = around(leader, len(view.dollars))
    return Strip(tuple(_place(view, seat, names) for seat in seats), _caption(view, names))


def _place(view: View, seat: Seat, names: Sequence[str]) -> LaidCards:
    assert view.bids is not None
    leader, plays = _on_table(view)
    turn = (seat - leader) % len(view.dollars)
    ahead = view.tricks[-1].winner if _is_over(view) else best(view)
    return LaidCards(
        _you_or_name(view, seat, names),
        _laid(view, seat) if turn < len(plays) else (),
        best=seat == ahead,
        detail=f"{view.won[seat]}/{view.bids[seat] // len(BETS)}",
    )


def _caption(view: View, names: Sequence[str]) -> str:
    """Return a caption: nothing to beat, if so; before a trick, the winner of the last one and the leader."""
    if view.trick:
        return "All cancel: nothing to beat" if best(view) is None else ""
    leader, leads = _you_or_name(view, view.leader, names), "lead" if view.leader == view.seat else "leads"
    if not view.tricks:
        return f"{leader} {leads}"
    if view.tricks[-1].winner is None:
        return f"Nobody took trick {len(view.tricks)} · {leader} {leads} again"
    return f"{leader} took trick {len(view.tricks)} and {leads}"


def _you_or_name(view: View, seat: Seat, names: Sequence[str]) -> str:
    return "You" if seat == view.seat else names[seat]


def own_cards(view: View, names: Sequence[str]) -> LaidCards | None:
    """Return the hand of the view's seat, and its bid while that is hidden."""
    assert view.seat is not None
    held = tuple(card(kind) for kind in view.hand)
    bid = "" if view.bid is None or view.bids is not None else label(view.bid).lower()
    return LaidCards(names[view.seat], held, detail=bid) if held else None


def score_sheet(event: Event, names: Sequence[str]) -> ScoreSheet | None:
    """Return the score sheet when the event is the end of a round."""
    if not isinstance(event, RoundScored):
        return None
    rows = ((name, *_cells(row)) for name, row in zip(names, event.rows, strict=True))
    totals = [row.total for row in event.rows]
    headings = ("", "bid", "won", "hit", "bet", "gain", "total")
    return ScoreSheet(f"Round {event.round}", headings, tuple(rows), rows_with(max(totals), totals))


def _cells(row: ScoreRow) -> tuple[str, ...]:
    hit = "✓" * (row.bid == row.tricks)
    return str(row.bid), str(row.tricks), hit, str(row.stake or ""), gained(row.points), str(row.total)


def example(options: TwinPalmsOptions | None = None) -> TableScene:
    """Return the table at the end of the rulebook's example trick."""
    is_easy = options is not None and options.mode == "easy"
    details = ("cancelled", "cancelled") if is_easy else ("takes it", "cancelled", "cancelled")
    plays = [parse(play) for play in (EASY_EXAMPLE[0] if is_easy else EXAMPLE)]
    seats = tuple(
        SeatedPlayer(name, detail=detail, rows=(tuple(_played(play)),), won=detail == "takes it")
        for name, detail, play in zip(("Alice", "Ben", "Cleo")[: len(plays)], details, plays, strict=True)
    )
    return TableScene("A trick of Twin Palms", "sand dollars", seats)


def banner() -> Banner:
    """Return a banner with a pair, a wild card, and a card of each other suit."""
    return Banner("Twin Palms", tuple(card(kind) for kind in (8, 20, WILD, 34, 15)))
