"""The steps of every lesson as they are shown: what can be tapped, and what it is answered with."""

import importlib

import pytest

from bot.messages.panel import Panel
from bot.pictures.hand_style import HandStyle
from cogs.common.game import GameCog
from cogs.learn import lesson_panel
from games import GAMES
from games.lessons import answer, lessons, steps_after
from tests.cogs.lesson_taps import taps
from tests.cogs.reading import controls, labels, new, said

STYLES = {
    "pictures": HandStyle(),
    "large": HandStyle(large=True, order="rank"),
    "text": HandStyle(pictures=False),
}
MOST_PARTS = 40
"""Maximum number of components of a message in Discord."""

every_lesson = pytest.mark.parametrize("slug", lessons())
every_style = pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)


def cog(slug: str) -> GameCog:
    """Return the cog of a game."""
    assert importlib.import_module(f"cogs.{slug.replace('-', '_')}").setup, "imports the class"
    return new(next(each for each in GameCog.__subclasses__() if each.game.slug == slug))


def steps(slug: str, style: HandStyle) -> list[Panel]:
    """Return all pages of a lesson, the last one included."""
    return [lesson_panel(cog(slug), n, "Alice", style) for n in range(len(lessons()[slug].steps) + 1)]


@every_style
@every_lesson
def test_each_step_offers_its_tap_and_every_tap_that_it_calls_wrong(slug: str, style: HandStyle) -> None:
    ui = cog(slug)
    *pages, _ = steps(slug, style)
    for n, (page, step) in enumerate(zip(pages, lessons()[slug].steps, strict=True)):
        offered = taps(ui, controls(page.payload()))
        assert {step.tap, *step.why} <= offered.keys(), f"step {n + 1} offers {sorted(offered)}"


@every_lesson
def test_every_wrong_tap_is_answered_by_a_sentence(slug: str) -> None:
    ui, lesson = cog(slug), lessons()[slug]
    *pages, _ = steps(slug, HandStyle())
    for n, page in enumerate(pages):
        wrong = [tap for tap in taps(ui, controls(page.payload())) if steps_after(lesson, n, tap) == n]
        for tap in wrong:
            assert answer(GAMES[slug], lesson, n, tap).endswith((".", "?", "!")), tap


@every_style
@every_lesson
def test_each_page_fits_a_message(slug: str, style: HandStyle) -> None:
    for page in steps(slug, style):
        assert sum(1 for _ in page.walk_children()) <= MOST_PARTS
        assert len(said(page.payload())) <= 4000


@every_style
@every_lesson
def test_the_last_page_says_what_was_learned_and_leads_to_a_table_with_computers(
    slug: str, style: HandStyle
) -> None:
    last = steps(slug, style)[-1].payload()
    assert all(line in said(last) for line in lessons()[slug].learned)
    assert labels(last) == ["Play against computers", "Rules", "From the start"]


@every_lesson
def test_a_note_stands_in_the_place_of_what_happened(slug: str) -> None:
    plain, noted = (
        said(lesson_panel(cog(slug), 1, "Alice", HandStyle(), note=note).payload()) for note in ("", "No.")
    )
    assert "👉 No." in noted
    assert lessons()[slug].steps[1].idea in plain
    assert lessons()[slug].steps[1].idea in noted
