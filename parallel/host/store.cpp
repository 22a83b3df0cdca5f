// Results that go elsewhere than into memory one after the other.
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "pipeline.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

// Where results go. The opposite of a Pipeline, which reads its indices.
class Sink {
public:
    explicit Sink(const Source& sink) : sink_(sink), size_(sink.element_size) {
        const int32_t written = sink.kind == Source::permutation ? 1 : sink.part_count;
        parts_.reserve(static_cast<size_t>(written));
        for (int32_t i = 0; i < written; ++i)
            parts_.emplace_back(sink.parts[i]);
        if (sink.kind == Source::permutation) {
            indices_.emplace_back(sink.parts[1]);
            indices_.back().convert_to(position_type);
        }
    }

    // A block of elements to the positions from `begin` on.
    void write(int64_t begin, size_t count, const std::byte* elements) const {
        switch (sink_.kind) {
            case Source::memory:
                std::memcpy(memory() + begin * static_cast<int64_t>(size_), elements, count * size_);
                break;
            case Source::strided:
                write_strided(begin, count, elements);
                break;
            case Source::permutation:
                write_permuted(begin, count, elements);
                break;
            case Source::zip:
                write_zipped(begin, count, elements);
                break;
            case Source::transform_output:
                write_transformed(begin, count, elements);
                break;
            default:  // discarded
                break;
        }
    }

private:
    std::byte* memory() const { return static_cast<std::byte*>(const_cast<void*>(sink_.memory_or_value)); }

    void scatter(const int64_t* positions, size_t count, const std::byte* elements) const {
        if (sink_.kind == Source::memory) {
            move_elements(size_, count, [&](size_t i) {
                return std::pair{memory() + positions[i] * static_cast<int64_t>(size_), elements + i * size_};
            });
            return;
        }
        for (size_t i = 0; i < count; ++i)
            write(positions[i], 1, elements + i * size_);
    }

    void write_strided(int64_t begin, size_t count, const std::byte* elements) const {
        std::array<int64_t, block_elements> positions;
        for (size_t i = 0; i < count; ++i)
            positions[i] = sink_.start + (begin + static_cast<int64_t>(i)) * sink_.step;
        parts_[0].scatter(positions.data(), count, elements);
    }

    void write_permuted(int64_t begin, size_t count, const std::byte* elements) const {
        std::array<int64_t, block_elements> positions;
        {
            Scratch scratch;
            const std::byte* const block = indices_[0].read(static_cast<uint64_t>(begin), count, scratch);
            std::memcpy(positions.data(), block, count * sizeof(int64_t));
        }
        parts_[0].scatter(positions.data(), count, elements);
    }

    void write_zipped(int64_t begin, size_t count, const std::byte* elements) const {
        for (size_t part = 0; part < parts_.size(); ++part) {
            Block column;
            const size_t size = parts_[part].size_;
            const std::byte* const field = elements + sink_.parts[part].offset;
            move_elements(size, count, [&](size_t i) { return std::pair{column.bytes + i * size, field + i * size_}; });
            parts_[part].write(begin, count, column.bytes);
        }
    }

    void write_transformed(int64_t begin, size_t count, const std::byte* elements) const {
        Source block = sink_;
        block.kind = Source::memory;
        block.memory_or_value = elements;
        block.part_count = 0;
        Scratch scratch;
        parts_[0].write(begin, count, Pipeline(block).read(0, count, scratch));
    }

    const Source& sink_;
    size_t size_;
    std::vector<Sink> parts_;
    std::vector<Pipeline> indices_;  // of a permutation
};

Status store(const Source* sink, const void* elements, uint64_t count) {
    const Sink to(*sink);
    const Chunks chunks(count);
    for_each_index(chunks.count(), [&](size_t chunk) {
        for_each_block(chunks.begin(chunk), chunks.end(chunk), [&](uint64_t begin, size_t here) {
            to.write(static_cast<int64_t>(begin), here,
                     static_cast<const std::byte*>(elements) + begin * sink->element_size);
        });
    });
    return success;
}

const Registration registration(&Functions::store, store);

}  // namespace

}  // namespace cuprum::parallel::host
