"""cuprum.pathfinder: the names of cuda.pathfinder, and one toolkit."""

from __future__ import annotations

import ctypes
import pathlib
import threading

import cuprum
import pytest
from conftest import RunPython
from cuprum import pathfinder
from cuprum.core import Program
from cuprum.pathfinder import Toolkit

#: The public names of cuda.pathfinder 1.9.
PEER_NAMES = (
    "BitcodeLibNotFoundError",
    "DynamicLibNotAvailableError",
    "DynamicLibNotFoundError",
    "DynamicLibUnknownError",
    "LoadedDL",
    "LocatedBitcodeLib",
    "LocatedHeaderDir",
    "LocatedStaticLib",
    "SUPPORTED_BINARY_UTILITIES",
    "SUPPORTED_BITCODE_LIBS",
    "SUPPORTED_HEADERS_CTK",
    "SUPPORTED_NVIDIA_LIBNAMES",
    "SUPPORTED_STATIC_LIBS",
    "StaticLibNotFoundError",
    "find_bitcode_lib",
    "find_nvidia_binary_utility",
    "find_nvidia_header_directory",
    "find_static_lib",
    "get_cuda_path_or_home",
    "load_nvidia_dynamic_lib",
    "locate_bitcode_lib",
    "locate_nvidia_header_directory",
    "locate_static_lib",
)


def test_it_has_the_names_of_cuda_pathfinder() -> None:
    assert set(PEER_NAMES) <= set(pathfinder.__all__)


def test_a_library_is_opened_once_and_its_handle_works() -> None:
    first = pathfinder.load_nvidia_dynamic_lib("nvrtc")
    second = pathfinder.load_nvidia_dynamic_lib("nvrtc")
    assert first.abs_path == pathfinder.find_cuda_library("nvrtc")
    assert first._handle_uint == second._handle_uint
    assert not first.was_already_loaded_from_elsewhere
    assert first.found_via
    major, minor = ctypes.c_int(), ctypes.c_int()
    library = ctypes.CDLL(first.abs_path, handle=first._handle_uint)
    assert library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)) == 0
    assert major.value >= 12


def test_a_library_that_the_process_has_open_is_said_to_be(run_python: RunPython) -> None:
    result = run_python("""
        import ctypes
        from cuprum import pathfinder
        path = pathfinder.find_cuda_library("cudart")
        ctypes.CDLL(path)
        print(pathfinder.load_nvidia_dynamic_lib("cudart").was_already_loaded_from_elsewhere)
    """)
    assert result.stdout == "True\n"


def test_unknown_names_are_the_errors_that_users_of_cuda_pathfinder_expect() -> None:
    with pytest.raises(pathfinder.DynamicLibUnknownError, match="did you mean nvrtc") as caught:
        pathfinder.load_nvidia_dynamic_lib("nvrct")
    assert isinstance(caught.value, pathfinder.DynamicLibNotFoundError)
    assert isinstance(caught.value, RuntimeError)
    with pytest.raises(ValueError, match="did you mean device"):
        pathfinder.find_bitcode_lib("devise")
    with pytest.raises(ValueError, match="no part has that name"):
        pathfinder.find_static_lib("x")
    with pytest.raises(pathfinder.UnsupportedBinaryError, match="did you mean nvcc") as unsupported:
        pathfinder.find_nvidia_binary_utility("nvccc")
    assert unsupported.value.utility == "nvccc"


def test_what_is_missing_is_none_or_the_error_of_its_kind(run_python: RunPython) -> None:
    result = run_python(
        """
        from cuprum import pathfinder
        print(pathfinder.find_nvidia_binary_utility("ncu"), pathfinder.find_nvidia_header_directory("nccl"))
        for find, error in [(lambda: pathfinder.find_bitcode_lib("device"), pathfinder.BitcodeLibNotFoundError),
                            (lambda: pathfinder.find_static_lib("cudadevrt"), pathfinder.StaticLibNotFoundError),
                            (lambda: pathfinder.load_nvidia_dynamic_lib("npps"), pathfinder.DynamicLibNotFoundError)]:
            try:
                print("found", find())
            except error as caught:
                print(type(caught).__name__, "looked at" in str(caught))
        """,
        hide=("/bin/ncu", "nccl", "libdevice", "libcudadevrt", "libnpps"),
    )
    assert result.stdout == (
        "None None\nBitcodeLibNotFoundError True\nStaticLibNotFoundError True\nLibraryNotFound True\n"
    )


def test_a_part_that_this_platform_lacks_is_not_available() -> None:
    # All that are known are there on Linux; the class is what matters.
    assert issubclass(pathfinder.DynamicLibNotAvailableError, pathfinder.DynamicLibNotFoundError)
    assert issubclass(pathfinder.DynamicLibNotAvailableError, cuprum.Unsupported)


