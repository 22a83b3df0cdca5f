"""The forms that a kernel's arguments come in, and functions of Python's that the driver calls."""

from __future__ import annotations

import ctypes
import sys
import threading
from typing import Any

import numpy as np
import pytest
from conftest import RunPython
from cuprum.bindings import driver

SUCCESS = driver.CUresult.CUDA_SUCCESS


def function(module: driver.CUmodule, name: str) -> driver.CUfunction:
    err, kernel = driver.cuModuleGetFunction(module, name)
    assert err is SUCCESS
    return kernel


def launch(kernel: driver.CUfunction, arguments: Any, block: int = 1) -> None:
    assert driver.cuLaunchKernel(kernel, 1, 1, 1, block, 1, 1, 0, None, arguments, 0) == (SUCCESS,)
    assert driver.cuCtxSynchronize() == (SUCCESS,)


def numbers(memory: driver.CUdeviceptr, dtype: type[np.generic], count: int) -> list[object]:
    back = np.zeros(count, dtype)
    assert driver.cuMemcpyDtoH(back, memory, back.nbytes) == (SUCCESS,)
    return list(back.tolist())


def check_arguments(module: driver.CUmodule, memory: driver.CUdeviceptr, arguments: Any) -> None:
    assert driver.cuMemsetD8(memory, 0, 64) == (SUCCESS,)
    launch(function(module, "arguments"), arguments)
    assert numbers(memory, np.int64, 4) == [200, -300, 4000000000, -(2**32) + 1]
    assert numbers(driver.CUdeviceptr(int(memory) + 32), np.float64, 1) == [0.1]


BIG = 0xFFFFFFFF00000001


def test_values_with_ctypes(cu_module: driver.CUmodule, cu_memory: driver.CUdeviceptr) -> None:
    types: tuple[Any, ...] = (
        ctypes.c_void_p,
        ctypes.c_ubyte,
        ctypes.c_short,
        ctypes.c_uint,
        ctypes.c_ulonglong,
        ctypes.c_double,
    )
    check_arguments(cu_module, cu_memory, ((int(cu_memory), 200, -300, 4000000000, BIG, 0.1), types))
    check_arguments(cu_module, cu_memory, ((cu_memory, 200, -300, 4000000000, BIG, 0.1), types))
    values = tuple(
        kind(value) for kind, value in zip(types, (int(cu_memory), 200, -300, 4000000000, BIG, 0.1), strict=True)
    )
    check_arguments(cu_module, cu_memory, (values, types))
    check_arguments(cu_module, cu_memory, ((cu_memory, *values[1:]), (None, *types[1:])))


def test_a_list_of_numpys_numbers_and_handles(cu_module: driver.CUmodule, cu_memory: driver.CUdeviceptr) -> None:
    values = [cu_memory, np.uint8(200), np.int16(-300), np.uint32(4000000000), np.uint64(BIG), np.float64(0.1)]
    check_arguments(cu_module, cu_memory, values)
    check_arguments(cu_module, cu_memory, values)  # the classes are known now
    check_arguments(cu_module, cu_memory, tuple(values))
    check_arguments(
        cu_module, cu_memory, [np.array(value) if isinstance(value, np.generic) else value for value in values]
    )


def test_a_list_of_ctypes_numbers(cu_module: driver.CUmodule, cu_memory: driver.CUdeviceptr) -> None:
    check_arguments(
        cu_module,
        cu_memory,
        [ctypes.c_void_p(int(cu_memory)), ctypes.c_ubyte(200), ctypes.c_short(-300), ctypes.c_uint(4000000000),
         ctypes.c_uint64(BIG), ctypes.c_double(0.1)],
    )  # fmt: skip


def test_numbers_of_pythons_have_the_parameters_size(cu_module: driver.CUmodule, cu_memory: driver.CUdeviceptr) -> None:
    check_arguments(cu_module, cu_memory, [int(cu_memory), 200, -300, 4000000000, BIG, 0.1])
    with pytest.raises(OverflowError, match=r"cuLaunchKernel: kernelParams .* 8 unsigned bits, not 256"):
        launch(function(cu_module, "arguments"), [int(cu_memory), 256, 0, 0, 0, 0.0])


