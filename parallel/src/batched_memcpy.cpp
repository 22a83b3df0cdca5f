// A warp does each small copy. The large ones are noted, and done by all blocks together in a second sweep.
#include "cuprum/parallel/batched_memcpy.hpp"

#include <algorithm>

#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"
#include "integers.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* algorithm = "batched_memcpy";
constexpr const char* operation = "copying in a batch";

constexpr std::string_view kernels = R"(
constexpr int threads = 256;
constexpr long long largest_of_warp = 8192;  // bytes
struct noted_t { unsigned long long count; unsigned long long copies[1]; };
// By `workers` threads, of which this is number `worker`: in words of 16 or 4 bytes where both addresses allow it.
template <class Word> __device__ __forceinline__ void copy_words(
    const unsigned char* from, unsigned char* to, long long bytes, long long worker, long long workers) {
    const Word* const source = reinterpret_cast<const Word*>(from);
    Word* const target = reinterpret_cast<Word*>(to);
    const long long words = bytes / sizeof(Word);
    for (long long i = worker; i < words; i += workers) target[i] = source[i];
    for (long long i = words * sizeof(Word) + worker; i < bytes; i += workers) to[i] = from[i];
}
__device__ __forceinline__ void copy(unsigned long long source, unsigned long long target, long long bytes,
                                     long long worker, long long workers) {
    const unsigned char* from = reinterpret_cast<const unsigned char*>(source);
    unsigned char* to = reinterpret_cast<unsigned char*>(target);
    long long head = static_cast<long long>((16 - target % 16) % 16);
    if (head > bytes) head = bytes;
    for (long long i = worker; i < head; i += workers) to[i] = from[i];
    from += head;
    to += head;
    bytes -= head;
    const unsigned long long shift = (source - target) % 16;
    if (shift == 0) copy_words<uint4>(from, to, bytes, worker, workers);
    else if (shift % 4 == 0) copy_words<unsigned int>(from, to, bytes, worker, workers);
    else copy_words<unsigned char>(from, to, bytes, worker, workers);
}
__global__ void cuprum_batched_memcpy_init(noted_t* noted) { noted->count = 0; }
__global__ __launch_bounds__(threads) void cuprum_batched_memcpy_small(
    sources_t sources, targets_t targets, sizes_t sizes, noted_t* noted, offset_t n) {
    const offset_t warps = static_cast<offset_t>(gridDim.x) * (threads / 32);
    for (offset_t i = static_cast<offset_t>(blockIdx.x) * (threads / 32) + threadIdx.x / 32; i < n; i += warps) {
        const long long bytes = static_cast<long long>(sizes[i]);
        if (bytes > largest_of_warp) {
            if (threadIdx.x % 32 == 0) noted->copies[atomicAdd(&noted->count, 1ull)] = i;
        } else if (bytes > 0) {
            copy(sources[i], targets[i], bytes, threadIdx.x % 32, 32);
        }
    }
}
__global__ __launch_bounds__(threads) void cuprum_batched_memcpy_large(
    sources_t sources, targets_t targets, sizes_t sizes, const noted_t* noted) {
    const unsigned long long count = noted->count;
    for (unsigned long long i = 0; i < count; ++i) {
        const offset_t at = static_cast<offset_t>(noted->copies[i]);
        copy(sources[at], targets[at], static_cast<long long>(sizes[at]),
             static_cast<long long>(blockIdx.x) * threads + threadIdx.x, static_cast<long long>(gridDim.x) * threads);
    }
})";

BuildRequest make_request(const Iterator& sources, const Iterator& targets, const Iterator& sizes, Width width) {
    SourceBuilder source({});
    source.alias("sources_t", source.iterator(sources));
    source.alias("targets_t", source.iterator(targets));
    source.alias("sizes_t", source.iterator(sizes));
    source.alias("offset_t", offset_type(width));
    source.line(kernels);
    BuildRequest request(algorithm, source);
    request.kernels = {"cuprum_batched_memcpy_init", "cuprum_batched_memcpy_small", "cuprum_batched_memcpy_large"};
    request.constants = {{"threads", "threads"}};
    return request;
}

struct Program {
    core::Kernel init, small, large;
    int64_t threads;
    uint64_t small_blocks, large_blocks;
    bool wide;

