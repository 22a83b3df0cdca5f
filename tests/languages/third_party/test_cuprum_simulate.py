"""The command that runs other people's programs on the simulator."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

COMMAND = os.environ.get("CUPRUM_TEST_SIMULATE")
pytestmark = pytest.mark.skipif(COMMAND is None, reason="on a GPU there is nothing to simulate")

NAME = "from cuda.core import Device; device = Device(0); print(device.name, device.arch)"
SIMULATED = "Cuprum simulator (no GPU)"


def run(*command: str, variables: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    # Without what cuprum-simulate has set for this very process.
    hidden = ("LD_PRELOAD", "LD_LIBRARY_PATH", "CUPRUM_", "CUDA_HOME", "CUDA_PATH")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    environment.update(variables or {})
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def simulate(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    assert COMMAND is not None
    return run(COMMAND, *arguments, variables=variables)


def test_a_program_finds_the_simulated_device() -> None:
    result = simulate(sys.executable, "-c", NAME)
    assert result.stdout == f"{SIMULATED} 80\n", result.stderr


def test_options_go_before_the_command() -> None:
    assert simulate("cc=9.0", "threads=1", sys.executable, "-c", NAME).stdout == f"{SIMULATED} 90\n"


def test_options_are_added_to_those_of_the_environment(tmp_path: pathlib.Path) -> None:
    result = simulate(f"trace={tmp_path / 'trace'}", sys.executable, "-c", NAME, CUPRUM_SIM="cc=8.6")
    assert result.stdout == f"{SIMULATED} 86\n"
    assert (tmp_path / "trace").exists()


def test_the_command_gets_its_arguments_and_gives_its_exit_status() -> None:
    result = simulate("sh", "-c", 'echo "$1"; exit 7', "sh", "two  words a=b")
    assert (result.stdout, result.returncode) == ("two  words a=b\n", 7)


def test_the_environment_can_be_set_instead() -> None:
    script = 'eval "$("$1" --environment)" && "$2" -c "$3"'
    result = run("sh", "-c", script, "sh", str(COMMAND), sys.executable, NAME)
    assert result.stdout == f"{SIMULATED} 80\n", result.stderr


BREAK = """
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch
device = Device(0)
device.set_current()
code = 'extern "C" __global__ void squares(int* out) {\\n int i = threadIdx.x;\\n out[i] = i * i;\\n}'
kernel = Program(code, "c++", ProgramOptions(arch="compute_80", debug=True)).compile("ptx").get_kernel("squares")
stream = device.create_stream()
launch(stream, LaunchConfig(grid=1, block=8), kernel, device.allocate(32, stream=stream))
stream.sync()
print("done")
"""


def test_a_breakpoint_shows_variables_of_the_source_and_the_program_goes_on() -> None:
    result = simulate("--break", "squares:3", "threads=2", sys.executable, "-c", BREAK)
    assert (result.stdout, result.returncode) == ("done\n", 0), result.stderr
    assert "--- breakpoint squares:3\nkernel squares" in result.stderr
    assert "i               int            0, 1, 2 ... 7" in result.stderr, result.stderr


def test_a_breakpoint_that_is_nowhere_is_explained() -> None:
    result = simulate("--break", "squares:99", sys.executable, "-c", BREAK)
    assert "has no instructions at line 99; these lines have instructions" in result.stderr, result.stderr
    assert "--break needs a place" in simulate("--break").stderr
    assert "--break takes a kernel" in simulate("--break", "", "true").stderr


def test_every_schedule_runs_under_a_seed_of_its_own(tmp_path: pathlib.Path) -> None:
    result = simulate("--schedules", "7", "threads=1", "sh", "-c", f'echo "$CUPRUM_SIM" >>{tmp_path}/ran')
    assert (result.stdout, result.returncode) == ("", 0)
    assert "no run failed under the seeds 1 to 7" in result.stderr
    assert sorted((tmp_path / "ran").read_text().split()) == [f"threads=1,seed={seed}" for seed in range(1, 8)]


def test_the_first_schedule_that_fails_is_told_with_its_seed_and_its_output() -> None:
    script = 'echo "$CUPRUM_SIM says $1"; case $CUPRUM_SIM in *seed=[3-5]*) exit 13 ;; esac'
    result = simulate("--schedules", "50", "cc=9.0", "sh", "-c", script, "sh", "it's")
    assert (result.stdout, result.returncode) == ("cc=9.0,seed=3 says it's\n", 13)
    again = result.stderr.split("again: ")[1]
    assert "seed 3 of 1 to 50 is the first that failed, with exit status 13" in result.stderr
    repeated = run("sh", "-c", again)
    assert (repeated.stdout, repeated.returncode) == ("seed=3,cc=9.0 says it's\n", 13)


# Two streams write one word; which comes last is nobody's to say unless the second waits for the first.
ORDER = """
import sys
from cuda.bindings import driver
driver.cuInit(0)
driver.cuCtxSetCurrent(driver.cuDevicePrimaryCtxRetain(0)[1])
memory = driver.cuMemAlloc(4)[1]
streams = [driver.cuStreamCreate(driver.CUstream_flags.CU_STREAM_NON_BLOCKING)[1] for _ in range(2)]
event = driver.cuEventCreate(0)[1]
driver.cuMemsetD32Async(memory, 1, 1, streams[0])
driver.cuEventRecord(event, streams[0])
if sys.argv[1] == "waits":
    driver.cuStreamWaitEvent(streams[1], event, 0)
