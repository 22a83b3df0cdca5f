"""Copies and fills of rows at a distance from each other, as in a part of a matrix or of a volume."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core._members import BufferMembers
from cuprum.core._stream import native_stream

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from cuprum.core._lazy_dataclass import dataclass

if TYPE_CHECKING:
    from cuprum._typing import HostMemory
    from cuprum.core._buffer import Buffer
    from cuprum.core._stream import IsStreamType, Stream


@dataclass(frozen=True)
class Region:
    """``depth`` slices of ``height`` rows of ``width`` bytes each, within a buffer or host memory.

    - ``width``: bytes in a row.
    - ``height``: rows in a slice.
    - ``depth``: slices.
    - ``offset``: bytes from the start of the memory to the first row.
    - ``row_pitch``: bytes from the start of a row to the start of the next; 0 means ``width``.
    - ``slice_pitch``: bytes from the start of a slice to the start of the next; 0 means ``height * row_pitch``.

    Rows must not overlap one another, and neither must slices.
    """

    width: int
    height: int = 1
    depth: int = 1
    offset: int = 0
    row_pitch: int = 0
    slice_pitch: int = 0

    def packed(self) -> Region:
        """A region of the same shape at the start of its memory, without gaps."""
        return Region(self.width, self.height, self.depth)

    def _numbers(self) -> tuple[int, int, int, int, int, int]:
        return self.width, self.height, self.depth, self.offset, self.row_pitch, self.slice_pitch


def fill_pattern(value: int | bytes | bytearray | memoryview) -> tuple[int, int]:
    """The pattern that ``fill`` takes, as a number, and its size in bytes."""
    if isinstance(value, int):
        if not 0 <= value <= 255:
            raise ValueError(f"a fill value is a byte, 0 to 255, not {value}; pass bytes for a wider pattern")
        pattern = bytes([value])
    else:
        try:
            pattern = bytes(memoryview(value))
        except TypeError:
            raise TypeError(
                f"a fill value is an int from 0 to 255 or a pattern in bytes, not {type(value).__name__}: "
                "np.float32(1.5).tobytes() is the pattern of a float"
            ) from None
        if len(pattern) not in (1, 2, 4):
            raise ValueError(f"a fill pattern has 1, 2 or 4 bytes, not {len(pattern)}")
    return int.from_bytes(pattern, "little"), len(pattern)


def _region_of(name: str, region: Region) -> Region:
    if not isinstance(region, Region):
        raise TypeError(f"{name} must be a Region, not {type(region).__name__}")
    return region


def _other_region(name: str, given: Region | None, region: Region) -> Region:
    return region.packed() if given is None else _region_of(name, given)


class BufferRegions(BufferMembers):
    """What buffers have for regions.

    Both regions of a copy have the same width, height and depth. What does not fit into its memory, and a source that
    overlaps the destination, is an InvalidArgument. For the rest they are as the copies of ``Buffer``.
    """

    __slots__ = ()

    def copy_region_from(
        self, src: Buffer, region: Region, src_region: Region | None = None, *, stream: Stream | IsStreamType
    ) -> None:
        """Copies a region of another buffer into a region of this one.

        ``src_region``: by default one of the same shape at the start of ``src``, without gaps.
        """
        from cuprum.core._buffer import Buffer

        operation = _operations.BUFFER_COPY_REGION
        if not isinstance(src, Buffer):
            raise TypeError(
                f"src must be a Buffer, not {type(src).__name__}; copy_region_from_host() copies host memory"
            )
        to = _region_of("region", region)
        origin = _other_region("src_region", src_region, region)
        native = self._open_native(operation)
        native_of_stream, _ = native_stream(stream, operation)
        _cuprum.cuprum_buffer_copy_region(
            native, *to._numbers(), src._open_native(operation), *origin._numbers(), native_of_stream
        )

    def _handles_of_host_copy(
        self, stream: Stream | IsStreamType | None, operation: str
    ) -> tuple[int, int, Stream | None]:
        """Of the buffer and the stream, and the stream to keep. Without one, waits for the default stream first."""
        native = self._open_native(operation)
        native_of_stream, keep = native_stream(stream, operation)
        if keep is None:
            _cuprum.sync_default_stream(_cuprum.cuprum_buffer_device(native))
        return native, native_of_stream, keep

    def copy_region_from_host(
        self,
        source: HostMemory,
        region: Region,
        source_region: Region | None = None,
        *,
        stream: Stream | IsStreamType | None = None,
    ) -> None:
        """Copies a region of host memory into a region of this buffer.

        ``source`` is anything contiguous with the buffer protocol. ``source_region``: by default one of the same shape
        at its start, without gaps.
        """
        operation = _operations.BUFFER_COPY_REGION_FROM_HOST
        to = _region_of("region", region)
        origin = _other_region("source_region", source_region, region)
        native, native_of_stream, keep = self._handles_of_host_copy(stream, operation)
        _cuprum.cuprum_buffer_copy_region_from_host(
            native, *to._numbers(), source, *origin._numbers(), native_of_stream
        )
        if keep is not None:
            keep._hold(source)

    def copy_region_to_host(
        self,
        destination: HostMemory,
        region: Region,
        destination_region: Region | None = None,
        *,
        stream: Stream | IsStreamType | None = None,
    ) -> None:
        """Copies a region of this buffer into a region of host memory.

        ``destination`` is anything contiguous and writable with the buffer protocol. ``destination_region``: by default
        one of the same shape at its start, without gaps.
        """
        operation = _operations.BUFFER_COPY_REGION_TO_HOST
        origin = _region_of("region", region)
        to = _other_region("destination_region", destination_region, region)
        native, native_of_stream, keep = self._handles_of_host_copy(stream, operation)
        _cuprum.cuprum_buffer_copy_region_to_host(
            destination, *to._numbers(), native, *origin._numbers(), native_of_stream
        )
        if keep is not None:
            keep._hold(destination)

    def fill_region(
        self, value: int | bytes | bytearray | memoryview, region: Region, *, stream: Stream | IsStreamType
    ) -> None:
        """Fills a region with a byte (0 to 255), or with a pattern of 1, 2 or 4 bytes.

        The width, the pitches and the address of the first row must be multiples of the pattern's size.
        """
        operation = _operations.BUFFER_FILL_REGION
        numbers = _region_of("region", region)._numbers()
        pattern = fill_pattern(value)
        native = self._open_native(operation)
        native_of_stream, _ = native_stream(stream, operation)
        _cuprum.cuprum_buffer_fill_region(native, *numbers, *pattern, native_of_stream)
