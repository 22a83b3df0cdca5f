"""NVRTC, which compiles CUDA C++ at run time: libnvrtc. See ``cuprum.bindings`` for how its functions are called."""

from cuprum._bindings import last_error_message as last_error_message
from cuprum.bindings._module import fill

__getattr__, __dir__ = fill("nvrtc")
del fill
