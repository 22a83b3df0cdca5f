// Each block finds which elements of the two sequences its part of the result has (merge path), loads their keys into
// shared memory, and merges them there, a few for each thread. Values are then read from where their keys were.
#include "merge.hpp"

#include <array>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "merging";
constexpr uint64_t most_key_bytes = 512;  // a tile of keys is in shared memory

// CUB's own kernels are in a header that NVRTC does not take (dispatch_merge.cuh). An odd number of keys for each
// thread spreads them over the banks of shared memory.
constexpr std::string_view kernel = R"(
constexpr int threads = sizeof(key_t) <= 128 ? 256 : 64;
constexpr int items = sizeof(key_t) >= 32 ? 1 : sizeof(key_t) >= 16 ? 3 : sizeof(key_t) >= 8 ? 7 : 15;
constexpr int tile_items = threads * items;
// How many of the first `diagonal` elements of the result are of the first sequence.
template <class Offset, class First, class Second>
__device__ __forceinline__ Offset merge_path(const First& first, Offset first_count, const Second& second,
                                             Offset second_count, Offset diagonal, op_t& op) {
    Offset low = diagonal > second_count ? diagonal - second_count : 0;
    Offset high = diagonal < first_count ? diagonal : first_count;
    while (low < high) {
        const Offset middle = low + (high - low) / 2;
        if (op(second[diagonal - 1 - middle], first[middle])) high = middle;
        else low = middle + 1;
    }
    return low;
}
__global__ __launch_bounds__(threads) void cuprum_merge(
    first_keys_t first_keys, first_values_t first_values, offset_t first_count, second_keys_t second_keys,
    second_values_t second_values, offset_t second_count, op_t op, key_t* keys_out, value_t* values_out) {
    __shared__ alignas(key_t) unsigned char bytes[sizeof(key_t) * tile_items];
    __shared__ int sources[has_values ? tile_items : 1];
    __shared__ offset_t bounds[2];
    key_t* const keys = reinterpret_cast<key_t*>(bytes);
    const offset_t all = first_count + second_count;
    const offset_t begin = static_cast<offset_t>(blockIdx.x) * tile_items;
    const int count = static_cast<int>(all - begin < tile_items ? all - begin : tile_items);
    // By two warps at once.
    if (threadIdx.x == 0 || threadIdx.x == 32) {
        bounds[threadIdx.x / 32] = merge_path<offset_t>(first_keys, first_count, second_keys, second_count,
                                                        threadIdx.x == 0 ? begin : begin + count, op);
    }
    __syncthreads();
    const offset_t first_begin = bounds[0], second_begin = begin - first_begin;
    const int of_first = static_cast<int>(bounds[1] - first_begin);
    for (int i = threadIdx.x; i < count; i += threads) {
        if (i < of_first) keys[i] = first_keys[first_begin + i];
        else keys[i] = second_keys[second_begin + (i - of_first)];
    }
    __syncthreads();
    const int own_begin = static_cast<int>(threadIdx.x) * items < count ? static_cast<int>(threadIdx.x) * items : count;
    int first = merge_path<int>(keys, of_first, keys + of_first, count - of_first, own_begin, op);
    int second = of_first + own_begin - first;
    key_t own[items];
    int source[items];
    #pragma unroll
    for (int i = 0; i < items; ++i) {
        if (own_begin + i < count) {
            bool is_second = first == of_first;
            if (!is_second && second < count) is_second = op(keys[second], keys[first]);
            source[i] = is_second ? second++ : first++;
            own[i] = keys[source[i]];
        }
    }
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < items; ++i) {
        if (own_begin + i < count) {
            keys[own_begin + i] = own[i];
            if constexpr (has_values) sources[own_begin + i] = source[i];
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += threads) {
        keys_out[begin + i] = keys[i];
        if constexpr (has_values) {
            const int from = sources[i];
            if (from < of_first) values_out[begin + i] = first_values[first_begin + from];
            else values_out[begin + i] = second_values[second_begin + (from - of_first)];
        }
    }
})";

