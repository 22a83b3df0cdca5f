"""CuPy's and PyTorch's calls for the rows of benchmark_parallel: over the same data, timed in the same way.

usage: parallel_peers.py cupy|torch [--sizes 16,20,24,28] [--only NAME]...
A row: algorithm, log2 n, microseconds per call, whether the result is what NumPy has for it (asked up to 2^20), and
what the call is where it is not the same algorithm. Nothing where the library is missing or knows no GPU.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

SEGMENT_LENGTH, TOP_COUNT, BIN_COUNT = 1024, 1024, 256  # as in parallel/cub/problem.hpp
LARGEST_COMPARED = 20
SIGN = np.uint32(1 << 31)

Array = Any


@dataclass(frozen=True)
class Data:
    """What calls read, n elements of each: as bench.cpp's kernel `fill` makes it."""

    bits: Array  # uint32, at random
    ordered: Array  # the same as int32 in the same order, for a library that cannot sort uint32
    numbers: Array  # float32 in [0, 1)
    same_numbers: Array
    runs: Array  # int32 in runs of 1, 4, 16 and 64
    flags: Array  # bool
    sorted: Array  # uint32 over their whole range
    ordered_sorted: Array  # as `ordered`
    levels: Array  # float32: the bounds of the bins of [0, 1)

    def each(self, change: Callable[[Array], Array]) -> Data:
        return Data(**{name: change(array) for name, array in vars(self).items()})


@dataclass(frozen=True)
class Call:
    call: Callable[[Data], Any]
    expected: Callable[[Data], Any]  # of the same data on the host
    compared: Callable[[Data, Any], Any] = lambda data, result: result
    note: str = ""


def _mixed(x: Array) -> Array:
    x = (x + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)


def _in_order(bits: Array) -> Array:
    return (bits ^ SIGN).view(np.int32)


def _bits(ordered: Array) -> Array:
    return ordered.view(np.uint32) ^ SIGN


class HostData:
    """Arrays of the largest size: those of a smaller one are their beginnings, but for the sorted ones."""

    def __init__(self, largest: int) -> None:
        n = 1 << largest
        self._low, self._bits, self._runs = (np.empty(n, np.uint32) for _ in range(3))
        self._flags = np.empty(n, np.bool_)
        part = min(n, 1 << 20)  # what fits in a core's cache
        for begin in range(0, n, part):
            i = np.arange(begin, begin + part, dtype=np.uint64)
            x = _mixed(i)
            here = slice(begin, begin + part)
            self._low[here] = x & np.uint64(0xFFFFFFFF)
            self._bits[here] = x >> np.uint64(32)
            self._flags[here] = (x >> np.uint64(40)) & np.uint64(1)
            length = (_mixed(i >> np.uint64(7)) & np.uint64(3)) * np.uint64(2)
            self._runs[here] = _mixed(i >> length) & np.uint64(0xFFFFFFFF)

    def of(self, log2: int) -> Data:
        n = 1 << log2
        low, bits = self._low[:n], self._bits[:n]
        shift = np.uint32(32 - log2)
        ascending = (np.arange(n, dtype=np.uint32) << shift) + (low & ((np.uint32(1) << shift) - np.uint32(1)))
        numbers = (low >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)
        return Data(
            bits=bits,
            ordered=_in_order(bits),
            numbers=numbers,
            same_numbers=numbers.copy(),
            runs=self._runs[:n].view(np.int32),
            flags=self._flags[:n],
            sorted=ascending,
            ordered_sorted=_in_order(ascending),
            levels=np.arange(BIN_COUNT + 1, dtype=np.float32) / np.float32(BIN_COUNT),
        )


def _heads(runs: Array) -> Array:
    return np.concatenate([[True], runs[1:] != runs[:-1]])


def _segments(array: Array) -> Array:
    return array.reshape(-1, SEGMENT_LENGTH)


