// Tells somebody who waits at a terminal that a compile is what takes so long.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace cuprum::cli {

/// While it lives, and from its second second on, a line on standard error says what is compiled and for how long. Only
/// on a terminal; a fast compile shows nothing.
class CompileNotice {
public:
    explicit CompileNotice(std::string name);
    CompileNotice(const CompileNotice&) = delete;
    CompileNotice& operator=(const CompileNotice&) = delete;
    /// After a failure: takes the line away.
    ~CompileNotice();

    /// The compile has succeeded: the line, if there is one, says how long it took.
    void finish();

private:
    using Clock = std::chrono::steady_clock;

    void show_while_compiling();
    void stop();
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

    std::string name_;
    Clock::time_point begin_ = Clock::now();
    bool rewrites_line_ = false;
    bool is_shown_ = false;
    bool is_over_ = false;
    std::mutex mutex_;  // of is_over_
    std::condition_variable over_;
    std::thread thread_;  // none where there is no terminal
};

}  // namespace cuprum::cli
