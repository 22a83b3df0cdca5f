"""`cuprum compile` and `cuprum run`: from a source to its results, on the simulator."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
from typing import Any

import pytest
from cli_program import run, run_json, run_on_terminal

SAXPY = """
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""
SIMULATOR = {"CUPRUM_DRIVER": "sim"}
ARGUMENTS = ("--grid", "4", "--block", "256", "f32:2", "f32[1000]=iota", "f32[1000]=1", "i32:1000")


@pytest.fixture
def saxpy(tmp_path: pathlib.Path) -> str:
    (tmp_path / "saxpy.cu").write_text(SAXPY)
    return str(tmp_path / "saxpy.cu")


def results(*arguments: str) -> list[Any]:
    found: list[Any] = run_json("run", *arguments, environment=SIMULATOR)["arguments"]
    return found


def test_a_kernel_is_compiled_launched_and_its_arrays_are_printed(saxpy: str) -> None:
    result = run("run", saxpy, *ARGUMENTS, environment=SIMULATOR)
    assert result.stderr == ""
    heading, a, x, y, n = result.stdout.splitlines()
    assert re.fullmatch(r"saxpy  4 blocks of 256 threads  \d+\.\d{3} ms  \(Cuprum simulator \(no GPU\)\)", heading)
    assert a.split() == ["0", "f32", "2"]
    assert re.sub(" +", " ", x.strip()) == "1 f32[1000] 0 1 2 3 4 5 6 7 ... (unchanged)"
    assert re.sub(" +", " ", y.strip()) == "2 f32[1000] 1 3 5 7 9 11 13 15 ..."
    assert n.split() == ["3", "i32", "1000"]


def test_json_has_all_elements(saxpy: str) -> None:
    a, x, y, n = results(saxpy, *ARGUMENTS)
    assert (a["value"], n["value"]) == (2, 1000)
    assert x == {"type": "f32[1000]", "changed": False, "values": list(range(1000))}
    assert y == {"type": "f32[1000]", "changed": True, "values": [2 * i + 1 for i in range(1000)]}


@pytest.mark.parametrize(("count", "shown"), [("0", 0), ("3", 3), ("all", 1000)])
def test_as_many_elements_are_printed_as_asked_for(saxpy: str, count: str, shown: int) -> None:
    text = run("run", saxpy, "--print", count, *ARGUMENTS, environment=SIMULATOR).stdout
    elements = text.splitlines()[3].split()[2:]
    assert len([element for element in elements if element != "..."]) == shown


@pytest.mark.parametrize("kind", ["ptx", "cubin"])
def test_what_is_compiled_runs(saxpy: str, kind: str) -> None:
    result = run("compile", saxpy, "--type", kind, environment=SIMULATOR)
    assert result.returncode == 0
    code = saxpy.replace(".cu", f".{kind}")
    assert result.stdout.startswith(f"{code}  (")
    assert results(code, *ARGUMENTS)[2]["values"][:3] == [1, 3, 5]


def test_the_outputs_suffix_says_what_is_made(saxpy: str, tmp_path: pathlib.Path) -> None:
    for name, begin in (("a.ptx", b"//"), ("a.cubin", b"\x7fELF"), ("a.out", b"//")):
        assert run("compile", saxpy, "-o", str(tmp_path / name), environment=SIMULATOR).returncode == 0
        assert (tmp_path / name).read_bytes().lstrip().startswith(begin)


def test_a_compile_needs_no_driver_and_takes_nvrtcs_options(saxpy: str) -> None:
    gpu = {"CUPRUM_DRIVER": "gpu"}
    text = run("compile", saxpy, "-o", "-", "--arch", "sm_90", "--", "-lineinfo", environment=gpu).stdout
    assert ".target sm_90" in text
    assert ".loc" in text
    assert ".loc" not in run("compile", saxpy, "-o", "-", "--arch", "sm_90", environment=gpu).stdout


def test_standard_input_is_compiled_to_standard_output() -> None:
    result = subprocess.run(
        [os.environ["CUPRUM_TEST_PROGRAM"], "compile", "-"],
        input=SAXPY,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **SIMULATOR},
    )
    assert ".entry saxpy" in result.stdout, result.stderr


