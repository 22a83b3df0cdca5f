"""nvcc under cuprum-simulate: cubins that the simulator loads, programs that hold PTX, a folder like the real one."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

SIMULATE = os.environ["CUPRUM_TEST_SIMULATE"]
NVCC = os.environ["CUPRUM_TEST_NVCC"]
SOURCE = 'extern "C" __global__ void answer(int* out) { *out = 42; }\n'
LAUNCH = """
import ctypes, sys
cuda = ctypes.CDLL("libcuda.so.1")
context, module, function, memory = (ctypes.c_void_p() for _ in range(4))
out = ctypes.c_int()
calls = [
    cuda.cuInit(0),
    cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0),
    cuda.cuCtxSetCurrent(context),
    cuda.cuModuleLoad(ctypes.byref(module), sys.argv[1].encode()),
    cuda.cuModuleGetFunction(ctypes.byref(function), module, b"answer"),
    cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(4)),
    cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, (ctypes.c_void_p * 1)(ctypes.addressof(memory)), None),
    cuda.cuMemcpyDtoH_v2(ctypes.byref(out), memory, ctypes.c_size_t(4)),
]
print(calls, out.value)
"""


def simulate(*command: str, cwd: pathlib.Path) -> str:
    environment = {
        **os.environ,
        "PATH": f"{pathlib.Path(NVCC).parent}:{os.environ['PATH']}",
        "CUPRUM_CACHE_DIR": str(cwd / "cache"),
    }
    result = subprocess.run([SIMULATE, *command], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "kernel.cu").write_text(SOURCE)
    return tmp_path


@pytest.mark.parametrize(
    "options",
    [
        ["-cubin", "-arch=sm_80"],
        ["--cubin", "-arch", "sm_80", "-Xptxas", "-v"],
        ["-cubin", "-gencode", "arch=compute_80,code=sm_80", "-maxrregcount=32"],
    ],
    ids=["arch", "arch apart", "gencode"],
)
def test_a_cubin_is_loaded_and_launched(folder: pathlib.Path, options: list[str]) -> None:
    simulate("nvcc", *options, "kernel.cu", cwd=folder)
    cubin = folder / "kernel.cubin"
    assert cubin.read_bytes()[:4] == b"\x7fELF"
    assert simulate(sys.executable, "-c", LAUNCH, str(cubin), cwd=folder).split("] ")[1] == "42\n"
    assert (b".maxnreg 32" in cubin.read_bytes()) == ("-maxrregcount=32" in options)


def test_the_output_is_where_it_is_asked_for(folder: pathlib.Path) -> None:
    simulate("nvcc", "-cubin", "-arch=sm_80", "-o", "other.bin", "kernel.cu", cwd=folder)
    assert (folder / "other.bin").exists()
    assert [file.name for file in folder.glob("*.ptx*")] == []


def test_machine_code_in_a_fat_binary_is_ptx(folder: pathlib.Path) -> None:
    simulate("nvcc", "-fatbin", "-gencode", "arch=compute_80,code=sm_80", "kernel.cu", cwd=folder)
    assert simulate(sys.executable, "-c", LAUNCH, "kernel.fatbin", cwd=folder).split("] ")[1] == "42\n"


def test_a_mistake_is_nvccs_to_report(folder: pathlib.Path) -> None:
    (folder / "wrong.cu").write_text("__global__ void k() { undeclared = 1; }\n")
    result = subprocess.run(
        [SIMULATE, "nvcc", "-cubin", "-arch=sm_80", "wrong.cu"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "CUPRUM_SIM_NVCC": NVCC},
    )
    assert result.returncode != 0
    assert "undeclared" in result.stderr
    assert not (folder / "wrong.cubin").exists()


def test_what_lies_beside_nvcc_lies_beside_its_companion(folder: pathlib.Path) -> None:
    found = pathlib.Path(simulate("sh", "-c", "command -v nvcc", cwd=folder).strip())
    assert found.exists()
    assert not found.samefile(NVCC)
    for name in ("include", "nvvm"):
        beside = pathlib.Path(NVCC).parents[1] / name
        assert not beside.exists() or (found.parents[1] / name).samefile(beside)
    assert "release" in simulate("nvcc", "--version", cwd=folder)
