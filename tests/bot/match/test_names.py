"""A name is printed in sentences, in bold and in code blocks; none may break out of any of them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.match.names import LONGEST, distinct_names, safe, seat_names
from bot.match.state import Player
from games import GAMES
from games.letters import END_OF_ISOLATE, ISOLATE
from games.phrases import short


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
        ("\u2800\u3164", "Someone"),
        ("", "Someone"),
        ("x" * 40, "x" * LONGEST),
        ("e\u0301", "é"),
        ("Z" + "\u0335" * 9 + "o", "Z\u0335\u0335o"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("a\u200db", "ab"),
        ("می\u200cخواهم", "\u2068می\u200cخواهم\u2069"),
        ("x" * 18 + "श्री", "x" * 18),
        ("\u202eעלי", "\u2068עלי\u2069"),
    ],
)
def test_a_name_is_printed_without_markdown_and_hidden_characters(name: str, printed: str) -> None:
    assert safe(name) == printed


ANY = st.text(max_size=60) | st.text("aéश्ीسلام\u200c\u200d\u0301👩❤\ufe0f 🇩-", max_size=60)


@given(ANY)
def test_no_name_holds_markdown_mentions_line_breaks_or_invisible_marks(name: str) -> None:
    printed = safe(name)
    if ISOLATE in printed:
        assert (printed[0], printed[-1], printed.count(ISOLATE)) == (ISOLATE, END_OF_ISOLATE, 1)
    assert 1 <= len(printed.strip(ISOLATE + END_OF_ISOLATE)) <= LONGEST
    assert not set(printed) & set("*_`~|<>@#:[]()\\\n\r\u202e\u2066")


@given(ANY)
@example("\u094d\u0300\u200cA")
def test_making_a_safe_name_safe_changes_nothing(name: str) -> None:
    assert safe(safe(name)) == safe(name)


def test_only_names_of_computers_and_kept_seats_begin_with_the_mark() -> None:
    players = [
        Player(1, "🤖 Fern"),
        Player(2, "Fern", "steady"),
        Player(0, "🤖 Fern", "sharp"),
        Player(3, "🤖"),
    ]
    assert seat_names(players) == ["Fern", "🤖 Fern (2)", "🤖 Fern (3)", "Someone"]


@pytest.mark.parametrize("before", ["-", "\u200b", "🤖\ufe0f", "🤖\u200d", ". 🤖 - "])
def test_nobody_gets_the_mark_by_a_character_before_it_that_is_not_shown(before: str) -> None:
    assert seat_names([Player(1, f"{before}🤖 Fern")]) == ["Fern"]


def test_equal_names_get_numbers_from_the_second_on() -> None:
    assert distinct_names(["Alex", "Ben", "Alex", "Alex"]) == ["Alex", "Ben", "Alex (2)", "Alex (3)"]


def test_nobody_is_called_what_a_table_calls_its_reader() -> None:
    names = seat_names([Player(1, "Ann"), Player(2, "You")])
    assert names == ["Ann", "You (2)"]
    game = GAMES["liars-dice"]
    state, events = game.new(game.Options(), 2, "seed1")
    for action in (max(game.legal(state, state.turn)), game.parse("doubt")):
        events = game.apply(state, state.turn, action)
    assert "You (2) loses a die" in game.words.narrate(events[0], names)


@pytest.mark.parametrize(
    ("name", "length", "printed"),
    [
        ("Maximiliana", 6, "Maxim…"),
        ("Maximiliana (2)", 10, "Maxim… (2)"),
        ("\u2068محمد علي\u2069", 8, "\u2068محمد علي\u2069"),
        ("\u2068محمد علي\u2069 (2)", 8, "\u2068محم…\u2069 (2)"),
        ("xxश्री", 4, "xx…"),
    ],
)
def test_a_shortened_name_keeps_its_number_whole_letters_and_its_direction(
    name: str, length: int, printed: str
) -> None:
    assert short(name, length) == printed
