"""Programs, object code, kernels."""

from __future__ import annotations

import array
import dataclasses
import io
import pathlib
import pickle
import threading
from typing import Any

import cuprum
import pytest
from conftest import SAXPY, RunPython
from cuprum.bindings import nvrtc
from cuprum.core import Device, Kernel, LaunchConfig, ObjectCode, Program, ProgramOptions, Stream, launch

pytestmark = pytest.mark.usefixtures("no_leaks")
TEMPLATE = """
template <class T> __global__ void twice(T* p) { *p = *p + *p; }
namespace inner { __device__ int cell; }
"""


def run(device: Device, stream: Stream, kernel: Kernel) -> list[float]:
    """Launches saxpy as 2 * [1, 2] + [3, 4]."""
    result = array.array("f", [3, 4])
    with device.allocate(8) as x, device.allocate(8) as y:
        x.copy_from_host(array.array("f", [1, 2]))
        y.copy_from_host(result)
        launch(stream, LaunchConfig(1, block=32), kernel, 2.0, x, y, 2)
        stream.sync()
        y.copy_to_host(result)
    return list(result)


def test_ptx_is_text_that_names_the_kernel() -> None:
    with Program(SAXPY) as program, program.compile("ptx") as code:
        assert code.code_type == "ptx"
        assert b".entry saxpy" in code.code
        assert not code.code.endswith(b"\0")
        assert code.kernel_names == ["saxpy"]


def test_native_code_is_what_the_device_loads(device: Device, stream: Stream) -> None:
    with Program(SAXPY, "saxpy.cu") as program, program.compile() as code, code.get_kernel("saxpy") as kernel:
        assert code.code_type == ("ptx" if device.is_simulator else "cubin")
        assert code.name == "saxpy.cu"
        assert run(device, stream, kernel) == [5, 8]


@pytest.mark.parametrize("cuda", ["12.4", "12.9", "13.0"])
def test_a_driver_that_is_older_than_the_toolkit_gets_a_cubin_and_says_why_it_refuses_ptx(
    run_python: RunPython, cuda: str
) -> None:
    """On the simulator, which can be told to be of an older CUDA version than the toolkit that is in use here."""
    _, major, minor = nvrtc.nvrtcVersion()
    version = 1000 * int(cuda.split(".")[0]) + 10 * int(cuda.split(".")[1])
    if version >= 1000 * major + 10 * minor:
        pytest.skip(f"NVRTC {major}.{minor} is no newer than a driver of CUDA {cuda}")
    run_python(
        f"""
        import array
        import cuprum
        from cuprum.bindings import driver, nvrtc
        from cuprum.core import Device, LaunchConfig, Program, launch

        device = Device(0)
        _, version = driver.cuDriverGetVersion()
        _, major, minor = nvrtc.nvrtcVersion()
        assert version == {version} < 1000 * major + 10 * minor
        program = Program({SAXPY!r})
        code = program.compile()
        assert code.code_type == "cubin"
        stream = device.create_stream()
        x, y = device.allocate(8), device.allocate(8)
        x.copy_from_host(array.array("f", [1, 2]))
        y.copy_from_host(array.array("f", [3, 4]))
        launch(stream, LaunchConfig(grid=1, block=32), code.get_kernel("saxpy"), 2.0, x, y, 2)
        stream.sync()
        result = array.array("f", [0, 0])
        y.copy_to_host(result)
        assert list(result) == [5, 8]

        try:
            program.compile("ptx").get_kernel("saxpy")
        except cuprum.Error as error:
            assert "a driver of CUDA {cuda}" in str(error), error
            assert "compile without naming the type of code" in str(error), error
        else:
            raise AssertionError("a driver of CUDA {cuda} has loaded PTX of a later toolkit")
        """,
        environment={"CUPRUM_DRIVER": "sim", "CUPRUM_SIM": f"cuda={cuda}"},
    )


def test_ptx_goes_around_through_bytes_files_and_programs(
    device: Device, stream: Stream, tmp_path: pathlib.Path
) -> None:
    with Program(SAXPY) as program, program.compile("ptx") as code:
        ptx = code.code
    path = tmp_path / "saxpy.ptx"
    path.write_bytes(ptx)
    for source in (ptx, path, str(path)):
        with ObjectCode.from_ptx(source) as code, code.get_kernel("saxpy") as kernel:
            assert run(device, stream, kernel) == [5, 8]
    with Program(ptx.decode(), "ptx") as program:
        assert program.backend == "driver"
        with program.compile("ptx") as code, code.get_kernel(b"saxpy") as kernel:
            assert run(device, stream, kernel) == [5, 8]


