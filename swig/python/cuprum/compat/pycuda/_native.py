"""What of this package is C++ (swig/python/pycuda): the base classes of its objects, and its quickest calls."""

import sys

from cuprum import _bindings

_bindings.add_pycuda(sys.modules[__name__])
