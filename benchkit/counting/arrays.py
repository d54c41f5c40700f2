"""Arrays of whole numbers, and of others, by short names."""

from __future__ import annotations

from typing import Any

import numpy as np

# As in numpy.typing, which takes a while to import.
Whole = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
