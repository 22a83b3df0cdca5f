// One link by nvJitLink.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/core/object_code.hpp"

struct nvJitLink;

namespace cuprum::core {

// To be used and destroyed in the thread that has made it; destroyed in another, nvJitLink's handle leaks. Every
// function throws NvJitLinkError with nvJitLink's error log, InvalidArgument where the options are at fault, NotFound
// without nvJitLink.
class NvJitLinkSession {
public:
    // `object`: the linker, for errors.
    NvJitLinkSession(std::vector<std::string> options, std::string object);
    NvJitLinkSession(const NvJitLinkSession&) = delete;
    NvJitLinkSession& operator=(const NvJitLinkSession&) = delete;
    ~NvJitLinkSession();

    // Throws for machine code of another architecture by itself: nvJitLink 13.0 refuses it and keeps its lock, for
    // which every other thread then waits for ever. `code` is followed by a NUL. `name` is what the log calls it,
    // `input` what errors do.
    void add(CodeType type, std::string_view code, std::string name, const std::string& input);
    // Once. The linked code.
    std::string complete(bool to_ptx);

    std::string error_log() const;
    std::string info_log() const;
    nvJitLink* handle() const { return handle_; }

private:
    void require_architecture(std::string_view cubin, const std::string& object) const;
    void check(int result, const char* function, const char* operation, const std::string& object) const;

    const std::vector<std::string> options_;
    const std::string object_;
    const uint64_t thread_;          // that made the handle
    std::deque<std::string> names_;  // of the inputs: nvJitLink keeps the pointers until it has linked
    nvJitLink* handle_ = nullptr;
};

}  // namespace cuprum::core
