import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from benchkit.compare.holm import holm


@pytest.mark.parametrize("tests", [1, 2, 3, 8, 20])
def test_it_is_holms_correction(tests: int) -> None:
    rng = np.random.default_rng(tests)
    for _ in range(2):  # the other implementation collects garbage at each call
        p_values = rng.choice([rng.uniform(0, 0.1), 0.01, 0.5, rng.uniform()], tests)
        assert holm(p_values.tolist()) == pytest.approx(
            multipletests(p_values, method="holm")[1].tolist()
        )


def test_nothing_is_corrected_in_an_empty_family() -> None:
    assert holm([]) == []
