#include "objects.hpp"

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <utility>

#include <cuda.h>

#include "cuprum/bindings/driver.hpp"
#include "cuprum/cuprum.hpp"

namespace cuprum::test {

namespace {

using namespace core;

constexpr uint64_t size = 64;  // bytes of each buffer

constexpr const char* source = R"(
extern "C" __device__ int number = 7;
extern "C" __global__ void increment(int* x) { x[threadIdx.x] += number - 6; }
)";

Program program() {
    return Program(source, SourceType::cxx, {.name = "objects.cu"});
}

// What the objects are used with.
struct Others {
    Device device{0};
    Stream stream = device.create_stream();
    Stream second = device.create_stream();
    Event event = stream.record({.timing_enabled = true});
    Buffer buffer = device.allocate(size);
    Buffer words = device.allocate(size);
    DeviceMemoryResource shareable{device, {.max_size = 1 << 22, .ipc_enabled = true}};
    Buffer shared = shareable.allocate(size, stream);
    ObjectCode code = program().compile();
    Kernel kernel = code.get_kernel("increment");
    std::vector<int32_t> registered = std::vector<int32_t>(4096);
    static inline std::array<uint8_t, size> bytes{};  // for copies that are under way at the process's end, too

    Others() {
        buffer.fill(0, 4, stream);
        shared.fill(0, 4, stream);
        words.fill(0, 4, stream);
        stream.sync();
    }
};
using With = std::shared_ptr<Others>;

template <class T>
struct UseOf {
    std::string name;
    std::function<void(T&)> call;
    bool needs_context = false;
};
constexpr bool in_context = true;

template <class T>
using UsesOf = std::vector<UseOf<T>>;

template <class T>
Specimen specimen(std::string name, T object, const UsesOf<T>& uses) {
    auto place = std::make_shared<T>(std::move(object));
    T* const it = place.get();
    Specimen made;
    made.name = std::move(name);
    for (const UseOf<T>& each : uses)
        made.uses.push_back({each.name, [it, call = each.call] { call(*it); }, each.needs_context});
    made.move_away = [it] { const T taken = std::move(*it); };
    if constexpr (requires { it->close(); }) made.close = [it] { it->close(); };
    made.object = std::move(place);
    return made;
}

template <class T>
UsesOf<T> operator+(UsesOf<T> left, const UsesOf<T>& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

void add_streams(std::vector<Specimen>& all, const With& with) {
    const UsesOf<Stream> uses{
        {"sync", [](Stream& it) { it.sync(); }, in_context},
        {"is_done", [](Stream& it) { static_cast<void>(it.is_done()); }, in_context},
        {"is_capturing", [](Stream& it) { static_cast<void>(it.is_capturing()); }},
        {"is_nonblocking", [](Stream& it) { static_cast<void>(it.is_nonblocking()); }},
        {"priority", [](Stream& it) { static_cast<void>(it.priority()); }},
        {"device", [](Stream& it) { static_cast<void>(it.device()); }},
        {"context", [](Stream& it) { static_cast<void>(it.context()); }},
        {"record", [](Stream& it) { static_cast<void>(it.record()); }, in_context},
        {"record an event", [with](Stream& it) { it.record(with->event); }, in_context},
        {"wait for an event", [with](Stream& it) { it.wait(with->event); }, in_context},
        {"wait for a stream", [with](Stream& it) { it.wait(with->second); }, in_context},
        {"be waited for by a stream", [with](Stream& it) { with->second.wait(it); }, in_context},
        {"launch_host_function", [](Stream& it) { it.launch_host_function([] {}); }, in_context},
        {"write_value32", [with](Stream& it) { it.write_value32(with->words, 0, 1); }, in_context},
        {"wait_value32", [with](Stream& it) { it.wait_value32(with->words, 0, 0); }, in_context},
        {"write_value64", [with](Stream& it) { it.write_value64(with->words, 8, 1); }, in_context},
        {"wait_value64", [with](Stream& it) { it.wait_value64(with->words, 8, 0); }, in_context},
        {"launch", [with](Stream& it) { launch(it, {1, 16}, with->kernel, with->buffer); }, in_context},
        {"copy in it", [with](Stream& it) { with->buffer.copy_to_host(with->bytes, it); }, in_context},
        {"fill in it", [with](Stream& it) { with->buffer.fill(0, 4, it); }, in_context},
        {"copy a batch in it",
         [with](Stream& it) {
             const std::array<BufferRef, 1> from{with->buffer}, to{with->words};
             copy_batch(it, from, to);
         },
         in_context},
        {"allocate in it", [with](Stream& it) { static_cast<void>(with->device.allocate(size, it)); }, in_context},
        {"allocate from a pool in it", [with](Stream& it) { static_cast<void>(with->shareable.allocate(size, it)); },
         in_context},
        {"free in it", [with](Stream& it) { Buffer(with->device.allocate(size)).close(it); }, in_context},
    };
    all.push_back(specimen("Stream", with->device.create_stream(), uses));
    const SMResource multiprocessors = SMResource::of(with->device);
    const Context green = with->device.create_context({.resources = multiprocessors.split({}).groups});
    all.push_back(specimen("Stream of a green context", green.create_stream(), uses));
    // Destroyed while a function is to be called.
    Stream busy = with->device.create_stream();
    busy.launch_host_function([] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); });
    all.push_back(specimen("Stream with a host function", std::move(busy), uses));
    const UsesOf<Context> context_uses{
        {"sm_resource", [](Context& it) { static_cast<void>(it.sm_resource()); }},
        {"create_stream", [](Context& it) { static_cast<void>(it.create_stream()); }, in_context},
        {"device", [](Context& it) { static_cast<void>(it.device()); }},
        {"is_green", [](Context& it) { static_cast<void>(it.is_green()); }},
        {"handle", [](Context& it) { static_cast<void>(it.handle()); }},
        {"set_current",
         [](Context& it) {
             it.set_current();
             bindings::driver::cuCtxSetCurrent(nullptr);
         }},
    };
    all.push_back(specimen("Context", with->device.context(), context_uses));
    all.push_back(specimen("green Context", green, context_uses));
}

