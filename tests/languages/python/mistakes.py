"""Mistakes that a user can make, by what they are about. Run as a program, it prints what Cuprum says to each.

Each entry is a call as its user writes it, evaluated with the names of `Names`. Those of FAULTS lose the device: each
runs in a process of its own.
"""

from __future__ import annotations

import array
import pathlib
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import cuprum
import numpy as np
from cuprum import core, parallel, pathfinder
from cuprum.core import (
    Buffer,
    Device,
    Event,
    Kernel,
    LaunchConfig,
    Linker,
    ObjectCode,
    Program,
    ProgramOptions,
    Stream,
    launch,
    texture,
)
from cuprum.core.graph import GraphDefinition
from cuprum.core.texture import ResourceDescriptor
from cuprum.core.utils import StridedMemoryView

SOURCE = """
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
struct Pair { float x, y, z; };
extern "C" __global__ void take_pair(Pair pair, short small, unsigned char tiny) {}
extern "C" __global__ void write_null(int* p) { *p = 1; }
extern "C" __global__ void trap() { asm("trap;"); }
extern "C" __global__ void divide(int* p) { if (threadIdx.x == 0) p[1 << 28] = 1; }
"""
BROKEN = 'extern "C" __global__ void k(int* p) { *p = undeclared; }'
# The simulator takes any version whose instructions it knows: this is for a device that it never is.
PTX_OF_ANOTHER_TIME = b".version 99.0\n.target sm_150\n.address_size 64\n.visible .entry k() { ret; }\n"
BROKEN_PTX = b".version 8.0\n.target sm_50\n.address_size 64\n.visible .entry k() { nonsense; }\n"
CALLS_A_STRANGER = (
    b".version 8.0\n.target sm_75\n.address_size 64\n.extern .func stranger();\n"
    b".visible .entry k() { call stranger; ret; }\n"
)


def image_names(device: Device) -> dict[str, Any]:
    """Arrays and what reads them, open and closed."""
    options = {"shape": (4, 2), "format": "uint8", "num_channels": 1}
    picture, closed_array = device.create_opaque_array(options), device.create_opaque_array(options)
    resource = ResourceDescriptor.from_opaque_array(picture)
    closed_texture = device.create_texture_object(resource=resource)
    of_closed = ResourceDescriptor.from_opaque_array(closed_array)
    closed_texture.close()
    closed_array.close()
    return {
        "picture": picture, "closed_array": closed_array, "resource": resource, "closed_texture": closed_texture,
        "of_closed": of_closed, "pyramid": device.create_mipmapped_array(options | {"num_levels": 2}),
        "texture": texture, "ResourceDescriptor": ResourceDescriptor,
    }  # fmt: skip


class Names(dict[str, Any]):
    """What the calls may use."""

    def __init__(self) -> None:
        super().__init__()
        device = Device(0)
        stream, buffer = device.create_stream(), device.allocate(400)
        code = Program(SOURCE, "saxpy.cu").compile()
        closed_stream, closed_buffer, closed_event = device.create_stream(), device.allocate(16), device.create_event()
        closed_program, closed_code = Program(SOURCE), ObjectCode.from_ptx(BROKEN_PTX)
        closed_kernel = code.get_kernel("saxpy")
        closed_linker = Linker(closed_code)
        definition, closed_definition = GraphDefinition(), GraphDefinition()
        node, closed_graph = definition.empty(), closed_definition.instantiate()
        closed_builder = device.create_graph_builder()
        for closed in (
            *(closed_stream, closed_buffer, closed_event, closed_program, closed_code, closed_kernel, closed_linker),
            *(closed_definition, closed_graph, closed_builder),
        ):
            closed.close()
        self.update(
            device=device, stream=stream, buffer=buffer, code=code, kernel=code.get_kernel("saxpy"),
            take_pair=code.get_kernel("take_pair"), write_null=code.get_kernel("write_null"),
            trap=code.get_kernel("trap"), far=code.get_kernel("divide"), config=LaunchConfig(4, block=32),
            small=device.allocate(16), event=device.create_event(), timed=device.create_event({"timing_enabled": True}),
            recorded=stream.record(options={"timing_enabled": True}), closed_stream=closed_stream,
            closed_buffer=closed_buffer, closed_event=closed_event, closed_program=closed_program,
            closed_code=closed_code, closed_kernel=closed_kernel, closed_linker=closed_linker,
            definition=definition, node=node, graph=definition.instantiate(), closed_definition=closed_definition,
            closed_graph=closed_graph, closed_builder=closed_builder, GraphDefinition=GraphDefinition,
            building=device.create_graph_builder().begin_building(),
            Linker=Linker, CALLS_A_STRANGER=CALLS_A_STRANGER, folder=pathlib.Path(tempfile.mkdtemp()),
            array=array, np=np, core=core, parallel=parallel, pathfinder=pathfinder, Buffer=Buffer, Device=Device,
            Event=Event, Kernel=Kernel, LaunchConfig=LaunchConfig, ObjectCode=ObjectCode, Program=Program,
            ProgramOptions=ProgramOptions, Stream=Stream, launch=launch, StridedMemoryView=StridedMemoryView,
            **image_names(device),
            growing=(growing := core.VirtualMemoryResource(device)), grown=growing.allocate(16),
            cuprum=cuprum, SOURCE=SOURCE, BROKEN=BROKEN, BROKEN_PTX=BROKEN_PTX, PTX_OF_ANOTHER_TIME=PTX_OF_ANOTHER_TIME,
        )  # fmt: skip
        stream.sync()


