"""The lists of planted faults, for the rooms and for the suite, fit the project as it is."""

import re
from argparse import Namespace

import pytest

from tests.planted import FAULTS as IN_SUITE
from tests.planting import ROOT, Fault, Search, plant
from tests.rooms.planted_faults import FAULTS


@pytest.mark.parametrize(
    "fault", [*FAULTS, *(each.fault for each in IN_SUITE)], ids=lambda fault: fault.title
)
def test_a_fault_can_be_planted_and_its_file_is_still_python(fault: Fault) -> None:
    text = (ROOT / fault.file).read_text()
    compile(fault.in_text(text), fault.file, "exec")


def test_a_list_that_does_not_fit_the_project_is_refused_before_anything_is_looked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    search = Search(lambda _: ("-c", "print('found')"), re.compile("found"), parts=("bot",))
    unfit = Fault("of another project", "README.md", "text that is nowhere", "")
    with pytest.raises(AssertionError, match="correct the list"):
        plant([FAULTS[0], unfit], Namespace(faults=[], jobs=1), search)
    assert capsys.readouterr().out == ""


def test_there_are_forty_and_ten_of_them_were_real() -> None:
    assert len(FAULTS) >= 40
    assert sum(fault.old for fault in FAULTS) >= 10


@pytest.mark.parametrize(("without", "found"), [("print('room 0')", None), ("", "room 1")])
async def test_what_is_found_without_the_fault_too_is_not_what_was_planted(
    without: str, found: str | None
) -> None:
    search = Search(
        lambda _: ("-c", "print('room 1'); print('room 2')"),
        re.compile(r"(room \d)\n"),
        parts=("bot",),
        again=lambda _: ("-c", without),
    )
    assert await search.run(FAULTS[0]) == found
