"""The wheel, built from the source tree and installed into an environment of its own, runs outside the tree."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import venv
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SAXPY = """
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""


def run(command: list[object], **variables: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    result = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
        env={**environment, **variables},
        cwd="/",
    )
    assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Built offline: what it takes to build is in this environment."""
    folder = tmp_path_factory.mktemp("wheel")
    build = os.environ["CUPRUM_TEST_WHEEL_BUILD"]
    settings = {
        "build-dir": build,
        # It is the packaging that is tested: what is compiled here has been tested, optimised, elsewhere.
        "cmake.define.CMAKE_CXX_FLAGS_RELEASE": "-O0 -DNDEBUG",
        # In half the time, and to see that the sources can be joined, as `./run demo` joins them.
        "cmake.define.CUPRUM_UNITY_BUILD": "ON",
        # One copy of the interpreter, which is always optimised, instead of one for each instruction set.
        "cmake.define.CUPRUM_SIMULATOR_BASELINE_ONLY": "ON",
        "cmake.define.CUPRUM_CUDA_INCLUDE_DIR": os.environ["CUPRUM_CUDA_INCLUDE_DIR"],
        "cmake.define.CUPRUM_SWIG_EXECUTABLE": os.environ["CUPRUM_SWIG_EXECUTABLE"],
    }
    run(
        [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-index", "--no-deps", "--wheel-dir", folder]
        + [f"--config-settings={name}={value}" for name, value in settings.items()]
        + [ROOT],
    )
    (found,) = folder.glob("cuprum-*.whl")
    return found


@pytest.fixture(scope="module")
def python(wheel: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """An interpreter that has the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    executable = folder / "bin" / "python"
    run([sys.executable, "-m", "pip", "--python", executable, "install", "--no-index", "--no-deps", wheel])
    return executable


def test_one_wheel_serves_all_later_versions_of_python(wheel: pathlib.Path) -> None:
    assert "-cp311-abi3-linux_x86_64" in wheel.name
    version = wheel.name.split("-")[1]
    assert f"project(Cuprum VERSION {version} " in (ROOT / "CMakeLists.txt").read_text()


def test_the_wheel_has_all_of_the_package_and_nothing_else(wheel: pathlib.Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    # What is written by hand, and what the build has generated beside it.
    modules = {
        f"cuprum/{file.relative_to(folder)}"
        for folder, pattern in (
            (ROOT / "swig" / "python" / "cuprum", "*"),
            (pathlib.Path(os.environ["CUPRUM_TEST_PACKAGE"]), "*.py*"),
        )
        for file in folder.rglob(pattern)
        if file.is_file() and "__pycache__" not in file.parts
    }
    simulator = {"libcuda.so.1", "cuprum-simulate", "companions/bin/nvcc", "companions/libnvidia-ml.so.1"} | {
        f"companions/lib{library}.so.{major}" for library in ("nvrtc", "nvJitLink", "cudart") for major in (12, 13)
    }
    binaries = {"cuprum/_bindings.abi3.so", "cuprum/_cuprum.abi3.so", "cuprum/bin/cuprum", "cuprum/libcuprum.so.0"}
    binaries |= {f"cuprum/simulator/{name}" for name in simulator}
    # With what runs the host's threads: TBB, or the OpenMP runtime where the build found no TBB.
    runtime = {name for name in names if name.startswith(("cuprum/libtbb.so.", "cuprum/libgomp.so."))}
    assert len(runtime) == 1
    binaries |= {"cuprum/libcuprum_host.so"} | runtime
    metadata = {name for name in names if ".dist-info/" in name}
    assert names - metadata == modules | binaries
    for licence in ("LICENSE", "THIRD_PARTY_NOTICES"):
        assert any(name.endswith(licence) for name in metadata)
    # What is bundled is named with its licence.
    assert pathlib.PurePath(*runtime).name.partition(".so")[0] in (ROOT / "THIRD_PARTY_NOTICES").read_text()


def test_the_wheel_knows_nothing_of_the_tree_that_it_was_built_in(wheel: pathlib.Path) -> None:
    trees = [str(ROOT).encode(), os.environ["CUPRUM_TEST_WHEEL_BUILD"].encode(), b"/tmp/", b"platlib"]
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            assert not any(tree in content for tree in trees), name


def test_saxpy_runs_outside_the_tree_without_numpy(python: pathlib.Path) -> None:
    program = f"""
import array, sys
import cuprum
from cuprum.core import Device, LaunchConfig, Program, launch
assert cuprum.__file__.startswith(sys.prefix), cuprum.__file__
device = Device(0)
assert device.is_simulator
stream = device.create_stream()
kernel = Program('''{SAXPY}''', "saxpy.cu").compile().get_kernel("saxpy")
n = 10000
x, y = array.array("f", range(n)), array.array("f", [1.0]) * n
x_device, y_device = device.allocate(4 * n, stream=stream), device.allocate(4 * n, stream=stream)
x_device.copy_from_host(x, stream=stream)
y_device.copy_from_host(y, stream=stream)
launch(stream, LaunchConfig((n + 255) // 256, block=256), kernel, 2.0, x_device, y_device, n)
y_device.copy_to_host(y, stream=stream)
stream.sync()
assert list(y) == [2.0 * i + 1 for i in range(n)]
assert "numpy" not in sys.modules
print("ok")
"""
    assert run([python, "-c", program], CUPRUM_DRIVER="sim") == "ok\n"


def test_algorithms_run_on_the_host_with_what_the_wheel_has(python: pathlib.Path) -> None:
    program = """
import array
from cuprum._native import _cuprum
print(_cuprum.cuprum_parallel_arg_reduce_array(1, 0, None, 0, 1, "int32", array.array("i", [1, 5, 2])))
loaded = {line.split()[-1] for line in open("/proc/self/maps")}
print(sum("/site-packages/cuprum/lib" in path and ("libtbb" in path or "libgomp" in path) for path in loaded))
"""
    assert run([python, "-c", program], CUPRUM_DRIVER="gpu") == "1\n1\n"


def test_the_command_comes_with_the_wheel(python: pathlib.Path) -> None:
    command = python.parent / "cuprum"
    assert run([command, "--version"]).startswith("cuprum ")
    information = json.loads(run([command, "info", "--json"], CUPRUM_DRIVER="sim"))
    # It finds the simulator within the package that it lies in, and the wheels beside that.
    assert information["driver"]["path"].endswith("/site-packages/cuprum/simulator/libcuda.so.1")
    part = next(part for part in information["parts"] if part["name"] == "npps")
    assert any("/site-packages/nvidia/npp/lib" in candidate["path"] for candidate in part["rejected"])
    assert "all is well" in run([command, "doctor"], CUPRUM_DRIVER="sim")


def test_the_package_is_typed(python: pathlib.Path, tmp_path: pathlib.Path) -> None:
    program = tmp_path / "typed.py"
    program.write_text(
        "from cuprum.core import Device, LaunchConfig\n"
        "reveal_type(Device(0).allocate(8).handle)\n"
        "reveal_type(LaunchConfig(1, block=1).grid)\n"
    )
    cache = f"--cache-dir={tmp_path / 'cache'}"
    report = run([sys.executable, "-m", "mypy", "--strict", cache, "--python-executable", python, program])
    assert 'Revealed type is "int"' in report
    assert 'Revealed type is "tuple[int, int, int]"' in report
