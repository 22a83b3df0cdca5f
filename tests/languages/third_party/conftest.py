"""Programs in the style of other people's packages, which run here unmodified.

Under cuprum-simulate they run on the simulated device, elsewhere on a GPU; nothing below knows which.
"""

from __future__ import annotations

import warnings

import numba
import pytest


@pytest.fixture(autouse=True)
def _no_performance_advice() -> None:
    # numba's: small grids, host arrays.
    warnings.filterwarnings("ignore", category=numba.core.errors.NumbaPerformanceWarning)
