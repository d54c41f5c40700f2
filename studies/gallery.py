"""Draw the pictures of the documentation anew: `python -m studies.gallery`.

The commands stand in docs/gallery.md; each is run twice, for a light and for a dark page. With
`--chromium` the first screen of the report in the README is drawn, too.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).parent.parent
DOCS: Final = ROOT / "docs"
#: What the page of the README is of, and how much of it is shown.
_REPORT: Final = "examples/results/quickstart"
_SCREEN: Final = (1440, 900)


def commands() -> dict[str, list[str]]:
    """Return the arguments of `benchkit` that draw each kind, without their output."""
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\$ benchkit plot (.*) --kind (\w+) -o \w+\.png$", page, re.MULTILINE)
    return {kind: ["plot", *_expanded(words), "--kind", kind] for words, kind in shown}


def _expanded(words: str) -> Iterator[str]:
    for word in shlex.split(words):
        yield from sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(word))


def draw(kinds: Sequence[str], folder: Path) -> None:
    """Draw some kinds into a folder, light and dark."""
    every = commands()
    for kind in kinds or every:
        for theme, suffix in (("light", ""), ("dark", "-dark")):
            target = folder / f"{kind}{suffix}.png"
            _benchkit(*every[kind], "--theme", theme, "-o", str(target))


def draw_report(chromium: str, folder: Path) -> None:
    """Draw the first screen of a report into a folder, light and dark."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as temporary, sync_playwright() as playwright:
        page = Path(temporary) / "report.html"
        _benchkit("report", _REPORT, "-o", str(page))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        width, height = _SCREEN
        for theme in ("light", "dark"):
            tab = browser.new_page(
                viewport={"width": width, "height": height},
                color_scheme="dark" if theme == "dark" else "light",
            )
            tab.goto(page.as_uri())
            tab.screenshot(path=folder / f"report-{theme}.png")
        browser.close()


def _benchkit(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "benchkit", *arguments], cwd=ROOT, check=True)


def main() -> None:
    """Draw what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", default=[], choices=[*commands()], metavar="KIND")
    parser.add_argument("--to", type=Path, help="a folder in place of docs/ and docs/gallery/")
    parser.add_argument("--chromium", help="the browser that draws the report")
    asked = parser.parse_args()
    draw(asked.only, (asked.to or DOCS / "gallery").resolve())
    if asked.chromium:
        draw_report(asked.chromium, (asked.to or DOCS).resolve())


if __name__ == "__main__":
    main()
