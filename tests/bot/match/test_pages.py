"""The public record of a match is cut into pages, one message each."""

from collections.abc import Sequence
from random import Random

from bot.match.pages import MOST_LINES, MOST_SHOWN, Pages, PublicItem, lines
from bot.match.state import Player
from games import GAMES, Event
from tests.toy import GAME as TOY
from tests.toy import rules, toy
from tests.toy.rules import HighCard, Shown

PLAYERS = (Player(1, "Alice"), Player(2, "Ben"))


def in_pairs(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    tricks = rules.lines(events, names)
    return [" · ".join(tricks[first : first + 2]) for first in range(0, len(tricks), 2)]


BY_TRICK = toy(closes=lambda event: isinstance(event, Shown))
"""The toy game, with a page for each trick."""
IN_PAIRS = toy(lines=in_pairs)
"""The toy game, with two tricks in each line of the record."""
ONE_LINE = toy(lines=lambda *told: [" ".join(rules.lines(*told))])
"""The toy game, with a single line in the record."""


class Quick(HighCard):
    """The toy game, played in real time."""

    real_time = True


def shown(*cards: int) -> Event:
    return Shown(cards=cards)


def add(record: Pages, n: int, *items: Event | str) -> None:
    """Add the public items of entry `n`."""
    record.add(item(n, each) for each in items)


def item(n: int, each: Event | str, players: tuple[Player, ...] = PLAYERS) -> PublicItem:
    """Return a public item of entry `n`."""
    return PublicItem(n, players, each) if isinstance(each, Event) else PublicItem(n, players, line=each)


def outline(record: Pages) -> Sequence[tuple[int, int, bool]]:
    """Return for each page the number of its first item, the count of its items, and whether it is closed."""
    return [(page.first, len(page.items), page.closed) for page in record.kept]


def test_a_page_ends_with_its_round_and_the_next_one_begins_with_what_follows() -> None:
    record = Pages(BY_TRICK)
    add(record, 4, "👋 Ben left.")
    add(record, 5, shown(3, 4), "🪑 Ben is back.")
    assert outline(record) == [(1, 2, True), (3, 1, False)]


def test_a_page_without_rounds_ends_when_it_is_long_but_never_within_an_entry() -> None:
    record = Pages(TOY)
    for n in range(1, 40):
        add(record, n, shown(1, 2), shown(3, 4))
    first, *_ = record.kept
    assert first.closed
    assert MOST_LINES < len(first.lines(TOY)) <= MOST_LINES + 8
    assert first.items[-1].n != record.kept[1].items[0].n


def test_a_page_that_is_long_ends_where_a_line_ends() -> None:
    record = Pages(IN_PAIRS)
    for n in range(1, 120):
        add(record, n, shown(1, 2))
    counts = [len(page.items) for page in record.kept]
    assert len(counts) > 2
    assert all(count % 2 == 0 for count in counts[:-1])


def test_a_line_of_the_table_does_not_end_one_of_the_game() -> None:
    record = Pages(IN_PAIRS)
    for n in range(1, 2 * MOST_LINES + 8):
        add(record, n, shown(1, 2))
    add(record, 100, "👋 Ben left.")
    assert len(record.kept) == 1
    add(record, 101, shown(3, 4))
    assert len(record.kept) == 1
    add(record, 102, shown(5, 6))
    assert outline(record)[1] == (len(record.kept[0].items) + 1, 1, False)


def test_a_page_whose_line_never_ends_is_cut_before_a_message_is_full() -> None:
    record = Pages(ONE_LINE)
    for n in range(1, 400):
        add(record, n, shown(1, 2))
    first, *_ = record.kept
    assert first.closed
    assert [len(line) < MOST_SHOWN for line in first.lines(ONE_LINE)] == [True]


def test_no_page_of_hand_and_foot_breaks_a_turn() -> None:
    game, rng = GAMES["hand-and-foot"], Random(6)
    players = tuple(Player(number, f"P{number}") for number in range(1, 5))
    state, events = game.new(game.Options(deals=1), 4, 6)
    record, whole, n = Pages(game), [item(1, each, players) for each in events if each.to is None], 1
    record.add(whole)
    while game.outcome(state) is None and n < 600:
        seat, n = game.awaited(state)[0], n + 1
        melds = [action for action in game.legal(state, seat) if game.text(action).startswith("meld")]
        action = rng.choice(melds or game.legal(state, seat))
        new = [item(n, each, players) for each in game.apply(state, seat, action) if each.to is None]
        record.add(new)
        whole += new
    pages = [line for page in record.kept for line in page.lines(game)]
    assert len(record.kept) > 3
    assert pages == lines(whole, game)


def test_the_open_page_knows_the_page_before_if_its_round_goes_on() -> None:
    long, rounds = Pages(TOY), Pages(BY_TRICK)
    for n in range(1, 40):
        add(long, n, shown(1, 2))
        add(rounds, n, shown(1, 2))
    assert long.lead == long.kept[-2].items
    assert rounds.lead == []
    long.begin_at(1, long.live.first)
    assert long.lead == long.kept[-2].items


def test_recent_items_are_the_same_whether_the_page_before_is_posted_or_not() -> None:
    record = Pages(TOY)
    for n in range(1, 40):
        add(record, n, shown(1, 2))
    before = record.recent
    assert [item.n for item in before] == [*range(1, 40)]
    record.forget(record.kept[0])
    assert record.recent == before


def test_posted_pages_stay_as_they_are_when_pages_are_cut_elsewhere_now() -> None:
    record = Pages(TOY)
    for n in range(1, 60):
        add(record, n, shown(1, 2))
    record.begin_at(1, 8, 30)
    assert [(page.first, page.closed) for page in record.kept] == [
        (1, True),
        (8, True),
        (30, True),
        (54, False),
    ]
    assert record.public_number == 59


def test_in_real_time_a_page_has_no_end_as_everybody_clicks_on_it() -> None:
    record = Pages(toy(Quick))
    for n in range(1, 40):
        add(record, n, shown(1, 2))
    assert outline(record) == [(1, 39, False)]


def test_a_page_without_end_shows_the_last_lines_that_fit_into_a_message() -> None:
    record = Pages(toy(Quick))
    for n in range(1, 500):
        add(record, n, f"Line {n} of a long race.")
    first, *others = record.live.lines(toy(Quick))
    assert first == f"-# … left out: {499 - len(others)} earlier lines"
    assert others[-1] == "Line 499 of a long race."
    assert MOST_SHOWN - 100 < len("\n".join(others)) <= MOST_SHOWN


def test_the_same_log_gives_the_same_pages_from_any_page_on() -> None:
    whole, later = Pages(BY_TRICK), Pages(BY_TRICK)
    for record in (whole, later):
        for n in range(1, 6):
            add(record, n, "⏳ The table waits for Ben.", shown(n, 7))
    later.begin_at(5)
    assert outline(later) == [page for page in outline(whole) if page[0] >= 5]
    assert later.public_number == whole.public_number


def test_a_page_that_is_done_is_forgotten_and_the_live_one_never() -> None:
    record = Pages(BY_TRICK)
    add(record, 1, shown(1, 2))
    done, live = record.kept
    record.forget(done)
    record.forget(live)
    assert record.kept == [live]


def test_events_and_the_tables_own_lines_are_listed_in_order() -> None:
    items = [item(1, shown(5, 2)), item(2, "👋 Ben left."), item(3, shown(1, 9))]
    assert lines(items, TOY) == [
        "Alice 5, Ben 2: Alice wins.",
        "👋 Ben left.",
        "Alice 1, Ben 9: Ben wins.",
    ]


def test_the_record_keeps_the_names_of_those_who_sat_there_when_a_seat_changes_hands() -> None:
    cleo = (PLAYERS[0], Player(3, "Cleo"))
    items = [item(1, shown(5, 2)), item(2, shown(1, 9), cleo), item(3, shown(4, 2), cleo)]
    assert lines(items, TOY) == [
        "Alice 5, Ben 2: Alice wins.",
        "Alice 1, Cleo 9: Cleo wins.",
        "Alice 4, Cleo 2: Alice wins.",
    ]
