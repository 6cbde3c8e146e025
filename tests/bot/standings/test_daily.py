"""The rules of daily deals: the end of a day, seeds, comparisons and streaks."""

import hashlib
import hmac

import pytest

from bot.standings import daily
from bot.standings.daily import DAY, ROTATION, DailyTerms, PastOutage
from bot.store import Attempt
from games import GAMES
from games.strategies import choose

TODAY = 20_000
HOUR = 3_600_000
MIDNIGHT = (TODAY + 1) * DAY
"""The usual end of the day."""
SECRET = "5e" * 32


def at(hour: float, day: int = TODAY) -> int:
    """Return the time of an hour of a day."""
    return int(day * DAY + hour * HOUR)


# Days


def test_the_daily_of_1_january_2026_has_the_number_1() -> None:
    (first, *_, last) = daily.days_of_year(2026)
    assert (daily.date_of(first).isoformat(), daily.number_of(first)) == ("2026-01-01", 1)
    assert (daily.date_of(last).isoformat(), daily.number_of(last)) == ("2026-12-31", 365)


def test_a_day_begins_and_ends_at_midnight_utc() -> None:
    assert (daily.day_of(MIDNIGHT - 1), daily.day_of(MIDNIGHT)) == (TODAY, TODAY + 1)
    assert daily.ends(TODAY, []) == MIDNIGHT


@pytest.mark.parametrize(
    ("since", "until", "end"),
    [
        (10, 10.5, 24),  # half an hour: the day stays as it is
        (10, 12, 26),
        (-5, 3, 27),  # it began the day before: only the hours of this day count
        (23, 25, 26),  # the bot is back an hour late: an hour was left, and an hour is left
        (25, 30, 24),  # after the end
        (-30, -5, 24),
    ],
)
def test_an_outage_of_more_than_30_minutes_makes_the_day_longer(
    since: float, until: float, end: float
) -> None:
    assert daily.ends(TODAY, [PastOutage(at(since), at(until))]) == at(end)


def test_an_outage_in_the_added_time_makes_the_day_longer_again() -> None:
    outages = [PastOutage(at(10), at(12)), PastOutage(at(25), at(26))]
    assert daily.ends(TODAY, outages) == daily.ends(TODAY, outages[::-1]) == at(27)


def test_outages_at_the_same_time_count_once() -> None:
    outages = [PastOutage(at(10), at(13)), PastOutage(at(11), at(12)), PastOutage(at(12), at(14))]
    assert daily.ends(TODAY, outages) == at(28)


def test_after_an_outage_of_several_days_all_missed_days_are_open_for_a_day() -> None:
    back = at(12, TODAY + 3)
    outages = [PastOutage(at(12), back)]
    assert daily.open_days(back, outages) == [TODAY + 3, TODAY + 2, TODAY + 1, TODAY]
    assert daily.ends(TODAY + 1, outages) == daily.ends(TODAY + 2, outages) == back + DAY


def test_only_today_is_open_without_an_outage() -> None:
    assert daily.open_days(at(12), []) == [TODAY]


def test_a_deal_that_was_begun_can_be_finished_until_the_next_day_ends() -> None:
    assert daily.closes(TODAY, []) == at(48)
    assert daily.closes(TODAY, [PastOutage(at(30), at(32))]) == at(50)


def test_games_take_turns() -> None:
    slugs = [daily.terms_of(day).slug for day in range(TODAY, TODAY + 5)]
    assert sorted(slugs) == sorted(terms.slug for terms in daily.ROTATION)
    assert {*slugs} <= GAMES.keys() - {"twin-it"}
    assert daily.terms_of(TODAY) == daily.terms_of(TODAY + 5)


@pytest.mark.parametrize("terms", ROTATION, ids=lambda terms: terms.slug)
def test_the_terms_of_a_daily_suit_its_game(terms: DailyTerms) -> None:
    assert terms.seats in terms.game.seats(terms.options)
    assert not terms.game.real_time


@pytest.mark.parametrize("terms", ROTATION, ids=lambda terms: terms.slug)
def test_the_minutes_of_a_deal_are_those_that_its_decisions_take(terms: DailyTerms) -> None:
    decisions = sum(_decisions(terms, deal) for deal in range(DEALS)) / DEALS
    assert abs(decisions * 8 / 60 - terms.minutes) <= 1


DEALS = 5


def _decisions(terms: DailyTerms, deal: int) -> int:
    """Return the number of decisions in the first seat, if all play steadily."""
    game, made = terms.game, 0
    state, _ = game.new(terms.options, terms.seats, deal)
    while game.outcome(state) is None:
        seat, *_ = game.awaited(state)
        game.apply(state, seat, choose(game, game.view(state, seat), "steady", made))
        made += seat == 0
    return made


# Seeds


def test_a_seed_is_an_hmac_over_version_date_and_game() -> None:
    day = daily.days_of_year(2026)[325]
    message = f"palmhouse-daily-1|2026-11-22|{daily.terms_of(day).slug}".encode()
    assert daily.seed(SECRET, day) == hmac.new(bytes.fromhex(SECRET), message, hashlib.sha256).hexdigest()


