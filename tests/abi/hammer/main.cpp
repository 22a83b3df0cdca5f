// Threads that call every function of the C ABI with handles, sizes, texts and numbers chosen at random, right ones and
// wrong ones. Whatever they are: each call ends with a status that is known and with the error it belongs to, one that
// failed has left its outputs alone, every function succeeds at least once, and no handle is left in the end.
//
// usage: test_abi_hammer CALLS SEED SYMBOLS_FILE IMAGES_FOLDER, with CUPRUM_DRIVER=sim. Prints how often each function
// was called and what it answered. Needs NVRTC.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>

#include "stuck_call.hpp"
#include "turn.hpp"

using namespace hammer;

namespace {

constexpr unsigned thread_count = 8;

[[noreturn]] void give_up(const std::string& what) {
    cuprum_error_info info{};
    info.struct_size = sizeof info;
    cuprum_error_last(&info);
    std::fprintf(stderr, "%s: %s\n", what.c_str(), info.message == nullptr ? "" : info.message);
    std::exit(1);
}
void require(cuprum_status status, const char* what) {
    if (status != CUPRUM_SUCCESS) give_up(what);
}

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) give_up("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The table has every function of the list and no other.
bool covers(const std::string& symbols_file) {
    std::set<std::string> missing, unknown;
    std::ifstream file(symbols_file);
    for (std::string name; std::getline(file, name);) {
        if (!name.empty()) missing.insert(name);
    }
    if (missing.empty()) give_up("there is nothing in " + symbols_file);
    for (const Function& function : functions()) {
        if (missing.erase(function.name) == 0) unknown.insert(function.name);
    }
    for (const std::string& name : missing)
        std::fprintf(stderr, "%s is not called: add it to tests/abi/hammer\n", name.c_str());
    for (const std::string& name : unknown)
        std::fprintf(stderr, "%s is called twice, or not in %s\n", name.c_str(), symbols_file.c_str());
    return missing.empty() && unknown.empty();
}

template <class Handle>
Handle keep(Shared& shared, Kind kind, Handle handle) {
    shared.lasting[kind].push_back(value_of(handle));
    return handle;
}

cuprum_buffer make_buffer(Shared& shared, uint64_t size) {
    cuprum_buffer made = nullptr;
    require(cuprum_buffer_allocate(&made, 0, size, nullptr), "allocating");
    return keep(shared, buffer, made);
}
// Memory that is no buffer of Shared::lasting, and so is written by nothing but what names it.
uint64_t make_memory(std::vector<cuprum_buffer>& hidden, const void* content, uint64_t size) {
    cuprum_buffer made = nullptr;
    uint64_t address = 0;
    require(cuprum_buffer_allocate(&made, 0, size, nullptr), "allocating");
    if (content != nullptr) require(cuprum_buffer_copy_from_host(made, 0, content, size, nullptr), "copying");
    require(cuprum_buffer_native(&address, made), "asking for an address");
    hidden.push_back(made);
    return address;
}

void make_code(Shared& shared) {
    static constexpr const char* source = R"(
        extern "C" __device__ int counter = 1;
        extern "C" __global__ void poke(float a, const float* x, float* y, int n) { if (n == 123456789) y[0] = a * x[0]; }
        template <class T> __global__ void twice(T* x) { if (*x == T(123456789)) *x *= 2; })";
    static constexpr const char* names[] = {"twice<int>"};
    cuprum_program made = nullptr;
    cuprum_object_code code = nullptr;
    const void* bytes = nullptr;
    uint64_t size = 0;
    require(cuprum_program_create(&made, source, CUPRUM_SOURCE_CXX, "hammer.cu", nullptr, 0), "making a program");
    keep(shared, program, made);
    require(cuprum_program_compile(&code, made, CUPRUM_CODE_PTX, names, 1), "compiling");
    keep(shared, object_code, code);
    require(cuprum_object_code_bytes(&bytes, &size, code), "asking for the code");
    shared.ptx.assign(static_cast<const char*>(bytes), size);
    cuprum_compile_batch batch = nullptr;
    uint64_t index = 0;
    require(cuprum_compile_batch_create(&batch, 2), "making a compile batch");
    require(cuprum_compile_batch_add(&index, keep(shared, compile_batch, batch), made, CUPRUM_CODE_PTX, nullptr, 0),
            "adding a program to a compile batch");
    cuprum_linker joined = nullptr;
    require(cuprum_linker_create(&joined, "hammer", nullptr, 0), "making a linker");
    require(cuprum_linker_add(keep(shared, linker, joined), code), "adding an input to a linker");
    for (int i = 0; i < 2; ++i) {
        cuprum_kernel found = nullptr;
        require(cuprum_object_code_get_kernel(&found, code, "poke"), "looking for the kernel");
        keep(shared, kernel, found);
    }
}

