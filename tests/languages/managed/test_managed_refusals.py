"""What Java's and C#'s bindings refuse, and what they say of what is missing: every function of every library.

The programs are the children of the languages' own tests; what to expect, bindings/tables say.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bindings" / "generator"))

import managed  # noqa: E402
from managed import Parameter  # noqa: E402

#: language -> the command of its program, of the languages that are built.
PROGRAMS: dict[str, list[str]] = json.loads(os.environ["CUPRUM_TEST_CHILDREN"])
CUDA = int(os.environ["CUPRUM_TEST_CUDA"])
NOTHING_INSTALLED = {
    "CUPRUM_DRIVER": "gpu",
    "LD_PRELOAD": os.environ["CUPRUM_TEST_HIDE_PATHS"],
    "HIDE_PATHS": "libcuda.so:libcudart:libnvrtc:libnvJitLink:libnvvm:libnvidia-ml:libnccl",
}
OLD_DRIVER = {"CUPRUM_DRIVER": "gpu", "LD_LIBRARY_PATH": os.environ["CUPRUM_TEST_OLD_DRIVER"]}
MISSING = {"driver": "303", "runtime": "303", "nvrtc": "11", "nvjitlink": "6", "nvvm": "2", "nvml": "12", "nccl": "2"}

pytestmark = pytest.mark.parametrize("language", PROGRAMS)
each_library = pytest.mark.parametrize("library", list(managed.CLASSES))


def run(language: str, *arguments: str, **environment: str) -> list[list[str]]:
    """The fields of each line that the program prints."""
    result = subprocess.run(
        [*PROGRAMS[language], *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert result.returncode == 0, f"{language} {arguments}:\n{result.stdout}{result.stderr}"
    return [line.split("\t") for line in result.stdout.splitlines()]


@each_library
def test_every_function_says_that_its_library_is_missing(language: str, library: str) -> None:
    functions = {f.name: f for f in managed.Library(library, CUDA).functions}
    described = run(language, "describe-every-function", library, **NOTHING_INSTALLED)
    assert sorted(name for name, _, _ in described) == sorted(functions)
    for name, status, message in described:
        assert status == (MISSING[library] if functions[name].result == "enum" else ""), name
        assert name in message, message


def test_every_function_says_that_the_driver_lacks_it(language: str) -> None:
    """A driver of CUDA 12.2 that has a few functions."""
    versions = {name: facts["version"] for name, facts in managed.Library("driver", CUDA).facts["functions"].items()}
    lacking = 0
    for name, status, message in run(language, "describe-every-function", "driver", **OLD_DRIVER):
        if not message:
            assert name in {"cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuMemAlloc", "cuGetProcAddress"}
            continue
        assert status == "500", name  # CUDA_ERROR_NOT_FOUND
        assert name in message
        assert "12.2" in message, message  # what is there
        assert f"{versions[name] // 1000}.{versions[name] % 1000 // 10}" in message, message  # what introduced it
        lacking += 1
    assert lacking >= len(versions) - 5


def refused(language: str, parameter: Parameter) -> list[str]:
    """What a function refuses for a parameter: "null" where it would write, and "empty", an array, where it takes one
    element at least (each number that counts is 1), "nul": a text that C would take to end earlier than it does."""
    written = parameter.direction != "in"
    array = parameter.kind in ("texts", "bytes", "enums", "numbers") or (parameter.kind == "record" and parameter.array)
    if language == "java":
        array = parameter.kind in ("texts", "text_out", "bytes", "enums", "numbers")
        null = parameter.kind in ("enum", "struct", "text_out") or parameter.is_place
        null = null or (
            parameter.kind in ("bytes", "numbers", "enums", "record") and written and not parameter.optional
        )
    else:
        # Other outputs are out parameters, which cannot be null.
        array = array and (parameter.kind in ("texts", "bytes") or parameter.array or not written)
        null = (array and written and not parameter.optional) or parameter.is_place
    empty = array and bool(parameter.count or written)
    return ["null"] * null + ["empty"] * empty + ["nul"] * (parameter.kind in ("text", "texts"))


@each_library
def test_null_and_too_few_and_texts_with_nul_are_refused_by_name(language: str, library: str) -> None:
    expected = {
        (what, function.name, parameter.name)
        for function in managed.Library(library, CUDA).functions
        for parameter in function.parameters
        for what in refused(language, parameter)
    }
    printed = run(language, "refuse-arguments", library, **NOTHING_INSTALLED)
    # "default_": a word of the language's own.
    found = {(what, function, parameter.removesuffix("_")) for what, function, parameter in printed}
    assert found == expected
    assert len(found) >= 5