void add_events(std::vector<Specimen>& all, const With& with) {
    const UsesOf<Event> uses{
        {"sync", [](Event& it) { it.sync(); }},
        {"is_done", [](Event& it) { static_cast<void>(it.is_done()); }},
        {"be recorded", [with](Event& it) { with->stream.record(it); }, in_context},
        {"be waited for", [with](Event& it) { with->stream.wait(it); }, in_context},
    };
    const UsesOf<Event> timing_uses{
        {"measure time",
         [with](Event& it) {
             with->stream.record(it);
             it.sync();
             static_cast<void>(elapsed_time(with->event, it));
         },
         in_context},
    };
    const UsesOf<Event> shared_uses{
        {"be shared", [](Event& it) { static_cast<void>(it.ipc_descriptor()); }},
    };
    all.push_back(specimen("Event", with->stream.record({.timing_enabled = true}), uses + timing_uses));
    all.push_back(
        specimen("Event for other processes", with->stream.record({.ipc_enabled = true}), uses + shared_uses));
}

template <class T>
UsesOf<T> buffer_uses(const With& with) {
    return {
        {"copy_from_host", [with](T& it) { it.copy_from_host(with->bytes.data(), 4); }, in_context},
        {"copy_to_host", [with](T& it) { it.copy_to_host(with->bytes.data(), 4); }, in_context},
        {"copy_from_host in a stream",
         [with](T& it) {
             it.copy_from_host(with->bytes.data(), 4, with->stream);
             with->stream.sync();
         },
         in_context},
        {"copy_to_host in a stream",
         [with](T& it) {
             it.copy_to_host(with->bytes.data(), 4, with->stream);
             with->stream.sync();
         },
         in_context},
        {"copy_from", [with](T& it) { it.copy_from(with->buffer.slice(0, 4), with->stream); }, in_context},
        {"be copied from", [with](T& it) { with->buffer.copy_from(it.slice(0, 4), with->stream); }, in_context},
        {"fill", [with](T& it) { it.fill(0, 4, with->stream); }, in_context},
        {"copy_batch",
         [with](T& it) {
             const std::array<BufferRef, 1> from{it.slice(0, 4)}, to{with->buffer.slice(0, 4)};
             copy_batch(with->stream, from, to);
         },
         in_context},
        {"launch with it", [with](T& it) { launch(with->stream, {1, 1}, with->kernel, it); }, in_context},
        {"slice", [](T& it) { static_cast<void>(it.slice(0, 4)); }},
        {"is_device_accessible", [](T& it) { static_cast<void>(it.is_device_accessible()); }},
        {"is_host_accessible", [](T& it) { static_cast<void>(it.is_host_accessible()); }},
        {"is_managed", [](T& it) { static_cast<void>(it.is_managed()); }},
        {"fill_region", [with](T& it) { it.fill_region({.width = 4}, 0, 4, with->stream); }, in_context},
    };
}