def test_an_array_of_pointers(cu_module: driver.CUmodule, cu_memory: driver.CUdeviceptr) -> None:
    values = [np.array(v) for v in (np.uint64(int(cu_memory)), np.uint8(200), np.int16(-300), np.uint32(4000000000),
                                    np.uint64(BIG), np.float64(0.1))]  # fmt: skip
    pointers = np.array([value.ctypes.data for value in values], np.uint64)
    check_arguments(cu_module, cu_memory, pointers)
    check_arguments(cu_module, cu_memory, pointers.ctypes.data)


def test_structures_as_arguments(cu_module: driver.CUmodule, cu_memory: driver.CUdeviceptr) -> None:
    class Three(ctypes.Structure):
        _fields_ = [("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint)]

    kernel = function(cu_module, "structure")
    record = np.array([(7, 8, 9)], np.dtype([("x", "u4"), ("y", "u4"), ("z", "u4")]))
    for three in (Three(7, 8, 9), record[0]):
        for arguments in ([cu_memory, three], ((cu_memory, three), (None, None))):
            assert driver.cuMemsetD8(cu_memory, 0, 12) == (SUCCESS,)
            launch(kernel, arguments)
            assert numbers(cu_memory, np.uint32, 3) == [7, 8, 9]


def test_no_arguments(cu_module: driver.CUmodule) -> None:
    forms: tuple[Any, ...] = (None, 0, [], (), ((), ()))
    for arguments in forms:
        launch(function(cu_module, "nothing"), arguments)


@pytest.mark.shows("cuModuleGetFunction", "cuLaunchKernel")
def test_saxpy(cu_module: driver.CUmodule, cu_memory: driver.CUdeviceptr) -> None:
    n = 256
    x, y = np.arange(n, dtype=np.float32), np.full(n, 2, np.float32)
    assert driver.cuMemcpyHtoD(cu_memory, x, x.nbytes) == (SUCCESS,)
    second = int(cu_memory) + x.nbytes
    assert driver.cuMemcpyHtoD(second, y, y.nbytes) == (SUCCESS,)
    launch(function(cu_module, "saxpy"), [3.0, cu_memory, driver.CUdeviceptr(second), n], block=n)
    assert driver.cuMemcpyDtoH(y, second, y.nbytes) == (SUCCESS,)
    assert (y == 3 * x + 2).all()


def test_a_launch_with_a_configuration(cu_module: driver.CUmodule, cu_memory: driver.CUdeviceptr) -> None:
    configuration = driver.CUlaunchConfig()
    configuration.gridDimX = configuration.gridDimY = configuration.gridDimZ = 1
    configuration.blockDimX = configuration.blockDimY = configuration.blockDimZ = 1
    three = np.array([(1, 2, 3)], np.dtype([("x", "u4"), ("y", "u4"), ("z", "u4")]))[0]
    kernel = function(cu_module, "structure")
    assert driver.cuLaunchKernelEx(configuration, kernel, [cu_memory, three], 0) == (SUCCESS,)
    assert driver.cuCtxSynchronize() == (SUCCESS,)
    assert numbers(cu_memory, np.uint32, 3) == [1, 2, 3]


WRONG = [
    (((1, 2), (ctypes.c_int,)), r"as many types as values, not 1 for 2"),
    (((1,), (int,)), r"argument 0 takes a type of ctypes or None as its type"),
    (((1.5,), (ctypes.c_int,)), r"kernelParams takes an int, not float"),
    (("a",), r"argument 0 takes a NumPy or ctypes number, .* not str"),
    ([np.zeros(4)], r"argument 0 takes one value, not an array .* not ndarray"),
    ("abc", r"kernelParams takes a list of values, .* not str"),
    ([b"ab"], r"argument 0 takes one value, not an array"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_what_is_wrong_is_named(cu_module: driver.CUmodule, arguments: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        driver.cuLaunchKernel(function(cu_module, "nothing"), 1, 1, 1, 1, 1, 1, 0, None, arguments, 0)


def test_a_function_of_pythons_is_called_in_stream_order(
    cu_stream: driver.CUstream, cu_memory: driver.CUdeviceptr
) -> None:
    heard: list[object] = []
    for number in range(3):
        assert driver.cuLaunchHostFunc(cu_stream, heard.append, number) == (SUCCESS,)
    assert driver.cuStreamSynchronize(cu_stream) == (SUCCESS,)
    assert heard == [0, 1, 2]


def test_a_function_and_its_data_live_as_long_as_they_are_needed(cu_stream: driver.CUstream) -> None:
    heard: list[str] = []
    data = ["of", "python"]
    before = sys.getrefcount(data)
    assert driver.cuLaunchHostFunc(cu_stream, lambda words: heard.extend(words), data) == (SUCCESS,)
    assert driver.cuStreamSynchronize(cu_stream) == (SUCCESS,)
    assert heard == ["of", "python"]
    assert sys.getrefcount(data) == before


def test_a_callback_gets_stream_status_and_data(cu_stream: driver.CUstream) -> None:
    heard: list[tuple[object, ...]] = []
    assert driver.cuStreamAddCallback(cu_stream, lambda *given: heard.append(given), "data", 0) == (SUCCESS,)
    assert driver.cuStreamSynchronize(cu_stream) == (SUCCESS,)
    assert heard == [(cu_stream, SUCCESS, "data")]


def test_a_function_made_with_ctypes_is_passed_on(cu_stream: driver.CUstream) -> None:
    heard: list[int | None] = []
    host_function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(heard.append)
    address = ctypes.cast(host_function, ctypes.c_void_p).value
    assert address is not None
    for fn in (host_function, address, driver.CUhostFn(address)):
        assert driver.cuLaunchHostFunc(cu_stream, fn, 42) == (SUCCESS,)
    assert driver.cuStreamSynchronize(cu_stream) == (SUCCESS,)
    assert heard == [42, 42, 42]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_exception_in_a_function_is_reported_and_no_more(cu_stream: driver.CUstream) -> None:
    reported: list[object] = []
    previous, sys.unraisablehook = sys.unraisablehook, lambda unraisable: reported.append(unraisable.exc_type)
    try:
        assert driver.cuLaunchHostFunc(cu_stream, lambda _: 1 // 0, None) == (SUCCESS,)
        assert driver.cuStreamSynchronize(cu_stream) == (SUCCESS,)
    finally:
        sys.unraisablehook = previous
    assert reported == [ZeroDivisionError]


def test_launches_do_not_wait_for_the_interpreter_that_a_callback_needs(
    cu_module: driver.CUmodule, cu_stream: driver.CUstream
) -> None:
    # While a function of Python's is on its way, no call keeps the interpreter: a full queue would never empty.
    heard: list[object] = []
    kernel = function(cu_module, "nothing")
    assert driver.cuLaunchHostFunc(cu_stream, heard.append, 1) == (SUCCESS,)
    for _ in range(3000):
        assert driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, cu_stream, None, 0) == (SUCCESS,)
    assert driver.cuStreamSynchronize(cu_stream) == (SUCCESS,)
    assert heard == [1]


@pytest.mark.shows("cuStreamQuery")
def test_a_call_that_waits_lets_other_threads_run(cu_stream: driver.CUstream) -> None:
    begun, go = threading.Event(), threading.Event()

    def wait(_: object) -> None:
        begun.set()
        go.wait(60)

    assert driver.cuLaunchHostFunc(cu_stream, wait, None) == (SUCCESS,)
    assert begun.wait(60)
    assert driver.cuStreamQuery(cu_stream) == (driver.CUresult.CUDA_ERROR_NOT_READY,)
    other = threading.Timer(0.05, go.set)
    other.start()
    assert driver.cuStreamSynchronize(cu_stream) == (SUCCESS,)  # would wait for ever if it kept the interpreter
    other.join()
    assert driver.cuStreamQuery(cu_stream) == (SUCCESS,)


EXIT = """
from cuprum.bindings import driver
import threading, time
driver.cuInit(0)
driver.cuCtxSetCurrent(driver.cuDevicePrimaryCtxRetain(0)[1])
stream = driver.cuStreamCreate(1)[1]
begun = threading.Event()
def slow(_):
    begun.set()
    time.sleep(0.2)
    print("done", flush=True)
driver.cuLaunchHostFunc(stream, slow, None)
begun.wait()
for _ in range(3):
    driver.cuLaunchHostFunc(stream, lambda _: print("too late", flush=True), None)
"""


def test_the_interpreter_exits_while_functions_wait_for_their_turn(run_python: RunPython) -> None:
    # The one that runs is waited for, as a thread is; the others are not begun any more.
    assert run_python(EXIT).stdout == "done\n"
