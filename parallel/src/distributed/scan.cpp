#include "cuprum/parallel/distributed/scan.hpp"

#include <vector>

#include "collective_call.hpp"
#include "cuprum/parallel/scan.hpp"
#include "rank_results.hpp"
#include "tile_scan.hpp"

namespace cuprum::parallel::distributed {

namespace {

constexpr const char* operation = "scanning";

}  // namespace

// Each rank finds the results of its tiles, learns those of the ranks before it, and scans its tiles from there on.
struct Scan::State {
    // What one rank does.
    struct Rank {
        TileScan of_tiles;
        CombineResults of_ranks;
        parallel::Scan alone;  // in one pass, where no other rank has elements
    };

    ScanKind kind;
    Communicator communicator;
    Type input, accumulator;
    Digest digest;
    OfRanks<Rank> ranks;

    State(ScanKind kind_, const Communicator& communicator_, const Type& input_, const Operator& op,
          const Type& accumulator_)
        : kind(kind_), communicator(communicator_), input(input_), accumulator(accumulator_), ranks(communicator) {
        digest.add_text(operation).add(static_cast<uint64_t>(kind)).add(input).add(op).add(accumulator);
        for_each_local_rank(communicator, [&](size_t rank) {
            const core::Device& device = communicator.device(rank);
            ranks.push_back({TileScan(kind, input, op, accumulator, device), CombineResults(op, accumulator, device),
                             parallel::Scan(kind, Iterator::pointer(input), op, accumulator, device)});
        });
    }

    void scan_on(CollectiveCall& call, size_t rank, const Shard& in, const Shard& out, const Value* init) const;
    void scan_on_all(CollectiveCall& call, std::span<const size_t> at_work, std::span<const Shard> inputs,
                     std::span<const Shard> outputs, const Value* init) const;
    core::BufferRef carry(CollectiveCall& call, size_t rank, const ReadableResults& before, const Value* init) const;
};

void Scan::State::scan_on(CollectiveCall& call, size_t rank, const Shard& in, const Shard& out,
                          const Value* init) const {
    call.on_one_rank(rank, [&] {
        const parallel::Scan& scan = ranks[rank].alone;
        if (init == nullptr) {
            scan(call.stream(rank), in.memory, out.memory, in.count);
        } else {
            scan(call.stream(rank), in.memory, out.memory, in.count, *init);
        }
    });
}

// What comes before the elements of a rank; invalid where nothing does.
core::BufferRef Scan::State::carry(CollectiveCall& call, size_t rank, const ReadableResults& before,
                                   const Value* init) const {
    if (before.each.empty() && init == nullptr) return {};
    const core::StreamRef stream = call.stream(rank);
    const core::BufferRef result = call.allocate(rank, accumulator.size());
    std::span<const core::BufferRef> results = before.each;
    if (results.size() > CombineResults::most) {
        ranks[rank].of_tiles.scan_results(stream, before.together, results.size());
        results = results.last(1);
    }
    ranks[rank].of_ranks(stream, results, init, result);
    return result;
}

// `at_work`: the ranks that have elements.
void Scan::State::scan_on_all(CollectiveCall& call, std::span<const size_t> at_work, std::span<const Shard> inputs,
                              std::span<const Shard> outputs, const Value* init) const {
    const uint64_t size = accumulator.size();
    std::vector<core::BufferRef> of_tiles(at_work.size());
    std::vector<RankResult> results;
    std::vector<ResultReader> readers;
    for (size_t i = 0; i < at_work.size(); ++i) {
        const size_t rank = at_work[i];
        const Shard &in = inputs[rank], &out = outputs[rank];
        results.push_back({rank});
        readers.push_back({rank, i});
        call.on_one_rank(rank, [&] {
            const TileScan& scan = ranks[rank].of_tiles;
            scan.check_overlap(in.memory, out.memory, in.count);
            of_tiles[i] = call.allocate(rank, scan.tiles(in.count) * size);
            scan.reduce(call.stream(rank), in.memory, of_tiles[i], in.count);
        });
    }
    for (size_t i = 0; i < at_work.size(); ++i) {
        const size_t rank = at_work[i];
        call.on_one_rank(rank, [&] {
            ranks[rank].of_tiles.scan_results(call.stream(rank), of_tiles[i], of_tiles[i].size() / size);
            results[i].memory = of_tiles[i].slice(of_tiles[i].size() - size, size);
        });
    }
    results.pop_back();
    const std::vector<ReadableResults> before = make_readable(call, results, readers, size);
    for (size_t i = 0; i < at_work.size(); ++i) {
        const size_t rank = at_work[i];
        call.on_one_rank(rank, [&] {
            ranks[rank].of_tiles.scan(call.stream(rank), inputs[rank].memory, outputs[rank].memory, of_tiles[i],
                                      carry(call, rank, before[i], init), inputs[rank].count);
        });
    }
}

Scan::Scan(ScanKind kind, const Communicator& communicator, const Type& input, const Operator& op,
           const Type& accumulator)
    : state_(std::make_shared<const State>(kind, communicator, input, op, accumulator)) {}

void Scan::operator()(std::span<const Shard> inputs, std::span<const Shard> outputs, const Value& init) const {
    run(inputs, outputs, state_->kind == ScanKind::inclusive ? nullptr : &init);
}

void Scan::operator()(std::span<const Shard> inputs, std::span<const Shard> outputs) const {
    if (state_->kind != ScanKind::inclusive) {
        throw InvalidArgument(operation, "initial value", "none is given, but this scan was built with one");
    }
    run(inputs, outputs, nullptr);
}

void Scan::run(std::span<const Shard> inputs_here, std::span<const Shard> outputs_here, const Value* init) const {
    const State& state = *state_;
    Digest digest = state.digest;
    if (init != nullptr) digest.add(*init);
    const AllShards shards = agree(state.communicator, operation, digest, {inputs_here, outputs_here}, [&] {
        check_shards(state.communicator, operation, "input", state.input, inputs_here);
        check_shards(state.communicator, operation, "output", state.accumulator, outputs_here);
        check_same_counts(state.communicator, operation, "output", outputs_here, "inputs", inputs_here);
        check_initial_value(operation, init, state.accumulator, "scan");
    });
    const std::vector<Shard>&inputs = shards[0], &outputs = shards[1];
    CollectiveCall call(state.communicator);
    std::vector<size_t> at_work;  // ranks with elements
    for (size_t rank = 0; rank < call.size(); ++rank) {
        if (inputs[rank].count > 0) at_work.push_back(rank);
    }
    if (at_work.size() == 1) {
        const size_t rank = at_work.front();
        state.scan_on(call, rank, inputs[rank], outputs[rank], init);
    } else if (!at_work.empty()) {
        state.scan_on_all(call, at_work, inputs, outputs, init);
    }
    call.finish();
}

}  // namespace cuprum::parallel::distributed
