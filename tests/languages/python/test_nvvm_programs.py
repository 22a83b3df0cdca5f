"""Programs of NVVM IR, compiled by libNVVM."""

from __future__ import annotations

import io
import pathlib
from typing import Any

import cuprum
import numpy as np
import pytest
from cuprum import pathfinder
from cuprum.core import Device, LaunchConfig, Linker, ObjectCode, Program, ProgramOptions, launch

TARGETS = """
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-\
v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
"""
#: A kernel that applies a function, which other code defines, to each of the floats.
APPLY = (
    TARGETS
    + """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @FUNCTION(float)
define void @apply(float* %values) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %index = zext i32 %thread to i64
  %place = getelementptr inbounds float, float* %values, i64 %index
  %value = load float, float* %place, align 4
  %result = call float @FUNCTION(float %value)
  store float %result, float* %place, align 4
  ret void
}
!nvvm.annotations = !{!1}
!1 = !{void (float*)* @apply, !"kernel", i32 1}
"""
)
SCALE = TARGETS + "define float @scale(float %x) {\n  %product = fmul float %x, 3.0\n  ret float %product\n}\n"
CALLS_SCALE = APPLY.replace("FUNCTION", "scale")
CALLS_SINE = APPLY.replace("FUNCTION", "__nv_sinf")


def scaling(**options: Any) -> Program:
    extra_sources = [("scale.ll", SCALE)]
    return Program(CALLS_SCALE, "nvvm", {"arch": "compute_75", "extra_sources": extra_sources, **options})


def applied(device: Device, code: ObjectCode, values: list[float]) -> np.ndarray:
    array = np.array(values, np.float32)
    with device.create_stream() as stream, device.allocate(array.nbytes, stream=stream) as buffer:
        buffer.copy_from_host(array, stream=stream)
        launch(stream, LaunchConfig(grid=1, block=len(values)), code.get_kernel("apply"), buffer)
        buffer.copy_to_host(array, stream=stream)
        stream.sync()
    return array


@pytest.mark.parametrize("kind", [str, str.encode, lambda text: bytearray(text.encode())])
def test_a_program_runs_with_the_modules_that_it_is_made_of(device: Device, kind: Any) -> None:
    options = ProgramOptions(name="apply.ll", arch="sm_75", extra_sources=(("scale.ll", kind(SCALE)),))
    with Program(kind(CALLS_SCALE), "nvvm", options) as program:
        assert program.backend == "NVVM"
        assert repr(program) == "<Program 'apply.ll', nvvm>"
        with program.compile("ptx") as code:
            assert code.code_type == "ptx"
            assert b".target sm_75" in code.code
            assert applied(device, code, [1, 2, 3]).tolist() == [3, 6, 9]
        program.compile()
        assert program.apply.num_arguments == 1


def test_a_file_name_says_that_it_is_nvvm_ir() -> None:
    for name in ("apply.ll", "apply.bc"):
        with Program(CALLS_SCALE, name) as program:
            assert program.backend == "NVVM"


def test_libdevice_is_linked(device: Device) -> None:
    with Program(CALLS_SINE, "nvvm", {"arch": "compute_75", "use_libdevice": True}) as program:
        np.testing.assert_allclose(
            applied(device, program.compile(), [0.5, 1, 3]), np.sin(np.array([0.5, 1, 3])), rtol=1e-6
        )


def test_lto_ir_is_linked(device: Device) -> None:
    arch = f"sm_{device.compute_capability[0]}{device.compute_capability[1]}"
    with (
        scaling(arch=arch) as program,
        program.compile("ltoir") as code,
        Linker(code, options={"arch": arch}) as linker,
    ):
        assert code.code_type == "ltoir"
        assert linker.link("cubin").code[1:4] == b"ELF"


