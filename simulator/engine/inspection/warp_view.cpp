#include "engine/inspection/warp_view.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>

#include "engine/checks/text.hpp"
#include "engine/inspection/debug_information.hpp"
#include "engine/inspection/inspector.hpp"
#include "engine/inspection/lane_values.hpp"

namespace cuprum::simulator {
namespace {

constexpr size_t most_frames = 16;
constexpr size_t most_rows = 64;       // of variables, and of registers
constexpr uint64_t most_elements = 8;  // of an array
constexpr size_t name_width = 16, type_width = 14;

std::string padded(std::string text, size_t width) {
    if (text.size() < width) text.resize(width, ' ');
    return text;
}

// One activation of a function, and where it is.
struct Activation {
    const Frame* frame = nullptr;
    const Function* function = nullptr;
    const Instruction* at = nullptr;
};

class View {
public:
    View(const Warp& warp, const Frame& innermost, const Instruction* at, uint32_t lanes)
        : warp_(warp), block_(*warp.block), launch_(*warp.block->launch), lanes_(lanes) {
        activations_.push_back({&innermost, innermost.function, at});
        for (const Frame* frame = &innermost; frame->parent != nullptr; frame = frame->parent)
            activations_.push_back({frame->parent, frame->parent->function, frame->return_to - 1});
    }

    std::string text() {
        text_ = "kernel " + source_name(launch_.information->name) + ", grid " +
                dimensions_text(launch_.request->grid) + " of blocks " + dimensions_text(launch_.request->block) +
                ": block " + dimensions_text(block_.index) + ", warp " + std::to_string(warp_.index) + "\n";
        const Activation& top = activations_.front();
        text_ += place_text(launch_, *top.function, top.at) + "\n";
        add_source_line();
        add_calls();
        add_lanes();
        for (size_t k = 0; k < std::min(activations_.size(), most_frames); ++k)
            add_values(activations_[k], k);
        return std::move(text_);
    }

private:
    const Origin* origin_of(const Activation& activation) const {
        const Function& function = *activation.function;
        const Instruction* const first = function.code.data();
        if (activation.at < first || activation.at >= first + function.origins.size()) return nullptr;
        return &function.origins[static_cast<size_t>(activation.at - first)];
    }

    const DebugFunction* debug_of(const Function& function) const {
        const DebugInformation* const debug = launch_.image->debug.get();
        if (debug == nullptr) return nullptr;
        return &debug->functions[static_cast<size_t>(&function - launch_.image->functions.data())];
    }

    std::string place(uint32_t file, uint32_t line) const {
        return launch_.image->source_files[file] + ":" + std::to_string(line);
    }

    void add_source_line() {
        const Origin* const origin = origin_of(activations_.front());
        if (origin == nullptr || origin->source_line == 0) return;
        std::ifstream file(launch_.image->source_files[origin->source_file]);
        std::string line;
        for (uint32_t number = 0; number < origin->source_line && std::getline(file, line);)
            ++number;
        if (!file || line.empty()) return;
        text_ += "    " + std::to_string(origin->source_line) + " | " + line + "\n";
    }

    void add_calls() {
        text_ += "calls\n";
        size_t number = 0;
        const auto add = [&](const std::string& function, const std::string& where) {
            text_ += "    " + padded("#" + std::to_string(number++), 4) + function + "  " + where + "\n";
        };
        for (const Activation& activation : activations_) {
            if (number >= most_frames) {
                text_ += "    and more: " + std::to_string(activations_.size()) + " in all\n";
                return;
            }
            const Function& function = *activation.function;
            const Origin* const origin = origin_of(activation);
            std::string where = "at an unknown place";
            if (origin != nullptr) {
                where = origin->source_line != 0 ? place(origin->source_file, origin->source_line)
                                                 : "PTX line " + std::to_string(origin->ptx_line);
            }
            if (const DebugFunction* const debug = debug_of(function); debug != nullptr && origin != nullptr) {
                const uint32_t ptx = debug->ptx_instruction[static_cast<size_t>(activation.at - function.code.data())];
                for (uint32_t call = ptx < debug->inlined.size() ? debug->inlined[ptx] : 0; call != 0;
                     call = debug->inlined_calls[call].caller) {
                    const DebugInlinedCall& inlined = debug->inlined_calls[call];
                    add(inlined.function.empty() ? "an inlined function" : source_name(inlined.function),
                        where + " (inlined)");
                    where = place(inlined.file, inlined.line);
                }
            }
            add(source_name(function.name), where);
        }
    }