void make_graphs(Shared& shared) {
    cuprum_graph_definition definition = nullptr;
    require(cuprum_graph_definition_create(&definition, 0), "making a graph definition");
    keep(shared, graph_definition, definition);
    cuprum_graph launchable = nullptr;
    require(cuprum_graph_definition_instantiate(&launchable, definition, nullptr), "instantiating a graph");
    keep(shared, graph, launchable);
    cuprum_graph_builder builder = nullptr;
    require(cuprum_graph_builder_create_on_device(&builder, 0), "making a graph builder");
    keep(shared, graph_builder, builder);
}

void make_parallel(Shared& shared) {
    const auto op = [&](const char* text) {
        cuprum_parallel_operator made = nullptr;
        require(cuprum_parallel_operator_create(&made, text, nullptr, nullptr, 0), text);
        return keep(shared, parallel_operator, made);
    };
    const cuprum_parallel_operator plus = op("plus"), less = op("less"), negate = op("negate"), positive = op("a > 0"),
                                   equal = op("equal_to"), of_three = op("a + b * c");
    cuprum_parallel_iterator pointer = nullptr, counting = nullptr;
    const int32_t zero = 0;
    require(cuprum_parallel_iterator_pointer(&pointer, "int32", shared.input), "making an iterator");
    require(cuprum_parallel_iterator_counting(&counting, "int32", &zero, sizeof zero), "making an iterator");
    keep(shared, parallel_iterator, pointer);
    keep(shared, parallel_iterator, counting);
    // In the order of parallel_functions.cpp.
    const auto algorithm = [&](const char* name, auto build, auto... arguments) {
        cuprum_parallel_algorithm made = nullptr;
        require(build(&made, nullptr, arguments...), name);
        return keep(shared, parallel_algorithm, made);
    };
    const cuprum_parallel_algorithm reduce =
        algorithm("building a reduction", &cuprum_parallel_reduce_build, pointer, plus, "int32", nullptr);
    algorithm("building a scan", &cuprum_parallel_scan_build, CUPRUM_SCAN_INCLUSIVE, pointer, plus, "int32", nullptr);
    algorithm("building a radix sort", &cuprum_parallel_radix_sort_build, CUPRUM_SORT_ASCENDING, "int32", nullptr);
    algorithm("building a merge sort", &cuprum_parallel_merge_sort_build, less, "int32", nullptr);
    algorithm("building a transformation", &cuprum_parallel_transform_build, pointer, nullptr, negate, "int32",
              nullptr);
    algorithm("building a segmented reduction", &cuprum_parallel_segmented_reduce_build, pointer, plus, "int32",
              "int32");
    algorithm("building an arg-min", &cuprum_parallel_arg_reduce_build, CUPRUM_ARG_MINIMUM, pointer);
    algorithm("building a selection", &cuprum_parallel_select_build, pointer, positive, nullptr);
    algorithm("building unique by key", &cuprum_parallel_unique_by_key_build, pointer, pointer, equal, nullptr,
              nullptr);
    algorithm("building a binary search", &cuprum_parallel_binary_search_build, CUPRUM_BOUND_LOWER, pointer, pointer,
              less, "int32");
    algorithm("building a partition in three", &cuprum_parallel_three_way_partition_build, pointer, positive, positive);
    algorithm("building a segmented sort", &cuprum_parallel_segmented_sort_build, CUPRUM_SORT_ASCENDING, "int32",
              nullptr, "int32");
    algorithm("building a histogram", &cuprum_parallel_histogram_even_build, pointer, "int32", "int32");
    algorithm("building a selection by flags", &cuprum_parallel_select_flagged_build, pointer, pointer);
    algorithm("building a selection of unique elements", &cuprum_parallel_unique_build, pointer, equal);
    algorithm("building a partition", &cuprum_parallel_partition_build, pointer, positive);
    algorithm("building a partition by flags", &cuprum_parallel_partition_flagged_build, pointer, pointer);
    algorithm("building a reduction by key", &cuprum_parallel_reduce_by_key_build, pointer, pointer, plus, "int32",
              equal);
    algorithm("building a run-length encoding", &cuprum_parallel_run_length_encode_build, pointer, "int32", equal);
    algorithm("building a search for runs", &cuprum_parallel_non_trivial_runs_build, pointer, "int32", equal);
    algorithm("building an inclusive scan by key", &cuprum_parallel_inclusive_scan_by_key_build, pointer, pointer, plus,
              "int32", equal);
    algorithm("building an exclusive scan by key", &cuprum_parallel_exclusive_scan_by_key_build, pointer, pointer, plus,
              "int32", equal);
    algorithm("building an adjacent difference", &cuprum_parallel_adjacent_difference_build, CUPRUM_NEIGHBOUR_LEFT,
              pointer, plus, "int32");
    algorithm("building a segmented scan", &cuprum_parallel_segmented_scan_build, CUPRUM_SCAN_INCLUSIVE, pointer, plus,
              "int32", "int32");
    algorithm("building a merge", &cuprum_parallel_merge_keys_build, pointer, pointer, less);
    algorithm("building a merge of pairs", &cuprum_parallel_merge_pairs_build, pointer, pointer, pointer, pointer,
              less);
    algorithm("building a selection of the top keys", &cuprum_parallel_topk_keys_build, CUPRUM_SORT_ASCENDING, pointer);
    algorithm("building a selection of the top pairs", &cuprum_parallel_topk_pairs_build, CUPRUM_SORT_ASCENDING,
              pointer, pointer);
    algorithm("building a search for both extremes", &cuprum_parallel_min_max_build, pointer);
    algorithm("building a search for an element", &cuprum_parallel_find_if_build, pointer, positive, "int32");
    algorithm("building a comparison", &cuprum_parallel_equal_build, pointer, pointer, equal);
    algorithm("building a histogram of ranges", &cuprum_parallel_histogram_range_build, pointer, "int32", "int32");
    algorithm("building a call for each element", &cuprum_parallel_for_each_build, pointer, positive);
    // A constant for addresses and sizes: copies of nothing.
    const uint64_t none = 0;
    cuprum_parallel_iterator nothing = nullptr;
    require(cuprum_parallel_iterator_constant(&nothing, "uint64", &none, sizeof none), "making an iterator");
    keep(shared, parallel_iterator, nothing);
    algorithm("building a batch of copies", &cuprum_parallel_batched_memcpy_build, nothing, nothing, nothing);
    const std::array<cuprum_parallel_iterator, 3> three{pointer, pointer, pointer};
    algorithm("building a transformation of three inputs", &cuprum_parallel_transform_build_nary, three.data(),
              uint32_t{3}, of_three, "int32", nullptr);
    algorithm("building a histogram of several channels", &cuprum_parallel_multi_histogram_even_build, pointer, 3, 2,
              "int32", "int32");
    algorithm("building a histogram of ranges of several channels", &cuprum_parallel_multi_histogram_range_build,
              pointer, 3, 2, "int32", "int32");
    algorithm("building a radix sort by fields", &cuprum_parallel_radix_sort_build_by_fields, "-x", "P{x:int32}",
              nullptr);
    const void* saved = nullptr;
    uint64_t size = 0;
    require(cuprum_parallel_save(&saved, &size, reduce), "saving");
    shared.saved_builds.assign(static_cast<const char*>(saved), size);
}

