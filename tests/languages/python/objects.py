"""One object of every class of cuprum.core, and what is done with it: for tests of what becomes of objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import cuprum
from cuprum.core import (
    Buffer,
    ContextOptions,
    Device,
    DeviceMemoryResource,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    Linker,
    ManagedMemoryResource,
    PinnedMemoryResource,
    Program,
    Region,
    VirtualMemoryResource,
    launch,
)
from cuprum.core.graph import GraphDefinition
from cuprum.core.texture import OpaqueArrayOptions, ResourceDescriptor
from cuprum.core.utils import copy_batch, discard_batch, prefetch_batch

SOURCE = """
extern "C" __device__ int number = 7;
extern "C" __global__ void increment(int* x) { x[threadIdx.x] += number - 6; }
extern "C" __global__ void trap() { asm("trap;"); }
"""


class Specimen(NamedTuple):
    name: str
    owner: Any
    uses: dict[str, Callable[[Any], object]]


class Others:
    """What the objects are used with."""

    def __init__(self) -> None:
        self.device = Device(0)
        self.stream, self.second = self.device.create_stream(), self.device.create_stream()
        self.event = self.stream.record(options={"timing_enabled": True})
        self.buffer, self.words = self.device.allocate(64), self.device.allocate(64)
        self.code = Program(SOURCE, "objects.cu").compile()
        self.kernel = self.code.get_kernel("increment")
        self.memory = bytearray(16384)
        self.buffer.fill(0, stream=self.stream)
        self.words.fill(0, stream=self.stream)
        self.stream.sync()

    def launch(self, stream: Any, kernel: Any, buffer: Any) -> None:
        launch(stream, LaunchConfig(1, block=1), kernel, buffer)


def every_object() -> list[Specimen]:
    o = Others()
    one = Region(4)
    stream_uses: dict[str, Callable[[Any], object]] = {
        "sync": lambda it: it.sync(),
        "is_done": lambda it: it.is_done,
        "is_nonblocking": lambda it: it.is_nonblocking,
        "priority": lambda it: it.priority,
        "context": lambda it: it.context,
        "record": lambda it: it.record(),
        "record an event": lambda it: it.record(o.event),
        "wait for an event": lambda it: it.wait(o.event),
        "wait for a stream": lambda it: it.wait(o.second),
        "be waited for": lambda it: o.second.wait(it),
        "launch_host_function": lambda it: it.launch_host_function(int),
        "write_value32": lambda it: it.write_value32(o.words, 0, 1),
        "wait_value64": lambda it: it.wait_value64(o.words, 8, 0),
        "launch": lambda it: o.launch(it, o.kernel, o.buffer),
        "allocate": lambda it: o.device.allocate(64, stream=it),
        "copy a batch": lambda it: copy_batch(it, [o.buffer], [o.words]),
    }
    context_uses: dict[str, Callable[[Any], object]] = {
        "create_stream": lambda it: it.create_stream(),
        "is_green": lambda it: it.is_green,
        "resources": lambda it: it.resources.sm,
        "device": lambda it: it.device,
    }
    event_uses: dict[str, Callable[[Any], object]] = {
        "sync": lambda it: it.sync(),
        "is_done": lambda it: it.is_done,
        "be recorded": lambda it: o.stream.record(it),
        "be waited for": lambda it: o.stream.wait(it),
        "handle": lambda it: it.handle,
    }
    memory_uses: dict[str, Callable[[Any], object]] = {
        "copy_from_host": lambda it: it.copy_from_host(bytes(4)),
        "copy_to_host": lambda it: it.copy_to_host(bytearray(4)),
        "be copied": lambda it: it.copy_to(o.device.allocate(it.size or 1), stream=o.stream),
        "fill": lambda it: it.fill(0, stream=o.stream),
        "fill_region": lambda it: it.fill_region(0, one, stream=o.stream),
        "launch with it": lambda it: o.launch(o.stream, o.kernel, it),
        "handle": lambda it: it.handle,
        "is_host_accessible": lambda it: it.is_host_accessible,
    }
    buffer_uses: dict[str, Callable[[Any], object]] = memory_uses | {
        "set_deallocation_stream": lambda it: it.set_deallocation_stream(o.stream),
    }
    managed_uses: dict[str, Callable[[Any], object]] = {
        "prefetch": lambda it: it.prefetch(o.device, stream=o.stream),
        "discard": lambda it: it.discard(stream=o.stream),
        "read_mostly": lambda it: it.read_mostly,
        "prefetch_batch": lambda it: prefetch_batch(o.stream, [it], o.device),
        "discard_batch": lambda it: discard_batch(o.stream, [it]),
    }
    resource_uses: dict[str, Callable[[Any], object]] = {
        "allocate": lambda it: it.allocate(64, stream=o.stream),
        "is_host_accessible": lambda it: it.is_host_accessible,
        "device_id": lambda it: it.device_id,
    }
    pool_uses: dict[str, Callable[[Any], object]] = {
        "attributes": lambda it: it.attributes.used_mem_current,
        "trim_to": lambda it: it.trim_to(0),
        "handle": lambda it: it.handle,
    }
    green = o.device.create_context(ContextOptions([o.device.resources.sm.split({})[0][0]]))
    legacy, pinned = LegacyPinnedMemoryResource(), PinnedMemoryResource({})
    device_pool, managed = DeviceMemoryResource(0, {}), ManagedMemoryResource({})
    growing = VirtualMemoryResource(o.device)
    shareable = DeviceMemoryResource(0, {"ipc_enabled": True, "max_size": 1 << 22})
    moving = managed.allocate(64, stream=o.second)
    code = Program(SOURCE, "objects.cu").compile()
    definition = GraphDefinition()
    node = definition.launch(LaunchConfig(1, block=1), o.kernel, o.buffer)
    definition_uses: dict[str, Callable[[Any], object]] = {
        "launch": lambda it: it.launch(LaunchConfig(1, block=1), o.kernel, o.buffer),
        "memset": lambda it: it.memset(o.buffer, 0, 4),
        "callback": lambda it: it.callback(int),
        "nodes": lambda it: it.nodes(),
        "handle": lambda it: it.handle,
        "instantiate": lambda it: it.instantiate(),
    }
    graph_uses: dict[str, Callable[[Any], object]] = {
        "launch": lambda it: it.launch(o.stream),
        "upload": lambda it: it.upload(o.stream),
        "disable a node": lambda it: it[node].disable(),
        "handle": lambda it: it.handle,
    }
    builder_uses: dict[str, Callable[[Any], object]] = {
        "stream": lambda it: it.stream,
        "is_building": lambda it: it.is_building,
        "launch": lambda it: o.launch(it, o.kernel, o.buffer),
        "callback": lambda it: it.callback(int),
    }
    picture = o.device.create_opaque_array(OpaqueArrayOptions((4, 4), "float32", 1, is_surface_load_store=True))
    pyramid = o.device.create_mipmapped_array(
        {"shape": (4, 4), "format": "float32", "num_channels": 1, "num_levels": 2}
    )
    resource = ResourceDescriptor.from_opaque_array(picture)
    array_uses: dict[str, Callable[[Any], object]] = {
        "copy_from": lambda it: it.copy_from(bytes(64), stream=o.stream),
        "copy_to": lambda it: it.copy_to(o.buffer, stream=o.stream),
        "shape": lambda it: it.shape,
        "handle": lambda it: it.handle,
        "be read": lambda it: o.device.create_texture_object(resource=ResourceDescriptor.from_opaque_array(it)),
    }
    object_uses: dict[str, Callable[[Any], object]] = {"handle": lambda it: it.handle, "device": lambda it: it.device}
    return [
        Specimen("TextureObject", o.device.create_texture_object(resource=resource), object_uses),
        Specimen("SurfaceObject", o.device.create_surface_object(resource=resource), object_uses),
        Specimen("level of a MipmappedArray", pyramid.get_level(0), array_uses),
        Specimen("MipmappedArray", pyramid, object_uses | {"get_level": lambda it: it.get_level(1)}),
        Specimen("OpaqueArray", picture, array_uses),
        Specimen("Graph", definition.instantiate(), graph_uses),
        Specimen("GraphDefinition", GraphDefinition(), definition_uses),
        Specimen("GraphBuilder", o.device.create_graph_builder().begin_building(), builder_uses),
        Specimen("Stream", o.device.create_stream(), stream_uses),
        Specimen("Stream of a green context", green.create_stream(), stream_uses),
        Specimen("green Context", green, context_uses),
        Specimen("Event", o.stream.record(options={"timing_enabled": True}), event_uses),
        Specimen(
            "Event for other processes",
            o.stream.record(options={"ipc_enabled": True}),
            event_uses | {"ipc_descriptor": lambda it: it.ipc_descriptor},
        ),
        Specimen("Buffer", o.device.allocate(64), buffer_uses),
        Specimen("Buffer in stream order", o.device.allocate(64, stream=o.second), buffer_uses),
        Specimen("Buffer of page-locked memory", legacy.allocate(64), buffer_uses),
        Specimen("Buffer of a pool of page-locked memory", pinned.allocate(64, stream=o.second), buffer_uses),
        Specimen("Buffer of a pool", device_pool.allocate(64, stream=o.second), buffer_uses),
        Specimen("ManagedBuffer", moving, buffer_uses | managed_uses),
        Specimen("registered Buffer", Buffer.register_host_memory(o.memory), buffer_uses),
        Specimen(
            "Buffer of virtual memory",
            growing.allocate(64),
            buffer_uses | {"modify_allocation": lambda it: growing.modify_allocation(it, it.size + 1)},
        ),
        Specimen(
            "Buffer for other processes",
            shareable.allocate(64, stream=o.second),
            buffer_uses | {"ipc_descriptor": lambda it: it.ipc_descriptor},
        ),
        Specimen("LegacyPinnedMemoryResource", legacy, resource_uses),
        Specimen("PinnedMemoryResource", pinned, resource_uses | pool_uses),
        Specimen("DeviceMemoryResource", device_pool, resource_uses | pool_uses),
        Specimen("ManagedMemoryResource", managed, resource_uses | pool_uses),
        Specimen(
            "VirtualMemoryResource",
            growing,
            resource_uses | {"granularity": lambda it: it.granularity},
        ),
        Specimen("Program", Program(SOURCE), {"compile": lambda it: it.compile("ptx")}),
        Specimen("variable", code.get_global("number"), memory_uses),
        Specimen(
            "Kernel",
            code.get_kernel("increment"),
            {
                "launch": lambda it: o.launch(o.stream, it, o.buffer),
                "attributes": lambda it: it.attributes.num_regs,
                "name": lambda it: it.name,
                "handle": lambda it: it.handle,
            },
        ),
        Specimen(
            "Linker",
            Linker(code, options={"arch": f"sm_{o.device.arch}"}),
            {"link": lambda it: it.link("cubin"), "get_error_log": lambda it: it.get_error_log()},
        ),
        Specimen(
            "ObjectCode",
            code,
            {
                "get_kernel": lambda it: it.get_kernel("increment"),
                "get_global": lambda it: it.get_global("number"),
                "code": lambda it: it.code,
                "kernel_names": lambda it: it.kernel_names,
            },
        ),
    ]


def lose_the_context() -> None:
    stream = Device(0).create_stream()
    launch(stream, LaunchConfig(1, block=1), Program(SOURCE).compile().get_kernel("trap"))
    try:
        stream.sync()
    except cuprum.DeviceFault:
        return
    raise AssertionError("the kernel has not failed")


def problems(specimens: list[Specimen], wanted: type[cuprum.Error], words: str, *, must_fail: bool) -> list[str]:
    """What is wrong with what uses raise."""
    found = []
    for name, owner, uses in specimens:
        for use, call in uses.items():
            try:
                call(owner)
                if must_fail:
                    found.append(f"{name}, {use}: no error")
            except Exception as error:
                if not isinstance(error, wanted) or words not in str(error):
                    found.append(f"{name}, {use}: {type(error).__name__}: {error}")
    return found
