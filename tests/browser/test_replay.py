"""The page of a replay in a browser: without a connection, by key and by click, light and dark, with and without its
script."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import Browser, ConsoleMessage, Error, Page, Request, expect

from bot.match.replay import PUBLIC
from cogs.replay.page import page as page_of
from tests.browser.chromium import lent
from tests.browser.screen import DESKTOP, PHONE
from tests.cogs.replay.golden_replays import GOLDEN, UIS, golden_replay
from tests.cogs.replay.test_message import names_of
from tests.cogs.replay.test_page import HOSTILE
from tests.contract.subjects import Subject

LONGEST = max(GOLDEN, key=lambda each: len(each[1].read_text(encoding="utf-8").splitlines()))
"""The longest golden game."""
WALK = """
async (presses) => {
  const counts = [];
  for (let press = 0; press < presses; press += 1) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    counts.push(document.querySelector("#count").textContent);
    await Promise.all([...document.images].map((image) => image.decode()));
  }
  return counts;
}
"""
"""Press the right arrow so often without a frame drawn in between, and return the count after each; a picture that is
broken fails."""
WIDEST = """
async (presses) => {
  const { documentElement: root } = document; // a phone zooms out, so its innerWidth grows with the page
  let widest = 0;
  for (let press = 0; press < presses; press += 1) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    widest = Math.max(widest, root.scrollWidth - root.clientWidth);
  }
  return widest;
}
"""
"""Press the right arrow so often, and return by how many pixels the page was wider than the screen."""
OVERLAPS = """
() => {
  const bar = document.querySelector("nav");
  const parts = [...document.querySelectorAll("#table > *, .seat, .piles figure")];
  const overlap = (part) => {
    part.scrollIntoView({ block: "end" });
    return part.getBoundingClientRect().bottom - bar.getBoundingClientRect().top;
  };
  const shown = parts.filter((part) => part.getBoundingClientRect().height);
  return [bar.getBoundingClientRect().height, shown.map(overlap)];
}
"""
"""Return the height of the bar, and by how many pixels it covers each part of the table that is scrolled into view."""
ONE_OF_EACH = [next(each for each in GOLDEN if each[0].game.slug == slug) for slug in UIS]


@asynccontextmanager
async def opened(
    browser: Browser,
    file: Path,
    text: str,
    kind: dict[str, Any] = DESKTOP,
    scheme: Literal["dark", "light"] = "light",
    *,
    script: bool = True,
) -> AsyncIterator[Page]:
    """Open a page from the disk; at the end of the block it has had no error, and has asked for nothing else."""
    file.write_text(text, encoding="utf-8")
    faults = list[str]()

    def console(message: ConsoleMessage) -> None:
        faults.append(message.text)

    def failed(error: Error) -> None:
        faults.append(str(error))

    def asked(request: Request) -> None:
        if not request.url.startswith("data:"):
            faults.append(request.url)

    async with lent(browser, **kind, color_scheme=scheme, java_script_enabled=script, offline=True) as page:
        page.on("console", console)
        page.on("pageerror", failed)
        page.on("request", asked)
        await page.goto(file.as_uri())
        yield page
        assert faults == [file.as_uri()]
        page.remove_listener("console", console)
        page.remove_listener("pageerror", failed)
        page.remove_listener("request", asked)


def written(subject: Subject, path: Path, names: list[str] | None = None) -> str:
    found = golden_replay(subject, path, names or ())
    assert found.replay is not None
    return page_of(found, UIS[subject.game.slug], found.replay.all_hands)


@pytest.mark.parametrize(
    ("subject", "path"), [*ONE_OF_EACH, LONGEST], ids=lambda part: getattr(part, "stem", str(part))
)
async def test_every_step_is_reached_by_key_without_an_error(
    browser: Browser, tmp_path: Path, subject: Subject, path: Path
) -> None:
    async with opened(browser, tmp_path / "match-12.html", written(subject, path)) as page:
        await expect(page.locator("#player")).to_be_visible()
        steps = await page.locator("#log li").count()
        assert await page.evaluate(WALK, steps - 1) == [f"Step {at + 1} of {steps}" for at in range(1, steps)]
        await page.keyboard.press("ArrowRight")
        await expect(page.locator("#count")).to_have_text(f"Step {steps} of {steps}")
        await page.keyboard.press("Home")
        await expect(page.locator("#count")).to_have_text(f"Step 1 of {steps}")
        await page.keyboard.press("End")
        await page.keyboard.press("ArrowLeft")
        await expect(page.locator("#count")).to_have_text(f"Step {steps - 1} of {steps}")
        await expect(page.locator("#player")).to_be_visible()
        assert await page.locator("img:not([alt])").count() == 0


async def test_buttons_menu_and_list_lead_to_steps(browser: Browser, tmp_path: Path) -> None:
    async with opened(browser, tmp_path / "match-12.html", written(*LONGEST)) as page:
        await page.get_by_role("button", name="Next").click()
        await expect(page.locator("#count")).to_contain_text("Step 2 of ")
        said = page.get_by_role("status")
        await expect(said).to_have_text((await page.locator("#log li").nth(1).text_content()) or "")
        await page.get_by_role("button", name="Last").click()
        await expect(page.get_by_role("button", name="Next")).to_have_attribute("aria-disabled", "true")
        await page.get_by_role("button", name="Next").click(force=True)
        await page.get_by_label("Jump to").select_option(index=2)
        value = await page.get_by_label("Jump to").input_value()
        await expect(page.locator("#count")).to_contain_text(f"Step {int(value) + 1} of ")
        await page.locator("#log li").nth(7).click()
        await expect(page.locator("#count")).to_contain_text("Step 8 of ")
        await expect(page.locator("#log li[aria-current]")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_the_page_fits_every_screen_and_follows_the_scheme(
    browser: Browser, tmp_path: Path, pictures: Path, kind: dict[str, Any], scheme: Literal["dark", "light"]
) -> None:
    async with opened(browser, tmp_path / "match-12.html", written(*LONGEST), kind, scheme) as page:
        await expect(page.locator("#player")).to_be_visible()
        await page.evaluate(WALK, 40)
        assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        ground = await page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == {"light": "rgb(255, 250, 240)", "dark": "rgb(6, 42, 43)"}[scheme]
        await page.screenshot(path=pictures / f"replay-{scheme}-{kind['viewport']['width']}.png")


@pytest.mark.parametrize(("subject", "path"), ONE_OF_EACH, ids=lambda part: getattr(part, "stem", str(part)))
async def test_a_name_of_any_width_leaves_the_page_as_wide_as_a_phone(
    browser: Browser, tmp_path: Path, subject: Subject, path: Path
) -> None:
    kind = PHONE | {"viewport": {"width": 360, "height": 740}}
    async with opened(
        browser, tmp_path / "match-12.html", written(subject, path, names_of(path)), kind
    ) as page:
        assert await page.evaluate(WIDEST, 60) <= 0


@pytest.mark.parametrize(
    ("subject", "path"), [*ONE_OF_EACH, LONGEST], ids=lambda part: getattr(part, "stem", str(part))
)
async def test_on_a_phone_the_bar_hides_nothing_of_the_last_step(
    browser: Browser, tmp_path: Path, subject: Subject, path: Path
) -> None:
    kind = PHONE | {"viewport": {"width": 360, "height": 740}}
    async with opened(browser, tmp_path / "match-12.html", written(subject, path), kind) as page:
        await page.get_by_role("button", name="Last").click()
        height, overlaps = await page.evaluate(OVERLAPS)
        assert 0 < height < 740 / 6
        assert overlaps
        assert max(overlaps) <= 1


async def test_without_its_script_the_page_is_a_list_of_everything_that_happened(
    browser: Browser, tmp_path: Path
) -> None:
    async with opened(browser, tmp_path / "match-12.html", written(*LONGEST), script=False) as page:
        await expect(page.locator("#player")).to_be_hidden()
        await expect(page.locator("#log li").last).to_be_visible()
        await expect(page.get_by_role("heading", level=1)).to_contain_text("match 12")


async def test_names_that_look_like_markup_are_shown_as_text(browser: Browser, tmp_path: Path) -> None:
    subject, path = next(each for each in GOLDEN if each[1].stem == "eight-players")
    found = golden_replay(subject, path, HOSTILE)
    assert found.replay is not None
    names = found.replay.everything[0].names
    async with opened(browser, tmp_path / "match-12.html", page_of(found, UIS["palace"], PUBLIC)) as page:
        await expect(page.locator("#seats h3")).to_have_text([*names])
        assert await page.locator("#player b, #player i, #log b, #log i").count() == 0
