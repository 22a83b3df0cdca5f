// The profile as a table and as a page.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <utility>

#include "engine/checks/profile.hpp"
#include "engine/inspection/inspector.hpp"

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
            report.name = source_name(program->kernels[kernel]);
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

// "1 234 567", with spaces that do not break lines.
std::string grouped(uint64_t value) {
    const std::string digits = std::to_string(value);
    std::string text;
    for (size_t k = 0; k < digits.size(); ++k) {
        if (k != 0 && (digits.size() - k) % 3 == 0) text += "&#8239;";
        text += digits[k];
    }
    return text;
}

// A count as a cell, the darker the larger its share of the largest one.
std::string cell(uint64_t value, uint64_t most) {
    if (value == 0) return "<td></td>";
    const double share = most == 0 ? 0 : static_cast<double>(value) / static_cast<double>(most);
    return format("<td style=\"background: rgba(220, 90, 0, %.2f)\">", 0.6 * share) + grouped(value) + "</td>";
}

std::string row(const std::string& number, const std::string& text, const Sums* sums, const Sums& most) {
    std::string cells;
    if (sums == nullptr) {
        cells = "<td></td><td></td><td></td><td></td><td></td><td></td>";
    } else {
        const uint64_t idle = 100 - sums->active_percent();
        cells = cell(sums->warps, most.warps) +
                format("<td style=\"background: rgba(0, 90, 220, %.2f)\">", 0.006 * static_cast<double>(idle)) +
                std::to_string(sums->active_percent()) + "&#8239;%</td>" + cell(sums->divergent, most.divergent) +
                cell(sums->bytes, most.bytes) + cell(sums->more_sectors, most.more_sectors) +
                cell(sums->conflicts, most.conflicts);
    }
    return "<tr>" + cells + "<td class=\"n\">" + number + "</td><td class=\"s\">" + escaped(text) + "</td></tr>\n";
}

// The largest of each count among the lines.
Sums largest(const KernelReport& report) {
    Sums most;
    for (const auto& [place, sums] : report.lines) {
        most.warps = std::max(most.warps, sums.warps);
        most.divergent = std::max(most.divergent, sums.divergent);
        most.bytes = std::max(most.bytes, sums.bytes);
        most.more_sectors = std::max(most.more_sectors, sums.more_sectors);
        most.conflicts = std::max(most.conflicts, sums.conflicts);
    }
    return most;
}

std::string table_of(const KernelReport& report, const std::string& file, const Sums& most) {
    const std::vector<std::string> source = source_of(report, file);
    std::string html =
        "<h3>" + escaped(file.empty() ? "PTX" : file) +
        "</h3>\n<table>\n<colgroup><col class=\"wide\"><col><col><col class=\"wide\"><col><col></colgroup>\n"
        "<tr><th>instructions</th><th>active</th><th>divergent</th><th>bytes</th>"
        "<th>more sectors</th><th>conflicts</th><th>line</th><th></th></tr>\n";
    uint32_t shown = 0;
    for (auto found = report.lines.lower_bound({file, 0}); found != report.lines.end() && found->first.first == file;
         ++found) {
        const uint32_t line = found->first.second;
        const auto text_of = [&](uint32_t number) {
            return number <= source.size() ? source[number - 1] : std::string();
        };
        const uint32_t begin = std::max(shown + 1, line > lines_around ? line - lines_around : 1);
        if (shown != 0 && begin > shown + 1)
            html += "<tr class=\"gap\"><td colspan=\"6\"></td><td class=\"n\">&hellip;</td><td></td></tr>\n";
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
        "body { font-family: sans-serif; margin: 2em; color: #222; }\n"
        "p.meaning { max-width: 60em; color: #555; font-size: 90%; line-height: 1.4; }\n"
        "h2 { margin: 1.6em 0 0.3em; font-size: 130%; border-bottom: 1px solid #ccc; }\n"
        "h3 { margin: 1em 0 0.3em; font-size: 95%; color: #555; font-weight: normal; }\n"
        "table { border-collapse: collapse; }\n"
        "col { width: 6.5em; }\ncol.wide { width: 8em; }\n"
        "th, td { padding: 0.1em 0.6em; text-align: right; font-family: monospace; font-size: 13px; white-space: "
        "nowrap; }\n"
        "th { font-family: sans-serif; font-weight: normal; color: #555; border-bottom: 1px solid #ddd; }\n"
        "tr:hover td { background-color: #f4f4f4; }\n"
        "td.n { color: #999; }\ntd.s { text-align: left; white-space: pre; }\n"
        "</style></head><body>\n<h1>Profile of kernels</h1>\n<p class=\"meaning\">" +
        escaped(meaning) + "</p>\n";
    for (const KernelReport& report : reports()) {
        const Sums& total = report.total;
        html += "<h2>" + escaped(report.name) + "</h2>\n<p>" + grouped(total.warps) + " instructions, " +
                std::to_string(total.active_percent()) + "&#8239;% of lanes active, " + grouped(total.divergent) +
                " divergent branches, " + grouped(total.bytes) + " bytes, " + grouped(total.more_sectors) +
                " more sectors, " + grouped(total.conflicts) + " conflicts.</p>\n";
        const Sums most = largest(report);
        std::set<std::string> files;
        for (const auto& [place, sums] : report.lines)
            files.insert(place.first);
        // The PTX itself, of which only what has no line of the source is shown, comes last.
        for (const std::string& file : files) {
            if (!file.empty()) html += table_of(report, file, most);
        }
        if (files.contains("")) html += table_of(report, "", most);
    }
    return html + "</body></html>\n";
}

}  // namespace cuprum::simulator
