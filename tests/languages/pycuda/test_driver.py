"""What pycuda.driver does beyond what the programs show."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import threading
from typing import Any

import cuprum.core
import numpy as np
import pytest
from conftest import RunPython
from cuprum.compat.pycuda import compiler, driver
from cuprum.core.texture import ResourceDescriptor, TextureObjectOptions

SOURCE = """
__global__ void add(int *a, int n) { atomicAdd(a, n); }
__global__ void write(int *a, int n) { a[threadIdx.x] = n; }
__global__ void dynamic(int *a) { extern __shared__ int s[]; s[threadIdx.x] = 1; a[threadIdx.x] = s[threadIdx.x]; }
"""


@pytest.fixture(scope="module")
def module() -> compiler.SourceModule:
    return compiler.SourceModule(SOURCE)


@pytest.fixture
def write(module: compiler.SourceModule) -> driver.Function:
    return module.get_function("write")


def four(memory: Any) -> list[int]:
    values: list[int] = driver.from_device(memory, 4, np.int32).tolist()
    return values


class Lent:
    """An array of another package."""

    def __init__(self, memory: Any) -> None:
        self.__cuda_array_interface__ = {
            "shape": (4,), "typestr": "<i4", "data": (int(memory), False), "version": 3
        }  # fmt: skip


def test_arrays_of_other_packages_are_arguments_and_sources(write: driver.Function) -> None:
    memory = driver.mem_alloc(16)
    write(Lent(memory), np.int32(3), block=(4, 1, 1))
    assert four(Lent(memory)) == [3] * 4
    write.prepare("Pi").prepared_call((1, 1), (4, 1, 1), Lent(memory), 4)
    assert four(memory) == [4] * 4


def test_buffers_of_cuprum_core_are_arguments(write: driver.Function) -> None:
    stream = driver.Stream()
    with cuprum.core.Device(0).allocate(16, stream=stream) as buffer:
        write(buffer, np.int32(5), block=(4, 1, 1), stream=stream)
        stream.synchronize()
        assert four(buffer) == [5] * 4


def test_streams_of_cuprum_core_are_streams(write: driver.Function) -> None:
    memory = driver.to_device(np.zeros(4, np.int32))
    with cuprum.core.Device(0).create_stream() as stream:
        write(memory, np.int32(6), block=(4, 1, 1), stream=stream)  # type: ignore[arg-type]
        stream.sync()
    assert four(memory) == [6] * 4


def test_texture_objects_of_cuprum_core_are_arguments() -> None:
    read = compiler.SourceModule(
        'extern "C" __global__ void read(float *out, cudaTextureObject_t t) '
        "{ out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }",
        no_extern_c=True,
    ).get_function("read")
    device = cuprum.core.Device(0)
    stream = device.default_stream
    values = np.arange(4, dtype=np.float32)
    with device.allocate(16, stream=stream) as buffer:
        driver.memcpy_htod(buffer, values)
        resource = ResourceDescriptor.from_linear(buffer, format="float32", num_channels=1)
        with device.create_texture_object(resource=resource, options=TextureObjectOptions()) as texture:
            out = np.zeros(4, np.float32)
            read(driver.Out(out), texture, block=(4, 1, 1))
    assert np.array_equal(out, values)


def test_threads_that_launch_one_kernel_do_not_mix_their_arguments(module: compiler.SourceModule) -> None:
    add = module.get_function("add")
    context = driver.Context.get_current()
    assert context is not None
    sums = [driver.to_device(np.zeros(1, np.int32)) for _ in range(4)]

    def run(number: int) -> None:
        with context:
            for _ in range(50):
                add(sums[number], np.int32(number + 1), block=(1, 1, 1))
            driver.Context.synchronize()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [int(driver.from_device(each, 1, np.int32)[0]) for each in sums] == [50, 100, 150, 200]


def test_a_slice_of_managed_memory_is_passed_as_its_address(write: driver.Function) -> None:
    array = driver.managed_zeros(8, np.int32)
    write(array[2:], np.int32(9), block=(4, 1, 1))
    driver.Context.synchronize()
    assert array.tolist() == [0, 0, 9, 9, 9, 9, 0, 0]
    view = array.base.as_buffer(32)
    assert np.frombuffer(view, np.int32).tolist() == array.tolist()
    array.base.attach(driver.mem_attach_flags.HOST)


def test_registered_memory_is_the_arrays_own(write: driver.Function) -> None:
    array = driver.aligned_zeros(1024, np.int32)
    registered = driver.register_host_memory(array, driver.mem_host_register_flags.DEVICEMAP)
    write(np.intp(registered.base.get_device_pointer()), np.int32(2), block=(4, 1, 1))
    driver.Context.synchronize()
    assert array[:5].tolist() == [2, 2, 2, 2, 0]
    registered.base.unregister()
    with pytest.raises(driver.LogicError, match="has been freed"):
        registered.base.unregister()


@pytest.mark.parametrize("dtype", [np.int32, np.complex64, "f2", "S3", [("a", "i4"), ("b", "f8")], "datetime64[s]"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("make", ["pagelocked_zeros", "aligned_zeros", "managed_zeros"])
def test_host_arrays_have_the_shape_and_type_that_were_asked_for(make: str, order: Any, dtype: Any) -> None:
    array = getattr(driver, make)((3, 2), dtype, order)
    like = np.zeros((3, 2), dtype, order)
    assert (array.dtype, array.shape, array.strides) == (like.dtype, like.shape, like.strides)
    assert array.base is not None
    assert array.flags.writeable
    memory = driver.to_device(array)
    assert np.array_equal(driver.from_device_like(memory, array), array)
    assert getattr(driver, f"{make}_like")(array).strides == array.strides


def test_an_array_without_elements_has_memory() -> None:
    assert driver.pagelocked_empty((0, 4), np.int32).shape == (0, 4)
    assert driver.managed_empty(0, np.int32).shape == (0,)


def test_code_is_loaded_from_memory_and_from_files(tmp_path: pathlib.Path) -> None:
    code = compiler.compile(SOURCE, target="ptx")
    file = tmp_path / "code.ptx"
    file.write_bytes(code)
    messages: list[tuple[bool, str, str]] = []
    loaded = [
        driver.module_from_buffer(code),
        driver.module_from_file(str(file)),
        driver.module_from_buffer(
            code, [(driver.jit_option.MAX_REGISTERS, 32)], lambda *message: messages.append(message)
        ),
    ]
    for module in loaded:
        memory = driver.mem_alloc(16)
        module.get_function("write")(memory, np.int32(1), block=(4, 1, 1))
        assert four(memory) == [1] * 4
    assert [is_success for is_success, _, _ in messages] == [True]
    with pytest.raises(driver.Error):
        driver.module_from_buffer(b".version 8.0\nnonsense", message_handler=lambda *message: messages.append(message))
    assert [is_success for is_success, _, _ in messages] == [True, False]


def test_the_linker_joins_code() -> None:
    linker = driver.Linker()
    linker.add_data(compiler.compile(SOURCE, target="ptx"), driver.jit_input_type.PTX, "source.ptx")
    module = linker.link_module()
    memory = driver.mem_alloc(16)
    module.get_function("write")(memory, np.int32(8), block=(4, 1, 1))
    assert four(memory) == [8] * 4
    with pytest.raises(driver.LogicError, match="it has linked already"):
        linker.link_module()


def test_more_shared_memory_is_asked_for(module: compiler.SourceModule) -> None:
    dynamic = module.get_function("dynamic")
    memory = driver.mem_alloc(16)
    with pytest.raises(driver.LogicError, match="raise that with set_attribute"):
        dynamic(memory, block=(4, 1, 1), shared=64 << 10)
    dynamic.set_attribute(driver.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 << 10)
    dynamic(memory, block=(4, 1, 1), shared=64 << 10)
    assert four(memory) == [1] * 4


def test_memory_is_copied_between_contexts() -> None:
    here = driver.Context.get_current()
    assert here is not None
    source = driver.to_device(np.arange(8, dtype=np.int32))
    there = driver.Device(0).make_context()
    try:
        dest = driver.mem_alloc(32)
        driver.memcpy_peer(dest, source, 32, there, here)
        assert four(dest) == [0, 1, 2, 3]
        copy = driver.Memcpy3DPeer()
        copy.set_src_device(int(source) + 16)
        copy.set_src_context(here)
        copy.set_dst_device(dest)
        copy.width_in_bytes, copy.height, copy.depth = 16, 1, 1
        copy()
        assert four(dest) == [4, 5, 6, 7]
    finally:
        there.pop()
        there.detach()


def test_arrays_of_one_dimension_are_copied_from_and_to_everywhere() -> None:
    descriptor = driver.ArrayDescriptor()
    descriptor.width, descriptor.num_channels = 8, 1
    descriptor.format = driver.array_format.SIGNED_INT32
    first, second = driver.Array(descriptor), driver.Array(descriptor)
    driver.memcpy_htoa(first, 0, np.arange(8, dtype=np.int32))
    driver.memcpy_atoa(second, 16, first, 0, 16)
    memory = driver.mem_alloc(16)
    driver.memcpy_atod(memory, second, 16, 16)
    assert four(memory) == [0, 1, 2, 3]
    driver.memcpy_dtoa(second, 0, memory, 16)
    values = np.zeros(8, np.int32)
    driver.memcpy_atoh(values, second, 0)
    assert values.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    first.free()
    with pytest.raises(driver.LogicError, match="it has been freed"):
        _ = first.handle


def test_a_copy_without_an_end_says_which() -> None:
    copy = driver.Memcpy2D()
    copy.set_src_host(np.zeros((2, 2)))
    copy.width_in_bytes, copy.height = 16, 2
    with pytest.raises(driver.LogicError, match="Memcpy2D: it has no destination; call set_dst_host"):
        copy(aligned=False)


def test_the_primary_context_stays_as_long_as_its_memory(run_python: RunPython) -> None:
    program = """
