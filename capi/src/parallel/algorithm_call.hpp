// What the functions of every algorithm share: cuprum_parallel_<algorithm>_build and cuprum_parallel_<algorithm>.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "../call.hpp"
#include "cuprum/core/buffer.hpp"
#include "cuprum/parallel/algorithm.hpp"
#include "objects.hpp"

namespace cuprum::capi {

template <class Algorithm>
cuprum_parallel_algorithm give_algorithm(const Call& call, const parallel::Execution& target, Algorithm algorithm) {
    return call.give<cuprum_parallel_algorithm>(AlgorithmObject(std::move(algorithm), target.is_host()));
}

// The algorithm, if it is of that kind.
template <class Algorithm>
const Algorithm& expect(const Call& call, const Pin<AlgorithmObject>& object, const char* kind) {
    const auto* const algorithm = object->get_if<Algorithm>();
    if (algorithm == nullptr) call.refuse("algorithm", std::string("was built as another kind; expected ") + kind);
    return *algorithm;
}

// The stream of one call, kept in use; none for what runs on the host.
class StreamOfCall {
public:
    StreamOfCall(const Call& call, const AlgorithmObject& algorithm, cuprum_stream stream)
        : on_host_(algorithm.on_host()) {
        if (stream != nullptr || !on_host_) pin_.emplace(call.use(stream, "stream"));
    }
    const core::StreamRef& get() const { return pin_ ? (*pin_)->stream : none_; }
    bool on_host() const { return on_host_; }

private:
    std::optional<Pin<StreamObject>> pin_;
    core::StreamRef none_;
    bool on_host_;
};

// The options of one call; the operators are kept in use for as long as they are.
class Options {
public:
    Options(const Call& call, const StreamOfCall& stream, cuprum_parallel_operator op, uint64_t storage,
            uint64_t storage_size, cuprum_parallel_operator second_op = nullptr) {
        if (op != nullptr) {
            pin_.emplace(call.use(op, "op"));
            options_.op = &(*pin_)->op;
        }
        if (second_op != nullptr) {
            second_pin_.emplace(call.use(second_op, "second_op"));
            options_.second_op = &(*second_pin_)->op;
        }
        if (storage != 0 && stream.on_host()) {
            call.refuse(
                "storage",
                "is given, and the algorithm was built for the host's cores (CUPRUM_EXECUTION_HOST), which need none");
        } else if (storage != 0) {
            options_.temp_storage = core::BufferRef::from_handle(storage, storage_size, stream.get().device_id());
        } else if (storage_size != 0) {
            call.refuse("storage", "is 0 and storage_size is " + std::to_string(storage_size));
        }
    }
    const parallel::CallOptions& get() const { return options_; }

private:
    std::optional<Pin<OperatorObject>> pin_, second_pin_;
    parallel::CallOptions options_;
};

// What an algorithm is built to write through: nothing, where all are NULL. `types`: of the results.
inline parallel::BuildOptions writing_through(
    const Call& call, std::initializer_list<std::pair<const char*, cuprum_parallel_iterator>> given,
    std::initializer_list<parallel::Type> types) {
    parallel::BuildOptions options;
    const bool has_any =
        std::any_of(given.begin(), given.end(), [](const auto& each) { return each.second != nullptr; });
    if (!has_any) return options;
    const auto* type = types.begin();
    for (const auto& [name, iterator] : given) {
        options.outputs.push_back(iterator == nullptr ? parallel::Iterator::pointer(*type)
                                                      : call.use(iterator, name)->iterator);
        ++type;
    }
    return options;
}

// An output of one call: an address, or an iterator, which is kept in use.
class OutputOfCall {
public:
    OutputOfCall(const Call& call, const char* name, uint64_t address, cuprum_parallel_iterator iterator)
        : address_(address) {
        if (iterator == nullptr) return;
        pin_.emplace(call.use(iterator, name));
        if (address != 0) call.refuse(name, "is given, and so is an address; expected one");
    }
    parallel::Output get() const { return pin_ ? parallel::Output((*pin_)->iterator) : parallel::Output(address_); }

private:
    std::optional<Pin<IteratorObject>> pin_;
    uint64_t address_;
};

}  // namespace cuprum::capi
