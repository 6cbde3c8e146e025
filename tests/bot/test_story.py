"""How what happened in public is cut into pages, a message each."""

from collections.abc import Sequence

from bot.match.pages import MOST_LINES, MOST_TOLD, Item, Pages, lines
from games import Event
from tests.toy.rules import HighCard, Shown

NAMES = ("Alice", "Ben")


class ByTrick(HighCard):
    """The toy, with a record for each trick."""

    def closes(self, event: Event) -> bool:
        return isinstance(event, Shown)


class Quick(HighCard):
    """The toy, if it were played in real time."""

    real_time = True


def shown(*cards: int) -> Event:
    return Shown(cards=cards)


def told(story: Pages, n: int, *items: Event | str) -> None:
    """Add what entry `n` has brought."""
    story.add([Item(n, each) if isinstance(each, Event) else Item(n, line=each) for each in items], seats=2)


def cut(story: Pages) -> Sequence[tuple[int, int, bool]]:
    """Of each page: the number of its first item, how many there are, and whether it is closed."""
    return [(page.first, len(page.items), page.closed) for page in story.pages]


def test_a_page_ends_with_its_round_and_the_next_one_begins_with_what_follows() -> None:
    story = Pages(ByTrick())
    told(story, 4, "👋 Ben left.")
    told(story, 5, shown(3, 4), "🪑 Ben is back.")
    assert cut(story) == [(1, 2, True), (3, 1, False)]


def test_a_page_without_rounds_ends_when_it_is_long_but_never_within_an_entry() -> None:
    story = Pages(HighCard())
    for n in range(1, 40):
        told(story, n, shown(1, 2), shown(3, 4))
    first, *_ = story.pages
    assert first.closed
    assert MOST_LINES < len(first.lines(HighCard(), NAMES)) <= MOST_LINES + 8
    assert first.items[-1].n != story.pages[1].items[0].n


def test_in_real_time_a_page_has_no_end_as_everybody_clicks_on_it() -> None:
    story = Pages(Quick())
    for n in range(1, 40):
        told(story, n, shown(1, 2))
    assert cut(story) == [(1, 39, False)]


def test_of_a_page_without_end_the_last_lines_are_told_that_a_message_holds() -> None:
    story = Pages(Quick())
    for n in range(1, 500):
        told(story, n, f"Line {n} of a long race.")
    first, *others = story.live.lines(Quick(), NAMES)
    assert first == f"-# … {499 - len(others)} lines before these are left out."
    assert others[-1] == "Line 499 of a long race."
    assert MOST_TOLD - 100 < len("\n".join(others)) <= MOST_TOLD


def test_the_same_log_is_cut_alike_from_any_page_on() -> None:
    whole, later = Pages(ByTrick()), Pages(ByTrick())
    for story in (whole, later):
        for n in range(1, 6):
            told(story, n, "⏳ The table waits for Ben.", shown(n, 7))
    later.begin_at(5, seats=2)
    assert cut(later) == [page for page in cut(whole) if page[0] >= 5]
    assert later.told == whole.told


def test_what_comes_after_an_entry_has_a_number() -> None:
    story = Pages(ByTrick())
    for n in (4, 7, 9):
        told(story, n, shown(n, 1), "🪑 Ben is back.")
    assert [story.first_after(n) for n in (3, 4, 8, 9)] == [1, 3, 5, 7]


def test_a_page_that_is_done_is_forgotten_and_the_live_one_never() -> None:
    story = Pages(ByTrick())
    told(story, 1, shown(1, 2))
    done, live = story.pages
    story.forget(done)
    story.forget(live)
    assert story.pages == [live]


def test_events_and_the_tables_own_lines_are_told_in_their_order() -> None:
    items = [Item(1, shown(5, 2)), Item(2, line="👋 Ben left."), Item(3, shown(1, 9))]
    assert lines(items, HighCard(), NAMES) == [
        "Alice 5, Ben 2: Alice wins.",
        "👋 Ben left.",
        "Alice 1, Ben 9: Ben wins.",
    ]
