"""Programs in CUDA C++ with <<<>>>, as nvcc builds them: their output is what their own comments expect.

CUPRUM_TEST_NVCC names nvcc, CUPRUM_TEST_SIMULATE the command that runs a program on the simulator, CUPRUM_TEST_RUNTIME
the libcudart.so.N to link with, CUPRUM_TEST_WORK a folder where programs are kept that have not changed. Without
CUPRUM_TEST_SIMULATE the programs run as they are: on a GPU.

In a program, `// nvcc: OPTIONS` are options of its own, and each `// expect: TEXT` is a line of its output.
"""

from __future__ import annotations

import concurrent.futures
import functools
import hashlib
import os
import pathlib
import re
import shlex
import subprocess

import pytest

NVCC = os.environ["CUPRUM_TEST_NVCC"]
RUNTIME = pathlib.Path(os.environ["CUPRUM_TEST_RUNTIME"])
WORK = pathlib.Path(os.environ["CUPRUM_TEST_WORK"])
SIMULATE = os.environ.get("CUPRUM_TEST_SIMULATE")
PROGRAMS = sorted(pathlib.Path(__file__).with_name("programs").glob("*.cu"))
# They take some 20 s each to compile.
HEAVY = {"cub_algorithms", "thrust_algorithms"}


def chosen() -> list[pathlib.Path]:
    heavy = os.environ.get("CUPRUM_TEST_HEAVY") == "1"
    return [program for program in PROGRAMS if (program.stem in HEAVY) == heavy]


def options(program: pathlib.Path) -> list[str]:
    found = re.search(r"^// nvcc: (.*)$", program.read_text(), re.MULTILINE)
    return shlex.split(found[1]) if found else []


@functools.cache
def folder_to_link_with() -> pathlib.Path:
    """nvcc links with -lcudart, and wheels have no libcudart.so."""
    folder = WORK / "lib"
    folder.mkdir(parents=True, exist_ok=True)
    # Another run of these tests may be doing the same.
    link, new = folder / "libcudart.so", folder / f"libcudart.so.{os.getpid()}"
    new.symlink_to(RUNTIME)
    new.replace(link)
    return folder


def build(program: pathlib.Path) -> tuple[pathlib.Path, str]:
    """The program's file, and what nvcc said."""
    command = [NVCC, "--cudart", "shared", f"-L{folder_to_link_with()}", "-std=c++17", "-arch=sm_80", *options(program)]
    digest = hashlib.sha256(" ".join(command).encode() + program.read_bytes()).hexdigest()[:16]
    binary = WORK / f"{program.stem}-{digest}"
    if binary.exists():
        return binary, ""
    unfinished = binary.with_suffix(".unfinished")
    result = subprocess.run([*command, "-o", unfinished, program], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return binary, result.stdout + result.stderr
    unfinished.rename(binary)
    return binary, result.stdout + result.stderr


@functools.cache
def builds() -> dict[pathlib.Path, concurrent.futures.Future[tuple[pathlib.Path, str]]]:
    """All of them, two at a time, from the first test on."""
    folder_to_link_with()
    pool = concurrent.futures.ThreadPoolExecutor(2)
    return {program: pool.submit(build, program) for program in chosen()}


@pytest.mark.parametrize("program", chosen(), ids=lambda program: program.stem)
def test_program(program: pathlib.Path) -> None:
    binary, said = builds()[program].result()
    assert binary.exists(), said
    expected = re.findall(r"// expect: (.*)", program.read_text())
    command = [*([SIMULATE] if SIMULATE else []), str(binary)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert (result.stdout.splitlines(), result.returncode) == (expected, 0), result.stderr


def test_there_are_programs_of_both_kinds() -> None:
    assert len(PROGRAMS) >= 20
    assert {program.stem for program in PROGRAMS} >= HEAVY
