// Every driver call of a program fails once. Each time: one error of the right kind, at the call that failed or,
// in a destructor, through the handler; the same call then succeeds on the same objects; the result is right; nothing
// is left behind; the caller's context is what it was.
//
// Each fault runs in a process of its own, forked before the driver is started, so that every run makes the same calls:
// also those that core makes only once.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "child_process.hpp"
#include "cuprum/cuprum.hpp"
#include "fault_plan.hpp"

namespace cuprum::core {
namespace {

using test::FaultPlan;

int reports_of_cleanup = 0;

struct Outcome {
    std::vector<std::string> errors;  // of calls
    std::string problem;              // what is wrong; empty if nothing is

    void expect(bool condition, const std::string& text) {
        if (!condition && problem.empty()) problem = text;
    }
};

bool is_right_kind(const Error& error, CUresult injected) {
    if (error.code() != injected) return false;
    switch (injected) {
        case CUDA_ERROR_OUT_OF_MEMORY:
            return dynamic_cast<const OutOfMemory*>(&error) != nullptr;
        case CUDA_ERROR_ILLEGAL_ADDRESS:
            return dynamic_cast<const DeviceFault*>(&error) != nullptr;
        default:
            return dynamic_cast<const DriverError*>(&error) != nullptr &&
                   dynamic_cast<const DeviceFault*>(&error) == nullptr;
    }
}

// Counts what it has allocated from another resource.
class CountingAllocator : public MemoryAllocator {
public:
    CountingAllocator(MemoryResource upstream, int& live) : upstream_(std::move(upstream)), live_(live) {}

    DevicePointer allocate(uint64_t size, StreamRef stream) override {
        Buffer buffer = upstream_.allocate(size, stream);
        const DevicePointer address = buffer.handle();
        buffers_.emplace(address, std::move(buffer));
        ++live_;
        return address;
    }
    void deallocate(DevicePointer address, uint64_t /*size*/, StreamRef stream) override {
        --live_;
        buffers_.extract(address).mapped().close(stream);
    }

private:
    MemoryResource upstream_;
    std::map<DevicePointer, Buffer> buffers_;
    int& live_;
};

// Saxpy through every part of core. A call that fails is made once more.
class Scenario {
public:
    Scenario(FaultPlan& plan, CUresult injected, Outcome& outcome)
        : plan_(plan), injected_(injected), outcome_(outcome) {}

    void run(const ObjectCode& code) {
        constexpr int n = 1000;
        constexpr uint64_t size = n * sizeof(float);
        std::vector<float> x(n, 3.0F);
        std::vector<float> y(n, 4.0F);
        std::vector<float> result(n, 0.0F);

        const Device device = attempt([] { return Device(0); });
        // Linked for the architecture of the device, which the driver is asked for.
        const Linker linker({code});
        const ObjectCode linked = attempt([&] { return linker.link(); });
        const Kernel saxpy = attempt([&] { return linked.get_kernel("saxpy"); });
        const Stream stream = attempt([&] { return device.create_stream(); });
        const Stream second = attempt([&] { return device.create_stream(); });
        const Buffer device_x = attempt([&] { return device.allocate(size); });
        const Buffer device_y = attempt([&] { return device.allocate(size, stream); });
        attempt([&] { device_x.copy_from_host(x.data(), size); });
        attempt([&] { device_y.copy_from_host(y.data(), size, stream); });
        const Event start = attempt([&] { return stream.record({.timing_enabled = true}); });
        attempt([&] { launch(stream, {4, 256}, saxpy, 2.0F, device_x, device_y, n); });
        const Event end = attempt([&] { return stream.record({.timing_enabled = true}); });
        attempt([&] { second.wait(stream); });
        attempt([&] { device_y.copy_to_host(result.data(), size, second); });
        attempt([&] { second.sync(); });
        attempt([&] { static_cast<void>(end - start); });
        LaunchConfig with_attributes{1, 1};
        with_attributes.priority = 0;
        with_attributes.access_policy_window = {.address = device_x.handle(), .size = size};
        attempt([&] { launch(device.default_stream(), with_attributes, saxpy, 0.0F, device_x, device_y, 0); });
        attempt([&] { device.sync(); });
        outcome_.expect(result == std::vector<float>(n, 10.0F), "the result is wrong");
        pinned_memory(device, stream, device_y);
        regions(device, stream);
        order(stream, device_x);
        contexts(device);
        module(device, code);
        device_pools(device, stream);
        shared_pools(device, stream);
        host_pools(device, stream);
        virtual_memory(device, stream);
        images(device, stream);
        user_resources(device, stream);
        graph_memory(device, stream);
    }