UsesOf<Buffer> owner_uses(const With& with) {
    const Region rows{.width = 4, .height = 3, .row_pitch = 16};
    return buffer_uses<Buffer>(with) +
           UsesOf<Buffer>{
               {"memory_resource", [](Buffer& it) { static_cast<void>(it.memory_resource()); }},
               {"set_deallocation_stream", [with](Buffer& it) { it.set_deallocation_stream(with->stream); }},
               {"copy_region_from_host",
                [with, rows](Buffer& it) {
                    it.copy_region_from_host(rows, std::as_bytes(std::span(with->bytes)), rows);
                },
                in_context},
               {"copy_region_to_host",
                [with, rows](Buffer& it) {
                    it.copy_region_to_host(std::as_writable_bytes(std::span(with->bytes)), rows, rows, with->stream);
                    with->stream.sync();
                },
                in_context},
               {"copy_region_from",
                [with, rows](Buffer& it) { it.copy_region_from(rows, with->buffer, rows, with->stream); }, in_context},
               {"copy_region to another",
                [with, rows](Buffer& it) { with->buffer.copy_region_from(rows, it, rows, with->stream); }, in_context},
           };
}

// A driver of CUDA 13.0 takes no advice about memory of a managed pool.
template <class Advise>
void where_supported(const Advise& advise) {
    try {
        advise();
    } catch (const Error& error) {
        if (error.code() != CUDA_ERROR_NOT_SUPPORTED) throw;
    }
}

UsesOf<Buffer> managed_uses(const With& with) {
    return {
        {"prefetch", [with](Buffer& it) { it.prefetch(with->device, with->stream); }, in_context},
        {"discard", [with](Buffer& it) { it.discard(with->stream); }, in_context},
        {"discard_prefetch", [with](Buffer& it) { it.discard_prefetch(with->device, with->stream); }, in_context},
        {"prefetch_batch",
         [with](Buffer& it) {
             const std::array<BufferRef, 1> one{it};
             const std::array<MemoryLocation, 1> there{MemoryLocation(with->device)};
             prefetch_batch(with->stream, one, there);
         },
         in_context},
        {"discard_batch",
         [with](Buffer& it) {
             const std::array<BufferRef, 1> one{it};
             discard_batch(with->stream, one);
         },
         in_context},
        {"discard_prefetch_batch",
         [with](Buffer& it) {
             const std::array<BufferRef, 1> one{it};
             const std::array<MemoryLocation, 1> there{MemoryLocation(with->device)};
             discard_prefetch_batch(with->stream, one, there);
         },
         in_context},
        {"is_read_mostly", [](Buffer& it) { static_cast<void>(it.is_read_mostly()); }},
        {"set_read_mostly", [](Buffer& it) { where_supported([&] { it.set_read_mostly(false); }); }},
        {"preferred_location", [](Buffer& it) { static_cast<void>(it.preferred_location()); }},
        {"set_preferred_location",
         [](Buffer& it) { where_supported([&] { it.set_preferred_location(std::nullopt); }); }},
        {"accessed_by", [](Buffer& it) { static_cast<void>(it.accessed_by()); }},
        {"set_accessed_by", [with](Buffer& it) { where_supported([&] { it.set_accessed_by(with->device, true); }); }},
    };
}