// In the order of distributed_functions.cpp.
void make_distributed(Shared& shared) {
    const int32_t first = 0;
    cuprum_communicator ranks = nullptr;
    require(cuprum_communicator_create(&ranks, &first, sizeof first), "making a communicator");
    keep(shared, communicator, ranks);
    const auto plus = as_handle<cuprum_parallel_operator>(shared.lasting[parallel_operator].front());
    const auto algorithm = [&](const char* name, auto build, auto... arguments) {
        cuprum_distributed_algorithm made = nullptr;
        require(build(&made, ranks, arguments...), name);
        return keep(shared, distributed_algorithm, made);
    };
    algorithm("building a reduction over devices", &cuprum_distributed_reduce_build, "int32", plus, "int32");
    algorithm("building a scan over devices", &cuprum_distributed_scan_build, CUPRUM_SCAN_INCLUSIVE, "int32", plus,
              "int32");
    algorithm("building a sort over devices", &cuprum_distributed_radix_sort_build, CUPRUM_SORT_ASCENDING, "int32",
              nullptr);
    algorithm("building a histogram over devices", &cuprum_distributed_histogram_even_build, "int32", "int32", "int32");
    const cuprum_distributed_algorithm by_key =
        algorithm("building a reduction by key over devices", &cuprum_distributed_reduce_by_key_build, "int32", "int32",
                  plus, "int32");
    const cuprum_shard numbers{"int32", shared.input_buffer, 64};
    cuprum_reduced_shards reduced = nullptr;
    require(cuprum_distributed_reduce_by_key(&reduced, by_key, &numbers, 1, &numbers, 1), "reducing by key");
    keep(shared, reduced_shards, reduced);
}