def cupy_calls(cupy: Any) -> dict[str, Call]:
    def alike(call: Callable[[Any, Data], Any], note: str = "") -> Call:
        """One that is written as NumPy's."""
        return Call(lambda data: call(cupy, data), lambda data: call(np, data), note=note)

    return {
        "reduce sum f32": alike(lambda xp, data: data.numbers.sum()),
        "arg-min f32": alike(lambda xp, data: data.numbers.argmin()),
        "min-max f32": alike(lambda xp, data: (data.numbers.min(), data.numbers.max()), "two reductions"),
        "equal f32": alike(lambda xp, data: xp.array_equal(data.numbers, data.same_numbers)),
        "segments of 1024 f32": alike(lambda xp, data: _segments(data.numbers).sum(axis=1)),
        "scan sum f32": alike(lambda xp, data: xp.cumsum(data.numbers)),
        "adjacent difference u32": alike(lambda xp, data: xp.diff(data.bits)),
        "radix keys u32": alike(lambda xp, data: xp.sort(data.bits)),
        "radix pairs u32+u32": Call(
            lambda data: cupy.argsort(data.bits),
            lambda data: np.sort(data.bits),
            lambda data, positions: data.bits[positions],
            "argsort, 64-bit positions",
        ),
        "segmented sort keys u32": alike(lambda xp, data: xp.sort(_segments(data.bits), axis=1)),
        "top 1024 keys u32": Call(
            lambda data: cupy.partition(data.bits, TOP_COUNT - 1)[:TOP_COUNT],
            lambda data: np.sort(data.bits)[:TOP_COUNT],
            lambda data, keys: np.sort(keys),
            "partition",
        ),
        "lower bound u32": alike(lambda xp, data: xp.searchsorted(data.sorted, data.bits), "64-bit positions"),
        "upper bound u32": alike(
            lambda xp, data: xp.searchsorted(data.sorted, data.bits, side="right"), "64-bit positions"
        ),
        "select f32": alike(lambda xp, data: data.numbers[data.numbers > 0.5], "a mask, and waits for the count"),
        "select flagged f32": alike(lambda xp, data: data.numbers[data.flags], "waits for the count"),
        "unique u32": alike(lambda xp, data: xp.unique(data.runs), "sorts"),
        "transform f32": alike(lambda xp, data: data.numbers * 2 + 1, "two kernels"),
        "transform f32*f32": alike(lambda xp, data: data.numbers * data.same_numbers),
        "histogram even f32, 256": alike(lambda xp, data: xp.histogram(data.numbers, BIN_COUNT, (0.0, 1.0))[0]),
        "histogram range f32, 256": alike(lambda xp, data: xp.histogram(data.numbers, data.levels)[0]),
    }


def torch_calls(torch: Any) -> dict[str, Call]:
    def pairs(data: Data, result: Any) -> Any:
        keys, positions = result
        return _bits(keys), data.bits[positions]

    def top(data: Data, result: Any) -> Any:
        return tuple(np.sort(each) for each in pairs(data, result))

    def sort(data: Data) -> Any:
        return tuple(torch.sort(data.ordered))

    def smallest(data: Data) -> Any:
        return tuple(torch.topk(data.ordered, TOP_COUNT, largest=False, sorted=False))

    def twice(array: Array) -> Any:
        return array, array

    sorts = Call(sort, lambda data: twice(np.sort(data.bits)), pairs, "int32 keys with 64-bit positions")
    tops = Call(smallest, lambda data: twice(np.sort(data.bits)[:TOP_COUNT]), top, "int32 keys with 64-bit positions")
    return {
        "reduce sum f32": Call(lambda data: data.numbers.sum(), lambda data: data.numbers.sum()),
        "arg-min f32": Call(
            lambda data: data.numbers.argmin(),
            lambda data: data.numbers.min(),
            lambda data, position: data.numbers[position],  # of equal ones any
        ),
        "min-max f32": Call(
            lambda data: tuple(torch.aminmax(data.numbers)), lambda data: (data.numbers.min(), data.numbers.max())
        ),
        "equal f32": Call(
            lambda data: torch.equal(data.numbers, data.same_numbers), lambda data: True, note="waits for the result"
        ),
        "segments of 1024 f32": Call(
            lambda data: _segments(data.numbers).sum(1), lambda data: _segments(data.numbers).sum(axis=1)
        ),
        "scan sum f32": Call(lambda data: torch.cumsum(data.numbers, 0), lambda data: np.cumsum(data.numbers)),
        "adjacent difference u32": Call(
            lambda data: torch.diff(data.ordered),
            lambda data: np.diff(data.bits),
            lambda data, result: result.view(np.uint32),
            "int32",
        ),
        "radix keys u32": sorts,
        "radix pairs u32+u32": sorts,
        "segmented sort keys u32": Call(
            lambda data: torch.sort(_segments(data.ordered), dim=1).values,
            lambda data: np.sort(_segments(data.bits), axis=1),
            lambda data, result: _bits(result),
            "int32 keys with 64-bit positions",
        ),
        "top 1024 keys u32": tops,
        "top 1024 pairs u32": tops,
        "lower bound u32": Call(
            lambda data: torch.searchsorted(data.ordered_sorted, data.ordered, out_int32=True),
            lambda data: np.searchsorted(data.sorted, data.bits),
            note="int32",
        ),
        "upper bound u32": Call(
            lambda data: torch.searchsorted(data.ordered_sorted, data.ordered, out_int32=True, right=True),
            lambda data: np.searchsorted(data.sorted, data.bits, side="right"),
            note="int32",
        ),
        "select f32": Call(
            lambda data: data.numbers[data.numbers > 0.5],
            lambda data: data.numbers[data.numbers > 0.5],
            note="a mask, and waits for the count",
        ),
        "select flagged f32": Call(
            lambda data: data.numbers[data.flags], lambda data: data.numbers[data.flags], note="waits for the count"
        ),
        "unique u32": Call(
            lambda data: torch.unique_consecutive(data.runs),
            lambda data: data.runs[_heads(data.runs)],
            note="waits for the count",
        ),
        "run-length encode u32": Call(
            lambda data: torch.unique_consecutive(data.runs, return_counts=True),
            lambda data: (
                data.runs[_heads(data.runs)],
                np.diff(np.append(np.flatnonzero(_heads(data.runs)), len(data.runs))),
            ),
            note="64-bit lengths, and waits for the count",
        ),
        "transform f32": Call(lambda data: data.numbers * 2 + 1, lambda data: data.numbers * 2 + 1, note="two kernels"),
        "transform f32*f32": Call(
            lambda data: data.numbers * data.same_numbers, lambda data: data.numbers * data.same_numbers
        ),
        "histogram even f32, 256": Call(
            lambda data: torch.histc(data.numbers, BIN_COUNT, 0.0, 1.0),
            lambda data: np.histogram(data.numbers, BIN_COUNT, (0.0, 1.0))[0],
            note="counts in float32",
        ),
    }