    void all_graphs(const ObjectCode& code) {
        const Device device = attempt([] { return Device(0); });
        const Kernel saxpy = attempt([&] { return code.get_kernel("saxpy"); });
        const Stream stream = attempt([&] { return device.create_stream(); });
        tensor_maps(device);
        graphs(device, stream, saxpy);
        built_graphs(device, stream, saxpy);
    }

    void tensor_maps(const Device& device) {
        const Buffer memory = attempt([&] { return device.allocate(8192); });
        const TensorMapTensor tensor{memory.handle(), TensorMapDataType::float32, {32, 64}};
        TensorMapDescriptor map = attempt([&] { return TensorMapDescriptor::tiled(device, tensor, {8, 16}); });
        attempt([&] { map.replace_address(memory.handle() + 1024); });
        const TensorMapTensor pixels{memory.handle(), TensorMapDataType::float32, {2, 8, 8, 16}};
        attempt([&] { return TensorMapDescriptor::im2col(device, pixels, {-1, -1}, {-1, -1}, 16, 64); });
    }

    // y = x + y in the first kernel node, then copies, fills and calls.
    void graphs(const Device& device, const Stream& stream, const Kernel& saxpy) {
        std::vector<float> y(4, 1.0F);
        const Buffer buffer = attempt([&] { return device.allocate(16); });
        const Buffer copy = attempt([&] { return device.allocate(16); });
        const Event event = attempt([&] { return device.create_event(); });
        attempt([&] { buffer.copy_from_host(y); });
        auto kept = std::make_shared<int>(1);
        int calls = 0;
        {
            const GraphDefinition definition = attempt([&] { return GraphDefinition(device); });
            const GraphDefinition child = attempt([&] { return GraphDefinition(device); });
            attempt([&] { return child.empty(); });
            const GraphNode launched =
                attempt([&] { return definition.launch({1, 4}, saxpy, 1.0F, buffer, buffer, 4); });
            const GraphNode copied = attempt([&] { return launched.memcpy(copy, buffer, 16); });
            const GraphNode filled = attempt([&] {
                return copied.memset({.destination = buffer.handle(), .value = 0, .element_size = 4, .width = 1});
            });
            const GraphNode called = attempt([&] { return filled.callback([&calls] { ++calls; }, {kept}); });
            const GraphNode doomed = attempt([&] { return definition.empty(); });
            attempt([&] { definition.add_dependency(doomed, called); });
            attempt([&] { definition.remove_dependency(doomed, called); });
            attempt([&] { doomed.destroy(); });
            const GraphNode recorded = attempt([&] { return called.record(event); });
            const GraphNode embedded = attempt([&] { return recorded.embed(child); });
            const GraphNode allocated = attempt([&] { return embedded.allocate({.size = 16}); });
            attempt([&] { return allocated.deallocate(allocated.allocation().address); });
            const GraphCondition condition = attempt([&] { return definition.create_condition(0); });
            attempt([&] { return allocated.if_then(condition); });
            const GraphNode written = attempt([&] { return called.write_value32(copy, 12, 0x41100000, {kept}); });
            const MemoryOperationParameters word{copy.handle() + 12, 0x41100000};  // 9
            attempt([&] { written.update_memory_operations({&word, 1}, {kept}); });
            attempt([&] { embedded.update_child_graph(child); });
            attempt([&] { launched.update_kernel({1, 4}, saxpy, 2.0F, buffer, buffer, 4); });
            outcome_.expect(attempt([&] { return definition.nodes(); }).size() == 10, "the graph has other nodes");
            outcome_.expect(attempt([&] { return definition.edges(); }).size() == 9, "the graph has other edges");
            Graph graph = attempt([&] { return definition.instantiate(); });
            attempt([&] { graph.upload(stream); });
            attempt([&] { graph.launch(stream); });
            attempt([&] { graph.update_callback(called, [&calls] { calls += 10; }, {kept}); });
            attempt([&] { graph.update_memory_operations(written, {&word, 1}, {kept}); });
            attempt([&] { graph.set_enabled(filled, false); });
            attempt([&] { graph.launch(stream); });
            attempt([&] { stream.sync(); });
            outcome_.expect(calls == 11, "the functions were not called once each");
            attempt([&] { graph.update(definition); });
            attempt([&] { copy.copy_to_host(y); });
            outcome_.expect(y == std::vector<float>{0, 9, 9, 9}, "the result of the graph is wrong");
        }
        let_go(device, kept);
    }