// In the order of out_of_core_functions.cpp.
void make_out_of_core(Shared& shared) {
    const cuprum_device_memory memory{0, 65536, nullptr};
    const auto plus = as_handle<cuprum_parallel_operator>(shared.lasting[parallel_operator].front());
    const auto algorithm = [&](const char* name, auto build, auto... arguments) {
        cuprum_out_of_core_algorithm made = nullptr;
        require(build(&made, &memory, sizeof(memory), arguments...), name);
        keep(shared, out_of_core_algorithm, made);
    };
    algorithm("building a reduction over host memory", &cuprum_out_of_core_reduce_build, "int32", plus, "int32");
    algorithm("building a scan over host memory", &cuprum_out_of_core_scan_build, CUPRUM_SCAN_INCLUSIVE, "int32", plus,
              "int32");
    algorithm("building a sort over host memory", &cuprum_out_of_core_radix_sort_build, CUPRUM_SORT_ASCENDING, "int32",
              nullptr);
    algorithm("building a histogram over host memory", &cuprum_out_of_core_histogram_even_build, "int32", "int32",
              "int32");
    algorithm("building a reduction by key over host memory", &cuprum_out_of_core_reduce_by_key_build, "int32", "int32",
              plus, "int32");
}

void make_images(Shared& shared) {
    cuprum_array_options options = CUPRUM_ARRAY_OPTIONS_INIT;
    options.format = CUPRUM_ARRAY_FLOAT32;
    options.width = 16;
    options.height = 4;
    options.is_surface_load_store = 1;
    cuprum_opaque_array array = nullptr;
    cuprum_mipmapped_array mipmaps = nullptr;
    cuprum_texture_object texture = nullptr;
    cuprum_surface_object surface = nullptr;
    require(cuprum_opaque_array_create(&array, 0, &options), "making an array");
    require(cuprum_texture_object_of_opaque_array(&texture, 0, array, nullptr), "making a texture object");
    require(cuprum_surface_object_create(&surface, 0, array), "making a surface object");
    options.num_levels = 3;
    require(cuprum_mipmapped_array_create(&mipmaps, 0, &options), "making a mipmapped array");
    keep(shared, opaque_array, array);
    keep(shared, mipmapped_array, mipmaps);
    keep(shared, texture_object, texture);
    keep(shared, surface_object, surface);
}

