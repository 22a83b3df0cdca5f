// How kernels that read every element once read a tile of them, and write one.
#pragma once

#include <string_view>

namespace cuprum::parallel {

// A thread reads 16 bytes of memory at a time where the elements are in plain memory, and element by element else.
// Which of a tile's elements are a thread's depends on types alone, and not on where the memory begins: of memory that
// does not begin at a multiple of 16 bytes it reads the same ones, one by one.
constexpr std::string_view vector_tiles = R"(
template <class Iterator> struct plain_memory { static constexpr bool value = false; };
template <class T> struct plain_memory<T*> { static constexpr bool value = true; };
// Elements in 16 bytes; 1 where they are not read so.
template <class T, int Items> constexpr int vector_of() {
    return sizeof(T) == alignof(T) && sizeof(T) < 16 && Items * sizeof(T) % 16 == 0 ? 16 / sizeof(T) : 1;
}
template <class T, class Iterator, int Items> constexpr int vector_in() {
    return plain_memory<Iterator>::value ? vector_of<T, Items>() : 1;
}
template <class T, class Iterator, int Threads, int Items, int Vector = vector_in<T, Iterator, Items>()> struct vector_tile {
    // Of a thread's item, from the tile's begin. A thread's items are in the order of the elements.
    static __device__ __forceinline__ int place(int item) {
        return (item / Vector * Threads + static_cast<int>(threadIdx.x)) * Vector + item % Vector;
    }
    template <class Offset> static __device__ __forceinline__ void read(const Iterator& in, Offset begin, T (&x)[Items]) {
        if constexpr (Vector > 1 && plain_memory<Iterator>::value) {
            if (reinterpret_cast<unsigned long long>(in) % 16 == 0) {
                uint4 vectors[Items / Vector];
                #pragma unroll
                for (int v = 0; v < Items / Vector; ++v)
                    vectors[v] = reinterpret_cast<const uint4*>(in + begin)[v * Threads + threadIdx.x];
                memcpy(x, vectors, sizeof(x));
                return;
            }
        }
        #pragma unroll
        for (int i = 0; i < Items; ++i) x[i] = in[begin + place(i)];
    }
    // The same places of plain memory.
    template <class U, class Offset> static __device__ __forceinline__ void write(U* out, Offset begin, const U (&x)[Items]) {
        if constexpr (Vector > 1 && sizeof(U) * Vector == 16 && sizeof(U) == alignof(U)) {
            if (reinterpret_cast<unsigned long long>(out) % 16 == 0) {
                uint4 vectors[Items / Vector];
                memcpy(vectors, x, sizeof(x));
                #pragma unroll
                for (int v = 0; v < Items / Vector; ++v)
                    reinterpret_cast<uint4*>(out + begin)[v * Threads + threadIdx.x] = vectors[v];
                return;
            }
        }
        #pragma unroll
        for (int i = 0; i < Items; ++i) out[begin + place(i)] = x[i];
    }
};)";

}  // namespace cuprum::parallel
