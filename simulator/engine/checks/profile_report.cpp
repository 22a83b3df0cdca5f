// The profile as a table and as a page.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <utility>

#include "engine/checks/profile.hpp"

namespace cuprum::simulator {
namespace {

struct Kept {
    std::mutex mutex;
    std::vector<std::shared_ptr<ProgramProfile>> programs;
};
Kept& kept() {
    // Never destroyed: reports are made while the process ends.
    static Kept* const instance = new Kept;
    return *instance;
}

struct Sums {
    uint64_t warps = 0, lanes = 0, divergent = 0, bytes = 0, more_sectors = 0, conflicts = 0;

    void add(const ProfileCounts& counts) {
        warps += counts.warps.load(std::memory_order_relaxed);
        lanes += counts.lanes.load(std::memory_order_relaxed);
        divergent += counts.divergent.load(std::memory_order_relaxed);
        bytes += counts.bytes.load(std::memory_order_relaxed);
        more_sectors += counts.more_sectors.load(std::memory_order_relaxed);
        conflicts += counts.conflicts.load(std::memory_order_relaxed);
    }
    // Of the lanes that a warp has, those that took part.
    uint64_t active_percent() const { return warps == 0 ? 0 : (lanes * 100 + warps * 16) / (warps * 32); }
};

// A file's name, empty for the PTX itself, and a line of it.
using Place = std::pair<std::string, uint32_t>;

struct KernelReport {
    std::string name;
    const ProgramProfile* program = nullptr;
    Sums total;
    std::map<Place, Sums> lines;
};

std::vector<KernelReport> reports() {
    std::vector<KernelReport> result;
    for (const std::shared_ptr<ProgramProfile>& program : kept().programs) {
        for (uint32_t kernel = 0; kernel < program->kernels.size(); ++kernel) {
            KernelReport report;
            report.name = program->kernels[kernel];
            report.program = program.get();
            const ProfileCounts* const counts = program->of_kernel(kernel);
            for (size_t k = 0; k < program->instructions.size(); ++k) {
                if (counts[k].warps.load(std::memory_order_relaxed) == 0) continue;
                const ProfiledInstruction& instruction = program->instructions[k];
                const bool has_source = instruction.line != 0;
                report.lines[{instruction.file, has_source ? instruction.line : instruction.ptx_line}].add(counts[k]);
                report.total.add(counts[k]);
            }
            if (!report.lines.empty()) result.push_back(std::move(report));
        }
    }
    return result;
}

std::string format(const char* text, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char* text, ...) {
    char buffer[512];
    va_list arguments;
    va_start(arguments, text);
    std::vsnprintf(buffer, sizeof(buffer), text, arguments);
    va_end(arguments);
    return buffer;
}

std::string numbers(const Sums& sums) {
    return format("%14llu %5llu %% %12llu %14llu %14llu %12llu", static_cast<unsigned long long>(sums.warps),
                  static_cast<unsigned long long>(sums.active_percent()),
                  static_cast<unsigned long long>(sums.divergent), static_cast<unsigned long long>(sums.bytes),
                  static_cast<unsigned long long>(sums.more_sectors), static_cast<unsigned long long>(sums.conflicts));
}

constexpr const char* meaning =
    "Counts of what kernels did on the simulator, not times: they are the same on any machine and say nothing of how "
    "long a GPU takes. "
    "Instructions: PTX instructions, each counted once for a warp that executes it. "
    "Active: how many of the warp's 32 lanes took part. "
    "Divergent: branches that only some of a warp's lanes took. "
    "Bytes: what the lanes loaded, stored and updated in global and shared memory. "
    "More sectors: sectors of 32 bytes of global memory that warps touched beyond those that their bytes would fill; 0 "
    "is coalesced. "
    "Conflicts: passes over shared memory beyond those without bank conflicts.";

std::string escaped(const std::string& text) {
    std::string result;
    for (const char letter : text) {
        switch (letter) {
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '&':
                result += "&amp;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += letter;
                break;
        }
    }
    return result;
}

std::vector<std::string> lines_of(std::istream&& in) {
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

// Empty where the file is not there any more.
std::vector<std::string> source_of(const KernelReport& report, const std::string& file) {
    return file.empty() ? lines_of(std::istringstream(report.program->ptx)) : lines_of(std::ifstream(file));
}

// Lines around those that have been counted.
constexpr uint32_t lines_around = 3;

std::string row(const std::string& number, const std::string& text, const Sums* sums, uint64_t most) {
    std::string cells;
    if (sums == nullptr) {
        cells = "<td></td><td></td><td></td><td></td><td></td><td></td>";
    } else {
        const auto cell = [](uint64_t value) {
            return "<td>" + (value == 0 ? std::string() : std::to_string(value)) + "</td>";
        };
        const double share = most == 0 ? 0 : static_cast<double>(sums->warps) / static_cast<double>(most);
        cells = format("<td style=\"background: rgba(220, 90, 0, %.2f)\">%llu</td>", 0.6 * share,
                       static_cast<unsigned long long>(sums->warps)) +
                "<td>" + std::to_string(sums->active_percent()) + " %</td>" + cell(sums->divergent) +
                cell(sums->bytes) + cell(sums->more_sectors) + cell(sums->conflicts);
    }
    return "<tr>" + cells + "<td class=\"n\">" + number + "</td><td class=\"s\">" + escaped(text) + "</td></tr>\n";
}

std::string table_of(const KernelReport& report, const std::string& file, uint64_t most) {
    const std::vector<std::string> source = source_of(report, file);
    std::string html = "<h3>" + escaped(file.empty() ? "PTX" : file) +
                       "</h3>\n<table>\n<tr><th>instructions</th><th>active</th><th>divergent</th><th>bytes</th>"
                       "<th>more sectors</th><th>conflicts</th><th>line</th><th></th></tr>\n";
    uint32_t shown = 0;
    for (auto found = report.lines.lower_bound({file, 0}); found != report.lines.end() && found->first.first == file;
         ++found) {
        const uint32_t line = found->first.second;
        const auto text_of = [&](uint32_t number) {
            return number <= source.size() ? source[number - 1] : std::string();
        };
        const uint32_t begin = std::max(shown + 1, line > lines_around ? line - lines_around : 1);
        if (shown != 0 && begin > shown + 1) html += "<tr><td colspan=\"8\">&hellip;</td></tr>\n";
        for (uint32_t number = begin; number < line && !source.empty(); ++number)
            html += row(std::to_string(number), text_of(number), nullptr, most);
        html += row(std::to_string(line), text_of(line), &found->second, most);
        shown = line;
    }
    return html + "</table>\n";
}

}  // namespace

void keep_profile(std::shared_ptr<ProgramProfile> profile) {
    const std::lock_guard lock(kept().mutex);
    kept().programs.push_back(std::move(profile));
}

std::string profile_table() {
    const std::lock_guard lock(kept().mutex);
    std::string text = std::string(meaning) + "\n";
    for (const KernelReport& report : reports()) {
        text += "\nkernel '" + report.name + "'\n" +
                format("%14s %7s %12s %14s %14s %12s  %s\n", "instructions", "active", "divergent", "bytes",
                       "more sectors", "conflicts", "line");
        for (const auto& [place, sums] : report.lines) {
            text += numbers(sums) + "  " + (place.first.empty() ? "PTX" : place.first) + ":" +
                    std::to_string(place.second) + "\n";
        }
        text += numbers(report.total) + "  in all\n";
    }
    return text;
}

std::string profile_page() {
    const std::lock_guard lock(kept().mutex);
    std::string html =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Profile of kernels</title>\n<style>\n"
        "body { font-family: sans-serif; margin: 2em; }\n"
        "table { border-collapse: collapse; }\n"
        "th, td { padding: 0 0.6em; text-align: right; font-family: monospace; }\n"
        "th { font-family: sans-serif; font-weight: normal; color: #555; }\n"
        "td.n { color: #999; }\ntd.s { text-align: left; white-space: pre; }\n"
        "</style></head><body>\n<h1>Profile of kernels</h1>\n<p>" +
        escaped(meaning) + "</p>\n";
    for (const KernelReport& report : reports()) {
        html += "<h2>" + escaped(report.name) + "</h2>\n<p>" +
                format(
                    "%llu instructions, %llu %% of lanes active, %llu divergent branches, %llu bytes, %llu more "
                    "sectors, %llu conflicts.",
                    static_cast<unsigned long long>(report.total.warps),
                    static_cast<unsigned long long>(report.total.active_percent()),
                    static_cast<unsigned long long>(report.total.divergent),
                    static_cast<unsigned long long>(report.total.bytes),
                    static_cast<unsigned long long>(report.total.more_sectors),
                    static_cast<unsigned long long>(report.total.conflicts)) +
                "</p>\n";
        uint64_t most = 0;
        for (const auto& [place, sums] : report.lines)
            most = std::max(most, sums.warps);
        std::string file;
        bool first = true;
        for (const auto& [place, sums] : report.lines) {
            if (!first && place.first == file) continue;
            first = false;
            file = place.first;
            html += table_of(report, file, most);
        }
    }
    return html + "</body></html>\n";
}

}  // namespace cuprum::simulator
