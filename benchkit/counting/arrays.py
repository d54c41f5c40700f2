"""Arrays of whole numbers, and of others, by short names."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
