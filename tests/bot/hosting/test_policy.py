"""`python -m bot policy`: it says what the database stores."""

import sys
from pathlib import Path
from subprocess import run

import pytest

from bot.hosting.policy import policy
from bot.store import TABLES

ROOT = Path(__file__).parents[3]


def test_the_policy_has_a_line_for_every_personal_column() -> None:
    lines = policy().splitlines()
    for name, table in TABLES.items():
        assert any(line.startswith(f"### `{name}`") for line in lines) == bool(table.personal())
        for column, declared in table.personal().items():
            expected = f"| `{column}` | {declared.purpose} | {declared.kept} | {declared.erasing.value} |"
            assert expected in lines


def test_the_policy_in_the_docs_is_the_present_one() -> None:
    written = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    assert written == policy() + "\n", "run `python -m bot policy > docs/privacy.md`"


@pytest.mark.parametrize("url", ["", "postgresql://palmhouse@localhost/palmhouse"])
def test_the_command_prints_privacy_and_terms(url: str, tmp_path: Path) -> None:
    command = (sys.executable, "-m", "bot", "policy")
    environment = {"PYTHONPATH": str(ROOT)} | ({"DATABASE_URL": url} if url else {})
    printed = run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert printed.stdout == policy(server=bool(url)) + "\n"
    assert printed.stdout.startswith("# Privacy\n")
    assert "\n# Terms\n" in printed.stdout
    assert ("every night" in printed.stdout) == (not url), "the bot copies a file, but not a server"
    assert not any(tmp_path.iterdir())
