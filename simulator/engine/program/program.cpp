// Loading: from PTX text to a program that can run, pass by pass.
//
//   text -> tokens -> parsed module         ptx::parse                  ptx/lexer.cpp, ptx/parser*.cpp
//   is the module for this device?          Loader::check_target
//   variables that have names outside       Loader::place_variables
//   each function, by FunctionDecoder::decode (program/decoder.cpp):
//     its parameters and local variables    lay_out_variables
//     each instruction                      decode_instruction
//       PTX has the form?                   legal_form                  instructions/form_rules.cpp asks the families'
//                                                                       forms, instructions/<family>/forms.cpp
//       the operation and its operands      decode_*                    instructions/<family>/decode.cpp; with a
//                                                                       signature in forms.cpp, arithmetic.cpp
//     copies of constants                   remove_constant_copies
//     branches to places                    resolve_branches
//     registers that nobody has written     track_unwritten             unwritten_registers.cpp
//     registers to places in the frame      allocate_registers          register_allocation.cpp, flow_graph.cpp
//   each kernel: stack, shared memory       Loader::add_kernel
//
// What a block then executes are the operations that the decoder has chosen: instructions/<family>/operations.cpp,
// called by execution/backend.cpp for execution/warp_scheduler.cpp. instructions/family.hpp lists the families.
#include <algorithm>
#include <cstring>

#include "engine/inspection/inspector.hpp"
#include "engine/program/decoder.hpp"
#include "ptx/parser.hpp"

