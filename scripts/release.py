"""Release a version: `scripts/release.py VERSION [--checked] [--dry-run]`, as `make release VERSION=1.2.3` runs it.

The new commit is made, built and tried in a temporary worktree. Branch and tag are changed last, so a release that
fails on the way leaves everything as it was. Nothing is pushed.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer

ROOT = Path(__file__).parent.parent
BRANCH = "main"
PENDING = "not yet released"
START_TIMEOUT = 120
"""Seconds that the installed bot may take to start on its sandbox, and to stop."""


class Refused(Exception):
    """Nothing was released. `str()` says why and what to do."""


def main(arguments: list[str]) -> int:
    """Release a version, and return the exit status."""
    parser = ArgumentParser(
        prog="scripts/release.py", description="Check, build, try, commit and tag a version."
    )
    parser.add_argument("version", nargs="?", default="", help="such as 1.2.3")
    parser.add_argument("--checked", action="store_true", help="`make check` has passed for this commit")
    parser.add_argument("--dry-run", action="store_true", help="do everything except commit and tag")
    try:
        release(parser.parse_args(arguments))
    except Refused as refusal:
        print(f"Nothing was released. {refusal}", file=sys.stderr)
        return 1
    return 0


def release(wanted: Namespace) -> None:
    """Release a version. Raises Refused."""
    version = wanted.version
    base = clean_commit()
    check_version(version)
    notes = release_notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    if not wanted.checked:
        print("Running make check.", flush=True)
        failure = "`make check` failed. Correct what it shows."
        run("make", "check", "--no-print-directory", failure=failure, quiet=False)
    with worktree(base) as (tree, folder):
        commit = commit_version(tree, version)
        print("Building the package.", flush=True)
        packages = build(tree, folder)
        print("Trying it in a clean environment.", flush=True)
        try_package(packages[-1], tree / "requirements.txt", version, folder)
        if wanted.dry_run:
            print(f"Version {version} can be released.")
            return
        publish(base, commit, version, notes)
        for package in packages:
            (ROOT / "dist").mkdir(exist_ok=True)
            shutil.copy(package, ROOT / "dist")
    print(f"Version {version} is committed and tagged, its packages are in dist/. To publish it:")
    print(f"    git push --atomic origin {BRANCH} v{version}")


# What must be true before


def clean_commit() -> str:
    """Return the present commit. Raises Refused unless all changes are committed, on the branch of releases."""
    if run("git", "status", "--porcelain"):
        raise Refused(
            "There are changes that are not committed. Commit or remove them: `git status` lists them."
        )
    if (branch := run("git", "branch", "--show-current")) != BRANCH:
        raise Refused(f"The branch is {branch or 'none'}. Releases are made on {BRANCH}.")
    return run("git", "rev-parse", "HEAD")


def check_version(version: str) -> None:
    """Raise Refused unless the version is well-formed and newer than all before."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", version):
        raise Refused("Name a version of three numbers: make release VERSION=1.2.3.")
    tags = [
        tag[1:] for tag in run("git", "tag", "--list", "v*").split() if re.fullmatch(r"v\d+\.\d+\.\d+", tag)
    ]
    newest = max(tags, key=numbers, default=None)
    if newest is not None and numbers(version) <= numbers(newest):
        raise Refused(f"Version {version} is not newer than {newest}, the newest tag.")
    if numbers(version) < numbers(present := present_version(ROOT)):
        raise Refused(f"Version {version} is older than {present} in bot/version.py.")


def numbers(version: str) -> list[int]:
    """Return the numbers of a version, for comparisons."""
    return [int(number) for number in version.split(".")]


def release_notes(changelog: str, version: str) -> str:
    """Return the section of a version that is not yet released. Raises Refused when it is not there or incomplete."""
    heading, _, section = changelog.partition("\n## ")[2].partition("\n")
    if heading != f"{version}, {PENDING}":
        raise Refused(
            f'CHANGELOG.md does not begin with the section "## {version}, {PENDING}", but with "## {heading}".'
        )
    notes = section.partition("\n## ")[0].strip()
    hosts = notes.partition("### For hosts\n")[2].partition("\n###")[0]
    if not hosts.strip():
        raise Refused(
            f'In CHANGELOG.md the section of {version} lacks "### For hosts", or has nothing below it. Write what a '
            'host must do, in order, or "Nothing to do."'
        )
    return notes


# The new commit


@contextmanager
def worktree(commit: str) -> Iterator[tuple[Path, Path]]:
    """Check a commit out into a temporary worktree. Yields it, and the folder that holds it."""
    with TemporaryDirectory(prefix="palmhouse-release-") as folder:
        tree = Path(folder) / "tree"
        run("git", "worktree", "add", "--quiet", "--detach", str(tree), commit)
        try:
            yield tree, Path(folder)
        finally:
            run("git", "worktree", "remove", "--force", str(tree))


