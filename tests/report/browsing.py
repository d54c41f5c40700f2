"""A page in a real browser, with the network off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

QUIET = (
    *("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)
DRAWN = "[...document.querySelectorAll('.plot')].every(slot => slot.dataset.drawn)"


class Options(TypedDict, total=False):
    """Of a browser context."""

    viewport: ViewportSize
    color_scheme: Literal["light", "dark"]
    java_script_enabled: bool


@contextmanager
def opened(browser: Browser, path: Path, **options: Unpack[Options]) -> Iterator[Page]:
    """Open a file offline; any console message, error or request is a failure."""
    context = browser.new_context(offline=True, **options)
    page = context.new_page()
    seen: list[str] = []
    page.on("console", lambda message: seen.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: seen.append(f"error: {error}"))
    page.on("dialog", lambda dialog: seen.append(f"dialog: {dialog.message}"))
    page.on(
        "request", lambda r: None if r.url.startswith(("file:", "data:")) else seen.append(r.url)
    )
    page.goto(path.as_uri())
    yield page
    assert seen == [], seen[:3]
    context.close()


def draw_all(page: Page) -> None:
    for slot in page.query_selector_all(".plot"):
        slot.scroll_into_view_if_needed()
    wait_until(page, DRAWN)


def wait_until(page: Page, expression: str) -> None:
    """Wait for a condition; Playwright's own way needs `eval`, which the page forbids."""
    for _ in range(300):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"not within 30 s: {expression}")
