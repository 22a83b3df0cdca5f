"""libNVVM, which compiles NVVM IR at run time. See ``cuprum.bindings`` for how functions are called.

Besides the C functions it has those that ``cuda.bindings.nvvm`` has: ``create_program``, ``compile_program`` and so on,
which raise :class:`nvvmError` instead of returning a status.
"""

from cuprum._bindings import last_error_message as last_error_message
from cuprum.bindings._module import fill

__getattr__, __dir__ = fill("nvvm")
del fill

from cuprum.bindings._nvvm_functions import *  # noqa: E402, F403  (they use the functions above)
