// `cuprum cache`
#include <cstdio>
#include <ctime>
#include <string>

#include "commands.hpp"
#include "cuprum/core/compile_cache.hpp"
#include "cuprum/core/error.hpp"
#include "indented_json.hpp"
#include "json_writer.hpp"
#include "utf8.hpp"

namespace cuprum::cli {

namespace {

void print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
}

core::CompileCacheInfo cache_in_use() {
    core::CompileCacheInfo info = core::compile_cache_info();
    if (!info.enabled) {
        throw InvalidArgument("looking for the compile cache", "there is no compile cache", info.disabled_reason);
    }
    return info;
}

std::string counted(uint64_t count) {
    return std::to_string(count) + (count == 1 ? " entry" : " entries");
}

// "2026-03-01 14:05"
std::string local_time(int64_t seconds) {
    const std::time_t moment = seconds;
    std::tm parts{};
    char text[32] = "";
    if (localtime_r(&moment, &parts) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
    return text;
}

void write_number(capi::JsonWriter& json, const char* name, uint64_t value) {
    json.key(name);
    json.number(value);
}

void list(bool as_json) {
    capi::JsonWriter json;
    json.begin_array();
    std::string lines;
    for (const core::CompileCacheEntry& entry : core::compile_cache_entries()) {
        json.begin_object();
        json.member("path", entry.path);
        json.member("program", entry.program);
        write_number(json, "bytes", entry.size);
        write_number(json, "last_used", static_cast<uint64_t>(entry.last_used));
        json.end_object();
        lines += local_time(entry.last_used) + "  " + std::to_string(entry.size) + " bytes  " +
                 (entry.program.empty() ? "(damaged)" : capi::to_utf8(entry.program)) + "  " + entry.path + "\n";
    }
    json.end_array();
    print(as_json ? indented_json(json.get()) : lines);
}

void size(const core::CompileCacheInfo& info, bool as_json) {
    capi::JsonWriter json;
    json.begin_object();
    json.member("path", info.directory);
    write_number(json, "entries", info.entries);
    write_number(json, "bytes", info.size);
    write_number(json, "size_limit", info.size_limit);
    json.end_object();
    print(as_json ? indented_json(json.get())
                  : counted(info.entries) + ", " + std::to_string(info.size) + " of at most " +
                        std::to_string(info.size_limit) + " bytes, in " + info.directory + "\n");
}

void verify(bool as_json) {
    const core::CompileCacheCheck check = core::verify_compile_cache();
    capi::JsonWriter json;
    json.begin_object();
    write_number(json, "intact", check.intact);
    write_number(json, "removed", check.removed);
    json.end_object();
    print(as_json ? indented_json(json.get())
                  : counted(check.intact) + " intact, " + std::to_string(check.removed) + " damaged and removed\n");
}

void clear(const core::CompileCacheInfo& info, bool as_json) {
    core::clear_compile_cache();
    capi::JsonWriter json;
    json.begin_object();
    write_number(json, "removed", info.entries);
    json.end_object();
    print(as_json ? indented_json(json.get()) : counted(info.entries) + " removed\n");
}

}  // namespace

int manage_cache(const CommandLine& line) {
    const std::string what = line.words().empty() ? "size" : line.words()[0];
    if (line.words().size() > 1 || (what != "list" && what != "size" && what != "clear" && what != "verify")) {
        throw UsageError("cache takes one of list, size, clear and verify, given '" + line.words().back() + "'");
    }
    const core::CompileCacheInfo info = cache_in_use();
    const bool as_json = line.has("--json");
    if (what == "list") list(as_json);
    if (what == "size") size(info, as_json);
    if (what == "verify") verify(as_json);
    if (what == "clear") clear(info, as_json);
    return success;
}

}  // namespace cuprum::cli
