"""The file system on which a path lies, and whether it suits a database. Formats: proc_pid_mountinfo(5)."""

import re
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Final, NamedTuple

MOUNTS: Final = Path("/proc/self/mountinfo")

NETWORK: Final = frozenset(
    (
        *(
            "9p",
            "afs",
            "beegfs",
            "ceph",
            "cifs",
            "glusterfs",
            "lustre",
            "ncpfs",
            "nfs",
            "nfs4",
            "smb3",
            "smbfs",
        ),
        *(
            "fuse.ceph",
            "fuse.davfs",
            "fuse.gcsfuse",
            "fuse.glusterfs",
            "fuse.rclone",
            "fuse.s3fs",
            "fuse.sshfs",
        ),
    )
)
"""Types of file systems on other machines. SQLite's locks may fail on them."""
OF_CONTAINER: Final = frozenset(("aufs", "overlay"))
"""Types of the file systems of containers themselves, which are deleted with the container."""
IN_MEMORY: Final = frozenset(("ramfs", "tmpfs"))

HOSTS: Final = {
    "DYNO": "Heroku",
    "FLY_APP_NAME": "Fly.io",
    "RAILWAY_ENVIRONMENT_NAME": "Railway",
    "RENDER": "Render",
}
"""Hosts whose own disk is emptied at each start, by an environment variable that each sets. All but Heroku offer disks
that last, mounted at a path of their own."""


class Mount(NamedTuple):
    """A mounted file system."""

    point: str
    """Path at which it is mounted."""
    type: str
    """The system's name of its type: "ext4"."""


def mount_of(path: Path, mounts: Path = MOUNTS) -> Mount | None:
    """Return the file system on which a path lies, or will lie; None where the system does not tell."""
    try:
        return find(mounts.read_text(encoding="utf-8", errors="surrogateescape"), path.resolve())
    except (OSError, RuntimeError):  # the latter is of links in a circle
        return None


def find(mountinfo: str, path: PurePath) -> Mount | None:
    """Return the file system of an absolute path from the text of a mountinfo file."""
    mounts = [mount for line in mountinfo.splitlines() if (mount := _mount(line))]
    around = [mount for mount in mounts if path.is_relative_to(mount.point)]
    # Of several at one point, only the last one is seen.
    return max(reversed(around), key=lambda mount: len(mount.point), default=None)


def _mount(line: str) -> Mount | None:
    before, _, after = line.partition(" - ")
    fields = before.split(" ")
    if len(fields) < 5 or not after:
        return None
    point = re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), fields[4])
    return Mount(point, after.split(" ")[0])


def loss(mount: Mount | None, environment: Mapping[str, str]) -> str | None:
    """Return a sentence about when everything on the file system is lost; None when it lasts or nothing is known."""
    host = next((name for variable, name in HOSTS.items() if environment.get(variable)), None)
    is_own_disk = mount is None or mount.point == "/"
    if host == "Heroku" or (host is not None and is_own_disk):
        return f"{host} empties this disk at each start"
    if mount is not None and mount.type in OF_CONTAINER:
        return f"it lies in the container itself ({mount.type}), and is deleted with it"
    if mount is not None and mount.type in IN_MEMORY:
        return f"it lies in memory ({mount.type}), which is empty after each start of the machine"
    return None
