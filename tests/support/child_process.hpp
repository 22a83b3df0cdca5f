// Runs a part of a test in a process of its own.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <string>

namespace cuprum::test {

// What a child writes there is what the parent is told.
class Report {
public:
    explicit Report(int file) : file_(file) {}
    void operator()(const std::string& text) const {
        if (write(file_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) _exit(3);
    }

private:
    int file_;
};

// Forks a child, which runs `action(report)`. Gives what it has reported: nothing where all is well. A child that
// crashes, ends with another status than 0, or does not end within two minutes reports that. What `action` throws is
// reported too. To be called before this process has started the driver, which does not survive a fork.
//
// `end`: how the child ends. `_exit` skips what runs at the end of a process; `std::exit` does not.
template <class Action>
std::string in_child(const Action& action, void (*end)(int) = &_exit) {
    constexpr unsigned int longest = 120;  // seconds
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return "no pipe";
    const pid_t child = fork();
    if (child < 0) return "no child";
    if (child == 0) {
        alarm(longest);
        close(ends[0]);
        const Report report(ends[1]);
        try {
            action(report);
        } catch (const std::exception& error) {
            report(std::string("it has thrown: ") + error.what() + '\n');
        }
        end(0);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 4096> part{};
    for (ssize_t length = 0; (length = read(ends[0], part.data(), part.size())) > 0;)
        text.append(part.data(), static_cast<size_t>(length));
    close(ends[0]);
    int status = 0;
    if (waitpid(child, &status, 0) != child) return text + "the child is lost\n";
    if (WIFSIGNALED(status)) text += "the child was ended by signal " + std::to_string(WTERMSIG(status)) + '\n';
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
        text += "the child ended with status " + std::to_string(WEXITSTATUS(status)) + '\n';
    return text;
}

}  // namespace cuprum::test
