// What the handles stand for.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cuprum/capi/base.h"
#include "cuprum/core/buffer.hpp"
#include "cuprum/core/compile_batch.hpp"
#include "cuprum/core/context.hpp"
#include "cuprum/core/event.hpp"
#include "cuprum/core/graph.hpp"
#include "cuprum/core/graph_builder.hpp"
#include "cuprum/core/kernel.hpp"
#include "cuprum/core/linker.hpp"
#include "cuprum/core/memory_resource.hpp"
#include "cuprum/core/object_code.hpp"
#include "cuprum/core/opaque_array.hpp"
#include "cuprum/core/program.hpp"
#include "cuprum/core/stream.hpp"
#include "cuprum/core/system.hpp"
#include "cuprum/core/texture_object.hpp"
#include "cuprum/pathfinder/toolkit.hpp"
#include "handle_table.hpp"

namespace cuprum::capi {

// Each has the type of its handle, and whether the driver has been used once such an object exists; number(): what is
// most often asked of it, and answered without acquiring it.

/// `owner` is empty where the stream is borrowed.
struct StreamObject {
    static constexpr HandleType type = HandleType::stream;
    static constexpr bool needs_driver = true;
    core::Stream owner;
    core::StreamRef stream;
    std::shared_ptr<const void> lender;

    explicit StreamObject(core::Stream owned) : owner(std::move(owned)), stream(owner) {}
    explicit StreamObject(core::StreamRef borrowed) : stream(borrowed) {}
    /// `keeper` keeps the stream.
    StreamObject(core::StreamRef borrowed, std::shared_ptr<const void> keeper)
        : stream(borrowed), lender(std::move(keeper)) {}

    uint64_t number() const { return reinterpret_cast<uintptr_t>(stream.handle()); }
};

struct EventObject {
    static constexpr HandleType type = HandleType::event;
    static constexpr bool needs_driver = true;
    core::Event event;

    uint64_t number() const { return reinterpret_cast<uintptr_t>(event.handle()); }
};

struct ContextObject {
    static constexpr HandleType type = HandleType::context;
    static constexpr bool needs_driver = true;
    core::Context context;

    uint64_t number() const { return reinterpret_cast<uintptr_t>(context.handle()); }
};

/// `owner` is empty where the memory is borrowed.
struct BufferObject {
    static constexpr HandleType type = HandleType::buffer;
    static constexpr bool needs_driver = true;
    core::Buffer owner;
    core::BufferRef buffer;
    core::GlobalVariable variable;  // whose memory it is, if that of one
    bool is_of_graph = false;       // allocated in a capture: the graph allocates and frees it

    explicit BufferObject(core::Buffer owned) : owner(std::move(owned)), buffer(owner) {}
    explicit BufferObject(core::GlobalVariable global) : buffer(global), variable(std::move(global)) {}
    explicit BufferObject(core::BufferRef borrowed) : buffer(borrowed) {}

    uint64_t number() const { return buffer.handle(); }
};

struct MemoryResourceObject {
    static constexpr HandleType type = HandleType::memory_resource;
    static constexpr bool needs_driver = false;  // its buffers do
    core::MemoryResource resource;
};

class ProgramObject {
public:
    static constexpr HandleType type = HandleType::program;
    static constexpr bool needs_driver = false;

    explicit ProgramObject(core::Program made) : program_(std::make_shared<const core::Program>(std::move(made))) {}

    /// A compile goes on with the modules that the program has when it begins.
    std::shared_ptr<const core::Program> program() const {
        const std::lock_guard lock(*mutex_);
        return program_;
    }
    void add_module(std::string name, std::string code) {
        const std::lock_guard lock(*mutex_);
        core::ProgramOptions options = program_->options();
        options.extra_sources.emplace_back(std::move(name), std::move(code));
        program_ = std::make_shared<const core::Program>(program_->code(), program_->source_type(), std::move(options));
    }

private:
    std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
    std::shared_ptr<const core::Program> program_;
};

struct ObjectCodeObject {
    static constexpr HandleType type = HandleType::object_code;
    static constexpr bool needs_driver = false;  // not before a kernel is asked for
    core::ObjectCode code;
};

struct KernelObject {
    static constexpr HandleType type = HandleType::kernel;
    static constexpr bool needs_driver = true;
    core::Kernel kernel;
};

struct LinkerObject {
    static constexpr HandleType type = HandleType::linker;
    static constexpr bool needs_driver = false;
    core::Linker linker;
};

/// Of one thread at a time, with the mutex.
struct GraphBuilderObject {
    static constexpr HandleType type = HandleType::graph_builder;
    static constexpr bool needs_driver = true;
    core::GraphBuilder builder;
    /// The bodies of its conditional nodes, by the numbers that these were given here, until they are taken.
    std::map<uint64_t, std::vector<core::GraphBuilder>> bodies;
    uint64_t last_conditional = 0;
    std::unique_ptr<std::mutex> mutex = std::make_unique<std::mutex>();
};

struct GraphDefinitionObject {
    static constexpr HandleType type = HandleType::graph_definition;
    static constexpr bool needs_driver = true;
    core::GraphDefinition definition;
};

/// Updates take the mutex; launches do not.
struct GraphObject {
    static constexpr HandleType type = HandleType::graph;
    static constexpr bool needs_driver = true;
    core::Graph graph;
    std::unique_ptr<std::mutex> mutex = std::make_unique<std::mutex>();

