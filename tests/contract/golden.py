"""Golden games: whole matches as readable text, stored beside a game's tests and replayed line by line.

    game: high-card
    version: 1
    options: {"hands": 2}
    seats: Alice, Ben
    seed: 1

        (to Alice) Your cards: 2, 5, 9.
    Alice: pick 9
        Alice has picked; 1 of 2 are in.

Header and actions are the input. The indented lines are the narration; a replay must produce the same. In a
real-time game each line ends with its time in ms, and ticks of the clock have their own lines: "Alice: hand 12
@1340", "Clock: tick @5340".

To make a new golden game, write the five header lines into `golden/<what it shows>.txt` and regenerate: actions
already in the file are kept, then random ones follow to the end. `python -m tests.contract.golden [slug ...]`
regenerates all golden games, or those of the named games. When a match is too long to read, make "The match goes on."
the last line, indented: the golden game then ends after the actions in the file.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from games.contract import AnyGame, Event, Illegal
from games.types import SEATS
from tests.contract.matches import NO_ACTION, LogEntry, Match, next_entry, public
from tests.contract.subjects import SUBJECTS, Subject

INDENT = "    "
HEADER = ("game", "version", "options", "seats", "seed")
TICK = ("Clock", "tick")
GOES_ON = f"{INDENT}The match goes on."


@dataclass(frozen=True)
class Golden:
    """The content of a golden game's file: the header, then (name, text of the action with its time) in order."""

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
    """Parse header and actions of a golden game. Raises ValueError when the header lacks a line or has another one."""
    lines = [line.partition(": ") for line in text.splitlines() if line and not line.startswith(INDENT)]
    said = [(before, after) for before, _, after in lines]
    header = dict(said[: len(HEADER)])
    if tuple(header) != HEADER:
        raise ValueError(
            f"A golden game begins with the lines {', '.join(HEADER)}; this one has {', '.join(header)}."
        )
    return Golden(header, said[len(HEADER) :])


def replayed(subject: Subject, text: str) -> str:
    """Play the file's actions, then random ones to the end unless the match goes on, and return the file's text as the
    game narrates it today."""
    golden, game = read(text), subject.game
    options = game.Options.model_validate_json(golden.header["options"])
    match = Match(subject, options, len(golden.names), golden.seed)
    header = golden.header | {"version": str(game.version)}
    lines = [f"{name}: {header[name]}" for name in HEADER] + [
        "",
        *narration(game, match.events[0], golden.names),
    ]
    goes_on = text.rstrip().endswith(GOES_ON)
    for name, action in golden.actions if goes_on else script(match, golden):
        lines.append(f"{name}: {action}")
        lines += narration(game, act(match, golden.names, name, action), golden.names)
    return "\n".join([*lines, GOES_ON if goes_on else INDENT + result(match, golden.names)]) + "\n"


def public_events(subject: Subject, name: str) -> list[Event]:
    """Return all public events of the golden game in this file, for example "classic"."""
    golden = read((subject.golden / f"{name}.txt").read_text(encoding="utf-8"))
    options = subject.game.Options.model_validate_json(golden.header["options"])
    match = Match(subject, options, len(golden.names), golden.seed)
    for actor, action in golden.actions:
        act(match, golden.names, actor, action)
    return public(match)


def script(match: Match, golden: Golden) -> Iterator[tuple[str, str]]:
    """Yield the actions of the file, then random ones to the end."""
    yield from golden.actions
    rng = Random(f"golden/{golden.seed}")
    while match.is_open:
        entry = next_entry(match, rng)
        name, text = TICK if entry.seat is None else (golden.names[entry.seat], match.game.text(entry.action))
        yield name, f"{text} @{entry.at}" if match.game.real_time else text


def act(match: Match, names: Sequence[str], name: str, action: str) -> list[Event]:
    text, _, at = action.partition(" @")
    try:
        if (name, text) == TICK:
            return match.do(LogEntry(None, NO_ACTION, int(at)))
        return match.do(LogEntry(SEATS[names.index(name)], match.game.parse(text), int(at or 0)))
    except (Illegal, ValueError) as refusal:
        raise ValueError(
            f"Action {len(match.log) + 1}, “{name}: {action}”, is refused: {refusal}"
        ) from refusal


def narration(game: AnyGame, events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Return the narration of the events, indented. A line for one seat alone begins with "(to NAME)"."""
    lines = []
    for event in events:
        to = "" if event.to is None else f"(to {names[event.to]}) "
        lines += [
            f"{INDENT}{to}{line}" for line in game.words.narrate(event, names).splitlines() if line.strip()
        ]
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
