"""What few programs call: every function of the driver's is called by some test."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from cuprum.compat.pycuda import compiler, driver, elementwise, gpuarray, tools
from cuprum.compat.pycuda.compiler import SourceModule

FILL = "__global__ void fill(int *a, int value) { a[threadIdx.x] = value; }"


def test_a_context_has_limits_and_preferences() -> None:
    before = driver.Context.get_limit(driver.limit.STACK_SIZE)
    driver.Context.set_limit(driver.limit.STACK_SIZE, 4096)
    try:
        assert driver.Context.get_limit(driver.limit.STACK_SIZE) == 4096
    finally:
        driver.Context.set_limit(driver.limit.STACK_SIZE, before)
    driver.Context.set_cache_config(driver.func_cache.PREFER_NONE)
    assert int(driver.Context.get_cache_config()) in {int(each) for each in driver.func_cache}
    driver.Context.set_shared_config(driver.shared_config.DEFAULT_BANK_SIZE)
    assert int(driver.Context.get_shared_config()) in {int(each) for each in driver.shared_config}
    with pytest.raises(driver.LogicError, match="cuCtxSetLimit failed"):
        driver.Context.set_limit(1000, 1)


def test_fills_in_a_stream_and_of_rows() -> None:
    stream = driver.Stream()
    memory = driver.mem_alloc(64)
    back = np.zeros(16, np.uint32)

    def shown() -> list[int]:
        stream.synchronize()
        driver.memcpy_dtoh(back, memory)
        return [int(each) for each in back]

    driver.memset_d8_async(memory, 1, 64, stream)
    assert shown() == [0x01010101] * 16
    driver.memset_d16_async(memory, 2, 16, stream)
    assert shown() == [0x00020002] * 8 + [0x01010101] * 8
    driver.memset_d32(memory, 0, 16)
    driver.memset_d2d16(memory, 16, 3, 2, 4)
    assert shown() == [0x00030003, 0, 0, 0] * 4
    driver.memset_d2d8_async(memory, 16, 4, 4, 2, stream)
    assert shown() == [0x04040404, 0, 0, 0] * 2 + [0x00030003, 0, 0, 0] * 2
    driver.memset_d2d16_async(memory, 16, 5, 2, 1, stream)
    driver.memset_d2d32_async(memory, 16, 6, 1, 2, stream)
    assert shown() == [6, 0, 0, 0] * 2 + [0x00030003, 0, 0, 0] * 2


def test_contexts_reach_each_others_memory_where_that_is_allowed() -> None:
    # In a process of its own: from then on the package does not refuse memory of other contexts.
    program = (
        "import numpy as np\n"
        "from cuprum.compat.pycuda import driver\n"
        "from cuprum.compat.pycuda.compiler import SourceModule\n"
        "driver.init()\n"
        "first = driver.Device(0).make_context()\n"
        "memory = driver.to_device(np.zeros(2, np.int32))\n"
        "second = driver.Device(1).make_context()\n"
        f"fill = SourceModule({FILL!r}).get_function('fill')\n"
        "try:\n"
        "    fill(memory, np.int32(7), block=(2, 1, 1))\n"
        "except driver.LogicError as error:\n"
        "    assert 'is memory of' in str(error), error\n"
        "else:\n"
        "    raise AssertionError\n"
        "assert driver.Device(0).can_access_peer(driver.Device(1))\n"
        "second.enable_peer_access(first)\n"
        "fill(memory, np.int32(7), block=(2, 1, 1))\n"
        "driver.Context.synchronize()\n"
        "second.disable_peer_access(first)\n"
        "copy = driver.mem_alloc(8)\n"
        "stream = driver.Stream()\n"
        "driver.memcpy_peer_async(copy, memory, 8, second, first, stream)\n"
        "stream.synchronize()\n"
        "print(driver.from_device(copy, 2, np.int32).tolist())\n"
        "second.detach(); first.detach()\n"
    )
    environment = dict(os.environ)
    if environment.get("CUPRUM_DRIVER") == "sim":
        environment["CUPRUM_SIM"] = "devices=2"
    elif driver.Device.count() < 2:
        pytest.skip("did not run: there is one device")
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment
    )
    assert (result.stdout, result.stderr) == ("[7, 7]\n", "")


@pytest.mark.parametrize(
    ("like", "base"),
    [
        (driver.pagelocked_zeros_like, driver.PagelockedHostAllocation),
        (driver.managed_zeros_like, driver.ManagedAllocationOrStub),
        (driver.aligned_zeros_like, driver.AlignedHostAllocation),
    ],
)
def test_host_memory_like_other_arrays(like: Any, base: type) -> None:
    model = np.asfortranarray(np.ones((3, 4), np.int16))
    array = like(model)
    assert (array.shape, array.dtype, array.flags.f_contiguous) == ((3, 4), np.int16, True)
    assert not array.any()
    assert isinstance(array.base, base)
    array[...] = model
    assert (array == model).all()
    assert driver.HostAllocation is driver.PagelockedHostAllocation
    assert issubclass(driver.RegisteredHostMemory, driver.HostPointer)


def test_arrays_on_the_device_are_made_of_numpys_and_of_gpuarrays() -> None:
    values = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for array in (driver.np_to_array(values, "C"), driver.gpuarray_to_array(gpuarray.to_gpu(values), "C")):
        described = array.get_descriptor_3d()
        assert (described.width, described.height, described.depth) == (4, 3, 2)
        back = np.zeros_like(values)
        copy = driver.Memcpy3D()
        copy.set_src_array(array)
        copy.set_dst_host(back)
        copy.width_in_bytes = copy.dst_pitch = 16
        copy.height = copy.dst_height = 3
        copy.depth = 2
        copy()
        assert (back == values).all()
    pixels = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    described = driver.make_multichannel_2d_array(pixels, "C").get_descriptor()
    assert (described.width, described.height, described.num_channels) == (3, 2, 4)


def test_rows_are_copied_between_addresses_of_all_kinds() -> None:
    memory = driver.mem_alloc(64)
    source = np.arange(16, dtype=np.int32)
    driver.memcpy_htod(memory, source)
    managed = driver.managed_empty(16, np.int32)
    copy = driver.Memcpy2D()
    copy.set_src_unified(memory)
    copy.set_dst_unified(managed)
    copy.src_pitch = copy.dst_pitch = copy.width_in_bytes = 16
    copy.height = 4
    copy()
    driver.Context.synchronize()
    assert managed.tolist() == source.tolist()
    assert int(copy.src_memory_type) == int(driver.memory_type.UNIFIED)
    part = np.zeros((2, 2), np.int32)
    copy = driver.Memcpy2D()
    copy.set_src_device(memory)
    assert copy.src_device == int(memory)
    copy.set_dst_host(part)
    copy.src_x_in_bytes, copy.src_y, copy.src_pitch, copy.dst_pitch = 4, 1, 16, 8
    copy.width_in_bytes, copy.height = 8, 2
    copy()
    assert part.tolist() == [[5, 6], [9, 10]]
    boxes = np.zeros((2, 1, 2), np.int32)
    box = driver.Memcpy3D()
    box.set_src_unified(memory)
    box.set_dst_host(boxes)
    box.src_pitch, box.src_height, box.src_z, box.src_y, box.src_x_in_bytes = 8, 4, 0, 3, 0
    box.dst_pitch, box.dst_height = 8, 1
    box.width_in_bytes, box.height, box.depth = 8, 1, 2
    box()
    assert boxes.reshape(-1).tolist() == [6, 7, 14, 15]
    assert (box.src_lod, box.dst_lod, box.dst_z, box.dst_y, box.dst_x_in_bytes) == (0, 0, 0, 0, 0)


def test_handlers_of_the_programs_own() -> None:
    calls = []

    class Counted(driver.InOut):
        def pre_call(self, stream: Any) -> None:
            calls.append("pre")
            super().pre_call(stream)

        def post_call(self, stream: Any) -> None:
            super().post_call(stream)
            calls.append("post")

    assert issubclass(Counted, driver.ArgumentHandler)
    values = np.zeros(2, np.int32)
    handler = Counted(values)
    SourceModule(FILL).get_function("fill")(handler, np.int32(3), block=(2, 1, 1))
    assert (calls, values.tolist()) == (["pre", "post"], [3, 3])
    assert int(handler.get_device_alloc())


def test_code_is_linked_from_files(tmp_path: pathlib.Path) -> None:
    ptx = tmp_path / "fill.ptx"
    ptx.write_bytes(compiler.compile(FILL, target="ptx"))
    linker = driver.Linker()
    linker.add_file(str(ptx), driver.jit_input_type.PTX)
    module = linker.link_module()
    assert isinstance(module, driver.Module)
    memory = driver.mem_alloc(8)
    module.get_function("fill")(memory, np.int32(4), block=(2, 1, 1))
    assert driver.from_device(memory, 2, np.int32).tolist() == [4, 4]
    with pytest.raises(driver.Error, match="cuLinkAddFile failed"):
        driver.Linker().add_file(str(tmp_path / "none.ptx"), driver.jit_input_type.PTX)


def test_another_process_waits_for_an_event_by_its_handle() -> None:
    event = driver.Event(driver.event_flags.INTERPROCESS | driver.event_flags.DISABLE_TIMING)
    event.record().synchronize()
    program = (
        "import sys\n"
        "from cuprum.compat.pycuda import autoinit, driver\n"
        "event = driver.Event.from_ipc_handle(bytes.fromhex(sys.argv[1]))\n"
        "driver.Stream().wait_for_event(event)\n"
        "event.synchronize()\n"
        "print(event.query())\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", program, event.ipc_handle().hex()],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (found.stdout, found.stderr) == ("True\n", "")


def test_the_architecture_and_the_code_are_those_that_were_asked_for(tmp_path: pathlib.Path) -> None:
    (tmp_path / "number.h").write_text("#define NUMBER 11\n")
    major, minor = driver.Context.get_device().compute_capability()
    source = '#include "number.h"\n__global__ void fill(int *a) { a[threadIdx.x] = NUMBER; }'
    module = SourceModule(
        source, arch=f"compute_{major}{minor}", code=f"sm_{major}{minor}", include_dirs=[str(tmp_path)], cache_dir=False
    )
    memory = driver.mem_alloc(4)
    module.get_function("fill")(memory, block=(1, 1, 1))
    assert driver.from_device(memory, 1, np.int32)[0] == 11
    assert b".target sm_75" in compiler.compile(FILL, arch="compute_75", target="ptx")
    assert issubclass(SourceModule, compiler.CudaModule)
    assert compiler.compile_plain(FILL, [], False, "nvcc", None, "ptx")


def test_every_vector_type_is_made_of_its_components() -> None:
    for base, most in {"char": 4, "uchar": 4, "short": 4, "ushort": 4, "int": 4, "uint": 4, "long": 4, "ulong": 4,
                       "longlong": 2, "ulonglong": 2, "float": 4, "double": 2}.items():  # fmt: skip
        for count in range(1, most + 1):
            dtype = getattr(gpuarray.vec, f"{base}{count}")
            made = getattr(gpuarray.vec, f"make_{base}{count}")(*range(count))
            assert made.dtype == dtype
            assert dtype.names == ("x", "y", "z", "w")[:count]
            assert made.item() == tuple(range(count))
            assert tools.get_or_register_dtype(f"{base}{count}") == dtype
    with pytest.raises(TypeError, match="make_float3 takes 3 numbers, not 2"):
        gpuarray.vec.make_float3(1, 2)


def test_modules_below_elementwise_kernels() -> None:
    vector = elementwise.VectorArg(np.int32, "a")
    module = elementwise.get_elwise_module([vector, elementwise.ScalarArg(np.uintp, "n")], "a[i] = i * i", "squares")
    memory = driver.mem_alloc(20)
    module.get_function("squares")(memory, np.uintp(5), block=(32, 1, 1))
    assert driver.from_device(memory, 5, np.int32).tolist() == [0, 1, 4, 9, 16]
    bounds = [elementwise.ScalarArg(np.intp, each) for each in ("start", "stop", "step")]
    ranged = elementwise.get_elwise_range_module([vector, *bounds], "a[i] = -1", "some")
    ranged.get_function("some")(memory, np.intp(1), np.intp(5), np.intp(2), block=(32, 1, 1))
    assert driver.from_device(memory, 5, np.int32).tolist() == [0, -1, 4, -1, 16]


def test_types_are_registered_under_names_in_c() -> None:
    pair = tools.register_dtype(np.dtype([("key", np.int32), ("count", np.int32)]), "cuprum_test_pair")
    assert tools.dtype_to_ctype(pair) == "cuprum_test_pair"
    assert tools.base_dtype_to_ctype(np.dtype(np.float64)) == "double"
    assert tools.get_arg_type("float *x") == tools.VectorArg(np.float32, "x").struct_char == "P"
    assert tools.get_arg_type("float x") == tools.ScalarArg(np.float32, "x").struct_char == "f"
    assert isinstance(tools.VectorArg(np.float32, "x"), tools.Argument)
    assert tools.DeviceData().align_dtype(3, 4) * 4 % 16 == 0
