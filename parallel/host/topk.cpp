// The keys are sorted with their positions, and the first of them kept.
#include <cstring>
#include <memory>
#include <new>

#include "pipeline.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

struct Sorted {
    std::unique_ptr<std::byte[]> keys, keys_out;
    std::unique_ptr<int64_t[]> positions, positions_out;

    Sorted(uint64_t count, size_t key_size)
        : keys(new(std::nothrow) std::byte[count * key_size]),
          keys_out(new(std::nothrow) std::byte[count * key_size]),
          positions(new(std::nothrow) int64_t[count]),
          positions_out(new(std::nothrow) int64_t[count]) {}

    bool has_memory() const { return keys && keys_out && positions && positions_out; }
};

Status topk(const Source* keys, const Source* values, uint64_t count, uint64_t k, int32_t is_largest, void* keys_out,
            void* values_out) {
    if (k == 0) return success;
    const Pipeline elements(*keys);
    const size_t size = elements.element_size();
    const Sorted sorted(count, size);
    if (!sorted.has_memory()) return out_of_memory;
    const Chunks chunks(count);
    for_each_index(chunks.count(), [&](size_t chunk) {
        Scratch scratch;
        for_each_block(chunks.begin(chunk), chunks.end(chunk), [&](uint64_t begin, size_t in_block) {
            elements.read_to(begin, in_block, scratch, sorted.keys.get() + begin * size);
            for (size_t i = 0; i < in_block; ++i)
                sorted.positions[begin + i] = static_cast<int64_t>(begin + i);
        });
    });
    const Status status =
        functions.sort(elements.type(), is_largest, sorted.keys.get(), sorted.keys_out.get(), sizeof(int64_t),
                       sorted.positions.get(), sorted.positions_out.get(), count, 0, static_cast<int32_t>(8 * size));
    if (status != success) return status;
    std::memcpy(keys_out, sorted.keys_out.get(), k * size);
    if (values == nullptr) return success;
    const Pipeline moved(*values);
    const Chunks of_values(k);
    for_each_index(of_values.count(), [&](size_t chunk) {
        for_each_block(of_values.begin(chunk), of_values.end(chunk), [&](uint64_t begin, size_t in_block) {
            moved.gather(sorted.positions_out.get() + begin, in_block,
                         static_cast<std::byte*>(values_out) + begin * moved.element_size());
        });
    });
    return success;
}

const Registration registration(&Functions::topk, topk);

}  // namespace

}  // namespace cuprum::parallel::host
