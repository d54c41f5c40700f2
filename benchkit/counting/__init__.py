"""Requests, a batch at a time, to all that is kept of their run."""
