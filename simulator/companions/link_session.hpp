// One link for a real architecture (sm_80), made of PTX: what is LTO-IR goes through the real nvJitLink to PTX first.
#pragma once

#include <nvJitLink.h>

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "companions/real_library.hpp"
#include "ptx/linker.hpp"

namespace cuprum::simulator::companions {

// Not thread-safe, like a handle of nvJitLink's.
class LinkSession {
public:
    // `options` are those of nvJitLinkCreate; `architecture` is 80 for sm_80. `nvrtc` is opened only where PTX calls
    // functions of LTO-IR.
    LinkSession(RealLibrary& real, RealLibrary& nvrtc, uint32_t architecture, std::vector<std::string> options);
    LinkSession(const LinkSession&) = delete;
    LinkSession& operator=(const LinkSession&) = delete;
    ~LinkSession();

    // Has the real library check the options.
    nvJitLinkResult open();
    nvJitLinkResult add(nvJitLinkInputType type, std::string_view bytes, const std::string& name);
    // `name` is read once more by complete(), as by the real library, which keeps the pointer.
    nvJitLinkResult add_data(nvJitLinkInputType type, std::string_view bytes, const char* name);
    nvJitLinkResult complete();

    // The simulator's object; empty before complete() has succeeded.
    const std::string& object() const { return object_; }
    // As nvJitLink reports them: whole lines.
    const std::string& error_log() const { return error_log_; }
    const std::string& information_log() const { return information_log_; }

private:
    struct Input {
        std::string name, ptx;
        std::vector<std::string> exports;
        const char* given_name = nullptr;  // null for parts of what was given
    };

    nvJitLinkResult fail(nvJitLinkResult result, const std::string& line);
    nvJitLinkResult add_ptx(std::string_view text, const std::string& name);
    nvJitLinkResult add_lto(nvJitLinkInputType type, std::string_view bytes, const std::string& name);
    nvJitLinkResult add_cubin(std::string_view bytes, const std::string& name);
    nvJitLinkResult add_fat_binary(std::string_view bytes, const std::string& name, bool optional);
    nvJitLinkResult add_host_file(std::string_view bytes, const std::string& name);
    std::vector<std::string> keep_functions_for_ptx();
    nvJitLinkResult complete_lto();
    void take_real_logs();

    RealLibrary& real_;
    RealLibrary& nvrtc_;
    uint32_t architecture_;
    std::vector<std::string> options_;
    bool link_time_ = false;      // -lto
    uint32_t max_registers_ = 0;  // -maxrregcount=N; 0: not limited
    nvJitLinkHandle lto_ = nullptr;
    bool has_lto_ = false;
    std::vector<Input> inputs_;
    std::deque<std::string> real_names_;  // the real library keeps pointers to them
    std::string object_, error_log_, information_log_;
};

}  // namespace cuprum::simulator::companions