from cuprum.compat.pycuda import driver
from cuprum.bindings import driver as bindings
def is_active():
    err, _, is_active = bindings.cuDevicePrimaryCtxGetState(0)
    assert not err
    return is_active
driver.init()
context = driver.Device(0).retain_primary_context()
context.push()
memory = driver.mem_alloc(16)
context.pop()
context.detach()
del context
assert is_active()
memory.free()
del memory
assert not is_active()
"""
    run_python("-c", program)


def test_a_context_that_other_code_has_made_current_is_used_and_left_alone(run_python: RunPython) -> None:
    program = """
import numpy as np
from cuprum.bindings import driver as bindings
from cuprum.compat.pycuda import driver
from cuprum.core import Device
driver.init()
assert driver.Context.get_current() is None
err, own = bindings.cuCtxCreate(0, 0)
for _ in range(2):
    assert driver.Context.get_current().handle == driver.Context.attach().handle == int(own)
    memory = driver.to_device(np.arange(4))
    driver.Stream().synchronize()
    Device(0).default_stream.sync()
    del memory
    assert int(bindings.cuCtxGetCurrent()[1]) == int(own)
try:
    driver.Context.pop()
except driver.LogicError:
    print("not on the stack")
assert int(bindings.cuCtxGetCurrent()[1]) == int(own)
assert bindings.cuCtxDestroy(own)[0] == 0
"""
    assert run_python("-c", program).stdout == "not on the stack\n"


def test_a_context_that_nothing_refers_to_is_destroyed() -> None:
    free, _ = driver.mem_get_info()
    context = driver.Device(0).make_context()
    memory = driver.mem_alloc(1 << 24)
    context.pop()
    del context, memory
    assert driver.mem_get_info()[0] >= free


def test_the_profiler_is_started_and_stopped() -> None:
    driver.start_profiler()
    driver.stop_profiler()
    with pytest.raises(cuprum.Unsupported, match="Nsight"):
        driver.initialize_profiler("config", "output", driver.profiler_output_mode.CSV)


def test_another_process_opens_memory_by_its_handle(tmp_path: pathlib.Path) -> None:
    memory = driver.to_device(np.arange(4, dtype=np.int32))
    program = (
        "import sys, numpy as np\n"
        "from cuprum.compat.pycuda import autoinit, driver\n"
        "memory = driver.IPCMemoryHandle(bytes.fromhex(sys.argv[1]))\n"
        "driver.memcpy_htod(memory, driver.from_device(memory, 4, np.int32) * 10)\n"
        "driver.Context.synchronize()\n"
        "memory.close()\n"
    )
    handle = driver.mem_get_ipc_handle(memory)
    assert len(handle) == 64
    subprocess.run([sys.executable, "-c", program, handle.hex()], check=True, timeout=60)
    assert four(memory) == [0, 10, 20, 30]
    with pytest.raises(ValueError, match="a handle has 64 bytes, this one has 3"):
        driver.IPCMemoryHandle(b"abc")
    flags = driver.event_flags.INTERPROCESS | driver.event_flags.DISABLE_TIMING
    assert len(driver.Event(flags).ipc_handle()) == 64
