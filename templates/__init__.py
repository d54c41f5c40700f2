"""The report's templates, style and script, as package data."""
