"""Golden games: whole matches as readable text, kept beside a game's tests and replayed line by line.

    game: high-card
    version: 1
    options: {"hands": 2}
    seats: Alice, Ben
    seed: 1

        (to Alice) Your cards: 2, 5, 9.
    Alice: pick 9
        Alice has picked; 1 of 2 are in.

Header and actions are the input; what is indented is the narration and must come out again. In a game of time each
line ends with its time in ms, and the clock has lines of its own: "Alice: hand 12 @1340", "Clock: tick @5340".

To make a new one write
the five header lines into `golden/<what it shows>.txt` and regenerate: after the actions that stand there, if any,
random ones are played to the end. `python -m tests.contract.golden [slug ...]` regenerates all, or one game's.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from games.contract import AnyGame, Event, Illegal
from tests.contract.matches import Done, Match, coming
from tests.contract.subjects import SUBJECTS, Subject

INDENT = "    "
HEADER = ("game", "version", "options", "seats", "seed")
TICK = ("Clock", "tick")


@dataclass(frozen=True)
class Golden:
    """What a golden game's file says: its header, and (name, text of the action with its time) in order."""

    header: dict[str, str]
    actions: list[tuple[str, str]]

    @property
    def names(self) -> list[str]:
        return self.header["seats"].split(", ")

    @property
    def seed(self) -> int | str:
        seed = self.header["seed"]
        return int(seed) if seed.isdecimal() else seed


def read(text: str) -> Golden:
    """Header and actions of a golden game. ValueError for a header with other lines than it should have."""
    lines = [line.partition(": ") for line in text.splitlines() if line and not line.startswith(INDENT)]
    said = [(before, after) for before, _, after in lines]
    header = dict(said[: len(HEADER)])
    if tuple(header) != HEADER:
        raise ValueError(
            f"A golden game begins with the lines {', '.join(HEADER)}; this one has {', '.join(header)}."
        )
    return Golden(header, said[len(HEADER) :])


def replayed(subject: Subject, text: str) -> str:
    """The golden game anew: its actions, then random ones to the end, and what the game tells of them today."""
    golden, game = read(text), subject.game
    options = game.Options.model_validate_json(golden.header["options"])
    match = Match(subject, options, len(golden.names), golden.seed)
    header = golden.header | {"version": str(game.version)}
    lines = [f"{name}: {header[name]}" for name in HEADER] + ["", *told(game, match.told[0], golden.names)]
    for name, action in script(match, golden):
        lines.append(f"{name}: {action}")
        lines += told(game, act(match, golden.names, name, action), golden.names)
    return "\n".join([*lines, INDENT + result(match, golden.names)]) + "\n"


def script(match: Match, golden: Golden) -> Iterator[tuple[str, str]]:
    """The actions as written, then random ones to the end."""
    yield from golden.actions
    rng = Random(f"golden/{golden.seed}")
    while match.is_open:
        done = coming(match, rng)
        name, text = TICK if done.seat is None else (golden.names[done.seat], match.game.text(done.action))
        yield name, f"{text} @{done.at}" if match.game.real_time else text


def act(match: Match, names: Sequence[str], name: str, action: str) -> list[Event]:
    text, _, at = action.partition(" @")
    try:
        if (name, text) == TICK:
            return match.do(Done(None, 0, int(at)))
        return match.do(Done(names.index(name), match.game.parse(text), int(at or 0)))
    except (Illegal, ValueError) as refusal:
        raise ValueError(
            f"Action {len(match.log) + 1}, “{name}: {action}”, is refused: {refusal}"
        ) from refusal


def told(game: AnyGame, events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """The narration of the events, indented; what only one seat hears begins with its name in brackets."""
    lines = []
    for event in events:
        to = "" if event.to is None else f"(to {names[event.to]}) "
        lines += [f"{INDENT}{to}{line}" for line in game.narrate(event, names).splitlines() if line.strip()]
    return lines


def result(match: Match, names: Sequence[str]) -> str:
    outcome = match.game.outcome(match.state)
    assert outcome is not None
    ranking = sorted(zip(outcome.placings, names, outcome.scores, strict=True), key=lambda place: place[0])
    return ", ".join(f"{placing}. {name} {score}" for placing, name, score in ranking) + f". {outcome.reason}"


def files(subject: Subject) -> list[Path]:
    return sorted(subject.golden.glob("*.txt"))


def main(slugs: Sequence[str]) -> None:
    for slug in slugs or SUBJECTS:
        for path in files(SUBJECTS[slug]):
            text = path.read_text(encoding="utf-8")
            anew = replayed(SUBJECTS[slug], text)
            path.write_text(anew, encoding="utf-8")
            sys.stdout.write(f"{slug}/{path.name}: {'as before' if anew == text else 'changed'}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
