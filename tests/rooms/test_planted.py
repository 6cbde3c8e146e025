"""The list of planted faults fits the project as it is."""

import pytest

from tests.planting import ROOT, Fault
from tests.rooms.planted_faults import FAULTS


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.title)
def test_a_fault_can_be_planted_and_its_file_is_still_python(fault: Fault) -> None:
    text = (ROOT / fault.file).read_text()
    compile(fault.in_text(text), fault.file, "exec")


def test_there_are_forty_and_ten_of_them_were_real() -> None:
    assert len(FAULTS) >= 40
    assert sum(fault.old for fault in FAULTS) >= 10
