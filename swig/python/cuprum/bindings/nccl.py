"""NCCL, which exchanges data between devices. See ``cuprum.bindings`` for how functions are called.

It is no part of a toolkit (PyPI: ``nvidia-nccl-cu13``), and is opened at the first call::

    err, identifier = nccl.ncclGetUniqueId()
    err, communicator = nccl.ncclCommInitRank(ranks, identifier, rank)

The versions of its functions are NCCL's own. ``ncclConfig_t`` and other structures that begin with ``size`` are set up
by the caller, as the header's initializers say: ``size``, ``magic`` and ``version``, and ``NCCL_CONFIG_UNDEF_INT`` in
what is to be NCCL's choice.
"""

from cuprum._bindings import last_error_message as last_error_message
from cuprum.bindings._module import fill

__getattr__, __dir__ = fill("nccl")
del fill