void check_types(const char* algorithm, const Iterator& first_keys, const std::optional<Iterator>& first_values,
                 const Iterator& second_keys, const std::optional<Iterator>& second_values) {
    const std::string building = std::string("building ") + algorithm;
    const auto require_same = [&](const char* what, const Iterator& first, const Iterator& second) {
        if (first.value_type() == second.value_type()) return;
        throw InvalidArgument(building, std::string("second ") + what + " of type " + second.value_type().text(),
                              "the first are of " + first.value_type().text() + ", expected the same type",
                              "read one through a transform iterator that converts it");
    };
    require_same("keys", first_keys, second_keys);
    if (first_values) require_same("values", *first_values, *second_values);
    if (first_keys.value_type().size() > most_key_bytes) {
        throw Unsupported(building, "keys",
                          "they have " + std::to_string(first_keys.value_type().size()) + " bytes, expected at most " +
                              std::to_string(most_key_bytes),
                          "merge smaller keys, and positions as their values");
    }
}

void check_for_host(const char* algorithm, const Iterator& first_keys, const std::optional<Iterator>& first_values,
                    const Iterator& second_keys, const std::optional<Iterator>& second_values,
                    const Operator& compare) {
    using namespace host_execution;
    check_available();
    check_iterator(algorithm, "first keys", first_keys);
    check_iterator(algorithm, "second keys", second_keys);
    check_comparison(algorithm, compare, first_keys.value_type());
    if (first_values) {
        check_moved(algorithm, "first values", *first_values);
        check_moved(algorithm, "second values", *second_values);
    }
}

// Of both sequences. Throws InvalidArgument where it does not fit.
uint64_t total(uint64_t first, uint64_t second) {
    check_count(operation, first, 1);
    check_count(operation, second, 1);
    return first + second;
}

// The outputs overlap nothing.
void check_extents(std::initializer_list<Extent> inputs, std::initializer_list<Extent> outputs) {
    for (const Extent& output : outputs) {
        for (const Extent& input : inputs)
            refuse_overlap(operation, input, output);
    }
    if (outputs.size() == 2) refuse_overlap(operation, *outputs.begin(), *(outputs.begin() + 1));
}

}  // namespace

Merge::Program::Program(const core::Device& /*device*/, const CompiledProgram& compiled, Width width)
    : kernel(compiled.kernel(0)),
      threads(compiled.positive("threads")),
      tile_items(compiled.positive_size("tile items")),
      wide(width == Width::wide) {}

Merge::Merge(const char* algorithm, const Iterator& first_keys, const std::optional<Iterator>& first_values,
             const Iterator& second_keys, const std::optional<Iterator>& second_values, const Operator& compare,
             const Execution& execution, const BuildOptions& options)
    : algorithm_(algorithm),
      target_([&] {
          check_types(algorithm, first_keys, first_values, second_keys, second_values);
          if (execution.is_host())
              check_for_host(algorithm, first_keys, first_values, second_keys, second_values, compare);
          return Target(execution, options);
      }()),
      first_keys_(first_keys),
      second_keys_(second_keys),
      first_values_(first_values),
      second_values_(second_values),
      compare_(compare),
      programs_(target_, [this](Width width) { return make_request(width); }) {}

BuildRequest Merge::make_request(Width width) const {
    BuildRequest request;
    request.algorithm = algorithm_;
    SourceBuilder source({});
    source.alias("key_t", source.type(first_keys_.value_type()));
    source.alias("first_keys_t", source.iterator(first_keys_));
    source.alias("second_keys_t", source.iterator(second_keys_));
    const bool has_values = first_values_.has_value();
    // Stands for values where there are none.
    source.line("struct nothing_t { __device__ char operator[](unsigned long long) const { return 0; } };");
    source.alias("value_t", has_values ? source.type(first_values_->value_type()) : "char");
    source.alias("first_values_t", has_values ? source.iterator(*first_values_) : "nothing_t");
    source.alias("second_values_t", has_values ? source.iterator(*second_values_) : "nothing_t");
    source.line(has_values ? "constexpr bool has_values = true;" : "constexpr bool has_values = false;");
    source.alias("offset_t", offset_type(width));
    source.alias("op_t", source.op(compare_, {first_keys_.value_type(), first_keys_.value_type()},
                                   Type(TypeKind::boolean), "compare"));
    source.line(kernel);
    request.source = source.text();
    request.linked = source.linked();
    request.kernels = {"cuprum_merge"};
    request.constants = {{"threads", "threads"}, {"tile items", "tile_items"}};
    return request;
}