def present_version(tree: Path) -> str:
    """Return the version in the source."""
    (version,) = re.findall(
        r'^VERSION = "(.+)"$', (tree / "bot/version.py").read_text(encoding="utf-8"), re.MULTILINE
    )
    return str(version)


def commit_version(tree: Path, version: str) -> str:
    """Write version, stored database and date into the files, commit them, and return the commit."""
    replace(tree / "bot/version.py", f'VERSION = "{present_version(tree)}"', f'VERSION = "{version}"')
    run(sys.executable, "-m", "tests.stored", cwd=tree)
    today = datetime.now(UTC).date()
    replace(tree / "CHANGELOG.md", f"## {version}, {PENDING}", f"## {version}, {today}")
    run("git", "add", "--all", cwd=tree)
    run("git", "commit", "--quiet", "--message", f"release: version {version}", cwd=tree)
    return run("git", "rev-parse", "HEAD", cwd=tree)


def replace(path: Path, old: str, new: str) -> None:
    """Replace the first occurrence of a text in a file."""
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")


def publish(base: str, commit: str, version: str, notes: str) -> None:
    """Tag the commit, and move the branch from `base` to it. Raises Refused, with everything as it was."""
    if clean_commit() != base:
        raise Refused(f"{BRANCH} has changed meanwhile. Run it again.")
    tag = f"v{version}"
    message = f"Palmhouse {version}\n\n{notes}\n"
    # By default git drops lines with "#" from a message: the headings.
    run("git", "tag", "--annotate", "--cleanup=whitespace", "--file=-", tag, commit, given=message)
    try:
        run("git", "merge", "--quiet", "--ff-only", commit)
    except BaseException:
        run("git", "tag", "--delete", tag)
        raise


# The package


def build(tree: Path, folder: Path) -> list[Path]:
    """Build the source package, and from its files the wheel. Return their paths, the wheel last."""
    hatchling = (sys.executable, "-m", "hatchling", "build", "--directory", str(folder), "--target")
    run(*hatchling, "sdist", cwd=tree)
    (sdist,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(sdist, folder / "source", filter="data")
    (source,) = (folder / "source").iterdir()
    run(*hatchling, "wheel", cwd=source)
    (wheel,) = folder.glob("*.whl")
    return [sdist, wheel]


def try_package(wheel: Path, requirements: Path, version: str, folder: Path) -> None:
    """Install a wheel with the pinned packages into a clean environment, and start it there. Raises Refused."""
    binaries = folder / "environment" / "bin"
    run(sys.executable, "-m", "venv", str(binaries.parent))
    install = (
        str(binaries / "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
    )
    run(*install, "--require-hashes", "--requirement", str(requirements))
    run(*install, "--no-deps", str(wheel))
    (empty := folder / "empty").mkdir()
    palmhouse = str(binaries / "palmhouse")
    if (said := run(palmhouse, "--version", cwd=empty)) != f"Palmhouse {version}":
        raise Refused(f"The installed package says that it is {said!r}.")
    run(palmhouse, "--help", cwd=empty)
    start_on_sandbox(palmhouse, empty)


def start_on_sandbox(palmhouse: str, folder: Path) -> None:
    """Start the bot on a sandbox of its own, and stop it once it is ready. Raises Refused."""
    settings = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = (palmhouse, "--sandbox")
    nowhere, pipe = subprocess.DEVNULL, subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, env=settings, stdout=nowhere, stderr=pipe, text=True) as bot:
        deadline = Timer(START_TIMEOUT, bot.kill)
        deadline.start()
        assert bot.stderr is not None
        log = []
        for line in bot.stderr:
            log.append(line)
            if "ready as" in line:
                bot.send_signal(signal.SIGINT)
        deadline.cancel()
    if bot.returncode != 0 or "Traceback" in "".join(log):
        raise Refused(f"The installed bot does not start on its sandbox, or does not stop:\n{''.join(log)}")


def run(
    *command: str, cwd: Path = ROOT, failure: str | None = None, quiet: bool = True, given: str | None = None
) -> str:
    """Run a command and return its output. Raises Refused when it fails."""
    output = subprocess.PIPE if quiet else None
    done = subprocess.run(command, cwd=cwd, stdout=output, stderr=output, input=given, text=True)
    if done.returncode != 0:
        reason = failure or f"This command failed: {' '.join(command)}"
        raise Refused("\n".join(filter(None, (reason, done.stderr))))
    return (done.stdout or "").strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
