"""Caches of compiled programs that a program keeps itself, under the names of ``cuda.core.utils``.

Cuprum keeps what it compiles on disk by itself (docs/compile-cache.md); these are for programs that want a cache of
their own: ``Program.compile(..., cache=...)``, or entries by keys of ``make_program_cache_key``.
"""

from __future__ import annotations

import abc
import hashlib
import os
import pathlib
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from cuprum._native import _cuprum, version

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from cuprum.core._module import ObjectCode
    from cuprum.core._program import ProgramOptions

    Key: TypeAlias = bytes | str
    Code: TypeAlias = bytes | bytearray | memoryview | ObjectCode

__all__ = ["FileStreamProgramCache", "InMemoryProgramCache", "ProgramCacheResource", "make_program_cache_key"]

_FORMAT = b"cuprum program cache 1"


def _key(key: object) -> bytes:
    if isinstance(key, str):
        return key.encode()
    if isinstance(key, bytes):
        return key
    raise TypeError(f"the key of a cached program is bytes or a str, not {type(key).__name__}")


def _bytes(value: object) -> bytes:
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    code = getattr(value, "code", None)
    if isinstance(code, str):  # a file's name
        return pathlib.Path(code).read_bytes()
    if isinstance(code, bytes):
        return code
    raise TypeError(f"a cached program is bytes or an ObjectCode, not {type(value).__name__}")


def _limit(max_size_bytes: int | None) -> int | None:
    if max_size_bytes is not None and max_size_bytes < 0:
        raise ValueError(f"max_size_bytes must not be negative, and is {max_size_bytes}")
    return max_size_bytes


class ProgramCacheResource(abc.ABC):
    """Compiled code by keys. What a program derives from for a cache of its own kind."""

    @abc.abstractmethod
    def __getitem__(self, key: Key) -> bytes: ...

    @abc.abstractmethod
    def __setitem__(self, key: Key, value: Code) -> None: ...

    @abc.abstractmethod
    def __delitem__(self, key: Key) -> None: ...

    @abc.abstractmethod
    def __len__(self) -> int: ...

    @abc.abstractmethod
    def clear(self) -> None:
        """Removes all entries."""

    def get(self, key: Key, default: bytes | None = None) -> bytes | None:
        """The code of that key, or the default."""
        try:
            return self[key]
        except KeyError:
            return default

    def update(self, items: Mapping[Key, Code] | Iterable[tuple[Key, Code]], /) -> None:
        """Adds entries."""
        for key, value in items.items() if isinstance(items, Mapping) else items:
            self[key] = value

    def close(self) -> None:  # noqa: B027
        """Lets go of what the cache holds open; nothing here."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class InMemoryProgramCache(ProgramCacheResource):
    """A cache of this process, of at most ``max_size_bytes``: what was used longest ago goes first. Thread-safe."""

    def __init__(self, *, max_size_bytes: int | None = None) -> None:
        """An empty cache; without a limit unless one is given."""
        self._limit = _limit(max_size_bytes)
        self._entries: OrderedDict[bytes, bytes] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def __getitem__(self, key: Key) -> bytes:
        with self._lock:
            self._entries.move_to_end(_key(key))
            return self._entries[_key(key)]

    def __setitem__(self, key: Key, value: Code) -> None:
        code = _bytes(value)
        with self._lock:
            self._size += len(code) - len(self._entries.pop(_key(key), b""))
            self._entries[_key(key)] = code
            while self._limit is not None and self._size > self._limit:
                self._size -= len(self._entries.popitem(last=False)[1])

    def __delitem__(self, key: Key) -> None:
        with self._lock:
            self._size -= len(self._entries.pop(_key(key)))

    def __len__(self) -> int:
        return len(self._entries)

    def clear(self) -> None:
        """Removes all entries."""
        with self._lock:
            self._entries.clear()
            self._size = 0


class FileStreamProgramCache(ProgramCacheResource):
    """A cache in a folder, which processes share: each entry is a file that is written completely or not at all.

    What was written or read longest ago goes first where there is more than ``max_size_bytes``.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, max_size_bytes: int | None = None) -> None:
        """A cache in that folder, which is made; ``programs`` in that of the compile cache if none is given."""
        self._limit = _limit(max_size_bytes)
        if path is None:
            home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
            path = os.path.join(os.environ.get("CUPRUM_CACHE_DIR") or os.path.join(home, "cuprum"), "programs")
        self._folder = pathlib.Path(path)
        self._folder.mkdir(parents=True, exist_ok=True)

    def _file(self, key: object) -> pathlib.Path:
        return self._folder / (hashlib.sha256(_key(key)).hexdigest() + ".bin")

    def __getitem__(self, key: Key) -> bytes:
        file = self._file(key)
        try:
            stored = file.read_bytes()
        except FileNotFoundError:
            raise KeyError(key) from None
        checksum, code = stored[:32], stored[32:]
        if hashlib.sha256(code).digest() != checksum:  # damaged: as if it were not there
            file.unlink(missing_ok=True)
            raise KeyError(key)
        os.utime(file)
        return code

    def __setitem__(self, key: Key, value: Code) -> None:
        code = _bytes(value)
        handle, name = tempfile.mkstemp(dir=self._folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(code).digest() + code)
            os.replace(name, self._file(key))
        except BaseException:
            pathlib.Path(name).unlink(missing_ok=True)
            raise
        self._shrink()

    def __delitem__(self, key: Key) -> None:
        try:
            self._file(key).unlink()
        except FileNotFoundError:
            raise KeyError(key) from None

    def __len__(self) -> int:
        return sum(1 for _ in self._folder.glob("*.bin"))

    def clear(self) -> None:
        """Removes all entries."""
        for file in self._folder.glob("*.bin"):
            file.unlink(missing_ok=True)

    def _shrink(self) -> None:
        if self._limit is None:
            return
        entries = []
        for file in self._folder.glob("*.bin"):
            try:
                status = file.stat()
            except FileNotFoundError:  # another process has removed it
                continue
            entries.append((status.st_mtime_ns, status.st_size, file))
        size = sum(entry[1] for entry in entries)
        for _, bytes_, file in sorted(entries, key=lambda entry: entry[0]):
            if size <= self._limit:
                return
            file.unlink(missing_ok=True)
            size -= bytes_


