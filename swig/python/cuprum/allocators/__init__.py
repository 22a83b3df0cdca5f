"""Other libraries' memory pools as memory resources, and memory resources as the allocators of other libraries.

A module for each library, which imports it: ``cuprum.allocators.cupy``, ``cuprum.allocators.torch`` and
``cuprum.allocators.numba``.
"""
