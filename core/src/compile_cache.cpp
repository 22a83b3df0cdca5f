#include "compile_cache.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <exception>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cache_entry.hpp"
#include "cache_folder.hpp"
#include "cache_hash.hpp"
#include "cacheable_options.hpp"
#include "cuprum/bindings/driver.hpp"
#include "cuprum/pathfinder/pathfinder.hpp"

namespace cuprum::core {

namespace {

// A process that builds one algorithm after the other looks at the toolkit's headers once for several. Less than it
// takes to install another toolkit and ask for the next program.
constexpr std::chrono::milliseconds toolkit_age{100};

struct Counters {
    std::atomic<uint64_t> hits = 0, misses = 0, bypassed = 0, dropped = 0, evicted = 0;
};

Counters& counters() {
    static Counters all;
    return all;
}

void add(std::string& key, std::string_view name, std::string_view value) {
    key.append(name).append(" ").append(std::to_string(value.size())).append(" ").append(value).append("\n");
}

// The value that add() has put into a key under this name; empty where there is none.
std::string field_of(std::string_view key, std::string_view name) {
    while (!key.empty()) {
        const size_t space = key.find(' ');
        if (space == std::string_view::npos) return {};
        uint64_t size = 0;
        const char* const digits = key.data() + space + 1;
        const auto [end, error] = std::from_chars(digits, key.data() + key.size(), size);
        const auto value = static_cast<size_t>(end - key.data()) + 1;  // behind the blank
        if (error != std::errc() || value > key.size() || size >= key.size() - value) return {};
        if (key.substr(0, space) == name) return std::string(key.substr(value, size));
        key.remove_prefix(value + size + 1);  // the line's end
    }
    return {};
}

// Which NVRTC or libNVVM compiles, without opening it: that alone takes longer than reading an entry.
std::string identity_of(const char* library) {
    const pathfinder::LocatedPart& compiler = pathfinder::locate_nvidia_dynamic_lib(library);
    struct stat status {};
    if (stat(compiler.abs_path.c_str(), &status) != 0) throw std::system_error(errno, std::generic_category());
    return compiler.abs_path + ' ' + compiler.version.text() + ' ' + std::to_string(status.st_size) + ' ' +
           std::to_string(status.st_mtim.tv_sec) + '.' + std::to_string(status.st_mtim.tv_nsec);
}

// Whether compiles from different working directories are kept apart. Only debug information needs it: paths that are
// relative are looked for anew in every directory. With one entry for all, two directories would turn each other's out.
bool depends_on_working_directory(const NvrtcInput& input, const CompileInputs& inputs) {
    const auto is_relative = [](const std::string& folder) { return !folder.starts_with('/'); };
    return inputs.names_files || !inputs.pre_includes.empty() ||
           std::any_of(inputs.folders.begin(), inputs.folders.end(), is_relative) ||
           (is_relative(input.name) && input.source.find("include \"") != std::string::npos);
}

// Everything but the headers.
std::string key_of(const NvrtcInput& input, const CompileInputs& inputs) {
    std::string key;
    add(key, "format", "4");
    add(key, "nvrtc", identity_of("nvrtc"));
    if (depends_on_working_directory(input, inputs)) add(key, "folder", std::filesystem::current_path().native());
    add(key, "target", std::to_string(static_cast<int>(input.target)));
    // There it is the simulator's companion of NVRTC that answers, with what no GPU runs.
    if (input.target == CodeType::cubin && bindings::driver::simulator_is_chosen()) add(key, "driver", "simulator");
    if (input.drops_unused_variables) add(key, "unused variables", "dropped");
    if (input.link != nullptr) {
        add(key, "nvjitlink", identity_of("nvJitLink"));
        add(key, "linked", input.link->arch);
    }
    for (const std::string& kernel : input.kernels_apart)
        add(key, "kernel apart", kernel);
    add(key, "name", input.name);
    for (const std::string& option : input.options)
        add(key, "option", option);
    for (const std::string& expression : input.name_expressions)
        add(key, "expression", expression);
    for (const auto& [header, text] : input.headers) {
        add(key, "header", header);
        add(key, "text", text);
    }
    add(key, "source", input.source);
    return key;
}

// libNVVM reads nothing but what it is given.
std::string key_of(const NvvmInput& input) {
    std::string key;
    add(key, "format", "4");
    add(key, "nvvm", identity_of("nvvm"));
    add(key, "target", std::to_string(static_cast<int>(input.target)));
    // Some 400 KiB: its size and hash stand for it.
    if (!input.libdevice.empty()) {
        add(key, "libdevice",
            std::to_string(input.libdevice.size()) + ' ' + std::to_string(cache_hash(input.libdevice)));
    }
    for (const std::string& option : input.options)
        add(key, "option", option);
    for (const NvvmModule& module : input.modules) {
        add(key, "name", module.name);
        add(key, "source", module.code);
    }
    return key;
}

// What is known of one compile before it is looked for.
struct Lookup {
    CacheSettings settings;
    CompileInputs inputs{};
    std::string key;
    uint64_t hash = 0;
    std::string path;
};

void name_file(Lookup& lookup) {
    lookup.hash = cache_hash(lookup.key);
    lookup.path = cache_file_path(lookup.settings.directory, lookup.hash);
}

// None where the compile is not one for the cache.
std::optional<Lookup> prepare(const NvrtcInput& input) {
    std::optional<CompileInputs> inputs = inputs_of(input.options);
    if (!inputs || environment_changes_compiles()) return std::nullopt;
    Lookup lookup;
    lookup.settings = cache_settings();
    if (lookup.settings.directory.empty()) return std::nullopt;
    lookup.inputs = std::move(*inputs);
    lookup.key = key_of(input, lookup.inputs);
    name_file(lookup);
    return lookup;
}

std::optional<Lookup> prepare(const NvvmInput& input) {
    if (!are_known_to_nvvm_cache(input.options) || environment_changes_compiles()) return std::nullopt;
    Lookup lookup;
    lookup.settings = cache_settings();
    if (lookup.settings.directory.empty()) return std::nullopt;
    lookup.key = key_of(input);
    name_file(lookup);
    return lookup;
}

std::optional<NvrtcOutput> read_entry(const Lookup& lookup) {
    const std::string bytes = read_cache_file(lookup.path);
    if (bytes.empty()) return std::nullopt;
    std::optional<CacheEntry> entry = unpack_entry(bytes);
    if (!entry) {
        remove_cache_file(lookup.path);
        ++counters().dropped;
        return std::nullopt;
    }
    if (entry->key != lookup.key || !are_unchanged(entry->dependencies, toolkit_age)) return std::nullopt;
    ++counters().hits;
    return std::move(entry->output);
}

// The result of `attempt`, or nothing where the cache itself fails: that must never fail a compile.
template <class Attempt>
auto or_nothing(const Attempt& attempt) -> decltype(attempt()) {
    try {
        return attempt();
    } catch (const std::exception&) {
        return {};
    }
}

bool store(const Lookup& lookup, std::vector<HeaderDependency> dependencies, const NvrtcOutput& output) {
    // A header that was changed during the compile: nobody knows which of the two NVRTC has read.
    if (!are_unchanged(dependencies)) return false;
    const std::optional<uint64_t> evicted =
        write_cache_file(lookup.settings, lookup.path, pack_entry({lookup.key, std::move(dependencies), output}));
    counters().evicted += evicted.value_or(0);
    return evicted.has_value();
}

// What `lookup` finds, else what `compile` gives, which is then kept: unless `find_dependencies` gives none.
template <class FindDependencies, class Compile>
CachedCompile cached_compile(const std::optional<Lookup>& lookup, const FindDependencies& find_dependencies,
                             const Compile& compile) {
    if (!lookup) {
        ++counters().bypassed;
        return {compile()};
    }
    if (auto output = or_nothing([&] { return read_entry(*lookup); })) return {std::move(*output), true};
    const CacheLock lock(lookup->settings.directory, lookup->hash);
    if (auto output = or_nothing([&] { return read_entry(*lookup); })) return {std::move(*output), true};
    auto dependencies = or_nothing(find_dependencies);
    NvrtcOutput output = compile();
    if (!dependencies) {
        ++counters().bypassed;
        return {std::move(output)};
    }
    ++counters().misses;
    or_nothing([&] { return store(*lookup, std::move(*dependencies), output); });
    return {std::move(output)};
}

}  // namespace

CachedCompile cached_nvrtc_compile(const NvrtcInput& input) {
    const std::optional<Lookup> lookup = or_nothing([&] { return prepare(input); });
    return cached_compile(
        lookup, [&] { return find_header_dependencies(search_for_headers(input, input.source, lookup->inputs)); },
        [&] { return nvrtc_compile(input); });
}

CachedCompile cached_nvvm_compile(const NvvmInput& input, bool may_keep) {
    const std::optional<Lookup> lookup =
        may_keep ? or_nothing([&] { return prepare(input); }) : std::optional<Lookup>();
    return cached_compile(
        lookup, [] { return std::optional(std::vector<HeaderDependency>()); }, [&] { return nvvm_compile(input); });
}

CompileCacheInfo compile_cache_info() {
    CompileCacheInfo info;
    info.hits = counters().hits;
    info.misses = counters().misses;
    info.bypassed = counters().bypassed;
    info.dropped = counters().dropped;
    info.evicted = counters().evicted;
    CacheSettings settings = cache_settings();
    info.enabled = !settings.directory.empty();
    info.disabled_reason = std::move(settings.disabled_reason);
    info.size_limit = settings.size_limit;
    if (info.enabled) {
        const CacheUse use = or_nothing([&] { return measure_cache(settings.directory); });
        info.entries = use.entries;
        info.size = use.size;
    }
    info.directory = std::move(settings.directory);
    return info;
}

std::vector<CompileCacheEntry> compile_cache_entries() {
    const CacheSettings settings = cache_settings();
    if (settings.directory.empty()) return {};
    return or_nothing([&] {
        std::vector<CompileCacheEntry> entries;
        for (CacheFile& file : cache_entries(settings.directory)) {
            const std::optional<CacheEntry> entry = unpack_entry(read_cache_file(file.path, Mark::unchanged));
            entries.push_back({std::move(file.path), entry ? field_of(entry->key, "name") : std::string(), file.size,
                               file.used.tv_sec});
        }
        return entries;
    });
}

CompileCacheCheck verify_compile_cache() {
    const CacheSettings settings = cache_settings();
    CompileCacheCheck check;
    if (settings.directory.empty()) return check;
    or_nothing([&] {
        for (const CacheFile& file : cache_entries(settings.directory)) {
            if (unpack_entry(read_cache_file(file.path, Mark::unchanged))) {
                ++check.intact;
                continue;
            }
            remove_cache_file(file.path);
            ++check.removed;
            ++counters().dropped;
        }
        return true;
    });
    return check;
}

void clear_compile_cache() {
    const CacheSettings settings = cache_settings();
    if (settings.directory.empty()) return;
    or_nothing([&] {
        clear_cache(settings.directory);
        return true;
    });
}

}  // namespace cuprum::core