def test_a_revealed_seed_can_be_checked_against_its_line_of_the_list() -> None:
    lines = daily.yearly_list(SECRET, 2026).splitlines()
    assert len(lines) == 365
    day = daily.days_of_year(2026)[325]
    date, game, hashed = lines[325].split()
    assert (date, game) == ("2026-11-22", daily.terms_of(day).slug)
    assert hashlib.sha256(daily.seed(SECRET, day).encode()).hexdigest() == hashed


def test_the_list_has_no_seed() -> None:
    content = daily.yearly_list(SECRET, 2026)
    assert SECRET not in content
    assert not any(daily.seed(SECRET, day) in content for day in daily.days_of_year(2026))


# Comparisons


def attempt(placing: int, score: int, user: int = 1, day: int = TODAY) -> Attempt:
    return Attempt(user, day, user, 0, f"#{user}", placing, score, 50 + user)


PALMER_DAY = next(day for day in range(TODAY, TODAY + 5) if daily.terms_of(day).slug == "palmer")
TWIN_PALMS_DAY = next(day for day in range(TODAY, TODAY + 5) if daily.terms_of(day).slug == "twin-palms")


def test_the_placing_counts_before_the_score() -> None:
    better, worse = attempt(1, 5, day=TWIN_PALMS_DAY), attempt(2, 50, day=TWIN_PALMS_DAY)
    assert daily.merit(better) < daily.merit(worse)


def test_of_equal_placings_the_higher_score_is_better_or_the_lower_one_if_low_scores_win() -> None:
    high, low = (attempt(2, score, day=TWIN_PALMS_DAY) for score in (20, 10))
    assert daily.merit(high) < daily.merit(low)
    high, low = (attempt(2, score, day=PALMER_DAY) for score in (20, 10))
    assert daily.merit(low) < daily.merit(high)


def test_equal_results_count_half() -> None:
    own = attempt(2, 10, day=TWIN_PALMS_DAY)
    others = [
        attempt(placing, score, user=n, day=TWIN_PALMS_DAY)
        for n, (placing, score) in enumerate([(1, 9), (2, 10), (2, 9), (4, 1)], start=2)
    ]
    assert daily.percentage(own, others * 3) == 62  # two and a half of four
    assert daily.percentage(own, others[:1] * 10) == 0


def test_of_a_few_others_there_is_no_percentage() -> None:
    assert daily.percentage(attempt(1, 0), [attempt(2, 0)] * 9) is None
    assert daily.percentage(attempt(1, 0), []) is None


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ("", ""),
        ("3", "ahead of the only other player"),
        ("2", "level with the only other player"),
        ("1", "behind the only other player"),
        ("33", "ahead of both others"),
        ("12", "level with 1 of 2 others, behind the rest"),
        ("13", "ahead of 1 of 2 others"),
        ("322", "ahead of 1 of 3 others, level with 2"),
        ("222", "level with all 3 others"),
        ("111", "behind all 3 others"),
        ("333333222222", "ahead of 75 % of 12 others"),
        ("333333333333", "ahead of all 12 others"),
        ("111111111111", "behind all 12 others"),
    ],
)
def test_a_comparison_says_the_numbers_of_a_few_others_and_a_percentage_of_many(
    others: str, said: str
) -> None:
    assert daily.compared(attempt(2, 0), [attempt(int(placing), 0) for placing in others]) == said


def test_equal_results_share_a_place() -> None:
    results = [(2, 10), (1, 9), (2, 10), (3, 10)]
    attempts = [attempt(*each, user=n, day=TWIN_PALMS_DAY) for n, each in enumerate(results, start=1)]
    assert [(place, each.user) for place, each in daily.ranking(attempts)] == [(1, 2), (2, 1), (2, 3), (4, 4)]


# Streaks: one letter a day, the last one is today. x: finished, . missed, ? can still be finished


OCTOBER_FIRST = daily.days_of_year(2026)[273]


@pytest.mark.parametrize(
    ("days", "length"),
    [
        ("", 0),
        ("?", 0),
        ("x", 1),
        ("xxx", 3),
        ("xx?", 2),
        ("xx.x", 3),  # one missed day a month is forgiven
        ("x.x.x", 2),  # the second one is not
        ("xx..x", 1),
        ("xx??x", 3),
        ("xx.?", 2),
        ("xx..?", 0),
        (".....x", 1),
        ("x" * 30 + "." + "x." + "x", 32),  # 31 October and 2 November: one in each month
    ],
)
def test_a_streak_forgives_one_missed_day_a_month(days: str, length: int) -> None:
    assert daily.date_of(OCTOBER_FIRST).isoformat() == "2026-10-01"
    marked = dict(enumerate(days, start=OCTOBER_FIRST))
    finished = [day for day, mark in marked.items() if mark == "x"]
    pending = [day for day, mark in marked.items() if mark == "?"]
    assert daily.streak(finished, OCTOBER_FIRST + max(0, len(days) - 1), pending) == length
