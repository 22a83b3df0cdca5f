// The blocks go over the elements together, from front to back. One that finds what is looked for writes where, unless
// another was further in front, and ends; the others end once they are behind that.
#include "search.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "cuprum/pathfinder/error.hpp"
#include "kernel_overlap.hpp"
#include "vector_tiles.hpp"

namespace cuprum::parallel {

namespace {

// The result itself is where the blocks meet: a position as an unsigned number of its size, or true until it is false.
constexpr std::string_view kernels = R"(
constexpr int threads = 128;
constexpr int item_bytes = sizeof(value_t) + (has_second ? sizeof(second_value_t) : 0);
// A thread has 256 bytes on their way: of two inputs, or of one a tile and the next one.
constexpr bool looks_ahead = !has_second;
constexpr int tile_bytes = looks_ahead ? 128 : 256;
constexpr int items = item_bytes >= tile_bytes ? 1 : item_bytes >= 4 ? tile_bytes / item_bytes : 32;
constexpr int tile_items = threads * items;
// Both inputs in one order, so that an item's elements belong together.
constexpr int first_vector = vector_in<value_t, first_t, items>();
constexpr int vector = !has_second || first_vector == vector_in<second_value_t, second_t, items>() ? first_vector : 1;
using first_tile_t = vector_tile<value_t, first_t, threads, items, vector>;
using second_tile_t = vector_tile<second_value_t, second_t, threads, items, vector>;
struct elements_t {
    value_t of_first[items];
    second_value_t of_second[items];
    __device__ __forceinline__ void read(const first_t& first, const second_t& second, offset_t begin) {
        first_tile_t::read(first, begin, of_first);
        if constexpr (has_second) second_tile_t::read(second, begin, of_second);
    }
    __device__ __forceinline__ bool answer(op_t& op, int item) const {
        return answer_of(op, of_first[item], of_second[item]);
    }
};
__device__ __forceinline__ result_t nothing_found(offset_t n) {
    return tells_position ? static_cast<result_t>(n) : static_cast<result_t>(1);
}
__global__ void cuprum_search_init(result_t* out, offset_t n) {
    let_the_next_kernel_begin();
    *out = nothing_found(n);
}
__global__ __launch_bounds__(threads) void cuprum_search(first_t first, second_t second, result_t* out, op_t op, offset_t n) {
    volatile result_t* const known = out;
    const auto is_behind = [](result_t found, offset_t begin) { return tells_position ? found < begin : found == 0; };
    const offset_t step = static_cast<offset_t>(gridDim.x) * tile_items;
    const offset_t full = n / tile_items * tile_items;
    offset_t begin = static_cast<offset_t>(blockIdx.x) * tile_items;
    elements_t elements;
    if (looks_ahead && begin < full) elements.read(first, second, begin);
    // One block by itself has no kernel before it.
    if (gridDim.x == 1) {
        if (threadIdx.x == 0) *known = nothing_found(n);
        __syncthreads();
    } else {
        wait_for_the_kernel_before();
    }
    for (; begin < full; begin += step) {
        const offset_t next = begin + step;
        elements_t next_elements;
        if constexpr (!looks_ahead) elements.read(first, second, begin);
        else if (next < full) next_elements.read(first, second, next);
        // On its way while the elements are.
        const result_t before = *known;
        offset_t found = n;
        #pragma unroll
        for (int i = items - 1; i >= 0; --i)
            if (elements.answer(op, i) == wanted) found = begin + first_tile_t::place(i);
        if (found < n) {
            tell(out, found);
            return;
        }
        if (is_behind(before, next)) return;
        if constexpr (looks_ahead) elements = next_elements;
    }
    // What is left is of the block whose turn it is.
    if (begin != full || full == n || is_behind(*known, full)) return;
    for (offset_t at = full + threadIdx.x; at < n; at += threads) {
        second_value_t of_second{};
        if constexpr (has_second) of_second = second[at];
        if (answer_of(op, first[at], of_second) == wanted) {
            tell(out, at);
            return;
        }
    }
})";

void check_for_host(const Search::Kind& kind, const Iterator& first, const std::optional<Iterator>& second,
                    const Operator& op) {
    using namespace host_execution;
    check_available();
    check_iterator(kind.algorithm, kind.first, first);
    if (second) {
        check_iterator(kind.algorithm, "second input", *second);
        check_comparison(kind.algorithm, op, first.value_type());
    } else {
        check_condition(kind.algorithm, op, first.value_type());
    }
}

uint64_t largest_position(const Type& type) {
    const uint64_t of_its_bits = type.size() == 8 ? UINT64_MAX : UINT32_MAX;
    return type.kind() == TypeKind::int32 || type.kind() == TypeKind::int64 ? of_its_bits / 2 : of_its_bits;
}

}  // namespace

Search::Program::Program(const core::Device& device, const CompiledProgram& compiled, Width width)
    : init(compiled.kernel(0)),
      search(compiled.kernel(1)),
      threads(compiled.positive("threads")),
      tile_items(compiled.positive_size("tile items")),
      most_blocks(resident_blocks(device, search, threads)),
      wide(width == Width::wide),
      overlaps(overlaps_kernels(device)) {}

