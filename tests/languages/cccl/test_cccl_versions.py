"""The algorithms are compiled from the CUB of every CCCL that is known, and with the NVRTC of CUDA 12."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

# One build of each kind of kernel, checked against NumPy; then of which versions they were.
PROGRAM = """
import numpy as np
from cuprum import _cuprum
from cuprum.core import Device
from cuprum.parallel import (
    DeviceArray, argmin, histogram_even, inclusive_scan_by_key, inclusive_segmented_scan, min_max, non_trivial_runs,
    partition_flagged, reduce, reduce_by_key, scan, segmented_reduce, segmented_sort, select, sort,
    three_way_partition, topk_max_keys, transform, unique, unique_by_key,
)

data = np.random.default_rng(7).integers(0, 1000, 20011).astype(np.int32)
assert reduce(data, 0, lambda a, b: a + b) == data.sum()
assert argmin(data) == data.argmin()
assert (scan(data, op="a + b") == np.cumsum(data)).all()
assert (sort(data) == np.sort(data)).all()
order = np.argsort(-data, kind="stable")
assert (sort(data, op=lambda a, b: a > b) == data[order]).all()
assert (transform(data, lambda a, b: a * b, second=data) == data * data).all()
assert (select(data, lambda a: a > 500) == data[data > 500]).all()
keys = np.repeat(np.arange(3000, dtype=np.int32), 7)
kept, values = unique_by_key(keys, np.arange(len(keys), dtype=np.int64))
assert (kept == keys[::7]).all() and (values == np.arange(0, len(keys), 7)).all()

begins, ends = np.array([0, 3, 3, 11, 5000], np.int32), np.array([3, 3, 11, 5000, 20011], np.int32)
Device().set_current()
stream = Device().create_stream()
sums = DeviceArray.empty(5, np.int32)
segmented_reduce(
    d_in=DeviceArray.from_numpy(data), d_out=sums, start_offsets_in=DeviceArray.from_numpy(begins),
    end_offsets_in=DeviceArray.from_numpy(ends), op="a + b", h_init=0, stream=stream,
)
stream.sync()
assert sums.to_numpy().tolist() == [data[b:e].sum() for b, e in zip(begins, ends)]

on_device = DeviceArray.from_numpy(data)
sorted_segments = DeviceArray.empty(20011, np.int32)
segmented_sort(
    d_in_keys=on_device, d_out_keys=sorted_segments, start_offsets_in=DeviceArray.from_numpy(begins),
    end_offsets_in=DeviceArray.from_numpy(ends), stream=stream,
)
parts, sizes = [DeviceArray.empty(20011, np.int32) for _ in range(3)], DeviceArray.empty(2, np.int64)
three_way_partition(
    d_in=on_device, d_first_part_out=parts[0], d_second_part_out=parts[1], d_unselected_out=parts[2],
    d_num_selected_out=sizes, select_first_part_op="a < 300", select_second_part_op="a > 700", stream=stream,
)
counts = DeviceArray.empty(10, np.int32)
histogram_even(
    d_samples=on_device, d_histogram=counts, num_output_levels=11, lower_level=0, upper_level=1000, stream=stream
)
stream.sync()
assert sorted_segments.to_numpy().tolist() == [x for b, e in zip(begins, ends) for x in sorted(data[b:e])]
first, second = sizes.to_numpy()
assert (parts[0].to_numpy()[:first] == data[data < 300]).all()
assert (parts[1].to_numpy()[:second] == data[data > 700]).all()
assert (counts.to_numpy() == np.histogram(data, 10, (0, 1000))[0]).all()

