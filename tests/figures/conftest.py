"""The fixtures of the page are those of the figures too."""

from tests.report.conftest import everything, known, pair, summaries

__all__ = ["everything", "known", "pair", "summaries"]