Search::Search(const Kind& kind, const Iterator& first, const std::optional<Iterator>& second, const Operator& op,
               const Type& result, const Execution& execution, const BuildOptions& options)
    : kind_(kind),
      target_([&] {
          if (execution.is_host()) check_for_host(kind, first, second, op);
          return Target(execution, options);
      }()),
      first_(first),
      second_(second),
      op_(op),
      result_(result),
      programs_(target_, [this](Width width) { return make_request(width); }) {}

BuildRequest Search::make_request(Width width) const {
    SourceBuilder source({});
    const auto flag = [&](const char* name, bool value) {
        source.line(std::string("constexpr bool ") + name + (value ? " = true;" : " = false;"));
    };
    source.alias("value_t", source.type(first_.value_type()));
    source.alias("first_t", source.iterator(first_));
    source.alias("second_value_t", second_ ? source.type(second_->value_type()) : "char");
    // Stands for the second input where there is none.
    source.line("struct nothing_t { __device__ char operator[](unsigned long long) const { return 0; } };");
    source.alias("second_t", second_ ? source.iterator(*second_) : "nothing_t");
    std::vector<Type> operands{first_.value_type()};
    if (second_) operands.push_back(second_->value_type());
    source.alias("op_t", source.op(op_, operands, Type(TypeKind::boolean), kind_.op));
    source.alias("offset_t", offset_type(width));
    source.alias("result_t", !kind_.tells_position ? "bool"
                             : result_.size() == 8 ? "unsigned long long"
                                                   : "unsigned int");
    flag("wanted", kind_.wanted);
    flag("tells_position", kind_.tells_position);
    flag("has_second", second_.has_value());
    source.line(
        "__device__ __forceinline__ bool answer_of(op_t& op, const value_t& a, const second_value_t& b) { return " +
        std::string(second_ ? "op(a, b)" : "op(a)") + "; }");
    source.line("__device__ __forceinline__ void tell(result_t* out, offset_t found) { " +
                std::string(kind_.tells_position ? "if (found < *static_cast<volatile result_t*>(out)) "
                                                   "atomicMin(out, static_cast<result_t>(found));"
                                                 : "*static_cast<volatile result_t*>(out) = false;") +
                " }");
    source.line(vector_tiles);
    source.line(kernel_overlap);
    source.line(kernels);
    BuildRequest request(kind_.algorithm, source);
    request.kernels = {"cuprum_search_init", "cuprum_search"};
    request.constants = {{"threads", "threads"}, {"tile items", "tile_items"}};
    return request;
}

void Search::run_on_host(const HostCall& call, const Input& first, const Input* second, const Output& output) const {
    using namespace host_execution;
    check_call(call, &op_);
    const host::Source of_first = source_of(call, kind_.first, first_, first, call.count);
    std::optional<host::Source> of_second;
    if (second != nullptr) of_second = source_of(call, "second input", *second_, *second, call.count);
    void* const target = target_of(call, "output", result_, output, 1);
    uint64_t position = 0;
    check(host_functions().search(&of_first, of_second ? &*of_second : nullptr, call.count, number_of(op_),
                                  kind_.wanted ? 1 : 0, &position),
          call);
    if (!kind_.tells_position) position = position == call.count ? 1 : 0;
    std::memcpy(target, &position, result_.size());  // little-endian
}

void Search::operator()(const core::StreamRef& stream, const Input& first, const Input* second, const Output& output,
                        uint64_t count, const CallOptions& options) const {
    if (kind_.tells_position && count > largest_position(result_)) {
        throw InvalidArgument(
            kind_.operation, "output",
            "it is of " + result_.name() + ", which cannot hold positions up to " + std::to_string(count),
            "build the search for positions of 64 bits");
    }
    if (target_.is_host()) {
        run_on_host({kind_.operation, stream, options, count}, first, second, output);
        return;
    }
    const Call call{kind_.operation, target_.device(), stream, count};
    check_stream(call);
    check_input(call, kind_.first, first_, first);
    if (second != nullptr) check_input(call, "second input", *second_, *second);
    // Written also where nothing is read.
    check_output({kind_.operation, target_.device(), stream, 1}, "output", result_, output, 1);
    const Extent result = extent_of("output", output, result_, 1);
    refuse_overlap(kind_.operation, extent_of(kind_.first, first, first_.value_type(), count), result);
    if (second != nullptr)
        refuse_overlap(kind_.operation, extent_of("second input", *second, second_->value_type(), count), result);
    const Program& program = programs_.for_count(count);
    const Offset all{count, program.wide};
    const uint64_t blocks = std::min(ceil_divide(count, program.tile_items), program.most_blocks);
    if (blocks != 1) launch_kernel(stream, 1, 1, program.init, output.address(), all);
    if (blocks == 0) return;
    static constexpr char nothing = 0;
    const Raw op{operator_state(call, op_, options), op_.state() ? op_.state()->size() : 1};
    const Raw of_second = second != nullptr ? Raw{second->state(), second_->state().size()} : Raw{&nothing, 1};
    launch_kernel(stream, overlapping(blocks, program.threads, program.overlaps && blocks > 1), program.search,
                  Raw{first.state(), first_.state().size()}, of_second, output.address(), op, all);
}

}  // namespace cuprum::parallel
