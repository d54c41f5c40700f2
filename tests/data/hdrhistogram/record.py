"""Writes a log and a table of percentiles with the Python port of HdrHistogram.

python record.py python.hlog python.hgrm
"""

import random
import sys
from pathlib import Path

from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogWriter

START = 1_700_000_000_000
numbers = random.Random(7)
log, table = map(Path, sys.argv[1:])
total = HdrHistogram(1, 3_600_000_000, 3)
with log.open("w", encoding="utf-8") as file:
    writer = HistogramLogWriter(file)
    writer.output_comment("[Logged with record.py]")
    writer.output_log_format_version()
    writer.output_base_time(START)
    writer.output_legend()
    for second in range(3):
        histogram = HdrHistogram(1, 3_600_000_000, 3)
        for _ in range(400):
            histogram.record_value(100 + int(numbers.expovariate(1 / 900)))
        writer.output_interval_histogram(histogram, second, second + 1, 1000)
        total.add(histogram)
with table.open("wb") as binary:
    total.output_percentile_distribution(binary, 1000.0)
