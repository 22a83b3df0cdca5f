"""Every kind of bad input: a clear error, nothing leaked, and the objects still usable."""

from __future__ import annotations

import array

import cuprum
import numpy as np
import pytest
from conftest import SAXPY, RunPython
from cuprum import _cuprum
from cuprum.core import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

pytestmark = pytest.mark.usefixtures("no_leaks")
TOOLKIT = ("cuda", "nvrtc")


def buffers(device: Device) -> tuple[Buffer, Buffer]:
    x, y = device.allocate(16), device.allocate(16)
    x.copy_from_host(array.array("f", [1, 1, 1, 1]))
    y.copy_from_host(array.array("f", [1, 1, 1, 1]))
    return x, y


def assert_still_usable(stream: Stream, kernel: Kernel, x: Buffer, y: Buffer) -> None:
    """``buffers()`` that no kernel has written to yet."""
    launch(stream, LaunchConfig(1, block=32), kernel, 2.0, x, y, 4)
    stream.sync()
    result = array.array("f", bytes(16))
    y.copy_to_host(result)
    assert list(result) == [3, 3, 3, 3]


def test_without_a_toolkit_the_error_says_what_is_missing_and_where_it_was_looked_for(run_python: RunPython) -> None:
    result = run_python(
        """
        import cuprum
        from cuprum.core import Device, Program
        program = Program('extern "C" __global__ void k() {}', "k.cu")
        try:
            program.compile("ptx")
        except cuprum.LibraryNotFound as error:
            assert error.status == cuprum.Status.LIBRARY_NOT_FOUND, error.status
            assert error.advice, "no advice"
            print(error)
        else:
            raise SystemExit("it compiled")
        # What needs no toolkit goes on.
        with Device(0).allocate(8) as buffer:
            buffer.copy_from_host(b"12345678")
        program.close()
        """,
        hide=("/usr/local/cuda", "libnvrtc", "/nvidia/"),
        environment={"CUDA_PATH": "/opt/no-such-toolkit"},
    )
    assert "nvrtc" in result.stdout
    assert "/opt/no-such-toolkit" in result.stdout
    assert "/usr/local/cuda" in result.stdout


def test_without_a_driver_the_error_names_the_simulator(run_python: RunPython) -> None:
    result = run_python(
        """
        import cuprum
        from cuprum.core import Device, Program
        for attempt in range(2):
            try:
                Device(0)
            except cuprum.LibraryNotFound as error:
                print(error)
            else:
                raise SystemExit("there is a device")
        # Compiling needs no driver.
        code = Program('extern "C" __global__ void k() {}', "k.cu", {"arch": "compute_75"}).compile("ptx")
        assert b".entry k" in code.code
        """,
        hide=("libcuda.so",),
        environment={"CUPRUM_DRIVER": "gpu"},
    )
    assert "libcuda" in result.stdout
    assert "CUPRUM_DRIVER=sim" in result.stdout


def test_an_unknown_choice_of_driver_lists_the_choices(run_python: RunPython) -> None:
    result = run_python(
        """
        import cuprum
        from cuprum.core import Device
        try:
            Device(0)
        except cuprum.InvalidArgument as error:
            print(error)
        """,
        environment={"CUPRUM_DRIVER": "cpu"},
    )
    assert "cpu" in result.stdout
    assert all(choice in result.stdout for choice in ("gpu", "sim", "auto"))


def test_a_kernel_that_does_not_compile_shows_the_log_with_the_line(device: Device) -> None:
    with Program("__global__ void k() {\n    int i = undeclared;\n}", "broken.cu") as program:
        with pytest.raises(cuprum.CompileError) as caught:
            program.compile()
        assert "broken.cu(2)" in caught.value.log
        assert "undeclared" in caught.value.log
        assert "broken.cu(2)" in str(caught.value)
        assert isinstance(caught.value, cuprum.NVRTCError)
        with pytest.raises(cuprum.CompileError):
            program.compile("ptx")
    with Program(SAXPY) as program, program.compile() as code:
        assert code.get_kernel("saxpy").num_arguments == 4


def test_an_option_that_the_compiler_does_not_know_is_named() -> None:
    with Program(SAXPY) as program, pytest.raises(cuprum.InvalidArgument) as caught:
        program.compile(["--no-such-option"])
    assert "no-such-option" in str(caught.value)


def test_a_kernel_name_that_is_not_there_lists_those_that_are() -> None:
    source = 'extern "C" __global__ void first() {}\nextern "C" __global__ void second() {}'
    with Program(source) as program, program.compile() as code:
        with pytest.raises(cuprum.KernelNotFound) as caught:
            code.get_kernel("frist")
        message = str(caught.value)
        assert all(name in message for name in ("frist", "first", "second"))
        with pytest.raises(AttributeError, match="second"):
            _ = program.frist
        assert not hasattr(program, "frist")
        assert code.get_kernel("first").num_arguments == 0


