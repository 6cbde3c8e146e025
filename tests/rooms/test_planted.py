"""The lists of planted faults, for the rooms and for the suite, fit the project as it is."""

import pytest

from tests.planted import FAULTS as IN_SUITE
from tests.planting import ROOT, Fault
from tests.rooms.planted_faults import FAULTS


@pytest.mark.parametrize(
    "fault", [*FAULTS, *(each.fault for each in IN_SUITE)], ids=lambda fault: fault.title
)
def test_a_fault_can_be_planted_and_its_file_is_still_python(fault: Fault) -> None:
    text = (ROOT / fault.file).read_text()
    compile(fault.in_text(text), fault.file, "exec")


def test_there_are_forty_and_ten_of_them_were_real() -> None:
    assert len(FAULTS) >= 40
    assert sum(fault.old for fault in FAULTS) >= 10
