#include "rank_results.hpp"

#include <array>
#include <string>
#include <string_view>

#include "operator_bytes.hpp"

namespace cuprum::parallel::distributed {

namespace {

// All loads before the first use, so that the thread waits once.
constexpr std::string_view kernels = R"(
struct results_t { const accum_t* of_rank[most_results]; };
__global__ void cuprum_combine_results(results_t results, int count, op_t op, accum_t init, int has_init, accum_t* out) {
    accum_t own[most_results];
    #pragma unroll
    for (int i = 0; i < most_results; ++i) {
        if (i < count) own[i] = *results.of_rank[i];
    }
    accum_t all = has_init != 0 ? init : own[0];
    #pragma unroll
    for (int i = 0; i < most_results; ++i) {
        if (i < count && (i > 0 || has_init != 0)) all = static_cast<accum_t>(op(all, own[i]));
    }
    *out = all;
})";

BuildRequest make_request(const Operator& op, const Type& accumulator) {
    SourceBuilder source({});
    source.alias("accum_t", source.type(accumulator));
    source.alias("op_t", source.op(op, {accumulator, accumulator}, accumulator));
    source.line("constexpr int most_results = " + std::to_string(CombineResults::most) + ";");
    source.line(kernels);
    BuildRequest request("reduce", source);
    request.kernels = {"cuprum_combine_results"};
    return request;
}

}  // namespace

CombineResults::CombineResults(const Operator& op, const Type& accumulator, const core::Device& device)
    : op_(op), size_(accumulator.size()), kernel_([&] {
          const BuildRequest request = make_request(op, accumulator);
          return CompiledProgram(*get_build(architecture_of(device), request), request).kernel(0);
      }()) {}

void CombineResults::operator()(const core::StreamRef& stream, std::span<const core::BufferRef> results,
                                const Value* init, const core::BufferRef& output) const {
    std::array<core::DevicePointer, most> addresses{};
    for (size_t i = 0; i < results.size(); ++i)
        addresses.at(i) = results[i].handle();
    const Bytes no_init(init == nullptr ? size_ : 0);
    launch_kernel(stream, 1, 1, kernel_, addresses, static_cast<int32_t>(results.size()), operator_bytes(op_),
                  Raw{init == nullptr ? no_init.data() : init->data(), size_}, int32_t{init != nullptr},
                  output.handle());
}

namespace {

std::vector<ReadableResults> read_at_peers(CollectiveCall& call, std::span<const RankResult> results,
                                           std::span<const ResultReader> readers) {
    std::vector<core::Event> ready(results.size());
    for (size_t i = 0; i < results.size(); ++i)
        call.on_one_rank(results[i].rank, [&] { ready[i] = call.stream(results[i].rank).record(); });
    std::vector<ReadableResults> readable(readers.size());
    for (size_t reader = 0; reader < readers.size(); ++reader) {
        const size_t rank = readers[reader].rank;
        call.on_one_rank(rank, [&] {
            for (size_t i = 0; i < readers[reader].count; ++i) {
                if (results[i].rank != rank) call.stream(rank).wait(ready[i]);
                readable[reader].each.push_back(results[i].memory);
            }
        });
    }
    return readable;
}

}  // namespace

std::vector<ReadableResults> make_readable(CollectiveCall& call, std::span<const RankResult> results,
                                           std::span<const ResultReader> readers, uint64_t size) {
    if (results.size() <= CombineResults::most && call.can_read_peers()) return read_at_peers(call, results, readers);
    std::vector<ReadableResults> readable(readers.size());
    std::vector<Message> messages;
    for (size_t reader = 0; reader < readers.size(); ++reader) {
        const auto [rank, count] = readers[reader];
        core::BufferRef& together = readable[reader].together;
        if (count > 0) call.on_one_rank(rank, [&] { together = call.allocate(rank, count * size); });
        for (size_t i = 0; i < count; ++i) {
            const RankResult& result = results[i];
            if (result.rank == rank) {
                readable[reader].each.push_back(result.memory);
                continue;
            }
            readable[reader].each.push_back(part(together, i * size, size));
            messages.push_back({result.rank, rank, result.memory, readable[reader].each.back()});
        }
    }
    call.exchange(messages);
    return readable;
}

}  // namespace cuprum::parallel::distributed
