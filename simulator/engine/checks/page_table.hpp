// What is known of pages of memory, by their numbers: a tree of three levels, so that finding one is three loads,
// wherever it lies.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/checks/make_once.hpp"

namespace cuprum::simulator {

// Thread-safe. Pages are made when they are first asked for, with their neighbours, and stay where they are.
template <typename Page>
class PageTable {
public:
    PageTable() = default;
    ~PageTable() {
        for (const std::atomic<Leaves*>& pointer : branches_) {
            const std::unique_ptr<Leaves> leaves(pointer.load(std::memory_order_relaxed));
            if (leaves == nullptr) continue;
            for (const std::atomic<Leaf*>& leaf : *leaves)
                delete leaf.load(std::memory_order_relaxed);
        }
    }
    PageTable(const PageTable&) = delete;
    PageTable& operator=(const PageTable&) = delete;

    Page& operator[](uint64_t number) {
        return make_once(make_once(branches_[branch_of(number)])[leaf_of(number)])[number % leaf_pages];
    }

    // Of those from `first` to `last` that have been made.
    template <typename Function>
    void for_each(uint64_t first, uint64_t last, const Function& function) {
        for (uint64_t number = first; number <= last;) {
            const uint64_t next = (number / leaf_pages + 1) * leaf_pages;
            Leaves* const leaves = branches_[branch_of(number)].load(std::memory_order_acquire);
            Leaf* const leaf = leaves ? (*leaves)[leaf_of(number)].load(std::memory_order_acquire) : nullptr;
            for (; leaf != nullptr && number < next && number <= last; ++number)
                function(number, (*leaf)[number % leaf_pages]);
            number = next;
        }
    }

private:
    // 38 bits: pages of 1 KiB in addresses of 48 bits.
    static constexpr size_t leaf_pages = size_t{1} << 10, leaf_count = size_t{1} << 14, branch_count = size_t{1} << 14;
    using Leaf = std::array<Page, leaf_pages>;
    using Leaves = std::array<std::atomic<Leaf*>, leaf_count>;

    static size_t branch_of(uint64_t number) { return number / (leaf_pages * leaf_count) % branch_count; }
    static size_t leaf_of(uint64_t number) { return number / leaf_pages % leaf_count; }

    std::array<std::atomic<Leaves*>, branch_count> branches_{};
};

}  // namespace cuprum::simulator
