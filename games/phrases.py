"""Phrases shared by the texts of several games."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from games.contract import Outcome
from games.letters import END_OF_ISOLATE, ISOLATE, ROBOT, closed, letters
from games.types import Seat, with_seats

IRREGULAR: Final = {"die": "dice", "match": "matches"}
"""Plurals that do not just end in s."""
FACE_NAMES: Final = ("", "one", "two", "three", "four", "five", "six")
"""Names of the faces of a die, by face."""


def listed(names: Iterable[str], word: str = "and") -> str:
    """Return "Alice", "Alice and Ben" or "Alice, Ben and Cleo", with `word` before the last name."""
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last


def addressed(sentence: str, who: Sequence[str]) -> str:
    """Replace "seat 2" in a game's sentence by the player's name: engines know no names."""
    return re.sub(r"\b[Ss]eat (\d)\b", lambda seat: who[int(seat[1]) - 1], sentence)


def not_your_turn(turn: Seat | None) -> str:
    """Return the refusal of an action out of turn; `turn` is the seat to act."""
    assert turn is not None
    return f"It is not your turn: seat {turn + 1} plays now."


def short(name: str, length: int) -> str:
    """Cut a name to `length` characters, not counting the marks for text direction.

    A number that distinguishes equal names stays: "Alexandr… (2)"."""
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
    """Split a name from the number that distinguishes equal names: ("Alex", " (2)"), or ("Alex", "")."""
    head, number, _ = re.split(r"( \(\d+\)|)\Z", name, maxsplit=1)
    return head, number


def capitalized(words: str) -> str:
    """Return words with a first capital letter; the others stay."""
    return words[:1].upper() + words[1:]


def plural(thing: str) -> str:
    """Return "tokens" for "token", "dice" for "die" and "rated matches" for "rated match"."""
    *others, noun = thing.split(" ")
    return " ".join([*others, IRREGULAR.get(noun, f"{noun}s")])


def singular(things: str) -> str:
    """Return "token" for "tokens", and "die" for "dice"."""
    irregular = {many: one for one, many in IRREGULAR.items()}
    return irregular.get(things, things.removesuffix("s"))


def signed(number: int) -> str:
    """Return a number with thousands marked and a proper minus: "−1,250"."""
    return f"{number:,}".replace("-", "−")


def gained(number: int) -> str:
    """Return a change with its sign: "+7" or "−1"."""
    return f"{number:+,}".replace("-", "−")


def counted(number: int, thing: str) -> str:
    """Return "1 token" or "2,000 tokens"."""
    return f"{signed(number)} {thing if number == 1 else plural(thing)}"


def scored(score: int, thing: str) -> str:
    """Return "no tokens", "1 token", "2 tokens" or "−1 token"."""
    if score < 0:
        return f"−{counted(-score, thing)}"
    return counted(score, thing) if score else f"no {plural(thing)}"


def ended(outcome: Outcome, names: Sequence[str], thing: str, *, team: bool = False) -> str:
    """Return a line with the winners and the reason, then a line with place and score for all others.

    `thing` is the unit of the scores, in the singular; `team` says that several winners are one team."""
    first = [seat for seat, place in with_seats(outcome.placings) if place == 1]
    verb = "wins" if len(first) == 1 else "win" if team else "share first place"
    score = scored(outcome.scores[first[0]], thing)
    won = f"**{listed(names[seat] for seat in first)} {verb} with {score}.** {outcome.reason}"
    return "\n".join([won, *placed(outcome, names, thing, after=1)])


def placed(outcome: Outcome, names: Sequence[str], thing: str, *, after: int = 0) -> Iterator[str]:
    """Yield a line for each place after `after`: "**2.** Ben and Cleo: 5 tokens"."""
    shared: dict[tuple[int, int], list[str]] = defaultdict(list)
    for name, place, score in zip(names, outcome.placings, outcome.scores, strict=True):
        shared[place, score].append(name)
    for (place, score), who in sorted(shared.items()):
        if place > after:
            yield f"**{place}.** {listed(who)}: {scored(score, thing)}"


def ordinal(number: int) -> str:
    """Return "1st", "2nd", "3rd", "4th" and so on."""
    last = 0 if number // 10 % 10 == 1 else number % 10
    return f"{number}{({1: 'st', 2: 'nd', 3: 'rd'}).get(last, 'th')}"


def with_place(place: int, name: str) -> str:
    """Return "1st Ben"; "Ben" for place 0, which is none."""
    return f"{ordinal(place)} {name}" if place else name


def whose_turn(awaited: Sequence[int], names: Sequence[str], own: int | None, task: str) -> str:
    """Return "**Ben's turn** · bid", or "**Your turn** · bid" when the seat `own` is awaited; "" when nobody is.

    A player for whom a computer plays reads of the own seat what the others read."""
    if not awaited:
        return ""
    if own is not None and own in awaited and not names[own].startswith(ROBOT):
        return turn_line("Your", task)
    if len(awaited) == len(names) > 1:
        return turn_line("Everybody's", task)
    return turn_of([names[seat] for seat in awaited], task)


def turn_of(names: Iterable[str], task: str) -> str:
    """Return "**Alice's and Ben's turn** · bid"."""
    return turn_line(listed(f"{name}'s" for name in names), task)


def turn_line(whose: str, task: str) -> str:
    """Return the one form in which people read whose turn it is, and what is allowed."""
    return f"**{whose} turn**{f' · {task}' * bool(task)}"


def chosen(choice: str) -> str:
    """Return what a player reads after a choice that is still secret."""
    return f"you chose {choice} and may change it until all have chosen"