    Program(const core::Device& device, const CompiledProgram& compiled, Width width)
        : init(compiled.kernel(0)),
          small(compiled.kernel(1)),
          large(compiled.kernel(2)),
          threads(compiled.positive("threads")),
          small_blocks(resident_blocks(device, small, threads)),
          large_blocks(resident_blocks(device, large, threads)),
          wide(width == Width::wide) {}
};

void require_addresses(const char* what, const Type& type) {
    if (type.kind() == TypeKind::uint64) return;
    throw InvalidArgument("building batched_memcpy", std::string(what) + " of type " + type.name(),
                          "expected uint64: addresses");
}

// How many copies are noted at most, and their number.
uint64_t noted_bytes(uint64_t count) {
    return (count + 1) * sizeof(uint64_t);
}

}  // namespace

struct BatchedMemcpy::State {
    Target target;
    Iterator sources, targets, sizes;
    Programs<Program> programs;

    State(const Iterator& sources_, const Iterator& targets_, const Iterator& sizes_, const Execution& execution,
          const BuildOptions& options)
        : target(execution, options),
          sources(sources_),
          targets(targets_),
          sizes(sizes_),
          programs(target, [this](Width width) { return make_request(sources, targets, sizes, width); }) {}

    void run_on_host(const HostCall& call, const Input& sources_in, const Input& targets_in,
                     const Input& sizes_in) const {
        using namespace host_execution;
        check_call(call, call.options.op);
        const host::Source of_sources = source_of(call, "sources", sources, sources_in, call.count);
        const host::Source of_targets = source_of(call, "targets", targets, targets_in, call.count);
        const host::Source of_sizes = source_of(call, "sizes", sizes, sizes_in, call.count);
        check(host_functions().batched_memcpy(&of_sources, &of_targets, &of_sizes, call.count), call);
    }
};

BatchedMemcpy::BatchedMemcpy(const Iterator& sources, const Iterator& targets, const Iterator& sizes,
                             const Execution& execution, const BuildOptions& options) {
    require_addresses("sources", sources.value_type());
    require_addresses("targets", targets.value_type());
    require_wide_integers(algorithm, "sizes", sizes.value_type());
    if (execution.is_host()) {
        host_execution::check_available();
        host_execution::check_iterator(algorithm, "sources", sources);
        host_execution::check_iterator(algorithm, "targets", targets);
        host_execution::check_iterator(algorithm, "sizes", sizes);
    }
    state_ = std::make_shared<const State>(sources, targets, sizes, execution, options);
}

uint64_t BatchedMemcpy::temp_storage_bytes(uint64_t count) const {
    if (count == 0 || state_->target.is_host()) return 0;
    check_count(operation, count, sizeof(uint64_t));
    return noted_bytes(count);
}

void BatchedMemcpy::operator()(core::StreamRef stream, const Input& sources, const Input& targets, const Input& sizes,
                               uint64_t count, const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        state.run_on_host({operation, stream, options, count}, sources, targets, sizes);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_count(operation, count, sizeof(uint64_t));
    check_stream(call);
    check_input(call, "sources", state.sources, sources);
    check_input(call, "targets", state.targets, targets);
    check_input(call, "sizes", state.sizes, sizes);
    if (count == 0) return;
    const Program& program = state.programs.for_count(count);
    const Workspace workspace(call, noted_bytes(count), options);
    const Raw of_sources{sources.state(), state.sources.state().size()};
    const Raw of_targets{targets.state(), state.targets.state().size()};
    const Raw of_sizes{sizes.state(), state.sizes.state().size()};
    launch_kernel(stream, 1, 1, program.init, workspace[0]);
    const uint64_t warps = static_cast<uint64_t>(program.threads) / 32;
    launch_kernel(stream, std::min(ceil_divide(count, warps), program.small_blocks), program.threads, program.small,
                  of_sources, of_targets, of_sizes, workspace[0], Offset{count, program.wide});
    launch_kernel(stream, program.large_blocks, program.threads, program.large, of_sources, of_targets, of_sizes,
                  workspace[0]);
}

std::string BatchedMemcpy::save() const {
    return state_->programs.save();
}

}  // namespace cuprum::parallel
