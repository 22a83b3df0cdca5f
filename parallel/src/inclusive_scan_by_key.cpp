#include "cuprum/parallel/inclusive_scan_by_key.hpp"

#include "scan_by_key.hpp"

namespace cuprum::parallel {

struct InclusiveScanByKey::State : ScanByKey {
    static constexpr Kind kind{"inclusive_scan_by_key", "scanning by key", false};
    using ScanByKey::ScanByKey;
};

InclusiveScanByKey::InclusiveScanByKey(const Iterator& keys, const Iterator& values, const Operator& op,
                                       const Type& accumulator, const Operator& equal, const Execution& execution,
                                       const BuildOptions& options)
    : state_(std::make_shared<const State>(State::kind, keys, values, op, accumulator, equal, execution, options)) {}

uint64_t InclusiveScanByKey::temp_storage_bytes(uint64_t count) const {
    return state_->temp_storage_bytes(count);
}

void InclusiveScanByKey::operator()(core::StreamRef stream, const Input& keys, const Input& values,
                                    const Output& output, uint64_t count, const CallOptions& options) const {
    (*state_)(stream, keys, values, output, count, nullptr, options);
}

const Type& InclusiveScanByKey::accumulator() const {
    return state_->accumulator();
}

std::string InclusiveScanByKey::save() const {
    return state_->save();
}

void inclusive_scan_by_key(const HostInput& keys, const HostInput& values, const Operator& op, const Operator& equal,
                           const HostOutput& output, const Execution& execution) {
    scan_by_key_over_arrays<InclusiveScanByKey>(
        "inclusive_scan_by_key", keys, values, op, equal, output, execution,
        [&](const InclusiveScanByKey& built, const core::StreamRef& stream, const std::vector<Input>& in,
            const std::vector<Output>& out,
            const CallOptions& options) { built(stream, in[0], in[1], out[0], keys.count, options); });
}

}  // namespace cuprum::parallel