UsesOf<Buffer> host_uses() {
    return {{"as_span", [](Buffer& it) { static_cast<void>(it.as_span<int32_t>()); }}};
}

template <class T>
UsesOf<T> pool_uses(const With& with) {
    return {
        {"attribute", [](T& it) { static_cast<void>(it.attribute(MemoryPoolAttribute::used_mem_current)); }},
        {"set_attribute", [](T& it) { it.set_attribute(MemoryPoolAttribute::release_threshold, 0); }},
        {"trim_to", [](T& it) { it.trim_to(0); }},
        {"handle", [](T& it) { static_cast<void>(it.handle()); }},
        {"is_handle_owned", [](T& it) { static_cast<void>(it.is_handle_owned()); }},
        {"location", [](T& it) { static_cast<void>(it.location()); }},
        {"is_ipc_enabled", [](T& it) { static_cast<void>(it.is_ipc_enabled()); }},
        {"is_mapped", [](T& it) { static_cast<void>(it.is_mapped()); }},
        {"is_accessible_by", [with](T& it) { static_cast<void>(it.is_accessible_by(with->device)); }},
        {"set_accessible_by", [with](T& it) { it.set_accessible_by(with->device, true); }},
    };
}

template <class T>
UsesOf<T> resource_uses(const With& with) {
    return {
        {"has_pool", [](T& it) { static_cast<void>(it.has_pool()); }},
        {"device_id", [](T& it) { static_cast<void>(it.device_id()); }},
        {"is_host_accessible", [](T& it) { static_cast<void>(it.is_host_accessible()); }},
        {"is_managed", [](T& it) { static_cast<void>(it.is_managed()); }},
        {"allocate and free in a stream",
         [with](T& it) {
             Buffer buffer = it.allocate(size, with->stream);
             it.deallocate(buffer.release(), size, with->stream);
         },
         in_context},
    };
}

// `needs_context`: virtual memory does not.
template <class T>
UsesOf<T> without_pool_uses(bool needs_context) {
    return {{"allocate and free",
             [](T& it) {
                 Buffer buffer = it.allocate(size);
                 it.deallocate(buffer.release(), size);
             },
             needs_context}};
}

