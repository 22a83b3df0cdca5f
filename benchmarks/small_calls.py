"""What small calls of the parallel algorithms cost, beside CuPy's and PyTorch's in the same process, where they are
installed: calls over host data, calls of built algorithms, and builds.

usage: small_calls.py [one-shot] [built] [builds]    without any of them all three
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import cuprum.parallel as par
import numpy as np
from cuprum.core import Device, Stream

Call = Callable[[], object]


def _module(name: str) -> Any:
    try:
        module = __import__(name)
        if name == "torch" and not module.cuda.is_available():
            return None
        if name == "cupy":
            module.zeros(1)
        return module
    except Exception:  # not installed, or no GPU that it knows
        return None


def microseconds(calls: dict[str, Call], between: Call, *, batch: int, batches: int = 15) -> dict[str, float]:
    """The median of the batches of each, in turns."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        for _ in range(3):
            call()
        between()
    for _ in range(batches):
        for name, call in calls.items():
            begin = time.perf_counter()
            for _ in range(batch):
                call()
            times[name].append((time.perf_counter() - begin) / batch * 1e6)
            between()
    return {name: statistics.median(each) for name, each in times.items()}


def row(what: str, size: str, costs: dict[str, float]) -> None:
    ours, *others = costs.items()
    text = f"{what}\t{size}\t{ours[1]:9.1f} us"
    for name, cost in others:
        text += f"\t{name} {cost:9.1f} us\tcuprum / {name} {ours[1] / cost:.2f}"
    print(text, flush=True)


