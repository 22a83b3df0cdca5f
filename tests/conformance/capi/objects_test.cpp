// What becomes of a handle of every kind when it is destroyed, used from another thread, when its context is destroyed
// or lost, in a forked child, and while the process exits: a clear error or a leak, never a crash.
//
// Each test runs in a process of its own.
#include <cuda.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "child_process.hpp"
#include "cuprum/bindings/driver.hpp"
#include "cuprum/cuprum.h"

namespace cuprum::capi {
namespace {

using test::in_child;
using test::Report;

constexpr uint64_t size = 64;  // bytes of each buffer
constexpr uint64_t one = 8;    // bytes of a handle

constexpr const char* source = R"(
extern "C" __device__ int number = 7;
extern "C" __global__ void increment(int* x) { x[threadIdx.x] += number - 6; }
extern "C" __global__ void write_far_away(int* x, long long index) { x[index] = 1; }
)";

cuprum_error_info last_error() {
    cuprum_error_info info{};
    info.struct_size = sizeof info;
    cuprum_error_last(&info);
    return info;
}

void require(cuprum_status status) {
    if (status != CUPRUM_SUCCESS) throw std::runtime_error(last_error().message);
}

// What `action` makes.
template <class Handle, class Action>
Handle make(const Action& action) {
    Handle made = nullptr;
    require(action(&made));
    return made;
}

cuprum_argument argument_of(cuprum_buffer buffer) {
    cuprum_argument argument{};
    argument.kind = CUPRUM_ARGUMENT_BUFFER;
    argument.value.buffer = buffer;
    return argument;
}

cuprum_region one_word() {
    cuprum_region region = CUPRUM_REGION_INIT;
    region.width = 4;
    region.height = 1;
    region.depth = 1;
    return region;
}

struct Use {
    std::string name;
    std::function<cuprum_status()> call;
    // It cannot succeed once the context is lost or destroyed. Others may.
    bool needs_context = false;
};
constexpr bool in_context = true;

struct Row {
    std::string name;
    std::function<cuprum_status()> destroy;
    std::vector<Use> uses;
};

using Uses = std::vector<Use>;

Uses operator+(Uses left, const Uses& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

// Handles of every kind, and what they are used with. Nothing is destroyed but by `rows`.
class Table {
public:
    std::vector<Row> rows;

    Table() {
        add_streams();
        add_memory();
        add_shared_memory();
        add_images();
        add_code();
        add_graphs();
    }

    // For what the objects have been used for.
    void wait() const {
        require(cuprum_stream_sync(stream));
        require(cuprum_stream_sync(second));
    }

private:
    static cuprum_object_code compiled() {
        const auto program = make<cuprum_program>(
            [](auto* out) { return cuprum_program_create(out, source, CUPRUM_SOURCE_CXX, "objects.cu", nullptr, 0); });
        const auto code = make<cuprum_object_code>(
            [&](auto* out) { return cuprum_program_compile(out, program, CUPRUM_CODE_NATIVE, nullptr, 0); });
        cuprum_program_destroy(program);
        return code;
    }
    static cuprum_event recorded(cuprum_stream in, const cuprum_event_options& options) {
        const auto event = make<cuprum_event>([&](auto* out) { return cuprum_event_create(out, 0, &options); });
        require(cuprum_stream_record(in, event));
        return event;
    }
    static cuprum_status launch(cuprum_stream in, cuprum_kernel kernel, cuprum_buffer buffer) {
        cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
        config.grid_x = 1;
        config.block_x = 1;
        const cuprum_argument argument = argument_of(buffer);
        return cuprum_launch(in, &config, kernel, &argument, 1);
    }

    void add_streams() {
        const auto add = [this](const char* name, cuprum_stream it) {
            rows.push_back(
                {name,
                 [it] { return cuprum_stream_destroy(it); },
                 {{"sync", [it] { return cuprum_stream_sync(it); }, in_context},
                  {"is_done", [it] { return cuprum_stream_is_done(&truth, it); }, in_context},
                  {"is_capturing", [it] { return cuprum_stream_is_capturing(&truth, it); }},
                  {"is_nonblocking", [it] { return cuprum_stream_is_nonblocking(&truth, it); }},
                  {"priority", [it] { return cuprum_stream_priority(&truth, it); }},
                  {"record", [this, it] { return cuprum_stream_record(it, event); }, in_context},
                  {"wait_event", [this, it] { return cuprum_stream_wait_event(it, event); }, in_context},
                  {"wait_stream", [this, it] { return cuprum_stream_wait_stream(it, second); }, in_context},
                  {"be waited for", [this, it] { return cuprum_stream_wait_stream(second, it); }, in_context},
                  {"launch_host_function",
                   [it] { return cuprum_stream_launch_host_function(it, [](void*) {}, nullptr); }, in_context},
                  {"write_value32", [this, it] { return cuprum_stream_write_value32(it, words, 0, 1); }, in_context},
                  {"wait_value32",
                   [this, it] { return cuprum_stream_wait_value32(it, words, 0, 0, CUPRUM_WAIT_GREATER_OR_EQUAL, 0); },
                   in_context},
                  {"write_value64", [this, it] { return cuprum_stream_write_value64(it, words, 8, 1); }, in_context},
                  {"wait_value64",
                   [this, it] { return cuprum_stream_wait_value64(it, words, 8, 0, CUPRUM_WAIT_GREATER_OR_EQUAL, 0); },
                   in_context},
                  {"launch", [this, it] { return launch(it, kernel, buffer); }, in_context},
                  {"fill in it", [this, it] { return cuprum_buffer_fill(buffer, 0, 4, it); }, in_context},
                  {"copy a batch in it",
                   [this, it] { return cuprum_copy_batch(it, &buffer, one, &words, one, nullptr); }, in_context},
                  {"context",
                   [it] {
                       cuprum_context context = nullptr;
                       const cuprum_status status = cuprum_context_of_stream(&context, it);
                       if (status == CUPRUM_SUCCESS) cuprum_context_destroy(context);
                       return status;
                   }},
                  {"allocate in it",
                   [it] {
                       cuprum_buffer made = nullptr;
                       const cuprum_status status = cuprum_buffer_allocate(&made, 0, size, it);
                       if (status == CUPRUM_SUCCESS) cuprum_buffer_destroy(made);
                       return status;
                   },
                   in_context}}});
        };
        add("stream", make<cuprum_stream>([](auto* out) { return cuprum_stream_create(out, 0, nullptr); }));
        const void* bytes = nullptr;
        uint64_t bytes_size = 0;
        require(cuprum_sm_resource_of_device(&bytes, &bytes_size, 0));
        const std::string all(static_cast<const char*>(bytes), bytes_size);
        require(cuprum_sm_resource_split(&bytes, &bytes_size, all.data(), all.size(), 0, 1, 0));
        const std::string group(static_cast<const char*>(bytes), CUPRUM_SM_RESOURCE_SIZE);
        const auto green =
            make<cuprum_context>([&](auto* out) { return cuprum_context_create(out, 0, group.data(), group.size()); });
        add("stream of a green context",
            make<cuprum_stream>([&](auto* out) { return cuprum_context_create_stream(out, green, nullptr); }));
        for (const auto& [name, it] :
             {std::pair("green context", green),
              std::pair("context", make<cuprum_context>([](auto* out) { return cuprum_context_of_device(out, 0); }))}) {
            rows.push_back({name,
                            [it = it] { return cuprum_context_destroy(it); },
                            {{"sm_resource",
                              [it = it] {
                                  const void* found = nullptr;
                                  uint64_t found_size = 0;
                                  return cuprum_sm_resource_of_context(&found, &found_size, it);
                              }},
                             {"is_green", [it = it] { return cuprum_context_is_green(&truth, it); }},
                             {"device", [it = it] { return cuprum_context_device(&truth, it); }},
                             {"create_stream",
                              [it = it] {
                                  cuprum_stream made = nullptr;
                                  const cuprum_status status = cuprum_context_create_stream(&made, it, nullptr);
                                  if (status == CUPRUM_SUCCESS) cuprum_stream_destroy(made);
                                  return status;
                              },
                              in_context}}});
        }
        for (const bool is_shared : {false, true}) {
            const cuprum_event_options options = {sizeof options, is_shared ? 0 : 1, 0, is_shared ? 1 : 0};
            const cuprum_event it = recorded(stream, options);
            Uses uses{{"sync", [it] { return cuprum_event_sync(it); }},
                      {"is_done", [it] { return cuprum_event_is_done(&truth, it); }},
                      {"be recorded", [this, it] { return cuprum_stream_record(stream, it); }, in_context},
                      {"be waited for", [this, it] { return cuprum_stream_wait_event(stream, it); }, in_context}};
            if (is_shared) {
                uses.push_back({"ipc_handle", [it] {
                                    const void* found = nullptr;
                                    uint64_t found_size = 0;
                                    return cuprum_event_ipc_handle(&found, &found_size, it);
                                }});
            } else {
                uses.push_back({"elapsed_time",
                                [this, it] {
                                    float milliseconds = 0;
                                    // The rows before have recorded `event` in streams of their own.
                                    cuprum_status status = cuprum_stream_sync(stream);
                                    if (status == CUPRUM_SUCCESS) status = cuprum_event_sync(event);
                                    return status != CUPRUM_SUCCESS
                                               ? status
                                               : cuprum_event_elapsed_time(&milliseconds, event, it);
                                },
                                in_context});
            }
            rows.push_back({is_shared ? "event for other processes" : "event",
                            [it] { return cuprum_event_destroy(it); }, std::move(uses)});
        }
    }

    void add_buffer(const std::string& name, cuprum_buffer it, const Uses& more = {}) {
        Uses uses{
            {"copy_from_host", [this, it] { return cuprum_buffer_copy_from_host(it, 0, bytes_, 4, nullptr); },
             in_context},
            {"copy_to_host", [this, it] { return cuprum_buffer_copy_to_host(bytes_, it, 0, 4, nullptr); }, in_context},
            {"copy from", [this, it] { return cuprum_buffer_copy(it, 0, buffer, 0, 4, stream); }, in_context},
            {"copy to", [this, it] { return cuprum_buffer_copy(buffer, 0, it, 0, 4, stream); }, in_context},
            {"fill", [this, it] { return cuprum_buffer_fill(it, 0, 4, stream); }, in_context},
            {"fill_region",
             [this, it] {
                 const cuprum_region region = one_word();
                 return cuprum_buffer_fill_region(it, &region, 0, 4, stream);
             },
             in_context},
            {"copy_region_to_host",
             [this, it] {
                 const cuprum_region region = one_word();
                 return cuprum_buffer_copy_region_to_host(bytes_, sizeof bytes_, &region, it, &region, nullptr);
             },
             in_context},
            {"launch with it", [this, it] { return launch(stream, kernel, it); }, in_context},
            {"is_host_accessible", [it] { return cuprum_buffer_is_host_accessible(&truth, it); }},
            {"is_managed", [it] { return cuprum_buffer_is_managed(&truth, it); }},
            {"size", [it] { return cuprum_buffer_size(&number, it); }},
            {"native", [it] { return cuprum_buffer_native(&number, it); }},
            {"memory_resource", [it] {
                 cuprum_memory_resource made = nullptr;
                 const cuprum_status status = cuprum_buffer_memory_resource(&made, it);
                 if (status == CUPRUM_SUCCESS) cuprum_memory_resource_destroy(made);
                 return status;
             }}};
        rows.push_back({name, [it] { return cuprum_buffer_destroy(it); }, uses + more});
    }

    cuprum_buffer allocated(cuprum_memory_resource resource, cuprum_stream in) {
        return make<cuprum_buffer>([&](auto* out) { return cuprum_memory_resource_allocate(out, resource, size, in); });
    }

    // `needs_context`: virtual memory does not.
    void add_resource(const std::string& name, cuprum_memory_resource it, const Uses& more = {},
                      bool needs_context = in_context) {
        Uses uses{{"is_host_accessible", [it] { return cuprum_memory_resource_is_host_accessible(&truth, it); }},
                  {"device_id", [it] { return cuprum_memory_resource_device_id(&truth, it); }},
                  {"allocate",
                   [this, it] {
                       cuprum_buffer made = nullptr;
                       const cuprum_status status = cuprum_memory_resource_allocate(&made, it, size, stream);
                       if (status == CUPRUM_SUCCESS) cuprum_buffer_destroy(made);
                       return status;
                   },
                   needs_context}};
        rows.push_back({name, [it] { return cuprum_memory_resource_destroy(it); }, uses + more});
    }

    static Uses pool_uses(cuprum_memory_resource it) {
        return {{"pool_attribute",
                 [it] { return cuprum_memory_resource_pool_attribute(&number, it, CUPRUM_POOL_RELEASE_THRESHOLD); }},
                {"set_pool_attribute",
                 [it] { return cuprum_memory_resource_set_pool_attribute(it, CUPRUM_POOL_RELEASE_THRESHOLD, 0); }},
                {"trim_to", [it] { return cuprum_memory_resource_trim_to(it, 0); }},
                {"native", [it] { return cuprum_memory_resource_native(&number, it); }},
                {"is_accessible_by", [it] { return cuprum_memory_resource_is_accessible_by(&truth, it, 0); }},
                {"set_accessible_by", [it] { return cuprum_memory_resource_set_accessible_by(it, 0, 1); }}};
    }

    void add_memory() {
        add_buffer("buffer",
                   make<cuprum_buffer>([](auto* out) { return cuprum_buffer_allocate(out, 0, size, nullptr); }));
        add_buffer("buffer in stream order",
                   make<cuprum_buffer>([this](auto* out) { return cuprum_buffer_allocate(out, 0, size, second); }));
        add_buffer("registered buffer", make<cuprum_buffer>([this](auto* out) {
                       return cuprum_buffer_register_host_memory(out, registered.data(), registered.size());
                   }));
        const auto legacy =
            make<cuprum_memory_resource>([](auto* out) { return cuprum_memory_resource_create_legacy_pinned(out); });
        add_buffer("buffer of page-locked memory", allocated(legacy, stream));
        add_resource("legacy pinned memory resource", legacy);
        const auto device =
            make<cuprum_memory_resource>([](auto* out) { return cuprum_memory_resource_create_device(out, 0, 0); });
        add_buffer("buffer of a pool", allocated(device, second));
        add_resource("device memory resource", device, pool_uses(device));
        const auto pinned =
            make<cuprum_memory_resource>([](auto* out) { return cuprum_memory_resource_create_pinned(out, -1, 0); });
        add_buffer("buffer of a pool of page-locked memory", allocated(pinned, second));
        add_resource("pinned memory resource", pinned, pool_uses(pinned));
        const auto managed = make<cuprum_memory_resource>(
            [](auto* out) { return cuprum_memory_resource_create_managed(out, CUPRUM_LOCATION_NONE, 0); });
        const cuprum_buffer moving = allocated(managed, second);
        add_buffer(
            "buffer of managed memory", moving,
            {{"prefetch", [this, moving] { return cuprum_buffer_prefetch(moving, CUPRUM_LOCATION_DEVICE, 0, stream); },
              in_context},
             {"discard", [this, moving] { return cuprum_buffer_discard(moving, stream); }, in_context},
             {"discard_batch", [this, moving] { return cuprum_discard_batch(stream, &moving, one); }, in_context},
             {"set_read_mostly",
              [moving] {
                  // A driver of CUDA 13.0 takes no advice about memory of a managed pool.
                  const cuprum_status status = cuprum_buffer_set_read_mostly(moving, 0);
                  return last_error().code == CUDA_ERROR_NOT_SUPPORTED ? CUPRUM_SUCCESS : status;
              }},
             {"read_mostly", [moving] { return cuprum_buffer_read_mostly(&truth, moving); }}});
        add_resource("managed memory resource", managed, pool_uses(managed));
        const auto growing = make<cuprum_memory_resource>(
            [](auto* out) { return cuprum_memory_resource_create_virtual(out, 0, nullptr); });
        add_buffer("buffer of virtual memory", allocated(growing, stream));
        add_resource("virtual memory resource", growing,
                     {{"granularity", [growing] { return cuprum_memory_resource_granularity(&number, growing); }}},
                     !in_context);
    }

    // A driver of NVIDIA's lets a process not open what it has made itself.
    void add_shared_memory() {
        const auto pool = make<cuprum_memory_resource>(
            [](auto* out) { return cuprum_memory_resource_create_shareable(out, 0, 1 << 22); });
        const cuprum_buffer shared = allocated(pool, second);
        add_buffer("buffer of a pool for other processes", shared, {{"ipc_handle", [shared] {
                                                                         const void* found = nullptr;
                                                                         uint64_t found_size = 0;
                                                                         return cuprum_buffer_ipc_handle(
                                                                             &found, &found_size, shared);
                                                                     }}});
        add_resource("memory resource for other processes", pool,
                     pool_uses(pool) + Uses{{"allocation_handle", [pool] {
                                                 int32_t file = -1;
                                                 const cuprum_status status =
                                                     cuprum_memory_resource_allocation_handle(&file, pool);
                                                 close(file);
                                                 return status;
                                             }}});
        int32_t is_simulator = 0;
        require(cuprum_device_is_simulator(&is_simulator, 0));
        if (is_simulator == 0) return;
        int32_t file = -1;
        require(cuprum_memory_resource_allocation_handle(&file, pool));
        const auto opened = make<cuprum_memory_resource>(
            [&](auto* out) { return cuprum_memory_resource_from_allocation_handle(out, 0, file); });
        close(file);
        const void* bytes = nullptr;
        uint64_t bytes_size = 0;
        require(cuprum_buffer_ipc_handle(&bytes, &bytes_size, shared));
        const std::string handle(static_cast<const char*>(bytes), bytes_size);
        add_buffer("opened buffer", make<cuprum_buffer>([&](auto* out) {
                       return cuprum_buffer_from_ipc_handle(out, opened, handle.data(), handle.size(), size, second);
                   }));
        rows.push_back(
            {"opened memory resource", [opened] { return cuprum_memory_resource_destroy(opened); }, pool_uses(opened)});
    }

    void add_code() {
        const auto program = make<cuprum_program>(
            [](auto* out) { return cuprum_program_create(out, source, CUPRUM_SOURCE_CXX, "objects.cu", nullptr, 0); });
        rows.push_back({"program",
                        [program] { return cuprum_program_destroy(program); },
                        {{"compile", [program] {
                              cuprum_object_code made = nullptr;
                              const cuprum_status status =
                                  cuprum_program_compile(&made, program, CUPRUM_CODE_PTX, nullptr, 0);
                              if (status == CUPRUM_SUCCESS) cuprum_object_code_destroy(made);
                              return status;
                          }}}});
        const cuprum_object_code it = compiled();
        add_buffer("variable", make<cuprum_buffer>(
                                   [it](auto* out) { return cuprum_object_code_get_global(out, it, 0, "number"); }));
        rows.push_back({"object code",
                        [it] { return cuprum_object_code_destroy(it); },
                        {{"get_kernel",
                          [it] {
                              cuprum_kernel made = nullptr;
                              const cuprum_status status = cuprum_object_code_get_kernel(&made, it, "increment");
                              if (status == CUPRUM_SUCCESS) cuprum_kernel_destroy(made);
                              return status;
                          }},
                         {"get_global",
                          [it] {
                              cuprum_buffer made = nullptr;
                              const cuprum_status status = cuprum_object_code_get_global(&made, it, 0, "number");
                              if (status == CUPRUM_SUCCESS) cuprum_buffer_destroy(made);
                              return status;
                          },
                          in_context},
                         {"type", [it] { return cuprum_object_code_type(&truth, it); }}}});
        const auto found =
            make<cuprum_kernel>([it](auto* out) { return cuprum_object_code_get_kernel(out, it, "increment"); });
        rows.push_back(
            {"kernel",
             [found] { return cuprum_kernel_destroy(found); },
             {{"launch", [this, found] { return launch(stream, found, buffer); }, in_context},
              {"attributes",
               [found] {
                   cuprum_kernel_attributes attributes = CUPRUM_KERNEL_ATTRIBUTES_INIT;
                   return cuprum_kernel_attributes_get(&attributes, found, 0);
               }},
              {"max_active_blocks", [found] { return cuprum_kernel_max_active_blocks(&truth, found, 0, 32, 0); }},
              {"native", [found] { return cuprum_kernel_native(&number, found); }}}});
        const auto linker = make<cuprum_linker>([](auto* out) {
            cuprum_device_properties properties = CUPRUM_DEVICE_PROPERTIES_INIT;
            require(cuprum_device_properties_get(&properties, 0));
            const std::string option = "-arch=sm_" + std::to_string(10 * properties.compute_capability_major +
                                                                    properties.compute_capability_minor);
            const char* const architecture[] = {option.c_str()};
            return cuprum_linker_create(out, "linked", architecture, 1);
        });
        require(cuprum_linker_add(linker, it));
        rows.push_back({"linker",
                        [linker] { return cuprum_linker_destroy(linker); },
                        {{"link", [linker] {
                              cuprum_object_code made = nullptr;
                              const cuprum_status status = cuprum_linker_link(&made, linker, CUPRUM_CODE_CUBIN);
                              if (status == CUPRUM_SUCCESS) cuprum_object_code_destroy(made);
                              return status;
                          }}}});
        const auto batch = make<cuprum_compile_batch>([](auto* out) { return cuprum_compile_batch_create(out, 1); });
        const auto request = make<cuprum_program>([](auto* out) {
            static const char* const architecture[] = {"--gpu-architecture=compute_80"};
            return cuprum_program_create(out, source, CUPRUM_SOURCE_CXX, "objects.cu", architecture, 1);
        });
        rows.push_back({"compile batch",
                        [batch] { return cuprum_compile_batch_destroy(batch); },
                        {{"add",
                          [batch, request] {
                              return cuprum_compile_batch_add(&number, batch, request, CUPRUM_CODE_PTX, nullptr, 0);
                          }},
                         {"require_success", [batch] { return cuprum_compile_batch_require_success(batch); }},
                         {"cancel", [batch] { return cuprum_compile_batch_cancel(batch); }}}});
    }

    void add_array(const char* name, cuprum_opaque_array it) {
        rows.push_back(
            {name,
             [it] { return cuprum_opaque_array_destroy(it); },
             {{"copy_from", [this, it] { return cuprum_opaque_array_copy_from(it, buffer, stream); }, in_context},
              {"copy_to", [this, it] { return cuprum_opaque_array_copy_to(it, buffer, stream); }, in_context},
              {"copy_from_host",
               [this, it] { return cuprum_opaque_array_copy_from_host(it, bytes_, sizeof bytes_, stream); },
               in_context},
              {"copy_to_host",
               [this, it] { return cuprum_opaque_array_copy_to_host(it, bytes_, sizeof bytes_, stream); }, in_context},
              {"size_bytes", [it] { return cuprum_opaque_array_size_bytes(&number, it); }},
              {"native", [it] { return cuprum_opaque_array_native(&number, it); }},
              {"be read",
               [it] {
                   cuprum_texture_object made = nullptr;
                   const cuprum_status status = cuprum_texture_object_of_opaque_array(&made, 0, it, nullptr);
                   if (status == CUPRUM_SUCCESS) cuprum_texture_object_destroy(made);
                   return status;
               },
               in_context}}});
    }

    void add_images() {
        cuprum_array_options options = CUPRUM_ARRAY_OPTIONS_INIT;
        options.format = CUPRUM_ARRAY_FLOAT32;
        options.width = options.height = 4;
        options.is_surface_load_store = 1;
        const auto array =
            make<cuprum_opaque_array>([&](auto* out) { return cuprum_opaque_array_create(out, 0, &options); });
        add_array("array", array);
        options.num_levels = 2;
        const auto mipmaps =
            make<cuprum_mipmapped_array>([&](auto* out) { return cuprum_mipmapped_array_create(out, 0, &options); });
        add_array("level of a mipmapped array", make<cuprum_opaque_array>([&](auto* out) {
                      return cuprum_mipmapped_array_get_level(out, mipmaps, 0);
                  }));
        const auto texture = make<cuprum_texture_object>(
            [&](auto* out) { return cuprum_texture_object_of_mipmapped_array(out, 0, mipmaps, nullptr); });
        const auto surface =
            make<cuprum_surface_object>([&](auto* out) { return cuprum_surface_object_create(out, 0, array); });
        rows.push_back({"mipmapped array",
                        [mipmaps] { return cuprum_mipmapped_array_destroy(mipmaps); },
                        {{"num_levels", [mipmaps] { return cuprum_mipmapped_array_num_levels(&truth, mipmaps); }},
                         {"get_level",
                          [mipmaps] {
                              cuprum_opaque_array made = nullptr;
                              const cuprum_status status = cuprum_mipmapped_array_get_level(&made, mipmaps, 1);
                              if (status == CUPRUM_SUCCESS) cuprum_opaque_array_destroy(made);
                              return status;
                          },
                          in_context}}});
        rows.push_back({"texture object",
                        [texture] { return cuprum_texture_object_destroy(texture); },
                        {{"native", [texture] { return cuprum_texture_object_native(&number, texture); }},
                         {"device", [texture] { return cuprum_texture_object_device(&truth, texture); }}}});
        rows.push_back({"surface object",
                        [surface] { return cuprum_surface_object_destroy(surface); },
                        {{"native", [surface] { return cuprum_surface_object_native(&number, surface); }},
                         {"device", [surface] { return cuprum_surface_object_device(&truth, surface); }}}});
    }

    void add_graphs() {
        cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
        config.block_x = 1;
        const cuprum_argument argument = argument_of(buffer);
        const auto definition =
            make<cuprum_graph_definition>([](auto* out) { return cuprum_graph_definition_create(out, 0); });
        uint64_t node = 0;
        require(cuprum_graph_definition_add_kernel(&node, definition, 0, &config, kernel, &argument, 1));
        const auto graph = make<cuprum_graph>(
            [&](auto* out) { return cuprum_graph_definition_instantiate(out, definition, nullptr); });
        rows.push_back({"graph",
                        [graph] { return cuprum_graph_destroy(graph); },
                        {{"launch", [this, graph] { return cuprum_graph_launch(graph, stream); }, in_context},
                         {"upload", [this, graph] { return cuprum_graph_upload(graph, stream); }},
                         {"auto_free_on_launch", [graph] { return cuprum_graph_auto_free_on_launch(&truth, graph); }},
                         {"native", [graph] { return cuprum_graph_native(&number, graph); }}}});
        rows.push_back(
            {"graph definition",
             [definition] { return cuprum_graph_definition_destroy(definition); },
             {{"add_kernel",
               [this, definition, config, argument] {
                   return cuprum_graph_definition_add_kernel(&number, definition, 0, &config, kernel, &argument, 1);
               }},
              {"add_empty", [definition] { return cuprum_graph_definition_add_empty(&number, definition, 0); }},
              {"node_value",
               [definition, node] {
                   return cuprum_graph_definition_node_value(&number, definition, node, CUPRUM_GRAPH_NODE_VALUE_GRID_X);
               }},
              {"native", [definition] { return cuprum_graph_definition_native(&number, definition); }},
              {"instantiate", [definition] {
                   cuprum_graph made = nullptr;
                   const cuprum_status status = cuprum_graph_definition_instantiate(&made, definition, nullptr);
                   if (status == CUPRUM_SUCCESS) cuprum_graph_destroy(made);
                   return status;
               }}}});
        const auto builder =
            make<cuprum_graph_builder>([](auto* out) { return cuprum_graph_builder_create_on_device(out, 0); });
        require(cuprum_graph_builder_begin_building(builder, CUPRUM_GRAPH_BUILD_RELAXED));
        rows.push_back({"graph builder",
                        [builder] { return cuprum_graph_builder_destroy(builder); },
                        {{"is_building", [builder] { return cuprum_graph_builder_is_building(&truth, builder); }},
                         {"callback",
                          [builder] { return cuprum_graph_builder_callback(builder, [](void*) {}, nullptr, nullptr); }},
                         {"split", [builder] {
                              cuprum_graph_builder made = nullptr;
                              cuprum_status status = cuprum_graph_builder_split(&made, builder);
                              if (status == CUPRUM_SUCCESS) {
                                  status = cuprum_graph_builder_join(builder, made);
                                  cuprum_graph_builder_destroy(made);
                              }
                              return status;
                          }}}});
    }

    static inline int32_t truth = 0;
    static inline uint64_t number = 0;
    char bytes_[size] = {};
    std::vector<char> registered = std::vector<char>(16384);
    cuprum_stream stream = make<cuprum_stream>([](auto* out) { return cuprum_stream_create(out, 0, nullptr); });
    cuprum_stream second = make<cuprum_stream>([](auto* out) { return cuprum_stream_create(out, 0, nullptr); });
    cuprum_event event = recorded(stream, {sizeof(cuprum_event_options), 1, 0, 0});
    cuprum_buffer buffer = make<cuprum_buffer>([](auto* out) { return cuprum_buffer_allocate(out, 0, size, nullptr); });
    cuprum_buffer words = make<cuprum_buffer>([](auto* out) { return cuprum_buffer_allocate(out, 0, size, nullptr); });
    cuprum_object_code code = compiled();
    cuprum_kernel kernel =
        make<cuprum_kernel>([this](auto* out) { return cuprum_object_code_get_kernel(out, code, "increment"); });
};

// What is wrong with an error; empty if nothing is.
using Judge = std::function<std::string(const cuprum_error_info&)>;

void check_use(const Report& report, const Row& row, const Use& use, bool must_fail, const Judge& judge) {
    const std::string where = row.name + ", " + use.name + ": ";
    const cuprum_status status = use.call();
    if (status == CUPRUM_SUCCESS) {
        if (must_fail) report(where + "has not failed\n");
        return;
    }
    const cuprum_error_info info = last_error();
    std::string problem = judge(info);
    if (problem.empty() && *info.operation == '\0') problem = "does not say what was being done";
    if (!problem.empty()) report(where + "the error " + problem + ": " + info.message + '\n');
}

std::string has(const cuprum_error_info& info, cuprum_status status, const char* text) {
    if (info.status != status) return "is of another class";
    return std::string(info.message).find(text) != std::string::npos ? "" : std::string("does not say: ") + text;
}

void destroy(const Report& report, const Row& row) {
    if (row.destroy() != CUPRUM_SUCCESS) report(row.name + " could not be destroyed: " + last_error().message + '\n');
}

void use_and_destroy(const Report& report, const Table& table, const Judge& judge, bool all_must_fail = false) {
    for (const Row& row : table.rows) {
        for (const Use& use : row.uses)
            check_use(report, row, use, all_must_fail || use.needs_context, judge);
        destroy(report, row);
    }
}

TEST(EveryHandle, IsUsedAndDestroyedByThreadsWithoutAContext) {
    EXPECT_EQ(in_child([](const Report& report) {
                  const Table table;
                  if (table.rows.size() < 31) report("there are more kinds than that\n");
                  for (const Row& row : table.rows) {
                      std::thread([&] {
                          for (const Use& use : row.uses)
                              check_use(report, row, use, false, [](const auto&) { return "is not expected"; });
                          table.wait();  // what it is used for must not outlast it
                      }).join();
                      std::thread([&] { destroy(report, row); }).join();
                  }
              }),
              "");
}

TEST(EveryHandle, SaysThatItWasDestroyed) {
    EXPECT_EQ(in_child([](const Report& report) {
                  const Table table;
                  for (const Row& row : table.rows) {
                      destroy(report, row);
                      for (const Use& use : row.uses)
                          check_use(report, row, use, true, [](const cuprum_error_info& info) {
                              return has(info, CUPRUM_ERROR_INVALID_HANDLE, "a destroyed ");
                          });
                      if (row.destroy() != CUPRUM_ERROR_INVALID_HANDLE) report(row.name + " was destroyed twice\n");
                  }
              }),
              "");
}

// The context is in use again, under the handle that it had.
void use_context_again(const Report& report) {
    CUcontext context = nullptr;
    CUdeviceptr memory = 0;
    if (bindings::driver::cuDevicePrimaryCtxRetain(&context, 0) != CUDA_SUCCESS ||
        bindings::driver::cuCtxPushCurrent(context) != CUDA_SUCCESS ||
        bindings::driver::cuMemAlloc(&memory, 64) != CUDA_SUCCESS ||
        bindings::driver::cuCtxPopCurrent(&context) != CUDA_SUCCESS)
        report("the context cannot be used again\n");
}

void outlive_reset(const Report& report, bool context_is_used_again) {
    Table table;
    // A device with green contexts is not reset.
    std::erase_if(table.rows, [](const Row& row) {
        return row.name.find("green") != std::string::npos && row.destroy() == CUPRUM_SUCCESS;
    });
    const CUresult reset = bindings::driver::cuDevicePrimaryCtxReset(0);
    if (reset != CUDA_SUCCESS) report("the context cannot be reset: " + std::to_string(reset) + '\n');
    if (context_is_used_again) use_context_again(report);
    use_and_destroy(report, table, [](const cuprum_error_info& info) {
        return info.domain == CUPRUM_DOMAIN_DRIVER ? "" : "is not the driver's";
    });
}

TEST(EveryHandle, OutlivesItsContext) {
    EXPECT_EQ(in_child([](const Report& report) { outlive_reset(report, false); }), "");
}

TEST(EveryHandle, OutlivesItsContextThatOtherCodeUsesAgain) {
    EXPECT_EQ(in_child([](const Report& report) { outlive_reset(report, true); }), "");
}

TEST(EveryHandle, OutlivesTheLossOfItsContext) {
    EXPECT_EQ(in_child([](const Report& report) {
                  const Table table;
                  const auto program = make<cuprum_program>([](auto* out) {
                      return cuprum_program_create(out, source, CUPRUM_SOURCE_CXX, "objects.cu", nullptr, 0);
                  });
                  const auto code = make<cuprum_object_code>(
                      [&](auto* out) { return cuprum_program_compile(out, program, CUPRUM_CODE_NATIVE, nullptr, 0); });
                  const auto kernel = make<cuprum_kernel>(
                      [&](auto* out) { return cuprum_object_code_get_kernel(out, code, "write_far_away"); });
                  const auto stream =
                      make<cuprum_stream>([](auto* out) { return cuprum_stream_create(out, 0, nullptr); });
                  const auto buffer =
                      make<cuprum_buffer>([](auto* out) { return cuprum_buffer_allocate(out, 0, size, nullptr); });
                  cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
                  config.grid_x = 1;
                  config.block_x = 1;
                  std::array<cuprum_argument, 2> arguments{argument_of(buffer), {}};
                  arguments[1].kind = CUPRUM_ARGUMENT_INT;
                  arguments[1].value.i64 = int64_t{1} << 40;  // no allocation is that near
                  require(cuprum_launch(stream, &config, kernel, arguments.data(), 2));
                  if (cuprum_stream_sync(stream) != CUPRUM_ERROR_DEVICE_FAULT) report("the kernel has not failed\n");
                  use_and_destroy(report, table, [](const cuprum_error_info& info) {
                      return has(info, CUPRUM_ERROR_DEVICE_FAULT, "the context is lost");
                  });
              }),
              "");
}

TEST(EveryHandle, IsTheParentsAfterAFork) {
    constexpr std::array<void (*)(int), 2> ends{&_exit, &std::exit};
    for (void (*const end)(int) : ends) {
        EXPECT_EQ(in_child([end](const Report& report) {
                      const Table table;
                      report(in_child(
                          [&](const Report& inner) {
                              use_and_destroy(
                                  inner, table,
                                  [](const cuprum_error_info& info) {
                                      return has(info, CUPRUM_ERROR_INVALID_HANDLE, "fork");
                                  },
                                  true);
                          },
                          end));
                      for (const Row& row : table.rows) {
                          for (const Use& use : row.uses)
                              check_use(report, row, use, false, [](const auto&) { return "is not expected"; });
                      }
                  }),
                  "");
    }
}

// Uses all, however that ends, and destroys them.
struct DestroyedLate {
    Table* table = nullptr;  // not freed: copies to its memory may be under way

    ~DestroyedLate() {
        for (const Row& row : table->rows) {
            for (const Use& use : row.uses)
                use.call();
            if (row.destroy() != CUPRUM_SUCCESS) _exit(5);
        }
    }
};

TEST(EveryHandle, IsUsedAndDestroyedWhileTheProcessExits) {
    EXPECT_EQ(in_child(
                  [](const Report&) {
                      static DestroyedLate after_the_driver;
                      after_the_driver.table = new Table;
                      static DestroyedLate before_the_driver;
                      before_the_driver.table = new Table;
                  },
                  &std::exit),
              "");
}

}  // namespace
}  // namespace cuprum::capi