def test_supported_names_are_those_that_are_taken() -> None:
    assert pathfinder.SUPPORTED_HEADERS_CTK["nvrtc"] == "nvrtc.h"
    assert "nccl" not in pathfinder.SUPPORTED_HEADERS_CTK
    assert {"nvrtc", "nvJitLink", "cudart", "cublas", "cudnn", "nccl", "cuda"} <= set(
        pathfinder.SUPPORTED_NVIDIA_LIBNAMES
    )
    assert pathfinder.SUPPORTED_BITCODE_LIBS == ("device", "nccl_device", "nvshmem_device")
    assert pathfinder.SUPPORTED_STATIC_LIBS == ("cudadevrt",)
    assert {"nvcc", "ptxas", "nsys"} <= set(pathfinder.SUPPORTED_BINARY_UTILITIES)


def test_the_toolkit_in_use_is_the_one_that_parts_come_from(no_leaks: None) -> None:
    with Toolkit.in_use() as toolkit:
        assert pathfinder.find_cuda_library("nvrtc") == toolkit.find_cuda_library("nvrtc")
        assert pathfinder.find_cuda_include_dirs() == toolkit.find_cuda_include_dirs()
        assert toolkit.version in repr(toolkit)
        assert pathlib.Path(toolkit.root).is_dir()
        assert toolkit.found_via
        assert all(finding.severity != "error" for finding in toolkit.check())
        loaded = toolkit.load_nvidia_dynamic_lib("nvJitLink")
        assert loaded.abs_path == toolkit.find_cuda_library("nvJitLink")


def test_a_condition_that_no_toolkit_fits_lists_those_that_there_are() -> None:
    with pytest.raises(pathfinder.LibraryNotFound, match='which "<11" does not allow'):
        Toolkit("<11")
    with pytest.raises(cuprum.InvalidArgument, match="is not a condition"):
        Toolkit("newest")
    with pytest.raises(cuprum.InvalidArgument, match="did you mean cufft"):
        Toolkit(from_elsewhere=["cuftt"])


def test_a_closed_toolkit_says_so() -> None:
    toolkit = Toolkit()
    toolkit.close()
    with pytest.raises(cuprum.InvalidState):
        toolkit.find_cuda_library("nvrtc")
    assert "closed" in repr(toolkit)


def test_programs_compile_with_the_toolkit_that_was_put_in_use(run_python: RunPython) -> None:
    result = run_python("""
        from cuprum import pathfinder
        from cuprum.core import Program
        with pathfinder.Toolkit(">=12") as toolkit:
            toolkit.use()
            root = toolkit.root
        print(pathfinder.Toolkit.in_use().root == root)
        print(len(Program('extern "C" __global__ void k() {}', "k.cu").compile("ptx").code) > 0)
        pathfinder.reset_cache()
        print(pathfinder.find_cuda_library("nvrtc") != "")
    """)
    assert result.stdout == "True\nTrue\nTrue\n"


def test_a_variable_chooses_the_toolkit(run_python: RunPython) -> None:
    code = """
        from cuprum import pathfinder
        try:
            print(pathfinder.find_cuda_library("nvrtc"))
        except pathfinder.NotFound as error:
            print("does not allow" in str(error))
    """
    assert run_python(code, environment={"CUPRUM_TOOLKIT": "<11"}).stdout == "True\n"
    assert "libnvrtc" in run_python(code, environment={"CUPRUM_TOOLKIT": ">=12"}).stdout


def test_the_environment_is_read_again_after_a_reset_and_not_before(run_python: RunPython) -> None:
    result = run_python("""
        import os
        from cuprum import pathfinder
        first = pathfinder.find_cuda_library("nvrtc")
        os.environ["CUPRUM_TOOLKIT"] = "<11"
        print(pathfinder.find_cuda_library("nvrtc") is first)
        pathfinder.reset_cache()
        try:
            print(pathfinder.find_cuda_library("nvrtc"))
        except pathfinder.NotFound as error:
            print("does not allow" in str(error))
        del os.environ["CUPRUM_TOOLKIT"]
        pathfinder.reset_cache()
        print(pathfinder.find_cuda_library(libname="nvrtc") == first)
    """)
    assert result.stdout == "True\nTrue\nTrue\n"


def test_what_was_not_found_is_looked_for_again(run_python: RunPython) -> None:
    result = run_python("""
        from cuprum import pathfinder
        for _ in range(2):
            try:
                pathfinder.load_nvidia_dynamic_lib("no such library")
            except pathfinder.DynamicLibUnknownError as error:
                print(error.object)
    """)
    assert result.stdout == "no such library\nno such library\n"


def test_many_threads_get_the_same_answer() -> None:
    answers: list[tuple[str, int]] = []

    def ask() -> None:
        loaded = pathfinder.load_nvidia_dynamic_lib("nvJitLink")
        answers.append((loaded.abs_path, loaded._handle_uint))

    pathfinder.reset_cache()
    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    assert len(set(answers)) == 1


def test_diagnose_finds_nothing_wrong_with_the_toolkit() -> None:
    for finding in pathfinder.diagnose():
        assert finding.severity in ("error", "warning", "note")
        assert finding.problem
    assert Program('extern "C" __global__ void k() {}', "k.cu").compile("ptx").code