of_keys, written = DeviceArray.from_numpy(keys), DeviceArray.empty(len(keys), np.int32)
sums, offsets, lengths = [DeviceArray.empty(len(keys), np.int32) for _ in range(3)]
number = DeviceArray.empty(1, np.int64)
reduce_by_key(
    d_in_keys=of_keys, d_in_values=of_keys, d_out_keys=written, d_out_values=sums, d_num_runs_out=number, op="a + b",
    stream=stream,
)
non_trivial_runs(d_in=of_keys, d_offsets_out=offsets, d_lengths_out=lengths, d_num_runs_out=number, stream=stream)
stream.sync()
assert (written.to_numpy()[:3000] == keys[::7]).all() and (sums.to_numpy()[:3000] == 7 * keys[::7]).all()
assert number.to_numpy()[0] == 3000 and (lengths.to_numpy()[:3000] == 7).all()
assert (offsets.to_numpy()[:3000] == np.arange(0, len(keys), 7)).all()
reduce_by_key(
    d_in_keys=of_keys, d_in_values=of_keys, d_out_keys=written, d_out_values=sums, d_num_runs_out=number, op="a + b",
    equality_op="a / 100 == b / 100", stream=stream,
)
stream.sync()
assert (written.to_numpy()[:30] == keys[::700]).all()
inclusive_scan_by_key(d_in_keys=of_keys, d_in_values=of_keys, d_out=sums, op="a + b", stream=stream)
stream.sync()
assert (sums.to_numpy() == keys * (1 + np.arange(len(keys)) % 7)).all()
inclusive_segmented_scan(
    d_in=of_keys, d_out=sums, op="a + b", stream=stream,
    start_offsets_in=DeviceArray.from_numpy(np.array([0], np.int32)),
    end_offsets_in=DeviceArray.from_numpy(np.array([len(keys)], np.int32)),
)
extremes, top = DeviceArray.empty(2, np.int32), DeviceArray.empty(50, np.int32)
min_max(d_in=on_device, d_out=extremes, stream=stream)
topk_max_keys(d_in_keys=on_device, d_out_keys=top, k=50, stream=stream)
stream.sync()
assert (sums.to_numpy() == np.cumsum(keys)).all()
assert extremes.to_numpy().tolist() == [data.min(), data.max()]
assert (np.sort(top.to_numpy()) == np.sort(data)[-50:]).all()
unique(d_in=of_keys, d_out=written, d_num_selected_out=number, stream=stream)
stream.sync()
assert (written.to_numpy()[:3000] == keys[::7]).all()
partition_flagged(d_in=of_keys, d_flags=of_keys, d_out=written, d_num_selected_out=number, stream=stream)
stream.sync()
assert number.to_numpy()[0] == len(keys) - 7 and (written.to_numpy()[-7:] == 0).all()
print(_cuprum.cuprum_nvrtc_version()[0])
"""


SHORT_PROGRAM = """
import numpy as np
from cuprum.parallel import reduce

