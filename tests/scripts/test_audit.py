"""`make audit`: an audit passes only when every package was compared. A stand-in for pip-audit needs no network."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
SOUND = {"name": "aiohttp", "version": "3.14.5", "vulns": []}
FAULTY = {
    "name": "pillow",
    "version": "1.0",
    "vulns": [{"id": "PYSEC-1", "aliases": ["CVE-2"], "fix_versions": ["1.1", "2.0"]}],
}
UNKNOWN = {
    "name": "yarl",
    "skip_reason": "could not be audited: yarl (1.25.1)",
}


def audited(folder: Path, output: str, complaint: str = "", status: int = 0) -> tuple[int, str, str]:
    """Audit with a pip-audit that prints these texts. Return status, output and error output."""
    command = folder / "pip-audit"
    command.write_text(
        f"#!{sys.executable}\nimport sys\nprint({output!r})\nprint({complaint!r}, file=sys.stderr)\n"
        f"assert sys.argv[-2:] == ['--requirement', 'requirements.txt'], sys.argv\nsys.exit({status})\n",
        encoding="utf-8",
    )
    command.chmod(0o700)
    script = (sys.executable, str(ROOT / "scripts" / "audit.py"), str(command), "requirements.txt")
    done = subprocess.run(script, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def report(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


def test_packages_without_a_known_vulnerability_pass(tmp_path: Path) -> None:
    assert audited(tmp_path, report(SOUND)) == (0, "None of the 1 packages has a known vulnerability.\n", "")


def test_a_known_vulnerability_is_named_with_the_remedy(tmp_path: Path) -> None:
    status, found, remedy = audited(tmp_path, report(SOUND, FAULTY), status=1)
    assert status == 1
    assert found == "pillow 1.0: PYSEC-1, CVE-2; corrected in 1.1, 2.0\n"
    assert remedy.startswith("Known vulnerabilities: 1. Delete the lines")


def test_a_package_that_could_not_be_compared_fails(tmp_path: Path) -> None:
    status, _, complaint = audited(tmp_path, report(SOUND, UNKNOWN))
    assert status == 1
    assert complaint == "The audit is not complete: the service has no data on 1 of 2 packages: yarl.\n"


def test_without_the_network_a_sentence_says_so(tmp_path: Path) -> None:
    status, _, complaint = audited(tmp_path, "", "Traceback\nConnectionError: no route", status=1)
    assert status == 1
    assert complaint.startswith("The audit was not done. Check the network and run it again.")
    assert complaint.endswith("ConnectionError: no route\n")


def test_the_target_compares_everything_that_is_pinned_for_the_bot_and_its_tests() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = "requirements.txt requirements-dev.txt requirements-audit.txt"
    assert f"scripts/audit.py $(AUDIT)/bin/pip-audit {named}" in makefile
    assert all((ROOT / name).exists() for name in named.split())
    assert "-m pip install --quiet --disable-pip-version-check --no-input --require-hashes" in makefile
