"""Turns of phrase that several games' words are made of."""

import re
from collections.abc import Iterable, Sequence

from games.contract import Outcome
from games.letters import END_OF_ISOLATE, ISOLATE, closed, letters


def listed(names: Iterable[str]) -> str:
    """Alice; Alice and Ben; Alice, Ben and Cleo."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def short(name: str, length: int) -> str:
    """At most `length` characters of a name, marks of direction aside; it keeps the number that tells it from others
    of that name."""
    if len(name) - name.count(ISOLATE) - name.count(END_OF_ISOLATE) <= length:
        return name
    head, number = numbered(name)
    if len(number) + 1 >= length:
        head, number = name, ""
    kept = ""
    for letter in letters(head):
        if len((kept + letter).replace(ISOLATE, "")) + 1 + len(number) > length:
            break
        kept += letter
    return f"{closed(f'{kept}…')}{number}"


def numbered(name: str) -> tuple[str, str]:
    """Return a name and the number behind it that tells it from others of that name: "Alex", " (2)"; or ""."""
    head, number, _ = re.split(r"( \(\d+\)|)\Z", name, maxsplit=1)
    return head, number


def counted(number: int, thing: str) -> str:
    """1 token, 2 tokens."""
    return f"{number} {thing}{'s' * (number != 1)}"


def scored(score: int, thing: str) -> str:
    """No tokens, 1 token, 2 tokens."""
    return counted(score, thing) if score else f"no {thing}s"


def ended(outcome: Outcome, names: Sequence[str], thing: str, *, team: bool = False) -> str:
    """Who wins and why, and a line for each of the others with their place. Scores are counted in `thing`; those who
    share first place may be one `team`."""
    first = [seat for seat, place in enumerate(outcome.placings) if place == 1]
    verb = "wins" if len(first) == 1 else "win" if team else "share first place"
    scores = [scored(score, thing) for score in outcome.scores]
    others = sorted((place, seat) for seat, place in enumerate(outcome.placings) if place > 1)
    return "\n".join(
        [
            f"**{listed(names[seat] for seat in first)} {verb} with {scores[first[0]]}.** {outcome.reason}",
            *(f"**{place}.** {names[seat]}: {scores[seat]}" for place, seat in others),
        ]
    )


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th."""
    last = 0 if number // 10 % 10 == 1 else number % 10
    return f"{number}{({1: 'st', 2: 'nd', 3: 'rd'}).get(last, 'th')}"


def whose_turn(awaited: Sequence[int], names: Sequence[str], own: int | None, task: str) -> str:
    """Return "Your turn: play a card" to the seat `own`; "Ben's turn: play a card"; "Waiting for Ben and Cleo: bid"."""
    if own in awaited:
        return f"Your turn: {task}"
    if len(awaited) == 1:
        return f"{names[awaited[0]]}'s turn: {task}"
    return f"Waiting for {listed(names[seat] for seat in awaited)}: {task}"
