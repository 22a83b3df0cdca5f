// Elements combined into one, and with all results on the way.
#include <algorithm>
#include <array>
#include <cstring>

#include "blocks.hpp"
#include "tables.hpp"
#include "versions.hpp"

namespace cuprum::parallel::host {

namespace {

// Eight vectors of AVX2: as many additions are under way at a time.
constexpr size_t lane_bytes = 256;

template <Op op, class T>
T combine(T first, T second) {
    return convert<T>(apply_binary<op>(first, second));
}

// The lines of as many lanes, that many bytes ahead. The processor's own fetching ends at each page of 4 KiB: without
// this a sum of what lies in the third-level cache takes up to twice the time. Addresses beyond the elements do no
// harm.
template <class T>
void fetch_ahead(const T* elements) {
    constexpr size_t distance = 2048;
    constexpr size_t line = 64;
    const auto* const ahead = reinterpret_cast<const std::byte*>(elements) + distance;
    for (size_t offset = 0; offset < lane_bytes; offset += line)
        __builtin_prefetch(ahead + offset);
}

// In several lanes, which are combined at the end: the sums do not wait for each other, and lanes become vectors.
// Of halves each step is rounded, as on the device.
template <Op op, class T>
void fold(const void* elements, size_t count, void* accumulator) {
    constexpr size_t lanes = lane_bytes / sizeof(T);
    const auto* const in = static_cast<const T*>(elements);
    auto& result = *static_cast<T*>(accumulator);
    size_t i = 0;
    if (count >= 2 * lanes) {
        std::array<T, lanes> partial;
        std::copy_n(in, lanes, partial.begin());
        for (i = lanes; i + lanes <= count; i += lanes) {
            fetch_ahead(in + i);
            for (size_t lane = 0; lane < lanes; ++lane)
                partial[lane] = combine<op>(partial[lane], in[i + lane]);
        }
        for (size_t width = lanes / 2; width > 0; width /= 2) {
            for (size_t lane = 0; lane < width; ++lane)
                partial[lane] = combine<op>(partial[lane], partial[lane + width]);
        }
        result = combine<op>(result, partial[0]);
    }
    for (; i < count; ++i)
        result = combine<op>(result, in[i]);
}

template <Op op, class T, bool is_exclusive>
void scan(const void* elements, void* result, size_t count, void* accumulator) {
    const auto* const in = static_cast<const T*>(elements);
    auto* const out = static_cast<T*>(result);
    T sum = *static_cast<const T*>(accumulator);
    for (size_t i = 0; i < count; ++i) {
        const T next = combine<op>(sum, in[i]);  // read before `out` is written: they may be the same
        out[i] = is_exclusive ? sum : next;
        sum = next;
    }
    *static_cast<T*>(accumulator) = sum;
}

template <class Function>
constexpr auto combination_table(Function function) {
    return op_table([function]<Op op, int32_t type>() -> decltype(function.template operator()<plus, TypeAt<0>>()) {
        if constexpr (combines(op) && is_defined<op, TypeAt<type>>) {
            return function.template operator()<op, TypeAt<type>>();
        } else {
            return {};
        }
    });
}

constexpr auto folds = combination_table([]<Op op, class T>() { return versions_of<fold<op, T>>(); });
constexpr auto inclusive_scans = combination_table([]<Op op, class T>() -> ScanBlock { return scan<op, T, false>; });
constexpr auto exclusive_scans = combination_table([]<Op op, class T>() -> ScanBlock { return scan<op, T, true>; });

template <class T>
size_t find(const void* elements, size_t count, const void* extreme) {
    const auto* const in = static_cast<const T*>(elements);
    const auto wanted = widen(*static_cast<const T*>(extreme));
    size_t i = 0;
    while (i < count && widen(in[i]) != wanted)
        ++i;
    return i;
}
template <class T>
size_t first_nan(const void* elements, size_t count) {
    if constexpr (is_integer<T>) {
        return count;
    } else {
        const auto* const in = static_cast<const T*>(elements);
        const auto is_nan = [](T element) { return widen(element) != widen(element); };
        int any = 0;  // without a way out of the loop: vector code
        for (size_t i = 0; i < count; ++i)
            any |= static_cast<int>(is_nan(in[i]));
        return any == 0 ? count : static_cast<size_t>(std::find_if(in, in + count, is_nan) - in);
    }
}

constexpr auto finders = type_table([]<int32_t type>() -> FindBlock {
    if constexpr (is_real<TypeAt<type>>) {
        return find<TypeAt<type>>;
    } else {
        return nullptr;
    }
});
constexpr auto nan_finders = type_table([]<int32_t type>() -> FindNan {
    if constexpr (is_real<TypeAt<type>>) {
        return first_nan<TypeAt<type>>;
    } else {
        return nullptr;
    }
});

}  // namespace

FoldBlock fold_block(OpNumber op, TypeNumber type) {
    return folds[static_cast<size_t>(op)][static_cast<size_t>(type)].best();
}
ScanBlock inclusive_scan_block(OpNumber op, TypeNumber type) {
    return inclusive_scans[static_cast<size_t>(op)][static_cast<size_t>(type)];
}
ScanBlock exclusive_scan_block(OpNumber op, TypeNumber type) {
    return exclusive_scans[static_cast<size_t>(op)][static_cast<size_t>(type)];
}
FindBlock find_block(TypeNumber type) {
    return finders[static_cast<size_t>(type)];
}
FindNan find_nan(TypeNumber type) {
    return nan_finders[static_cast<size_t>(type)];
}

}  // namespace cuprum::parallel::host