void add_memory(std::vector<Specimen>& all, const With& with) {
    const UsesOf<Buffer> uses = owner_uses(with);
    all.push_back(specimen("Buffer", with->device.allocate(size), uses));
    all.push_back(specimen("Buffer in stream order", with->device.allocate(size, with->second), uses));

    const LegacyPinnedMemoryResource legacy;
    all.push_back(specimen("Buffer of page-locked memory", legacy.allocate(size), uses + host_uses()));
    all.push_back(specimen(
        "LegacyPinnedMemoryResource", legacy,
        resource_uses<LegacyPinnedMemoryResource>(with) + without_pool_uses<LegacyPinnedMemoryResource>(in_context)));

    const DeviceMemoryResource pool(with->device, DeviceMemoryResourceOptions{});
    all.push_back(specimen("Buffer of a pool", pool.allocate(size, with->second), uses));
    all.push_back(specimen("DeviceMemoryResource", pool,
                           resource_uses<DeviceMemoryResource>(with) + pool_uses<DeviceMemoryResource>(with)));

    const PinnedMemoryResource pinned{PinnedMemoryResourceOptions{}};
    all.push_back(
        specimen("Buffer of a pool of page-locked memory", pinned.allocate(size, with->second), uses + host_uses()));
    all.push_back(specimen("PinnedMemoryResource", pinned,
                           resource_uses<PinnedMemoryResource>(with) + pool_uses<PinnedMemoryResource>(with)));

    const ManagedMemoryResource managed{ManagedMemoryResourceOptions{}};
    all.push_back(specimen("Buffer of managed memory", managed.allocate(size, with->second),
                           uses + host_uses() + managed_uses(with)));
    all.push_back(specimen("ManagedMemoryResource", managed,
                           resource_uses<ManagedMemoryResource>(with) + pool_uses<ManagedMemoryResource>(with)));

    all.push_back(specimen("registered Buffer", Buffer::register_host_memory(with->registered), uses + host_uses()));

    const VirtualMemoryResource growing(with->device);
    const UsesOf<Buffer> growing_uses{
        {"modify_allocation",
         [growing](Buffer& it) { growing.modify_allocation(it, it.size() + growing.granularity()); }},
    };
    all.push_back(specimen("Buffer of virtual memory", growing.allocate(size), uses + growing_uses));
    all.push_back(
        specimen("VirtualMemoryResource", growing,
                 resource_uses<VirtualMemoryResource>(with) + without_pool_uses<VirtualMemoryResource>(!in_context) +
                     UsesOf<VirtualMemoryResource>{
                         {"granularity", [](VirtualMemoryResource& it) { static_cast<void>(it.granularity()); }},
                     }));
}

// Pools and buffers for other processes. A driver of NVIDIA's lets a process not open what it has made itself.
void add_shared_memory(std::vector<Specimen>& all, const With& with) {
    const UsesOf<DeviceMemoryResource> sharing{
        {"allocation_handle", [](DeviceMemoryResource& it) { close(it.allocation_handle()); }},
    };
    const UsesOf<Buffer> shared{
        {"ipc_descriptor", [](Buffer& it) { static_cast<void>(it.ipc_descriptor()); }},
    };
    const DeviceMemoryResource pool(with->device, {.max_size = 1 << 22, .ipc_enabled = true});
    all.push_back(
        specimen("Buffer of a pool for other processes", pool.allocate(size, with->second), owner_uses(with) + shared));
    all.push_back(
        specimen("DeviceMemoryResource for other processes", pool,
                 resource_uses<DeviceMemoryResource>(with) + pool_uses<DeviceMemoryResource>(with) + sharing));
    if (!with->device.is_simulator()) return;
    const int file = with->shareable.allocation_handle();
    const DeviceMemoryResource opened = DeviceMemoryResource::from_allocation_handle(with->device, file);
    close(file);
    all.push_back(specimen("opened Buffer",
                           Buffer::from_ipc_descriptor(opened, with->shared.ipc_descriptor(), with->second),
                           owner_uses(with)));
    all.push_back(specimen("opened DeviceMemoryResource", opened, pool_uses<DeviceMemoryResource>(with)));
}

