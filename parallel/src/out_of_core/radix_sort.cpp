#include "cuprum/parallel/radix_sort.hpp"

#include <string>
#include <vector>

#include "cuprum/parallel/out_of_core/radix_sort.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "piece_sort.hpp"

namespace cuprum::parallel::out_of_core {

namespace {

constexpr const char* operation = "sorting";
constexpr uint64_t least_piece = 256;  // keys

// Memory of the caller's.
struct Columns {
    const HostInput& keys_in;
    const HostOutput& keys_out;
    const HostInput* values_in;
    const HostOutput* values_out;
    std::optional<HostOutput> keys_scratch{}, values_scratch{};
};

}  // namespace

struct RadixSort::State {
    std::vector<DeviceMemory> memory;
    Type keys;
    std::optional<Type> values;
    ElementSizes sizes;
    std::vector<parallel::RadixSort> sorts;  // of each device
    KeyOrder order;

    State(SortOrder order_, const std::vector<DeviceMemory>& memory_, const Type& keys_,
          const std::optional<Type>& values_)
        : memory(memory_),
          keys(keys_),
          values(values_),
          sizes{keys.size(), values ? values->size() : 0},
          order(order_, keys) {
        check_devices(operation, memory);
        for (const DeviceMemory& each : memory)
            sorts.emplace_back(order_, keys, values, each.device);
    }

