// Iterators as the device's code has them. A reader or writer gives or takes the element at a position; they are made
// of each other, and with a position they are an iterator.
#include <array>

#include "cuprum/pathfinder/error.hpp"
#include "source.hpp"

namespace cuprum::parallel {

namespace {

// Beside those that every program has (source.cpp). The members are those of the state (iterator.cpp), in its order.
constexpr std::string_view iterators = R"(#include <cub/thread/thread_load.cuh>
namespace cuprum_iterators {
template <class T> struct memory {
    using value_type = T;
    T* elements;
    __device__ __forceinline__ void write(long long i, const T& v) const { elements[i] = v; }
};
template <class T> struct discard {
    using value_type = T;
    __device__ __forceinline__ void write(long long, const T&) const {}
};
template <class Base> struct strided {
    using value_type = typename Base::value_type;
    Base base;
    long long start, step;
    __device__ __forceinline__ value_type operator()(long long i) const { return base(start + i * step); }
    __device__ __forceinline__ void write(long long i, const value_type& v) const { base.write(start + i * step, v); }
};
template <class Values, class Indices> struct permutation {
    using value_type = typename Values::value_type;
    Values values;
    Indices indices;
    __device__ __forceinline__ value_type operator()(long long i) const { return values(static_cast<long long>(indices(i))); }
    __device__ __forceinline__ void write(long long i, const value_type& v) const {
        values.write(static_cast<long long>(indices(i)), v);
    }
};
template <class Base, class Op, class T> struct transform_output {
    using value_type = T;
    Base base;
    Op op;
    __device__ __forceinline__ void write(long long i, const T& v) const {
        base.write(i, static_cast<typename Base::value_type>(op(v)));
    }
};
template <class T, cub::CacheLoadModifier Modifier> struct cache_modified {
    using value_type = T;
    const T* elements;
    __device__ __forceinline__ T operator()(long long i) const { return cub::ThreadLoad<Modifier>(elements + i); }
};
// The same as host/shuffle.hpp.
struct shuffle {
    using value_type = long long;
    using number = unsigned long long;
    number n, seed;
    static __device__ __forceinline__ number mix(number v) {
        v ^= v >> 32;
        v *= 0xd6e8feb86659fd93ULL;
        v ^= v >> 32;
        v *= 0xd6e8feb86659fd93ULL;
        return v ^ v >> 32;
    }
    __device__ long long operator()(long long i) const {
        if (n == 1) return 0;
        number x = static_cast<number>(i);
        if (x >= n) x %= n;
        const int bits = 64 - __clzll(static_cast<long long>(n - 1)), low_bits = (bits + 1) / 2;
        const number low_mask = (1ULL << low_bits) - 1, high_mask = (1ULL << (bits - low_bits)) - 1;
        do {
            number high = x >> low_bits, low = x & low_mask, key = seed;
            for (int round = 0; round < 4; ++round) {
                key += 0x9e3779b97f4a7c15ULL;
                high ^= mix(low + mix(key)) & high_mask;
                key += 0x9e3779b97f4a7c15ULL;
                low ^= mix(high + mix(key)) & low_mask;
            }
            x = high << low_bits | low;
        } while (x >= n);
        return static_cast<long long>(x);
    }
};
template <class Writer> struct to {
    using value_type = typename Writer::value_type;
    using difference_type = long long;
    using pointer = void;
    using iterator_category = ::cuda::std::random_access_iterator_tag;
    struct reference {
        Writer writer;
        long long position;
        template <class T> __device__ __forceinline__ void operator=(const T& v) const {
            writer.write(position, static_cast<value_type>(v));
        }
    };
    Writer writer;
    long long position;
    __device__ __forceinline__ reference operator*() const { return {writer, position}; }
    __device__ __forceinline__ reference operator[](long long i) const { return {writer, position + i}; }
    __device__ __forceinline__ to& operator+=(long long i) { position += i; return *this; }
    __device__ __forceinline__ to& operator-=(long long i) { position -= i; return *this; }
    __device__ __forceinline__ to& operator++() { ++position; return *this; }
    __device__ __forceinline__ to operator++(int) { to old = *this; ++position; return old; }
    friend __device__ __forceinline__ to operator+(to it, long long i) { return it += i; }
    friend __device__ __forceinline__ to operator-(to it, long long i) { return it -= i; }
    friend __device__ __forceinline__ long long operator-(const to& a, const to& b) { return a.position - b.position; }
    friend __device__ __forceinline__ bool operator==(const to& a, const to& b) { return a.position == b.position; }
    friend __device__ __forceinline__ bool operator!=(const to& a, const to& b) { return a.position != b.position; }
};
}
)";

constexpr std::array cache_modifiers{"cub::LOAD_CS", "cub::LOAD_CG", "cub::LOAD_CV"};

}  // namespace

