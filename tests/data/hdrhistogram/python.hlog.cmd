python record.py python.hlog python.hgrm
# hdrhistogram 0.10.8 (PyPI), Python 3.11, 2026-11-22, exit 0: 1,200 values in microseconds
