"""Launching kernels."""

from __future__ import annotations

import enum
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from cuprum._native import _cuprum

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from cuprum.core._lazy_dataclass import dataclass

if TYPE_CHECKING:
    from typing import TypeAlias

    from cuprum.core._graph_builder import GraphBuilder
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


def _number(what: str, value: object, smallest: int, largest: int) -> int:
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{what} must be an int, not {value!r}") from None
    if not smallest <= number <= largest:
        raise ValueError(f"{what} is from {smallest} to {largest}, not {value!r}")
    return number


class MemorySyncDomain(enum.StrEnum):
    """Which of the device's domains a kernel's memory fences wait for (compute capability 9.0).

    A fence in one does not wait for writes in the other.
    """

    DEFAULT = "default"
    REMOTE = "remote"


class MemorySyncDomainMap(NamedTuple):
    """The device's hardware domains, counted from 0, behind ``default`` and ``remote`` of ``MemorySyncDomain``."""

    default: int = 0
    remote: int = 1


class AccessProperty(enum.StrEnum):
    """How long data that a kernel accesses stays in the L2 cache."""

    NORMAL = "normal"
    STREAMING = "streaming"
    PERSISTING = "persisting"


@dataclass(frozen=True)
class AccessPolicyWindow:
    """How the L2 cache treats a kernel's accesses to ``size`` bytes of device memory at ``address``.

    ``hit`` applies to the fraction ``hit_ratio`` (0 to 1) of them, ``miss``, which cannot be persisting, to the rest.
    """

    address: int
    size: int
    hit_ratio: float = 1.0
    hit: AccessProperty | str = AccessProperty.PERSISTING
    miss: AccessProperty | str = AccessProperty.STREAMING

    def __post_init__(self) -> None:
        _number("address", self.address, 0, 2**64 - 1)
        _number("size", self.size, 1, 2**64 - 1)
        if not 0 <= self.hit_ratio <= 1:
            raise ValueError(f"hit_ratio is a part of the accesses, 0 to 1, not {self.hit_ratio!r}")
        object.__setattr__(self, "hit", AccessProperty(self.hit))
        object.__setattr__(self, "miss", AccessProperty(self.miss))
        if self.miss == AccessProperty.PERSISTING:
            raise ValueError("miss can be normal or streaming, not persisting")


#: CUPRUM_MEMORY_SYNC_DOMAIN_* and CUPRUM_ACCESS_*, which begin with 1 and have the enumerations' order.
_DOMAIN_NUMBERS = {domain: number for number, domain in enumerate(MemorySyncDomain, 1)}
_ACCESS_NUMBERS = {access: number for number, access in enumerate(AccessProperty, 1)}