void SourceBuilder::declare_iterators() {
    if (has_iterators_) return;
    text_ += iterators;
    has_iterators_ = true;
}

std::string SourceBuilder::reader(const Iterator& iterator) {
    const std::string value = type(iterator.value_type());
    switch (iterator.kind()) {
        case Iterator::Kind::pointer:
            return "cuprum_iterators::pointer<" + value + '>';
        case Iterator::Kind::constant:
            return "cuprum_iterators::constant<" + value + '>';
        case Iterator::Kind::counting:
            return "cuprum_iterators::counting<" + value + '>';
        case Iterator::Kind::transform: {
            const std::string base = reader(iterator.part(0));
            const std::string functor =
                op(*iterator.op(), {iterator.part(0).value_type()}, iterator.value_type(), "transform");
            return "cuprum_iterators::transform<" + base + ", " + functor + ", " + value + '>';
        }
        case Iterator::Kind::indexed:
            return "cuprum_iterators::indexed<" + reader(iterator.part(0)) + ", " + value + '>';
        default:
            break;
    }
    declare_iterators();
    switch (iterator.kind()) {
        case Iterator::Kind::strided:
            return "cuprum_iterators::strided<" + reader(iterator.part(0)) + '>';
        case Iterator::Kind::permutation: {
            const std::string values = reader(iterator.part(0));
            return "cuprum_iterators::permutation<" + values + ", " + reader(iterator.part(1)) + '>';
        }
        case Iterator::Kind::zip:
            return zip(iterator, true);
        case Iterator::Kind::cache_modified:
            return "cuprum_iterators::cache_modified<" + value + ", " +
                   cache_modifiers[static_cast<size_t>(iterator.cache_modifier())] + '>';
        case Iterator::Kind::shuffle:
            return "cuprum_iterators::shuffle";
        default:
            break;
    }
    throw InvalidArgument("building an algorithm", iterator.shape_text(), "it can only be written to",
                          "give an iterator that can be read as the input");
}

std::string SourceBuilder::writer(const Iterator& iterator) {
    const std::string value = type(iterator.value_type());
    switch (iterator.kind()) {
        case Iterator::Kind::pointer:
            return "cuprum_iterators::memory<" + value + '>';
        case Iterator::Kind::discard:
            return "cuprum_iterators::discard<" + value + '>';
        case Iterator::Kind::strided:
            return "cuprum_iterators::strided<" + writer(iterator.part(0)) + '>';
        case Iterator::Kind::permutation: {
            const std::string values = writer(iterator.part(0));
            return "cuprum_iterators::permutation<" + values + ", " + reader(iterator.part(1)) + '>';
        }
        case Iterator::Kind::zip:
            return zip(iterator, false);
        case Iterator::Kind::transform_output: {
            const std::string base = writer(iterator.part(0));
            const std::string functor =
                op(*iterator.op(), {iterator.value_type()}, iterator.part(0).value_type(), "transform");
            return "cuprum_iterators::transform_output<" + base + ", " + functor + ", " + value + '>';
        }
        default:
            break;
    }
    throw InvalidArgument("building an algorithm", iterator.shape_text(), "it can only be read",
                          "write to memory, or through strided, permutation, zip, transform_output or discard");
}

std::string SourceBuilder::zip(const Iterator& iterator, bool is_read) {
    const std::string value = type(iterator.value_type());
    std::string members;
    std::string elements;
    for (size_t i = 0; i < iterator.part_count(); ++i) {
        const std::string part = "part_" + std::to_string(i);
        const std::string& field = iterator.value_type().fields()[i].name;
        members += "    " + (is_read ? reader(iterator.part(i)) : writer(iterator.part(i))) + ' ' + part + ";\n";
        elements += is_read ? (i == 0 ? "" : ", ") + part + "(i)" : part + ".write(i, v." + field + "); ";
    }
    std::string name = "cuprum_zip_" + std::to_string(zips_++);
    text_ += "struct " + name + " {\n    using value_type = " + value + ";\n" + members;
    text_ += is_read ? "    __device__ __forceinline__ value_type operator()(long long i) const { return value_type{" +
                           elements + "}; }\n};\n"
                     : "    __device__ __forceinline__ void write(long long i, const value_type& v) const { " +
                           elements + "}\n};\n";
    return name;
}

std::string SourceBuilder::iterator(const Iterator& iterator) {
    if (iterator.kind() == Iterator::Kind::pointer) return "const " + type(iterator.value_type()) + '*';
    return "cuprum_iterators::at<" + reader(iterator) + '>';
}

std::string SourceBuilder::output_iterator(const Iterator& iterator) {
    if (iterator.kind() == Iterator::Kind::pointer) return type(iterator.value_type()) + '*';
    declare_iterators();
    return "cuprum_iterators::to<" + writer(iterator) + '>';
}

}  // namespace cuprum::parallel
