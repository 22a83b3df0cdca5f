// The threads share the copies; each is done by one.
#include <array>
#include <cstring>

#include "pipeline.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

Status batched_memcpy(const Source* sources, const Source* targets, const Source* sizes, uint64_t count) {
    const Pipeline from(*sources);
    const Pipeline to(*targets);
    Pipeline bytes(*sizes);
    bytes.convert_to(position_type);
    const Chunks chunks(count, 16);
    for_each_index(chunks.count(), [&](size_t chunk) {
        Scratch scratch;
        std::array<uint64_t, block_elements> own_sources;
        std::array<uint64_t, block_elements> own_targets;
        std::array<int64_t, block_elements> own_sizes;
        for_each_block(chunks.begin(chunk), chunks.end(chunk), [&](uint64_t begin, size_t in_block) {
            from.read_to(begin, in_block, scratch, reinterpret_cast<std::byte*>(own_sources.data()));
            to.read_to(begin, in_block, scratch, reinterpret_cast<std::byte*>(own_targets.data()));
            bytes.read_to(begin, in_block, scratch, reinterpret_cast<std::byte*>(own_sizes.data()));
            for (size_t i = 0; i < in_block; ++i) {
                if (own_sizes[i] <= 0) continue;
                std::memcpy(reinterpret_cast<void*>(own_targets[i]), reinterpret_cast<const void*>(own_sources[i]),
                            static_cast<size_t>(own_sizes[i]));
            }
        });
    });
    return success;
}

const Registration registration(&Functions::batched_memcpy, batched_memcpy);

}  // namespace

}  // namespace cuprum::parallel::host
