"""What programs for cuda.core use beside the objects: caches of programs, words, checkpoints, registries."""

from __future__ import annotations

import os
import pathlib
import uuid

import pytest
from cuprum.core import (
    Device,
    DeviceMemoryResource,
    DeviceMemoryResourceOptions,
    GraphicsResource,
    Program,
    ProgramOptions,
    checkpoint,
    typing,
    utils,
)

SOURCE = 'extern "C" __global__ void add_one(int* x) { *x += 1; }'


def test_a_program_is_compiled_once_with_a_cache(tmp_path: pathlib.Path) -> None:
    for cache in (utils.InMemoryProgramCache(), utils.FileStreamProgramCache(tmp_path)):
        first = Program(SOURCE).compile("ptx", cache=cache)
        assert len(cache) == 1
        again = Program(SOURCE).compile("ptx", cache=cache)
        assert again.code == first.code
        assert again.get_kernel("add_one").num_arguments == 1
        Program(SOURCE, options=ProgramOptions(debug=True)).compile("ptx", cache=cache)
        assert len(cache) == 2
        cache.clear()
        assert len(cache) == 0
    with pytest.raises(ValueError, match="name_expressions"):
        Program(SOURCE).compile("ptx", ("f<int>",), cache=cache)


def test_a_key_differs_where_the_code_may() -> None:
    def key(source: str = SOURCE, target: str = "ptx", **options: object) -> bytes:
        return utils.make_program_cache_key(
            code=source,
            code_type="c++",
            options=ProgramOptions(**options),  # type: ignore[arg-type]
            target_type=target,
        )

    keys = [key(), key(SOURCE + " "), key(target="cubin"), key(debug=True), key(define_macro="N=1"), key(arch="sm_90")]
    assert len(set(keys)) == len(keys)
    assert key() == keys[0]
    with pytest.raises(ValueError, match="extra_digest"):
        key("#include <cuda_fp16.h>")
    with pytest.raises(ValueError, match="include_path"):
        key(include_path="/tmp")


def test_a_cache_forgets_what_was_used_longest_ago(tmp_path: pathlib.Path) -> None:
    cache = utils.InMemoryProgramCache(max_size_bytes=8)
    cache.update([("a", b"1234"), ("b", b"5678")])
    assert cache["a"] == b"1234"
    cache["c"] = b"90"
    assert cache.get("b") is None
    assert cache.get("a") == b"1234"
    del cache["a"]
    assert len(cache) == 1
    files = utils.FileStreamProgramCache(tmp_path, max_size_bytes=100)
    for number, key in enumerate(("old", "new")):
        files[key] = bytes(40)
        for file in tmp_path.glob("*.bin"):
            os.utime(file, (1000 + number, 1000 + number))
    assert files.get("old") is None
    assert files["new"] == bytes(40)


def test_a_damaged_file_counts_as_absent(tmp_path: pathlib.Path) -> None:
    cache = utils.FileStreamProgramCache(tmp_path)
    cache["key"] = b"code"
    (file,) = tmp_path.glob("*.bin")
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    with pytest.raises(KeyError):
        cache["key"]
    with pytest.raises(TypeError, match="bytes or a str"):
        cache[3]  # type: ignore[index]


def test_words_are_texts() -> None:
    assert Program(SOURCE, typing.SourceCodeType.CXX).compile(typing.ObjectCodeFormatType.PTX).code_type == "ptx"
    assert str(typing.VirtualMemoryAccessType.READ) == "r"
    assert str(typing.WorkqueueSharingScopeType.DEVICE_CTX) == "device_ctx"


def test_a_process_is_checkpointed_and_goes_on() -> None:
    process = checkpoint.Process(os.getpid())
    assert process.pid == os.getpid()
    if not Device(0).is_simulator:
        pytest.skip("a GPU's driver wants another process to do it")
    buffer = Device(0).allocate(4)
    buffer.copy_from_host(b"1234")
    assert process.state == "running"
    process.lock(timeout_ms=1000)
    process.checkpoint()
    state, thread = process.state, process.restore_thread_id
    process.restore()
    process.unlock()
    assert (state, thread) == ("checkpointed", os.getpid())
    assert process.state == "running"
    found = bytearray(4)
    buffer.copy_to_host(found)
    assert found == b"1234"


def test_what_a_checkpoint_needs_is_in_the_error() -> None:
    process = checkpoint.Process(os.getpid())
    with pytest.raises(ValueError, match="at least 1"):
        checkpoint.Process(0)
    with pytest.raises(ValueError, match="timeout_ms"):
        process.lock(timeout_ms=-1)
    if Device(0).is_simulator:
        with pytest.raises(NotImplementedError, match="the simulator checkpoints the calling process alone"):
            checkpoint.Process(os.getppid()).lock()
        with pytest.raises(ValueError, match="is no UUID of a GPU"):
            process.restore({Device(0): "GPU-1"})
        with pytest.raises(TypeError, match="not by a float"):
            process.restore({1.5: Device(0)})


def test_graphics_are_refused_by_name() -> None:
    with pytest.raises(NotImplementedError, match=r"buffer 7 of OpenGL.*cuGraphicsGLRegisterBuffer"):
        GraphicsResource.from_gl_buffer(7)


def test_shared_pools_are_found_by_their_uuid() -> None:
    pool = DeviceMemoryResource(0, DeviceMemoryResourceOptions(ipc_enabled=True))
    assert pool.uuid == pool.uuid
    handle = pool.allocation_handle
    assert handle.uuid == pool.uuid
    opened = DeviceMemoryResource.from_allocation_handle(0, handle)
    assert opened.uuid == pool.uuid
    known = uuid.uuid4()
    assert pool.register(known) is pool
    assert opened.register(known) is pool
    assert DeviceMemoryResource.from_registry(known) is pool
    with pytest.raises(RuntimeError, match="no DeviceMemoryResource is registered"):
        DeviceMemoryResource.from_registry(uuid.uuid4())
    assert DeviceMemoryResource(0).uuid is None


def test_a_view_has_strides_and_another_type() -> None:
    np = pytest.importorskip("numpy")
    buffer = Device(0).allocate(64)
    view = utils.StridedMemoryView.from_buffer(buffer, (4, 2), (4, 1), itemsize=4, dtype=np.int32)
    assert view.strides == (4, 1)
    assert view.view(dtype=np.float32).dtype == np.float32
    with pytest.raises(ValueError, match="is smaller"):
        utils.StridedMemoryView.from_buffer(buffer, (4, 2), (5, 1), dtype=np.int32)
    with pytest.raises(ValueError, match="differ in size"):
        view.view(dtype=np.int8)


def test_a_copy_takes_options() -> None:
    device = Device(0)
    with device.create_stream() as stream:
        source, target = device.allocate(16, stream=stream), device.allocate(16, stream=stream)
        source.fill(7, stream=stream)
        target.copy_from(source, stream=stream, options=utils.CopyOptions())
        copy = target.copy_to(stream=stream, options=utils.CopyOptions())
        result = bytearray(16)
        copy.copy_to_host(result, stream=stream)
        stream.sync()
        assert result == bytes([7]) * 16
    assert device.can_access_peer(device) is False
