"""`python -m bot policy`: it says what the database stores."""

from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from bot.hosting.policy import policy
from bot.store import TABLES
from tests.bot.test_start import begin

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
async def test_the_command_prints_privacy_and_terms(url: str, tmp_path: Path) -> None:
    process = await begin(tmp_path, "policy", stdout=PIPE, **({"DATABASE_URL": url} if url else {}))
    printed = (await process.communicate())[0].decode()
    assert printed == policy(server=bool(url)) + "\n"
    assert printed.startswith("# Privacy\n")
    assert "\n# Terms\n" in printed
    assert ("every night" in printed) == (not url), "the bot copies a file, but not a server"
    assert not any(tmp_path.iterdir())
