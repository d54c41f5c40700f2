import math
import re

import pytest

from benchkit.stats.contrast import Contrast

NO_VALUES = "a side of a contrast needs values, all finite and above 0"
NO_PAIRS = "pairs need as many runs of the variant as of the baseline"
NO_STEP = "the step of a clock is finite and not negative"


@pytest.mark.parametrize(
    ("baseline", "variant", "paired", "step", "message"),
    [
        ((), (1.0,), False, 0.0, NO_VALUES),
        ((1.0,), (), False, 0.0, NO_VALUES),
        ((0.0,), (1.0,), False, 0.0, NO_VALUES),
        ((1.0,), (math.nan,), False, 0.0, NO_VALUES),
        ((1.0, math.inf), (1.0, 2.0), False, 0.0, NO_VALUES),
        ((1.0,), (1.0, 2.0), True, 0.0, NO_PAIRS),
        ((1.0,), (1.0,), False, -1.0, NO_STEP),
        ((1.0,), (1.0,), False, math.inf, NO_STEP),
    ],
)
def test_what_is_no_contrast_is_refused(
    baseline: tuple[float, ...],
    variant: tuple[float, ...],
    *,
    paired: bool,
    step: float,
    message: str,
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Contrast(baseline, variant, paired, (0.0, step))


def test_sides_of_unequal_size_are_a_contrast_unless_paired() -> None:
    assert Contrast((1.0,), (1.0, 2.0)).runs == 1