void Merge::run_on_host(const HostCall& call, const Part& first, const Part& second, const Output& keys_out,
                        const Output* values_out) const {
    using namespace host_execution;
    check_call(call, &compare_);
    const Type& keys = first_keys_.value_type();
    const host::Source of_first = source_of(call, "first keys", first_keys_, first.keys, first.count);
    const host::Source of_second = source_of(call, "second keys", second_keys_, second.keys, second.count);
    void* const keys_target = target_of(call, "output keys", keys, keys_out, call.count);
    const Extent first_extent = extent_of("first keys", of_first, first.count);
    const Extent second_extent = extent_of("second keys", of_second, second.count);
    const Extent keys_extent = extent_of("output keys", keys_out, keys, call.count);
    const auto merge = [&](const host::Source* first_values, const host::Source* second_values, void* target) {
        check(host_functions().merge(&of_first, first_values, first.count, &of_second, second_values, second.count,
                                     number_of(compare_), keys_target, target),
              call);
    };
    if (!first_values_) {
        check_extents({first_extent, second_extent}, {keys_extent});
        merge(nullptr, nullptr, nullptr);
        return;
    }
    const Type& values = first_values_->value_type();
    const host::Source first_values = source_of(call, "first values", *first_values_, *first.values, first.count);
    const host::Source second_values = source_of(call, "second values", *second_values_, *second.values, second.count);
    void* const values_target = target_of(call, "output values", values, *values_out, call.count);
    check_extents({first_extent, second_extent, extent_of("first values", first_values, first.count),
                   extent_of("second values", second_values, second.count)},
                  {keys_extent, extent_of("output values", *values_out, values, call.count)});
    merge(&first_values, &second_values, values_target);
}

void Merge::operator()(const core::StreamRef& stream, const Part& first, const Part& second, const Output& keys_out,
                       const Output* values_out, const CallOptions& options) const {
    const uint64_t count = total(first.count, second.count);
    if (target_.is_host()) {
        run_on_host({operation, stream, options, count}, first, second, keys_out, values_out);
        return;
    }
    const Call call{operation, target_.device(), stream, count};
    const Call of_first{operation, target_.device(), stream, first.count};
    const Call of_second{operation, target_.device(), stream, second.count};
    const Type& keys = first_keys_.value_type();
    check_stream(call);
    check_input(of_first, "first keys", first_keys_, first.keys);
    check_input(of_second, "second keys", second_keys_, second.keys);
    check_output(call, "output keys", keys, keys_out, count);
    const Extent first_extent = extent_of("first keys", first.keys, keys, first.count);
    const Extent second_extent = extent_of("second keys", second.keys, keys, second.count);
    const Extent keys_extent = extent_of("output keys", keys_out, keys, count);
    static constexpr char nothing = 0;
    Raw first_values{&nothing, 1};
    Raw second_values{&nothing, 1};
    core::DevicePointer values_target = 0;
    if (first_values_) {
        const Type& values = first_values_->value_type();
        check_input(of_first, "first values", *first_values_, *first.values);
        check_input(of_second, "second values", *second_values_, *second.values);
        check_output(call, "output values", values, *values_out, count);
        check_extents({first_extent, second_extent, extent_of("first values", *first.values, values, first.count),
                       extent_of("second values", *second.values, values, second.count)},
                      {keys_extent, extent_of("output values", *values_out, values, count)});
        first_values = {first.values->state(), first_values_->state().size()};
        second_values = {second.values->state(), second_values_->state().size()};
        values_target = values_out->address();
    } else {
        check_extents({first_extent, second_extent}, {keys_extent});
    }
    if (count == 0) return;
    const Program& program = programs_.for_count(count);
    const Raw op{operator_state(call, compare_, options), compare_.state() ? compare_.state()->size() : 1};
    launch_kernel(stream, ceil_divide(count, program.tile_items), program.threads, program.kernel,
                  Raw{first.keys.state(), first_keys_.state().size()}, first_values, Offset{first.count, program.wide},
                  Raw{second.keys.state(), second_keys_.state().size()}, second_values,
                  Offset{second.count, program.wide}, op, keys_out.address(), values_target);
}

}  // namespace cuprum::parallel
