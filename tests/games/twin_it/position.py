"""Positions of Twin It!, written as text.

    classic, Ben flips
    table | A/b C/d
    Alice | E/f G/h | won I/j I/k, L/m L/n L/o
    Ben   | A/p

The first line has the mode and may name who flips (else the first with a pile; in teams it may be "anybody"). A card
is written up/down, a design is a letter. Then what lies on the table, and a line for each seat: its pile, the top
first, and its sets, the last won last (in teams under either member; in cooperative under anybody). "barred Ben | A/b"
has the cards that bar their designs for Ben, or for Ben's team.

A script is what people do, in order: "100 Alice A.table; 250 Alice A.Ben; 900 Ben flip". First comes the time in ms,
and a face is named by design and place: on the table, on a pile (by its seat), "A.Ben's" on a set, "A.barred". Of
several in one place the second is "A.table.2". As at a table, what is due by a time happens first; "tick" alone does
nothing more.
"""

import re
from typing import Any

import pytest

from games.contract import Event, Illegal
from games.twin_it import GAME
from games.twin_it.actions import HAND, HOLD, TURN, on
from games.twin_it.deck import SIDES
from games.twin_it.options import TwinItOptions
from games.twin_it.state import ANYBODY, FREE, Face, Race, Turns, new
from games.types import SEATS, Action
from tests.games.position import MatchInWords, table

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""Letters of the designs. Upper and lower case are different designs, so a/A is an ordinary card."""
USES = {"hold": HOLD, "turn": TURN}


class Position(MatchInWords[Any]):
    game = GAME

    def act(self, script: str) -> str:
        """Play the script and return the types of the events in order, for example "HandLaid SetWon"."""
        begun = len(self.events)
        for line in script.split(";"):
            at, *words = line.split()
            self.wait(int(at))
            self.events += self._do(int(at), *words)
        return " ".join(type(event).__name__ for event in self.events[begun:])

    def refusal(self, line: str) -> str:
        """Return the refusal of an action. Fails if the action is accepted."""
        at, *words = line.split()
        self.wait(int(at))
        with pytest.raises(Illegal) as refusal:
            self._do(int(at), *words)
        return str(refusal.value)

    def last_narration(self) -> str:
        """Return the narration of the last event."""
        return GAME.words.narrate(self.events[-1], self.names)

    def number(self, face: str) -> int:
        """Return the number of a face given by design and place."""
        design, place, *which = face.split(".")
        found = [shown for shown in GAME.view(self.state, None).faces if self._is(shown, design, place)]
        return found[int(which[0]) - 1 if which else 0].number

    def table(self) -> str:
        faces = self.state.faces_of(card for card in self.state.table if card != FREE)
        return self._cards([face.card for face in faces if face.place == "table"])

    def barred(self) -> str:
        return self._cards(self.state.barred)

    def pile(self, name: str) -> str:
        return self._cards(self.state.piles[self.seat(name)][::-1])

    def won(self, name: str) -> str:
        """Return the sets of the seat's side as designs, for example "AA BBB"."""
        sets = self.state.sets[self.state.side(self.seat(name))]
        return " ".join("".join(self._letter(card) for card in cards) for cards in sets)

    def hands(self, name: str) -> list[int]:
        """Return the numbers of the faces on which a seat's hands lie."""
        return [hand.face for hand in self.state.hands[self.seat(name)]]

    def wait(self, at: int) -> None:
        """Let everything happen that is due by `at`."""
        while (due := GAME.due(self.state)) is not None and due <= at:
            self.events += GAME.tick(self.state, due)

    def _do(self, at: int, name: str, *words: str) -> list[Event]:
        if name == "tick":
            return []
        return GAME.apply(self.state, self.seat(name), self._action(*words), at)

    def _action(self, word: str, face: str = "") -> Action:
        if word in ("flip", "lift", "ready"):
            return GAME.parse(word)
        return on(self.number(face or word), USES.get(word, HAND))

    def _is(self, face: Face, design: str, place: str) -> bool:
        if LETTERS[face.design] != design:
            return False
        if face.place in ("table", "barred"):
            return face.place == place
        if face.place == "pile":
            return place in self.names and self.seat(place) == face.owner
        owner = place.removesuffix("'s")
        return owner != place and self.state.side(self.seat(owner)) == face.owner

    def _letter(self, card: int) -> str:
        return LETTERS[self.state.design(card)]

    def _cards(self, cards: list[int]) -> str:
        down = (LETTERS[self.state.faces[2 * card + 1 - self.state.up[card]]] for card in cards)
        return " ".join(f"{self._letter(card)}/{under}" for card, under in zip(cards, down, strict=True))


class _Layout:
    """Place the cards of a position."""

    def __init__(self) -> None:
        self.faces = bytearray(SIDES)
        self.cards = 0

    def lay(self, text: str) -> list[int]:
        laid = []
        for up, down in re.findall(r"(\w)/(\w)", text):
            self.faces[2 * self.cards : 2 * self.cards + 2] = LETTERS.index(up), LETTERS.index(down)
            laid.append(self.cards)
            self.cards += 1
        return laid


def position(text: str, **options: Any) -> Position:
    """Return the position that a text describes, at a table with these options."""
    head, cells = table(text)
    names = [row[0] for row in cells if row[0] != "table" and not row[0].startswith("barred")]
    mode = head.split(",")[0]
    layout = _Layout()
    state = new(TwinItOptions.model_validate({"mode": mode, **options}), len(names), "position", b"")
    for name, *lying in cells:
        _place(state, layout, names, name, lying)
    state.faces = bytes(layout.faces)
    _begin(state, names, head)
    return Position(state, names)


def _place(state: Turns | Race, layout: _Layout, names: list[str], name: str, lying: list[str]) -> None:
    if name == "table":
        state.table = layout.lay(lying[0])
    elif isinstance(state, Turns) and name.startswith("barred"):
        state.barred = layout.lay(lying[0])
        state.barred_side = state.side(SEATS[names.index(name.removeprefix("barred "))])
    else:
        seat = SEATS[names.index(name)]
        if isinstance(state, Turns):
            state.piles[seat] = layout.lay(lying[0])[::-1]
        for won in lying[1].removeprefix("won").split(",") if len(lying) > 1 else ():
            state.sets[state.side(seat)].append(tuple(layout.lay(won)))


def _begin(state: Turns | Race, names: list[str], head: str) -> None:
    """Show the upper faces and start the clock."""
    lying, state.table = state.table, []
    for card in lying:
        state.lay(card)
    if isinstance(state, Turns):
        for card in state.barred:
            state.lay(card)
        state.uncover()
        flips = re.search(r"(\w+) flips", head)
        who = flips[1] if flips else names[0]
        state.turn = ANYBODY if who == "anybody" else state.flipper(SEATS[names.index(who)])
    else:
        state.ready, state.opens = [True] * state.seats, 1
        state.ends = 1000 * state.options.seconds
    for won in [cards[0] for sets in state.sets for cards in sets]:
        state.lay(won)


opened = Position.opened
