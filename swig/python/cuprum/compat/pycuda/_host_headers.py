"""Headers that every ``SourceModule`` finds: PyCUDA's own, and those of the host's C library.

nvcc has the latter; NVRTC does not, and device code needs little of them: ``printf``, ``assert``, ``malloc`` and the
mathematical functions are built in. An include of ``<stdio.h>`` therefore finds a file here that has nothing in it, and
the others have the types, limits and constants that device code uses.
"""

from __future__ import annotations

import os

#: Searched after the program's own folders, before the toolkit's.
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "headers")
