"""Linkers: several inputs of every kind, options, logs, mistakes."""

from __future__ import annotations

import array
import dataclasses
import os
import pathlib
import re
from typing import Any

import cuprum
import pytest
from cuprum.core import Device, LaunchConfig, Linker, LinkerOptions, ObjectCode, Program, ProgramOptions, Stream, launch

pytestmark = pytest.mark.usefixtures("no_leaks")
SCALE = "__device__ int scale(int x) { return 3 * x; }"
APPLY = """
__device__ int scale(int x);
extern "C" __global__ void apply(int* values) { values[threadIdx.x] = scale(values[threadIdx.x]); }
template <class T> __global__ void add(T* values, T more) { values[threadIdx.x] += more; }
"""


def compiled(source: str, kind: str, name: str, names: tuple[str, ...] = ()) -> ObjectCode:
    link_time = True if kind == "ltoir" else None
    options = ProgramOptions(name=name, relocatable_device_code=True, link_time_optimization=link_time)
    with Program(source, "c++", options) as program:
        return program.compile(kind, name_expressions=names)


def run(device: Device, stream: Stream, code: ObjectCode, kernel: str, *more: int) -> list[int]:
    """Launches a kernel on [1, 2]."""
    result = array.array("i", [1, 2])
    with code.get_kernel(kernel) as found, device.allocate(8) as values:
        values.copy_from_host(result)
        launch(stream, LaunchConfig(1, block=2), found, values, *more)
        stream.sync()
        values.copy_to_host(result)
    return list(result)


@pytest.mark.parametrize("kinds", [("ptx", "ptx"), ("cubin", "cubin"), ("ltoir", "ltoir"), ("cubin", "ptx")])
def test_a_function_is_linked_to_the_kernel_that_calls_it(
    device: Device, stream: Stream, kinds: tuple[str, str]
) -> None:
    with compiled(APPLY, kinds[0], "apply.cu") as apply, compiled(SCALE, kinds[1], "scale.cu") as scale:
        linker = Linker(apply, scale, options=LinkerOptions(name="both"))
    with linker, linker.link("cubin") as linked:
        assert linked.code_type == "cubin"
        assert linked.name == "both"
        assert linker.get_error_log() == ""
        assert run(device, stream, linked, "apply") == [3, 6]


def test_lto_ir_is_linked_to_ptx_and_again_to_a_cubin(device: Device, stream: Stream) -> None:
    with (
        compiled(APPLY, "ltoir", "apply.cu") as apply,
        compiled(SCALE, "ltoir", "scale.cu") as scale,
        Linker(apply, scale, options={"time": True}) as linker,
    ):
        for kind in ("ptx", "cubin"):
            with linker.link(kind) as linked:
                assert linked.code_type == kind
                assert "time" in linker.get_info_log()
                assert run(device, stream, linked, "apply") == [3, 6]


def test_name_expressions_survive(device: Device, stream: Stream) -> None:
    with (
        compiled(APPLY, "ptx", "apply.cu", ("add<int>",)) as apply,
        compiled(SCALE, "ptx", "scale.cu") as scale,
        Linker(apply, scale) as linker,
        linker.link("cubin") as linked,
    ):
        assert linked.symbol_mapping == apply.symbol_mapping
        assert list(linked.symbol_mapping) == ["add<int>"]
        assert run(device, stream, linked, "add<int>", 10) == [11, 12]


def test_kernels_are_kept_by_their_name_expressions() -> None:
    with (
        compiled(APPLY, "ltoir", "apply.cu", ("add<int>",)) as apply,
        compiled(SCALE, "ltoir", "scale.cu") as scale,
        ObjectCode.from_ltoir(apply.code, symbol_mapping=apply.symbol_mapping) as copy,
        Linker(copy, scale, options=LinkerOptions(kernels_used="add<int>")) as linker,
        linker.link("cubin") as linked,
    ):
        linked.get_kernel("add<int>").close()
        with pytest.raises(cuprum.KernelNotFound):
            linked.get_kernel("apply")


