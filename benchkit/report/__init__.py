"""The report: tables to frozen views to one self-contained page."""
