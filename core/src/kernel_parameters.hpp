// What is known of the parameters of a code's kernels, beyond the sizes that the driver tells.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/core/kernel.hpp"
#include "source_parameters.hpp"

namespace cuprum::core {

// What compiled code was made from. Both are empty for code that came as it is.
struct CodeOrigin {
    std::string source;       // CUDA C++
    std::string ptx_kernels;  // kernels_in_ptx() of the compile's PTX, also where the code is a cubin
};

// The same, read.
struct KnownKernels {
    DeclaredKernels declared;
    std::string in_ptx;
};

// The types of the parameters of the kernel `symbol`, in whose `arguments` the sizes stand. From its mangled name, or
// else its declaration, and from PTX, which is what was compiled: where the two disagree, PTX is right. A type that has
// not the size of the parameter, or a list that has not as many, is of something else and says nothing.
std::vector<ParameterType> find_parameter_types(const KnownKernels& known, std::string_view symbol,
                                                std::span<const KernelArgumentInfo> arguments);

}  // namespace cuprum::core