@pytest.mark.skipif(os.environ.get("CUPRUM_DRIVER") != "sim", reason="the real nvJitLink takes objects of nvcc")
def test_an_object_is_an_input(device: Device, stream: Stream, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "scale.o"
    with compiled(SCALE, "cubin", "scale.cu") as scale:
        path.write_bytes(scale.code)
    with (
        compiled(APPLY, "cubin", "apply.cu") as apply,
        ObjectCode.from_object(path) as scale,
        Linker(apply, scale) as linker,
        linker.link("cubin") as linked,
    ):
        assert scale.code_type == "object"
        assert scale.name == "scale.o"
        assert run(device, stream, linked, "apply") == [3, 6]


def test_what_nobody_defines_is_in_the_error_and_in_the_logs() -> None:
    with compiled(APPLY, "ptx", "apply.cu") as apply, Linker(apply) as linker:
        with pytest.raises(cuprum.NvJitLinkError, match="that defines it") as caught:
            linker.link("cubin")
        assert "_Z5scalei" in caught.value.log
        assert "_Z5scalei" in linker.get_error_log()
        assert caught.value.domain is cuprum.ErrorDomain.NVJITLINK


def test_a_cubin_of_another_architecture_is_refused() -> None:
    with (
        Program(SCALE, "c++", {"arch": "sm_80", "name": "scale.cu", "relocatable_device_code": True}) as program,
        program.compile("cubin") as code,
        Linker(code, options={"arch": "sm_90"}) as linker,
        pytest.raises(cuprum.NvJitLinkError, match="another architecture"),
    ):
        linker.link("cubin")


def test_options_are_nvjitlinks() -> None:
    options = LinkerOptions(
        arch="sm_80",
        max_register_count=32,
        time=True,
        verbose=False,
        link_time_optimization=True,
        optimization_level=3,
        ftz=True,
        prec_div=False,
        kernels_used=("a", "b"),
        ptxas_options="-v",
        split_compile=0,
    )
    assert options.as_options() == [
        *("-time", "-lto", "-arch=sm_80", "-maxrregcount=32", "-O3", "-ftz=1", "-prec-div=0", "-split-compile=0"),
        *("-kernels-used=a", "-kernels-used=b", "-Xptxas=-v"),
    ]
    assert options.as_bytes()[0] == b"-time"
    with pytest.raises(ValueError, match="'nvjitlink'"):
        options.as_bytes("driver")


def test_every_option_has_its_text() -> None:
    fields = {field.name for field in dataclasses.fields(LinkerOptions)} - {"name", "numba_debug"}
    given: dict[str, Any] = {
        name: ["x"] if name in ("kernels_used", "variables_used", "ptxas_options") else 1 for name in fields
    }
    assert len(LinkerOptions(**given).as_options()) == len(fields)


def test_it_says_what_it_is() -> None:
    assert Linker.which_backend() == "nvJitLink"
    with compiled(SCALE, "ptx", "scale.cu") as scale, Linker(scale, options={"name": "one"}) as linker:
        assert linker.backend == "nvJitLink"
        assert linker.handle != 0
        assert not linker.is_closed
        assert repr(linker) == "<Linker 'one', nvJitLink>"
    assert linker.is_closed
    with pytest.raises(cuprum.InvalidState, match="closed"):
        linker.link("cubin")
    linker.close()


def test_inputs_must_be_object_code() -> None:
    with pytest.raises(ValueError, match="at least one ObjectCode"):
        Linker()
    with pytest.raises(TypeError, match="input 1 of the Linker must be an ObjectCode, not str"):
        Linker("text")  # type: ignore[arg-type]
    with compiled(SCALE, "ptx", "scale.cu") as scale:
        for target in ("ltoir", "fatbin", 3):
            with Linker(scale) as linker, pytest.raises(ValueError, match=re.escape("must be 'cubin' or 'ptx'")):
                linker.link(target)  # type: ignore[arg-type]
    with pytest.raises(cuprum.InvalidState, match="closed"):
        Linker(scale)
