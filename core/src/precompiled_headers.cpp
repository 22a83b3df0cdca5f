#include "precompiled_headers.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "cuprum/bindings/nvrtc.hpp"

namespace cuprum::core {

struct PrecompiledHeaders::File {
    enum class State { unknown, seen, being_made, there, impossible };
    State state = State::unknown;
    int failures = 0;     // to make it: the program at hand may be at fault, or the disk be full
    int descriptor = -1;  // of the file, which has no name any more
    std::shared_ptr<const Dependencies> dependencies;
};

namespace {

std::mutex& mutex() {
    static std::mutex instance;
    return instance;
}

bool nvrtc_has_them() {
    constexpr int since = 12080;
    return bindings::nvrtc::version() >= since;
}

std::string key_of_directives(const NvrtcInput& input) {
    std::string key = input.directives;
    for (const std::string& option : input.options)
        key.append(1, '\0').append(option);
    for (const auto& [name, text] : input.headers)
        key.append(1, '\0').append(name).append(1, '\0').append(text);
    return key;
}

// A new folder for one file; empty where there can be none.
std::string make_folder() {
    std::error_code error;
    std::string folder = std::filesystem::temp_directory_path(error) / "cuprum-XXXXXX";
    return error || mkdtemp(folder.data()) == nullptr ? std::string() : folder;
}

}  // namespace

PrecompiledHeaders::PrecompiledHeaders(const NvrtcInput& input) {
    if (input.directives.empty() || !nvrtc_has_them()) return;
    const std::optional<CompileInputs> inputs = inputs_of(input.options);
    if (!inputs) return;
    std::unique_lock lock(mutex());
    static auto* const files = new std::map<std::string, std::shared_ptr<File>>;
    std::shared_ptr<File>& known = (*files)[key_of_directives(input)];
    if (known == nullptr) known = std::make_shared<File>();
    const std::shared_ptr<File> file = known;
    if (file->state == File::State::unknown) {
        file->state = File::State::seen;
        return;
    }
    if (file->state == File::State::there) {
        const std::shared_ptr<const Dependencies> dependencies = file->dependencies;
        const int descriptor = file->descriptor;
        lock.unlock();
        if (are_unchanged(*dependencies)) {
            option_ = "--use-pch=/proc/self/fd/" + std::to_string(descriptor);
            return;
        }
        lock.lock();
        // Another thread that still compiles with it does not find it, and compiles without.
        if (file->state == File::State::there && file->descriptor == descriptor) {
            close(descriptor);
            file->state = File::State::seen;
        }
    }
    if (file->state != File::State::seen) return;
    file->state = File::State::being_made;
    file_ = file;
    lock.unlock();
    make(input, *inputs);
}

void PrecompiledHeaders::make(const NvrtcInput& input, const CompileInputs& inputs) {
    std::optional<Dependencies> dependencies =
        find_header_dependencies(search_for_headers(input, input.directives, inputs));
    const std::string folder = dependencies ? make_folder() : std::string();
    if (folder.empty()) return;
    dependencies_ = std::move(*dependencies);
    path_ = folder + "/headers.pch";
    option_ = "--create-pch=" + path_;
}

PrecompiledHeaders::~PrecompiledHeaders() {
    if (file_ == nullptr) return;
    const int descriptor = succeeded_ && are_unchanged(dependencies_) ? open(path_.c_str(), O_RDONLY | O_CLOEXEC) : -1;
    if (!path_.empty()) {
        std::error_code ignored;  // there may be no file
        std::filesystem::remove_all(std::filesystem::path(path_).parent_path(), ignored);
    }
    const std::lock_guard lock(mutex());
    constexpr int most_failures = 3;
    if (descriptor >= 0) {
        file_->descriptor = descriptor;
        file_->dependencies = std::make_shared<const Dependencies>(std::move(dependencies_));
        file_->state = File::State::there;
    } else {
        file_->state = ++file_->failures < most_failures ? File::State::seen : File::State::impossible;
    }
}

}  // namespace cuprum::core
