"""The steps of every lesson as they are shown: what can be tapped, and what it is answered with."""

import re
from functools import cache

import pytest

from bot.messages.panel import Panel
from bot.pictures.hand_style import HandStyle
from cogs.learn import lesson_panel
from games import GAMES
from games.lessons import answer, lessons, steps_after
from tests.cogs.lesson_taps import taps
from tests.cogs.reading import ALL_COGS, controls, labels, new, said

STYLES = {
    "pictures": HandStyle(),
    "large": HandStyle(large=True, order="rank"),
    "text": HandStyle(pictures=False),
}
ACTION_ROW, GALLERY = 1, 12
"""Types of components: a row of buttons, and pictures."""

every_lesson = pytest.mark.parametrize("slug", lessons())
every_style = pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)


@cache
def steps(slug: str, style: HandStyle) -> list[Panel]:
    """Return all pages of a lesson, the last one included."""
    return [
        lesson_panel(new(ALL_COGS[slug]), n, "Alice", style) for n in range(len(lessons()[slug].steps) + 1)
    ]


@every_style
@every_lesson
def test_each_step_offers_its_tap_and_every_tap_that_it_calls_wrong(slug: str, style: HandStyle) -> None:
    ui = new(ALL_COGS[slug])
    *pages, _ = steps(slug, style)
    for n, (page, step) in enumerate(zip(pages, lessons()[slug].steps, strict=True)):
        offered = taps(ui, controls(page.payload()))
        assert {step.tap, *step.why} <= offered.keys(), f"step {n + 1} offers {sorted(offered)}"


@every_style
@every_lesson
def test_every_wrong_tap_is_answered_with_why(slug: str, style: HandStyle) -> None:
    ui, lesson = new(ALL_COGS[slug]), lessons()[slug]
    *pages, _ = steps(slug, style)
    for n, (page, step) in enumerate(zip(pages, lesson.steps, strict=True)):
        wrong = [tap for tap in taps(ui, controls(page.payload())) if steps_after(lesson, n, tap) == n]
        answers = [answer(GAMES[slug], lesson, n, tap) for tap in wrong]
        assert all(each.endswith((".", "?", "!")) for each in answers), f"step {n + 1}: {wrong}, {answers}"
        assert not [each for each in answers if re.search(r"\b[Ss]eat \d", each)], f"step {n + 1}"
        assert not step.otherwise or step.otherwise in answers, f"step {n + 1}: no tap is answered like this"


@every_style
@every_lesson
def test_a_task_names_its_button_as_it_is_labelled(slug: str, style: HandStyle) -> None:
    *pages, _ = steps(slug, style)
    for n, (page, step) in enumerate(zip(pages, lessons()[slug].steps, strict=True)):
        assert {*re.findall(r"`(.+?)`", step.task)} <= {*labels(page.payload())}, f"step {n + 1}"


@every_style
@every_lesson
def test_the_last_page_says_what_was_learned_and_leads_to_a_table_with_computers(
    slug: str, style: HandStyle
) -> None:
    last = steps(slug, style)[-1].payload()
    assert all(line in said(last) for line in lessons()[slug].learned)
    assert labels(last) == ["Play against computers", "Rules", "From the start"]


@every_style
@every_lesson
def test_the_task_and_what_leads_to_it_stand_below_the_hand_and_the_label_of_buttons_above_these(
    slug: str, style: HandStyle
) -> None:
    for n, step in enumerate(lessons()[slug].steps):
        for note in ("", "No."):
            parts = lesson_panel(new(ALL_COGS[slug]), n, "Alice", style, note=note).payload()
            told = f"{f'👉 {note}' if note else f'💡 {step.idea}'}\n**{step.task}**"
            place = next(place for place, part in enumerate(parts) if said([part]) == told)
            assert (parts[place - 1]["type"] == GALLERY) is style.pictures
            form = [part["type"] for part in parts[place + 1 :]]
            assert form.index(ACTION_ROW) <= 1, "one label at most"
            assert GALLERY not in form
            assert ACTION_ROW not in [part["type"] for part in parts[:place]]
            assert step.idea in said(parts)


@every_style
@pytest.mark.parametrize(
    ("slug", "step", "label"),
    [
        ("charms", 0, "Tricks you will win:"),
        ("charms", 1, "Your suit card:"),
        ("charms", 2, "Your suit card:"),
        ("palmer", 5, "♦2 replaces:"),
        ("twin-palms", 1, "Tricks you will win:"),
    ],
)
def test_a_label_stands_directly_above_its_buttons(
    slug: str, step: int, label: str, style: HandStyle
) -> None:
    parts = steps(slug, style)[step].payload()
    first = next(place for place, part in enumerate(parts) if part["type"] == ACTION_ROW)
    assert said(parts[first - 1 : first]) == label


def test_the_lesson_of_a_long_game_leads_to_a_short_practice_match() -> None:
    last = steps("hand-and-foot", HandStyle())[-1].payload()
    play = next(part for part in controls(last) if part["label"] == "Play against computers")
    assert play["custom_id"].endswith(':1:hand-and-foot:{"0":1}')


def test_no_step_in_words_tells_a_reveal_twice() -> None:
    pages = [said(page.payload()) for page in steps("liars-dice", HandStyle(pictures=False))]
    assert max(page.count("Shown") for page in pages) == 1