class LaunchConfig(_cuprum.PackedConfig):
    """How many blocks of how many threads: immutable, hashable, made once and launched often."""

    __slots__ = ("_values",)

    #: What the constructor takes, in its order.
    _values: tuple[
        tuple[int, int, int],
        tuple[int, int, int] | None,
        tuple[int, int, int],
        int,
        bool,
        bool,
        int | None,
        int | None,
        MemorySyncDomain | None,
        MemorySyncDomainMap | None,
        AccessPolicyWindow | None,
    ]

    def __init__(
        self,
        grid: Dimensions,
        cluster: Dimensions | None = None,
        block: Dimensions | None = None,
        shmem_size: int | None = None,
        is_cooperative: bool = False,
        programmatic_stream_serialization: bool = False,
        *,
        priority: int | None = None,
        preferred_shared_memory_carveout: int | None = None,
        memory_sync_domain: MemorySyncDomain | str | None = None,
        memory_sync_domain_map: MemorySyncDomainMap | tuple[int, int] | None = None,
        access_policy_window: AccessPolicyWindow | None = None,
    ) -> None:
        """``grid`` blocks of ``block`` threads each: an int, or a tuple of one to three.

        With a ``cluster``, that many blocks of each cluster run at once on neighbouring multiprocessors and reach each
        other's shared memory (compute capability 9.0); ``grid`` counts clusters then. ``shmem_size`` is dynamic shared
        memory per block, in bytes. A cooperative launch fits the device at once, so that its blocks can wait for each
        other. With ``programmatic_stream_serialization`` the kernel may start before the previous one in the stream
        has finished, and must wait for that one's results itself (``cudaGridDependencySynchronize``, compute
        capability 9.0).

        ``priority`` replaces the stream's; lower numbers run first. ``preferred_shared_memory_carveout`` is the
        percentage of a multiprocessor's combined L1 cache and shared memory that should be shared memory; a hint. Where
        a value is left out, the stream's, the kernel's or the driver's default holds, at no cost.
        """
        if block is None:
            raise TypeError(
                "block is missing: LaunchConfig takes grid, cluster and block in this order; name it, as in "
                f"LaunchConfig(grid={grid!r}, block={cluster or 256!r})"
            )
        if access_policy_window is not None and not isinstance(access_policy_window, AccessPolicyWindow):
            raise TypeError(f"access_policy_window must be an AccessPolicyWindow, not {access_policy_window!r}")
        domains = memory_sync_domain_map
        self._values = (
            _dimensions("grid", grid),
            None if cluster is None else _dimensions("cluster", cluster),
            _dimensions("block", block),
            0 if shmem_size is None else _number("shmem_size", shmem_size, 0, _LARGEST),
            bool(is_cooperative),
            bool(programmatic_stream_serialization),
            None if priority is None else _number("priority", priority, -(2**31), 2**31 - 1),
            None
            if preferred_shared_memory_carveout is None
            else _number("preferred_shared_memory_carveout", preferred_shared_memory_carveout, 0, 100),
            None if memory_sync_domain is None else MemorySyncDomain(memory_sync_domain),
            None
            if domains is None
            else MemorySyncDomainMap(*(_number("memory_sync_domain_map", domain, 0, 255) for domain in domains)),
            access_policy_window,
        )
        self._pack(*self._numbers())

    @classmethod
    def for_num_elements(cls, num_elements: int, block_size: int) -> LaunchConfig:
        """The fewest blocks of ``block_size`` threads that have one for each of ``num_elements``; one block for none.

        The last block may have threads beyond the last element: the kernel checks.
        """
        block = _number("block_size", block_size, 1, _LARGEST)
        count = _number("num_elements", num_elements, 0, _LARGEST * block)
        return cls(grid=max(1, -(-count // block)), block=block)

    def _numbers(self) -> tuple[Any, ...]:
        """The fields of cuprum_launch_config after its size, in their order."""
        grid, cluster, block, shared_memory, cooperative, serialization = self._values[:6]
        priority, carveout, domain, domains, window = self._values[6:]
        return (
            *grid,
            *block,
            shared_memory,
            cooperative,
            serialization,
            *(cluster or (0, 0, 0)),
            priority is not None,
            priority or 0,
            carveout is not None,
            carveout or 0,
            0 if domain is None else _DOMAIN_NUMBERS[domain],
            domains is not None,
            *(domains or (0, 0)),
            *((0.0, 0, 0, 0, 0) if window is None else _window_numbers(window)),
        )

    @property
    def grid(self) -> tuple[int, int, int]:
        """Blocks, or clusters where there is a cluster."""
        return self._values[0]

    @property
    def cluster(self) -> tuple[int, int, int] | None:
        """Blocks per cluster."""
        return self._values[1]

    @property
    def block(self) -> tuple[int, int, int]:
        """Threads per block."""
        return self._values[2]

    @property
    def shmem_size(self) -> int:
        """Dynamic shared memory per block, bytes."""
        return self._values[3]

    @property
    def is_cooperative(self) -> bool:
        """All blocks run at once and can wait for each other."""
        return self._values[4]

    @property
    def programmatic_stream_serialization(self) -> bool:
        """The kernel may start before the previous one in the stream has finished."""
        return self._values[5]

    @property
    def priority(self) -> int | None:
        """The priority, in place of the stream's; lower numbers run first."""
        return self._values[6]

    @property
    def preferred_shared_memory_carveout(self) -> int | None:
        """The percentage of a multiprocessor's combined L1 cache and shared memory that should be shared memory."""
        return self._values[7]

    @property
    def memory_sync_domain(self) -> MemorySyncDomain | None:
        """The domain whose writes the kernel's memory fences wait for."""
        return self._values[8]

    @property
    def memory_sync_domain_map(self) -> MemorySyncDomainMap | None:
        """The device's hardware domains behind the two domains."""
        return self._values[9]

    @property
    def access_policy_window(self) -> AccessPolicyWindow | None:
        """How the L2 cache treats accesses to one range of memory."""
        return self._values[10]

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, LaunchConfig) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values)

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickled, self._values

    def __repr__(self) -> str:
        defaults = (None, None, None, 0, False, False, None, None, None, None, None)
        set_values = [
            f"{name}={value!r}"
            for name, value, default in zip(_NAMES, self._values, defaults, strict=True)
            if value != default
        ]
        return f"LaunchConfig({', '.join(set_values)})"


_NAMES = (
    "grid",
    "cluster",
    "block",
    "shmem_size",
    "is_cooperative",
    "programmatic_stream_serialization",
    "priority",
    "preferred_shared_memory_carveout",
    "memory_sync_domain",
    "memory_sync_domain_map",
    "access_policy_window",
)


def _window_numbers(window: AccessPolicyWindow) -> tuple[int | float, ...]:
    hit, miss = _ACCESS_NUMBERS[AccessProperty(window.hit)], _ACCESS_NUMBERS[AccessProperty(window.miss)]
    return float(window.hit_ratio), window.address, window.size, hit, miss


def _unpickled(*values: object) -> LaunchConfig:
    return LaunchConfig(**dict(zip(_NAMES, values, strict=True)))  # type: ignore[arg-type]


launch = _cuprum.launch


def _launch_by_name(
    stream: Stream | GraphBuilder | IsStreamType, config: LaunchConfig, kernel: Kernel, *args: object
) -> None:
    """What ``launch`` (launch.hpp) calls when not all of the three come by position."""
    launch(stream, config, kernel, *args)


_launch_by_name.__qualname__ = "launch"  # for Python's own errors about the arguments