def test_ptx_that_is_none_is_an_error_that_says_where(device: Device) -> None:
    with ObjectCode.from_ptx(b".version 8.0\nthis is no PTX\n") as code, pytest.raises(cuprum.Error) as caught:
        code.get_kernel("k")
    assert "2" in str(caught.value)
    with pytest.raises(cuprum.InvalidArgument, match="empty"):
        ObjectCode.from_ptx(b"")


def test_template_instances_are_found_by_their_c_plus_plus_names(device: Device, stream: Stream) -> None:
    expressions = ["twice<int>", "twice<double>"]
    with Program(TEMPLATE) as program, program.compile(name_expressions=expressions) as code:
        assert set(code.symbol_mapping) == set(expressions)
        assert sorted(code.symbol_mapping.values()) == sorted(code.kernel_names)
        with code.get_kernel("twice<int>") as kernel, device.allocate(4) as cell:
            assert kernel.name == code.symbol_mapping["twice<int>"]
            cell.copy_from_host(array.array("i", [21]))
            launch(stream, LaunchConfig(1, block=1), kernel, cell)
            stream.sync()
            result = array.array("i", [0])
            cell.copy_to_host(result)
            assert result[0] == 42
        with pytest.raises(cuprum.KernelNotFound, match="twice"):
            code.get_kernel("twice<char>")


def test_object_code_can_be_pickled(device: Device, stream: Stream) -> None:
    with Program(TEMPLATE) as program, program.compile("ptx", name_expressions=("twice<int>",)) as code:
        data = pickle.dumps(code)
    with pickle.loads(data) as copy, copy.get_kernel("twice<int>") as kernel:
        assert kernel.num_arguments == 1


def test_warnings_go_to_logs() -> None:
    logs = io.StringIO()
    source = 'extern "C" __global__ void k() { int never_used; }'
    with Program(source, "noisy.cu") as program:
        program.compile("ptx", logs=logs).close()
    assert "never_used" in logs.getvalue()
    assert "noisy.cu(1)" in logs.getvalue()


def test_macros_and_include_folders_reach_the_compiler(tmp_path: pathlib.Path) -> None:
    (tmp_path / "three.h").write_text("#define THREE 3\n")
    source = """
    #include "three.h"
    static_assert(THREE == 3 && FOUR == 4 && FIVE == 5);
    #if defined(SIX) && !defined(__CUDA_NO_SUCH__)
    extern "C" __global__ void k() {}
    #endif
    """
    options = ProgramOptions(include_path=str(tmp_path), define_macro=[("FOUR", "4"), "FIVE=5", "SIX"])
    with Program(source, options=options) as program, program.compile("ptx") as code:
        assert b".entry k" in code.code


def test_the_toolkits_headers_need_no_option() -> None:
    source = """
    #include <cuda_fp16.h>
    #include <cuda/std/cstdint>
    extern "C" __global__ void k(__half* h, cuda::std::uint64_t* n) { *n = 1; *h = __float2half(1.0f); }
    """
    with Program(source) as program, program.compile("ptx") as code:
        assert b".entry k" in code.code


def test_an_architecture_in_the_options_of_the_compile_replaces_that_of_the_program() -> None:
    with (
        Program(SAXPY, options={"arch": "compute_80"}) as program,
        program.compile("ptx") as first,
        program.compile(["--gpu-architecture=compute_75"]) as second,
        program.compile(["-arch=compute_90"]) as third,
    ):
        assert b".target sm_80" in first.code
        assert b".target sm_75" in second.code
        assert second.code_type == "ptx"
        assert b".target sm_90" in third.code


