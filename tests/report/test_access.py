"""The page for those who use a keyboard, a screen reader, paper or a small screen."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from .browsing import opened, views, wait_until
from .pages import Pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
A4_PX = 794
#: Targets that are smaller than 24 px either way; links within a sentence need not be larger.
SMALL = """() => [...document.querySelectorAll('button, select, summary, nav a, .here')]
    .filter(target => target.getClientRects().length)
    .map(target => [target.textContent, target.getBoundingClientRect()])
    .filter(([, box]) => box.height < 24 || box.width < 24)
    .map(([text, box]) => `${text}: ${box.width} × ${box.height}`)"""


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, or the test is skipped; $AXE_CORE names its file."""
    matches = [os.environ.get("AXE_CORE", ""), "node_modules/axe-core/axe.min.js"]
    npm = shutil.which("npm")
    if npm:
        root = subprocess.run(
            [npm, "root", "-g"], capture_output=True, text=True, check=False
        ).stdout.strip()
        matches.append(f"{root}/axe-core/axe.min.js")
    for path in matches:
        if path and Path(path).is_file():
            return Path(path).read_text("utf-8")
    pytest.skip("no axe-core: npm install axe-core, or name its axe.min.js in AXE_CORE")


@pytest.fixture
def tested(pages: Pages) -> Path:
    return pages.repeated(effect=1.5, non2xx=4000)


@pytest.mark.parametrize(  # colours follow the scheme alone, and places the size alone
    ("viewport", "scheme"), [(WIDE, "light"), (NARROW, "dark")], ids=["light-wide", "dark-narrow"]
)
def test_axe_finds_nothing(
    browser: Browser,
    written: Path,
    tested: Path,
    axe: str,
    *,
    viewport: Any,  # noqa: ANN401 - a size
    scheme: Literal["light", "dark"],
) -> None:
    for target in (written, tested):
        with opened(browser, target, viewport=viewport, color_scheme=scheme) as page:
            page.evaluate(axe)
            for name in views(page):
                page.wait_for_timeout(50)
                seen = page.evaluate("axe.run().then(result => result.violations)")
                broken = [(v["id"], [n["html"][:200] for n in v["nodes"]]) for v in seen]
                assert broken == [], name


def test_every_figure_is_named_and_has_a_table(browser: Browser, written: Path) -> None:
    with opened(browser, written) as page:
        for _ in views(page):
            for slot in page.query_selector_all(".plot:visible"):
                assert slot.get_attribute("role") == "img"
                assert "values in the table below" in (slot.get_attribute("aria-label") or "")
                assert slot.evaluate("slot => slot.parentElement.querySelector('.data [data-v]')")


def test_the_keyboard_reaches_what_there_is(browser: Browser, tested: Path) -> None:
    with opened(browser, tested, viewport=WIDE) as page:  # type: ignore[arg-type]
        wait_until(page, "document.querySelector('.folds')")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "checkout.answer"
        reached = []
        for _ in range(40):
            page.keyboard.press("Tab")
            reached.append(page.evaluate("document.activeElement.outerHTML.slice(0, 60)"))
        for what in ("<select", '<a class="', '<div class="scroll"', "<button", "<summary"):
            assert any(each.startswith(what) for each in reached), what
        page.focus(".grade a")
        page.keyboard.press("Enter")
        wait_until(page, "document.activeElement.id === 'checkout.1'")


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_targets_are_large_enough(browser: Browser, written: Path, viewport: Any) -> None:  # noqa: ANN401
    with opened(browser, written, viewport=viewport) as page:
        for name in views(page):
            assert page.evaluate(SMALL) == [], name


def test_paper_shows_every_comparison_whole_and_in_light(browser: Browser, written: Path) -> None:
    with opened(browser, written, color_scheme="dark") as page:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        page.set_viewport_size({"width": A4_PX, "height": 1123})
        page.wait_for_timeout(300)
        for section in page.query_selector_all(".comparison"):
            slot = section.query_selector(".main .plot")
            assert slot is not None
            box = slot.bounding_box()
            assert box is not None
            assert 600 < box["width"] <= A4_PX
            assert section.query_selector(".pair, .ranking") is not None
        assert page.locator("#overview").is_visible()
        assert not page.locator("nav").first.is_visible()
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(26, 29, 33)"
        pdf = page.pdf(format="A4")
        assert pdf.startswith(b"%PDF")
        page.emulate_media(media="screen")
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        page.wait_for_timeout(300)
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(232, 234, 237)"
        assert page.locator(".comparison:visible").count() == 0