MISTAKES: dict[str, list[str]] = {
    "images": [
        "texture.OpaqueArray()",
        "texture.MipmappedArray()",
        "texture.ResourceDescriptor()",
        "texture.TextureObject()",
        "texture.SurfaceObject()",
        "texture.OpaqueArrayOptions((), 'uint8', 1)",
        "texture.OpaqueArrayOptions((1, 2, 3, 4), 'uint8', 1)",
        "texture.OpaqueArrayOptions((4, 0), 'uint8', 1)",
        "texture.OpaqueArrayOptions(4, 'uint8', 1)",
        "texture.OpaqueArrayOptions((4,), 'float64', 1)",
        "texture.OpaqueArrayOptions((4,), 8, 1)",
        "texture.OpaqueArrayOptions((4,), 'uint8', 3)",
        "texture.MipmappedArrayOptions((4,), 'uint8', 1, 0)",
        "device.create_opaque_array({'shape': (4,), 'form': 'uint8'})",
        "device.create_opaque_array(7)",
        "device.create_opaque_array({'shape': (1 << 40,), 'format': 'uint8', 'num_channels': 1})",
        "device.create_mipmapped_array({'shape': (4, 4), 'format': 'uint8', 'num_channels': 1, 'num_levels': 9})",
        "texture.OpaqueArray._from_handle(0, False)",
        "texture.OpaqueArray._from_handle(picture.handle, True)",
        "picture.copy_from(bytes(7), stream=stream)",
        "picture.copy_from(7, stream=stream)",
        "picture.copy_from(device.allocate(4), stream=stream)",
        "picture.copy_from(closed_buffer, stream=stream)",
        "picture.copy_from(bytes(8), stream=closed_stream)",
        "picture.copy_from(bytes(8), stream=None)",
        "picture.copy_to(bytes(8), stream=stream)",
        "picture.copy_to(bytearray(7), stream=stream)",
        "picture.copy_to(device.allocate(4), stream=stream)",
        "closed_array.shape",
        "closed_array.copy_to(bytearray(8), stream=stream)",
        "pyramid.get_level(2)",
        "pyramid.get_level(-1)",
        "ResourceDescriptor.from_opaque_array(small)",
        "ResourceDescriptor.from_mipmapped_array(picture)",
        "ResourceDescriptor.from_linear(picture, format='uint8', num_channels=1)",
        "ResourceDescriptor.from_linear(small, format='uint8', num_channels=1, size_bytes=17)",
        "ResourceDescriptor.from_linear(small, format='uint9', num_channels=1)",
        "ResourceDescriptor.from_pitch2d(small, format='uint8', num_channels=1, width=0, height=1, pitch_bytes=32)",
        "device.create_texture_object(resource=picture)",
        "device.create_texture_object(resource=of_closed)",
        "device.create_texture_object(resource=resource, options={'filter_mode': 'linear'})",
        "device.create_texture_object(resource=resource, options={'filter_mode': 'cubic'})",
        "device.create_texture_object(resource=resource, options={'address_mode': 'around'})",
        "device.create_texture_object(resource=resource, options={'address_mode': ()})",
        "device.create_texture_object(resource=resource, options={'read_mode': 'float'})",
        "device.create_texture_object(resource=resource, options={'border_color': (1,)})",
        "device.create_texture_object(resource=resource, options={'max_anisotropy': -1})",
        "device.create_texture_object(resource=resource, options={'filter': 'linear'})",
        "device.create_texture_object(resource=ResourceDescriptor.from_pitch2d(buffer, format='uint8', num_channels=1, "
        "width=4, height=100, pitch_bytes=32))",
        "device.create_texture_object(resource=ResourceDescriptor.from_pitch2d(buffer, format='uint8', num_channels=1, "
        "width=4, height=2, pitch_bytes=33))",
        "device.create_surface_object(resource=resource)",
        "device.create_surface_object(resource=ResourceDescriptor.from_mipmapped_array(pyramid))",
        "device.create_surface_object(resource=7)",
        "closed_texture.handle",
        "launch(stream, config, kernel, closed_texture, buffer, buffer, 4)",
        "launch(stream, config, kernel, 1.0, buffer, buffer, device.create_texture_object(resource=resource))",
    ],
    "graphs": [
        "core.graph.Graph()",
        "core.graph.GraphBuilder()",
        "core.graph.GraphNode()",
        "device.default_stream.create_graph_builder()",
        "device.create_graph_builder().begin_building('soon')",
        "device.create_graph_builder().end_building()",
        "device.create_graph_builder().complete()",
        "device.create_graph_builder().split(2)",
        "device.create_graph_builder().begin_building().split(1)",
        "device.create_graph_builder().begin_building().begin_building()",
        "device.create_graph_builder().begin_building().complete()",
        "device.create_graph_builder().begin_building().embed(7)",
        "device.create_graph_builder().begin_building().callback(7)",
        "building.stream.launch_host_function(int)",
        "building.stream.sync()",
        "core.graph.GraphBuilder.join(device.create_graph_builder())",
        "core.graph.GraphBuilder.join(7, 7)",
        "core.graph.GraphBuilder.join(device.create_graph_builder().begin_building(), device.create_graph_builder())",
        "closed_builder.begin_building()",
        "launch(closed_builder, config, kernel, 1.0, buffer, buffer, 4)",
        "definition.launch(config, kernel, 1.0, buffer)",
        "definition.launch(7, kernel)",
        "definition.launch(config, 7)",
        "definition.launch(LaunchConfig(1, block=4096), kernel, 1.0, buffer, buffer, 4)",
        "definition.launch(config, closed_kernel)",
        "definition.memcpy(small, buffer, 400)",
        "definition.memcpy(small, buffer, 0)",
        "definition.memcpy('a', buffer, 4)",
        "definition.memcpy(closed_buffer, buffer, 4)",
        "definition.memcpy(small, buffer, 4, dst_owner=small)",
        "definition.memset(small, 256, 4)",
        "definition.memset(small, b'abc', 4)",
        "definition.memset(small, 'a', 4)",
        "definition.memset(small, 0, 17)",
        "definition.memset(small, 0, 0)",
        "definition.memset(small, 0, 8, 2, 4)",
        "definition.callback(7)",
        "definition.callback(int, user_data=7)",
        "definition.record(7)",
        "definition.wait(closed_event)",
        "definition.write_value32(small, 13, 1)",
        "definition.write_value32(small, 2, 1)",
        "definition.write_value32(7, 0, 1)",
        "definition.write_value32(closed_buffer, 0, 1)",
        "definition.write_value32(small, 0, 2**32)",
        "definition.wait_value32(small, 0, 1, 'soon')",
        "definition.wait_value64(device.allocate(8, stream=stream), 0, 1)",
        "definition.signal_external_semaphore(0, 1)",
        "definition.wait_external_semaphore(0, 1)",
        "definition.embed(GraphDefinition()).update(7)",
        "definition.embed(GraphDefinition()).update(definition)",
        "definition.embed(definition)",
        "definition.embed(7)",
        "definition.allocate(0)",
        "definition.allocate(16, device=99)",
        "definition.allocate(16, memory_type='paper')",
        "definition.deallocate(16)",
        "definition.if_then(7)",
        "definition.switch(definition.create_condition(), 0)",
        "definition.debug_dot_print('/nowhere/graph.dot')",
        "definition.instantiate({'auto_free': True})",
        "definition.instantiate({'auto_free_on_launch': True, 'device_launch': True})",
        "definition.empty().pred.add(7)",
        "node.pred.add(node)",
        "node.pred.add(GraphDefinition().empty())",
        "graph.launch(7)",
        "graph.launch()",
        "graph.update(7)",
        "graph.update(GraphDefinition())",
        "graph[7]",
        "graph[node]",
        "closed_definition.empty()",
        "closed_graph.launch(stream)",
        "closed_graph.update(definition)",
    ],
    "tensor maps": [
        "core.TensorMapDescriptor()",
        "StridedMemoryView.from_buffer(buffer, (4, 4), dtype='f4').as_tensor_map()",
        "StridedMemoryView.from_buffer(buffer, (4, 4), dtype='f4').as_tensor_map((4,))",
        "StridedMemoryView.from_buffer(buffer, (4, 4), dtype='f4').as_tensor_map((4, 300))",
        "StridedMemoryView.from_buffer(buffer, (4, 4), dtype='f4').as_tensor_map((4, 4), swizzle=9)",
        "StridedMemoryView.from_buffer(buffer, (4, 4), dtype='f4').as_tensor_map((4, 4), element_strides=(1,))",
        "StridedMemoryView.from_buffer(buffer, (4, 4), (1, 4), dtype='f4').as_tensor_map((4, 4))",
        "StridedMemoryView.from_buffer(buffer, (4, 4), dtype='?').as_tensor_map((4, 4))",
        "StridedMemoryView.from_buffer(buffer, (1,) * 6, dtype='f4').as_tensor_map((1,) * 6)",
        "StridedMemoryView.from_array_interface(np.zeros((4, 4), 'f4')).as_tensor_map((4, 4))",
    ],
    "system": [
        "core.system.Device()",
        "core.system.Device(index=99)",
        "core.system.Device(index=-1)",
        "core.system.Device(index=0, uuid='GPU-0')",
        "core.system.Device(uuid='GPU-0')",
        "core.system.Device(pci_bus_id='nowhere')",
        "core.system.Device(index=0).get_clock('memory of an elephant')",
        "core.system.Device(index=0).register_events('breakfast')",
        "core.system.Device(index=0).get_nvlink(99).version",
        "core.system.Device(index=0).get_fan(99).speed",
        "core.system.get_process_name(2**31)",
    ],
    "devices": [
        "Device(99)",
        "Device(-1)",
        "Device('0')",
        "Device(2**70)",
        "Device(1.0)",
        "device.create_stream({'nonblock': True})",
        "device.create_stream(7)",
        "device.create_stream(None, 7)",
        "device.create_stream(options={'priority': 'high'})",
        "device.create_stream(options={'priority': 2**40})",
        "device.create_event({'timing': True})",
        "device.create_event(3)",
        "device.create_event({'ipc_enabled': True, 'timing_enabled': True})",
        "device.create_event().ipc_descriptor",
        "device.create_context()",
        "device.resources.sm.split({'count': 2**20})",
        "stream.launch_host_function(7)",
        "stream.wait_value32(buffer, 2, 0)",
        "stream.wait_value32(7, 0, 0)",
        "stream.write_value64(buffer, 2**40, 0)",
        "device.properties.no_such_property",
    ],
    "memory": [
        "device.allocate(-1)",
        "device.allocate(2**64)",
        "device.allocate(1.5)",
        "device.allocate('16')",
        "device.allocate(None)",
        "device.allocate(2**60)",
        "device.allocate(16, stream=7)",
        "device.allocate(16, stream=closed_stream)",
        "device.allocate(16, stream=None, size=3)",
        "Buffer()",
        "Buffer.from_handle(0, 16)",
        "Buffer.from_handle(-1, 16)",
        "Buffer.from_handle(2**64, 16)",
        "Buffer.from_handle('a', 16)",
        "Buffer.from_handle(16, -1)",
        "Buffer.from_handle(2**63, 2**63 + 1)",
        "small.copy_from_host(bytes(800))",
        "small.copy_from_host(bytes(16), offset=8)",
        "small.copy_from_host(bytes(16), offset=-1)",
        "small.copy_from_host(bytes(16), offset=2**64)",
        "small.copy_from_host(bytes(16), offset=1.5)",
        "small.copy_from_host([1, 2, 3])",
        "small.copy_from_host(3)",
        "small.copy_from_host('text')",
        "small.copy_from_host(np.zeros((4, 4), 'u1')[:, 0])",
        "small.copy_from_host(bytes(16), stream=3)",
        "small.copy_from_host(bytes(16), stream=closed_stream)",
        "closed_buffer.copy_from_host(bytes(16))",
        "closed_buffer.copy_to_host(bytearray(16))",
        "small.copy_to_host(bytes(16))",
        "small.copy_to_host(bytearray(800))",
        "small.copy_to_host(bytearray(8), offset=9)",
        "small.copy_to_host(None)",
        "small.copy_from(buffer, stream=stream)",
        "small.copy_from(bytes(16), stream=stream)",
        "small.copy_from(closed_buffer, stream=stream)",
        "small.copy_from(small)",
        "small.copy_from(device.allocate(16), stream=7)",
        "small.copy_to(buffer, stream=stream)",
        "small.copy_to(3, stream=stream)",
        "closed_buffer.copy_to(small, stream=stream)",
        "small.fill(1.5, stream=stream)",
        "small.fill(256, stream=stream)",
        "small.fill(-1, stream=stream)",
        "small.fill(b'123', stream=stream)",
        "small.fill('a', stream=stream)",
        "small.fill(None, stream=stream)",
        "small.fill(1)",
        "small.fill(np.float64(1.5), stream=stream)",
        "small.fill(1, stream=closed_stream)",
        "closed_buffer.fill(1, stream=stream)",
        "small.fill_region(1, core.Region(4, 5), stream=stream)",
        "small.fill_region(1, core.Region(4, 2, row_pitch=3), stream=stream)",
        "small.fill_region(1, core.Region(4, 2, 2, row_pitch=4, slice_pitch=7), stream=stream)",
        "small.fill_region(1, core.Region(0), stream=stream)",
        "small.fill_region(1, core.Region(2**63, 4), stream=stream)",
        "small.fill_region(1, core.Region(-4), stream=stream)",
        "small.fill_region(b'1234', core.Region(6), stream=stream)",
        "small.fill_region(1, (4, 4), stream=stream)",
        "small.copy_region_from(small, core.Region(8, offset=4), stream=stream)",
        "small.copy_region_from_host(bytes(3), core.Region(4))",
        "small.copy_region_from_host(bytes(16), core.Region(4, 4), core.Region(8, 2))",
        "small.copy_region_to_host(bytes(16), core.Region(4))",
        "closed_buffer.fill_region(1, core.Region(4), stream=stream)",
        "device.row_pitch(-1)",
        "core.utils.copy_batch(stream, [small], [buffer])",
        "core.utils.copy_batch(stream, [small], [])",
        "core.utils.copy_batch(stream, [small], [small])",
        "core.utils.copy_batch(stream, small, buffer)",
        "core.utils.copy_batch(stream, [small], [closed_buffer])",
        "core.utils.copy_batch(stream, [small], [bytes(16)])",
        "core.utils.copy_batch(None, [], [])",
        "core.utils.copy_batch(closed_stream, [], [])",
        "core.utils.copy_batch(stream, [], [], options=7)",
        "core.utils.CopyOptions('soon')",
        "core.utils.prefetch_batch(stream, [small], device)",
        "core.utils.prefetch_batch(stream, [], 7)",
        "core.utils.discard_batch(stream, [small])",
        "core.DeviceMemoryResource(0, {}).allocation_handle",
        "core.DeviceMemoryResource.from_allocation_handle(0, 10**6)",
        "core.DeviceMemoryResource.from_allocation_handle(0, 'socket')",
        "core.PinnedMemoryResource({}).allocation_handle",
        "core.PinnedMemoryResource.from_allocation_handle(10**6)",
        "core.VirtualMemoryResource(0, {'location_type': 'host', 'handle_type': 'posix_fd'})",
        "core.VirtualMemoryResource(0).modify_allocation(core.Device(0).allocate(8), 16, {'self_access': 'r'})",
        "small.ipc_descriptor",
        "closed_buffer.ipc_descriptor",
        "Buffer.from_ipc_descriptor(device, small, stream=stream)",
        "device.allocate(6).fill(b'1234', stream=stream)",
        "closed_buffer.handle",
        "closed_buffer.is_host_accessible",
        "closed_buffer.set_deallocation_stream(stream)",
        "small.set_deallocation_stream(closed_stream)",
        "small.set_deallocation_stream(None)",
        "small.close(stream=7)",
        "memoryview(closed_buffer)",
        "memoryview(small)",
        "core.Buffer.register_host_memory(bytes(16))",
        "core.Buffer.register_host_memory(bytearray())",
        "core.Buffer.register_host_memory(7)",
        "core.MemoryResource()",
        "type('Mine', (core.MemoryResource,), {})().allocate(16, stream=stream)",
        "setattr(device, 'memory_resource', core.LegacyPinnedMemoryResource())",
        "core.Buffer.from_handle(4096, 16, mr=7)",
        "core.Buffer.from_handle(4096, 16, mr=core.LegacyPinnedMemoryResource(), owner=device)",
        "core.Buffer.from_handle(4096, 16, stream=stream)",
        "core.Buffer.from_handle(0, 16, mr=core.LegacyPinnedMemoryResource())",
        "core.Buffer.from_handle(small.handle, 16, mr=core.DeviceMemoryResource(0), stream=stream)",
        "core.GraphMemoryResource(0).allocate(16, stream=stream)",
        "core.GraphMemoryResource(0).allocate(16)",
        "core.LegacyPinnedMemoryResource().allocate(1 << 50)",
        "core.LegacyPinnedMemoryResource().allocate('16')",
        "core.LegacyPinnedMemoryResource().allocate(16, stream=7)",
        "core.LegacyPinnedMemoryResource().deallocate(4096, 16)",
        "closed_buffer.device_id",
        "core.VirtualMemoryResource(99)",
        "core.VirtualMemoryResource(device, {'granularity': 'large'})",
        "core.VirtualMemoryResource(device, {'addr_align': 3})",
        "core.VirtualMemoryResource(device, {'peers': [63]})",
        "core.VirtualMemoryResource(device, {'peers': 7})",
        "core.VirtualMemoryResource(device, {'handle_type': 'fabric'})",
        "core.VirtualMemoryResource(device, {'location_type': 'host'})",
        "core.VirtualMemoryResource(device).allocate(-1)",
        "core.VirtualMemoryResource(device).allocate(2**60)",
        "core.VirtualMemoryResource(device).allocate(2**64 - 1)",
        "core.VirtualMemoryResource(device).deallocate(4096, 16)",
        "core.VirtualMemoryResource(device).modify_allocation(small, 32)",
        "core.VirtualMemoryResource(device).modify_allocation(closed_buffer, 32)",
        "growing.modify_allocation(grown, 8)",
        "growing.modify_allocation(grown, 2**60)",
        "growing.modify_allocation(grown, -1)",
        "growing.modify_allocation(7, 32)",
        "core.DeviceMemoryResource(99)",
        "core.DeviceMemoryResource(0, {'max_size': -1})",
        "core.PinnedMemoryResource({'numa_id': 'here'})",
        "core.ManagedMemoryResource({'preferred_location': 'moon'})",
        "core.DeviceMemoryResource(0, {}).allocate(16)",
        "core.DeviceMemoryResource(0, {}).allocate(2**60, stream=stream)",
        "core.DeviceMemoryResource(0, {}).trim_to(-1)",
        "core.ManagedMemoryResource({}).allocate(16, stream=stream).prefetch(7, stream=stream)",
    ],
    "streams and events": [
        "Stream()",
        "Stream.from_handle(-1)",
        "Stream.from_handle('a')",
        "Stream.from_handle(2**64)",
        "closed_stream.sync()",
        "closed_stream.is_done",
        "closed_stream.handle",
        "closed_stream.device",
        "closed_stream.record()",
        "stream.record(3)",
        "stream.record(closed_event)",
        "stream.record(event, {'timing_enabled': True})",
        "stream.record(options={'timing': 1})",
        "stream.wait(3)",
        "stream.wait(None)",
        "stream.wait(closed_event)",
        "stream.wait(closed_stream)",
        "closed_stream.wait(event)",
        "Event()",
        "closed_event.sync()",
        "closed_event.is_done",
        "closed_event.handle",
        "closed_event.device",
        "event - timed",
        "timed - event",
        "timed - recorded",
        "recorded - timed",
        "timed - 3",
        "timed - closed_event",
    ],
    "programs": [
        "Program(3)",
        "Program(SOURCE, 'cuda')",
        "Program(3, 'nvvm')",
        "Program('', 'nvvm')",
        "Program(SOURCE, 'k.ll').compile()",
        "Program(SOURCE, 'nvvm', {'std': 'c++20', 'max_register_count': 5})",
        "Program(SOURCE, 'nvvm', {'arch': 'sm_1'}).compile('ptx')",
        "Program(SOURCE, 'nvvm', {'extra_sources': 'more.ll'})",
        "Program(SOURCE, 'nvvm', {'extra_sources': [('more.ll', b'')]})",
        "Program(SOURCE, 'nvvm').compile(name_expressions=['saxpy'])",
        "Program(SOURCE, 'c++', {'extra_sources': [('more.ll', 'define')]})",
        "Program(SOURCE, 'c++', {'use_libdevice': True})",
        "Program(SOURCE, 3)",
        "Program(SOURCE, 'c++', {'archs': 'sm_90'})",
        "Program(SOURCE, 'c++', ['-G'])",
        "Program('a\\0b')",
        "Program(BROKEN, 'broken.cu').compile()",
        "Program(BROKEN, 'broken.cu').compile('ptx')",
        "Program('#include <no_such_header.h>', 'k.cu').compile()",
        "Program(SOURCE, 'k.cu', {'arch': 'sm_1'}).compile()",
        "Program(SOURCE, 'k.cu', {'arch': 'nonsense'}).compile()",
        "Program(SOURCE, 'k.cu', {'std': 'c++99'}).compile()",
        "Program(SOURCE, 'k.cu').compile(['--no-such-option'])",
        "Program(SOURCE, 'k.cu').compile('exe')",
        "Program(SOURCE, 'k.cu').compile('fatbin')",
        "Program(SOURCE, 'k.cu').compile(3)",
        "Program(SOURCE, 'k.cu').compile(name_expressions='saxpy')",
        "Program(SOURCE, 'k.cu').compile(name_expressions=[3])",
        "Program(SOURCE, 'k.cu').compile(name_expressions=['no_such_kernel<int>'])",
        "Program(BROKEN_PTX, 'ptx').compile().get_kernel('k')",
        "Program(SOURCE, 'ptx').compile().get_kernel('k')",
        "closed_program.compile()",
        "Program(SOURCE).saxpy",
        "core.compile_all([SOURCE])",
        "core.compile_all(Program(SOURCE))",
        "core.compile_all([Program(SOURCE)], num_threads=-1)",
        "core.compile_all([Program(SOURCE)], num_threads='all')",
        "core.compile_all([Program(SOURCE)], progress=7)",
        "core.compile_all([closed_program])",
        "core.compile_all([Program(SOURCE), Program(BROKEN, 'broken.cu')])",
        "core.compile_all([Program(BROKEN, 'a.cu'), Program(BROKEN, 'b.cu')])",
        "core.compile_all([core.CompileRequest(Program(SOURCE), 'exe')])",
        "core.compile_all([core.CompileRequest(Program(SOURCE), 'ptx', 'saxpy')])",
        "core.compile_all([core.CompileRequest(Program(SOURCE), 'ptx', ['no_such_kernel<int>'])])",
        "core.compile_all([Program(SOURCE, 'c++', {'arch': 'nonsense'})])",
        "ObjectCode()",
        "ObjectCode.from_ptx(b'')",
        "ObjectCode.from_ptx(3)",
        "ObjectCode.from_ptx(folder / 'missing.ptx')",
        "ObjectCode.from_ptx(folder)",
        "ObjectCode.from_ptx(BROKEN_PTX).get_kernel('k')",
        "ObjectCode.from_ptx(BROKEN_PTX, name='mine.ptx').kernel_names",
        "ObjectCode.from_ptx(PTX_OF_ANOTHER_TIME).get_kernel('k')",
        "ObjectCode.from_cubin(b'no cubin').get_kernel('k')",
        "ObjectCode.from_fatbin(b'no fatbin').get_kernel('k')",
        "ObjectCode.from_ltoir(b'no ltoir').get_kernel('k')",
        "ObjectCode.from_object(b'no object').get_kernel('k')",
        "ObjectCode.from_library(folder / 'missing.a')",
        "Linker()",
        "Linker('code')",
        "Linker(closed_code)",
        "Linker(code, options={'architecture': 'sm_90'})",
        "Linker(code, options={'arch': 'nonsense'})",
        "Linker(code, options={'max_register_count': -1})",
        "Linker(code).link('fatbin')",
        "Linker(code).link('ptx')",
        "Linker(ObjectCode.from_ptx(CALLS_A_STRANGER, name='half.ptx')).link('cubin')",
        "Linker(ObjectCode.from_ltoir(b'no ltoir'))",
        "Linker(ObjectCode.from_library(b'no library'))",
        "closed_linker.link('cubin')",
        "closed_linker.get_error_log()",
        "code.get_kernel('saxpi')",
        "code.get_kernel('')",
        "code.get_kernel(3)",
        "code.get_kernel('a\\0b')",
        "closed_code.get_kernel('k')",
        "closed_code.code",
        "closed_code.kernel_names",
    ],
    "kernels": [
        "Kernel()",
        "closed_kernel.name",
        "closed_kernel.handle",
        "closed_kernel.num_arguments",
        "closed_kernel.attributes.num_regs",
        "closed_kernel.occupancy.max_active_blocks_per_multiprocessor(32)",
        "closed_kernel.occupancy.max_potential_cluster_size(config, stream=stream)",
        "kernel.occupancy.max_active_clusters(config, stream=closed_stream)",
        "kernel.attributes[99].num_regs",
        "kernel.attributes['a'].num_regs",
        "kernel.occupancy.max_active_blocks_per_multiprocessor(0)",
        "kernel.occupancy.max_active_blocks_per_multiprocessor(-1)",
        "kernel.occupancy.max_active_blocks_per_multiprocessor(1.5)",
        "kernel.occupancy.max_active_blocks_per_multiprocessor(32, -1)",
        "setattr(kernel.attributes, 'max_dynamic_shared_size_bytes', -1)",
        "setattr(kernel.attributes, 'max_dynamic_shared_size_bytes', 2**30)",
        "setattr(kernel.attributes, 'max_dynamic_shared_size_bytes', 2**40)",
        "setattr(kernel.attributes, 'max_dynamic_shared_size_bytes', 'a')",
    ],
    "launches": [
        "LaunchConfig(0, block=32)",
        "LaunchConfig(1, block=-1)",
        "LaunchConfig((1, 2, 3, 4), block=32)",
        "LaunchConfig(1.5, block=32)",
        "LaunchConfig('1', block=32)",
        "LaunchConfig(2**32, block=32)",
        "LaunchConfig(1, block=32, shmem_size=-1)",
        "LaunchConfig(1, block=32, shmem_size='a')",
        "LaunchConfig(1, 32)",
        "LaunchConfig(1, block=32, preferred_shared_memory_carveout=101)",
        "LaunchConfig(1, block=32, access_policy_window=(0, 16))",
        "launch(stream, LaunchConfig(1, block=2048), kernel, 1.0, buffer, buffer, 4)",
        "launch(stream, LaunchConfig((1, 70000), block=32), kernel, 1.0, buffer, buffer, 4)",
        "launch(stream, LaunchConfig(1, block=(1, 1, 65)), kernel, 1.0, buffer, buffer, 4)",
        "launch(stream, LaunchConfig(1, block=32, shmem_size=10**6), kernel, 1.0, buffer, buffer, 4)",
        "launch(stream, LaunchConfig(10**6, block=1024, is_cooperative=True), kernel, 1.0, buffer, buffer, 4)",
        "launch()",
        "launch(stream)",
        "launch(stream, config)",
        "launch(3, config, kernel)",
        "launch(None, config, kernel)",
        "launch(stream, 3, kernel)",
        "launch(stream, config, 'saxpy')",
        "launch(closed_stream, config, kernel, 1.0, buffer, buffer, 4)",
        "launch(stream, config, closed_kernel, 1.0, buffer, buffer, 4)",
        "launch(stream, config, kernel, 1.0, closed_buffer, buffer, 4)",
        "kernel[3](1.0, buffer, buffer, 4)",
        "kernel[config, 3](1.0, buffer, buffer, 4)",
    ],
    "other libraries' arrays": [
        "StridedMemoryView(3)",
        "StridedMemoryView(small)",
        "StridedMemoryView.from_buffer(small, (100,), dtype='f4')",
        "closed_buffer.__dlpack__(stream=-1)",
        "small.__dlpack__(copy=True)",
    ],
    "algorithms": [
        "parallel.scan(np.ones(3, np.float32), execution=parallel.Execution.HOST.require(parallel.Determinism(2)))",
        "parallel.scan(np.ones(3, np.float32), execution=parallel.Execution.DEVICE.require(parallel.Determinism(1)))",
        "parallel.Execution.HOST.require(7)",
        "parallel.pack_int128([2**127])",
        "parallel.pack_int128([0.5])",
        "parallel.transform(parallel.pack_int128([1]), lambda a: a if a > 0 else -a)",
    ],
    "pathfinder": [
        "pathfinder.load_nvidia_dynamic_lib('nvrct')",
        "pathfinder.load_nvidia_dynamic_lib(3)",
        "pathfinder.find_nvidia_header_directory('nonsense')",
        "pathfinder.find_static_lib('nonsense')",
        "pathfinder.find_bitcode_lib('nonsense')",
        "pathfinder.find_nvidia_binary_utility('nonsense')",
        "pathfinder.Toolkit('>=99')",
        "pathfinder.Toolkit('nonsense')",
        "pathfinder.Toolkit(12)",
        "pathfinder.Toolkit('', from_elsewhere=['nonsense'])",
        "pathfinder.Toolkit('', from_elsewhere='nvrtc')",
    ],
}
FAULTS = [
    "launch(stream, config, write_null, core.Buffer.from_handle(0, 0)); stream.sync()",
    "launch(stream, LaunchConfig(1, block=1), far, small); stream.sync()",
    "launch(stream, LaunchConfig(1, block=1), trap); stream.sync()",
    "building.close(); launch(stream, LaunchConfig(1, block=1), trap); device.sync()",
    "launch(device.default_stream, LaunchConfig(1, block=1), trap); small.copy_to_host(bytearray(16))",
]


def message_of(call: Callable[[], object]) -> tuple[str, str]:
    """The class and text of the exception that a call raises; two empty texts where it raises none."""
    try:
        call()
    except Exception as error:
        return f"{type(error).__module__.removeprefix('cuprum.').removeprefix('_')}.{type(error).__name__}", str(error)
    return "", ""


def provoke(mistake: str, names: Names) -> tuple[str, str]:
    return message_of(lambda: exec(mistake, dict(names)))


def show(mistake: str, class_name: str, message: str) -> None:
    print(f"{mistake}\n  {class_name or 'NO ERROR'}")
    for line in message.splitlines():
        print(f"    {line}")


def main() -> None:
    if len(sys.argv) > 1:
        show(sys.argv[1], *provoke(sys.argv[1], Names()))
        return
    names = Names()
    for subject, mistakes in MISTAKES.items():
        print(f"\n== {subject} ==")
        for mistake in mistakes:
            show(mistake, *provoke(mistake, names))


if __name__ == "__main__":
    main()