class Cupy:
    def __init__(self) -> None:
        import cupy

        cupy.zeros(1)  # fails where it knows no GPU
        self._cupy = cupy
        self.calls = cupy_calls(cupy)

    def on_device(self, array: Array) -> Array:
        return self._cupy.asarray(array)

    def on_host(self, array: Array) -> Array:
        return self._cupy.asnumpy(array)

    def microseconds(self, call: Callable[[], object], times: int) -> float:
        begin, end = self._cupy.cuda.Event(), self._cupy.cuda.Event()
        begin.record()
        for _ in range(times):
            call()
        end.record()
        end.synchronize()
        return float(self._cupy.cuda.get_elapsed_time(begin, end)) * 1000 / times


class Torch:
    def __init__(self) -> None:
        import torch

        if not torch.cuda.is_available():
            raise ImportError("PyTorch knows no GPU")
        self._torch = torch
        self.calls = torch_calls(torch)

    def on_device(self, array: Array) -> Array:
        # Few of its functions know uint32: what they read is there as int32 too.
        return self._torch.from_numpy(array.view(np.int32) if array.dtype == np.uint32 else array).cuda()

    def on_host(self, array: Array) -> Array:
        return array.cpu().numpy() if isinstance(array, self._torch.Tensor) else np.asarray(array)

    def microseconds(self, call: Callable[[], object], times: int) -> float:
        begin, end = (self._torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(times):
            call()
        end.record()
        end.synchronize()
        return float(begin.elapsed_time(end)) * 1000 / times


def _same(result: Any, expected: Any) -> bool:
    if isinstance(expected, tuple):
        return len(result) == len(expected) and all(map(_same, result, expected))
    result, expected = np.asarray(result), np.asarray(expected)
    if result.shape != expected.shape:
        return False
    if expected.dtype == np.float32:
        return bool(np.allclose(result, expected, rtol=1e-3, atol=1e-3))
    return bool(np.array_equal(result, expected))


def _time(library: Cupy | Torch, call: Callable[[], object]) -> float:
    """As measure_in_turns of bench.cpp: the median of batches of 3 ms at most, but of one call."""
    library.microseconds(call, 1)  # compiles
    first = library.microseconds(call, 3)
    times = int(min(max(3000 / first, 1), 200))
    batches = 1 if first > 100_000 else 7 if times == 1 else 15
    return statistics.median(library.microseconds(call, times) for _ in range(batches))


def measure(library: Cupy | Torch, sizes: list[int], only: list[str]) -> None:
    made = HostData(max(sizes))
    for log2 in sizes:
        host = made.of(log2)
        device = host.each(library.on_device)
        for name, each in library.calls.items():
            if only and name not in only:
                continue
            try:
                result = "-"
                if log2 <= LARGEST_COMPARED:
                    found = each.call(device)
                    parts = tuple(map(library.on_host, found)) if isinstance(found, tuple) else library.on_host(found)
                    result = "equal" if _same(each.compared(host, parts), each.expected(host)) else "DIFFERENT"
                time = _time(library, partial(each.call, device))
            except Exception as error:  # that row has none; the others go on
                print(f"# {name} at 2^{log2}: {type(error).__name__}: {error}".splitlines()[0], file=sys.stderr)
                continue
            print(name, log2, f"{time:.2f}", result, each.note, sep="\t", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("library", choices=["cupy", "torch"])
    parser.add_argument("--sizes", default="16,20,24,28")
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    try:
        library = Cupy() if options.library == "cupy" else Torch()
    except Exception as error:  # not installed, or no GPU that it knows
        print(f"# {options.library} is left out: {error}".splitlines()[0], file=sys.stderr)
        return
    measure(library, [int(each) for each in options.sizes.split(",")], options.only)


if __name__ == "__main__":
    main()
