"""The simulator's libcudart, versions 12 and 13: what it exports, what it lacks, and its structures.

CUPRUM_TEST_COMPANIONS names their folder, CUPRUM_TEST_HEADERS_<MAJOR> the folders with that version's headers.
"""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
COMPANIONS = pathlib.Path(os.environ["CUPRUM_TEST_COMPANIONS"])
FUNCTIONS = ROOT / "simulator" / "runtime" / "functions.txt"
MAJORS = (12, 13)
# Where the values of some members are known otherwise: as attributes of the device, by number.
MEMBERS = {
    "warpSize": 10,
    "maxThreadsPerBlock": 1,
    "multiProcessorCount": 16,
    "maxTexture2DLinear": 70,
    "pciDeviceID": 34,
    "maxThreadsPerMultiProcessor": 39,
    "cooperativeLaunch": 95,
    "maxBlocksPerMultiProcessor": 106,
    "memoryPoolsSupported": 115,
    "unifiedFunctionPointers": 129,
}
INVALID_DEVICE_FUNCTION = 98
NOT_SUPPORTED = 801


@pytest.fixture(params=MAJORS)
def major(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def library(major: int) -> ctypes.CDLL:
    return ctypes.CDLL(str(COMPANIONS / f"libcudart.so.{major}"))


def lacking(*majors: int) -> set[str]:
    """Functions without a body, in one of these versions."""
    lines = [line.split() for line in FUNCTIONS.read_text().splitlines() if line and not line.startswith("#")]
    others = {str(major) for major in MAJORS if major not in majors}
    return {words[-1].partition("|")[0] for words in lines if "=" not in words and words[0] not in others}


def test_every_function_of_the_header_is_exported(major: int) -> None:
    cudart = library(major)
    listed = json.loads((ROOT / "bindings" / "tables" / "runtime.json").read_text())["functions"]
    first, last = 1000 * major, 13000 if major == 13 else 1000 * major + 90
    symbols = {
        variant["symbol"] + ending
        for variants in listed.values()
        for variant in variants
        if any(begin <= last and end >= first for begin, end in variant["toolkits"])
        for ending in {"", variant["per_thread"]}
    }
    assert len(symbols) > 300
    assert {symbol for symbol in symbols if not hasattr(cudart, symbol)} == set()


def test_what_is_not_there_says_so_and_is_listed(major: int) -> None:
    cudart = library(major)
    for name in lacking(major):
        if hasattr(cudart, name):
            assert getattr(cudart, name)() == NOT_SUPPORTED, name
    section = (ROOT / "docs" / "simulator.md").read_text().partition("## Programs of the CUDA runtime")[2]
    listed = re.findall(r"`(cuda\w+)`", section.partition("Not supported:")[2].partition("\n\n")[0])
    assert set(listed) == lacking(*MAJORS)


def test_properties_are_laid_out_as_the_header_of_that_version_says(major: int, tmp_path: pathlib.Path) -> None:
    folders = os.environ[f"CUPRUM_TEST_HEADERS_{major}"].split(":")
    lines = "".join(f'std::printf("%zu\\n", offsetof(cudaDeviceProp, {member}));' for member in MEMBERS)
    source = tmp_path / "offsets.cpp"
    source.write_text(
        "#include <cstddef>\n#include <cstdio>\n#include <driver_types.h>\nint main() {"
        f'std::printf("%zu\\n", sizeof(cudaDeviceProp)); {lines} }}'
    )
    program = tmp_path / "offsets"
    subprocess.run(["c++", *(f"-I{folder}" for folder in folders), "-o", program, source], check=True)
    size, *offsets = map(int, subprocess.run([program], capture_output=True, check=True).stdout.split())
    cudart = library(major)
    canary = b"\xee" * 64
    memory = ctypes.create_string_buffer(b"\xee" * size + canary, size + len(canary))
    name = "cudaGetDeviceProperties_v2" if major == 12 else "cudaGetDeviceProperties"
    assert getattr(cudart, name)(memory, 0) == 0
    assert memory.raw[size:] == canary, "it writes behind the structure's end"
    assert memory.raw[size - 4 : size] == bytes(4), "it does not write all of the structure"
    values = [int.from_bytes(memory.raw[offset : offset + 4], sys.byteorder, signed=True) for offset in offsets]
    expected = []
    for attribute in MEMBERS.values():
        value = ctypes.c_int()
        assert cudart.cudaDeviceGetAttribute(ctypes.byref(value), attribute, 0) == 0
        expected.append(value.value)
    assert dict(zip(MEMBERS, values, strict=True)) == dict(zip(MEMBERS, expected, strict=True))


def test_both_versions_work_in_one_process() -> None:
    for major in MAJORS:
        cudart = library(major)
        version, memory = ctypes.c_int(), ctypes.c_void_p()
        assert cudart.cudaRuntimeGetVersion(ctypes.byref(version)) == 0
        assert version.value // 1000 == major
        assert cudart.cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(64)) == 0
        assert cudart.cudaFree(memory) == 0


