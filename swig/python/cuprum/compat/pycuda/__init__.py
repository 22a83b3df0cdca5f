"""PyCUDA's modules over ``cuprum``: without nvcc or a compiler on the machine, and with a simulator in place of a GPU.

``import cuprum.compat.pycuda.driver as cuda`` in place of ``import pycuda.driver as cuda``, and so on for ``autoinit``,
``autoprimaryctx``, ``compiler``, ``gpuarray``, ``cumath``, ``elementwise``, ``reduction``, ``scan``, ``curandom``,
``tools`` and ``characterize``. ``python -m cuprum.compat.pycuda program.py`` runs a program whose imports still say
``pycuda``.
"""

from __future__ import annotations

#: The version of PyCUDA whose interface this is.
VERSION = (2026, 1)
VERSION_STATUS = ""
VERSION_TEXT = ".".join(map(str, VERSION)) + VERSION_STATUS
