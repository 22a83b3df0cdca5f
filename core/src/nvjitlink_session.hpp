// One link by nvJitLink.
#pragma once

#include <cstdint>
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

    // `code` is followed by a NUL. `name` is what the log calls it, `input` what errors do.
    void add(CodeType type, std::string_view code, const std::string& name, const std::string& input);
    // Once. The linked code.
    std::string complete(bool to_ptx);

    std::string error_log() const;
    std::string info_log() const;
    nvJitLink* handle() const { return handle_; }

private:
    void check(int result, const char* function, const char* operation, const std::string& object) const;

    const std::vector<std::string> options_;
    const std::string object_;
    const uint64_t thread_;  // that made the handle
    nvJitLink* handle_ = nullptr;
};

}  // namespace cuprum::core