void add_code(std::vector<Specimen>& all, const With& with) {
    all.push_back(specimen("Program", program(),
                           UsesOf<Program>{
                               {"compile", [](Program& it) { static_cast<void>(it.compile(CodeType::ptx)); }},
                               {"code", [](Program& it) { static_cast<void>(it.code()); }},
                               {"options", [](Program& it) { static_cast<void>(it.options()); }},
                           }));
    const ObjectCode code = program().compile();
    const ComputeCapability capability = with->device.compute_capability();
    const std::string arch = "sm_" + std::to_string(10 * capability.major + capability.minor);
    all.push_back(
        specimen("ObjectCode", code,
                 UsesOf<ObjectCode>{
                     {"get_kernel", [](ObjectCode& it) { static_cast<void>(it.get_kernel("increment")); }},
                     {"get_global",
                      [with](ObjectCode& it) { static_cast<void>(it.get_global(with->device, "number")); }, in_context},
                     {"kernel_names", [](ObjectCode& it) { static_cast<void>(it.kernel_names()); }},
                     {"handle", [](ObjectCode& it) { static_cast<void>(it.handle()); }},
                     {"code", [](ObjectCode& it) { static_cast<void>(it.code()); }},
                     {"link", [arch](ObjectCode& it) { static_cast<void>(Linker({it}, {.arch = arch}).link()); }},
                 }));
    all.push_back(specimen(
        "Kernel", code.get_kernel("increment"),
        UsesOf<Kernel>{
            {"launch", [with](Kernel& it) { launch(with->stream, {1, 1}, it, with->buffer); }, in_context},
            {"attributes", [with](Kernel& it) { static_cast<void>(it.attributes(with->device)); }},
            {"max_active_blocks_per_multiprocessor",
             [with](Kernel& it) { static_cast<void>(it.max_active_blocks_per_multiprocessor(with->device, 32, 0)); }},
            {"available_dynamic_shared_memory_per_block",
             [with](Kernel& it) {
                 static_cast<void>(it.available_dynamic_shared_memory_per_block(with->device, 1, 32));
             }},
            {"max_potential_block_size",
             [with](Kernel& it) { static_cast<void>(it.max_potential_block_size(with->device, 0)); }},
            {"set_attribute",
             [with](Kernel& it) {
                 it.set_attribute(with->device, KernelAttribute::preferred_shared_memory_carveout, 50);
             }},
            {"set_max_dynamic_shared_size", [with](Kernel& it) { it.set_max_dynamic_shared_size(with->device, 1024); }},
            {"arguments_info", [](Kernel& it) { static_cast<void>(it.arguments_info()); }},
            {"name", [](Kernel& it) { static_cast<void>(it.name()); }},
            {"handle", [](Kernel& it) { static_cast<void>(it.handle()); }},
        }));
    all.push_back(
        specimen("GlobalVariable", code.get_global(with->device, "number"), buffer_uses<GlobalVariable>(with)));
    all.push_back(specimen("Linker", Linker({code}, {.arch = arch}),
                           UsesOf<Linker>{
                               {"link", [](Linker& it) { static_cast<void>(it.link()); }},
                               {"error_log", [](Linker& it) { static_cast<void>(it.error_log()); }},
                               {"info_log", [](Linker& it) { static_cast<void>(it.info_log()); }},
                               {"options", [](Linker& it) { static_cast<void>(it.options()); }},
                               {"handle", [](Linker& it) { static_cast<void>(it.handle()); }},
                           }));
    all.push_back(specimen("CompileBatch", CompileBatch(1),
                           UsesOf<CompileBatch>{
                               {"add and next",
                                [](CompileBatch& it) {
                                    const Program request(source, SourceType::cxx,
                                                          {.name = "batch.cu", .arch = "compute_80"});
                                    static_cast<void>(it.result(it.add({request, CodeType::ptx})));
                                    static_cast<void>(it.next());
                                }},
                               {"require_success", [](CompileBatch& it) { it.require_success(); }},
                               {"cancel", [](CompileBatch& it) { it.cancel(); }},
                           }));
}

