"""Starts the driver and makes a context on the default device, which is current until the program ends.

It is the device's primary context, which ``cuprum.core``, CuPy and PyTorch use as well, so that arrays go from one to
the other; PyCUDA makes a context of its own. ``CUDA_DEVICE`` or ``~/.cuda_device`` choose the device by number.
"""

from __future__ import annotations

import atexit

from cuprum.compat.pycuda import driver
from cuprum.compat.pycuda._default_context import finish, make_default_primary_context

driver.init()
context = make_default_primary_context()
device = context.get_device()
atexit.register(finish, context)