    void built_graphs(const Device& device, const Stream& stream, const Kernel& saxpy) {
        std::vector<float> y(4, 1.0F);
        const Buffer buffer = attempt([&] { return device.allocate(16); });
        attempt([&] { buffer.copy_from_host(y); });
        auto kept = std::make_shared<int>(1);
        {
            const GraphBuilder builder = attempt([&] { return GraphBuilder(device); });
            attempt([&] { builder.begin_building(); });
            attempt([&] { launch(builder, {1, 4}, saxpy, 1.0F, buffer, buffer, 4); });
            attempt([&] { keep_for_capture(builder, {kept}); });
            GraphBuilder other = attempt([&] { return builder.split(); });
            attempt([&] { other.callback([] {}, {kept}); });
            attempt([&] { builder.join(other); });
            const GraphCondition condition = attempt([&] { return builder.create_condition(1); });
            const GraphBuilder then = attempt([&] { return builder.if_then(condition); });
            attempt([&] { then.begin_building(); });
            attempt([&] { launch(then, {1, 4}, saxpy, 1.0F, buffer, buffer, 4); });
            attempt([&] { then.end_building(); });
            attempt([&] { builder.end_building(); });
            const Graph graph = attempt([&] { return builder.complete(); });
            attempt([&] { graph.launch(stream); });
            attempt([&] { stream.sync(); });
            attempt([&] { buffer.copy_to_host(y); });
            outcome_.expect(y == std::vector<float>(4, 4.0F), "the result of the built graph is wrong");
        }
        let_go(device, kept);
    }

    // The driver lets go of what graphs keep in its own time; but of what was not destroyed, never.
    void let_go(const Device& device, const std::shared_ptr<int>& kept) {
        const bool all_are_destroyed = !plan_.struck().ends_with("Destroy");
        for (int i = 0; i < (all_are_destroyed ? 1000 : 50) && kept.use_count() > 1; ++i) {
            attempt([&] { device.sync(); });
            ::usleep(1000);
        }
        outcome_.expect(kept.use_count() == 1 || !all_are_destroyed, "what a graph has kept is still there");
    }

    void virtual_memory(const Device& device, const Stream& stream) {
        const VirtualMemoryResource resource =
            attempt([&] { return VirtualMemoryResource(device, VirtualMemoryResourceOptions{}); });
        Buffer buffer = attempt([&] { return resource.allocate(16); });
        attempt([&] { buffer.fill(7, 1, stream); });
        for (const uint64_t units : {2, 4}) {
            attempt([&] { resource.modify_allocation(buffer, units * resource.granularity()); });
            outcome_.expect(buffer.size() == units * resource.granularity(), "the buffer has another size");
        }
        VirtualMemoryResourceOptions options;
        options.self_access = MemoryAccess::read;
        attempt([&] { resource.modify_allocation(buffer, 6 * resource.granularity(), options); });
        std::vector<uint8_t> bytes(16);
        attempt([&] { buffer.copy_to_host(bytes, stream); });
        attempt([&] { stream.sync(); });
        outcome_.expect(bytes == std::vector<uint8_t>(16, 7), "the bytes have gone");
        options.location = MemoryLocation::host();
        const VirtualMemoryResource on_host = attempt([&] { return VirtualMemoryResource(device, options); });
        const Buffer host_buffer = attempt([&] { return on_host.allocate(16); });
        host_buffer.as_span<uint8_t>().front() = 1;
    }

    void images(const Device& device, const Stream& stream) {
        const OpaqueArrayOptions options{.shape = {4, 2}, .is_surface_load_store = true};
        const OpaqueArray array = attempt([&] { return device.create_opaque_array(options); });
        const MipmappedArray mipmaps =
            attempt([&] { return device.create_mipmapped_array({.shape = {4, 2}, .num_levels = 2}); });
        const OpaqueArray level = attempt([&] { return mipmaps.get_level(0); });
        const Buffer buffer = attempt([&] { return device.allocate(512); });
        const std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8};
        std::vector<float> result(8);
        attempt([&] { array.copy_from_host(values.data(), array.size_bytes(), stream); });
        attempt([&] { array.copy_to(buffer, stream); });
        attempt([&] { level.copy_from(buffer, stream); });
        attempt([&] { level.copy_to_host(result.data(), level.size_bytes(), stream); });
        attempt([&] { stream.sync(); });
        outcome_.expect(result == values, "the elements are wrong");
        const auto of_array = ResourceDescriptor::from_opaque_array(array);
        const auto of_mipmaps = ResourceDescriptor::from_mipmapped_array(mipmaps);
        const auto of_buffer = ResourceDescriptor::from_linear(buffer, ArrayFormat::float32, 1);
        const TextureObject first = attempt([&] { return device.create_texture_object(of_array); });
        const TextureObject second = attempt([&] { return device.create_texture_object(of_mipmaps); });
        const TextureObject third = attempt([&] { return device.create_texture_object(of_buffer); });
        const SurfaceObject surface = attempt([&] { return device.create_surface_object(of_array); });
        const OpaqueArray borrowed = attempt([&] { return OpaqueArray::from_handle(array.handle(), device); });
        outcome_.expect(borrowed.size_bytes() == array.size_bytes(), "the array has another size");
    }

