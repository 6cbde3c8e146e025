"""Some rooms, each from its seed; and what makes a room repeat itself."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.rooms.__main__ import arguments_of
from tests.rooms.plan import numbered, spelled
from tests.rooms.seeded import plan_of

ROOT = Path(__file__).parents[2]
ROOMS = "1-2,4,6-8,59"
"""Rooms that met 20 kinds of errands and 23 kinds of entries when they were chosen; 1-10 met 19 and 22."""


def simulated(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `make simulate` with these arguments and variables of the environment."""
    return subprocess.run(
        (sys.executable, "-m", "tests.rooms", *arguments),
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": "random"} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def shown(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Return the line of each room."""
    return done.stdout.partition("\n\n")[0].splitlines()


def test_rooms_break_no_law_and_repeat_themselves_byte_for_byte() -> None:
    """In room 7 two processes share the shards, in room 8 there is one."""
    assert [plan_of(seed).processes for seed in (7, 8)] == [2, 1]
    wanted = ("--minutes", "0.4", "--verbose")
    one = simulated("--seeds", ROOMS, *wanted, "--all", PYTHONHASHSEED="1", TZ="UTC")
    assert one.returncode == 0, one.stdout
    other = simulated("--seeds", "7-8", *wanted, PYTHONHASHSEED="2", TZ="NZST-12")
    lines = sorted(shown(other))
    assert [line[:2] for line in lines] == ["7 ", "8 "]
    assert lines == sorted(line for line in shown(one) if line.startswith(("7 ", "8 ")))


def test_a_room_in_which_something_was_found_breaks_no_law_any_more() -> None:
    # 7: messages and a hand of tables that were over stayed in memory. What others found has tests in
    # `e2e/test_found.py`: they take long, or show something else now that people do other things.
    done = simulated("--seeds", "7", "--processes", "1", "--all")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("text", "names"),
    [("", ()), ("1-3,7", ("1", "2", "3", "7")), ("f1-2,p3", ("f1", "f2", "p3"))],
    ids=["nothing", "numbers", "names"],
)
def test_lists_have_ranges(text: str, names: tuple[str, ...]) -> None:
    assert numbered(text) == names


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--game", "foo"), "There is no game 'foo'. There are charms, hand-and-foot, "),
        (("--seeds", "5-1"), "'5-1' is no name and no range of names."),
        (("--seeds", "1,,2"), "'' is no name and no range of names."),
        (("--seeds", ""), "At least one room is needed."),
        (("--seeds", "f1"), "'f1' is no number from 1 on."),
        (("--drop", "all"), "'all' is no name and no range of names."),
        (("--jobs", "0"), "'0' is no number from 1 on."),
        (("--minutes", "-1"), "'-1' is no number of minutes above 0."),
    ],
    ids=["game", "range", "gap", "nothing", "name", "word", "zero", "negative"],
)
def test_what_cannot_be_run_is_refused_with_a_sentence(
    arguments: tuple[str, str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        arguments_of(arguments)
    assert refused.value.code == 2
    assert said in capsys.readouterr().err


def test_names_are_spelled_as_short_as_possible() -> None:
    assert spelled({"f10", "f2", "f1", "f3", "p3"}) == "f1-3,f10,p3"


def test_sigterm_ends_the_processes_of_rooms_too() -> None:
    command = (sys.executable, "-m", "tests.rooms", "--seeds", "1-2")
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True) as run:
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
        end = time.monotonic() + 60
        while not children.read_text() and time.monotonic() < end:
            time.sleep(0.05)
        rooms = children.read_text().split()
        run.terminate()
    assert rooms
    assert not [each for each in rooms if Path(f"/proc/{each}").exists()]
