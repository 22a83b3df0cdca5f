// Compiling an algorithm's program, once for every one that asks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cuprum/core/device.hpp"
#include "cuprum/core/object_code.hpp"
#include "cuprum/parallel/operator.hpp"
#include "source.hpp"

namespace cuprum::parallel {

// A program and what is wanted of it.
struct BuildRequest {
    // With the functions of the caller's that the source calls.
    BuildRequest(std::string algorithm_, const SourceBuilder& source_)
        : algorithm(std::move(algorithm_)), source(source_.text()), linked(source_.linked()) {}

    std::string algorithm;  // "reduce": for errors
    std::string source;
    std::vector<CompiledFunction> linked;  // to the program, which calls them
    std::vector<std::string> kernels;      // name expressions
    // What the callers of the kernels must know: block sizes and the like, which CUB chooses by type and architecture
    // while the program is compiled. They come back in a mangled name, so that they are there with any kind of code,
    // out of any cache, and with no device to ask.
    struct Constant {
        std::string name;        // "threads", for CompiledProgram
        std::string expression;  // in the program, constant
    };
    std::vector<Constant> constants;
};

// Compiled code for one architecture. Immutable.
struct Build {
    std::vector<core::ObjectCode> codes;  // one for each of the request's kernels, in its order, or one for all
    std::vector<int64_t> constants;       // as many as the request's, in its order: see CompiledProgram

    const core::ObjectCode& code_of(size_t kernel) const {
        return codes.size() == 1 ? codes.front() : codes.at(kernel);
    }
};

// A build as the one who asked for it sees it: constants by their names. Borrows both.
class CompiledProgram {
public:
    CompiledProgram(const Build& build, const BuildRequest& request) : build_(build), request_(request) {}

    // In the order of the request's.
    core::Kernel kernel(size_t index) const { return build_.code_of(index).get_kernel(request_.kernels[index]); }

    size_t kernel_count() const { return request_.kernels.size(); }

    int64_t constant(std::string_view name) const;
    bool has_constant(std::string_view name) const;
    // One that is a size or a number of things.
    uint64_t size(std::string_view name) const { return static_cast<uint64_t>(constant(name)); }
    // One that is at least 1 and no more than a block can have: numbers are divided by it. Throws InvalidArgument:
    // builds are loaded from bytes of anyone's.
    int64_t positive(std::string_view name, int64_t most = int64_t{1} << 20) const;
    uint64_t positive_size(std::string_view name) const { return static_cast<uint64_t>(positive(name)); }

private:
    const Build& build_;
    const BuildRequest& request_;
};

// What a build is made for.
struct Architecture {
    std::string name;  // "sm_90"
    core::CodeType type = core::CodeType::cubin;
    friend bool operator==(const Architecture&, const Architecture&) = default;
};

// PTX for the simulator, a cubin for a GPU.
Architecture architecture_of(const core::Device& device);

// From this process, or from disk, or by compiling; threads that ask for the same at once wait for one compile. Throws
// CompileError: with the caller's own lines alone where an operator's text is at fault.
std::shared_ptr<const Build> get_build(const Architecture& architecture, const BuildRequest& request);

// What was saved of a build, to be its own again.
struct SavedBuild {
    Architecture architecture;  // with the type of the code
    std::string key;
    std::map<std::string, std::string> names;  // of the kernels, by their expressions
    std::vector<std::string> codes;
    std::vector<int64_t> constants;
};
// For builds made ahead of time: what get_build is to give for that architecture and key from now on, unless one was
// added before.
void add_build(const Architecture& architecture, const SavedBuild& saved);
// Everything in a request that its build depends on.
std::string build_key(const BuildRequest& request);

}  // namespace cuprum::parallel
