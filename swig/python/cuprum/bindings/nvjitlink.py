"""nvJitLink, which links device code at run time: libnvJitLink. See ``cuprum.bindings`` for how functions are called.

Besides the C functions it has those that ``cuda.bindings.nvjitlink`` has: ``create``, ``add_data`` and so on, which
raise :class:`nvJitLinkError` instead of returning a status.
"""

from cuprum._bindings import last_error_message as last_error_message
from cuprum.bindings._module import fill

__getattr__, __dir__ = fill("nvjitlink")
del fill

from cuprum.bindings._nvjitlink_functions import *  # noqa: E402, F403  (they use the functions above)