    uint64_t number() const { return reinterpret_cast<uintptr_t>(graph.handle()); }
};

struct CompileBatchObject {
    static constexpr HandleType type = HandleType::compile_batch;
    static constexpr bool needs_driver = false;
    core::CompileBatch batch;
};

struct OpaqueArrayObject {
    static constexpr HandleType type = HandleType::opaque_array;
    static constexpr bool needs_driver = true;
    core::OpaqueArray array;

    uint64_t number() const { return reinterpret_cast<uintptr_t>(array.handle()); }
};

struct MipmappedArrayObject {
    static constexpr HandleType type = HandleType::mipmapped_array;
    static constexpr bool needs_driver = true;
    core::MipmappedArray array;

    uint64_t number() const { return reinterpret_cast<uintptr_t>(array.handle()); }
};

struct TextureObjectObject {
    static constexpr HandleType type = HandleType::texture_object;
    static constexpr bool needs_driver = true;
    core::TextureObject texture;

    uint64_t number() const { return texture.handle(); }
};

struct SurfaceObjectObject {
    static constexpr HandleType type = HandleType::surface_object;
    static constexpr bool needs_driver = true;
    core::SurfaceObject surface;

    uint64_t number() const { return surface.handle(); }
};

struct ToolkitObject {
    static constexpr HandleType type = HandleType::toolkit;
    static constexpr bool needs_driver = false;
    pathfinder::Toolkit toolkit;
};

struct SystemEventsObject {
    static constexpr HandleType type = HandleType::system_events;
    static constexpr bool needs_driver = true;  // of which NVML is a part
    core::system::DeviceEvents events;
};

template <class Handle>
struct ObjectOfHandle;
template <>
struct ObjectOfHandle<cuprum_stream> {
    using type = StreamObject;
};
template <>
struct ObjectOfHandle<cuprum_event> {
    using type = EventObject;
};
template <>
struct ObjectOfHandle<cuprum_context> {
    using type = ContextObject;
};
template <>
struct ObjectOfHandle<cuprum_buffer> {
    using type = BufferObject;
};
template <>
struct ObjectOfHandle<cuprum_memory_resource> {
    using type = MemoryResourceObject;
};
template <>
struct ObjectOfHandle<cuprum_program> {
    using type = ProgramObject;
};
template <>
struct ObjectOfHandle<cuprum_object_code> {
    using type = ObjectCodeObject;
};
template <>
struct ObjectOfHandle<cuprum_kernel> {
    using type = KernelObject;
};
template <>
struct ObjectOfHandle<cuprum_linker> {
    using type = LinkerObject;
};
template <>
struct ObjectOfHandle<cuprum_graph_builder> {
    using type = GraphBuilderObject;
};
template <>
struct ObjectOfHandle<cuprum_graph_definition> {
    using type = GraphDefinitionObject;
};
template <>
struct ObjectOfHandle<cuprum_graph> {
    using type = GraphObject;
};
template <>
struct ObjectOfHandle<cuprum_compile_batch> {
    using type = CompileBatchObject;
};
template <>
struct ObjectOfHandle<cuprum_system_events> {
    using type = SystemEventsObject;
};
template <>
struct ObjectOfHandle<cuprum_toolkit> {
    using type = ToolkitObject;
};

template <>
struct ObjectOfHandle<cuprum_opaque_array> {
    using type = OpaqueArrayObject;
};
template <>
struct ObjectOfHandle<cuprum_mipmapped_array> {
    using type = MipmappedArrayObject;
};
template <>
struct ObjectOfHandle<cuprum_texture_object> {
    using type = TextureObjectObject;
};
template <>
struct ObjectOfHandle<cuprum_surface_object> {
    using type = SurfaceObjectObject;
};

/// ObjectOf<cuprum_stream> is StreamObject.
template <class Handle>
using ObjectOf = typename ObjectOfHandle<Handle>::type;

}  // namespace cuprum::capi
