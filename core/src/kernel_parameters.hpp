// What is known of the parameters of a code's kernels, beyond the sizes that the driver tells.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cuprum/core/kernel.hpp"
#include "source_parameters.hpp"

namespace cuprum::core {

// CUDA C++ that codes were made from, which may be several: they share it.
class CodeSource {
public:
    explicit CodeSource(std::string text) : text_(std::move(text)) {}

    const std::string& text() const { return text_; }
    // Read at the first call, for all of the codes. Thread-safe.
    const DeclaredKernels& kernels() {
        std::call_once(kernels_read_, [this] { kernels_ = kernels_in_source(text_); });
        return kernels_;
    }

private:
    const std::string text_;
    std::once_flag kernels_read_;
    DeclaredKernels kernels_;
};

// What compiled code was made from. Null and empty for code that came as it is.
struct CodeOrigin {
    std::shared_ptr<CodeSource> source;
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
