#include "header_dependencies.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "cache_hash.hpp"

namespace cuprum::core {

namespace {

std::optional<std::string> read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) return std::nullopt;
    return std::move(text).str();
}

std::optional<struct stat> status_of_file(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return status;
}

uint64_t nanoseconds(const timespec& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

std::string folder_of(const std::string& path) {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string(".") : path.substr(0, slash);
}

// One #include, #include_next or __has_include.
struct Inclusion {
    std::string name;
    bool quoted = false;
    bool computed = false;  // a macro stands for the name
};

std::string_view skip_blanks(std::string_view text) {
    const size_t begin = text.find_first_not_of(" \t");
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

std::optional<Inclusion> parse_name(std::string_view text) {
    text = skip_blanks(text);
    if (text.empty()) return std::nullopt;
    const char close = text.front() == '<' ? '>' : '"';
    if (text.front() != '<' && text.front() != '"') return Inclusion{{}, false, true};
    const size_t end = text.find(close, 1);
    if (end == std::string_view::npos) return Inclusion{{}, false, true};
    return Inclusion{std::string(text.substr(1, end - 1)), close == '"', false};
}

// Removes `word` from the front of `text`, blanks before it included.
bool take_word(std::string_view& text, std::string_view word) {
    const std::string_view rest = skip_blanks(text);
    if (!rest.starts_with(word)) return false;
    text = rest.substr(word.size());
    return true;
}

std::vector<Inclusion> inclusions_of(std::string_view text) {
    std::vector<Inclusion> result;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        std::string_view directive = line;
        if (!take_word(directive, "#")) continue;
        if (take_word(directive, "include_next") || take_word(directive, "include")) {
            if (auto inclusion = parse_name(directive)) result.push_back(std::move(*inclusion));
            continue;
        }
        constexpr std::string_view has_include = "__has_include";
        for (size_t at = line.find(has_include); at != std::string_view::npos; at = line.find(has_include, at + 1)) {
            std::string_view rest = line.substr(at + has_include.size());
            if (!take_word(rest, "(")) continue;  // "#if defined __has_include"
            auto inclusion = parse_name(rest);
            if (inclusion && !inclusion->computed) result.push_back(std::move(*inclusion));
        }
    }
    return result;
}

bool differs_tomorrow(std::string_view text) {
    return text.find("__DATE__") != std::string_view::npos || text.find("__TIME__") != std::string_view::npos ||
           text.find("__TIMESTAMP__") != std::string_view::npos;
}

class Scan {
public:
    explicit Scan(const HeaderSearch& search) : search_(search) {}

    // Whether everything is known.
    bool source() {
        const std::string folder = folder_of(search_.name);
        for (const std::string& name : search_.pre_includes)
            resolve({name, true, false}, folder, false);
        return text(search_.source, folder, false) && pending();
    }

    std::vector<HeaderDependency> take_result() { return std::move(result_); }

private:
    struct File {
        std::string path;
        bool of_toolkit;
    };

    bool pending() {
        while (!pending_.empty()) {
            const File file = std::move(pending_.back());
            pending_.pop_back();
            const std::optional<std::string> content = read_file(file.path);
            if (!content) return false;
            if (!file.of_toolkit) {
                result_.push_back({HeaderDependency::Kind::content, cache_hash(*content), 0, file.path});
            }
            if (!text(*content, folder_of(file.path), file.of_toolkit)) return false;
        }
        return true;
    }

    bool text(std::string_view content, const std::string& folder, bool of_toolkit) {
        if (!of_toolkit && differs_tomorrow(content)) return false;
        for (const Inclusion& inclusion : inclusions_of(content)) {
            if (inclusion.computed) {
                // The toolkit's own are made of names of the toolkit, which NVRTC's identity stands for.
                if (of_toolkit) continue;
                return false;
            }
            resolve(inclusion, folder, of_toolkit);
        }
        return true;
    }

    bool is_toolkit_folder(const std::string& folder) const {
        return std::find(search_.toolkit_folders.begin(), search_.toolkit_folders.end(), folder) !=
               search_.toolkit_folders.end();
    }

    void resolve(const Inclusion& inclusion, const std::string& folder, bool of_toolkit) {
        if (inclusion.name.starts_with('/')) {
            take(inclusion.name, false);
            return;
        }
        if (inclusion.quoted && take(folder + '/' + inclusion.name, of_toolkit)) return;
        for (const std::string& candidate : search_.folders) {
            if (take(candidate + '/' + inclusion.name, is_toolkit_folder(candidate))) return;
        }
    }

    // Whether the file is there. Remembers it, or that it is not there.
    bool take(std::string path, bool of_toolkit) {
        const auto [known, is_new] = seen_.insert(path);
        const std::optional<struct stat> status = status_of_file(*known);
        if (!is_new) return status.has_value();
        if (!status) {
            // A file that appears in a toolkit's folder comes with others that change.
            if (!of_toolkit) result_.push_back({HeaderDependency::Kind::absent, 0, 0, std::move(path)});
            return false;
        }
        if (of_toolkit) {
            result_.push_back({HeaderDependency::Kind::toolkit, static_cast<uint64_t>(status->st_size),
                               nanoseconds(status->st_mtim), path});
        }
        pending_.push_back({std::move(path), of_toolkit});
        return true;
    }

    const HeaderSearch& search_;
    std::vector<HeaderDependency> result_;
    std::vector<File> pending_;
    std::set<std::string> seen_;
};

}  // namespace

std::optional<std::vector<HeaderDependency>> find_header_dependencies(const HeaderSearch& search) {
    Scan scan(search);
    if (!scan.source()) return std::nullopt;
    return scan.take_result();
}

bool are_unchanged(std::span<const HeaderDependency> dependencies) {
    return std::all_of(dependencies.begin(), dependencies.end(), [](const HeaderDependency& dependency) {
        const std::optional<struct stat> status = status_of_file(dependency.path);
        switch (dependency.kind) {
            case HeaderDependency::Kind::absent:
                return !status.has_value();
            case HeaderDependency::Kind::toolkit:
                return status && static_cast<uint64_t>(status->st_size) == dependency.first &&
                       nanoseconds(status->st_mtim) == dependency.second;
            case HeaderDependency::Kind::content:
                break;
        }
        const std::optional<std::string> content = status ? read_file(dependency.path) : std::nullopt;
        return content && cache_hash(*content) == dependency.first;
    });
}

}  // namespace cuprum::core