print(reduce(np.array([1, 2, 3], np.int32), 0, "a + b"))
"""


def run(program: str = PROGRAM, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CUPRUM_SIM")}
    environment.pop("CUPRUM_TOOLKIT", None)
    environment |= {"CUPRUM_DRIVER": "sim"} | variables
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment, timeout=300
    )


def cuda12() -> pathlib.Path:
    folder = pathlib.Path(os.environ["CUPRUM_TEST_CUDA12"])
    assert folder.is_dir(), f"{folder} is not there; ./run test installs it"
    return folder


def with_cuda12() -> dict[str, str]:
    """The environment in which that toolkit is found and taken."""
    return {"CUPRUM_TOOLKIT": "12", "PYTHONPATH": os.environ["PYTHONPATH"] + os.pathsep + str(cuda12())}


def cccl(version: str) -> str:
    wheel = pathlib.Path(os.environ["CUPRUM_TEST_CCCL"]) / version / "nvidia"
    places = [wheel / "cu13" / "include" / "cccl", wheel / "cuda_cccl" / "include"]  # of CUDA 13 and 12
    folders = [folder for folder in places if folder.is_dir()]
    assert folders, f"{wheel} is not there; ./run test installs it"
    return str(folders[0])


# scripts/cccl-versions.txt is the one list of them: the oldest line first.
LISTED = pathlib.Path(__file__).parents[3] / "scripts" / "cccl-versions.txt"
VERSIONS = [line.split()[0] for line in LISTED.read_text().splitlines() if not line.startswith("#")]
# From 9.0 on, and from 10.0 on, CUB has other kernels and tunings.
CAPABILITIES = {"2.8": ["9.0"], "3.1": ["8.0"], "3.2": ["9.0"], "3.3": ["9.0"], "3.4": ["10.0"], "3.5": ["9.0", "10.0"]}


@pytest.mark.parametrize(
    ("version", "compute_capability"),
    [(version, capability) for version in VERSIONS for capability in CAPABILITIES.get(version, ["8.0", "9.0", "10.0"])],
)
def test_the_known_versions_give_the_same(version: str, compute_capability: str) -> None:
    toolkit = "12" if version.startswith("2.") else "13"
    result = run(
        CUPRUM_CCCL_PATH=cccl(version),
        CUPRUM_SIM=f"cc={compute_capability}",
        **(with_cuda12() if toolkit == "12" else {}),
    )
    assert (result.returncode, result.stdout.strip()) == (0, toolkit), result.stderr


def test_cuda_12_takes_a_known_cccl_of_this_machine() -> None:
    result = run(**with_cuda12())
    assert (result.returncode, result.stdout.strip()) == (0, "12"), result.stderr


def test_an_older_version_is_refused_with_those_that_are_known() -> None:
    folder = cuda12() / "nvidia" / "cuda_cccl" / "include"
    result = run(CUPRUM_CCCL_PATH=str(folder))
    assert result.returncode == 1
    for part in (f"CCCL 2.3 in {folder}", "expected", "CCCL 2.8 to 3.5", "nvidia-cuda-cccl==13.0.*"):
        assert part in result.stderr


def change(folder: pathlib.Path, file: str, change_text: Callable[[str], str]) -> None:
    """Changes one file of a folder of links, in which folders on the way to it become folders of links too."""
    name, _, rest = file.partition("/")
    entry = folder / name
    original = entry.resolve()
    if not rest:
        text = change_text(entry.read_text())
        entry.unlink()
        entry.write_text(text)
        return
    if entry.is_symlink():
        entry.unlink()
        entry.mkdir()
        for part in original.iterdir():
            (entry / part.name).symlink_to(part)
    change(entry, rest, change_text)


def newer_cccl(folder: pathlib.Path) -> pathlib.Path:
    """The newest listed version under a number that is not known yet."""
    copy = folder / "cccl"
    copy.mkdir()
    for part in pathlib.Path(cccl(VERSIONS[-1])).iterdir():
        (copy / part.name).symlink_to(part)
    for file, name, number in [
        ("cuda/std/__cccl/version.h", "CCCL_VERSION", "3099000"),
        ("cub/version.cuh", "CUB_VERSION", "309900"),
        ("thrust/version.h", "THRUST_VERSION", "309900"),
    ]:
        pattern = re.compile(rf"^(# *define {name}) +\d+", re.MULTILINE)
        change(copy, file, lambda text, pattern=pattern, number=number: pattern.sub(rf"\1 {number}", text))  # type: ignore[misc]
    return copy


def test_a_newer_version_is_tried(tmp_path: pathlib.Path) -> None:
    result = run(SHORT_PROGRAM, CUPRUM_CCCL_PATH=str(newer_cccl(tmp_path)))
    assert (result.returncode, result.stdout.strip()) == (0, "6"), result.stderr


def test_a_newer_version_that_does_not_compile_is_named(tmp_path: pathlib.Path) -> None:
    folder = newer_cccl(tmp_path)
    change(folder, "cub/device/dispatch/tuning/tuning_reduce.cuh", lambda _: "")
    result = run(SHORT_PROGRAM, CUPRUM_CCCL_PATH=str(folder))
    assert result.returncode == 1
    for part in (f"CCCL 3.99 in {folder}", "newer than those that Cuprum knows (2.8 to 3.5)", "CUPRUM_CCCL_PATH"):
        assert part in result.stderr


def test_a_folder_without_cccl_is_refused() -> None:
    result = run(CUPRUM_CCCL_PATH="/nowhere")
    assert result.returncode == 1
    assert "no CCCL in /nowhere" in result.stderr