void make_lasting(Shared& shared, const std::filesystem::path& images, std::vector<cuprum_buffer>& hidden) {
    require(cuprum_bindings_use_per_thread_default_stream(0), "choosing the default stream");
    std::array<int32_t, 64> numbers{};
    for (size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<int32_t>(i * 37 % 64) - 20;
    std::array<int32_t, 8> begins{}, ends{};
    for (size_t i = 0; i < begins.size(); ++i) {
        begins[i] = static_cast<int32_t>(i * 8);
        ends[i] = begins[i] + static_cast<int32_t>(i);
    }
    shared.input = make_memory(hidden, numbers.data(), sizeof numbers);
    shared.input_buffer = hidden.back();
    shared.segment_begins = make_memory(hidden, begins.data(), sizeof begins);
    shared.segment_ends = make_memory(hidden, ends.data(), sizeof ends);
    const void* parts = nullptr;
    uint64_t parts_size = 0;
    require(cuprum_sm_resource_of_device(&parts, &parts_size, 0), "asking for the multiprocessors");
    const std::string whole(static_cast<const char*>(parts), parts_size);
    require(cuprum_sm_resource_split(&parts, &parts_size, whole.data(), whole.size(), 0, 1, 0), "splitting them");
    shared.multiprocessors.assign(static_cast<const char*>(parts), parts_size);
    shared.memory = make_memory(hidden, nullptr, Shared::memory_per_thread * thread_count);
    for (unsigned thread = 0; thread < thread_count; ++thread) {
        cuprum_buffer own = nullptr;
        require(cuprum_buffer_from_native(&own, 0, shared.memory + thread * Shared::memory_per_thread,
                                          Shared::memory_per_thread),
                "borrowing memory");
        shared.own_buffers.push_back(own);
        hidden.push_back(own);
    }
    for (const uint64_t size : {0, 4, 256, 4096})
        make_buffer(shared, size);
    for (int i = 0; i < 3; ++i) {
        cuprum_stream made = nullptr;
        uint64_t native = 0;
        require(cuprum_stream_create(&made, 0, nullptr), "making a stream");
        require(cuprum_stream_native(&native, keep(shared, stream, made)), "asking for a native stream");
        shared.native_streams.push_back(native);
        cuprum_event mark = nullptr;
        const cuprum_event_options options{sizeof options, 1, 0, 0};
        require(cuprum_event_create(&mark, 0, &options), "making an event");
        require(cuprum_stream_record(made, keep(shared, event, mark)), "recording an event");
    }
    cuprum_memory_resource pinned = nullptr;
    require(cuprum_memory_resource_create_legacy_pinned(&pinned), "making a memory resource");
    keep(shared, memory_resource, pinned);
    cuprum_memory_resource managed = nullptr;
    cuprum_buffer moving = nullptr;
    const auto first_stream = as_handle<cuprum_stream>(shared.lasting[stream].front());
    require(cuprum_memory_resource_of_managed_memory(&managed), "asking for managed memory");
    require(cuprum_memory_resource_allocate(&moving, keep(shared, memory_resource, managed), 4096, first_stream),
            "allocating managed memory");
    require(cuprum_stream_sync(first_stream), "waiting for a stream");
    keep(shared, buffer, moving);
    make_code(shared);
    cuprum_toolkit found = nullptr;
    require(cuprum_toolkit_in_use(&found), "asking for the toolkit");
    keep(shared, toolkit, found);
    cuprum_context primary = nullptr;
    require(cuprum_context_of_device(&primary, 0), "asking for a device's context");
    keep(shared, context, primary);
    make_images(shared);
    cuprum_system_events watched = nullptr;
    require(cuprum_system_events_create(&watched, 0, CUPRUM_EVENT_XID_CRITICAL_ERROR), "registering for events");
    keep(shared, system_events, watched);
    make_graphs(shared);
    make_parallel(shared);
    make_distributed(shared);
    make_out_of_core(shared);
    for (const auto& entry : std::filesystem::directory_iterator(images))
        shared.images.push_back(read(entry.path()));
    shared.images.emplace_back("this is no code");
    shared.images.emplace_back(1, '\x7f');
}

struct Tally {
    uint64_t calls = 0;
    std::map<cuprum_status, uint64_t> statuses;
};
using Tallies = std::vector<Tally>;

std::mutex report_mutex;
std::atomic<bool> has_failed{false};

// Kept to the end of the process: copies into it may be under way.
Turn& lasting_turn(Shared& shared, uint64_t seed, unsigned thread) {
    static std::mutex mutex;
    static auto& kept = *new std::vector<Turn*>;
    auto* const turn = new Turn(shared, seed, thread);
    const std::lock_guard lock(mutex);
    kept.push_back(turn);
    return *turn;
}

void hammer_away(Shared& shared, uint64_t seed, unsigned thread, uint64_t calls, Tallies& tallies, Step& step) {
    Turn& turn = lasting_turn(shared, seed + thread, thread);
    std::vector<size_t> choices;
    for (size_t i = 0; i < functions().size(); ++i)
        choices.insert(choices.end(), functions()[i].weight, i);
    for (uint64_t call = 0; call < calls && !has_failed; ++call) {
        const size_t chosen = turn.random.pick(choices);
        const Function& function = functions()[chosen];
        turn.begin();
        step.begin(function.name);
        const cuprum_status status = function.call(turn);
        ++tallies[chosen].calls;
        ++tallies[chosen].statuses[status];
        const bool sets_the_error = std::string_view(function.name).find("cuprum_error_") == std::string_view::npos;
        if (const std::string wrong = turn.finish(status, sets_the_error); !wrong.empty()) {
            has_failed = true;
            const std::lock_guard lock(report_mutex);
            std::fprintf(stderr, "%s, call %llu of thread %u: %s\n", function.name,
                         static_cast<unsigned long long>(call), thread, wrong.c_str());
        }
    }
    step.begin(nullptr);
}

void destroy_all(Shared& shared, const std::vector<cuprum_buffer>& hidden) {
    for (std::atomic<uint64_t>& fault : shared.faults) {
        if (fault != 0) cuprum_bindings_end_fault(nullptr, fault);
    }
    cuprum_bindings_stop_trace();
    for (int kind = 0; kind < kind_count; ++kind) {
        for (const uint64_t handle : shared.pools[static_cast<size_t>(kind)].take_all())
            destroy(static_cast<Kind>(kind), handle);
        for (const uint64_t handle : shared.lasting[static_cast<size_t>(kind)])
            require(destroy(static_cast<Kind>(kind), handle), "destroying what has lasted");
    }
    for (const cuprum_buffer one : hidden)
        require(cuprum_buffer_destroy(one), "destroying a buffer");
}

// What all threads have had of one function.
Tally sum_of(const std::vector<Tallies>& all, size_t function) {
    Tally sum;
    for (const Tallies& tallies : all) {
        sum.calls += tallies[function].calls;
        for (const auto& [status, count] : tallies[function].statuses)
            sum.statuses[status] += count;
    }
    return sum;
}

// The functions that can succeed, and have not.
std::vector<size_t> without_success(const std::vector<Tallies>& all) {
    std::vector<size_t> found;
    for (size_t i = 0; i < functions().size(); ++i) {
        if (functions()[i].weight != 0 && sum_of(all, i).statuses[functions()[i].best] == 0) found.push_back(i);
    }
    return found;
}

// Prints it; whether every function has succeeded, where it can.
bool report(const std::vector<Tallies>& all) {
    uint64_t total = 0, succeeded = 0;
    for (size_t i = 0; i < functions().size(); ++i) {
        Tally sum = sum_of(all, i);
        std::printf("%-48s %9llu", functions()[i].name, static_cast<unsigned long long>(sum.calls));
        for (const auto& [status, count] : sum.statuses)
            std::printf("  %s %llu", cuprum_error_status_name(status) + sizeof("CUPRUM_") - 1,
                        static_cast<unsigned long long>(count));
        std::printf("\n");
        total += sum.calls;
        succeeded += sum.statuses[CUPRUM_SUCCESS];
    }
    const std::vector<size_t> missing = without_success(all);
    for (const size_t i : missing) {
        std::fprintf(stderr, "%s has never returned %s\n", functions()[i].name,
                     cuprum_error_status_name(functions()[i].best));
    }
    std::printf("%llu calls of %zu functions by %u threads, %llu succeeded\n", static_cast<unsigned long long>(total),
                functions().size(), thread_count, static_cast<unsigned long long>(succeeded));
    return missing.empty();
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 5) {
        std::fprintf(stderr, "usage: test_abi_hammer CALLS SEED SYMBOLS_FILE IMAGES_FOLDER\n");
        return 2;
    }
    const uint64_t calls = std::strtoull(arguments[1], nullptr, 10);
    const uint64_t seed = std::strtoull(arguments[2], nullptr, 10);
    if (!covers(arguments[3])) return 1;

    // They live as long as the process: work that was given to streams may still use their memory.
    auto& shared = *new Shared;
    auto& steps = *new Steps(thread_count + 1);
    watch_for_stuck_calls(steps, std::chrono::seconds(200));
    Step& own_step = steps.back();
    std::vector<cuprum_buffer> hidden;
    own_step.begin("making what lasts");
    make_lasting(shared, arguments[4], hidden);
    own_step.begin(nullptr);
    const auto start = std::chrono::steady_clock::now();
    std::vector<Tallies> tallies(thread_count, Tallies(functions().size()));
    // Which thread does what when is chance, and so is whether a function that seldom succeeds has: a few rounds more
    // then.
    constexpr unsigned most_rounds = 5;
    for (unsigned round = 0; round < most_rounds && !has_failed; ++round) {
        std::vector<std::thread> threads;
        for (unsigned thread = 0; thread < thread_count; ++thread) {
            threads.emplace_back([&, thread] {
                hammer_away(shared, seed + round * thread_count, thread, calls / thread_count, tallies[thread],
                            steps[thread]);
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        if (without_success(tallies).empty()) break;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    bool is_well = report(tallies) && !has_failed;
    std::printf("seed %llu, %.1f s\n", static_cast<unsigned long long>(seed), seconds);

    own_step.begin("waiting for the device");
    require(cuprum_device_sync(0), "waiting for the device");
    own_step.begin("destroying what is left");
    destroy_all(shared, hidden);
    uint64_t left = 0;
    require(cuprum_live_handles(&left), "counting the handles");
    if (left != 0) {
        std::fprintf(stderr, "%llu handles are left\n", static_cast<unsigned long long>(left));
        is_well = false;
    }
    own_step.begin("exiting");
    return is_well ? 0 : 1;
}