def one_shot() -> None:
    cupy = _module("cupy")
    print("# over host data, in one call")
    generator = np.random.default_rng(1)
    is_gpu = not Device(0).name.startswith("Cuprum")
    for log2 in (0, 10, 14, 16, 18, 20, 22, 24) if is_gpu else (0, 10, 14):
        count = 1000 if log2 == 0 else 1 << log2
        size = "1000" if log2 == 0 else f"2^{log2}"
        data = generator.random(count, dtype=np.float32)
        batch = max(1, min(200, (1 << 22) // count)) if is_gpu else 5
        for name, each in _one_shot_calls(data, cupy).items():
            row(name, size, microseconds(each, lambda: None, batch=batch, batches=9))


def _one_shot_calls(data: Any, cupy: Any) -> dict[str, dict[str, Call]]:
    calls: dict[str, dict[str, Call]] = {
        "reduce": {"cuprum": lambda: par.reduce(data)},
        "sort": {"cuprum": lambda: par.sort(data)},
        "scan": {"cuprum": lambda: par.scan(data)},
        "sum of a lambda": {"cuprum": lambda: par.reduce(data, 0.0, lambda a, b: a + b)},
    }
    if cupy:
        calls["reduce"]["CuPy"] = lambda: cupy.asarray(data).sum().item()
        calls["sort"]["CuPy"] = lambda: cupy.asnumpy(cupy.sort(cupy.asarray(data)))
        calls["scan"]["CuPy"] = lambda: cupy.asnumpy(cupy.cumsum(cupy.asarray(data)))
        assert np.array_equal(par.sort(data), np.sort(data))
    return calls


def built() -> None:
    """The device's time hides behind the calls' own: host time, asynchronous."""
    count = 1 << 10
    data = np.arange(count, dtype=np.float32)
    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    print(f"# calls of built algorithms over 2^10 elements: host time, asynchronous, {device.name}")
    kinds: dict[str, tuple[Any, Any, dict[str, Call]]] = {
        "DeviceArray": (par.DeviceArray.from_numpy(data), par.DeviceArray.empty(count, np.float32), {})
    }
    if cupy := _module("cupy"):
        array = cupy.asarray(data)
        kinds["CuPy's arrays"] = array, cupy.empty_like(array), {"d.sum()": lambda: array.sum()}
    if torch := _module("torch"):
        tensor = torch.from_numpy(data).cuda()
        kinds["PyTorch's tensors"] = tensor, torch.empty_like(tensor), {"d.sum()": lambda: tensor.sum()}
    for name, (d_in, d_out, others) in kinds.items():
        for what, call in _built_calls(d_in, d_out, count, stream).items():
            costs = microseconds({"cuprum": call, **others}, device.sync, batch=200)
            row(f"{what}, {name}", f"{count}", costs)


def _built_calls(d_in: Any, d_out: Any, count: int, stream: Stream) -> dict[str, Call]:
    reduce = par.make_reduce_into(d_in=d_in, d_out=d_out, op=par.OpKind.PLUS, h_init=0.0)
    scan = par.make_inclusive_scan(d_in=d_in, d_out=d_out, op=par.OpKind.PLUS)
    square = par.make_unary_transform(d_in=d_in, d_out=d_out, op="a * a")
    arrays: Any = {"d_in": d_in, "d_out": d_out, "num_items": count}
    return {
        "reduce": lambda: reduce(temp_storage=par.POOL, **arrays, h_init=0.0),
        "reduce in a stream": lambda: reduce(temp_storage=par.POOL, **arrays, h_init=0.0, stream=stream),
        "inclusive scan in a stream": lambda: scan(temp_storage=par.POOL, **arrays, stream=stream),
        "transform in a stream": lambda: square(**arrays, stream=stream),
    }


_MAKERS: dict[str, Callable[[Any, Any, Any], object]] = {
    "reduce sum": lambda a, b, n: par.make_reduce_into(d_in=a, d_out=b, op=par.OpKind.PLUS, h_init=0.0),
    "reduce own operator": lambda a, b, n: par.make_reduce_into(
        d_in=a, d_out=b, op="fabsf(a) > fabsf(b) ? a : b", h_init=0.0
    ),
    "argmin": lambda a, b, n: par.make_argmin_into(d_in=a),
    "inclusive scan": lambda a, b, n: par.make_inclusive_scan(d_in=a, d_out=b, op=par.OpKind.PLUS),
    "radix sort": lambda a, b, n: par.make_radix_sort(d_in_keys=a, d_out_keys=b),
    "radix sort of pairs": lambda a, b, n: par.make_radix_sort(
        d_in_keys=a, d_out_keys=b, d_in_values=a, d_out_values=b
    ),
    "merge sort": lambda a, b, n: par.make_merge_sort(d_in_keys=a, d_out_keys=b, op="a < b"),
    "transform": lambda a, b, n: par.make_unary_transform(d_in=a, d_out=b, op="a * a"),
    "select": lambda a, b, n: par.make_select(d_in=a, d_out=b, d_num_selected_out=n, cond="a > 1"),
    "unique by key": lambda a, b, n: par.make_unique_by_key(
        d_in_keys=a, d_in_items=a, d_out_keys=b, d_out_items=b, d_out_num_selected=n, op=par.OpKind.EQUAL_TO
    ),
    "reduce by key": lambda a, b, n: par.make_reduce_by_key(
        d_in_keys=a, d_in_values=a, d_out_keys=b, d_out_values=b, d_num_runs_out=n, op=par.OpKind.PLUS
    ),
    "top keys": lambda a, b, n: par.make_topk_max_keys(d_in_keys=a, d_out_keys=b),
}


def _build_all() -> None:
    """In a process of its own: how long each takes, as JSON."""
    from cuprum.core import Program

    data = np.arange(16, dtype=np.float32)
    d_in, d_out = par.DeviceArray.from_numpy(data), par.DeviceArray.empty(16, np.float32)
    number = par.DeviceArray.empty(1, np.uint64)
    Program('extern "C" __global__ void first() {}').compile()  # loads the compiler
    times = {}
    for name, make in _MAKERS.items():
        begin = time.perf_counter()
        try:
            make(d_in, d_out, number)
        except TypeError as error:
            times[name] = str(error)
            continue
        times[name] = f"{(time.perf_counter() - begin) * 1e3:.1f}"
    print(json.dumps(times))


def builds() -> None:
    print("# builds, each alone: milliseconds without and with the cache on disk")
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "CUPRUM_CACHE_DIR": folder, "CUPRUM_CACHE": ""}
        runs = []
        for _ in range(2):
            command = [sys.executable, __file__, "build-all"]
            output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
            runs.append(json.loads(output.splitlines()[-1]))
    for name in _MAKERS:
        print(f"{name}\tcold {runs[0][name]} ms\tfrom disk {runs[1][name]} ms", flush=True)


def main(chosen: list[str]) -> None:
    if chosen == ["build-all"]:
        _build_all()
        return
    for name, part in {"one-shot": one_shot, "built": built, "builds": builds}.items():
        if not chosen or name in chosen:
            part()


if __name__ == "__main__":
    main(sys.argv[1:])
