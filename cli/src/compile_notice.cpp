#include "compile_notice.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace cuprum::cli {

namespace {

constexpr const char* erase_line = "\r\x1b[K";

}  // namespace

CompileNotice::CompileNotice(std::string name) : name_(std::move(name)) {
    if (isatty(STDERR_FILENO) == 0) {
        return;
    }
    const char* const terminal = std::getenv("TERM");
    rewrites_line_ = terminal != nullptr && std::string_view(terminal) != "dumb";
    thread_ = std::thread([this] { show_while_compiling(); });
}

void CompileNotice::show_while_compiling() {
    std::unique_lock lock(mutex_);
    for (int second = 1; !over_.wait_until(lock, begin_ + std::chrono::seconds(second), [this] { return is_over_; });
         ++second) {
        if (rewrites_line_) {
            std::fprintf(stderr, "%scompiling %s: %d s", erase_line, name_.c_str(), second);
        } else if (!is_shown_) {
            std::fprintf(stderr, "compiling %s ...\n", name_.c_str());
        }
        is_shown_ = true;
    }
}

void CompileNotice::stop() {
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    over_.notify_all();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void CompileNotice::finish() {
    stop();
    if (is_shown_) {
        std::fprintf(stderr, "%scompiled %s in %.1f s\n", rewrites_line_ ? erase_line : "", name_.c_str(), seconds());
        is_shown_ = false;
    }
}

CompileNotice::~CompileNotice() {
    stop();
    if (is_shown_ && rewrites_line_) {
        std::fputs(erase_line, stderr);
    }
}

}  // namespace cuprum::cli
