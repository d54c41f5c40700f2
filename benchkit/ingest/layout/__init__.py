"""Texts in which reports stand otherwise than below their names, laid out as a page has them.

Scripts write what a tool printed as a text of JSON, beside the name of what was measured; notebooks
have it below the cell that ran the tool; a log of several services has the lines of one between
those of another. What tells such texts apart becomes the names of sections.
"""

from benchkit.ingest.layout.documents import page_of_json
from benchkit.ingest.layout.logs import page_of_log
from benchkit.ingest.layout.page import LaidOut

__all__ = ["LaidOut", "page_of_json", "page_of_log"]