def test_headers_beside_the_file_and_definitions_are_found(tmp_path: pathlib.Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "factor.h").write_text("#define FACTOR 3\n")
    (tmp_path / "own" / "offset.h").write_text("#define OFFSET 4\n")
    source = tmp_path / "k.cu"
    source.write_text(
        '#include "factor.h"\n#include "offset.h"\n'
        "__global__ void k(int* x) { x[threadIdx.x] = FACTOR * threadIdx.x + OFFSET + MORE; }"
    )
    arguments = (str(source), "-I", str(tmp_path / "own"), "-DMORE=10", "-b", "3", "i32[3]")
    assert results(*arguments)[0]["values"] == [14, 17, 20]


def test_templates_and_mangled_names_are_called_as_they_are_written(tmp_path: pathlib.Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "template <class T> __global__ void scale(T* x, T a) { x[threadIdx.x] *= a; }\n"
        "namespace mine { __global__ void one(int* x) { *x = 1; } }\n"
        "__global__ void two(int* x) { *x = 2; }\n"
    )
    file = str(source)
    assert results(file, "-k", "scale<double>", "-b", "2", "f64[2]=1,2", "f64:1.5")[0]["values"] == [1.5, 3]
    assert results(file, "-k", "mine::one", "i32[1]")[0]["values"] == [1]
    assert results(file, "-k", "two", "i32[1]")[0]["values"] == [2]
    several = run("run", file, "i32[1]", environment=SIMULATOR)
    assert several.returncode == 2
    assert "has several kernels" in several.stderr
    assert "mine::one(int*)" in several.stderr


def test_every_type_arrives_as_it_was_written(tmp_path: pathlib.Path) -> None:
    values = {
        "i8": "-128", "u8": "255", "i16": "-32768", "u16": "65535", "i32": "-2147483648", "u32": "0xffffffff",
        "i64": "-9223372036854775808", "u64": "18446744073709551615", "f32": "0.1", "f64": "0.1",
    }  # fmt: skip
    types = {"i8": "signed char", "i16": "short", "i32": "int", "i64": "long long", "f32": "float", "f64": "double"}
    types |= {f"u{name[1:]}": f"unsigned {c_name.split()[-1]}" for name, c_name in types.items() if name[0] == "i"}
    types["u64"] = "unsigned long long"
    source = tmp_path / "k.cu"
    for name, value in values.items():
        source.write_text(f"__global__ void k({types[name]} a, {types[name]}* x) {{ x[threadIdx.x] = a; }}")
        a, x = results(str(source), "-b", "2", f"{name}:{value}", f"{name}[2]")
        assert x["values"] == [a["value"]] * 2
        assert float(a["value"]) == pytest.approx(float(int(value, 0) if name[0] != "f" else float(value)))


