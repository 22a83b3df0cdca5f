#include "cuprum/parallel/reduce.hpp"

#include <algorithm>
#include <vector>

#include "../layout.hpp"
#include "cuprum/parallel/out_of_core/reduce.hpp"
#include "device_calls.hpp"

namespace cuprum::parallel::out_of_core {

namespace {

constexpr const char* operation = "reducing";

}  // namespace

struct Reduce::State {
    struct OnDevice {
        parallel::Reduce of_elements, of_results;
    };
    std::vector<DeviceMemory> memory;
    Type input, accumulator;
    std::vector<OnDevice> devices;

    State(const std::vector<DeviceMemory>& memory_, const Type& input_, const Operator& op, const Type& accumulator_)
        : memory(memory_), input(input_), accumulator(accumulator_) {
        check_devices(operation, memory);
        for (const DeviceMemory& each : memory) {
            devices.push_back({parallel::Reduce(Iterator::pointer(input), op, accumulator, each.device),
                               parallel::Reduce(Iterator::pointer(accumulator), op, accumulator, each.device)});
        }
    }

    // Results that one device combines: of all devices, or so far and of a piece.
    uint64_t results() const { return std::max<uint64_t>(memory.size(), 2); }
    Needs needs(size_t device) const {
        const OnDevice& reduce = devices[device];
        Needs needs{operation, {input.size(), 0}, 2, 1, [this, &reduce](uint64_t elements) {
                        return std::max(reduce.of_elements.temp_storage_bytes(elements),
                                        reduce.of_results.temp_storage_bytes(results()));
                    }};
        needs.other_bytes = align_up(results() * accumulator.size(), 256);
        return needs;
    }
    Stages stages(DeviceCalls& calls, const Plan& plan, size_t device, const HostMemory& source,
                  const core::BufferRef& results) const;
};

Reduce::Reduce(const std::vector<DeviceMemory>& memory, const Type& input, const Operator& op, const Type& accumulator)
    : state_(std::make_shared<const State>(memory, input, op, accumulator)) {}

Reduce::Reduce(const DeviceMemory& memory, const Type& input, const Operator& op, const Type& accumulator)
    : Reduce(std::vector{memory}, input, op, accumulator) {}

void Reduce::operator()(const HostInput& input, const HostOutput& output, const Value& init) const {
    run(input, output, &init);
}

void Reduce::operator()(const HostInput& input, const HostOutput& output) const {
    run(input, output, nullptr);
}

// The result so far stays on the device, beside that of the piece.
Stages Reduce::State::stages(DeviceCalls& calls, const Plan& plan, size_t device, const HostMemory& source,
                             const core::BufferRef& results) const {
    PieceCall& call = calls[device];
    const OnDevice& reduce = devices[device];
    const uint64_t size = accumulator.size();
    Stages stages;
    stages.copy_in = [&plan, &call, source, this](uint64_t piece, const PieceBuffer& in) {
        call.upload(source, plan.begin(piece) * input.size(),
                    in.columns[0].slice(0, plan.length(piece) * input.size()));
    };
    stages.work = [&plan, &call, &reduce, device, results, size](uint64_t piece, const PieceBuffer& in,
                                                                 const PieceBuffer&) {
        const bool is_first = piece == device;
        const core::BufferRef result = results.slice(is_first ? 0 : size, size);
        reduce.of_elements(call.stream(), in.columns[0], result, plan.length(piece), call.options());
        if (!is_first) reduce.of_results(call.stream(), results, results, 2, call.options());
        return true;
    };
    return stages;
}

// The first device combines the results of all.
void Reduce::run(const HostInput& input, const HostOutput& output, const Value* init) const {
    const State& state = *state_;
    const uint64_t size = state.accumulator.size();
    check_elements(operation, "elements", state.input, input);
    check_room(operation, "result", state.accumulator, output, 1);
    check_initial_value(operation, init, state.accumulator);
    if (input.count == 0 && init == nullptr) return;
    const Plans plans(
        state.memory, [&](size_t device) { return state.needs(device); }, input.count,
        one_pass({state.input.size(), 0}));
    const HostMemory source = host_memory(const_cast<void*>(input.data), input.count * state.input.size());
    Bytes others(plans.devices() * size);
    DeviceCalls calls(state.memory, plans);
    std::vector<core::BufferRef> results;
    results.reserve(calls.size());
    for (size_t device = 0; device < calls.size(); ++device)
        results.push_back(calls[device].reserve(state.results() * size));
    calls.run(
        plans->pieces,
        [&](size_t device) { return state.stages(calls, plans[device], device, source, results[device]); },
        [&](size_t device) {
            if (device == 0) return;
            results[device].slice(0, size).copy_to_host(others.data() + (device - 1) * size, size,
                                                        calls[device].stream());
        });
    PieceCall& call = calls[0];
    const core::BufferRef all = results[0], total = all.slice(0, size);
    const uint64_t found = plans->pieces == 0 ? 0 : calls.size();
    if (found > 1) all.slice(size, (found - 1) * size).copy_from_host(others.data(), (found - 1) * size, call.stream());
    const parallel::Reduce& combine = state.devices[0].of_results;
    if (init != nullptr) {
        combine(call.stream(), all, total, found, *init, call.options());
    } else if (found > 1) {
        combine(call.stream(), all, total, found, call.options());
    }
    total.copy_to_host(output.data, size, call.stream());
    calls.finish();
}

}  // namespace cuprum::parallel::out_of_core
