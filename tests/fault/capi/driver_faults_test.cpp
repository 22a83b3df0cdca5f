// Every driver call of a program in C fails once. Each time one call of the C ABI says so, leaves its outputs
// alone, and succeeds when it is made again; the result is right, and no handle is left.
//
// Each fault runs in a process of its own, forked before the driver is started, so that every run makes the same calls.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "child_process.hpp"
#include "cuprum/cuprum.h"
#include "fault_plan.hpp"

namespace cuprum::capi {
namespace {

using test::FaultPlan;

constexpr const char* source = R"(
extern "C" __device__ float bias = 0;
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
)";

cuprum_status status_of(CUresult injected) {
    switch (injected) {
        case CUDA_ERROR_OUT_OF_MEMORY:
            return CUPRUM_ERROR_OUT_OF_MEMORY;
        case CUDA_ERROR_ILLEGAL_ADDRESS:
            return CUPRUM_ERROR_DEVICE_FAULT;
        default:
            return CUPRUM_ERROR_DRIVER;
    }
}

// A resource of the program's: counts what it has allocated from another one.
struct Counter {
    cuprum_memory_resource upstream = nullptr;
    std::map<uint64_t, cuprum_buffer> buffers;
    int releases = 0;

    static cuprum_status allocate(void* counter, uint64_t size, cuprum_stream stream, uint64_t* address_out) {
        auto& self = *static_cast<Counter*>(counter);
        cuprum_buffer buffer = nullptr;
        if (const cuprum_status status = cuprum_memory_resource_allocate(&buffer, self.upstream, size, stream)) {
            return status;
        }
        cuprum_buffer_native(address_out, buffer);
        self.buffers.emplace(*address_out, buffer);
        return CUPRUM_SUCCESS;
    }
    static void deallocate(void* counter, uint64_t address, uint64_t /*size*/, cuprum_stream /*stream*/) {
        cuprum_buffer_destroy(static_cast<Counter*>(counter)->buffers.extract(address).mapped());
    }
    static void release(void* counter) { ++static_cast<Counter*>(counter)->releases; }
};

class Scenario {
public:
    explicit Scenario(CUresult injected) : injected_(injected) {}

