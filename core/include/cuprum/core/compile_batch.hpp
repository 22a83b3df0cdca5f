// Many programs at once, on a pool of threads.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cuprum/core/program.hpp"

namespace cuprum::core {

// One compile of many.
struct CompileRequest {
    Program program;
    CodeType target = CodeType::native;
    std::vector<std::string> name_expressions{};
};

// One compile that is done.
struct CompileProgress {
    uint64_t index = 0;  // which, in the order of the requests, from 0
    uint64_t done = 0;   // how many are, with this one
    uint64_t total = 0;  // how many were requested
    std::string name{};  // of the program
    bool succeeded = false;
    bool from_cache = false;     // found in the compile cache, and not compiled
    std::string log{};           // what the compiler said: warnings, or why it failed
    std::exception_ptr error{};  // what the compile threw
};

// Compiles that run on threads of their own, while the caller takes what is done, in whatever order that comes. A
// compile that another one has made already comes from the compile cache. Thread-safe. Destroying it cancels, and waits
// for the compiles that have begun. Moved from, and in a
// forked child, which has none of the threads, every use but that throws InvalidState.
class CompileBatch {
public:
    // At most `num_threads` threads; 0: as many as there are cores. They are started as they are needed.
    explicit CompileBatch(uint32_t num_threads = 0);

    // Begins as soon as a thread is free. Gives its index: 0 for the first, and so on.
    uint64_t add(CompileRequest request);
    // Waits for a compile to be done and gives each once; nothing once all that were added have been given or
    // cancelled.
    std::optional<CompileProgress> next();
    // Waits until it is done. Throws what the compile threw; InvalidState when it was cancelled, InvalidArgument when
    // there is no such compile.
    ObjectCode result(uint64_t index) const;
    // Throws one error for all that have failed so far: CompileError, which names each of the programs and has the logs
    // of all; where no source is at fault, the class of the first.
    void require_success() const;
    // Drops the compiles that have not begun. Does not wait for those that have.
    void cancel();

private:
    struct Compile;
    struct State;
    State& state() const;  // throws InvalidState where there is none, or it is another process's
    struct End {
        void operator()(State* state) const;
    };
    std::unique_ptr<State, End> state_;
};

struct CompileAllOptions {
    uint32_t num_threads = 0;  // at most; 0: as many as there are cores
    // Called in the caller's thread as each compile is done. What it throws cancels the compiles that have not begun,
    // and is thrown when those that have are done.
    std::function<void(const CompileProgress&)> progress{};
};

// Compiles all, on several threads, and gives the codes in the order of the requests. All are compiled, also when some
// fail. Throws what CompileBatch::require_success throws.
std::vector<ObjectCode> compile_all(std::span<const CompileRequest> requests, const CompileAllOptions& options = {});

}  // namespace cuprum::core
