"""Compare pinned packages with known vulnerabilities: `scripts/audit.py PIP_AUDIT REQUIREMENTS ...`.

`make audit` runs it. It ends with status 0 only when every package was compared and none has a known vulnerability.
pip-audit itself also ends with 0 when the service knows nothing of a package.
"""

import json
import subprocess
import sys
from typing import Any

REMEDY = (
    "Delete the lines of these packages from requirements*.txt and run `make lock`: it takes the newest versions that "
    "pyproject.toml allows."
)


def main(command: str, files: list[str]) -> int:
    """Print the result, and return the exit status."""
    packages = audit(command, files)
    if isinstance(packages, str):
        print(
            f"The audit was not done. Check the network and run it again. pip-audit: {packages}",
            file=sys.stderr,
        )
        return 1
    found = [line for package in packages.values() for line in vulnerabilities(package)]
    skipped = [name for name, package in packages.items() if "skip_reason" in package]
    print(*found, sep="\n", end="\n" if found else "")
    if found:
        print(f"Known vulnerabilities: {len(found)}. {REMEDY}", file=sys.stderr)
    if skipped:
        print(
            f"The audit is not complete: the service has no data on {len(skipped)} of {len(packages)} packages: "
            f"{', '.join(skipped)}.",
            file=sys.stderr,
        )
    if not found and not skipped:
        print(f"None of the {len(packages)} packages has a known vulnerability.")
    return 1 if found or skipped else 0


def audit(command: str, files: list[str]) -> dict[str, Any] | str:
    """Run pip-audit. Return its results by package, or the reason why there are none."""
    options = ("--require-hashes", "--disable-pip", "--progress-spinner", "off", "--format", "json")
    named = [argument for file in files for argument in ("--requirement", file)]
    done = subprocess.run((command, *options, "--desc", "off", *named), capture_output=True, text=True)
    try:
        return {package["name"]: package for package in json.loads(done.stdout)["dependencies"]}
    except (ValueError, KeyError, TypeError):
        lines = done.stderr.strip().splitlines()
        return lines[-1] if lines else f"it ended with status {done.returncode}"


def vulnerabilities(package: dict[str, Any]) -> list[str]:
    """Return a line for each known vulnerability of a package."""
    return [
        f"{package['name']} {package['version']}: {', '.join([found['id'], *found.get('aliases', ())])}; "
        + (
            f"corrected in {', '.join(found['fix_versions'])}"
            if found["fix_versions"]
            else "not corrected yet"
        )
        for found in package.get("vulns", ())
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