class Dimensions(ctypes.Structure):
    _fields_ = (("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint))


def test_a_launch_of_what_is_no_kernel_says_so(major: int) -> None:
    # NVIDIA's takes such an address for a kernel's handle, and may crash.
    launch = library(major).cudaLaunchKernel
    launch.argtypes = [ctypes.c_void_p, Dimensions, Dimensions, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    one = Dimensions(1, 1, 1)
    assert launch(ctypes.addressof(one), one, one, None, 0, None) == INVALID_DEVICE_FUNCTION


class SemaphoreNodeParameters(ctypes.Structure):
    """cudaExternalSemaphoreSignalNodeParams, and cudaExternalSemaphoreWaitNodeParams alike."""

    _fields_ = (
        ("semaphores", ctypes.POINTER(ctypes.c_void_p)),
        ("parameters", ctypes.c_void_p),
        ("count", ctypes.c_uint),
    )


def test_nodes_signal_external_semaphores_and_wait_for_them(major: int) -> None:
    cudart = library(major)
    file = os.eventfd(0, os.EFD_NONBLOCK)
    # cudaExternalSemaphoreHandleDesc, of the larger version: the type, and at 8 the descriptor.
    description = (ctypes.c_int * 24)(1, 0, file)
    semaphore, graph, execution = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    signal, wait = ctypes.c_void_p(), ctypes.c_void_p()
    assert cudart.cudaImportExternalSemaphore(ctypes.byref(semaphore), description) == 0
    fences = ctypes.create_string_buffer(256)  # parameters of one signal or wait: zeros
    given = SemaphoreNodeParameters(ctypes.pointer(semaphore), ctypes.addressof(fences), 1)
    assert cudart.cudaGraphCreate(ctypes.byref(graph), 0) == 0
    add_signal = cudart.cudaGraphAddExternalSemaphoresSignalNode
    assert add_signal(ctypes.byref(signal), graph, None, ctypes.c_size_t(0), ctypes.byref(given)) == 0
    read = SemaphoreNodeParameters()
    assert cudart.cudaGraphExternalSemaphoresSignalNodeGetParams(signal, ctypes.byref(read)) == 0
    assert (read.count, read.semaphores[0]) == (1, semaphore.value)

    def launch() -> None:
        assert cudart.cudaGraphInstantiate(ctypes.byref(execution), graph, ctypes.c_ulonglong(0)) == 0
        assert cudart.cudaGraphLaunch(execution, None) == 0
        assert cudart.cudaDeviceSynchronize() == 0
        assert cudart.cudaGraphExecDestroy(execution) == 0

    launch()
    assert os.eventfd_read(file) == 1
    add_wait = cudart.cudaGraphAddExternalSemaphoresWaitNode
    assert add_wait(ctypes.byref(wait), graph, ctypes.byref(signal), ctypes.c_size_t(1), ctypes.byref(given)) == 0
    launch()
    with pytest.raises(BlockingIOError):
        os.eventfd_read(file)
    assert cudart.cudaGraphDestroy(graph) == 0
    assert cudart.cudaDestroyExternalSemaphore(semaphore) == 0
