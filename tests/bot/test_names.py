"""A name is printed in sentences, in bold and in code blocks; none may break out of any of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.names import LONGEST, safe


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("Alice", "Alice"),
        ("  Ann   Lee\n", "Ann Lee"),
        ("**Ben**", "∗∗Ben∗∗"),
        ("<@123>", "‹＠123›"),
        ("\u202eevil", "evil"),
        ("- Cleo", "Cleo"),
        ("https://x.example", "https：//x.example"),
        ("\u200b\u200d", "Someone"),
        ("", "Someone"),
        ("x" * 40, "x" * LONGEST),
    ],
)
def test_a_name_is_printed_as_what_it_looks_like(name: str, printed: str) -> None:
    assert safe(name) == printed


@given(st.text(max_size=60))
def test_no_name_holds_markdown_mentions_line_breaks_or_invisible_marks(name: str) -> None:
    printed = safe(name)
    assert 1 <= len(printed) <= LONGEST
    assert not set(printed) & set("*_`~|<>@#:[]()\\\n\r\u202e\u2066")


@given(st.text(max_size=60))
def test_making_a_safe_name_safe_changes_nothing(name: str) -> None:
    assert safe(safe(name)) == safe(name)