    void run(const std::string& ptx) {
        constexpr int n = 1000;
        constexpr uint64_t size = n * sizeof(float);
        const std::vector<float> x(n, 3.0F);
        const std::vector<float> y(n, 4.0F);
        std::vector<float> result(n, 0.0F);
        const cuprum_event_options timing = {sizeof timing, 1, 0, 0};
        cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
        config.grid_x = 4;
        config.block_x = 256;

        const auto code = make<cuprum_object_code>([&](auto* out) {
            return cuprum_object_code_create(out, ptx.data(), ptx.size(), CUPRUM_CODE_PTX, "saxpy");
        });
        const auto kernel =
            make<cuprum_kernel>([&](auto* out) { return cuprum_object_code_get_kernel(out, code, "saxpy"); });
        const auto stream = make<cuprum_stream>([](auto* out) { return cuprum_stream_create(out, 0, nullptr); });
        const auto x_device =
            make<cuprum_buffer>([&](auto* out) { return cuprum_buffer_allocate(out, 0, size, nullptr); });
        const auto y_device =
            make<cuprum_buffer>([&](auto* out) { return cuprum_buffer_allocate(out, 0, size, stream); });
        const auto start = make<cuprum_event>([&](auto* out) { return cuprum_event_create(out, 0, &timing); });
        const auto end = make<cuprum_event>([&](auto* out) { return cuprum_event_create(out, 0, &timing); });

        attempt([&] { return cuprum_buffer_copy_from_host(x_device, 0, x.data(), size, nullptr); });
        attempt([&] { return cuprum_buffer_copy_from_host(y_device, 0, y.data(), size, stream); });
        attempt([&] { return cuprum_stream_record(stream, start); });
        std::array<cuprum_argument, 4> arguments{};
        arguments[0].kind = CUPRUM_ARGUMENT_FLOAT;
        arguments[0].value.f64 = 2.0;
        arguments[1].kind = CUPRUM_ARGUMENT_BUFFER;
        arguments[1].value.buffer = x_device;
        arguments[2].kind = CUPRUM_ARGUMENT_BUFFER;
        arguments[2].value.buffer = y_device;
        arguments[3].kind = CUPRUM_ARGUMENT_INT;
        arguments[3].value.i64 = n;
        attempt([&] { return cuprum_launch(stream, &config, kernel, arguments.data(), 4); });
        cuprum_launch_config with_attributes = config;
        with_attributes.has_priority = 1;
        with_attributes.programmatic_stream_serialization = 1;
        arguments[3].value.i64 = 0;
        attempt([&] { return cuprum_launch(stream, &with_attributes, kernel, arguments.data(), 4); });
        attempt([&] { return cuprum_stream_record(stream, end); });
        attempt([&] { return cuprum_event_sync(end); });
        attempt([&] { return cuprum_buffer_copy_to_host(result.data(), y_device, 0, size, nullptr); });
        float milliseconds = -1.0F;
        attempt([&] { return cuprum_event_elapsed_time(&milliseconds, start, end); });
        attempt([&] { return cuprum_buffer_fill(x_device, 0, 4, nullptr); });
        attempt([&] { return cuprum_buffer_copy(x_device, 0, y_device, 0, size, nullptr); });
        std::array<char, 4> untouched{'k', 'e', 'p', 't'};
        const char* name = untouched.data();
        attempt([&] {
            const cuprum_status status = cuprum_device_name(&name, 0);
            expect(status == CUPRUM_SUCCESS || name == untouched.data(), "an output was written on failure");
            return status;
        });
        expect(milliseconds >= 0.0F, "no time was taken");
        expect(result == std::vector<float>(n, 10.0F), "the result is wrong");

        const auto resource =
            make<cuprum_memory_resource>([](auto* out) { return cuprum_memory_resource_create_legacy_pinned(out); });
        const auto pinned = make<cuprum_buffer>(
            [&](auto* out) { return cuprum_memory_resource_allocate(out, resource, size, nullptr); });
        uint64_t pinned_address = 0;
        int32_t is_host_accessible = 0;
        attempt([&] { return cuprum_buffer_copy(pinned, 0, y_device, 0, size, nullptr); });
        attempt([&] { return cuprum_buffer_host_address(&pinned_address, pinned); });
        const auto borrowed =
            make<cuprum_buffer>([&](auto* out) { return cuprum_buffer_from_native(out, 0, pinned_address, size); });
        attempt([&] { return cuprum_buffer_is_host_accessible(&is_host_accessible, borrowed); });
        expect(is_host_accessible == 1, "the host cannot use host memory");
        expect(std::vector<float>(reinterpret_cast<const float*>(pinned_address),
                                  reinterpret_cast<const float*>(pinned_address) + n) == result,
               "the copy to host memory is wrong");
        attempt([&] { return cuprum_buffer_set_deallocation_stream(pinned, stream); });
        expect(cuprum_buffer_destroy(borrowed) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_memory_resource_destroy(resource) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_buffer_destroy(pinned) == CUPRUM_SUCCESS, "destroying failed");

        cuprum_region region = CUPRUM_REGION_INIT;
        region.width = 3;
        region.height = 2;
        region.depth = 2;
        cuprum_region apart = region;
        apart.row_pitch = 16;
        apart.slice_pitch = 40;
        const std::array<unsigned char, 12> rows{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
        std::array<unsigned char, 12> back{};
        attempt([&] {
            return cuprum_buffer_copy_region_from_host(x_device, &apart, rows.data(), rows.size(), &region, nullptr);
        });
        attempt([&] { return cuprum_buffer_copy_region(y_device, &apart, x_device, &apart, nullptr); });
        attempt([&] { return cuprum_buffer_fill_region(x_device, &apart, 0, 1, nullptr); });
        attempt([&] {
            return cuprum_buffer_copy_region_to_host(back.data(), back.size(), &region, y_device, &apart, nullptr);
        });
        expect(back == rows, "a region is wrong");
        uint64_t row_pitch = 0;
        attempt([&] { return cuprum_device_row_pitch(&row_pitch, 0, 3); });
        expect(row_pitch >= 3, "the row pitch is too small");

        const auto bias =
            make<cuprum_buffer>([&](auto* out) { return cuprum_object_code_get_global(out, code, 0, "bias"); });
        uint64_t kernel_native = 0;
        attempt([&] { return cuprum_kernel_native(&kernel_native, kernel); });
        const auto taken =
            make<cuprum_kernel>([&](auto* out) { return cuprum_kernel_from_native(out, kernel_native, code); });
        attempt(
            [&] { return cuprum_kernel_set_attribute(kernel, 0, CUPRUM_KERNEL_PREFERRED_SHARED_MEMORY_CARVEOUT, 50); });
        cuprum_kernel_attributes attributes = CUPRUM_KERNEL_ATTRIBUTES_INIT;
        attempt([&] { return cuprum_kernel_attributes_get(&attributes, kernel, 0); });
        expect(attributes.preferred_shared_memory_carveout == 50, "the attribute was not set");
        int32_t grid = 0;
        int32_t block = 0;
        const std::array<uint64_t, 64> sizes{};
        attempt([&] { return cuprum_kernel_max_potential_block_size(&grid, &block, kernel, 0, 0, 0); });
        attempt([&] {
            return cuprum_kernel_max_potential_block_size_of_sizes(&grid, &block, kernel, 0, sizes.data(), sizeof sizes,
                                                                   0);
        });
        expect(block == 64, "there is no best block size");
        expect(cuprum_kernel_destroy(taken) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_buffer_destroy(bias) == CUPRUM_SUCCESS, "destroying failed");
        pools(stream);
        user_resources(stream);
        images(stream);
        graph_memory(stream);
        std::string multiprocessors;
        const auto keep = [&](const void* bytes, uint64_t bytes_size) {
            multiprocessors.assign(static_cast<const char*>(bytes), bytes_size);
        };
        const void* bytes = nullptr;
        uint64_t bytes_size = 0;
        attempt([&] { return cuprum_sm_resource_of_device(&bytes, &bytes_size, 0); });
        keep(bytes, bytes_size);
        attempt([&] {
            return cuprum_sm_resource_split(&bytes, &bytes_size, multiprocessors.data(), multiprocessors.size(), 0, 1,
                                            0);
        });
        keep(bytes, CUPRUM_SM_RESOURCE_SIZE);
        const auto green = make<cuprum_context>(
            [&](auto* out) { return cuprum_context_create(out, 0, multiprocessors.data(), multiprocessors.size()); });
        attempt([&] { return cuprum_sm_resource_of_context(&bytes, &bytes_size, green); });
        const auto inside =
            make<cuprum_stream>([&](auto* out) { return cuprum_context_create_stream(out, green, nullptr); });
        const auto its_own = make<cuprum_context>([&](auto* out) { return cuprum_context_of_stream(out, inside); });
        const cuprum_event_options sharing = {sizeof sharing, 0, 0, 1};
        const auto shared = make<cuprum_event>([&](auto* out) { return cuprum_event_create(out, 0, &sharing); });
        attempt([&] { return cuprum_event_ipc_handle(&bytes, &bytes_size, shared); });
        expect(bytes_size == 64, "the handle of the event has another size");
        expect(cuprum_event_destroy(shared) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_stream_destroy(inside) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_context_destroy(its_own) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_context_destroy(green) == CUPRUM_SUCCESS, "destroying failed");

        int calls = 0;
        const auto count = [](void* counter) { ++*static_cast<int*>(counter); };
        attempt([&] { return cuprum_stream_launch_host_function(stream, count, &calls); });
        attempt([&] { return cuprum_stream_write_value32(stream, x_device, 0, 7); });
        attempt([&] { return cuprum_stream_wait_value32(stream, x_device, 0, 7, CUPRUM_WAIT_EQUAL, 0); });
        attempt([&] { return cuprum_stream_write_value64(stream, x_device, 8, 7); });
        attempt([&] { return cuprum_stream_wait_value64(stream, x_device, 8, 7, CUPRUM_WAIT_EQUAL, 0); });
        attempt([&] { return cuprum_stream_sync(stream); });
        expect(calls == 1, "the host function was not called once");

        tensor_maps(x_device);
        graphs(stream, kernel, x_device);

        // Destruction always succeeds: what the driver says then is nobody's to handle.
        expect(cuprum_event_destroy(end) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_event_destroy(start) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_buffer_destroy(y_device) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_buffer_destroy(x_device) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_stream_destroy(stream) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_kernel_destroy(kernel) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_object_code_destroy(code) == CUPRUM_SUCCESS, "destroying failed");
    }

    // One thread makes the calls.
    void compile_batch() {
        const auto batch = make<cuprum_compile_batch>([](auto* out) { return cuprum_compile_batch_create(out, 1); });
        const auto program = make<cuprum_program>(
            [](auto* out) { return cuprum_program_create(out, source, CUPRUM_SOURCE_CXX, "saxpy.cu", nullptr, 0); });
        const auto code = make<cuprum_object_code>([&](auto* out) {
            uint64_t index = 0;
            const cuprum_status added =
                cuprum_compile_batch_add(&index, batch, program, CUPRUM_CODE_NATIVE, nullptr, 0);
            return added == CUPRUM_SUCCESS ? cuprum_compile_batch_result(out, batch, index) : added;
        });
        const auto kernel =
            make<cuprum_kernel>([&](auto* out) { return cuprum_object_code_get_kernel(out, code, "saxpy"); });
        expect(cuprum_kernel_destroy(kernel) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_object_code_destroy(code) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_program_destroy(program) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_compile_batch_destroy(batch) == CUPRUM_SUCCESS, "destroying failed");
    }

    void opened_event(const std::array<char, 64>& handle) {
        const auto opened = make<cuprum_event>(
            [&](auto* out) { return cuprum_event_from_ipc_handle(out, 0, handle.data(), handle.size(), 0); });
        const auto stream = make<cuprum_stream>([](auto* out) { return cuprum_stream_create(out, 0, nullptr); });
        attempt([&] { return cuprum_stream_wait_event(stream, opened); });
        attempt([&] { return cuprum_stream_record(stream, opened); });
        attempt([&] { return cuprum_event_sync(opened); });
        int32_t done = 0;
        attempt([&] { return cuprum_event_is_done(&done, opened); });
        expect(done == 1, "the event is not done");
        expect(cuprum_event_destroy(opened) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_stream_destroy(stream) == CUPRUM_SUCCESS, "destroying failed");
    }

    void pools(cuprum_stream stream) {
        const auto pool = make<cuprum_memory_resource>(
            [](auto* out) { return cuprum_memory_resource_create_device(out, 0, 1 << 24); });
        const auto former =
            make<cuprum_memory_resource>([](auto* out) { return cuprum_memory_resource_of_device(out, 0); });
        attempt([&] { return cuprum_memory_resource_use(0, pool); });
        const auto of_device =
            make<cuprum_buffer>([&](auto* out) { return cuprum_buffer_allocate(out, 0, 1024, stream); });
        const auto its_pool =
            make<cuprum_memory_resource>([&](auto* out) { return cuprum_buffer_memory_resource(out, of_device); });
        attempt([&] { return cuprum_memory_resource_use(0, former); });
        uint64_t value = 0;
        int32_t truth = 0, kind = 0, id = -1;
        attempt([&] { return cuprum_memory_resource_set_pool_attribute(pool, CUPRUM_POOL_RELEASE_THRESHOLD, 4096); });
        attempt([&] { return cuprum_memory_resource_pool_attribute(&value, pool, CUPRUM_POOL_RELEASE_THRESHOLD); });
        expect(value == 4096, "the threshold is another one");
        attempt([&] { return cuprum_memory_resource_is_accessible_by(&truth, pool, 0); });
        expect(truth == 1, "a device cannot use its own pool");
        attempt([&] { return cuprum_memory_resource_trim_to(pool, 0); });

        const auto shareable = make<cuprum_memory_resource>(
            [](auto* out) { return cuprum_memory_resource_create_shareable(out, 0, 1 << 22); });
        const auto shared =
            make<cuprum_buffer>([&](auto* out) { return cuprum_memory_resource_allocate(out, shareable, 64, stream); });
        int32_t file = -1;
        const void* bytes = nullptr;
        uint64_t bytes_size = 0;
        attempt([&] { return cuprum_memory_resource_allocation_handle(&file, shareable); });
        const auto mapped = make<cuprum_memory_resource>(
            [&](auto* out) { return cuprum_memory_resource_from_allocation_handle(out, 0, file); });
        close(file);
        attempt([&] { return cuprum_buffer_ipc_handle(&bytes, &bytes_size, shared); });
        const std::string handle(static_cast<const char*>(bytes), bytes_size);
        const auto opened = make<cuprum_buffer>([&](auto* out) {
            return cuprum_buffer_from_ipc_handle(out, mapped, handle.data(), handle.size(), 64, stream);
        });
        const auto on_host = make<cuprum_memory_resource>(
            [](auto* out) { return cuprum_memory_resource_create_shareable_pinned(out, -1, 1 << 22); });
        attempt([&] { return cuprum_memory_resource_allocation_handle(&file, on_host); });
        const auto mapped_on_host = make<cuprum_memory_resource>(
            [&](auto* out) { return cuprum_memory_resource_pinned_from_allocation_handle(out, file); });
        close(file);
        expect(cuprum_memory_resource_destroy(mapped_on_host) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_memory_resource_destroy(on_host) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_buffer_destroy(opened) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_buffer_destroy(shared) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_memory_resource_destroy(mapped) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_memory_resource_destroy(shareable) == CUPRUM_SUCCESS, "destroying failed");

        const auto pinned = make<cuprum_memory_resource>(
            [](auto* out) { return cuprum_memory_resource_create_pinned(out, -1, 1 << 24); });
        const auto drivers =
            make<cuprum_memory_resource>([](auto* out) { return cuprum_memory_resource_of_pinned_memory(out); });
        attempt([&] { return cuprum_memory_resource_set_accessible_by(pinned, 0, 1); });
        const auto page_locked =
            make<cuprum_buffer>([&](auto* out) { return cuprum_memory_resource_allocate(out, pinned, 16, stream); });
        const auto managed = make<cuprum_memory_resource>(
            [](auto* out) { return cuprum_memory_resource_create_managed(out, CUPRUM_LOCATION_DEVICE, 0); });
        const auto standard =
            make<cuprum_memory_resource>([](auto* out) { return cuprum_memory_resource_of_managed_memory(out); });
        const auto moving =
            make<cuprum_buffer>([&](auto* out) { return cuprum_memory_resource_allocate(out, managed, 4096, stream); });
        std::vector<float> existing(1024);
        const auto registered = make<cuprum_buffer>(
            [&](auto* out) { return cuprum_buffer_register_host_memory(out, existing.data(), 4096); });
        attempt([&] { return cuprum_buffer_prefetch(moving, CUPRUM_LOCATION_HOST, 0, stream); });
        attempt([&] { return cuprum_buffer_discard(moving, stream); });
        const std::array<int32_t, 2> there{CUPRUM_LOCATION_DEVICE, 0};
        constexpr uint64_t one = 8;  // bytes of a handle
        attempt([&] { return cuprum_prefetch_batch(stream, &moving, one, there.data(), sizeof there); });
        attempt([&] { return cuprum_discard_batch(stream, &moving, one); });
        attempt([&] { return cuprum_discard_prefetch_batch(stream, &moving, one, there.data(), sizeof there); });
        const auto beside =
            make<cuprum_buffer>([&](auto* out) { return cuprum_memory_resource_allocate(out, managed, 4096, stream); });
        attempt([&] { return cuprum_copy_batch(stream, &moving, one, &beside, one, nullptr); });
        attempt([&] { return cuprum_buffer_discard_prefetch(moving, CUPRUM_LOCATION_DEVICE, 0, stream); });
        attempt([&] { return cuprum_buffer_set_read_mostly(moving, 1); });
        attempt([&] { return cuprum_buffer_read_mostly(&truth, moving); });
        attempt([&] { return cuprum_buffer_set_preferred_location(moving, CUPRUM_LOCATION_DEVICE, 0); });
        attempt([&] { return cuprum_buffer_preferred_location(&kind, &id, moving); });
        expect(kind == CUPRUM_LOCATION_DEVICE && id == 0, "the location is another one");
        attempt([&] { return cuprum_buffer_set_accessed_by(moving, CUPRUM_LOCATION_DEVICE, 0, 1); });
        attempt([&] { return cuprum_buffer_accessed_by(&truth, moving, CUPRUM_LOCATION_DEVICE, 0); });
        expect(truth == 1, "nobody accesses the buffer");
        cuprum_virtual_memory_options with_units = CUPRUM_VIRTUAL_MEMORY_OPTIONS_INIT;
        with_units.minimum_granularity = 1;
        const auto growing = make<cuprum_memory_resource>(
            [&](auto* out) { return cuprum_memory_resource_create_virtual(out, 0, &with_units); });
        uint64_t unit = 0;
        attempt([&] { return cuprum_memory_resource_granularity(&unit, growing); });
        const auto small =
            make<cuprum_buffer>([&](auto* out) { return cuprum_memory_resource_allocate(out, growing, 16, nullptr); });
        const auto grown = make<cuprum_buffer>(
            [&](auto* out) { return cuprum_memory_resource_modify_allocation(out, growing, small, 3 * unit); });
        expect(cuprum_buffer_destroy(small) == CUPRUM_ERROR_INVALID_HANDLE, "the smaller buffer is still there");
        with_units.self_access = CUPRUM_ACCESS_READ;
        const auto readable = make<cuprum_buffer>([&](auto* out) {
            return cuprum_memory_resource_modify_allocation_with_options(out, growing, grown, 4 * unit, &with_units);
        });
        expect(cuprum_memory_resource_destroy(growing) == CUPRUM_SUCCESS, "destroying failed");
        for (cuprum_buffer each : {of_device, page_locked, moving, beside, registered, readable}) {
            expect(cuprum_buffer_destroy(each) == CUPRUM_SUCCESS, "destroying failed");
        }
        for (cuprum_memory_resource each : {pool, former, its_pool, pinned, drivers, managed, standard}) {
            expect(cuprum_memory_resource_destroy(each) == CUPRUM_SUCCESS, "destroying failed");
        }
    }

    void images(cuprum_stream stream) {
        cuprum_array_options options = CUPRUM_ARRAY_OPTIONS_INIT;
        options.format = CUPRUM_ARRAY_INT32;
        options.width = 4;
        options.height = 2;
        options.is_surface_load_store = 1;
        options.num_levels = 2;
        const auto array =
            make<cuprum_opaque_array>([&](auto* out) { return cuprum_opaque_array_create(out, 0, &options); });
        const auto mipmaps =
            make<cuprum_mipmapped_array>([&](auto* out) { return cuprum_mipmapped_array_create(out, 0, &options); });
        const auto level =
            make<cuprum_opaque_array>([&](auto* out) { return cuprum_mipmapped_array_get_level(out, mipmaps, 0); });
        const auto buffer =
            make<cuprum_buffer>([&](auto* out) { return cuprum_buffer_allocate(out, 0, 512, nullptr); });
        const std::array<int32_t, 8> values{1, 2, 3, 4, 5, 6, 7, 8};
        std::array<int32_t, 8> result{};
        attempt([&] { return cuprum_opaque_array_copy_from_host(array, values.data(), sizeof values, stream); });
        attempt([&] { return cuprum_opaque_array_copy_to(array, buffer, stream); });
        attempt([&] { return cuprum_opaque_array_copy_from(level, buffer, stream); });
        attempt([&] { return cuprum_opaque_array_copy_to_host(level, result.data(), sizeof result, stream); });
        attempt([&] { return cuprum_stream_sync(stream); });
        expect(result == values, "the elements are wrong");
        const auto texture = make<cuprum_texture_object>(
            [&](auto* out) { return cuprum_texture_object_of_opaque_array(out, 0, array, nullptr); });
        const auto of_mipmaps = make<cuprum_texture_object>(
            [&](auto* out) { return cuprum_texture_object_of_mipmapped_array(out, 0, mipmaps, nullptr); });
        const auto of_buffer = make<cuprum_texture_object>([&](auto* out) {
            return cuprum_texture_object_of_linear(out, 0, buffer, CUPRUM_ARRAY_FLOAT32, 1, 512, nullptr);
        });
        const auto of_rows = make<cuprum_texture_object>([&](auto* out) {
            return cuprum_texture_object_of_pitch2d(out, 0, buffer, CUPRUM_ARRAY_FLOAT32, 1, 4, 2, 64, nullptr);
        });
        const auto surface =
            make<cuprum_surface_object>([&](auto* out) { return cuprum_surface_object_create(out, 0, array); });
        uint64_t native = 0;
        attempt([&] { return cuprum_opaque_array_native(&native, array); });
        const auto borrowed =
            make<cuprum_opaque_array>([&](auto* out) { return cuprum_opaque_array_from_native(out, 0, native); });
        expect(cuprum_surface_object_destroy(surface) == CUPRUM_SUCCESS, "destroying failed");
        for (cuprum_texture_object each : {texture, of_mipmaps, of_buffer, of_rows})
            expect(cuprum_texture_object_destroy(each) == CUPRUM_SUCCESS, "destroying failed");
        for (cuprum_opaque_array each : {borrowed, level, array})
            expect(cuprum_opaque_array_destroy(each) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_mipmapped_array_destroy(mipmaps) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_buffer_destroy(buffer) == CUPRUM_SUCCESS, "destroying failed");
    }

    void user_resources(cuprum_stream stream) {
        Counter counter;
        counter.upstream =
            make<cuprum_memory_resource>([](auto* out) { return cuprum_memory_resource_create_device(out, 0, 0); });
        const auto resource = make<cuprum_memory_resource>([&](auto* out) {
            return cuprum_memory_resource_create_user(out, CUPRUM_MEMORY_DEVICE, 0, Counter::allocate,
                                                      Counter::deallocate, Counter::release, &counter);
        });
        const auto former =
            make<cuprum_memory_resource>([](auto* out) { return cuprum_memory_resource_of_device(out, 0); });
        const auto buffer =
            make<cuprum_buffer>([&](auto* out) { return cuprum_memory_resource_allocate(out, resource, 16, stream); });
        attempt([&] { return cuprum_memory_resource_use(0, resource); });
        const auto of_device =
            make<cuprum_buffer>([&](auto* out) { return cuprum_buffer_allocate(out, 0, 16, stream); });
        expect(counter.buffers.size() == 2, "the resource has other buffers");
        const auto chosen =
            make<cuprum_memory_resource>([](auto* out) { return cuprum_memory_resource_chosen(out, 0); });
        expect(cuprum_memory_resource_destroy(chosen) == CUPRUM_SUCCESS, "destroying failed");
        attempt([&] { return cuprum_memory_resource_use(0, former); });
        // Of an address that is the program's already.
        uint64_t address = 0;
        counter.allocate(&counter, 16, stream, &address);
        if (address == 0) counter.allocate(&counter, 16, stream, &address);
        const auto taken = make<cuprum_buffer>(
            [&](auto* out) { return cuprum_buffer_from_resource(out, resource, address, 16, stream); });
        expect(cuprum_memory_resource_destroy(resource) == CUPRUM_SUCCESS, "destroying failed");
        expect(counter.releases == 0, "the resource has gone before its buffers");
        for (cuprum_buffer each : {buffer, of_device, taken})
            expect(cuprum_buffer_destroy(each) == CUPRUM_SUCCESS, "destroying failed");
        expect(counter.releases == 1, "the resource was not released");
        expect(counter.buffers.empty(), "the resource has buffers left");
        expect(cuprum_memory_resource_destroy(former) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_memory_resource_destroy(counter.upstream) == CUPRUM_SUCCESS, "destroying failed");
    }

    void tensor_maps(cuprum_buffer memory) {
        cuprum_tensor_map_description tensor{};
        tensor.struct_size = sizeof tensor;
        tensor.data_type = 7;  // float32
        tensor.rank = 1;
        attempt([&] { return cuprum_buffer_native(&tensor.address, memory); });
        tensor.shape[0] = 4;
        tensor.box_dim[0] = 4;
        const void* map = nullptr;
        uint64_t size = 0;
        std::array<unsigned char, 128> copy{};
        attempt([&] { return cuprum_tensor_map_encode(&map, &size, 0, &tensor, sizeof tensor); });
        std::memcpy(copy.data(), map, size);
        attempt([&] {
            return cuprum_tensor_map_replace_address(&map, &size, 0, copy.data(), copy.size(), tensor.address);
        });
    }

    // Memory of a graph, whose capture is the test's own.
    void graphs(cuprum_stream stream, cuprum_kernel saxpy, cuprum_buffer memory) {
        const auto definition =
            make<cuprum_graph_definition>([](auto* out) { return cuprum_graph_definition_create(out, 0); });
        cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
        std::array<cuprum_argument, 4> arguments{};
        arguments[0] = {CUPRUM_ARGUMENT_FLOAT, 0, {}};
        arguments[1] = arguments[2] = {CUPRUM_ARGUMENT_BUFFER, 0, {}};
        arguments[1].value.buffer = arguments[2].value.buffer = memory;
        arguments[3] = {CUPRUM_ARGUMENT_INT, 0, {}};
        uint64_t launched = 0;
        uint64_t called = 0;
        int calls = 0;
        static int releases;
        releases = 0;
        const auto count = [](void* counter) { ++*static_cast<int*>(counter); };
        const auto release = [](void*) { ++releases; };
        attempt([&] {
            return cuprum_graph_definition_add_kernel(&launched, definition, 0, &config, saxpy, arguments.data(), 4);
        });
        attempt([&] {
            return cuprum_graph_definition_add_callback(&called, definition, launched, count, release, &calls);
        });
        const auto child =
            make<cuprum_graph_definition>([](auto* out) { return cuprum_graph_definition_create(out, 0); });
        uint64_t embedded = 0;
        uint64_t written = 0;
        attempt([&] { return cuprum_graph_definition_add_child_graph(&embedded, definition, called, child); });
        attempt([&] { return cuprum_graph_definition_update_child_graph(definition, embedded, child); });
        attempt([&] {
            return cuprum_graph_definition_add_memory_operation(&written, definition, called, memory, 0, 1, 4,
                                                                CUPRUM_GRAPH_WRITE_VALUE, 0);
        });
        attempt([&] {
            return cuprum_graph_definition_update_memory_operation(definition, written, memory, 4, 1, 4,
                                                                   CUPRUM_GRAPH_WRITE_VALUE, 0);
        });
        const auto graph = make<cuprum_graph>(
            [&](auto* out) { return cuprum_graph_definition_instantiate(out, definition, nullptr); });
        attempt([&] {
            return cuprum_graph_update_memory_operation(graph, definition, written, memory, 0, 1, 4,
                                                        CUPRUM_GRAPH_WRITE_VALUE, 0);
        });
        expect(cuprum_graph_definition_destroy(child) == CUPRUM_SUCCESS, "destroying failed");
        attempt([&] {
            return cuprum_graph_update_kernel(graph, definition, launched, &config, saxpy, arguments.data(), 4);
        });
        attempt([&] { return cuprum_graph_launch(graph, stream); });
        attempt([&] { return cuprum_stream_sync(stream); });
        expect(calls == 1, "the callback was not called once");
        expect(cuprum_graph_destroy(graph) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_graph_definition_destroy(definition) == CUPRUM_SUCCESS, "destroying failed");
        const auto builder =
            make<cuprum_graph_builder>([](auto* out) { return cuprum_graph_builder_create_on_device(out, 0); });
        attempt([&] { return cuprum_graph_builder_begin_building(builder, CUPRUM_GRAPH_BUILD_RELAXED); });
        const auto other =
            make<cuprum_graph_builder>([&](auto* out) { return cuprum_graph_builder_split(out, builder); });
        cuprum_stream in = nullptr;
        attempt([&] { return cuprum_graph_builder_stream(&in, builder); });
        attempt([&] { return cuprum_launch(in, &config, saxpy, arguments.data(), 4); });
        attempt([&] { return cuprum_buffer_fill(memory, 1, 4, in); });
        expect(cuprum_stream_destroy(in) == CUPRUM_SUCCESS, "destroying failed");
        attempt([&] { return cuprum_graph_builder_callback(other, count, release, &calls); });
        attempt([&] { return cuprum_graph_builder_join(builder, other); });
        attempt([&] { return cuprum_graph_builder_end_building(builder); });
        expect(cuprum_graph_builder_destroy(other) == CUPRUM_SUCCESS, "destroying failed");
        expect(cuprum_graph_builder_destroy(builder) == CUPRUM_SUCCESS, "destroying failed");
        // What was not destroyed keeps it for good.
        const bool all_are_destroyed = !FaultPlan::instance().struck().ends_with("Destroy");
        for (int i = 0; i < (all_are_destroyed ? 1000 : 50) && releases < 2; ++i) {
            attempt([&] { return cuprum_stream_sync(stream); });
            ::usleep(1000);
        }
        expect(releases == 2 || !all_are_destroyed, "what the graphs have kept was not released");
    }

    void graph_memory(cuprum_stream stream) {
        const auto resource =
            make<cuprum_memory_resource>([](auto* out) { return cuprum_memory_resource_create_graph(out, 0); });
        uint64_t native = 0;
        expect(cuprum_stream_native(&native, stream) == CUPRUM_SUCCESS, "the stream has no handle");
        const auto of_driver = reinterpret_cast<CUstream>(static_cast<uintptr_t>(native));
        CUgraph graph = nullptr;
        own_call(
            [&] { return bindings::driver::cuStreamBeginCapture(of_driver, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL); });
        const auto buffer =
            make<cuprum_buffer>([&](auto* out) { return cuprum_memory_resource_allocate(out, resource, 16, stream); });
        expect(cuprum_buffer_destroy(buffer) == CUPRUM_SUCCESS, "destroying failed");
        own_call([&] { return bindings::driver::cuStreamEndCapture(of_driver, &graph); });
        // Tried once.
        own_call([&] {
            if (graph == nullptr) return CUDA_SUCCESS;
            return bindings::driver::cuGraphDestroy(std::exchange(graph, nullptr));
        });
        uint64_t value = 1;
        attempt(
            [&] { return cuprum_memory_resource_set_graph_attribute(resource, CUPRUM_GRAPH_MEMORY_USED_MEM_HIGH, 0); });
        attempt([&] {
            return cuprum_memory_resource_graph_attribute(&value, resource, CUPRUM_GRAPH_MEMORY_USED_MEM_HIGH);
        });
        expect(value == 0, "a graph that was not launched has used memory");
        attempt([&] { return cuprum_memory_resource_trim_graph_memory(resource); });
        expect(cuprum_memory_resource_destroy(resource) == CUPRUM_SUCCESS, "destroying failed");
    }

    void expect(bool condition, const std::string& text) {
        if (!condition && problem_.empty()) {
            problem_ = text;
        }
    }
    const std::string& problem() const { return problem_; }
    int failures() const { return failures_; }

private:
    template <class Action>
    void attempt(const Action& action) {
        const cuprum_status status = action();
        if (status == CUPRUM_SUCCESS) {
            return;
        }
        ++failures_;
        cuprum_error_info info{};
        info.struct_size = sizeof info;
        expect(cuprum_error_last(&info) == CUPRUM_SUCCESS && info.status == status, "the details are another error's");
        expect(status == status_of(injected_), std::string("an error of the wrong kind: ") + info.message);
        expect(info.domain == CUPRUM_DOMAIN_DRIVER && info.code == injected_,
               std::string("another code than the driver's: ") + info.message);
        expect(*info.operation != '\0', "the error does not say what was being done");
        const cuprum_status again = action();
        expect(again == CUPRUM_SUCCESS, "it failed again");
    }

    // A call that the C ABI does not make.
    template <class Call>
    void own_call(const Call& call) {
        if (call() == CUDA_SUCCESS) return;
        ++failures_;
        expect(call() == CUDA_SUCCESS, "a call of the test's failed");
    }

    template <class Handle, class Action>
    Handle make(const Action& action) {
        const auto untouched = reinterpret_cast<Handle>(uintptr_t{0x77});
        Handle handle = untouched;
        attempt([&] {
            const cuprum_status status = action(&handle);
            expect(status == CUPRUM_SUCCESS || handle == untouched, "an output was written on failure");
            return status;
        });
        return handle;
    }

    CUresult injected_;
    std::string problem_;
    int failures_ = 0;
};

using Part = std::function<void(Scenario&)>;

// In the child. "end" if no call was struck, else "ok" or what is wrong.
std::string run_with_fault(int call, CUresult injected, const Part& part) {
    FaultPlan plan;
    plan.strike(call, injected);
    Scenario scenario(injected);
    part(scenario);
    uint64_t live_handles = 1;
    scenario.expect(cuprum_live_handles(&live_handles) == CUPRUM_SUCCESS && live_handles == 0,
                    std::to_string(live_handles) + " handles are left");
    if (plan.struck().empty()) {
        return scenario.problem().empty() ? "end" : scenario.problem();
    }
    for (const auto& [create, live] : plan.live()) {
        // A graph that was not destroyed keeps what it uses, and so does an event that was recorded in its capture.
        const bool may_be_kept = create == "cuLibraryLoadData" || create == "cuMemAlloc";
        const bool keeps = plan.struck().starts_with("cuGraph") || plan.struck() == "cuEventDestroy";
        if (may_be_kept && keeps) continue;
        scenario.expect(live == 0, std::to_string(live) + " left of " + create);
    }
    scenario.expect(scenario.failures() <= 1, "more than one call failed");
    return (scenario.problem().empty() ? "ok " : scenario.problem() + ": ") + plan.struck();
}

// Lets each call of the part fail, until none does. `least`: it makes more calls than that.
void expect_faults_reported(int least, const Part& part) {
    constexpr std::array codes{CUDA_ERROR_UNKNOWN, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_ILLEGAL_ADDRESS};
    constexpr int most_calls = 1000;
    int call = 1;
    for (; call < most_calls; ++call) {
        const CUresult injected = codes[static_cast<size_t>(call) % codes.size()];
        const std::string outcome =
            test::in_child([&](const test::Report& report) { report(run_with_fault(call, injected, part)); });
        if (outcome == "end") {
            break;
        }
        EXPECT_EQ(outcome.rfind("ok ", 0), 0U) << "call " << call << ": " << outcome;
    }
    EXPECT_LT(call, most_calls) << "the scenario does not end";
    EXPECT_GT(call, least) << "the scenario makes more calls than that";
}

// Compiling for a given architecture starts no driver in this process.
std::string compile() {
    static const char* const options[] = {"--gpu-architecture=compute_75"};
    cuprum_program program = nullptr;
    cuprum_object_code code = nullptr;
    const void* bytes = nullptr;
    uint64_t size = 0;
    EXPECT_EQ(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "saxpy.cu", options, 1), CUPRUM_SUCCESS);
    EXPECT_EQ(cuprum_program_compile(&code, program, CUPRUM_CODE_PTX, nullptr, 0), CUPRUM_SUCCESS);
    EXPECT_EQ(cuprum_object_code_bytes(&bytes, &size, code), CUPRUM_SUCCESS);
    std::string ptx(static_cast<const char*>(bytes), size);
    cuprum_object_code_destroy(code);
    cuprum_program_destroy(program);
    return ptx;
}

TEST(DriverFaultsTest, EveryCallThatFailsIsReportedAndLeavesNothingBehind) {
    const std::string ptx = compile();
    ASSERT_FALSE(ptx.empty());
    expect_faults_reported(200, [&](Scenario& scenario) { scenario.run(ptx); });
}

TEST(DriverFaultsTest, CompilesInOtherThreadsReportTheirs) {
    expect_faults_reported(8, [](Scenario& scenario) { scenario.compile_batch(); });
}

// For the life of the object: a process that has made an event for others. The handle is sent by a pipe.
class OtherProcess {
public:
    OtherProcess() {
        std::array<int, 2> here{}, there{};
        if (pipe(here.data()) != 0 || pipe(there.data()) != 0) throw std::runtime_error("no pipe");
        child_ = fork();
        if (child_ == 0) {
            close(there[1]);
            const cuprum_event_options sharing = {sizeof sharing, 0, 0, 1};
            cuprum_event event = nullptr;
            const void* bytes = nullptr;
            uint64_t size = 0;
            char end = 0;
            const bool sent = cuprum_event_create(&event, 0, &sharing) == CUPRUM_SUCCESS &&
                              cuprum_event_ipc_handle(&bytes, &size, event) == CUPRUM_SUCCESS &&
                              write(here[1], bytes, size) == static_cast<ssize_t>(size);
            // Until the parent has gone.
            _exit(sent && read(there[0], &end, 1) == 0 ? 0 : 1);
        }
        close(here[1]);
        close(there[0]);
        if (read(here[0], handle_.data(), handle_.size()) != static_cast<ssize_t>(handle_.size()))
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

    const std::array<char, 64>& handle() const { return handle_; }

private:
    pid_t child_ = 0;
    int alive_ = -1;
    std::array<char, 64> handle_{};
};

TEST(DriverFaultsTest, EventsOfAnotherProcessReportTheirs) {
    const OtherProcess other;
    expect_faults_reported(10, [&](Scenario& scenario) { scenario.opened_event(other.handle()); });
}

}  // namespace
}  // namespace cuprum::capi
