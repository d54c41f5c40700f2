"""Statistics of repeated runs: numbers in, numbers out.

The run is the unit of everything here; nothing in this package has ever seen a request, a unit or
the name of a metric. Effects are ratios, and the work is done on logarithms, so that twice as
slow is as far from equal as twice as fast.
"""
