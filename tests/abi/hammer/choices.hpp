// How arguments are chosen that functions of several parts take. Lengths and addresses that the ABI cannot check are
// right; everything that it can check is sometimes wrong. Nothing here runs a kernel that leaves its memory.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "turn.hpp"

namespace hammer {

constexpr uint64_t most = UINT64_MAX;

inline int32_t device(Turn& t) {
    constexpr std::array wrong{-1, 1, 7, INT32_MAX, INT32_MIN};
    return t.random.one_in(10) ? t.random.pick(wrong) : 0;
}
template <size_t N>
inline int32_t choice(Turn& t, const std::array<int32_t, N>& right) {
    constexpr std::array wrong{-1, 99, INT32_MAX, INT32_MIN};
    return t.random.one_in(10) ? t.random.pick(wrong) : t.random.pick(right);
}
inline const char* long_text() {
    static const std::string text(70'000, 'x');
    return text.c_str();
}
template <size_t N>
inline const char* text(Turn& t, const std::array<const char*, N>& right) {
    static const std::array wrong{static_cast<const char*>(nullptr), "", "bogus", "\xff\xfe", long_text()};
    return t.random.one_in(8) ? t.random.pick(wrong) : t.random.pick(right);
}
// A size or an offset; what is not small is beyond any memory.
inline uint64_t size(Turn& t) {
    constexpr std::array<uint64_t, 10> sizes{0, 1, 3, 4, 8, 64, 256, 4096, uint64_t{1} << 57, most};
    return t.random.pick(sizes);
}
// Host memory with room for the size, if any has.
inline void* host(Turn& t) {
    return t.random.one_in(20) ? nullptr : t.host.data();
}
inline cuprum_stream a_stream(Turn& t) {
    return as_handle<cuprum_stream>(t.handle(stream));
}
// Memory is allocated, used and freed in the order of one stream, since it has no other: the first that lasts. What is
// given in its place is never a stream, and never NULL either: work without a stream overtakes that stream, and memory
// that was allocated without one is freed while others use it.
inline cuprum_stream memory_stream(Turn& t) {
    if (!t.random.one_in(8)) return as_handle<cuprum_stream>(t.shared.lasting[stream].front());
    return as_handle<cuprum_stream>(t.random.one_in(2) ? t.random.next() : t.random.pick(t.shared.lasting[event]));
}
inline cuprum_buffer a_buffer(Turn& t) {
    return as_handle<cuprum_buffer>(t.handle(buffer));
}
// Parts of the table.
std::vector<Function> context_functions();
std::vector<Function> copy_functions();
std::vector<Function> core_functions();
std::vector<Function> distributed_functions();
std::vector<Function> graph_functions();
std::vector<Function> image_functions();
std::vector<Function> memory_functions();
std::vector<Function> out_of_core_functions();
std::vector<Function> parallel_array_functions();
std::vector<Function> parallel_build_functions();
std::vector<Function> parallel_functions();
std::vector<Function> parallel_operand_functions();
std::vector<Function> pathfinder_functions();
std::vector<Function> system_functions();

}  // namespace hammer
