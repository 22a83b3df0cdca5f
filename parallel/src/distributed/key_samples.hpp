// Some of the keys of a rank, by their positions.
#pragma once

#include <cstdint>
#include <vector>

#include "collective_call.hpp"
#include "cuprum/parallel/transform.hpp"

namespace cuprum::parallel::distributed {

// How many samples a rank gives of a range of its keys. With more of them there are fewer rounds (ExactSplitting), each
// of which moves and sorts more.
constexpr uint64_t samples_per_rank = 256;

class KeySamples {
public:
    KeySamples(const Communicator& communicator, const Type& keys) : key_size_(keys.size()), gather_(communicator) {
        const Iterator by_position = Iterator::permutation(Iterator::pointer(keys), positions_at(0));
        for_each_local_rank(communicator, [&](size_t rank) {
            gather_.emplace_back(by_position, OpKind::identity, keys, communicator.device(rank));
        });
    }

    core::BufferRef operator()(CollectiveCall& call, size_t rank, const Type& keys, const core::BufferRef& memory,
                               const std::vector<uint64_t>& positions) const {
        const core::BufferRef samples = call.allocate(rank, positions.size() * key_size_);
        if (positions.empty()) return samples;
        const core::BufferRef uploaded = call.upload(rank, positions);
        gather_[rank](call.stream(rank),
                      Iterator::permutation(Iterator::pointer(keys, memory.handle()), positions_at(uploaded.handle())),
                      samples, positions.size());
        return samples;
    }

private:
    static Iterator positions_at(core::DevicePointer address) {
        return Iterator::pointer(Type(TypeKind::uint64), address);
    }

    uint64_t key_size_;
    OfRanks<Transform> gather_;
};

}  // namespace cuprum::parallel::distributed
