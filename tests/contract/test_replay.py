"""A log replays to the same states and events, in this process and in another one."""

import os
import subprocess
import sys
from random import Random

from tests.contract.law import law_of_matches
from tests.contract.matches import Draw, begin, finished_match, play_next_entry
from tests.contract.replay import Log, digest, log, prefix_digests
from tests.contract.subjects import SUBJECTS, TESTS, Subject


@law_of_matches
def test_every_prefix_of_a_log_replays_to_the_same_state_and_events(subject: Subject, draw: Draw) -> int:
    match, rng = begin(subject, draw), Random(draw.choices)
    digests = [digest(match.state, match.events[0])]
    while match.is_open:
        events = play_next_entry(match, rng)
        digests.append(digest(match.state, events))
    assert prefix_digests(match.game, log(match, draw.seed)) == digests
    return len(digests)


def test_logs_replay_equally_in_another_process_with_another_hash_seed() -> None:
    logs = [
        log(finished_match(subject, number), number) for subject in SUBJECTS.values() for number in range(4)
    ]
    here = [digest(prefix_digests(SUBJECTS[entry.slug].game, entry)) for entry in logs]
    assert digests_in_another_process(logs) == here


def digests_in_another_process(logs: list[Log]) -> list[str]:
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
