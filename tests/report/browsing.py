"""A page in a real browser, with the network off."""

from __future__ import annotations

import json
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
READY = "!document.querySelector('.comparison:not([hidden])') || document.querySelector('.folds')"


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


def unfold(page: Page) -> None:
    """Open everything that is folded in what is shown."""
    wait_until(page, READY)
    for details in page.query_selector_all("details:visible"):
        details.evaluate("details => { details.open = true; }")
    page.wait_for_timeout(50)
    for details in page.query_selector_all("details:visible"):
        details.evaluate("details => { details.open = true; }")


def views(page: Page) -> Iterator[str]:
    """Show the overview and each comparison in turn, unfolded, with the name of its place."""
    names = page.eval_on_selector_all(".comparison", "all => all.map(section => section.id)")
    for name in ["overview", *names]:
        page.evaluate("name => { location.hash = name; }", name)
        wait_until(page, f"document.querySelector('.folds') || {json.dumps(name)} === 'overview'")
        unfold(page)
        yield name


def wait_until(page: Page, expression: str) -> None:
    """Wait for a condition; Playwright's own way needs `eval`, which the page forbids."""
    for _ in range(1500):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(20)
    pytest.fail(f"not within 30 s: {expression}")