namespace cuprum::simulator {
namespace {

uint32_t round_up(uint32_t value, uint32_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

// A thread's stack when calls may recurse or go through pointers; else the deepest chain of calls is known.
constexpr uint32_t open_stack_bytes = 16 * 1024;

class Loader {
public:
    Loader(const ptx::Module& module, const DeviceModel& model, Program::Undefined undefined, ProgramImage& image)
        : module_(module), model_(model), image_(image) {
        context_.undefined = undefined;
    }

    void load() {
        check_target();
        if (model_.checks.profile) image_.profile = std::make_shared<ProgramProfile>();
        if (model_.inspector && model_.inspector->is_needed()) prepare_inspection();
        begin();
        place_variables();
        decode_functions();
        for (uint32_t index = 0; index < module_.functions.size(); ++index) {
            if (module_.functions[index].is_kernel && module_.functions[index].has_body) add_kernel(index);
        }
        if (context_.debug != nullptr) finish_inspection();
        for (const VariableImage& variable : image_.variable_images) {
            image_.variable_information.push_back(variable.information);
        }
        if (!image_.profile) return;
        for (const KernelInformation& kernel : image_.kernel_information)
            image_.profile->kernels.push_back(kernel.name);
        image_.profile->counts =
            std::vector<ProfileCounts>(image_.profile->kernels.size() * image_.profile->instructions.size());
        keep_profile(image_.profile);
    }

private:
    void prepare_inspection() {
        debug_ = std::make_shared<DebugInformation>();
        debug_->functions.resize(module_.functions.size());
        context_.inspector = model_.inspector.get();
        context_.debug = debug_.get();
        context_.debug_names.resize(module_.functions.size());
    }

    void finish_inspection() {
        std::vector<std::vector<DebugVariable>> variables = read_variables(module_, context_.debug_names);
        for (size_t index = 0; index < variables.size(); ++index)
            debug_->functions[index].variables = std::move(variables[index]);
        name_inlined_calls(module_, *debug_);
        image_.debug = debug_;
        model_.inspector->loaded(module_);
    }

    void begin() {
        context_.module = &module_;
        context_.image = &image_;
        context_.backend = &backend();
        context_.target = parse_target(module_.target);
        context_.checks = model_.checks;
        context_.emulates_video = model_.emulates_video;
        image_.source_files = module_.source_files;
        if (image_.source_files.empty()) image_.source_files.emplace_back();
    }

    void place_variables() {
        for (uint32_t index = 0; index < module_.variables.size(); ++index) {
            const ptx::Variable& variable = module_.variables[index];
            const bool device =
                variable.space == ptx::StateSpace::global || variable.space == ptx::StateSpace::constant;
            // The host finds them by name, with or without .visible (nvcc 13 leaves it out). What is defined nowhere
            // may be declared, as headers do, but not used.
            if (device && !context_.is_undefined(variable)) {
                context_.variable_number(index);
            }
        }
    }

    void decode_functions() {
        image_.functions.resize(module_.functions.size());
        reaches_.resize(module_.functions.size());
        for (uint32_t index = 0; index < module_.functions.size(); ++index) {
            const ptx::Function& parsed = module_.functions[index];
            Function& function = image_.functions[index];
            function.name = parsed.name;
            function.is_kernel = parsed.is_kernel;
            function.has_body = parsed.has_body;
            function.cache_begin = image_.cache_entries;
            function.cache_end = image_.cache_entries;
            if (!parsed.has_body) continue;
            FunctionDecoder decoder(context_, index);
            decoder.decode();
            reaches_[index] = decoder.take_reach();
            image_.cache_entries = function.cache_end;
        }
    }

    void check_target() const {
        if (module_.address_size != 64) {
            throw DecodeError(LoadError::Kind::invalid_ptx, 0,
                              ".address_size 32, which no current architecture has; use .address_size 64");
        }
        const uint32_t device = model_.compute_capability_major * 10 + model_.compute_capability_minor;
        // PTX ISA, .target: code with a suffix runs on no later architecture (sm_90a), or on no later family (sm_100f).
        const Target target = parse_target(module_.target);
        const bool is_too_old = (target.suffix == 'a' && target.number != device) ||
                                (target.suffix == 'f' && target.number / 10 != model_.compute_capability_major);
        if (target.number > device || is_too_old) {
            throw DecodeError(LoadError::Kind::invalid_ptx, 0,
                              "the module is for " + module_.target + ", the simulated device has compute capability " +
                                  std::to_string(model_.compute_capability_major) + "." +
                                  std::to_string(model_.compute_capability_minor));
        }
    }

    std::vector<uint32_t> reachable_from(uint32_t kernel, bool& open) const {
        std::vector<uint32_t> order{kernel};
        std::vector<bool> seen(module_.functions.size(), false);
        seen[kernel] = true;
        const auto visit = [&](uint32_t index) {
            if (!seen[index] && module_.functions[index].has_body) {
                seen[index] = true;
                order.push_back(index);
            }
        };
        for (size_t k = 0; k < order.size(); ++k) {
            const Reach& reach = reaches_[order[k]];
            for (const uint32_t callee : reach.callees)
                visit(callee);
            open |= reach.allocates_stack;
            if (reach.indirect) {
                // A pointer may come from memory: any function of the module may be meant.
                open = true;
                for (uint32_t index = 0; index < module_.functions.size(); ++index) {
                    if (!module_.functions[index].is_kernel) visit(index);
                }
            }
        }
        return order;
    }

    // Bytes of local memory on the deepest chain of calls; `open` if there is a cycle.
    uint32_t deepest_stack(uint32_t index, std::vector<uint8_t>& state, std::vector<uint32_t>& known,
                           bool& open) const {
        if (state[index] == 2) return known[index];
        if (state[index] == 1) {
            open = true;
            return 0;
        }
        state[index] = 1;
        uint32_t below = 0;
        for (const uint32_t callee : reaches_[index].callees) {
            if (module_.functions[callee].has_body) below = std::max(below, deepest_stack(callee, state, known, open));
        }
        state[index] = 2;
        return known[index] = image_.functions[index].local_bytes + below;
    }

    void add_kernel(uint32_t index) {
        const ptx::Function& parsed = module_.functions[index];
        KernelInformation information;
        information.name = parsed.name;
        information.ptx_target = parse_target(module_.target).number;
        uint32_t offset = 0;
        for (const uint32_t symbol : parsed.parameter_symbols) {
            const ptx::Variable& variable = module_.variables[module_.symbols[symbol].index];
            KernelParameter parameter;
            parameter.alignment = std::max(variable.alignment, 1u);
            parameter.size = static_cast<uint32_t>(variable.size);
            parameter.offset = round_up(offset, parameter.alignment);
            offset = parameter.offset + parameter.size;
            information.parameters.push_back(parameter);
        }
        information.parameter_bytes = offset;

        bool open = false;
        const std::vector<uint32_t> reached = reachable_from(index, open);
        std::vector<uint8_t> state(module_.functions.size(), 0);
        std::vector<uint32_t> known(module_.functions.size(), 0);
        uint32_t stack = deepest_stack(index, state, known, open);
        if (open) stack = std::max(stack, open_stack_bytes + image_.functions[index].local_bytes);
        information.local_bytes = stack;
        lay_out_shared(reached, information);
        for (const uint32_t function : reached) {
            information.registers = std::max(information.registers, image_.functions[function].live_words);
        }
        // What a GPU's compiler would spill, the engine keeps.
        if (parsed.max_registers != 0) information.registers = std::min(information.registers, parsed.max_registers);
        for (const VariableImage& variable : image_.variable_images) {
            if (variable.information.constant) {
                information.constant_bytes += static_cast<uint32_t>(variable.information.size);
            }
        }
        const auto product = [](const uint32_t(&size)[3]) {
            return std::max(size[0], 1u) * std::max(size[1], 1u) * std::max(size[2], 1u);
        };
        if (parsed.max_threads[0] != 0)
            information.max_threads_per_block = std::min(1024u, product(parsed.max_threads));
        if (parsed.required_threads[0] != 0) {
            information.max_threads_per_block = std::min(1024u, product(parsed.required_threads));
            for (size_t axis = 0; axis < 3; ++axis) {
                information.required_block[axis] = std::max(parsed.required_threads[axis], 1u);
            }
        }
        if (parsed.required_cluster[0] != 0) {
            for (size_t axis = 0; axis < 3; ++axis)
                information.required_cluster[axis] = std::max(parsed.required_cluster[axis], 1u);
        }
        information.max_cluster_blocks = parsed.max_cluster_rank;
        information.explicit_cluster = parsed.explicit_cluster;
        image_.kernel_local_bytes.push_back(stack);
        image_.kernel_functions.push_back(index);
        image_.kernel_information.push_back(std::move(information));
    }

    void lay_out_shared(const std::vector<uint32_t>& reached, KernelInformation& information) {
        std::vector<uint32_t> variables;
        for (const uint32_t function : reached) {
            const auto& used = reaches_[function].shared_variables;
            variables.insert(variables.end(), used.begin(), used.end());
        }
        std::sort(variables.begin(), variables.end());
        variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
        std::vector<std::pair<uint32_t, uint32_t>> offsets;
        uint32_t offset = 0, dynamic_alignment = 16;
        for (const uint32_t number : variables) {
            const ptx::Variable& variable = module_.variables[number];
            if (variable.size == 0) {
                information.uses_dynamic_shared = true;
                dynamic_alignment = std::max(dynamic_alignment, variable.alignment);
                continue;
            }
            offset = round_up(offset, std::max(variable.alignment, 1u));
            // As ptxas, for every architecture: more is had as dynamic shared memory alone.
            if (uint64_t{offset} + variable.size > model_.max_static_shared_bytes) {
                throw DecodeError(LoadError::Kind::invalid_ptx, variable.location.line,
                                  "kernel '" + information.name + "' uses more than " +
                                      std::to_string(model_.max_static_shared_bytes) +
                                      " bytes of shared memory with '" + variable.name +
                                      "'; use dynamic shared memory (.extern .shared) for more");
            }
            offsets.emplace_back(number, offset);
            offset += static_cast<uint32_t>(variable.size);
        }
        // Every unsized array starts where the static variables end.
        if (information.uses_dynamic_shared) offset = round_up(offset, dynamic_alignment);
        for (const uint32_t number : variables) {
            if (module_.variables[number].size == 0) offsets.emplace_back(number, offset);
        }
        information.static_shared_bytes = offset;
        image_.kernel_shared_offsets.push_back(std::move(offsets));
    }

    const ptx::Module& module_;
    const DeviceModel& model_;
    ProgramImage& image_;
    ModuleContext context_;
    std::shared_ptr<DebugInformation> debug_;  // null: nobody looks at its warps
    std::vector<Reach> reaches_;
};

}  // namespace

Program::Loaded Program::load(std::string_view ptx, const DeviceModel& model, Undefined undefined) {
    const ptx::ParseResult parsed = ptx::parse(ptx);
    Loaded loaded;
    if (!parsed.diagnostics.empty()) {
        LoadError error;
        for (const ptx::Diagnostic& diagnostic : parsed.diagnostics)
            error.log += ptx::format(diagnostic, ptx) + "\n";
        loaded.error = std::move(error);
        return loaded;
    }
    auto image = std::make_shared<ProgramImage>();
    try {
        Loader(parsed.module, model, undefined, *image).load();
    } catch (const DecodeError& error) {
        loaded.error = LoadError{error.kind, error.what() + std::string("\n")};
        return loaded;
    }
    if (image->profile) image->profile->ptx = ptx;
    loaded.program = std::move(image);
    return loaded;
}

void ProgramImage::initialise(const std::vector<uint64_t>& addresses, const std::vector<std::byte*>& storage) const {
    for (size_t index = 0; index < variable_images.size(); ++index) {
        const VariableImage& variable = variable_images[index];
        if (variable.information.size == 0 || storage[index] == nullptr) continue;
        std::memset(storage[index], 0, variable.information.size);
        if (!variable.initial_value.empty()) {
            std::memcpy(storage[index], variable.initial_value.data(),
                        std::min<size_t>(variable.initial_value.size(), variable.information.size));
        }
        for (const VariableImage::Fixup& fixup : variable.fixups) {
            uint64_t value =
                fixup.function ? window::functions + 16 * static_cast<uint64_t>(fixup.index) : addresses[fixup.index];
            value = (value + static_cast<uint64_t>(fixup.addend)) >> fixup.shift;
            if (fixup.offset + fixup.size <= variable.information.size) {
                std::memcpy(storage[index] + fixup.offset, &value, fixup.size);
            }
        }
    }
}

}  // namespace cuprum::simulator