    // "(0, 0, 0)", or the first and the last of them.
    std::string threads_text(uint32_t lanes) const {
        const auto first = static_cast<unsigned>(std::countr_zero(lanes));
        const auto last = 31u - static_cast<unsigned>(std::countl_zero(lanes));
        std::string text = dimensions_text(thread_index(block_, warp_.index, first));
        if (first != last) text += " to " + dimensions_text(thread_index(block_, warp_.index, last));
        return text;
    }

    void add_lane_row(uint32_t lanes, const std::string& what) {
        if (lanes == 0) return;
        text_ += "    " + padded(lane_ranges(lanes), name_width) + padded(what, type_width) + " threads " +
                 threads_text(lanes);
    }

    void add_lanes() {
        text_ += "lanes\n";
        add_lane_row(lanes_, "active");
        text_ += '\n';
        for (unsigned k = 0; k < warp_.group_count; ++k) {
            const Group& group = warp_.groups[k];
            const uint32_t others = group.lanes & ~lanes_;
            if (others == 0) continue;
            if (k == warp_.current && group.state == Group::State::ready) {
                add_lane_row(others, "left out");
                text_ += ", by the instruction's guard or because they have split off\n";
                continue;
            }
            const char* const state = group.state == Group::State::ready              ? "not running"
                                      : group.state == Group::State::at_warp_sync     ? "meeting"
                                      : group.state == Group::State::at_block_barrier ? "at barrier"
                                                                                      : "at cluster's";
            add_lane_row(others, state);
            text_ += ", " + place_text(launch_, *group.frame->function, group.pc) + "\n";
        }
        if (const uint32_t exited = warp_.existing & ~warp_.live; exited != 0) {
            add_lane_row(exited, "exited");
            text_ += '\n';
        }
    }

    // --- values ---

    std::string row(const std::string& name, const std::string& type, const std::vector<std::string>& values) const {
        const std::string head = "    " + padded(name, name_width - 1) + " " + padded(type, type_width) + " ";
        return head + lane_values(lanes_, values, std::string(head.size(), ' ')) + "\n";
    }

    template <class Read>
    std::vector<std::string> values(Read&& read) const {
        std::vector<std::string> all;
        for (uint32_t rest = lanes_; rest != 0; rest &= rest - 1)
            all.push_back(read(static_cast<unsigned>(std::countr_zero(rest))));
        return all;
    }

    void add_values(const Activation& activation, size_t number) {
        const Function& function = *activation.function;
        const DebugFunction* const debug = debug_of(function);
        if (debug == nullptr || origin_of(activation) == nullptr) {
            if (number == 0) text_ += "registers: unknown, since the module was loaded before they were asked for\n";
            return;
        }
        const auto executable = static_cast<uint32_t>(activation.at - function.code.data());
        const std::string of = activations_.size() > 1 ? " of " + source_name(function.name) : std::string();
        if (!debug->variables.empty()) {
            add_variables(activation, *debug, executable, of);
            return;
        }
        add_parameters(*debug);
        add_registers(activation, *debug, executable, of);
    }

    void add_parameters(const DebugFunction& debug) {
        if (debug.parameters.empty()) return;
        text_ += "parameters\n";
        for (const DebugParameter& parameter : debug.parameters) {
            const std::byte* const bytes = launch_.parameters.data() + parameter.offset;
            const bool scalar = parameter.size == ptx::size_of(parameter.type);
            // An address, mostly.
            const ScalarType type = parameter.type == ScalarType::u64 ? ScalarType::b64 : parameter.type;
            text_ += "    " + padded(parameter.name, name_width - 1) + " " +
                     padded("." + std::string(type_name(parameter.type)), type_width) + " " +
                     (scalar ? value_text(type, bytes) : std::to_string(parameter.size) + " bytes") + "\n";
        }
    }

    void add_registers(const Activation& activation, const DebugFunction& debug, uint32_t executable,
                       const std::string& of) {
        text_ += "registers" + of + "\n";
        size_t rows = 0, left = 0;
        for (const DebugRegister& reg : debug.registers) {
            // Set before, and read here or later; what never changes (last is then the highest number) is always there.
            const bool constant = reg.last == ~0u;
            if (!reg.in_use || (!constant && reg.first >= executable) || reg.last < executable) continue;
            if (++rows > most_rows) {
                ++left;
                continue;
            }
            text_ += row(reg.name, "." + std::string(type_name(reg.type)), values([&](unsigned lane) {
                             if (reg.bytes == 0) {
                                 uint32_t word = 0;
                                 std::memcpy(&word, activation.frame->registers + reg.offset, 4);
                                 return std::string((word >> lane & 1) != 0 ? "true" : "false");
                             }
                             return value_text(reg.type,
                                               activation.frame->registers + reg.offset + size_t{lane} * reg.bytes);
                         }));
        }
        if (rows == 0) text_ += "    none is in use here\n";
        if (left != 0) text_ += "    and " + std::to_string(left) + " more\n";
    }