def test_options_reach_the_compiler() -> None:
    def ptx(**options: Any) -> bytes:
        with scaling(**options) as program:
            return program.compile("ptx").code

    assert b"mul.f32" in ptx()
    assert b"mul.ftz.f32" in ptx(ftz=True)
    assert b"call" in ptx(device_code_optimize=False)
    assert b"call" in ptx(debug=True)
    assert b"call" not in ptx(device_code_optimize=True)
    with scaling() as program:
        assert b".target sm_80" in program.compile(["-arch=compute_80"]).code
        assert b"mul.ftz.f32" in program.compile(["-ftz=1"]).code


def test_what_is_wrong_is_a_compile_error_with_its_place() -> None:
    wrong = CALLS_SCALE.replace("ret void", "ret vvoid")
    with Program(wrong, "wrong.ll", {"arch": "compute_75"}) as program, pytest.raises(cuprum.CompileError) as caught:
        program.compile("ptx")
    assert caught.value.domain is cuprum.ErrorDomain.NVVM
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.file == "wrong.ll"
    assert diagnostic.line == wrong[: wrong.index("vvoid")].count("\n") + 1
    assert "expected type" in diagnostic.text


def test_another_ir_version_gives_the_compilers_message() -> None:
    with (
        Program(SCALE.replace("i32 2", "i32 9"), "nvvm", {"arch": "compute_75"}) as program,
        pytest.raises(cuprum.CompileError, match=r"IR version 9\.0 incompatible with current version 2\.0"),
    ):
        program.compile("ptx")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"max_register_count": 5}, "--maxrregcount=5"),
        ({"std": "c++20"}, "--std=c\\+\\+20"),
        ({"define_macro": "N"}, "--define-macro=N"),
        ({"lineinfo": True}, "--generate-line-info"),
        ({"include_path": "/usr"}, "--include-path=/usr"),
    ],
)
def test_options_that_libnvvm_does_not_have_are_named(options: dict[str, Any], named: str) -> None:
    with pytest.raises(cuprum.InvalidArgument, match=f"libNVVM has no such options: {named}"):
        scaling(**options)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(TypeError, match="NVVM IR must be a str, bytes or bytearray, not int"):
        Program(3, "nvvm")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"extra_sources\[0\] must be a tuple \(name, source\), not str"):
        scaling(extra_sources="scale.ll")
    with pytest.raises(TypeError, match=r"the source of extra_sources\[0\] must be a str, bytes or bytearray, not int"):
        scaling(extra_sources=[("scale.ll", 3)])
    with pytest.raises(TypeError, match=r"the name of extra_sources\[0\] must be a str, not int"):
        scaling(extra_sources=[(3, SCALE)])
    with pytest.raises(ValueError, match=r"'scale\.ll' is empty"):
        scaling(extra_sources=[("scale.ll", "")])
    with pytest.raises(ValueError, match="NVVM IR is empty"):
        Program("", "nvvm")
    for code_type in ("c++", "ptx"):
        with pytest.raises(ValueError, match="extra_sources are for NVVM IR alone"):
            Program("", code_type, {"extra_sources": [("scale.ll", SCALE)]})
        with pytest.raises(ValueError, match="use_libdevice is for NVVM IR alone"):
            Program("", code_type, {"use_libdevice": True})
    with scaling() as program, pytest.raises(ValueError, match="no name expressions"):
        program.compile("ptx", name_expressions=["apply<int>"])


def test_the_log_of_a_good_compile_is_empty() -> None:
    logs = io.StringIO()
    with scaling() as program:
        program.compile("ptx", logs=logs)
    assert logs.getvalue() == ""


def test_bitcode_is_taken_as_it_is(device: Device) -> None:
    bitcode = pathlib.Path(pathfinder.find_bitcode_lib("device")).read_bytes()
    assert b"\0" in bitcode
    with Program(CALLS_SINE, "nvvm", {"arch": "compute_75", "extra_sources": [("libdevice.bc", bitcode)]}) as program:
        assert applied(device, program.compile(), [0.5])[0] == pytest.approx(np.sin(0.5))
    with Program(bitcode, "libdevice.bc", {"arch": "compute_75"}) as program:
        assert program.compile("ptx").code.startswith(b"//")
