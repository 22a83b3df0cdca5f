#include "cuprum/parallel/scan.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "../layout.hpp"
#include "cuprum/parallel/out_of_core/scan.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "device_calls.hpp"

namespace cuprum::parallel::out_of_core {

namespace {

constexpr const char* operation = "scanning";

}  // namespace

// Every piece but the first is an inclusive scan that begins with the last result before it. An exclusive scan is that,
// one place later, with the initial value before all.
struct Scan::State {
    struct OnDevice {
        parallel::Scan later;
        std::optional<parallel::Scan> first;  // of a scan without an initial value
    };
    ScanKind kind;
    std::vector<DeviceMemory> memory;
    Type input, accumulator;
    std::vector<OnDevice> devices;

    State(ScanKind kind_, const std::vector<DeviceMemory>& memory_, const Type& input_, const Operator& op,
          const Type& accumulator_)
        : kind(kind_), memory(memory_), input(input_), accumulator(accumulator_) {
        check_devices(operation, memory);
        for (const DeviceMemory& each : memory) {
            const auto build = [&](ScanKind of_kind) {
                return parallel::Scan(of_kind, Iterator::pointer(input), op, accumulator, each.device);
            };
            OnDevice& built = devices.emplace_back(OnDevice{build(ScanKind::inclusive_with_init), {}});
            if (kind == ScanKind::inclusive) built.first = build(kind);
        }
    }

    Needs needs(size_t device) const {
        const OnDevice& scan = devices[device];
        Needs needs{operation, {input.size(), accumulator.size()}, 3, 1, [&scan](uint64_t elements) {
                        return std::max(scan.later.temp_storage_bytes(elements),
                                        scan.first ? scan.first->temp_storage_bytes(elements) : 0);
                    }};
        needs.other_bytes = align_up(accumulator.size(), 256);
        if (kind == ScanKind::exclusive) needs.extra_elements = 1;
        return needs;
    }
    void scan_piece(const PieceCall& call, const OnDevice& scan, uint64_t piece, uint64_t count,
                    const PieceBuffer& buffer, const core::BufferRef& last) const;
};

// `last`: of the results before the piece, or the initial value; and then of the piece's.
void Scan::State::scan_piece(const PieceCall& call, const OnDevice& scan, uint64_t piece, uint64_t count,
                             const PieceBuffer& buffer, const core::BufferRef& last) const {
    const uint64_t size = accumulator.size();
    const bool is_exclusive = kind == ScanKind::exclusive;
    const core::BufferRef elements = buffer.columns[0];
    const core::BufferRef results = buffer.columns[1].slice(is_exclusive ? size : 0, count * size);
    if (is_exclusive) buffer.columns[1].slice(0, size).copy_from(last, call.stream());
    if (piece == 0 && scan.first) {
        (*scan.first)(call.stream(), elements, results, count, call.options());
    } else {
        scan.later(call.stream(), elements, results, count, last, call.options());
    }
    last.copy_from(results.slice((count - 1) * size, size), call.stream());
}

namespace {

// The last result of each piece, on its way from the device of the piece to that of the next one: through host memory,
// in the order of the two streams, for which the host does not wait.
class LastResults {
public:
    LastResults(DeviceCalls& calls, uint64_t pieces, uint64_t size) : calls_(calls), size_(size), left_(pieces) {
        if (is_needed()) memory_ = calls[0].allocate_page_locked(pieces * size).as_span<std::byte>();
    }

    // scan() of a piece, whose stream has the last result before it in `last` then, and afterwards its own.
    template <class Scan>
    void pass_on(uint64_t piece, const core::Stream& stream, const core::BufferRef& last, const Scan& scan) {
        if (!is_needed()) {
            scan();
            return;
        }
        calls_.in_turn(piece, [&] {
            if (piece > 0) {
                stream.wait(left_[piece - 1]);
                last.copy_from_host(memory_.data() + (piece - 1) * size_, size_, stream);
            }
            scan();
            last.copy_to_host(memory_.data() + piece * size_, size_, stream);
            left_[piece] = stream.record();
        });
    }

private:
    bool is_needed() const { return calls_.size() > 1; }

    DeviceCalls& calls_;
    uint64_t size_;
    std::vector<core::Event> left_;  // each piece's
    std::span<std::byte> memory_;
};

}  // namespace

Scan::Scan(ScanKind kind, const std::vector<DeviceMemory>& memory, const Type& input, const Operator& op,
           const Type& accumulator)
    : state_(std::make_shared<const State>(kind, memory, input, op, accumulator)) {}

Scan::Scan(ScanKind kind, const DeviceMemory& memory, const Type& input, const Operator& op, const Type& accumulator)
    : Scan(kind, std::vector{memory}, input, op, accumulator) {}

void Scan::operator()(const HostInput& input, const HostOutput& output, const Value& init) const {
    run(input, output, state_->kind == ScanKind::inclusive ? nullptr : &init);
}

void Scan::operator()(const HostInput& input, const HostOutput& output) const {
    if (state_->kind != ScanKind::inclusive) {
        throw InvalidArgument(operation, "initial value", "none is given, but this scan was built with one");
    }
    run(input, output, nullptr);
}

void Scan::run(const HostInput& input, const HostOutput& output, const Value* init) const {
    const State& state = *state_;
    const uint64_t size = state.accumulator.size(), input_size = state.input.size();
    check_elements(operation, "elements", state.input, input);
    check_elements(operation, "results", state.accumulator, output);
    check_same_count(operation, "results", output.count, "elements", input.count);
    check_initial_value(operation, init, state.accumulator);
    refuse_partial_overlap(operation, extent_of("elements", input), extent_of("results", output, output.count));
    if (input.count == 0) return;
    const Plans plans(
        state.memory, [&](size_t device) { return state.needs(device); }, input.count, one_pass({input_size, size}));
    const HostMemory source = host_memory(const_cast<void*>(input.data), input.count * input_size);
    const HostMemory destination = host_memory(output.data, output.count * size);
    DeviceCalls calls(state.memory, plans);
    LastResults last_results(calls, plans->pieces, size);
    calls.run(plans->pieces, [&](size_t device) {
        PieceCall& call = calls[device];
        const Plan& plan = plans[device];
        const core::BufferRef last = call.reserve(size);
        if (init != nullptr && device == 0) last.copy_from_host(init->data(), size, call.stream());
        Stages stages;
        stages.copy_in = [&](uint64_t piece, const PieceBuffer& in) {
            call.upload(source, plan.begin(piece) * input_size,
                        in.columns[0].slice(0, plan.length(piece) * input_size));
        };
        stages.work = [&, device, last](uint64_t piece, const PieceBuffer& in, const PieceBuffer&) {
            last_results.pass_on(piece, call.stream(), last, [&] {
                state.scan_piece(call, state.devices[device], piece, plan.length(piece), in, last);
            });
            return true;
        };
        stages.copy_out = [&](uint64_t piece, const PieceBuffer& results) {
            call.download(results.columns[1].slice(0, plan.length(piece) * size), destination,
                          plan.begin(piece) * size);
        };
        return stages;
    });
    calls.finish();
}

}  // namespace cuprum::parallel::out_of_core
