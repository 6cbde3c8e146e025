"""The Containerfile and compose.yml, as far as they can be checked without a container engine.

`scripts/try_container.py` executes the steps of the Containerfile where there is no engine.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.test_package import PACKAGES

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")
LINES = [line for line in TEXT.replace("\\\n", " ").splitlines() if line and not line.startswith("#")]
COMPOSE = (ROOT / "compose.yml").read_text(encoding="utf-8")
USER = "10001:10001"
LINTER = shutil.which("hadolint")


def arguments(name: str, lines: list[str] = LINES) -> list[str]:
    """Return the arguments of all instructions of that name."""
    return [line.removeprefix(f"{name} ").strip() for line in lines if line.startswith(f"{name} ")]


def last_stage() -> list[str]:
    start = max(n for n, line in enumerate(LINES) if line.startswith("FROM "))
    return LINES[start:]


def test_the_bot_runs_as_a_fixed_user_and_nothing_runs_as_root_after_that() -> None:
    assert arguments("USER") == [USER]
    after = LINES[LINES.index(f"USER {USER}") :]
    assert not [line for line in after if line.startswith(("RUN", "COPY", "ADD"))]


def test_a_stop_reaches_the_bot_as_the_signal_that_it_handles() -> None:
    """The commands are lists: a shell in between would not pass the signal on."""
    assert arguments("STOPSIGNAL") == ["SIGTERM"]
    assert arguments("ENTRYPOINT") == ['["python", "-m", "bot"]']
    (check,) = arguments("HEALTHCHECK")
    assert check.endswith('CMD ["python", "-m", "bot", "doctor", "--quick"]')


def test_all_that_is_written_goes_into_the_one_volume() -> None:
    assert arguments("VOLUME") == ["/data"]
    (settings,) = arguments("ENV")
    assert "DATABASE_PATH=/data/" in settings
    assert "SQLITE_TMPDIR=/data" in settings, "an erasure writes a temporary file"
    assert any(f"-o {USER[:5]} -g {USER[:5]} /data" in each for each in arguments("RUN", last_stage()))


def test_packages_are_pinned_by_their_hashes_and_the_image_by_version() -> None:
    (install,) = (each for each in arguments("RUN") if "pip " in each)
    assert "--require-hashes" in install
    assert "-r requirements.txt" in install
    assert {each.split()[0] for each in arguments("FROM")} == {"python:3.11-slim-bookworm"}


def test_it_has_the_files_of_the_package() -> None:
    """`test_package` compares the package with the repository."""
    copied = [each.split()[:-1] for each in arguments("COPY") if not each.startswith("--from")]
    names = {name.rstrip("/") for group in copied for name in group}
    assert names == {*PACKAGES, "verify.py", "LICENSE", "requirements.txt"}


def test_the_build_sees_only_what_is_copied() -> None:
    """So no token and no database can get into an image."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    assert patterns[0] == "*"
    assert {line[1:] for line in patterns if line.startswith("!")} == {
        *(*PACKAGES, "verify.py", "LICENSE", "requirements.txt")
    }


@pytest.mark.parametrize(
    "setting",
    ["read_only: true", "cap_drop: [ALL]", '"no-new-privileges:true"', "mem_limit: 512m", "- data:/data"],
)
def test_compose_takes_from_the_container_what_the_bot_does_not_need(setting: str) -> None:
    assert setting in COMPOSE
    assert "ports:" not in COMPOSE
    assert re.search(r"^    env_file: \.env$", COMPOSE, re.MULTILINE)


@pytest.mark.skipif(LINTER is None, reason="hadolint is not here")
def test_hadolint_finds_nothing() -> None:
    assert LINTER is not None
    done = subprocess.run((LINTER, ROOT / "Containerfile"), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
