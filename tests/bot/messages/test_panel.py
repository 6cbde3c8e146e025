"""The texts of a panel as they are sent, wherever it is shown."""

import pytest

from bot.messages.custom_ids import CustomId
from bot.messages.panel import MOST_TEXT, Panel, beside, box, button, text

NO_BREAK, JOINED = "\u00a0", "\u2060"


@pytest.mark.parametrize(
    ("said", "sent"),
    [
        ("Ben beats 🤖 Moss.", f"Ben beats 🤖{NO_BREAK}Moss."),
        ("Ben plays 🌴P3 + 🕶️S4.", f"Ben plays 🌴{JOINED}P3 + 🕶️{JOINED}S4."),
        ("🤖 Moss\n🌴P3", "🤖 Moss\n🌴P3"),
        ("👋🏽, ♥K, 🌴, 🌴", "👋🏽, ♥K, 🌴, 🌴"),
    ],
)
def test_no_line_ends_between_a_sign_and_what_it_belongs_to(said: str, sent: str) -> None:
    other = beside(said, button("Go", CustomId("go", 1)))
    panel = Panel(text(said), box(text(said)), other)
    assert panel.texts() == sent
    for _ in range(2):
        assert str(panel.payload()).count(repr(sent)) == 3


def test_a_message_that_would_become_too_long_is_sent_as_it_is() -> None:
    long = "x🌴P3" * (MOST_TEXT // 4)
    assert Panel(text(long)).texts() == long
