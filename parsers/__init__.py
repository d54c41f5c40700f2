"""Readers of one format each; the registry finds every module of this package."""
