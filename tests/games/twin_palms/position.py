"""Positions of Twin Palms, written as text.

    advanced, round 3, Ben leads
    Alice | P3 P* D4 D4 | bid 2 max | won 1 | 7 dollars
    Ben   | P3 D10 S0 S1 | bid 0
    Cleo  | P0 P0 S* S9 | bid 1 half

The first line has the mode. It may name the round (default 1) and who leads (default the first seat), who also holds
the start token. Then follows a line for each seat: name and cards, and, if they matter, the bid (without one the
seat has yet to bid), tricks won (default 0) and sand dollars (default 2). The number of finished tricks follows from
the number of cards missing from ten.

Actions are lines as in a golden game, "Alice: play P3 P*=8", separated by semicolons.
"""

import re
from typing import Any

from games.twin_palms import GAME
from games.twin_palms.cards import KINDS, card_text
from games.twin_palms.events import TrickTaken
from games.twin_palms.options import TwinPalmsOptions
from games.twin_palms.state import NO_BID, State, Trick
from games.types import Action
from tests.games.position import ScriptedMatch, named, number, table
from tests.seats import FIRST

KIND = {card_text(kind): kind for kind in KINDS}


class Position(ScriptedMatch[State]):
    game = GAME

    def hand(self, name: str) -> str:
        return " ".join(card_text(kind) for kind in self.state.hands[self.seat(name)])


def position(text: str, **options: Any) -> Position:
    """Return the position that a text describes, at a table with these options."""
    head, cells = table(text)
    names = [row[0] for row in cells]
    mode = head.split(",")[0]
    leader = named(r"(\w+) leads", head, names, FIRST)
    state = State(
        TwinPalmsOptions.model_validate({"mode": mode, **options}), len(names), "position", leader, leader
    )
    state.round = number(r"round (\d+)", head, 1)
    state.hands = [sorted(KIND[card] for card in row[1].split()) for row in cells]
    state.bids = [_bid(row) for row in cells]
    state.won = [number(r"won (\d+)", " ".join(row[2:]), 0) for row in cells]
    state.dollars = [number(r"(\d+) dollars", " ".join(row[2:]), 2) for row in cells]
    state.tricks = [Trick(leader, (), None)] * ((10 - len(state.hands[leader])) // 2)
    if min(state.bids) >= 0:
        state.turn = leader
    return Position(state, names)


opened = Position.opened


def trick(mode: str, plays: str) -> str:
    """Return who takes a trick: "Alice P3 P*=3, Ben D3 D3" gives "Alice"; if all cancel, "nobody"."""
    sets = [play.split() for play in plays.split(",")]
    rows = [f"{name} | {re.sub('=[0-9]+', '', ' '.join(cards))} | bid 0" for name, *cards in sets]
    seen = position("\n".join([mode, *rows]))
    seen.act("; ".join(f"{name}: play {' '.join(cards)}" for name, *cards in sets))
    taken = next(event for event in seen.events if isinstance(event, TrickTaken))
    return "nobody" if taken.winner is None else seen.names[taken.winner]


def _bid(row: list[str]) -> Action:
    bids = [cell for cell in row[2:] if cell.startswith("bid")]
    return GAME.parse(bids[0]) if bids else NO_BID
