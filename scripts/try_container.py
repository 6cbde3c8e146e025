"""Execute the steps of the Containerfile without a container engine, as root on Linux, and run the result.

    debootstrap --variant=minbase --include=python3-venv,python3-pip,ca-certificates bookworm base
    ln -s python3 base/usr/bin/python
    rm base/usr/lib/python3.11/EXTERNALLY-MANAGED
    python scripts/try_container.py base image           # build: about a minute
    python scripts/try_container.py base image --sandbox # run the bot with these arguments

`base` stands for the image that FROM names. The bot runs as the user of the Containerfile, without capabilities, in
namespaces of its own. Its root is read-only but for the volume, the folder `image.volume`, which stays.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent.parent
PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass
class Stage:
    """A root folder, and what the instructions say about processes in it."""

    root: Path
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": PATH})
    folder: str = "/"
    user: str = "0:0"
    volume: str = ""
    command: tuple[str, ...] = ()


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the arguments of each instruction of a Containerfile."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            name, _, arguments = line.partition(" ")
            yield name, arguments.strip()


def build(base: Path, image: Path) -> Stage:
    """Execute all instructions. The last stage is the folder `image`, earlier ones lie beside it."""
    stages: dict[str, Stage] = {}
    stage = Stage(base)
    for name, arguments in instructions((HERE / "Containerfile").read_text(encoding="utf-8")):
        print(name, arguments)
        if name == "FROM":
            _, _, alias = arguments.partition(" AS ")
            stage = Stage(image.with_name(f"{image.name}.{alias}") if alias else image)
            stages[alias] = stage
            _copy_root(base, stage.root)
        else:
            _execute(stage, name, arguments, stages)
    return stage


def described(image: Path) -> Stage:
    """Return the last stage as the Containerfile describes it, without executing anything."""
    stage = Stage(image)
    for name, arguments in instructions((HERE / "Containerfile").read_text(encoding="utf-8")):
        if name == "FROM":
            stage = Stage(image)
        elif name not in ("RUN", "COPY"):
            _execute(stage, name, arguments, {})
    return stage


def _copy_root(base: Path, root: Path) -> None:
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(("cp", "-a", "--reflink=auto", base, root), check=True)


def _execute(stage: Stage, name: str, arguments: str, stages: dict[str, Stage]) -> None:
    match name:
        case "RUN":
            _run(stage, "/bin/sh", "-c", arguments)
        case "COPY":
            _copy(stage, shlex.split(arguments), stages)
        case "ENV":
            for pair in shlex.split(arguments.replace("$PATH", stage.environment["PATH"])):
                key, _, value = pair.partition("=")
                stage.environment[key] = value
        case "WORKDIR":
            stage.folder = arguments
            (stage.root / arguments.lstrip("/")).mkdir(parents=True, exist_ok=True)
        case "USER":
            stage.user = arguments
        case "VOLUME":
            stage.volume = arguments
        case "ENTRYPOINT":
            stage.command = tuple(word.strip(' "') for word in arguments.strip("[]").split(","))
        case "STOPSIGNAL" | "HEALTHCHECK":
            pass
        case _:
            raise ValueError(f"This script does not know the instruction {name}.")


def _run(stage: Stage, *command: str) -> None:
    inside = ("sh", "-c", 'cd "$0" && exec "$@"', stage.folder, *command)
    subprocess.run(("chroot", stage.root, *inside), env=stage.environment, check=True)


def _copy(stage: Stage, words: list[str], stages: dict[str, Stage]) -> None:
    source = HERE
    if words[0].startswith("--from="):
        source = stages[words.pop(0).removeprefix("--from=")].root
    *names, target = words
    for name in names:
        there = source / name.lstrip("/")
        if source == HERE and not _is_in_context(name):
            raise ValueError(f"{name} is not in the build context: see .dockerignore.")
        to = stage.root / str(Path(stage.folder) / target).lstrip("/")
        if there.is_dir():
            ignored = shutil.ignore_patterns("__pycache__") if source == HERE else None
            shutil.copytree(there, to, symlinks=True, ignore=ignored, dirs_exist_ok=True)
        else:
            shutil.copy2(there, to / there.name if to.is_dir() else to)


def _is_in_context(name: str) -> bool:
    lines = (HERE / ".dockerignore").read_text(encoding="utf-8").splitlines()
    return any(fnmatch(name.rstrip("/"), line[1:]) for line in lines if line.startswith("!"))


ISOLATED: Final = """
set -e
mount --bind "$ROOT" "$ROOT"
mount --bind "$VOLUME" "$ROOT$INSIDE"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs -o mode=755,size=64k tmpfs "$ROOT/dev"
for device in null urandom; do touch "$ROOT/dev/$device"; mount --bind "/dev/$device" "$ROOT/dev/$device"; done
mount -o remount,bind,ro "$ROOT"
exec setpriv --no-new-privs --bounding-set=-all,+sys_chroot,+setuid,+setgid --inh-caps=-all -- \
    chroot --userspec="$USERSPEC" --groups="" "$ROOT" /usr/bin/env -i "$@"
"""


def run(stage: Stage, arguments: list[str]) -> int:
    """Run the bot in the image. Return its exit status."""
    volume = stage.root.with_name(f"{stage.root.name}.volume")
    if not volume.exists():
        volume.mkdir(mode=0o700)
        os.chown(volume, *map(int, stage.user.split(":")))
    environment = [f"{key}={value}" for key, value in stage.environment.items()]
    inside = ("sh", "-c", 'cd "$0" && exec "$@"', stage.folder, *stage.command, *arguments)
    settings = {"ROOT": stage.root, "VOLUME": volume, "INSIDE": stage.volume, "USERSPEC": stage.user}
    apart = ("unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child")
    return subprocess.run(
        (*apart, "sh", "-c", ISOLATED, "sh", *environment, *inside),
        env=os.environ | {key: str(value) for key, value in settings.items()},
        check=False,
    ).returncode


def main() -> int:
    """Build, or run what is built."""
    base, image, *arguments = sys.argv[1:]
    folder = Path(image).resolve()
    if not arguments:
        build(Path(base).resolve(), folder)
        return 0
    return run(described(folder), arguments)


if __name__ == "__main__":
    sys.exit(main())
