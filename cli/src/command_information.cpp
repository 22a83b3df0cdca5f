// `cuprum info`, `cuprum devices`, `cuprum version` and `cuprum doctor`
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "commands.hpp"
#include "doctor.hpp"
#include "indented_json.hpp"
#include "report.hpp"

namespace cuprum::cli {

namespace {

using pathfinder::Finding;

void print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
}

void take_no_words(const CommandLine& line, const char* command) {
    if (!line.words().empty()) {
        throw UsageError(std::string(command) + " takes options alone, given '" + line.words()[0] + "'");
    }
}

}  // namespace

int show_information(const CommandLine& line) {
    take_no_words(line, "info");
    const capi::Information information = capi::gather_information();
    print(line.has("--json") ? indented_json(capi::to_json(information))
                             : information_report(information, line.has("--verbose"), Style(stdout)));
    return success;
}

int list_devices(const CommandLine& line) {
    take_no_words(line, "devices");
    const std::vector<capi::DeviceInformation> devices = capi::gather_devices();
    print(line.has("--json") ? indented_json(capi::to_json(devices)) : devices_report(devices, Style(stdout)));
    return success;
}

int show_version(const CommandLine& line) {
    take_no_words(line, "version");
    print("cuprum " CUPRUM_VERSION_TEXT "\n");
    return success;
}

int run_doctor(const CommandLine& line) {
    take_no_words(line, "doctor");
    const std::vector<Finding> findings = capi::diagnose();
    const bool is_well = std::none_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.severity == Finding::Severity::error;
    });
    if (line.has("--json")) {
        print(indented_json(capi::to_json(findings)));
    } else {
        const Style style(stdout);
        print(findings_report(findings, style));
        print(is_well ? style.green("all is well") + "\n" : "");
    }
    return is_well ? success : not_found;
}

}  // namespace cuprum::cli