def test_every_option_is_spelled_as_nvrtc_knows_it() -> None:
    source = 'extern "C" __global__ void k() {}'
    for options in [
        {"relocatable_device_code": True},
        {"relocatable_device_code": False},
        {"extensible_whole_program": True},
        {"debug": True},
        {"lineinfo": True},
        {"ptxas_options": ["-v"]},
        {"max_register_count": 32},
        {"ftz": True, "prec_sqrt": False, "prec_div": False, "fma": False},
        {"use_fast_math": True},
        {"extra_device_vectorization": True},
        {"undefine_macro": "A"},
        {"pre_include": "cuda_fp16.h"},
        {"no_source_include": True},
        {"std": "c++20"},
        {"builtin_move_forward": False, "builtin_initializer_list": False},
        {"disable_warnings": True, "restrict": True},
        {"device_as_default_execution_space": True, "device_int128": True},
        {"optimization_info": "inline"},
        {"no_display_error_number": True},
        {"diag_error": [177], "diag_suppress": 20012, "diag_warn": 1},
        {"brief_diagnostics": True},
        {"split_compile": 1},
        {"fdevice_syntax_only": False, "minimal": True},
        {"no_cache": True},
        {"frandom_seed": "1"},
        {"ofast_compile": "min"},
        {"instantiate_templates_in_pch": False},
    ]:
        with Program(source, options={"arch": "compute_75", **options}) as program:  # type: ignore[dict-item]
            program.compile("ptx").close()


def test_every_option_reaches_the_compiler() -> None:
    without = ProgramOptions().as_options()
    for field in dataclasses.fields(ProgramOptions):
        # What messages call the source, and what is no option of a compiler.
        if field.name not in ("name", "extra_sources"):
            given: dict[str, Any] = {field.name: "1"}  # a text, or something that is true
            assert ProgramOptions(**given).as_options() != without, field.name


def test_an_option_that_there_is_not_is_an_error_with_its_name() -> None:
    with pytest.raises(TypeError, match="no option 'archh'"):
        Program(SAXPY, "c++", {"archh": "sm_90"})
    with pytest.raises(TypeError, match="must be of type ProgramOptions"):
        Program(SAXPY, "c++", "sm_90")  # type: ignore[arg-type]


def test_source_and_target_types_that_there_are_not_are_errors_that_list_those_there_are() -> None:
    with pytest.raises(ValueError, match="'c\\+\\+', 'ptx', 'nvvm' or the name of a source file"):
        Program(SAXPY, "fortran")
    with Program(SAXPY) as program, pytest.raises(ValueError, match="'ptx', 'cubin' or 'ltoir'"):
        program.compile("exe")
    with Program(SAXPY) as program, pytest.raises(TypeError, match="sequence of str"):
        program.compile("ptx", name_expressions="saxpy")


def test_a_program_compiles_from_several_threads_at_once() -> None:
    results: list[bytes] = []
    with Program(SAXPY, options={"arch": "compute_75"}) as program:

        def compile_once() -> None:
            with program.compile("ptx") as code:
                results.append(code.code)

        threads = [threading.Thread(target=compile_once) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(results) == 4
    assert len(set(results)) == 1


def test_a_kernel_tells_its_parameters_and_needs(device: Device, saxpy: Kernel) -> None:
    assert saxpy.name == "saxpy"
    assert saxpy.num_arguments == 4
    assert [tuple(parameter) for parameter in saxpy.arguments_info] == [(0, 4), (8, 8), (16, 8), (24, 4)]
    assert saxpy.handle != 0
    attributes = saxpy.attributes
    assert 0 < attributes.max_threads_per_block <= device.properties.max_threads_per_block
    assert attributes[device].num_regs == attributes[0].num_regs
    assert attributes.shared_size_bytes == 0
    assert attributes.ptx_version >= 70
    assert saxpy.occupancy.max_active_blocks_per_multiprocessor(256) >= 1
    assert saxpy.occupancy.available_dynamic_shared_memory_per_block(1, 256) == 49152
    with pytest.raises(cuprum.CUDAError, match="asking for the dynamic shared memory that is available"):
        saxpy.occupancy.available_dynamic_shared_memory_per_block(1000, 256)


def test_shared_memory_beyond_the_default_must_be_asked_for(device: Device, stream: Stream) -> None:
    source = """
    extern "C" __global__ void last(int* out, int bytes) {
        extern __shared__ int cells[];
        cells[bytes / 4 - 1] = 42;
        *out = cells[bytes / 4 - 1];
    }"""
    size = min(64 * 1024, device.properties.max_shared_memory_per_block_optin)
    result = array.array("i", [0])
    with Program(source) as program, program.compile() as code, code.get_kernel("last") as kernel:
        kernel.attributes.max_dynamic_shared_size_bytes = size
        assert kernel.attributes.max_dynamic_shared_size_bytes == size
        with device.allocate(4) as out:
            launch(stream, LaunchConfig(1, block=1, shmem_size=size), kernel, out, size)
            stream.sync()
            out.copy_to_host(result)
    assert result[0] == 42