def test_a_wrong_number_of_arguments_says_how_many(device: Device, stream: Stream, saxpy: Kernel) -> None:
    x, y = buffers(device)
    for arguments in [(), (2.0, x, y), (2.0, x, y, 4, 5)]:
        with pytest.raises(cuprum.ArgumentMismatch) as caught:
            launch(stream, LaunchConfig(1, block=32), saxpy, *arguments)
        assert "4" in str(caught.value)
        assert str(len(arguments)) in str(caught.value)
        assert "saxpy" in str(caught.value)
    assert_still_usable(stream, saxpy, x, y)


def test_an_argument_of_the_wrong_size_says_which_and_both_sizes(device: Device, stream: Stream, saxpy: Kernel) -> None:
    x, y = buffers(device)
    for position, arguments in [
        (0, (np.float64(2.0), x, y, 4)),
        (1, (2.0, np.float32(1), y, 4)),
        (3, (2.0, x, y, np.int64(4))),
    ]:
        with pytest.raises(cuprum.ArgumentMismatch) as caught:
            launch(stream, LaunchConfig(1, block=32), saxpy, *arguments)
        message = str(caught.value)
        assert f"argument {position}" in message
        assert "4" in message
        assert "8" in message
    assert_still_usable(stream, saxpy, x, y)


def test_a_number_that_does_not_fit_its_parameter_says_which(device: Device, stream: Stream, saxpy: Kernel) -> None:
    x, y = buffers(device)
    for position, arguments in [(3, (2.0, x, y, 1 << 32)), (0, (1e300, x, y, 4)), (3, (2.0, x, y, -(1 << 31) - 1))]:
        with pytest.raises(cuprum.ArgumentMismatch, match=f"argument {position}"):
            launch(stream, LaunchConfig(1, block=32), saxpy, *arguments)
    assert_still_usable(stream, saxpy, x, y)


@pytest.mark.parametrize(
    ("value", "kind"),
    [([1], "list"), ("1", "str"), (None, "NoneType"), (object(), "object"), ({}, "dict"), (np.zeros(4), "ndarray")],
)
def test_a_type_that_no_kernel_takes_is_named_with_its_position(
    value: object, kind: str, device: Device, stream: Stream, saxpy: Kernel
) -> None:
    x, y = buffers(device)
    with pytest.raises(TypeError, match=f"kernel argument 1: {kind} "):
        launch(stream, LaunchConfig(1, block=32), saxpy, 2.0, value, y, 4)
    assert_still_usable(stream, saxpy, x, y)


def test_a_launch_over_the_limits_of_the_device_names_the_limit(device: Device, stream: Stream, saxpy: Kernel) -> None:
    x, y = buffers(device)
    limits = device.properties
    for config, limit in [
        (LaunchConfig(1, block=limits.max_threads_per_block + 1), limits.max_threads_per_block),
        (LaunchConfig(1, block=(1, 1, limits.max_block_dim_z + 1)), limits.max_block_dim_z),
        (LaunchConfig((1, limits.max_grid_dim_y + 1), block=1), limits.max_grid_dim_y),
        (LaunchConfig(1, block=1, shmem_size=1 << 30), None),
    ]:
        with pytest.raises(cuprum.InvalidArgument) as caught:
            launch(stream, config, saxpy, 2.0, x, y, 4)
        assert limit is None or str(limit) in str(caught.value)
    assert_still_usable(stream, saxpy, x, y)


def test_an_access_out_of_bounds_is_a_device_fault_that_names_the_kernel(run_python: RunPython) -> None:
    # In a process of its own: a real device's context does not survive it.
    result = run_python(
        """
        import cuprum
        from cuprum.core import Device, LaunchConfig, Program, launch
        code = 'extern "C" __global__ void stray(int* p, long long i) { p[i] = 1; }'
        device = Device(0)
        stream = device.create_stream()
        kernel = Program(code).compile().get_kernel("stray")
        buffer = device.allocate(64)
        launch(stream, LaunchConfig(1, block=1), kernel, buffer, 1 << 40)
        try:
            stream.sync()
        except cuprum.DeviceFault as error:
            print(device.is_simulator, hex(buffer.handle), error.name)
            print(error)
        else:
            raise SystemExit("no fault")
        """
    )
    head, message = result.stdout.split("\n", 1)
    is_simulator, address, name = head.split()
    assert name == "CUDA_ERROR_ILLEGAL_ADDRESS"
    if is_simulator == "True":
        assert "stray" in message
        assert "thread" in message.lower()
        assert hex(int(address, 16) + (1 << 42))[2:] in message
        assert address[2:] in message, "the nearest allocation"


