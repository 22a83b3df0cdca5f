// `cuprum find`
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "cuprum/pathfinder/nearest_names.hpp"
#include "cuprum/pathfinder/pathfinder.hpp"
#include "indented_json.hpp"
#include "report.hpp"

namespace cuprum::cli {

namespace {

using pathfinder::PartKind;

// In the order in which a name is looked for.
constexpr std::pair<std::string_view, PartKind> kinds[] = {
    {"library", PartKind::dynamic_library}, {"tool", PartKind::binary_utility}, {"bitcode", PartKind::bitcode_library},
    {"static", PartKind::static_library},   {"headers", PartKind::headers},
};

PartKind parse_kind(const std::string& text) {
    for (const auto& [name, kind] : kinds) {
        if (text == name) {
            return kind;
        }
    }
    throw UsageError("there is no kind '" + text + "'", "--kind takes library, headers, bitcode, static or tool");
}

// The first kind that has the name.
PartKind kind_of(const std::string& name) {
    std::vector<std::string> all;
    for (const auto& [kind_name, kind] : kinds) {
        for (const pathfinder::SupportedPart& part : pathfinder::supported_parts(kind)) {
            if (part.name == name) {
                return kind;
            }
            if (std::find(all.begin(), all.end(), part.name) == all.end()) {
                all.push_back(part.name);
            }
        }
    }
    std::string advice;
    for (const std::string& near : pathfinder::nearest_names(name, all)) {
        advice += (advice.empty() ? "did you mean " : " or ") + near;
    }
    throw UsageError("there is no part '" + name + "'",
                     advice.empty() ? "cuprum info -v lists the names" : advice + "?");
}

}  // namespace

int find_part(const CommandLine& line) {
    if (line.words().size() != 1) {
        throw UsageError(line.words().empty() ? "find needs the name of a part"
                                              : "find takes one name, given also '" + line.words()[1] + "'",
                         "for example: cuprum find nvrtc");
    }
    const std::string& name = line.words()[0];
    const PartKind kind = line.has("--kind") ? parse_kind(line.value("--kind")) : kind_of(name);
    pathfinder::PartReport report;
    try {
        report.part = pathfinder::locate(kind, name);
        report.found = true;
    } catch (const NotFound& error) {
        if (!line.has("--json")) {
            throw;
        }
        report.part.kind = kind;
        report.part.name = name;
        report.part.rejected = error.candidates();
    }
    const std::string text = line.has("--json") ? indented_json(capi::to_json(report))
                                                : part_report(report.part, line.has("--verbose"), Style(stdout));
    std::fputs(text.c_str(), stdout);
    return report.found ? success : not_found;
}

}  // namespace cuprum::cli
