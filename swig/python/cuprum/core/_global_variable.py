"""Variables of compiled code, as memory and as NumPy values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum._errors import InvalidArgument
from cuprum.core._buffer import Buffer
from cuprum.core._stream import as_stream

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from cuprum.core._stream import IsStreamType, Stream


class GlobalVariable(Buffer):
    """A ``__device__``, ``__constant__`` or ``__managed__`` variable on one device. From ``ObjectCode.get_global``.

    As memory it is a buffer like others. As values it is read and written as a whole, by NumPy: InvalidArgument where
    its size is another one. With a stream that takes place after the work so far in it, which is waited for; without
    one as the copies that have no stream.
    """

    __slots__ = ("_name",)

    _name: str

    @classmethod
    def _of(cls, native: int, name: str) -> GlobalVariable:
        variable = cls._borrowed(native, None)
        assert isinstance(variable, GlobalVariable)
        variable._name = name
        return variable

    @property
    def name(self) -> str:
        """The name that it was asked for by."""
        return self._name

    def value(self, dtype: npt.DTypeLike, *, stream: Stream | IsStreamType | None = None) -> Any:
        """The variable as one NumPy scalar of that type, a struct's for a structured one."""
        import numpy as np

        self._require(np.dtype(dtype).itemsize, f"a value of {np.dtype(dtype)}")
        return self.values(dtype, stream=stream)[0]

    def set_value(self, value: Any, dtype: npt.DTypeLike, *, stream: Stream | IsStreamType | None = None) -> None:
        """Writes one value, converted to that type."""
        import numpy as np

        self.set_values(np.array([value], dtype), stream=stream)

    def values(self, dtype: npt.DTypeLike, *, stream: Stream | IsStreamType | None = None) -> np.ndarray[Any, Any]:
        """The variable as a new one-dimensional array of that type."""
        import numpy as np

        kind = np.dtype(dtype)
        if kind.itemsize == 0 or self.size % kind.itemsize != 0:
            raise InvalidArgument(
                f"the variable {self._name} has {self.size} bytes, no whole number of values of {kind} "
                f"({kind.itemsize} bytes): ask for values of the variable's own type"
            )
        found = np.empty(self.size // kind.itemsize, kind)
        self.copy_to_host(found, stream=stream)
        self._wait(stream)
        return found

    def set_values(
        self, values: npt.ArrayLike, dtype: npt.DTypeLike | None = None, *, stream: Stream | IsStreamType | None = None
    ) -> None:
        """Writes an array, converted to that type if one is given; its shape may be any."""
        import numpy as np

        given = np.ascontiguousarray(values, dtype)
        self._require(given.nbytes, f"{given.size} of {given.dtype}")
        self.copy_from_host(given.reshape(-1).view(np.uint8), stream=stream)
        self._wait(stream)

    def _require(self, size: int, what: str) -> None:
        if size != self.size:
            raise InvalidArgument(
                f"the variable {self._name} has {self.size} bytes, and {what} has {size}: give a value, or values, of "
                "the variable's own type"
            )

    @staticmethod
    def _wait(stream: Stream | IsStreamType | None) -> None:
        if stream is not None:
            as_stream(stream).sync()
