"""The pictures of Liar's Dice: the table with cups and bids, a player's own cup, and all dice after a call."""

from collections.abc import Sequence
from typing import Final

from bot.messages.game_ui import Form
from bot.pictures.decks.dice import CUP, Kind, die, stamp
from bot.pictures.decks.dice import bid as drawn_bid
from bot.pictures.scene import (
    Banner,
    DrawnCard,
    Group,
    HandScene,
    LaidCards,
    Pile,
    ScoreSheet,
    SeatedPlayer,
    Strip,
    TableScene,
    final_place,
    has_won,
)
from games.contract import Event
from games.liars_dice.actions import FACE, NO_BID, ONE, QUANTITY, matching
from games.liars_dice.events import RoundEnded
from games.liars_dice.record import support
from games.liars_dice.rulebook import EXAMPLE, EXAMPLE_BIDS
from games.liars_dice.view import View
from games.liars_dice.words import NUMBERS, bid, faces, hit, verdict
from games.phrases import FACE_NAMES, counted, short
from games.types import SEATS, Action, Seat, with_seats

SHOWN: Final = 3
"""Number of bids in the middle of the table, the last one included."""
IN_TITLE: Final = 10
"""Maximum number of letters of a name in the line on the last call."""
ABREAST: Final = 4
"""Number of players whose names fit side by side in the strip above a cup."""
RED: Final = "#c2181f"
GREEN: Final = "#0b7d43"


def table(view: View, names: Sequence[str]) -> TableScene:
    """Return the public table: the cups with their dice, and the latest bids in the middle."""
    seats = tuple(_seat(view, seat, name) for seat, name in with_seats(names))
    piles = tuple(_bid(view, seat, action, names) for seat, action in view.bids[-SHOWN:])
    return TableScene(_title(view, names), "dice", seats, piles, _note(view, names))


def _title(view: View, names: Sequence[str]) -> str:
    """Return the round; as long as nobody has bid, the call before it."""
    if view.outcome is not None:
        return "The match is over"
    if view.last is not None and not view.bids:
        return _called(view.last, names)
    ones = "palifico" if view.palifico else "ones are wild"
    return f"Round {view.round} · {counted(sum(view.dice), 'die')} · {ones}"


def _called(event: RoundEnded, names: Sequence[str]) -> str:
    """Return "Alice doubts Ben's six twos"."""
    caller, bidder = (short(names[seat], IN_TITLE) for seat in (event.caller, event.bidder))
    theirs = f"{bidder}'s {faces(QUANTITY[event.bid], FACE[event.bid])}"
    return f"{caller} calls {theirs} exact" if event.calza else f"{caller} doubts {theirs}"


def _note(view: View, names: Sequence[str]) -> str:
    """Return the bid to beat; as long as nobody has bid, what the call before it came to."""
    if view.outcome is None and view.last is not None and not view.bids:
        return f"{_found(view.last)} there: {hit(view.last, [short(name, IN_TITLE) for name in names])}"
    return _standing(view, names)


def _found(event: RoundEnded) -> str:
    return NUMBERS[event.found].capitalize() if event.found else "None"


def _seat(view: View, seat: Seat, name: str) -> SeatedPlayer:
    dice = view.dice[seat]
    return SeatedPlayer(
        name,
        score=str(dice),
        detail=_detail(view, seat),
        turn=seat == view.turn,
        out=view.outcome is None and not dice,
        won=has_won(view.outcome, seat),
        rows=((CUP,),) if dice else (),
    )


def _detail(view: View, seat: Seat) -> str:
    if view.outcome is not None:
        return final_place(view.outcome, seat)
    if not view.dice[seat]:
        return "out"
    own = [action for bidder, action in view.bids if bidder == seat]
    return f"{QUANTITY[own[-1]]} × {FACE_NAMES[FACE[own[-1]]]}" if own else ""


def _bid(view: View, seat: Seat, action: Action, names: Sequence[str]) -> Pile:
    return Pile((_bid_die(view, action),), names[seat])


def _bid_die(view: View, action: Action) -> DrawnCard:
    """Return a bid, on gold if it is the last one."""
    kind: Kind = "counts" if action == view.standing else "plain"
    wild = FACE[action] == ONE and not view.palifico
    return drawn_bid(QUANTITY[action], FACE[action], bid(action), kind, wild=wild)


