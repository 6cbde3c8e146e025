"""A match is a fold: its log replays to the same states and events, here and in another process."""

import os
import subprocess
import sys
from random import Random

from tests.contract.law import law_of_matches
from tests.contract.matches import Draw, Match, begin, finished, proceed
from tests.contract.replay import Log, digest, log, prefixes
from tests.contract.subjects import SUBJECTS, TESTS, Subject


@law_of_matches
def test_a_log_replays_to_equal_states_and_events_at_every_prefix(subject: Subject, draw: Draw) -> int:
    match, rng = begin(subject, draw), Random(draw.choices)
    digests = [digest(match.state, match.told[0])]
    while match.is_open:
        events = proceed(match, rng)
        digests.append(digest(match.state, events))
    assert prefixes(match.game, log(match, draw.seed)) == digests
    return len(digests)


def test_logs_replay_in_another_process_with_another_hash_seed() -> None:
    logs = [log(played(subject, number), number) for subject in SUBJECTS.values() for number in range(4)]
    here = [digest(prefixes(SUBJECTS[entry.slug].game, entry)) for entry in logs]
    assert replayed_elsewhere(logs) == here


def played(subject: Subject, number: int) -> Match:
    """A finished match; the numbers go through options and seats."""
    draw = Draw(options=number, seats=number, seed=number, choices=number, part=100)
    return finished(begin(subject, draw), Random(number))


def replayed_elsewhere(logs: list[Log]) -> list[str]:
    hash_seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    run = subprocess.run(
        [sys.executable, "-m", "tests.contract.replay"],
        input="".join(entry.model_dump_json() + "\n" for entry in logs),
        cwd=TESTS.parent,
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.split()