driver.cuMemsetD32Async(memory, 2, 1, streams[1])
for stream in streams:
    driver.cuStreamSynchronize(stream)
found = bytearray(4)
driver.cuMemcpyDtoH(found, memory, 4)
sys.exit(0 if found[0] == 2 else f"found {found[0]}")
"""


def test_a_missing_wait_is_found_under_some_schedule() -> None:
    assert simulate("--schedules", "4", sys.executable, "-c", ORDER, "waits").returncode == 0
    result = simulate("--schedules", "60", sys.executable, "-c", ORDER, "does not")
    assert (result.stdout, result.returncode) == ("found 1\n", 1), result.stderr


@pytest.mark.parametrize(
    "arguments",
    [[], ["cc=9.0"], ["--nonsense"], ["--schedules"], ["--schedules", "none", "true"], ["--schedules", "3"]]
    + [["--schedules", "3", "seed=1", "true"]],
)
def test_bad_arguments_are_told(arguments: list[str]) -> None:
    result = simulate(*arguments)
    assert result.returncode == 2
    assert "cuprum-simulate" in result.stderr


COMPILE = """
from cuda.bindings import nvrtc
program = nvrtc.nvrtcCreateProgram(b"__global__ void k() {}", b"k.cu", 0, None, None)[1]
result = nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=sm_80"])[0]
size = nvrtc.nvrtcGetCUBINSize(program)[1]
cubin = b" " * size
nvrtc.nvrtcGetCUBIN(program, cubin)
print(result.name, b"Cuprum" in cubin)
"""


def test_the_real_library_is_found_beside_the_packages() -> None:
    assert simulate(sys.executable, "-c", COMPILE).stdout == "NVRTC_SUCCESS True\n"


def test_the_real_library_can_be_named() -> None:
    import nvidia

    (root,) = nvidia.__path__
    library = pathlib.Path(root, "cu13", "lib", "libnvrtc.so.13")
    assert simulate(sys.executable, "-c", COMPILE, CUPRUM_SIM_NVRTC=str(library)).stdout == "NVRTC_SUCCESS True\n"


def test_a_real_library_that_is_not_there_is_told_with_the_way_out() -> None:
    code = "from cuda.bindings import nvrtc; print(nvrtc.nvrtcVersion()[0].name)"
    result = simulate(sys.executable, "-c", code, CUPRUM_SIM_NVRTC="/nowhere/libnvrtc.so.13")
    assert result.stdout == "NVRTC_ERROR_INTERNAL_ERROR\n"
    assert "/nowhere/libnvrtc.so.13 was given" in result.stderr
    assert "CUPRUM_SIM_NVRTC" in result.stderr


MACHINE_CODE = """
import sys
from cuda.bindings import driver
driver.cuInit(0)
driver.cuCtxSetCurrent(driver.cuDevicePrimaryCtxRetain(0)[1])
print(driver.cuModuleLoadData(open(sys.argv[1], "rb").read())[0].name)
"""


def test_machine_code_from_elsewhere_is_refused_with_advice(tmp_path: pathlib.Path) -> None:
    cubin = pathlib.Path(__file__).parents[2] / "data" / "fat_binaries" / "add_one.cubin"
    trace = tmp_path / "trace"
    result = simulate(f"trace={trace}", sys.executable, "-c", MACHINE_CODE, str(cubin))
    assert result.stdout.startswith("CUDA_ERROR_NO_BINARY_FOR_GPU"), result.stderr
    assert "run the program with cuprum-simulate" in trace.read_text()