def _standing(view: View, names: Sequence[str]) -> str:
    """Return the bid to beat in words."""
    if view.outcome is not None:
        return ""
    if view.bidder is None:
        return "No bid yet"
    who = "You bid" if view.bidder == view.seat else f"{names[view.bidder]} bids"
    return f"{who} {bid(view.standing)}"


def hand(view: View, names: Sequence[str], form: Form) -> HandScene:
    """Return the player's own dice below a strip with the bid and the players. Dice that match the bid are gold."""
    own = tuple(_own(view, face) for face in view.cup)
    # The strip names the bid for which it counts.
    caption = "Your cup" + " · gold counts" * any(_counts(view, face) for face in view.cup)
    group = Group(caption, (own,) if own else ())
    return HandScene(((group,),), form.style.large, None if view.outcome is not None else _strip(view, names))


def _own(view: View, face: int) -> DrawnCard:
    return die(face, "counts" if _counts(view, face) else "plain", wild=not view.palifico and face == ONE)


def _counts(view: View, face: int) -> bool:
    """Return whether a die with this face counts for the last bid."""
    return view.standing != NO_BID and bool(matching((face,), FACE[view.standing], wild=not view.palifico))


def _strip(view: View, names: Sequence[str]) -> Strip:
    """Return each player's last bid and number of dice, below the bid to beat."""
    seats = [seat for seat, dice in with_seats(view.dice) if dice]
    last = dict(view.bids)
    laid = tuple(
        LaidCards(
            "You" if seat == view.seat else names[seat],
            (_bid_die(view, last[seat]),) if seat in last else (CUP,),
            detail=counted(view.dice[seat], "die"),
        )
        for seat in seats
    )
    return Strip(laid, _standing(view, names), in_threes=len(laid) > ABREAST)


def own_cards(view: View, names: Sequence[str]) -> LaidCards | None:
    """Return the dice under the cup of the view's seat."""
    assert view.seat is not None
    dice = tuple(die(face, wild=face == ONE and not view.palifico) for face in view.cup)
    return LaidCards(names[view.seat], dice) if dice else None


def score_sheet(event: Event, names: Sequence[str]) -> ScoreSheet | None:
    """Return all dice when the event is the end of a round: those that match are gold and counted, the verdict is
    stamped below."""
    return _shown(event, names) if isinstance(event, RoundEnded) else None


def _shown(event: RoundEnded, names: Sequence[str]) -> ScoreSheet:
    seats = [seat for seat, dice in with_seats(event.cups) if dice]
    hands = tuple(tuple(_die(event, face) for face in event.cups[seat]) for seat in seats)
    rows = tuple((names[seat], str(support(event, seat, event.bid)), _left(event, seat)) for seat in seats)
    caller, bidder = (short(names[seat], IN_TITLE) for seat in (event.caller, event.bidder))
    said = f"{caller}: exactly" if event.calza else f"{bidder} bid"
    title = f"{said} {bid(event.bid)}? {_found(event)} there"
    return ScoreSheet(title, ("", "match the bid", "dice left"), rows, (), hands, _stamp(event))


def _die(event: RoundEnded, face: int) -> DrawnCard:
    counts = matching((face,), FACE[event.bid], wild=event.wild)
    return die(face, "counts" if counts else "plain", wild=event.wild and face == ONE)


def _left(event: RoundEnded, seat: Seat) -> str:
    """Return the dice that a seat has now, with an arrow if it lost or gained one."""
    change = event.dice[seat] - len(event.cups[seat])
    return f"{'▼ ' * (change < 0)}{'▲ ' * (change > 0)}{event.dice[seat] or 'out'}"


def _stamp(event: RoundEnded) -> DrawnCard:
    return stamp(verdict(event).upper(), GREEN if _is_good(event) else RED)


def _is_good(event: RoundEnded) -> bool:
    """Return whether the bid was honest, or the call exact."""
    return event.right if event.calza else not event.right


def example() -> ScoreSheet:
    """Return the end of the rulebook's example."""
    found = sum(matching(cup, FACE[EXAMPLE_BIDS[-1]], wild=True) for cup in EXAMPLE)
    alice, _, cleo = SEATS[:3]
    event = RoundEnded(1, alice, False, cleo, EXAMPLE_BIDS[-1], True, EXAMPLE, found, False, alice, (4, 5, 5))
    return _shown(event, ("Alice", "Ben", "Cleo"))


def banner() -> Banner:
    """Return a banner with a cup and some dice."""
    return Banner("Liar's Dice", (CUP, die(5), die(5), die(1, wild=True)))
