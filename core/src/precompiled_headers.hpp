// Directives that many programs of this process begin with, which NVRTC reads once (its precompiled headers,
// CUDA 12.8).
//
// NVRTC takes such a file only where its heap has the address that it had when the file was made, so that a file is of
// use in this process alone. It has the size of that heap, and goes with the process, however that ends.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nvrtc_compile.hpp"

namespace cuprum::core {

// What one compile does with the directives that its program begins with.
class PrecompiledHeaders {
public:
    // Nothing at the first compile with such directives, options and headers in memory, since many a process makes but
    // one; then one makes the file, and later ones use it, while the headers are what they were (NVRTC itself does not
    // look). Nothing either where nobody knows which files the directives include.
    explicit PrecompiledHeaders(const NvrtcInput& input);
    ~PrecompiledHeaders();
    PrecompiledHeaders(const PrecompiledHeaders&) = delete;
    PrecompiledHeaders& operator=(const PrecompiledHeaders&) = delete;

    // For NVRTC; empty: compile as if there were no such thing.
    const std::string& option() const { return option_; }
    // The compile with option() has succeeded.
    void keep() { succeeded_ = true; }

private:
    struct File;
    using Dependencies = std::vector<HeaderDependency>;

    void make(const NvrtcInput& input, const CompileInputs& inputs);
    std::shared_ptr<File> file_;
    std::string option_;
    std::string path_;           // of the file that this compile makes
    Dependencies dependencies_;  // and what it depends on
    bool succeeded_ = false;
};

}  // namespace cuprum::core
