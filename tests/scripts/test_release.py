"""`make release`: refuses with a sentence and changes nothing, or makes one commit and one tag that hold together.

The script is run as it is, in the repository of a small project with the same files. tests/test_package.py installs and
starts the real package.
"""

import os
import runpy
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
CHANGELOG = """# Changelog

## 1.1.0, not yet released

### For hosts
1. Run `python -m bot recount`.

### Playing
- A new game.

## 1.0.0, 2026-01-01

The first table.
"""
BOT = """
import signal, sys
from bot.version import VERSION

def main():
    if "--version" in sys.argv:
        print(f"Palmhouse {VERSION}")
    elif "--sandbox" in sys.argv:
        signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
        print("ready as Palmhouse", file=sys.stderr, flush=True)
        signal.pause()
    return 0
"""
PROJECT = """
[project]
name = "palmhouse"
dynamic = ["version"]
requires-python = ">=3.11"
[project.scripts]
palmhouse = "bot.__main__:main"
[build-system]
requires = ["hatchling >=1.27,<2"]
build-backend = "hatchling.build"
[tool.hatch.version]
path = "bot/version.py"
[tool.hatch.build.targets.wheel]
packages = ["bot"]
"""
STORED = """
from pathlib import Path
from bot.version import VERSION
(folder := Path(__file__).parent / VERSION).mkdir()
(folder / "facts.txt").write_text("It is stored.")
"""
FILES = {
    "CHANGELOG.md": CHANGELOG,
    "Makefile": "check:\n\t@echo All is well.\n",
    "bot/__init__.py": "",
    "bot/__main__.py": BOT,
    "bot/version.py": 'VERSION = "1.0.0"\n',
    "pyproject.toml": PROJECT,
    "requirements.txt": "",
    "tests/stored/__main__.py": STORED,
    ".gitignore": "/dist/\n__pycache__/\n",
}
AUTHOR = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Alice"), ("EMAIL", "alice@example.com"))
}
SETTINGS = {**os.environ, **AUTHOR, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def git(project: Path, *arguments: str) -> str:
    done = subprocess.run(
        ("git", *arguments), cwd=project, env=SETTINGS, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(project: Path, files: Mapping[str, str]) -> None:
    """Write and commit files."""
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "project: change")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The repository of a small project with one release, and one to come."""
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    script = (ROOT / "scripts" / "release.py").read_text(encoding="utf-8")
    commit(folder, {**FILES, "scripts/release.py": script})
    git(folder, "tag", "v1.0.0")
    return folder


def state(project: Path) -> tuple[str, ...]:
    """Return everything that a release changes."""
    commands = ("log --all --format=%H", "tag", "status --porcelain", "worktree list", "branch --all")
    return *(git(project, *command.split()) for command in commands), str((project / "dist").exists())


def released(project: Path, *arguments: str) -> tuple[int, str, str]:
    """Run the script. Return status, output and error output."""
    script = (sys.executable, "scripts/release.py", *arguments)
    done = subprocess.run(script, cwd=project, env=SETTINGS, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def assert_refused(project: Path, sentence: str, *arguments: str) -> None:
    before = state(project)
    status, _, complaint = released(project, *arguments)
    assert status == 1
    assert "Nothing was released. " in complaint
    assert sentence in complaint
    assert state(project) == before


def test_the_target_names_the_script() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "scripts/release.py $(VERSION) $(if $(CHECKED),--checked) $(if $(DRY),--dry-run)" in makefile


@pytest.mark.parametrize("version", ["", "1.1", "v1.1.0", "1.1.0rc1", "1.01.0", "1.1.0\n"])
def test_a_version_has_three_numbers(project: Path, version: str) -> None:
    assert_refused(project, "Name a version of three numbers", version)


@pytest.mark.parametrize("version", ["0.9.0", "1.0.0"])
def test_a_version_is_newer_than_all_tags(project: Path, version: str) -> None:
    assert_refused(project, f"Version {version} is not newer than 1.0.0", version)


def test_a_version_is_not_older_than_the_source(project: Path) -> None:
    commit(project, {"bot/version.py": 'VERSION = "2.0.0"\n'})
    assert_refused(project, "Version 1.1.0 is older than 2.0.0 in bot/version.py.", "1.1.0")


def test_changes_that_are_not_committed_are_refused(project: Path) -> None:
    (project / "forgotten.py").write_text("", encoding="utf-8")
    assert_refused(project, "There are changes that are not committed.", "1.1.0")


def test_another_branch_is_refused(project: Path) -> None:
    git(project, "switch", "--quiet", "--create", "other")
    assert_refused(project, "The branch is other.", "1.1.0")


def test_a_version_without_a_section_is_refused(project: Path) -> None:
    assert_refused(project, 'does not begin with the section "## 1.2.0, not yet released"', "1.2.0")


@pytest.mark.parametrize("part", ["", "### For hosts\n\n", "### For hosts of sandboxes\nNothing to do.\n"])
def test_a_section_without_a_word_for_hosts_is_refused(project: Path, part: str) -> None:
    text = CHANGELOG.replace("### For hosts\n1. Run `python -m bot recount`.\n", part)
    commit(project, {"CHANGELOG.md": text})
    assert_refused(project, 'lacks "### For hosts", or has nothing below it', "1.1.0")


def test_a_failed_check_is_refused(project: Path) -> None:
    commit(project, {"Makefile": "check:\n\t@exit 3\n"})
    assert_refused(project, "`make check` failed.", "1.1.0")


def test_a_branch_that_changes_meanwhile_is_refused(project: Path) -> None:
    base = git(project, "rev-parse", "main")
    commit(project, {"README.md": "It goes on.\n"})
    before = state(project)
    script = runpy.run_path(str(project / "scripts" / "release.py"))
    with pytest.raises(script["Refused"], match=r"main has changed meanwhile. Run it again\."):
        script["publish"](base, base, "1.1.0", "Notes")
    assert state(project) == before


def test_a_package_that_cannot_be_built_is_refused(project: Path) -> None:
    commit(project, {"pyproject.toml": PROJECT.replace("[project]", "[broken")})
    assert_refused(project, "hatchling build", "1.1.0", "--checked")


@pytest.mark.parametrize("act", ["exit 3", "echo Traceback >&2", "echo ready as me >&2; kill -9 $$"])
def test_a_bot_that_does_not_start_is_refused(tmp_path: Path, act: str) -> None:
    palmhouse = tmp_path / "palmhouse"
    palmhouse.write_text(f"#!/bin/sh\n{act}\n", encoding="utf-8")
    palmhouse.chmod(0o700)
    script = runpy.run_path(str(ROOT / "scripts" / "release.py"))
    with pytest.raises(script["Refused"], match="does not start on its sandbox, or does not stop"):
        script["start_on_sandbox"](str(palmhouse), tmp_path)


def test_a_dry_run_tries_everything_and_changes_nothing(project: Path) -> None:
    before = state(project)
    status, said, complaint = released(project, "1.1.0", "--dry-run")
    assert (status, "Version 1.1.0 can be released." in said) == (0, True), complaint
    assert state(project)[1:] == before[1:]


def test_a_release_is_a_commit_a_tag_with_the_notes_and_two_packages(project: Path) -> None:
    before = git(project, "rev-parse", "main")
    status, said, complaint = released(project, "1.1.0")
    assert (status, "All is well." in said) == (0, True), complaint
    assert said.endswith("git push --atomic origin main v1.1.0\n")
    assert git(project, "rev-parse", "main~1") == before
    assert git(project, "rev-parse", "v1.1.0^{commit}") == git(project, "rev-parse", "main")
    assert git(project, "log", "-1", "--format=%s") == "release: version 1.1.0"
    assert git(project, "status", "--porcelain") == ""
    assert (project / "tests/stored/1.1.0/facts.txt").exists(), "what later versions must read"
    assert (project / "bot/version.py").read_text(encoding="utf-8") == 'VERSION = "1.1.0"\n'
    heading = f"## 1.1.0, {datetime.now(UTC).date()}"
    changelog = CHANGELOG.replace("## 1.1.0, not yet released", heading)
    assert (project / "CHANGELOG.md").read_text(encoding="utf-8") == changelog
    notes = git(project, "tag", "--list", "--format=%(contents)", "v1.1.0")
    assert notes.startswith("Palmhouse 1.1.0\n\n### For hosts\n1. Run")
    assert notes.endswith("- A new game.")
    packages = sorted(path.name for path in (project / "dist").iterdir())
    assert packages == ["palmhouse-1.1.0-py3-none-any.whl", "palmhouse-1.1.0.tar.gz"]
    assert_refused(project, "Version 1.1.0 is not newer than 1.1.0", "1.1.0")