def test_infinities_and_no_number_are_texts_in_json(tmp_path: pathlib.Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text("__global__ void k(float* x) { x[0] = 1 / x[2]; x[1] = x[0] - x[0]; }")
    assert results(str(source), "f32[3]")[0]["values"][0] == "inf"
    assert "nan" in results(str(source), "f32[3]")[0]["values"][1]


@pytest.mark.parametrize(
    ("arguments", "status", "problem"),
    [
        (("f32:2",), 2, "the kernel takes 4 arguments"),
        (("f64:2", "f32[4]", "f32[4]", "i32:4"), 2, "argument 0 (counted from 0) takes float (4 bytes), given: "),
        (("--block", "2000", "f32:2", "f32[4]", "f32[4]", "i32:4"), 2, "the device takes 1 to 1024"),
        (("--kernel", "saxpi"), 1, "has no kernel of that name\n  it has saxpy"),
        (("--device", "7"), 2, "device"),
        (("-g", "4", "-b", "256", "f32:2", "f32[4]", "f32[4]", "i32:1000"), 3, "CUDA_ERROR_ILLEGAL_ADDRESS"),
    ],
)
def test_what_does_not_fit_the_kernel_says_why(
    saxpy: str, arguments: tuple[str, ...], status: int, problem: str
) -> None:
    result = run("run", saxpy, *arguments, environment=SIMULATOR)
    assert (result.returncode, result.stdout) == (status, "")
    assert problem in result.stderr


def test_a_source_that_does_not_compile_shows_the_log_and_what_to_do(tmp_path: pathlib.Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text("#include <cstdio>\n__global__ void k() {}\n")
    result = run("compile", str(source), environment=SIMULATOR)
    assert result.returncode == 1
    assert result.stderr.startswith(f"cuprum: program '{source}' does not compile\n{source}(1)")
    assert "remove #include <cstdio>, printf is built in" in result.stderr
    assert not (tmp_path / "k.ptx").exists()


def test_warnings_go_to_standard_error(tmp_path: pathlib.Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text("__global__ void k() { int unused; }\n")
    result = run("compile", str(source), "-o", "-", environment=SIMULATOR)
    assert result.returncode == 0
    assert "unused" in result.stderr
    assert "warning" not in result.stdout


def test_output_that_cannot_be_written_is_an_error(saxpy: str) -> None:
    result = run("compile", saxpy, "-o", "/nowhere/a.ptx", environment=SIMULATOR)
    assert result.returncode == 2
    assert "cannot write /nowhere/a.ptx: No such file or directory" in result.stderr


@pytest.fixture
def slow(tmp_path: pathlib.Path) -> str:
    """Takes NVRTC several times as long as the notice waits, which is a second.

    It computes 160 constants, each in nearly as many steps as it allows.
    """
    (tmp_path / "slow.cu").write_text(
        """
__device__ constexpr int odd(int end) {
    int found = 0;
    for (int i = 0; i < end; ++i) found += i % 2;
    return found;
}
template <int n> struct Slow { static constexpr int value = (odd(100000 + n) > 0) + Slow<n - 1>::value; };
template <> struct Slow<0> { static constexpr int value = 0; };
template <class T> __global__ void fill(T* x) { x[threadIdx.x] = Slow<160>::value; }
template __global__ void fill(int*);
"""
    )
    return str(tmp_path / "slow.cu")


def test_on_a_terminal_a_long_compile_says_that_it_compiles_and_for_how_long(slow: str, saxpy: str) -> None:
    uncached = {**SIMULATOR, "CUPRUM_CACHE": "off"}
    text = run_on_terminal("run", slow, "-k", "fill<int>", "-b", "256", "i32[256]=7", environment=uncached)
    assert re.search(rf"\r\x1b\[Kcompiling {slow}: 1 s", text), text
    assert re.search(rf"\r\x1b\[Kcompiled {slow} in \d+\.\d s\r\n", text)
    assert re.search(r"i32\[256\]  160 160 160", text)
    assert "compil" not in run_on_terminal("run", saxpy, *ARGUMENTS, environment=uncached)


def test_elsewhere_a_long_compile_says_nothing(slow: str) -> None:
    result = run("compile", slow, environment={**SIMULATOR, "CUPRUM_CACHE": "off"})
    assert (result.returncode, result.stderr) == (0, "")
    dumb = run_on_terminal("compile", slow, environment={**SIMULATOR, "CUPRUM_CACHE": "off", "TERM": "dumb"})
    assert "\x1b" not in dumb
    assert f"compiling {slow} ..." in dumb


def documented_commands() -> list[str]:
    root = pathlib.Path(__file__).resolve().parents[3]
    pages = ("README.md", "docs/command-line.md", "docs/pathfinder.md")
    return [line for page in pages for line in re.findall(r"^cuprum .*$", (root / page).read_text(), re.MULTILINE)]


@pytest.mark.parametrize("command", documented_commands())
def test_the_commands_of_the_documentation_run(command: str, saxpy: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "scale.cu").write_text("template <class T> __global__ void scale(T* x, T a) { *x *= a; }")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "cuprum").symlink_to(os.environ["CUPRUM_TEST_PROGRAM"])
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    environment = {**os.environ, **SIMULATOR, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    folder = pathlib.Path(saxpy).parent
    (folder / "program.py").write_text("print('done')")
    (folder / "program").write_text("#!/bin/sh\necho done\n")
    (folder / "program").chmod(0o755)
    result = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=False, env=environment, cwd=folder
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout


def test_the_example_of_the_help_runs(saxpy: str) -> None:
    text = run("run", "--help").stdout
    (example,) = re.findall(r"^  CUPRUM_DRIVER=sim cuprum (run .*)$", text, re.MULTILINE)
    command = f"{os.environ['CUPRUM_TEST_PROGRAM']} {example.replace('saxpy.cu', saxpy)} --json"
    result = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=True, env={**os.environ, **SIMULATOR}
    )
    assert json.loads(result.stdout)["arguments"][2]["values"][-1] == 1999
