"""Launching kernels."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from cuprum._errors import Unsupported
from cuprum._native import _cuprum

if TYPE_CHECKING:
    from typing import TypeAlias

    from cuprum.core._module import Kernel
    from cuprum.core._stream import IsStreamType, Stream

    Dimensions: TypeAlias = int | tuple[int] | tuple[int, int] | tuple[int, int, int]

_LARGEST = 2**32 - 1


def _dimensions(what: str, value: Dimensions) -> tuple[int, int, int]:
    sizes = tuple(value) if isinstance(value, tuple | list) else (value,)
    if not 1 <= len(sizes) <= 3:
        raise ValueError(f"{what} has one to three dimensions, not {len(sizes)}: {value!r}")
    try:
        numbers = [index(size) for size in sizes]
    except TypeError:
        raise TypeError(f"{what} must be an int or a tuple of ints, not {value!r}") from None
    for number in numbers:
        if not 0 < number <= _LARGEST:
            raise ValueError(f"{what} must be from 1 to {_LARGEST} in every dimension, not {value!r}")
    numbers += [1] * (3 - len(numbers))
    return numbers[0], numbers[1], numbers[2]


class LaunchConfig(_cuprum.PackedConfig):
    """How many blocks of how many threads: immutable, hashable, made once and launched often."""

    __slots__ = ("_numbers",)

    #: What the C ABI takes: grid, block, shared memory, is_cooperative.
    _numbers: tuple[int, int, int, int, int, int, int, int]

    def __init__(
        self,
        grid: Dimensions,
        block: Dimensions,
        cluster: Dimensions | None = None,
        shmem_size: int | None = None,
        is_cooperative: bool = False,
    ) -> None:
        """``grid`` blocks of ``block`` threads each: an int, or a tuple of one to three.

        ``shmem_size`` is dynamic shared memory per block, in bytes. A cooperative launch fits the device at once, so
        that its blocks can wait for each other. Clusters are not supported yet.
        """
        if cluster is not None:
            raise Unsupported("thread block clusters are not supported yet: leave cluster out")
        try:
            shared_memory = 0 if shmem_size is None else index(shmem_size)
        except TypeError:
            raise TypeError(f"shmem_size must be an int, not {shmem_size!r}") from None
        if not 0 <= shared_memory <= _LARGEST:
            raise ValueError(f"shmem_size is a number of bytes, 0 to {_LARGEST}, not {shmem_size!r}")
        self._numbers = (
            *_dimensions("grid", grid),
            *_dimensions("block", block),
            shared_memory,
            int(bool(is_cooperative)),
        )
        self._pack(*self._numbers)

    @property
    def grid(self) -> tuple[int, int, int]:
        """Blocks."""
        return self._numbers[:3]

    @property
    def block(self) -> tuple[int, int, int]:
        """Threads per block."""
        return self._numbers[3:6]

    @property
    def cluster(self) -> None:
        """None: clusters are not supported yet."""
        return None

    @property
    def shmem_size(self) -> int:
        """Dynamic shared memory per block, bytes."""
        return self._numbers[6]

    @property
    def is_cooperative(self) -> bool:
        """All blocks run at once and can wait for each other."""
        return bool(self._numbers[7])

    def __eq__(self, other: object) -> bool:
        return self._numbers == other._numbers if isinstance(other, LaunchConfig) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._numbers)

    def __reduce__(self) -> tuple[type[LaunchConfig], tuple[object, ...]]:
        return LaunchConfig, (self.grid, self.block, None, self.shmem_size, self.is_cooperative)

    def __repr__(self) -> str:
        return (
            f"LaunchConfig(grid={self.grid}, block={self.block}, shmem_size={self.shmem_size}, "
            f"is_cooperative={self.is_cooperative})"
        )


launch = _cuprum.launch


def _launch_by_name(stream: Stream | IsStreamType, config: LaunchConfig, kernel: Kernel, *args: object) -> None:
    """What ``launch`` (launch.hpp) calls when not all of the three come by position."""
    launch(stream, config, kernel, *args)


_launch_by_name.__qualname__ = "launch"  # for Python's own errors about the arguments
