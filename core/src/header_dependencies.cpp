#include "header_dependencies.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cache_hash.hpp"
#include "include_scanner.hpp"
#include "seen_headers.hpp"

namespace cuprum::core {

namespace {

std::string folder_of(const std::string& path) {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

std::string join(const std::string& folder, const std::string& name) {
    return folder.empty() || folder.back() == '/' ? folder + name : folder + '/' + name;
}

// Which of the files are one and the same.
class SameFiles {
public:
    void add(const struct stat& status) { files_.emplace_back(status.st_dev, status.st_ino); }
    uint64_t first_like(size_t index) const {
        return static_cast<uint64_t>(std::find(files_.begin(), files_.end(), files_[index]) - files_.begin());
    }

private:
    std::vector<std::pair<dev_t, ino_t>> files_;
};

constexpr std::array<std::string_view, 3> words_of_time{"__DATE__", "__TIME__", "__TIMESTAMP__"};
constexpr std::string_view has_include = "__has_include";
constexpr std::string_view has_include_next = "__has_include_next";

class Search {
public:
    explicit Search(const HeaderSearch& search) : search_(search), rules_(scan_rules(search.std)) {}

    // Whether everything is known.
    bool run() {
        for (const std::string& name : search_.pre_includes)
            pre_include(name);
        add_text(search_.source, folder_of(search_.name));
        for (const std::string& definition : search_.definitions)
            add_definition(definition);
        for (const std::string& expression : search_.expressions)
            add_expression(expression);
        while (doubt_.empty() && !(pending_.empty() && pending_of_toolkit_.empty())) {
            for (const std::string& path : std::exchange(pending_, {}))
                add_file(path);
            add_toolkit_headers(std::exchange(pending_of_toolkit_, {}));
        }
        if (doubt_.empty()) resolve_computed_inclusions();
        if (doubt_.empty()) resolve_probes();
        if (doubt_.empty()) look_for_joined_words();
        return doubt_.empty();
    }

    std::vector<HeaderDependency> take_result() { return std::move(result_); }
    const std::string& doubt() const { return doubt_; }

private:
    struct Text {
        std::string folder;
        bool of_toolkit;
        std::shared_ptr<const ScannedText> scanned;
    };
    // A macro that stands for __has_include(its parameter).
    struct Probe {
        bool next = false;
    };

    void doubt(std::string_view reason) {
        if (doubt_.empty()) doubt_ = reason;
    }

    // Texts

    void add_toolkit_headers(const std::vector<FoundHeader>& headers) {
        scan_toolkit_headers(headers, search_.std, rules_);
        for (const FoundHeader& header : headers) {
            auto scanned = scanned_toolkit_header(header, search_.std, rules_);
            if (scanned == nullptr) return doubt("a header that cannot be read");
            add_scanned(std::move(scanned), folder_of(header.path), true);
        }
    }

    void add_file(const std::string& path) {
        std::optional<std::string> content = read_file(path);
        if (!content) return doubt("a header that cannot be read");
        result_.push_back({HeaderDependency::Kind::content, cache_hash(*content), 0, path});
        add_text(contents_.emplace_back(std::move(*content)), folder_of(path));
    }

    // Of the caller's.
    void add_text(std::string_view content, std::string folder) {
        add_scanned(std::make_shared<const ScannedText>(scan_text(content, rules_)), std::move(folder), false);
    }

    void add_scanned(std::shared_ptr<const ScannedText> scanned, std::string folder, bool of_toolkit) {
        const Text& text = texts_.emplace_back(Text{std::move(folder), of_toolkit, std::move(scanned)});
        // What the toolkit's headers do is known: it has been looked at, and NVRTC's identity stands for it.
        if (!of_toolkit) {
            doubt(text.scanned->doubt);
            if (!text.scanned->computed_inclusions.empty()) doubt("an #include whose name comes from a macro");
        }
        for (const Inclusion& inclusion : text.scanned->inclusions)
            include(inclusion, text);
    }

    void add_definition(const std::string& definition) {
        // NAME=TEXT or NAME(PARAMETERS)=TEXT
        std::string line = "#define " + definition;
        const size_t equals = line.find('=');
        if (equals != std::string::npos) line[equals] = ' ';
        if (line.find('\n') != std::string::npos) return doubt("a definition of several lines");
        add_text(contents_.emplace_back(std::move(line)), {});
    }

    void add_expression(const std::string& expression) {
        add_text(contents_.emplace_back(expression), {});
        const ScannedText& scanned = *texts_.back().scanned;
        if (!scanned.inclusions.empty() || !scanned.macros.empty() || !scanned.header_uses.empty()) {
            doubt("a name expression with a directive or a header's name");
        }
    }

    // The places of a name

    bool is_toolkit_folder(const std::string& folder) const {
        return std::find(search_.toolkit_folders.begin(), search_.toolkit_folders.end(), folder) !=
               search_.toolkit_folders.end();
    }

    // Calls visit(path, of_toolkit) for the places where NVRTC looks, until it has found a file there.
    template <class Visit>
    void visit_places(const Inclusion& inclusion, const Text& from, const Visit& visit) const {
        const std::string& name = inclusion.name.text;
        if (name.starts_with('/')) {
            visit_with_suffix(name, false, visit);
            return;
        }
        // Which folder is the next one depends on where the file with the #include_next was found; in the source itself
        // it means #include.
        if (inclusion.name.quoted) {
            const bool is_there = visit_with_suffix(from.folder + name, from.of_toolkit, visit);
            if (is_there && search_.looks_in_own_folder && !inclusion.next) return;
        }
        for (const std::string& folder : search_.folders) {
            const bool is_there = visit_with_suffix(join(folder, name), is_toolkit_folder(folder), visit);
            if (is_there && !inclusion.next) return;
        }
    }

    // NVRTC looks for "name.stdh" where there is no "name" (a name without a point only). No toolkit has such files.
    template <class Visit>
    static bool visit_with_suffix(const std::string& path, bool of_toolkit, const Visit& visit) {
        if (visit(path, of_toolkit)) return true;
        const bool has_point = path.find('.', folder_of(path).size()) != std::string::npos;
        return !has_point && !of_toolkit && visit(path + ".stdh", of_toolkit);
    }

    // Whether the name is that of a header that is no file, which is read before any that is.
    bool take_text(const Inclusion& inclusion) {
        const auto header = std::find_if(search_.headers.begin(), search_.headers.end(),
                                         [&](const auto& known) { return known.first == inclusion.name.text; });
        if (header == search_.headers.end()) return false;
        if (texts_read_.insert(header->first).second) {
            const ScannedText scanned = scan_text(header->second, rules_);
            for (const Inclusion& inner : scanned.inclusions) {
                if (inner.name.quoted) doubt("a header that is no file includes a name in quotes");
            }
            add_text(header->second, {});
        }
        return !inclusion.name.quoted && !inclusion.next;
    }

    void include(const Inclusion& inclusion, const Text& from) {
        if (take_text(inclusion)) return;
        visit_places(inclusion, from,
                     [&](const std::string& path, bool of_toolkit) { return take(path, of_toolkit, true); });
    }

    void probe(const Inclusion& inclusion, const Text& from) {
        visit_places(inclusion, from,
                     [&](const std::string& path, bool of_toolkit) { return take(path, of_toolkit, false); });
    }

    // Where NVRTC looks for what an option names, before the include folders.
    void pre_include(const std::string& name) {
        const Text working_directory{{}, false, {}};
        const Inclusion inclusion{{name, true}, false};
        if (!search_.looks_in_own_folder && take(name, false, true)) return;
        include(inclusion, working_directory);
    }

    // Whether a file is there. Remembers it, or that it is not there.
    bool take(const std::string& path, bool of_toolkit, bool is_read) {
        struct stat status {};
        const Found found = look_at(path, status);
        if (found == Found::other) doubt("a header that is not a regular file");
        if (found != Found::file) {
            const bool is_folder = S_ISDIR(status.st_mode);
            std::string missing = is_folder ? path : first_missing(path);
            if (absent_.insert(missing).second) {
                result_.push_back({HeaderDependency::Kind::absent, is_folder ? 1U : 0U, 0, std::move(missing)});
            }
            return false;
        }
        if (!is_read) {
            if (present_.insert(path).second) result_.push_back({HeaderDependency::Kind::present, 0, 0, path});
            return true;
        }
        if (!read_.insert(path).second) return true;
        if (of_toolkit) {
            result_.push_back({HeaderDependency::Kind::toolkit, static_cast<uint64_t>(status.st_size),
                               nanoseconds(status.st_mtim), path});
            pending_of_toolkit_.push_back({path, status});
        } else {
            pending_.push_back(path);
        }
        return true;
    }

    // The first folder on the way that is not there, else the path: one answer for all that would lie in it.
    std::string first_missing(const std::string& path) {
        for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
            std::string folder = path.substr(0, slash);
            if (folders_.contains(folder)) continue;
            if (absent_.contains(folder)) return folder;
            struct stat status {};
            if (stat(folder.c_str(), &status) != 0) return folder;
            if (!S_ISDIR(status.st_mode)) return path;
            folders_.insert(std::move(folder));
        }
        return path;
    }

    // Macros

    template <class Visit>
    void visit_macros(const Visit& visit) {
        for (const Text& text : texts_) {
            for (const MacroDefinition& macro : text.scanned->macros)
                visit(macro, text);
        }
    }

    using Macros = std::unordered_map<std::string_view, std::vector<const MacroDefinition*>>;

    // The toolkit's computed #includes name headers of the toolkit (<THRUST_ROOT/...>). What could change that: a macro
    // of the caller's, or a folder of the caller's that comes to hold something of the name that the path begins with.
    void resolve_computed_inclusions() {
        std::vector<std::string_view> words;
        std::vector<std::string_view> first_words;
        for (const Text& text : texts_) {
            for (const std::vector<std::string_view>& computed : text.scanned->computed_inclusions) {
                words.insert(words.end(), computed.begin(), computed.end());
                if (computed.empty()) return doubt("an #include whose name cannot be read");
                first_words.push_back(computed.front());
            }
        }
        if (words.empty()) return;
        Macros macros;
        std::unordered_set<std::string_view> of_caller;
        visit_macros([&](const MacroDefinition& macro, const Text& text) {
            macros[macro.name].push_back(&macro);
            if (!text.of_toolkit) of_caller.insert(macro.name);
        });
        constexpr auto all = static_cast<size_t>(-1);
        for (const std::string_view word : expanded(std::move(words), macros, all)) {
            if (of_caller.contains(word)) return doubt("a macro in the name of a header of the toolkit");
        }
        for (const std::string_view word : expanded(std::move(first_words), macros, 1)) {
            if (!macros.contains(word)) keep_out_of_the_callers_folders(std::string(word));
        }
    }

    // The words, and up to `count` of those that stand for each.
    static std::unordered_set<std::string_view> expanded(std::vector<std::string_view> words, const Macros& macros,
                                                         size_t count) {
        std::unordered_set<std::string_view> known;
        while (!words.empty()) {
            const std::string_view word = words.back();
            words.pop_back();
            if (!known.insert(word).second) continue;
            const auto found = macros.find(word);
            if (found == macros.end()) continue;
            for (const MacroDefinition* macro : found->second) {
                for (size_t i = 0; i < std::min(count, macro->uses.size()); ++i)
                    words.push_back(macro->uses[i].word);
            }
        }
        return known;
    }

    void keep_out_of_the_callers_folders(const std::string& word) {
        for (const std::string& folder : search_.folders) {
            if (is_toolkit_folder(folder)) continue;
            for (const char* const suffix : {"", ".h", ".stdh"}) {
                std::string path = join(folder, word + suffix);
                struct stat status {};
                if (stat(path.c_str(), &status) == 0)
                    return doubt("a folder that may stand before one of the toolkit's");
                if (absent_.insert(path).second) {
                    result_.push_back({HeaderDependency::Kind::absent, 0, 0, std::move(path)});
                }
            }
        }
    }

    void resolve_probes() {
        find_probes();
        if (!doubt_.empty()) return;
        for (const Text& text : texts_) {
            for (const WordUse& use : text.scanned->header_uses) {
                if (const auto found = probes_.find(use.word); found != probes_.end()) {
                    probe_plain_name(use, found->second, text, {});
                }
            }
            for (const auto& [word, ignored] : probes_) {
                if (text.scanned->bare_uses.contains(word))
                    doubt("a " + std::string(word) + " of a name made by a macro");
            }
        }
    }

    // The macros that stand for __has_include, directly or through others.
    void find_probes() {
        probes_ = {{has_include, {false}}, {has_include_next, {true}}};
        visit_macros([&](const MacroDefinition& macro, const Text&) { macro_names_.insert(macro.name); });
        for (bool is_complete = false; !is_complete && doubt_.empty();) {
            is_complete = true;
            visit_macros([&](const MacroDefinition& macro, const Text& text) {
                for (const WordUse& use : macro.uses) {
                    const auto found = probes_.find(use.word);
                    if (found == probes_.end()) continue;
                    const Probe probe = found->second;
                    if (use.form == WordUse::Form::header && !use.header.quoted) {
                        probe_plain_name(use, probe, text, macro.parameters);
                        continue;
                    }
                    const bool is_passed_on = use.form == WordUse::Form::argument && !macro.has_operator &&
                                              macro.parameters.size() == 1 && macro.parameters[0] == use.argument;
                    if (!is_passed_on) return doubt("a macro that stands for __has_include");
                    const auto [known, is_new] = probes_.emplace(macro.name, probe);
                    if (is_new || known->second.next < probe.next) is_complete = false;
                    known->second.next |= probe.next;
                }
            });
        }
    }

    // A macro could change a name that is not read as one.
    void probe_plain_name(const WordUse& use, const Probe& how, const Text& from,
                          const std::vector<std::string_view>& parameters) {
        const std::string& name = use.header.text;
        if (!use.header.quoted) {
            for (size_t begin = 0; begin < name.size();) {
                const size_t end = std::min(name.find_first_of("/.-+", begin), name.size());
                const std::string_view word = std::string_view(name).substr(begin, end - begin);
                if (macro_names_.contains(word) ||
                    std::find(parameters.begin(), parameters.end(), word) != parameters.end()) {
                    doubt("a __has_include of a name with a macro in it");
                }
                begin = end + 1;
            }
        }
        probe({use.header, how.next}, from);
    }

    // Whether ## could make one of the words that matter out of others.
    void look_for_joined_words() {
        std::unordered_set<std::string_view> of_caller;
        bool has_paste = false;
        bool has_computed_pragma = false;
        for (const Text& text : texts_) {
            has_paste = has_paste || text.scanned->has_paste;
            if (text.of_toolkit) continue;
            has_computed_pragma = has_computed_pragma || text.scanned->has_computed_pragma;
            of_caller.insert(text.scanned->words.begin(), text.scanned->words.end());
        }
        for (const std::string_view word : words_of_time) {
            if (of_caller.contains(word)) doubt(word);
        }
        for (const std::string_view word : {"include", "include_next", "include_alias", "dependency", "embed"}) {
            if (has_computed_pragma && of_caller.contains(word)) doubt("a _Pragma that may read a file");
        }
        if (!has_paste) return;
        for (const auto& [word, ignored] : probes_)
            look_for_pieces(word, of_caller);
        for (const std::string_view word : {"__has_embed", "__DATE__", "__TIME__", "__TIMESTAMP__"})
            look_for_pieces(word, of_caller);
    }

    bool is_a_word(std::string_view piece) const {
        return std::any_of(texts_.begin(), texts_.end(),
                           [piece](const Text& text) { return text.scanned->words.contains(piece); });
    }

    // At least one piece must be the caller's: what the toolkit joins of its own is known, and of its words only those
    // of some length count, since single letters are all there.
    void look_for_pieces(std::string_view word, const std::unordered_set<std::string_view>& of_caller) {
        struct Reached {
            bool at_all = false;
            bool with_callers = false;
        };
        constexpr size_t shortest_of_toolkit = 4;
        std::vector<Reached> reached(word.size() + 1);
        reached[0].at_all = true;
        for (size_t begin = 0; begin < word.size(); ++begin) {
            if (!reached[begin].at_all) continue;
            for (size_t size = 1; begin + size <= word.size(); ++size) {
                if (size == word.size()) continue;  // not joined
                const std::string_view piece = word.substr(begin, size);
                // One that asks for a file has a parenthesis behind it, or there would be doubt already.
                if (begin + size < word.size() && probes_.contains(piece)) continue;
                const bool is_callers = of_caller.contains(piece);
                if (!is_callers && (size < shortest_of_toolkit || !is_a_word(piece))) continue;
                Reached& end = reached[begin + size];
                end.at_all = true;
                end.with_callers = end.with_callers || is_callers || reached[begin].with_callers;
            }
        }
        if (reached[word.size()].with_callers) doubt("words that ## may join to " + std::string(word));
    }

    const HeaderSearch& search_;
    const ScanRules rules_;
    std::vector<HeaderDependency> result_;
    std::string doubt_;
    std::vector<std::string> pending_;  // the caller's
    std::vector<FoundHeader> pending_of_toolkit_;
    std::deque<std::string> contents_;  // what the texts refer to
    std::deque<Text> texts_;
    std::unordered_map<std::string_view, Probe> probes_;
    std::unordered_set<std::string_view> macro_names_;
    std::unordered_set<std::string> read_, texts_read_, present_, absent_, folders_;
};

// The identity of the caller's files, in the order of the list.
void mark_same_files(std::vector<HeaderDependency>& dependencies) {
    SameFiles files;
    for (const HeaderDependency& dependency : dependencies) {
        struct stat status {};
        look_at(dependency.path, status);
        files.add(status);
    }
    for (size_t i = 0; i < dependencies.size(); ++i) {
        if (dependencies[i].kind == HeaderDependency::Kind::content) dependencies[i].second = files.first_like(i);
    }
}

}  // namespace

std::optional<std::vector<HeaderDependency>> find_header_dependencies(const HeaderSearch& search, std::string* doubt) {
    Search run(search);
    if (!run.run()) {
        if (doubt != nullptr) *doubt = run.doubt();
        return std::nullopt;
    }
    std::vector<HeaderDependency> result = run.take_result();
    mark_same_files(result);
    return result;
}

bool are_unchanged(std::span<const HeaderDependency> dependencies, std::chrono::milliseconds toolkit_age) {
    const auto oldest = std::chrono::steady_clock::now() - toolkit_age;
    SameFiles files;
    for (const HeaderDependency& dependency : dependencies) {
        struct stat status {};
        const Found found = dependency.kind == HeaderDependency::Kind::toolkit
                                ? look_at_toolkit_header(dependency.path, status, oldest)
                                : look_at(dependency.path, status);
        switch (dependency.kind) {
            case HeaderDependency::Kind::absent:
                if (found != Found::nothing || (dependency.first == 0 && S_ISDIR(status.st_mode))) return false;
                break;
            case HeaderDependency::Kind::present:
                if (found != Found::file) return false;
                break;
            case HeaderDependency::Kind::toolkit:
                if (found != Found::file || static_cast<uint64_t>(status.st_size) != dependency.first ||
                    nanoseconds(status.st_mtim) != dependency.second) {
                    return false;
                }
                break;
            case HeaderDependency::Kind::content: {
                const std::optional<std::string> content =
                    found == Found::file ? read_file(dependency.path) : std::nullopt;
                if (!content || cache_hash(*content) != dependency.first) return false;
                break;
            }
            default:
                return false;
        }
        files.add(status);
    }
    for (size_t i = 0; i < dependencies.size(); ++i) {
        if (dependencies[i].kind == HeaderDependency::Kind::content && files.first_like(i) != dependencies[i].second) {
            return false;
        }
    }
    return true;
}

}  // namespace cuprum::core
