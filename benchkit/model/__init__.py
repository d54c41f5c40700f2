"""What everything after reading works on: runs, the variants they repeat, and their metrics."""