void add_graphs(std::vector<Specimen>& all, const With& with) {
    const GraphDefinition definition(with->device);
    const GraphNode node = definition.launch({1, 16}, with->kernel, with->buffer);
    node.record(with->event).callback([] {});
    Graph graph = definition.instantiate();
    const auto other = std::make_shared<GraphDefinition>(definition);
    all.push_back(specimen(
        "Graph", std::move(graph),
        UsesOf<Graph>{
            {"launch", [with](Graph& it) { it.launch(with->stream); }, in_context},
            {"upload", [with](Graph& it) { it.upload(with->stream); }},
            {"update", [other](Graph& it) { it.update(*other); }},
            {"update_kernel", [with, node](Graph& it) { it.update_kernel(node, {1, 16}, with->kernel, with->buffer); }},
            {"is_enabled", [node](Graph& it) { static_cast<void>(it.is_enabled(node)); }},
            {"set_enabled", [node](Graph& it) { it.set_enabled(node, true); }},
            {"options", [](Graph& it) { static_cast<void>(it.options()); }},
        }));
    all.push_back(specimen(
        "GraphDefinition", GraphDefinition(with->device),
        UsesOf<GraphDefinition>{
            {"launch", [with](GraphDefinition& it) { it.launch({1, 16}, with->kernel, with->buffer); }},
            {"memcpy", [with](GraphDefinition& it) { it.memcpy(with->buffer, with->words, 4); }},
            {"memset", [with](GraphDefinition& it) { it.memset({.destination = with->buffer.handle(), .width = 4}); }},
            {"callback", [](GraphDefinition& it) { it.callback([] {}); }},
            {"record", [with](GraphDefinition& it) { it.record(with->event); }},
            {"embed", [other](GraphDefinition& it) { it.embed(*other); }},
            {"write_value32", [with](GraphDefinition& it) { it.write_value32(with->words, 0, 1); }},
            {"join", [](GraphDefinition& it) { it.join({}); }},
            {"nodes", [](GraphDefinition& it) { static_cast<void>(it.nodes()); }},
            {"edges", [](GraphDefinition& it) { static_cast<void>(it.edges()); }},
            {"keep", [](GraphDefinition& it) { it.keep(std::make_shared<int>(1)); }},
            {"instantiate", [](GraphDefinition& it) { static_cast<void>(it.instantiate()); }},
            {"handle", [](GraphDefinition& it) { static_cast<void>(it.handle()); }},
        }));
    all.push_back(specimen(
        "GraphNode", GraphDefinition(with->device).launch({1, 16}, with->kernel, with->buffer),
        UsesOf<GraphNode>{
            {"kernel", [](GraphNode& it) { static_cast<void>(it.kernel()); }},
            {"empty", [](GraphNode& it) { it.empty(); }},
            {"update_kernel", [with](GraphNode& it) { it.update_kernel({1, 16}, with->kernel, with->buffer); }},
            {"successors", [](GraphNode& it) { static_cast<void>(it.successors()); }},
            {"type", [](GraphNode& it) { static_cast<void>(it.type()); }},
        }));
    // A definition with memory is instantiated once at a time.
    const auto allocating = [with] {
        const GraphNode memory = GraphDefinition(with->device).allocate({.size = size});
        const DevicePointer address = memory.allocation().address;
        memory.memset({.destination = address, .width = size}).deallocate(address);
        return memory;
    };
    all.push_back(specimen("GraphDefinition with memory", allocating().definition(),
                           UsesOf<GraphDefinition>{
                               {"nodes", [](GraphDefinition& it) { static_cast<void>(it.nodes()); }},
                               {"instantiate", [](GraphDefinition& it) { static_cast<void>(it.instantiate()); }},
                           }));
    all.push_back(specimen("Graph with memory", allocating().definition().instantiate(),
                           UsesOf<Graph>{{"launch", [with](Graph& it) { it.launch(with->stream); }, in_context}}));
    all.push_back(specimen("node that allocates", allocating(),
                           UsesOf<GraphNode>{{"allocation", [](GraphNode& it) { static_cast<void>(it.allocation()); }},
                                             {"empty", [](GraphNode& it) { it.empty(); }}}));
    GraphBuilder built(with->device);
    built.begin_building();
    launch(built, {1, 16}, with->kernel, with->buffer);
    built.end_building();
    all.push_back(
        specimen("GraphBuilder", std::move(built),
                 UsesOf<GraphBuilder>{
                     {"complete", [](GraphBuilder& it) { static_cast<void>(it.complete()); }},
                     {"graph_definition", [](GraphBuilder& it) { static_cast<void>(it.graph_definition().nodes()); }},
                     {"stream", [](GraphBuilder& it) { static_cast<void>(it.stream()); }},
                     {"is_building", [](GraphBuilder& it) { static_cast<void>(it.is_building()); }},
                 }));
    GraphBuilder building(with->device);
    building.begin_building();
    all.push_back(
        specimen("GraphBuilder that builds", std::move(building),
                 UsesOf<GraphBuilder>{
                     {"callback", [](GraphBuilder& it) { it.callback([] {}); }},
                     {"launch", [with](GraphBuilder& it) { launch(it, {1, 16}, with->kernel, with->buffer); }},
                     {"embed", [other](GraphBuilder& it) { it.embed(*other); }},
                     {"split and join",
                      [](GraphBuilder& it) {
                          GraphBuilder beside = it.split();
                          it.join(beside);
                      }},
                 }));
}

