#include "engine/inspection/inspector.hpp"

#include <cxxabi.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <vector>

#include "engine/inspection/warp_view.hpp"

namespace cuprum::simulator {
namespace {

constexpr uint32_t most_shown = 10;

std::optional<uint32_t> read_number(std::string_view text) {
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

// "3" or "3.0.1".
std::optional<Dimensions> read_index(std::string_view text) {
    std::array<uint32_t, 3> numbers{};
    for (size_t axis = 0; axis < numbers.size(); ++axis) {
        const size_t dot = text.find('.');
        const std::optional<uint32_t> number = read_number(text.substr(0, dot));
        if (!number) return std::nullopt;
        numbers[axis] = *number;
        if (dot == std::string_view::npos) return Dimensions{numbers[0], numbers[1], numbers[2]};
        text.remove_prefix(dot + 1);
    }
    return std::nullopt;
}

// Takes what stands behind the last `mark`.
std::optional<std::string_view> take_behind(std::string_view& text, char mark) {
    const size_t place = text.rfind(mark);
    if (place == std::string_view::npos) return std::nullopt;
    const std::string_view taken = text.substr(place + 1);
    text = text.substr(0, place);
    return taken;
}

bool is_one(const Dimensions& one, const Dimensions& other) {
    return one.x == other.x && one.y == other.y && one.z == other.z;
}

// "void ns::scale<float>(float*)" without its parameters, its result and its template arguments.
std::string bare_name(const std::string& name) {
    std::string bare;
    int depth = 0;
    for (const char letter : name) {
        if (letter == '(' && depth == 0 && !bare.empty()) break;
        if (letter == '<') ++depth;
        if (depth == 0) bare = letter == ' ' ? std::string() : bare + letter;
        if (letter == '>') --depth;
    }
    return bare;
}

std::string index_text(const Dimensions& index) {
    std::string text = "(";
    text += std::to_string(index.x);
    text += ", ";
    text += std::to_string(index.y);
    text += ", ";
    text += std::to_string(index.z);
    text += ')';
    return text;
}

// "3-5, 9"
std::string ranges_text(const std::set<uint32_t>& numbers) {
    std::string text;
    for (auto at = numbers.begin(); at != numbers.end();) {
        const uint32_t first = *at;
        uint32_t last = first;
        for (++at; at != numbers.end() && *at == last + 1; ++at)
            last = *at;
        text += text.empty() ? "" : ", ";
        text += std::to_string(first);
        if (last != first) text += "-" + std::to_string(last);
    }
    return text;
}

std::string file_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::string source_name(const std::string& mangled) {
    int status = 0;
    char* const demangled = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    if (demangled == nullptr) return mangled;
    std::string name = demangled;
    std::free(demangled);
    return name;
}

std::optional<Breakpoint> Breakpoint::parse(std::string_view text, std::string& reason) {
    Breakpoint point;
    point.text = text;
    if (const auto thread = take_behind(text, '/')) {
        point.thread = read_index(*thread);
        if (!point.thread) reason = "a thread is one to three numbers with dots between them, such as /33 or /1.2.0";
    }
    if (const auto block = take_behind(text, '@')) {
        point.block = read_index(*block);
        if (!point.block) reason = "a block is one to three numbers with dots between them, such as @3 or @0.1.0";
    }
    // A line is what stands behind the last colon; names in namespaces have two.
    const size_t colon = text.rfind(':');
    if (colon != std::string_view::npos && (colon == 0 || text[colon - 1] != ':')) {
        const std::optional<uint32_t> line = read_number(text.substr(colon + 1));
        if (!line || *line == 0) reason = "a line is a number from 1 on";
        point.line = line.value_or(0);
        text = text.substr(0, colon);
        const size_t before = text.rfind(':');
        if (before != std::string_view::npos && before > 0 && text[before - 1] != ':') {
            point.file = text.substr(before + 1);
            text = text.substr(0, before);
            point.ptx = point.file == "ptx";
            if (point.ptx) point.file.clear();
        }
    }
    point.kernel = text;
    if (point.kernel.empty()) reason = "it names no kernel";
    if (!reason.empty()) return std::nullopt;
    return point;
}

bool Inspector::is_of_kernel(const std::string& name) const {
    if (name == breakpoint_->kernel) return true;
    const std::string source = source_name(name);
    if (source == breakpoint_->kernel) return true;
    const std::string bare = bare_name(source);
    return bare == breakpoint_->kernel || bare.substr(bare.rfind(':') + 1) == breakpoint_->kernel;
}

bool Inspector::may_stop_in(const ptx::Function& function) const {
    return breakpoint_ && (function.is_kernel ? is_of_kernel(function.name) : breakpoint_->line != 0);
}

bool Inspector::is_at_line(const ptx::Module& module, const ptx::Function& function,
                           const ptx::Instruction& instruction) const {
    const Breakpoint& point = *breakpoint_;
    if (point.ptx) return instruction.location.line == point.line;
    const auto matches = [&](uint32_t file, uint32_t line) {
        return line == point.line && module.source_files[file].ends_with(point.file);
    };
    if (matches(instruction.source_file, instruction.source_line)) return true;
    // The line of a call whose callee was inlined.
    for (uint32_t call = instruction.inlined; call != 0; call = function.inlined_calls[call].caller) {
        if (matches(function.inlined_calls[call].file, function.inlined_calls[call].line)) return true;
    }
    return false;
}

bool Inspector::stops_at(const ptx::Module& module, const ptx::Function& function, size_t index) const {
    if (breakpoint_->line == 0) return index == 0;
    if (!is_at_line(module, function, function.instructions[index])) return false;
    // Where control comes from another line, or from a branch.
    return index == 0 || !is_at_line(module, function, function.instructions[index - 1]) ||
           std::ranges::binary_search(function.labels, static_cast<uint32_t>(index));
}

std::string Inspector::lines_text(const ptx::Module& module, const ptx::Function& kernel) const {
    std::map<std::string, std::set<uint32_t>> lines;
    const auto add = [&](const ptx::Function& function) {
        for (const ptx::Instruction& instruction : function.instructions) {
            if (instruction.source_line != 0)
                lines[file_name(module.source_files[instruction.source_file])].insert(instruction.source_line);
        }
    };
    add(kernel);
    for (const ptx::Function& function : module.functions) {
        if (!function.is_kernel) add(function);
    }
    if (breakpoint_->ptx || lines.empty()) {
        std::string text = breakpoint_->ptx ? "" : "it was compiled without line numbers (-lineinfo or -G); ";
        if (kernel.instructions.empty()) return text + "it has no instructions";
        return text + "lines of the PTX are written " + breakpoint_->kernel + ":ptx:LINE, from " +
               std::to_string(kernel.instructions.front().location.line) + " to " +
               std::to_string(kernel.instructions.back().location.line);
    }
    std::string text;
    for (const auto& [file, numbers] : lines)
        text += (text.empty() ? "" : "; ") + file + ": " + ranges_text(numbers);
    return "these lines have instructions: " + text;
}

void Inspector::loaded(const ptx::Module& module) {
    if (!breakpoint_) return;
    const ptx::Function* kernel = nullptr;
    bool found = false;
    for (const ptx::Function& function : module.functions) {
        if (!function.has_body) continue;
        if (function.is_kernel) {
            const std::lock_guard lock(mutex_);
            kernels_.insert(bare_name(source_name(function.name)));
        }
        if (!may_stop_in(function)) continue;
        if (function.is_kernel) kernel = &function;
        for (size_t k = 0; k < function.instructions.size() && !found; ++k)
            found = stops_at(module, function, k);
    }
    if (kernel == nullptr) return;
    std::string problem;
    if (!found)
        problem = "kernel '" + breakpoint_->kernel + "' has no instructions at line " +
                  std::to_string(breakpoint_->line) + "; " + lines_text(module, *kernel);
    const std::lock_guard lock(mutex_);
    has_kernel_ = true;
    has_line_ = has_line_ || found;
    if (!problem.empty()) last_problem_ = problem;
}

const Instruction* break_probe(Warp& warp, const Instruction* at) {
    warp.block->launch->model->inspector->reached(warp, at);
    return at + 1;
}

void Inspector::reached(const Warp& warp, const Instruction* at) {
    const Launch& launch = *warp.block->launch;
    if (!is_of_kernel(launch.information->name)) return;
    if (breakpoint_->block && !is_one(*breakpoint_->block, warp.block->index)) return;
    if (breakpoint_->thread) {
        bool here = false;
        for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1)
            here |= is_one(*breakpoint_->thread,
                           thread_index(*warp.block, warp.index, static_cast<unsigned>(__builtin_ctz(rest))));
        if (!here) return;
    }
    const std::lock_guard lock(mutex_);
    // The first warp of each launch.
    if (shown_ >= most_shown || !shown_launches_.emplace(launch.model, launch.grid_id).second) return;
    ++shown_;
    std::string text = "--- breakpoint " + breakpoint_->text + "\n";
    text += describe_warp(warp, *warp.frame, at, warp.active);
    if (shown_ == most_shown)
        text += "(shown " + std::to_string(most_shown) + " times; further launches are not shown)\n";
    sink_(text);
}

std::string Inspector::why_nothing_was_shown() const {
    if (!breakpoint_) return {};
    const std::lock_guard lock(mutex_);
    if (shown_ > 0) return {};
    const std::string begin = "breakpoint " + breakpoint_->text + ": ";
    if (!has_kernel_) {
        if (kernels_.empty()) return begin + "the program has loaded no kernels\n";
        std::string names;
        size_t named = 0;
        for (const std::string& name : kernels_) {
            if (++named > 20) break;
            names += (names.empty() ? "" : ", ") + name;
        }
        if (kernels_.size() > 20) names += " and " + std::to_string(kernels_.size() - 20) + " more";
        return begin + "the program has loaded no kernel of the name '" + breakpoint_->kernel +
               "'; it has loaded these: " + names + "\n";
    }
    if (!has_line_) return begin + last_problem_ + "\n";
    std::string who = "no warp";
    if (breakpoint_->thread) who = "thread " + index_text(*breakpoint_->thread);
    if (breakpoint_->block) who += " of block " + index_text(*breakpoint_->block);
    return begin + who + " has come there\n";
}

}  // namespace cuprum::simulator