    void check(const Columns& columns) const;
    void check_scratch(const Columns& columns) const;
    void run(const Columns& columns) const;
    void sort_in_pieces(DeviceCalls& calls, const Plan& plan, const HostColumns& in, const HostColumns& out) const;
    void merge(DeviceCalls& calls, const Plan& plan, const HostColumns& runs, const HostColumns& out) const;
    Stages stages(DeviceCalls& calls, const Plan& plan, size_t device, const HostColumns& out) const;
};

RadixSort::RadixSort(SortOrder order, const DeviceMemory& memory, const Type& keys, const std::optional<Type>& values)
    : RadixSort(order, std::vector{memory}, keys, values) {}

RadixSort::RadixSort(SortOrder order, const std::vector<DeviceMemory>& memory, const Type& keys,
                     const std::optional<Type>& values)
    : state_(std::make_shared<const State>(order, memory, keys, values)) {}

void RadixSort::operator()(const HostInput& keys_in, const HostOutput& keys_out,
                           const std::optional<HostOutput>& scratch) const {
    if (state_->values) {
        throw InvalidArgument(operation, "values", "none are given, but this sort was built with values");
    }
    state_->run({keys_in, keys_out, nullptr, nullptr, scratch});
}

void RadixSort::operator()(const HostInput& keys_in, const HostOutput& keys_out, const HostInput& values_in,
                           const HostOutput& values_out, const std::optional<HostOutput>& keys_scratch,
                           const std::optional<HostOutput>& values_scratch) const {
    if (!state_->values) {
        throw InvalidArgument(operation, "values", "they are given, but this sort was built without values");
    }
    state_->run({keys_in, keys_out, &values_in, &values_out, keys_scratch, values_scratch});
}

void RadixSort::State::check(const Columns& columns) const {
    const uint64_t count = columns.keys_in.count;
    check_elements(operation, "input keys", keys, columns.keys_in);
    check_elements(operation, "output keys", keys, columns.keys_out);
    check_same_count(operation, "output keys", columns.keys_out.count, "input keys", count);
    if (values) {
        check_elements(operation, "input values", *values, *columns.values_in);
        check_elements(operation, "output values", *values, *columns.values_out);
        check_same_count(operation, "input values", columns.values_in->count, "input keys", count);
        check_same_count(operation, "output values", columns.values_out->count, "input keys", count);
        refuse_overlap(operation, extent_of("output keys", columns.keys_out, count),
                       extent_of("output values", *columns.values_out, count));
    }
    check_scratch(columns);
}

void RadixSort::State::check_scratch(const Columns& columns) const {
    const uint64_t count = columns.keys_in.count;
    if (values && columns.keys_scratch.has_value() != columns.values_scratch.has_value()) {
        throw InvalidArgument(operation, columns.keys_scratch ? "values' scratch memory" : "keys' scratch memory",
                              "there is none, and the other column has some", "give both, or neither");
    }
    if (!columns.keys_scratch) return;
    const char* const name = "keys' scratch memory";
    check_room(operation, name, keys, *columns.keys_scratch, count);
    const Extent scratch = extent_of(name, *columns.keys_scratch, count);
    refuse_partial_overlap(operation, extent_of("input keys", columns.keys_in), scratch);
    refuse_overlap(operation, extent_of("output keys", columns.keys_out, count), scratch);
    if (!values) return;
    const char* const values_name = "values' scratch memory";
    check_room(operation, values_name, *values, *columns.values_scratch, count);
    const Extent values_scratch = extent_of(values_name, *columns.values_scratch, count);
    const Extent values_in = extent_of("input values", *columns.values_in);
    const Extent values_out = extent_of("output values", *columns.values_out, count);
    refuse_partial_overlap(operation, values_in, values_scratch);
    for (const Extent& other : {extent_of("input keys", columns.keys_in),
                                extent_of("output keys", columns.keys_out, count), values_out, scratch})
        refuse_overlap(operation, other, values_scratch);
    for (const Extent& other : {values_in, values_out})
        refuse_overlap(operation, other, scratch);
}

void RadixSort::State::run(const Columns& columns) const {
    check(columns);
    const uint64_t count = columns.keys_in.count;
    if (count == 0) return;
    const auto needs = [this](size_t device) {
        return Needs{operation, sizes, sort_buffers, sort_buffers_alone,
                     [this, device](uint64_t elements) { return sorts[device].double_buffer_storage_bytes(elements); }};
    };
    const Plans plans(memory, needs, count, sort_pieces(sizes, memory.size(), count, max_runs, least_piece));
    const Plan& plan = plans[0];
    DeviceCalls calls(memory, plans);
    const auto column = [&](size_t which, const void* data) {
        return data == nullptr ? HostMemory() : host_memory(const_cast<void*>(data), count * sizes[which]);
    };
    const HostColumns in{column(0, columns.keys_in.data), column(1, values ? columns.values_in->data : nullptr)};
    const HostColumns out{column(0, columns.keys_out.data), column(1, values ? columns.values_out->data : nullptr)};
    if (plan.pieces == 1) {
        sort_in_pieces(calls, plan, in, out);
        calls.finish();
        return;
    }
    HostColumns runs;
    if (columns.keys_scratch) {
        runs = {column(0, columns.keys_scratch->data), column(1, values ? columns.values_scratch->data : nullptr)};
    } else {
        for (size_t i = 0; i < sizes.size(); ++i) {
            if (sizes[i] == 0) continue;
            runs[i] = {calls[0].allocate_page_locked(count * sizes[i]).as_span<std::byte>().data(), true};
        }
    }
    sort_in_pieces(calls, plan, in, runs);
    merge(calls, plan, runs, out);
    calls.finish();
}

// All but where a piece comes from.
Stages RadixSort::State::stages(DeviceCalls& calls, const Plan& plan, size_t device, const HostColumns& out) const {
    PieceCall& call = calls[device];
    Stages stages;
    stages.takes_other = true;
    stages.work = [this, &call, &plan, device](uint64_t piece, const PieceBuffer& buffer, const PieceBuffer& other) {
        return sort_piece(call, sorts[device], buffer, other, plan.length(piece));
    };
    stages.copy_out = [this, &call, &plan, &out](uint64_t piece, const PieceBuffer& results) {
        download_columns(call, sizes, results, out, plan.begin(piece), plan.length(piece));
    };
    return stages;
}

void RadixSort::State::sort_in_pieces(DeviceCalls& calls, const Plan& plan, const HostColumns& in,
                                      const HostColumns& out) const {
    calls.run(plan.pieces, [&](size_t device) {
        Stages of_device = stages(calls, plan, device, out);
        of_device.copy_in = [&, device](uint64_t piece, const PieceBuffer& buffer) {
            upload_columns(calls[device], sizes, in, plan.begin(piece), plan.length(piece), buffer);
        };
        return of_device;
    });
}

void RadixSort::State::merge(DeviceCalls& calls, const Plan& plan, const HostColumns& runs,
                             const HostColumns& out) const {
    std::vector<HostColumns> parts;
    std::vector<Run> of_keys;
    for (uint64_t piece = 0; piece < plan.pieces; ++piece) {
        HostColumns part = runs;
        for (size_t i = 0; i < sizes.size(); ++i) {
            if (sizes[i] > 0) part[i].data += plan.begin(piece) * sizes[i];
        }
        parts.push_back(part);
        of_keys.push_back({part[0].data, plan.length(piece)});
    }
    const SortedRuns sorted(order, sizes[0], std::move(of_keys));
    calls.run(plan.pieces, [&](size_t device) {
        Stages of_device = stages(calls, plan, device, out);
        of_device.copy_in = [&, device, before = sorted.begin()](uint64_t piece, const PieceBuffer& buffer) mutable {
            const Cut begin = sorted.at(plan.begin(piece), before);
            before = sorted.at(plan.begin(piece) + plan.length(piece), begin);
            upload_parts(calls[device], sizes, parts, begin, before, buffer);
        };
        return of_device;
    });
}

}  // namespace cuprum::parallel::out_of_core
