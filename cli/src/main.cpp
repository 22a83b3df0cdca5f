// `cuprum`: where the parts of CUDA are, and what is wrong with them. docs/pathfinder.md describes it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "cuprum/pathfinder/doctor.hpp"
#include "cuprum/pathfinder/nearest_names.hpp"
#include "cuprum/pathfinder/pathfinder.hpp"
#include "report.hpp"

namespace cuprum::cli {

namespace {

using pathfinder::Finding;
using pathfinder::PartKind;

// Documented in `usage`.
enum ExitCode { success = 0, not_found = 1, bad_usage = 2, failure = 3 };

constexpr PartKind order_of_kinds[] = {PartKind::dynamic_library, PartKind::binary_utility, PartKind::bitcode_library,
                                       PartKind::static_library, PartKind::headers};

void print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
}

// The first kind that has the name. Throws InvalidArgument with the nearest names of all kinds.
PartKind kind_of(const std::string& name) {
    std::vector<std::string> all;
    for (const PartKind kind : order_of_kinds) {
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
    throw InvalidArgument("finding a part", name, "no part has that name",
                          advice.empty() ? "cuprum info -v lists all names" : advice + "?");
}

int find(const Arguments& arguments) {
    const PartKind kind = arguments.kind.value_or(kind_of(arguments.name));
    pathfinder::PartReport report;
    try {
        report.part = pathfinder::locate(kind, arguments.name);
        report.found = true;
    } catch (const NotFound& error) {
        if (!arguments.json) {
            throw;
        }
        report.part.kind = kind;
        report.part.name = arguments.name;
        report.part.rejected = error.candidates();
    }
    print(arguments.json ? capi::to_json(report) + "\n" : part_report(report.part, arguments.verbose, Style(stdout)));
    return report.found ? success : not_found;
}

int info(const Arguments& arguments) {
    const capi::Information information = capi::gather_information();
    print(arguments.json ? capi::to_json(information) + "\n"
                         : information_report(information, arguments.verbose, Style(stdout)));
    return success;
}

int doctor(const Arguments& arguments) {
    const std::vector<Finding> findings = pathfinder::diagnose();
    const bool is_well = std::none_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.severity == Finding::Severity::error;
    });
    if (arguments.json) {
        print(capi::to_json(findings) + "\n");
    } else {
        const Style style(stdout);
        print(findings_report(findings, style));
        print(is_well ? style.green("all is well") + "\n" : "");
    }
    return is_well ? success : not_found;
}

int run(const Arguments& arguments) {
    switch (arguments.command) {
        case Arguments::Command::help:
            print(usage);
            return success;
        case Arguments::Command::version:
            print("cuprum " CUPRUM_VERSION_TEXT "\n");
            return success;
        case Arguments::Command::find:
        case Arguments::Command::info:
        case Arguments::Command::doctor:
            break;
    }
    if (!arguments.toolkit.empty()) {
        // The same as the variable, so that doctor and a toolkit that is missing are treated alike.
        setenv("CUPRUM_TOOLKIT", arguments.toolkit.c_str(), 1);
    }
    switch (arguments.command) {
        case Arguments::Command::find:
            return find(arguments);
        case Arguments::Command::info:
            return info(arguments);
        default:
            return doctor(arguments);
    }
}

}  // namespace

}  // namespace cuprum::cli

int main(int count, char** words) {
    using namespace cuprum;
    try {
        const std::vector<const char*> arguments(words + std::min(count, 1), words + count);
        return cli::run(cli::parse_arguments(arguments));
    } catch (const InvalidArgument& error) {
        std::fprintf(stderr, "cuprum: %s\n", error.what());
        return cli::bad_usage;
    } catch (const NotFound& error) {
        std::fprintf(stderr, "cuprum: %s\n", error.what());
        return cli::not_found;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "cuprum: %s\n", error.what());
        return cli::failure;
    }
}
