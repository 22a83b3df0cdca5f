"""The installed package, moved to another folder, as the projects of others use it.

Every program runs with CUPRUM_DRIVER=sim and no other hint: it must find the simulator by itself.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = pathlib.Path(os.environ["CUPRUM_TEST_BUILD"])
CMAKE = os.environ["CUPRUM_TEST_CMAKE"]
CONSUMERS = ("consumer_cpp", "consumer_wrapped", "consumer_host", "consumer_c")


def run(*command: object, **variables: str) -> str:
    unset = ("CUPRUM_SIMULATOR_PATH", "LD_LIBRARY_PATH")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    environment |= {"CUPRUM_DRIVER": "sim", **variables}
    words = [str(word) for word in command]
    result = subprocess.run(words, capture_output=True, text=True, check=False, env=environment, cwd="/")
    assert result.returncode == 0, f"{words}\n{result.stdout}{result.stderr}"
    return result.stdout


def files_in(folder: pathlib.Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if not file.is_dir()}


def install(prefix: pathlib.Path, *arguments: str) -> set[str]:
    run(CMAKE, "--install", BUILD, "--prefix", prefix, *arguments)
    return files_in(prefix)


def build(source: pathlib.Path, folder: pathlib.Path, *options: str, target: str = "all") -> None:
    compilers = [f"-DCMAKE_CXX_COMPILER={os.environ['CUPRUM_TEST_CXX']}"]
    compilers += [f"-DCMAKE_C_COMPILER={os.environ['CUPRUM_TEST_CC']}"]
    run(CMAKE, "-S", source, "-B", folder, "-G", os.environ["CUPRUM_TEST_GENERATOR"], *compilers, *options)
    run(CMAKE, "--build", folder, "--target", target)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """All that is installed by default, in a folder that it was not installed to."""
    folder = tmp_path_factory.mktemp("installed")
    install(folder / "prefix")
    return (folder / "prefix").rename(folder / "moved")


@pytest.fixture(scope="module")
def consumers(installed: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("consumers")
    build(HERE / "consumer", folder, f"-DCMAKE_PREFIX_PATH={installed}", f"-DEXAMPLES={ROOT / 'examples'}")
    return folder


@pytest.mark.parametrize("program", CONSUMERS)
def test_a_program_finds_what_is_opened_at_run_time(consumers: pathlib.Path, program: str) -> None:
    assert "ok" in run(consumers / program)


@pytest.mark.parametrize("program", CONSUMERS[:3])
def test_a_static_program_does_so_in_any_folder(consumers: pathlib.Path, program: str, tmp_path: pathlib.Path) -> None:
    assert "ok" in run(shutil.copy(consumers / program, tmp_path))


def test_a_program_that_was_deployed_with_the_libraries_needs_no_run_path(
    consumers: pathlib.Path, installed: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    shutil.copytree(installed / "lib", tmp_path / "lib")
    (tmp_path / "bin").mkdir()
    program = shutil.copy(consumers / "consumer_cpp", tmp_path / "bin")
    content = pathlib.Path(program).read_bytes()
    run_path = str(installed / "lib").encode()
    assert content.count(run_path) == 1
    pathlib.Path(program).write_bytes(content.replace(run_path, b"/" * len(run_path)))
    assert "ok" in run(program)


def test_the_tools_find_the_simulator(installed: pathlib.Path) -> None:
    assert str(installed) in run(installed / "bin" / "cuprum", "find", "cuda")
    assert str(installed) in run(installed / "bin" / "cuprum-simulate", "--environment")


def test_the_components_are_what_the_default_installs_without_the_python_tree(tmp_path: pathlib.Path) -> None:
    default = install(tmp_path / "all")
    parts = {name: install(tmp_path / name, "--component", name) for name in ("runtime", "development", "tools")}
    assert set().union(*parts.values()) == default
    assert "lib/libcuprum.so.0" in parts["runtime"]
    assert "lib/cuprum/simulator/libcuda.so.1" in parts["runtime"]
    assert not any(file.startswith(("include/", "bin/")) or file.endswith(".a") for file in parts["runtime"])
    assert "lib/libcuprum.so" in parts["development"]
    assert "include/cuprum/cuprum.hpp" in parts["development"]
    assert parts["tools"] == {
        "bin/cuprum",
        "bin/cuprum-simulate",
        "lib/cuprum/simulator/companions/bin/nvcc",  # first on PATH under cuprum-simulate
    }
    assert not any(file.startswith("cuprum/") for file in default)
    assert any(file.endswith("THIRD_PARTY_NOTICES") for file in parts["runtime"])


@pytest.mark.parametrize(("module", "source"), [("cuprum", "consumer.c"), ("cuprum-cpp", "consumer.cpp")])
def test_pkg_config_tells_how_to_build(
    installed: pathlib.Path, module: str, source: str, tmp_path: pathlib.Path
) -> None:
    path = {"PKG_CONFIG_PATH": str(installed / "lib" / "pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", module, **path).split()
    assert run("pkg-config", "--modversion", module, **path).strip() in (ROOT / "CMakeLists.txt").read_text()
    is_c = source.endswith(".c")
    compiler = [os.environ["CUPRUM_TEST_CC" if is_c else "CUPRUM_TEST_CXX"], "-std=c99" if is_c else "-std=c++20"]
    program = tmp_path / "program"
    run(*compiler, HERE / "consumer" / source, *flags, "-o", program)
    # The C library is a shared one, which the loader finds as it finds others.
    loader = {"LD_LIBRARY_PATH": str(installed / "lib")} if is_c else {}
    assert "ok" in run(program, **loader)


def test_the_example_project_builds_and_its_tests_pass(installed: pathlib.Path, tmp_path: pathlib.Path) -> None:
    build(ROOT / "examples" / "projects" / "cmake", tmp_path, f"-DCMAKE_PREFIX_PATH={installed}")
    assert "y[0] = 5" in run(tmp_path / "saxpy")
    assert "100% tests passed" in run(pathlib.Path(CMAKE).parent / "ctest", "--test-dir", tmp_path)


def test_the_readme_shows_all_that_it_takes(installed: pathlib.Path, tmp_path: pathlib.Path) -> None:
    readme = (ROOT / "README.md").read_text()
    (lists,) = re.findall(r"^```cmake\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    program = re.search(r"^```cpp\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    assert program is not None
    assert len(lists.splitlines()) <= 10
    (tmp_path / "CMakeLists.txt").write_text(lists)
    (tmp_path / "saxpy.cpp").write_text(program[1])
    build(tmp_path, tmp_path / "build", f"-DCMAKE_PREFIX_PATH={installed}")
    assert "y[0] = 5" in run(tmp_path / "build" / "saxpy")


def test_it_can_be_a_part_of_another_build(tmp_path: pathlib.Path) -> None:
    (shown,) = re.findall(r"^```cmake\n(.*?)^```$", (ROOT / "docs" / "cmake.md").read_text(), re.MULTILINE | re.DOTALL)
    assert shown in (HERE / "subproject" / "CMakeLists.txt").read_text()
    options = [f"-DCUPRUM_SOURCE={ROOT}", f"-DCUPRUM_CUDA_INCLUDE_DIR={os.environ['CUPRUM_TEST_CUDA_INCLUDE']}"]
    options += ["-DCUPRUM_BUILD_HOST_EXECUTION=OFF", "-DCMAKE_CXX_FLAGS=-O0"]
    # The lowest layer stands for all; the simulator is the one that is built already.
    build(HERE / "subproject", tmp_path, *options, target="inside")
    simulator = tmp_path / "lib" / "cuprum" / "simulator" / "libcuda.so.1"
    simulator.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(BUILD / "lib" / "cuprum" / "simulator" / "libcuda.so.1", simulator)
    assert run(tmp_path / "inside") == f"{simulator}\n"


def test_the_presets_set_options_that_there_are() -> None:
    presets = json.loads((ROOT / "CMakePresets.json").read_text())
    known = set((BUILD / "CMakeCache.txt").read_text().replace(":", "\n").splitlines())
    names = {preset["name"] for preset in presets["configurePresets"]}
    for preset in presets["configurePresets"]:
        assert set(preset["cacheVariables"]) <= known
    for kind in ("buildPresets", "testPresets"):
        assert {preset["configurePreset"] for preset in presets[kind]} <= names
    listed = subprocess.run([CMAKE, "--list-presets"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert all(f'"{name}"' in listed for name in names)