def test_a_copy_over_the_end_of_a_buffer_says_both_sizes(device: Device, stream: Stream) -> None:
    with device.allocate(16) as buffer:
        with pytest.raises(cuprum.InvalidArgument, match="17"):
            buffer.copy_from_host(bytes(17))
        with pytest.raises(cuprum.InvalidArgument, match="16"):
            buffer.copy_to_host(bytearray(17))
        with pytest.raises(cuprum.InvalidArgument, match="16"):
            buffer.copy_from_host(bytes(8), offset=9)
        with pytest.raises(cuprum.InvalidArgument):
            buffer.copy_from_host(bytes(8), offset=0xFFFFFFFFFFFFFFFF)
        with device.allocate(8) as other, pytest.raises(ValueError, match="8 bytes cannot be copied to 16 bytes"):
            buffer.copy_from(other, stream=stream)
        buffer.copy_from_host(bytes(range(16)))
        result = bytearray(16)
        buffer.copy_to_host(result)
        assert result == bytes(range(16))


def test_more_memory_than_there_is_is_a_memory_error_that_says_how_much(device: Device) -> None:
    with pytest.raises(MemoryError) as caught:
        device.allocate(1 << 60)
    assert isinstance(caught.value, cuprum.OutOfMemory)
    assert isinstance(caught.value, cuprum.CUDAError)
    assert str(1 << 60) in str(caught.value)
    device.allocate(16).close()


def test_a_device_that_is_not_there_says_how_many_there_are() -> None:
    with pytest.raises(cuprum.InvalidArgument, match="device 4096"):
        Device(4096)
    with pytest.raises(cuprum.InvalidArgument):
        Device(-1)
    with pytest.raises(TypeError):
        Device("0")  # type: ignore[arg-type]


def test_a_closed_object_says_that_it_is_closed(device: Device, stream: Stream, saxpy: Kernel) -> None:
    x, y = buffers(device)
    x.close()
    with pytest.raises(cuprum.InvalidState, match="launching a kernel, argument 1: this Buffer is closed"):
        launch(stream, LaunchConfig(1, block=1), saxpy, 1.0, x, y, 1)
    with pytest.raises(cuprum.InvalidState, match="Buffer is closed"):
        x.copy_from_host(b"1234")
    closed = device.create_stream()
    closed.close()
    with pytest.raises(cuprum.InvalidState, match="Stream is closed"):
        closed.sync()
    with pytest.raises(cuprum.InvalidState, match="Stream is closed"):
        launch(closed, LaunchConfig(1, block=1), saxpy, 1.0, y, y, 1)
    event = device.create_event()
    event.close()
    with pytest.raises(cuprum.InvalidState, match="Event is closed"):
        stream.record(event)


def test_a_program_that_is_not_compiled_says_so() -> None:
    with Program(SAXPY) as program, pytest.raises(AttributeError, match=r"call compile\(\) first"):
        _ = program.saxpy


def test_events_without_timing_cannot_be_measured_with(stream: Stream) -> None:
    begin, end = stream.record(), stream.record()
    stream.sync()
    with pytest.raises(cuprum.InvalidState, match="timing"):
        _ = end - begin
    with pytest.raises(TypeError):
        _ = end - 1  # type: ignore[operator]


def test_a_text_with_a_nul_is_refused_and_not_cut() -> None:
    with pytest.raises(ValueError, match="NUL character at byte 4"):
        Program("int \0 k", "k.cu")


def test_numbers_and_none_do_not_pass_for_streams(device: Device, saxpy: Kernel) -> None:
    x, y = buffers(device)
    for stream in (None, 0, 1):
        with pytest.raises(TypeError, match="stream must be a Stream"):
            launch(stream, LaunchConfig(1, block=1), saxpy, 1.0, x, y, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("handle", [0, 1, 0xFFFFFFFF00000001, 0xFFFFFFFFFFFFFFFF])
def test_handles_that_are_none_are_errors_and_no_crash(handle: int) -> None:
    for function in (
        _cuprum.cuprum_stream_sync,
        _cuprum.cuprum_event_sync,
        _cuprum.cuprum_buffer_size,
        _cuprum.cuprum_object_code_bytes,
        _cuprum.cuprum_kernel_name,
    ):
        with pytest.raises(cuprum.InvalidHandle):
            function(handle)


def test_a_handle_of_another_type_is_an_error(device: Device) -> None:
    with device.create_event() as event, pytest.raises(cuprum.InvalidHandle, match="event"):
        _cuprum.cuprum_stream_sync(event._native)


def test_negative_and_oversized_numbers_are_refused_before_they_reach_c(device: Device) -> None:
    with pytest.raises(OverflowError):
        device.allocate(-1)
    with pytest.raises(OverflowError):
        device.allocate(1 << 64)
    with pytest.raises(OverflowError):
        _cuprum.cuprum_stream_sync(-1)
