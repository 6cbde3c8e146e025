"""The package that `pip install .` builds: it has everything that the bot needs outside of its repository."""

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from bot.version import VERSION

ROOT = Path(__file__).parent.parent
PACKAGES = ("bot", "cogs", "games", "sandbox")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel installs."""
    folder = tmp_path_factory.mktemp("wheel")
    build = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder))
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with ZipFile(wheel) as packed:
        packed.extractall(folder / "installed")
    return folder / "installed"


def run(installed: Path, *arguments: str) -> "subprocess.Popen[str]":
    """Run the installed bot in an empty folder."""
    empty = installed.parent / "empty"
    empty.mkdir(exist_ok=True)
    known = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.Popen(
        (sys.executable, "-m", "bot", *arguments),
        cwd=empty,
        env=known | {"PYTHONPATH": str(installed)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_it_has_every_file_of_the_packages(installed: Path) -> None:
    wanted = {
        path.relative_to(ROOT)
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    found = {path.relative_to(installed) for path in installed.rglob("*") if path.is_file()}
    assert wanted - found == set()
    assert {path.parts[0] for path in found if ".dist-info" not in path.parts[0]} == {*PACKAGES, "verify.py"}


def test_it_has_a_command(installed: Path) -> None:
    (names,) = installed.glob("*.dist-info/entry_points.txt")
    assert "palmhouse = bot.__main__:main" in names.read_text(encoding="utf-8")


def test_it_has_the_version_of_the_source(installed: Path) -> None:
    (metadata,) = installed.glob("*.dist-info/METADATA")
    assert f"\nVersion: {VERSION}\n" in metadata.read_text(encoding="utf-8")
    said, complained = run(installed, "--version").communicate(timeout=60)
    assert (said, complained) == (f"Palmhouse {VERSION}\n", "")


def test_a_task_runs_without_the_repository(installed: Path) -> None:
    said, complained = run(installed, "policy").communicate(timeout=60)
    assert "Privacy" in said, complained


def test_the_doctor_knows_which_libraries_are_needed_without_the_repository(installed: Path) -> None:
    said, complained = run(installed, "doctor").communicate(timeout=60)
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    assert f"✓ libraries    {len(needed)}, each" in said, complained


def test_the_bot_plays_on_its_sandbox_without_the_repository(installed: Path) -> None:
    with run(installed, "--sandbox") as bot:
        assert bot.stderr is not None
        assert any("ready as" in line for line in bot.stderr), "it has ended"
        bot.send_signal(signal.SIGINT)
        said, complained = bot.communicate(timeout=60)
        assert "in your browser" in said
        assert "Traceback" not in complained
        assert bot.returncode == 0, complained