    // Columns 1 to 3 of a matrix of bytes with rows of 16, in two slices that are no multiple of rows apart.
    void regions(const Device& device, const Stream& stream) {
        const Buffer matrix = attempt([&] { return device.allocate(128); });
        const Buffer pinned = attempt([] { return LegacyPinnedMemoryResource().allocate(128); });
        const Region region{.width = 3, .height = 2, .depth = 2, .offset = 1, .row_pitch = 16, .slice_pitch = 40};
        const std::vector<uint8_t> source{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
        std::vector<uint8_t> result(12);
        attempt([&] { matrix.copy_region_from_host(region, std::as_bytes(std::span(source)), region.packed()); });
        attempt([&] { pinned.copy_region_from(region, matrix, region, stream); });
        attempt([&] { matrix.fill_region(region, 0, 1, stream); });
        attempt([&] { matrix.copy_region_from(region, pinned, region, stream); });
        attempt([&] {
            matrix.copy_region_to_host(std::as_writable_bytes(std::span(result)), region.packed(), region, stream);
        });
        attempt([&] { stream.sync(); });
        outcome_.expect(result == source, "a region is wrong");
        const std::array<BufferRef, 2> from{matrix.slice(0, 32), matrix.slice(32, 32)};
        const std::array<BufferRef, 2> to{pinned.slice(64, 32), pinned.slice(0, 32)};
        attempt([&] { copy_batch(stream, from, to); });
        attempt([&] { stream.sync(); });
        outcome_.expect(pinned.as_span<uint8_t>()[65] == 1, "a batch is wrong");
        attempt([&] { static_cast<void>(device.row_pitch(3)); });
    }

    void contexts(const Device& device) {
        const SMResource all = attempt([&] { return SMResource::of(device); });
        const SMResourceSplit split = attempt([&] { return all.split({}); });
        const Context green = attempt([&] { return device.create_context({.resources = split.groups}); });
        outcome_.expect(attempt([&] { return green.sm_resource(); }).sm_count() == split.groups[0].sm_count(),
                        "the context has other multiprocessors");
        const Stream stream = attempt([&] { return green.create_stream(); });
        outcome_.expect(attempt([&] { return stream.context(); }) == green, "the stream is another context's");
        attempt([&] { static_cast<void>(Context::current()); });
        const Event event = attempt([&] { return stream.record({.ipc_enabled = true}); });
        attempt([&] { static_cast<void>(event.ipc_descriptor()); });
        attempt([&] { stream.sync(); });
    }

    // Host functions, and words that are written and waited for.
    void order(const Stream& stream, const BufferRef& words) {
        int calls = 0;
        attempt([&] { stream.launch_host_function([&calls] { ++calls; }); });
        attempt([&] { stream.write_value32(words, 0, 7); });
        attempt([&] { stream.wait_value32(words, 0, 7, WaitCondition::equal); });
        attempt([&] { stream.write_value64(words, 8, 7); });
        attempt([&] { stream.wait_value64(words, 8, 7, WaitCondition::equal); });
        attempt([&] { stream.sync(); });
        outcome_.expect(calls == 1, "the host function was called " + std::to_string(calls) + " times");
    }

    // What is asked of code and kernels, and set.
    void module(const Device& device, const ObjectCode& code) {
        const Kernel saxpy = attempt([&] { return code.get_kernel("saxpy"); });
        const GlobalVariable bias = attempt([&] { return code.get_global(device, "bias"); });
        outcome_.expect(bias.size() == sizeof(float), "the variable has another size");
        attempt([&] { saxpy.set_attribute(device, KernelAttribute::preferred_shared_memory_carveout, 50); });
        outcome_.expect(attempt([&] { return saxpy.attributes(device); }).preferred_shared_memory_carveout == 50,
                        "the attribute was not set");
        const auto best = attempt([&] { return saxpy.max_potential_block_size(device, [](int32_t) { return 16U; }); });
        outcome_.expect(best.max_block_size > 0, "there is no best block size");
        const Kernel taken = attempt([&] { return Kernel::from_handle(saxpy.handle(), code); });
        outcome_.expect(taken.num_arguments() == 4, "the kernel has other arguments");
    }

    // A resource of the program's over a pool: its own, and then as the device's.
    void user_resources(const Device& device, const Stream& stream) {
        int live = 0;
        const DeviceMemoryResource pool = attempt([&] { return DeviceMemoryResource(device, {}); });
        const UserMemoryResource resource = attempt(
            [&] { return UserMemoryResource(std::make_shared<CountingAllocator>(pool, live), MemoryKind::device, 0); });
        {
            const Buffer buffer = attempt([&] { return resource.allocate(16, stream); });
            attempt([&] { device.set_memory_resource(resource); });
            const Buffer of_device = attempt([&] { return device.allocate(16, stream); });
            outcome_.expect(live == 2, "the resource did not count");
            const MemoryResource current = attempt([&] { return DeviceMemoryResource(device); });
            attempt([&] { device.set_memory_resource(current); });
            Buffer released = attempt([&] { return pool.allocate(16, stream); });
            const DevicePointer address = released.release();
            const Buffer taken = attempt([&] { return Buffer::from_handle(address, 16, pool, stream); });
        }
        outcome_.expect(live == 0, "the resource counts " + std::to_string(live) + " buffers");
        attempt([&] { stream.sync(); });
    }

    // Memory of a graph, whose capture is the test's own.
    void graph_memory(const Device& device, const Stream& stream) {
        const GraphMemoryResource resource = attempt([&] { return GraphMemoryResource(device); });
        CUgraph graph = nullptr;
        own_call([&] {
            return bindings::driver::cuStreamBeginCapture(stream.handle(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
        });
        {
            const Buffer buffer = attempt([&] { return resource.allocate(16, stream); });
            attempt([&] { buffer.fill(7, 1, stream); });
        }
        own_call([&] { return bindings::driver::cuStreamEndCapture(stream.handle(), &graph); });
        // Tried once.
        own_call([&] {
            if (graph == nullptr) return CUDA_SUCCESS;
            return bindings::driver::cuGraphDestroy(std::exchange(graph, nullptr));
        });
        attempt([&] { resource.set_attribute(GraphMemoryAttribute::used_mem_high, 0); });
        outcome_.expect(attempt([&] { return resource.attribute(GraphMemoryAttribute::used_mem_high); }) == 0,
                        "a graph that was not launched has used memory");
        attempt([&] { resource.trim(); });
    }

    // This process stands for the other one too.
    void shared_pools(const Device& device, const Stream& stream) {
        const DeviceMemoryResource pool =
            attempt([&] { return DeviceMemoryResource(device, {.max_size = 1 << 22, .ipc_enabled = true}); });
        const Buffer shared = attempt([&] { return pool.allocate(64, stream); });
        const int file = attempt([&] { return pool.allocation_handle(); });
        const IPCBufferDescriptor descriptor = attempt([&] { return shared.ipc_descriptor(); });
        const DeviceMemoryResource mapped =
            attempt([&] { return DeviceMemoryResource::from_allocation_handle(device, file); });
        close(file);
        attempt([&] { shared.fill(7, 1, stream); });
        const Buffer opened = attempt([&] { return Buffer::from_ipc_descriptor(mapped, descriptor, stream); });
        std::vector<uint8_t> result(64);
        attempt([&] { opened.copy_to_host(result.data(), result.size(), stream); });
        attempt([&] { stream.sync(); });
        outcome_.expect(result == std::vector<uint8_t>(64, 7), "shared memory is wrong");
        shared_host_pools(stream);
    }

    void shared_host_pools(const Stream& stream) {
        const PinnedMemoryResource pool = attempt([] { return PinnedMemoryResource({.ipc_enabled = true}); });
        const Buffer shared = attempt([&] { return pool.allocate(64, stream); });
        const int file = attempt([&] { return pool.allocation_handle(); });
        const PinnedMemoryResource mapped = attempt([&] { return PinnedMemoryResource::from_allocation_handle(file); });
        close(file);
        const Buffer opened =
            attempt([&] { return Buffer::from_ipc_descriptor(mapped, shared.ipc_descriptor(), stream); });
        shared.as_span<uint8_t>().front() = 9;
        outcome_.expect(opened.as_span<uint8_t>().front() == 9, "shared host memory is wrong");
    }

    void device_pools(const Device& device, const Stream& stream) {
        const DeviceMemoryResource pool = attempt([&] { return DeviceMemoryResource(device, {.max_size = 1 << 24}); });
        const MemoryResource former = attempt([&] { return device.memory_resource(); });
        const Buffer buffer = attempt([&] { return pool.allocate(1024, stream); });
        attempt([&] { pool.set_attribute(MemoryPoolAttribute::release_threshold, 4096); });
        outcome_.expect(attempt([&] { return pool.attribute(MemoryPoolAttribute::release_threshold); }) == 4096,
                        "the threshold is another one");
        attempt([&] { pool.set_peer_accessible_by({}); });
        attempt([&] { static_cast<void>(pool.is_accessible_by(device)); });
        attempt([&] { device.set_memory_resource(pool); });
        const Buffer of_device = attempt([&] { return device.allocate(1024, stream); });
        outcome_.expect(attempt([&] { return of_device.memory_resource(); }) == pool, "it is another pool's memory");
        attempt([&] { device.set_memory_resource(former); });
        Buffer released = attempt([&] { return pool.allocate(16, stream); });
        const DevicePointer address = released.release();
        attempt([&] { pool.deallocate(address, 16, stream); });
        attempt([&] { stream.sync(); });
        attempt([&] { pool.trim_to(0); });
    }

    void host_pools(const Device& device, const Stream& stream) {
        const PinnedMemoryResource drivers = attempt([] { return PinnedMemoryResource(); });
        const PinnedMemoryResource pinned =
            attempt([] { return PinnedMemoryResource(PinnedMemoryResourceOptions{.max_size = 1 << 24}); });
        const Buffer page_locked = attempt([&] { return pinned.allocate(16, stream); });
        const ManagedMemoryResource standard = attempt([] { return ManagedMemoryResource(); });
        const ManagedMemoryResource managed =
            attempt([&] { return ManagedMemoryResource(ManagedMemoryResourceOptions{.preferred_location = device}); });
        const Buffer buffer = attempt([&] { return managed.allocate(4096, stream); });
        std::vector<float> existing(1024);
        const Buffer registered = attempt([&] { return Buffer::register_host_memory(existing); });
        attempt([&] { buffer.prefetch(MemoryLocation::host(), stream); });
        attempt([&] { buffer.set_read_mostly(true); });
        outcome_.expect(attempt([&] { return buffer.is_read_mostly(); }), "the advice is gone");
        attempt([&] { buffer.set_preferred_location(device); });
        outcome_.expect(attempt([&] { return buffer.preferred_location(); }) == MemoryLocation(device),
                        "the location is another one");
        attempt([&] { buffer.set_accessed_by(device, true); });
        outcome_.expect(attempt([&] { return buffer.accessed_by(); }).size() == 1, "nobody accesses the buffer");
        attempt([&] { buffer.discard(stream); });
        attempt([&] { buffer.discard_prefetch(device, stream); });
        batches(device, stream, buffer, attempt([&] { return managed.allocate(4096, stream); }));
        attempt([&] { stream.sync(); });
    }

    void batches(const Device& device, const Stream& stream, const BufferRef& first, const Buffer& second) {
        const std::array both{first, BufferRef(second)};
        const std::array locations{MemoryLocation(device), MemoryLocation::host()};
        attempt([&] { prefetch_batch(stream, both, locations); });
        attempt([&] { discard_prefetch_batch(stream, both, std::span(locations).first(1)); });
        attempt([&] { discard_batch(stream, both); });
        attempt([&] { first.fill(5, 1, stream); });
        attempt([&] {
            copy_batch(stream, std::span(both).first(1), std::span(both).last(1),
                       {.source_location_hint = device, .destination_location_hint = MemoryLocation::host()});
        });
        attempt([&] { stream.sync(); });
        outcome_.expect(second.as_span<uint8_t>()[4095] == 5, "the batch has copied something else");
    }

    // One thread makes the calls.
    void compile_batch() {
        const CompileRequest request{Program("extern \"C\" __global__ void k() {}", SourceType::cxx)};
        const std::array requests{request, request};
        const std::vector<ObjectCode> codes = attempt([&] { return compile_all(requests, {.num_threads = 1}); });
        outcome_.expect(codes.size() == 2, "there are " + std::to_string(codes.size()) + " codes");
        CompileBatch batch(1);
        const auto result = [&] { return batch.result(batch.add(request)); };
        attempt([&] { static_cast<void>(result().get_kernel("k")); });
    }

    void opened_event(const IPCEventDescriptor& descriptor) {
        const Device device = attempt([] { return Device(0); });
        const Event opened = attempt([&] { return Event::from_ipc_descriptor(descriptor, device); });
        const Stream stream = attempt([&] { return device.create_stream(); });
        attempt([&] { stream.wait(opened); });
        attempt([&] { stream.record(opened); });
        attempt([&] { opened.sync(); });
        outcome_.expect(attempt([&] { return opened.is_done(); }), "the event is not done");
    }

    void pinned_memory(const Device& device, const Stream& stream, const BufferRef& device_y) {
        const LegacyPinnedMemoryResource resource;
        const Buffer pinned = attempt([&] { return resource.allocate(device_y.size(), stream); });
        const Buffer copy = attempt([&] { return resource.allocate(device_y.size()); });
        attempt([&] { pinned.copy_from(device_y, stream); });
        attempt([&] { stream.sync(); });
        const std::vector<float> expected(device_y.size() / sizeof(float), 10.0F);
        std::vector<float> back(expected.size());
        attempt([&] { copy.copy_from_host(pinned.as_span<float>()); });
        attempt([&] { copy.copy_to_host(back); });
        const BufferRef borrowed = attempt([&] { return BufferRef::from_handle(pinned.handle(), pinned.size()); });
        outcome_.expect(attempt([&] { return borrowed.is_host_accessible(); }), "the host cannot use host memory");
        Buffer given_up = attempt([&] { return device.allocate(16); });
        given_up.set_deallocation_stream(stream);
        Buffer released = attempt([&] { return resource.allocate(16); });
        const DevicePointer address = released.release();
        attempt([&] { resource.deallocate(address, 16, stream); });
        outcome_.expect(back == expected, "the copy by way of host memory is wrong");
    }

private:
    template <class Action>
    auto attempt(const Action& action) -> decltype(action()) {
        try {
            return action();
        } catch (const Error& error) {
            outcome_.errors.push_back(error.what());
            outcome_.expect(is_right_kind(error, injected_),
                            std::string("an error of the wrong kind: ") + error.what());
            outcome_.expect(!error.operation().empty(), "the error does not say what was being done");
        }
        check_context();
        return action();
    }

    // A call that core does not make.
    template <class Call>
    void own_call(const Call& call) {
        if (call() == CUDA_SUCCESS) return;
        outcome_.errors.emplace_back("a call of the test's");
        outcome_.expect(call() == CUDA_SUCCESS, "a call of the test's failed");
    }

    void check_context() {
        CUcontext current = nullptr;
        plan_.disarm();
        outcome_.expect(bindings::driver::cuCtxGetCurrent(&current) != CUDA_SUCCESS || current == nullptr,
                        "the caller's context was changed");
    }

    FaultPlan& plan_;
    CUresult injected_;
    Outcome& outcome_;
};

using Part = std::function<void(Scenario&)>;

// What a graph keeps, its kernels and the memory of its nodes, goes in the driver's own time after the graph.
void let_go_of_all(const FaultPlan& plan) {
    const auto is_left = [&plan](const char* create) {
        const auto found = plan.live().find(create);
        return found != plan.live().end() && found->second > 0;
    };
    for (int i = 0; i < 1000 && (is_left("cuLibraryLoadData") || is_left("cuMemAlloc")); ++i) {
        Device(0).sync();
        ::usleep(1000);
    }
}

// In the child: the text for the parent. First line "end" if no call was struck, else "ok" or what is wrong.
std::string run_with_fault(int call, CUresult injected, const Part& part) {
    Outcome outcome;
    std::string struck;
    FaultPlan plan;
    try {
        set_cleanup_error_handler([](const Error&) noexcept { ++reports_of_cleanup; });
        plan.strike(call, injected);
        {
            Scenario scenario(plan, injected, outcome);
            part(scenario);
        }
        struck = plan.struck();
        if (struck.empty()) return outcome.problem.empty() ? "end" : outcome.problem;
        plan.disarm();
        // A graph that was not destroyed keeps what it uses, and so does an event that was recorded in its capture.
        const bool keeps = struck.starts_with("cuGraph") || struck == "cuEventDestroy";
        if (!keeps) let_go_of_all(plan);
        for (const auto& [create, live] : plan.live()) {
            const bool may_be_kept = create == "cuLibraryLoadData" || create == "cuMemAlloc";
            if (may_be_kept && keeps) continue;
            // Memory that was given up is freed by a call, which is made again: that is one try more.
            const bool is_tried_twice =
                !outcome.errors.empty() && ((struck == "cuMemFreeHost" && create == "cuMemHostAlloc") ||
                                            (struck == "cuMemFreeAsync" && create == "cuMemAllocAsync"));
            const int expected = is_tried_twice ? -1 : 0;
            outcome.expect(live == expected, std::to_string(live) + " left of " + create);
        }
        const size_t reports = outcome.errors.size() + static_cast<size_t>(reports_of_cleanup);
        // A driver without a log is as good as one with: no error.
        const size_t expected = struck.rfind("cuLogs", 0) == 0 ? 0 : 1;
        // A destructor that cannot make the context current tries all the same, which may be a second failure.
        // Addresses cannot be freed while memory is mapped there.
        const bool may_fail_twice = outcome.errors.empty() && (struck.rfind("cuCtx", 0) == 0 || struck == "cuMemUnmap");
        outcome.expect(reports == expected || (may_fail_twice && reports == 2),
                       std::to_string(reports) + " reports instead of " + std::to_string(expected));
    } catch (const std::exception& error) {
        outcome.expect(false, std::string("the call failed again: ") + error.what());
        struck = plan.struck();
    }
    return outcome.problem.empty() ? "ok " + struck : struck + ": " + outcome.problem;
}

constexpr std::array codes{CUDA_ERROR_UNKNOWN, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_ILLEGAL_ADDRESS};

// Lets each call of the part fail, until none does. `least`: it makes more calls than that.
void expect_faults_reported(int least, const Part& part) {
    int call = 1;
    for (; call < 1000; ++call) {
        const CUresult injected = codes[static_cast<size_t>(call) % codes.size()];
        const std::string outcome =
            test::in_child([&](const test::Report& report) { report(run_with_fault(call, injected, part)); });
        if (outcome == "end") break;
        EXPECT_EQ(outcome.rfind("ok ", 0), 0U) << "call " << call << ", " << outcome;
    }
    EXPECT_LT(call, 1000) << "the scenario does not end";
    EXPECT_GT(call, least) << "the scenario makes more calls than that";
}

constexpr const char* source = R"(
extern "C" __device__ float bias = 0;
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
)";

// PTX for an old architecture runs everywhere, and compiling it needs no driver: this process starts none.
ObjectCode compiled() {
    ProgramOptions options;
    options.arch = "compute_75";
    return Program(source, SourceType::cxx, options).compile(CodeType::ptx);
}

TEST(Faults, OfEveryDriverCallAreReportedAndLeaveNothingBehind) {
    const ObjectCode code = compiled();
    expect_faults_reported(300, [&](Scenario& scenario) {
        // A copy of its own, which is unloaded at the end of the scenario.
        const ObjectCode own = ObjectCode::from_ptx(code.code());
        scenario.run(own);
    });
}

TEST(Faults, OfGraphsAreReported) {
    const ObjectCode code = compiled();
    expect_faults_reported(150, [&](Scenario& scenario) {
        const ObjectCode own = ObjectCode::from_ptx(code.code());
        scenario.all_graphs(own);
    });
}

TEST(Faults, OfCompilesInOtherThreadsAreReported) {
    expect_faults_reported(8, [](Scenario& scenario) { scenario.compile_batch(); });
}

// For the life of the object: a process that has made an event for others. The descriptor is sent by a pipe.
class OtherProcess {
public:
    OtherProcess() {
        std::array<int, 2> here{}, there{};
        if (pipe(here.data()) != 0 || pipe(there.data()) != 0) throw std::runtime_error("no pipe");
        child_ = fork();
        if (child_ == 0) {
            close(there[1]);
            const Event event = Device(0).create_event({.ipc_enabled = true});
            const IPCEventDescriptor made = event.ipc_descriptor();
            char end = 0;
            const bool sent = write(here[1], &made, sizeof made) == sizeof made;
            // Until the parent has gone.
            _exit(sent && read(there[0], &end, 1) == 0 ? 0 : 1);
        }
        close(here[1]);
        close(there[0]);
        if (read(here[0], &descriptor_, sizeof descriptor_) != sizeof descriptor_)
            throw std::runtime_error("the other process has sent nothing");
        close(here[0]);
        alive_ = there[1];
    }
    ~OtherProcess() {
        close(alive_);
        waitpid(child_, nullptr, 0);
    }
    OtherProcess(const OtherProcess&) = delete;
    OtherProcess& operator=(const OtherProcess&) = delete;

    const IPCEventDescriptor& descriptor() const { return descriptor_; }

private:
    pid_t child_ = 0;
    int alive_ = -1;
    IPCEventDescriptor descriptor_;
};

TEST(Faults, OfEventsOfAnotherProcessAreReported) {
    const OtherProcess other;
    expect_faults_reported(12, [&](Scenario& scenario) { scenario.opened_event(other.descriptor()); });
}

}  // namespace
}  // namespace cuprum::core