void add_images(std::vector<Specimen>& all, const With& with) {
    const OpaqueArrayOptions shape{.shape = {4, 4}, .is_surface_load_store = true};
    static std::array<std::byte, 64> elements{};
    OpaqueArray array = with->device.create_opaque_array(shape);
    MipmappedArray mipmaps = with->device.create_mipmapped_array({.shape = {4, 4}, .num_levels = 2});
    const auto resource = ResourceDescriptor::from_opaque_array(array);
    const auto whole = ResourceDescriptor::from_mipmapped_array(mipmaps);
    const UsesOf<OpaqueArray> array_uses{
        {"copy_from_host", [with](OpaqueArray& it) { it.copy_from_host(elements.data(), 64, with->stream); },
         in_context},
        {"copy_to_host", [with](OpaqueArray& it) { it.copy_to_host(elements.data(), 64, with->stream); }, in_context},
        {"copy_to", [with](OpaqueArray& it) { it.copy_to(with->buffer, with->stream); }, in_context},
        {"shape", [](OpaqueArray& it) { static_cast<void>(it.shape()); }},
        {"be read",
         [with](OpaqueArray& it) {
             static_cast<void>(with->device.create_texture_object(ResourceDescriptor::from_opaque_array(it)));
         },
         in_context},
    };
    all.push_back(specimen("level of a MipmappedArray", mipmaps.get_level(0), array_uses));
    all.push_back(
        specimen("MipmappedArray", std::move(mipmaps),
                 UsesOf<MipmappedArray>{
                     {"get_level", [](MipmappedArray& it) { static_cast<void>(it.get_level(1)); }, in_context},
                     {"num_levels", [](MipmappedArray& it) { static_cast<void>(it.num_levels()); }},
                 }));
    all.push_back(specimen("TextureObject", with->device.create_texture_object(whole),
                           UsesOf<TextureObject>{
                               {"handle", [](TextureObject& it) { static_cast<void>(it.handle()); }},
                               {"options", [](TextureObject& it) { static_cast<void>(it.options()); }},
                           }));
    all.push_back(specimen("SurfaceObject", with->device.create_surface_object(resource),
                           UsesOf<SurfaceObject>{
                               {"handle", [](SurfaceObject& it) { static_cast<void>(it.handle()); }},
                           }));
    all.push_back(specimen("OpaqueArray", std::move(array), array_uses));
    const TensorMapTensor tensor{with->buffer.handle(), TensorMapDataType::float32, {4, 4}};
    const auto map = std::make_shared<TensorMapDescriptor>(TensorMapDescriptor::tiled(with->device, tensor, {4, 4}));
    Specimen value;
    value.name = "TensorMapDescriptor";
    value.uses = {{"replace_address", [with, map] { map->replace_address(with->buffer.handle()); }},
                  {"tiled", [with, tensor] { TensorMapDescriptor::tiled(with->device, tensor, {4, 4}); }}};
    value.object = map;
    all.push_back(std::move(value));
}

}  // namespace

std::vector<Specimen> every_object() {
    const auto with = std::make_shared<Others>();
    std::vector<Specimen> all;
    add_streams(all, with);
    add_events(all, with);
    add_memory(all, with);
    add_shared_memory(all, with);
    add_images(all, with);
    add_graphs(all, with);
    add_code(all, with);
    return all;
}

}  // namespace cuprum::test