def _arch_of_device() -> str:
    """What is compiled for where no architecture is given; "" where there is no device."""
    from cuprum._errors import Error
    from cuprum.core._device import Device

    try:
        return Device().arch
    except Error:
        return ""


def make_program_cache_key(
    *,
    code: str | bytes,
    code_type: str,
    options: ProgramOptions,
    target_type: str,
    name_expressions: Sequence[str | bytes | bytearray] = (),
    extra_digest: bytes | None = None,
) -> bytes:
    """A key that differs where the compiled code may: by source, options, target, names and the compiler's version.

    Headers are not looked into: ValueError for options that read files (``include_path``, ``pre_include`` and
    precompiled headers) unless ``extra_digest`` stands for what they hold, and so for sources with ``#include``.
    """
    source = code.encode() if isinstance(code, str) else bytes(code)
    reads_files = [
        name
        for name in ("include_path", "pre_include", "pch", "create_pch", "use_pch", "pch_dir", "extra_sources")
        if getattr(options, name)
    ]
    if extra_digest is None and (reads_files or (code_type == "c++" and b"#include" in source)):
        what = ", ".join(reads_files) or "#include"
        raise ValueError(f"the program reads files ({what}): give extra_digest, a digest of what they hold")
    compiler: Any = _cuprum.cuprum_driver_version() if code_type == "ptx" else _cuprum.cuprum_nvrtc_version()
    arch = options.arch or _arch_of_device()
    parts: list[bytes] = [
        _FORMAT,
        version().encode(),
        repr(compiler).encode(),
        code_type.encode(),
        target_type.encode(),
        arch.encode(),
    ]
    parts += [source, repr(options.name).encode(), *(text.encode() for text in options.as_options())]
    parts += [b"names", *(each.encode() if isinstance(each, str) else bytes(each) for each in name_expressions)]
    parts += [b"extra", extra_digest or b""]
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()
