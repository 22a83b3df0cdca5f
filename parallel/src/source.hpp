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
    // As an output: "T*", or an iterator whose elements can be assigned to.
    std::string output_iterator(const Iterator& iterator);
    // Elements of `base` with their positions, as the C++ type `element`, which is made of a position and a value.
    std::string indexed_iterator(const Iterator& base, std::string_view element);

    // using NAME = VALUE;
    void alias(std::string_view name, std::string_view value);
    void line(std::string_view text);

    std::string text() const { return text_; }

private:
    void include(std::string_view header);
    std::string reader(const Iterator& iterator);
    std::string writer(const Iterator& iterator);
    std::string zip(const Iterator& iterator, bool is_read);
    void declare_iterators();
    void declare_structure(const Type& type);
    std::string members(const Type& structure);

    std::string text_;
    std::vector<Type> declared_;
    int operators_ = 0;
    int zips_ = 0;
    bool has_arithmetic_ = false;
    bool has_iterators_ = false;
};

// The operator that CUB's tuning is to be looked up for: an operator of the caller's on plain numbers costs what a sum
// costs, which CUB cannot know.
std::string tuning_operator(const Operator& op, const Type& accumulator, const std::string& functor);

}  // namespace cuprum::parallel
