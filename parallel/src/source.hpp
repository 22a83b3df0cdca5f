// CUDA C++ text for NVRTC: the caller's types, operators and iterators, and around them what an algorithm adds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cuprum/parallel/iterator.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/type.hpp"

namespace cuprum::parallel {

// How often an algorithm's program is made: for counts of elements below 2^31, and for all. CUB has other kernels for
// them, and the narrow ones are faster.
enum class Width { narrow, wide };

constexpr uint64_t narrow_limit = 0x7fffffff;

// The offset type that CUB's own dispatch takes for such counts.
constexpr const char* offset_type(Width width) {
    return width == Width::narrow ? "unsigned int" : "unsigned long long";
}

// What NVRTC does not see of CUB and some of its tunings mention (CCCL 3.0, cub/util_device.cuh): to stand before them.
constexpr std::string_view policy_wrapper = R"(
CUB_NAMESPACE_BEGIN
namespace detail {
template <typename Policy> struct PolicyWrapper : Policy { __device__ PolicyWrapper(Policy base) : Policy(base) {} };
template <typename Policy> __device__ PolicyWrapper<Policy> MakePolicyWrapper(Policy policy) { return {policy}; }
}
CUB_NAMESPACE_END
)";

// Iterators to read tiles through whose elements an operator of the caller's gets. What is behind the end of the last
// tile CUB leaves unwritten, and gives to the operator all the same: no result depends on it, and the simulator refuses
// to branch on it. These repeat the last element instead, by overloads that CUB's BlockLoad finds through their
// namespace.
constexpr std::string_view filling_iterators = R"(
namespace cuprum_iterators {
template <class Reader> struct filling : at<Reader> {
    __device__ __forceinline__ filling(const at<Reader>& it) : at<Reader>(it) {}
    template <class T> __device__ __forceinline__ filling(const T* elements) : at<Reader>{{elements}, 0} {}
    friend __device__ __forceinline__ filling operator+(filling it, long long i) { it.position += i; return it; }
};
template <class Reader, class T, int N>
__device__ __forceinline__ void LoadDirectBlocked(int thread, filling<Reader> it, T (&items)[N], int end) {
    for (int i = 0; i < N; ++i) items[i] = it[thread * N + i < end ? thread * N + i : end - 1];
}
template <class Reader, class T, int N>
__device__ __forceinline__ void LoadDirectWarpStriped(int thread, filling<Reader> it, T (&items)[N], int end) {
    for (int i = 0; i < N; ++i) {
        const int at = thread / 32 * 32 * N + thread % 32 + i * 32;
        items[i] = it[at < end ? at : end - 1];
    }
}
template <class Iterator> struct filling_of;
template <class T> struct filling_of<const T*> { using type = filling<pointer<T>>; };
template <class Reader> struct filling_of<at<Reader>> { using type = filling<Reader>; };
}
)";

// What programs have in common, for those that read what CUB needs: ProgramOptions::shared_directives.
std::string common_includes();

// Makes a program's text from front to back. Each of the first functions writes what is needed and returns the name of
// the C++ type.
class SourceBuilder {
public:
    // `headers`: "cub/device/dispatch/kernels/reduce.cuh" and the like.
    explicit SourceBuilder(std::initializer_list<std::string_view> headers);

    std::string type(const Type& type);
    // `role`: how errors call it; also the name of the file that the compiler's messages about its text carry.
    std::string op(const Operator& op, const std::vector<Type>& operands, const Type& result,
                   std::string_view role = "operator");
    // Throws InvalidArgument for one that can only be written to.
    std::string iterator(const Iterator& iterator);
    // NAME: the type `iterator` itself, which iterator() has named, or one that fills (filling_iterators) where `op` is
    // the caller's own. Either is made of the kernel's parameter, NAME(parameter).
    void alias_for(std::string_view name, std::string_view iterator, const Operator& op);
    // As an output: "T*", or an iterator whose elements can be assigned to.
    std::string output_iterator(const Iterator& iterator);
    // cuprum_iterators::to, and what only some iterators are made of; once.
    void declare_iterators();

    // using NAME = VALUE;
    void alias(std::string_view name, std::string_view value);
    void line(std::string_view text);

    std::string text() const;
    // What the text calls that was compiled elsewhere.
    const std::vector<CompiledFunction>& linked() const { return linked_; }

private:
    void include(std::string_view header);
    std::string reader(const Iterator& iterator);
    std::string writer(const Iterator& iterator);
    std::string zip(const Iterator& iterator, bool is_read);
    std::string compiled_functor(const Operator& op, const std::vector<Type>& operands, const Type& result);
    void declare_structure(const Type& type);
    std::string members(const Type& structure);

    std::string text_;
    std::vector<Type> declared_;
    std::vector<CompiledFunction> linked_;
    int operators_ = 0;
    int zips_ = 0;
    bool has_arithmetic_ = false;
    bool fills_ = false;
    bool has_iterators_ = false;
};

// The operator that CUB's tuning is to be looked up for: an operator of the caller's on plain numbers costs what a sum
// costs, which CUB cannot know.
std::string tuning_operator(const Operator& op, const Type& accumulator, const std::string& functor);

}  // namespace cuprum::parallel