    // Where the variable's bytes are for the lane; null where nobody can say.
    const std::byte* bytes_of(const Activation& activation, const DebugFunction& debug, const DebugPlace& place,
                              unsigned lane, uint64_t size) const {
        switch (place.kind) {
            case DebugPlace::Kind::reg: {
                const DebugRegister& reg = debug.registers[place.index];
                if (!reg.in_use || reg.bytes == 0 || size > reg.bytes) return nullptr;
                return activation.frame->registers + reg.offset + size_t{lane} * reg.bytes;
            }
            case DebugPlace::Kind::local: {
                const uint64_t offset = activation.frame->local_base + place.offset;
                if (offset + size > warp_.local_stride) return nullptr;
                return warp_.local + size_t{lane} * warp_.local_stride + offset;
            }
            case DebugPlace::Kind::parameter:
                if (place.offset + size > launch_.parameters.size()) return nullptr;
                return launch_.parameters.data() + place.offset;
            case DebugPlace::Kind::shared:
                for (const auto& [variable, offset] : launch_.image->kernel_shared_offsets[launch_.request->kernel]) {
                    if (variable == place.variable && offset + place.offset + size <= warp_.shared_bytes)
                        return warp_.shared + offset + place.offset;
                }
                return nullptr;
        }
        return nullptr;
    }

    struct Part {
        std::string name;
        const DebugType* type = nullptr;
        uint64_t offset = 0;
    };

    // A structure's members and an array's first elements, each by itself.
    static void split(const std::string& name, const DebugType& type, uint64_t offset, std::vector<Part>& parts) {
        if (parts.size() > most_rows) return;
        if (type.kind == DebugType::Kind::structure) {
            for (const DebugType::Member& member : type.members)
                split(name + "." + member.name, *member.type, offset + member.offset, parts);
        } else if (type.kind == DebugType::Kind::array && type.element->size != 0) {
            for (uint64_t k = 0; k < std::min(type.count, most_elements); ++k)
                split(name + "[" + std::to_string(k) + "]", *type.element, offset + k * type.element->size, parts);
        } else {
            parts.push_back({name, &type, offset});
        }
    }

    void add_variables(const Activation& activation, const DebugFunction& debug, uint32_t executable,
                       const std::string& of) {
        text_ += "variables" + of + "\n";
        const uint32_t ptx = debug.ptx_instruction[executable];
        size_t rows = 0;
        for (const DebugVariable& variable : debug.variables) {
            if (ptx < variable.begin || ptx >= variable.end) continue;
            const auto place = std::ranges::find_if(variable.places, [&](const DebugPlace& candidate) {
                return ptx >= candidate.begin && ptx < candidate.end;
            });
            if (place == variable.places.end()) {
                text_ += "    " + padded(variable.name, name_width - 1) + " " +
                         padded(variable.type->name, type_width) + " (nowhere here)\n";
                continue;
            }
            std::vector<Part> parts;
            split(variable.name, *variable.type, 0, parts);
            for (const Part& part : parts) {
                if (++rows > most_rows) continue;
                text_ += row(
                    part.name, part.type->name, values([&](unsigned lane) {
                        const std::byte* const bytes =
                            bytes_of(activation, debug, *place, lane, part.offset + part.type->size);
                        if (bytes == nullptr) return std::string("(not kept)");
                        if (place->kind == DebugPlace::Kind::reg && debug.registers[place->index].first >= executable)
                            return std::string("(not set yet)");
                        return value_text(*part.type, bytes + part.offset);
                    }));
            }
        }
        if (rows == 0) text_ += "    none is in scope here\n";
        if (rows > most_rows) text_ += "    and " + std::to_string(rows - most_rows) + " more\n";
    }

    const Warp& warp_;
    const Block& block_;
    const Launch& launch_;
    const uint32_t lanes_;
    std::vector<Activation> activations_;  // the innermost first
    std::string text_;
};

}  // namespace

std::string describe_warp(const Warp& warp, const Frame& frame, const Instruction* at, uint32_t lanes) {
    return View(warp, frame, at, lanes).text();
}

}  // namespace cuprum::simulator
