"""Variants beside each other: who is compared with whom, what is tested, what may be said.

`benchkit.compare.assess.assess` makes the one answer that every output renders.
"""
