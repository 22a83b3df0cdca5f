// Turns the parsed instructions of one function into executable ones. Internal to the engine.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "engine/execution/execution.hpp"
#include "engine/inspection/dwarf.hpp"
#include "engine/instructions/form_rules.hpp"
#include "engine/program/executable.hpp"

namespace cuprum::simulator {

// Why a module cannot be run; Program::load turns it into a LoadError.
struct DecodeError : std::runtime_error {
    DecodeError(LoadError::Kind error_kind, uint32_t ptx_line, const std::string& text)
        : std::runtime_error(text), kind(error_kind), line(ptx_line) {}
    LoadError::Kind kind;
    uint32_t line;
};

// What all functions of a module share while they are decoded.
struct ModuleContext {
    const ptx::Module* module = nullptr;
    ProgramImage* image = nullptr;
    const Backend* backend = nullptr;
    Checks checks;
    bool emulates_video = false;          // DeviceModel::emulates_video
    Inspector* inspector = nullptr;       // null: nobody looks at warps of this program
    DebugInformation* debug = nullptr;    // what is kept for it, and
    std::vector<DwarfNames> debug_names;  // what debug sections call it, by function
    Program::Undefined undefined = Program::Undefined::own_variable;
    std::unordered_map<uint32_t, uint32_t> variable_numbers;  // Module::variables index to Program::variables index
    std::unordered_map<std::string_view, uint32_t> mnemonic_numbers;

    // Whether it is .extern, and no memory can be its.
    bool is_undefined(const ptx::Variable& variable) const;
    // The number of a variable in device memory; gives it one when it has none.
    uint32_t variable_number(uint32_t module_variable);
    uint32_t mnemonic_number(std::string_view mnemonic);
    Target target;
    struct KnownForm {
        Form form;
        const InstructionDecoding* decoding = nullptr;  // null: not looked at yet
        size_t operands = 0;                            // min and max have forms of two and three sources
    };
    std::vector<KnownForm> forms;  // by mnemonic number: what has been read and found legal
};

// An operand before registers have places: a register's number, or a preload's with the top bit set.
using Reference = uint32_t;
inline constexpr Reference preload_flag = 1u << 31;

// An instruction before registers have places.
struct PendingInstruction {
    Instruction code;
    uint8_t references = 0;    // bit k: operand[k] is a Reference
    uint8_t defines = 0;       // bit k: it is written
    bool conditional = false;  // written only for some lanes, so the old value stays alive
    bool ends_flow = false;    // nothing follows: jump, ret, exit, trap
    bool branches = false;     // target is an instruction
    uint32_t target = 0;       // index among the parsed instructions, before they are resolved
    int32_t table = -1;        // branch table
    // bit k: operand[k] decides where execution or an access goes, so an unwritten register there is a fault in any
    // case
    uint8_t decisive = 0;
    bool copies = false;  // operand[0] becomes operand[1], unchanged
    Unwritten unwritten = Unwritten::used;
    Origin origin;
};

// What a function reaches: for the sizes that a kernel reports.
struct Reach {
    std::vector<uint32_t> callees;
    std::vector<uint32_t> shared_variables;
    bool indirect = false;
    bool allocates_stack = false;  // alloca: how much, nobody knows
};

// Where a register is, and between which instructions it is in use; first > last: nowhere.
struct RegisterPlace {
    uint32_t offset = 0;
    uint32_t first = ~0u, last = 0;
};

// Decodes a function; and what the families decode an instruction with.
class FunctionDecoder {
public:
    FunctionDecoder(ModuleContext& context, uint32_t function_index);
    void decode();  // throws DecodeError
    Reach take_reach() { return std::move(reach_); }

    // --- what is decoded ---
    const ptx::Module& module() const { return module_; }
    const ptx::Function& parsed() const { return parsed_; }
    uint32_t function_index() const { return function_index_; }
    const ptx::Instruction& instruction() const { return *current_; }
    // Of the instruction. A decoder that takes types or modifiers out of it has honoured them.
    Form& form() { return form_; }
    const Form& form() const { return form_; }
    Function& function() { return out_; }
    Reach& reach() { return reach_; }
    const Checks& checks() const { return context_.checks; }
    bool emulates_video() const { return context_.emulates_video; }
    uint32_t target_architecture() const { return context_.target.number; }  // .target sm_80 is 80

    // --- operands (operands.cpp) ---
    Reference literal(uint64_t bits, uint32_t bytes);
    bool is_literal(Reference reference) const;
    Reference preload(const Preload& wanted);
    Reference scratch(ScalarType type);
    Reference source(const ptx::Operand& operand, ScalarType type);
    Reference target(const ptx::Operand& operand, ScalarType type);
    Reference predicate_source(const ptx::Operand& operand, bool& negated);
    uint32_t row_bytes(Reference reference) const;
    ScalarType register_type(uint32_t index) const { return register_types_[index]; }
    const ptx::Operand& operand(size_t index) const;
    void check_register(uint32_t index, ScalarType type) const;  // that an operand of this type can be in it
    // A register that is declared .b8 to .b64, as `type` says, and nothing else.
    Reference bits_source(const ptx::Operand& operand, ScalarType type);
    void expect_operands(size_t least, size_t most) const;
    void expect_exhausted(const Form& form) const;  // that every type and modifier has been honoured
    [[noreturn]] void unsupported(const std::string& reason) const;
    [[noreturn]] void invalid(const std::string& reason) const;

    // --- addresses (addresses.cpp) ---
    // Of an instruction that does nothing with the address: a register that can hold one, a variable in the right
    // space.
    void check_address(const ptx::Operand& address);
    uint32_t address_bytes(const ptx::Operand& address);
    void expect_wide_address(const ptx::Operand& address);
    [[noreturn]] void invalid_narrow_address() const;
    [[noreturn]] void unsupported_narrow_address() const;
    AddressSpace address_space(const ptx::Operand& address);
    uint64_t window_of_address(const ptx::Operand& base) const;
    void decode_address(const ptx::Operand& address, AddressSpace space, PendingInstruction& instruction);
    Reference address_value(const ptx::Operand& address, ptx::StateSpace space, bool& narrow);
    // Puts the checks of an access before it that the options ask for, if it is one to check. Whether check_access is
    // among them.
    struct CheckedAccess {
        uint32_t bytes = 0, element_bytes = 0;
        int64_t offset = 0;
        bool reads = false, writes = false;
        std::span<const Reference> stored;  // by a store, element by element
    };
    bool emit_check(const ptx::Operand& address, AddressSpace space, const CheckedAccess& access);

    void emit_profile_probe();  // Checks::profile: counts the instruction (profile_probe.cpp)
    void emit_break_probe();    // where the inspector's breakpoint is (inspection/break_probe.cpp)

    // --- the parameter area (parameter_area.cpp) ---
    const ParameterSlot* parameter_slot(const ptx::Operand& operand) const;
    ParameterSlot hidden_slot(uint32_t size);  // in this function's parameter area
    void emit_slot_access(bool loading, const ParameterSlot& slot, Reference reg);
    void store_register_returns();
    // Of the symbol, if it is a parameter of this kernel.
    std::optional<uint32_t> kernel_parameter_offset(const ptx::Symbol& symbol) const;

    // --- emission (emission.cpp) ---
    PendingInstruction& emit(Handlers handlers);
    void use(PendingInstruction& instruction, unsigned slot, Reference reference);
    void define(PendingInstruction& instruction, unsigned slot, Reference reference);
    Handlers select(Form& form) const;
    Handlers control(Control which) const { return context_.backend->control(which); }
    uint32_t next_cache() { return out_.cache_end++; }
    void begin_guard();  // a prefix that narrows the lanes for the one instruction that follows
    void end_guard() { conditional_ = false; }
    size_t begin_branch_around();  // for instructions that branch or wait: jumps over them where the guard is false
    void end_branch_around(size_t mark);
    void emit_without_operands(Control which, bool ends_flow = false);
    // As the signature of InstructionDecoding says (arithmetic.cpp).
    void decode_arithmetic(const char* signature);
    // Instruction::aux of floating-point instructions (float_aux.hpp).
    static uint32_t rounding_aux(const Form& form);

private:
    Reference special(Special which, uint32_t bytes, uint32_t index = 0);
    PendingInstruction& begin_check(Control which, const ptx::Operand& address, AddressSpace space,
                                    const CheckedAccess& access);
    Reference float_literal(const ptx::Operand& operand, ScalarType type);
    bool allows_wider_registers() const;
    Reference special_source(const ptx::Operand& operand, uint32_t bytes);
    Reference symbol_address(const ptx::Operand& operand, uint32_t bytes);
    Handlers select_conversion(ScalarType to, ScalarType from) const;
    void load_register_formals();

    // --- passes ---
    void lay_out_variables();
    void decode_instruction();
    const ModuleContext::KnownForm&
    legal_form();  // of the current instruction; throws if PTX or the simulator has none
    void remove_constant_copies();
    void resolve_branches();
    void join_comparisons_with_branches();
    // inspection/debug_information.cpp
    void describe_function(const std::vector<RegisterPlace>& places);
    void describe_registers(DebugFunction& debug, DwarfNames& names, const std::vector<RegisterPlace>& places) const;

    ModuleContext& context_;
    const ptx::Module& module_;
    const ptx::Function& parsed_;
    Function& out_;
    uint32_t function_index_;
    const ptx::Instruction* current_ = nullptr;
    Form form_;
    const InstructionDecoding* decoding_ = nullptr;  // null: before the first instruction
    Origin origin_;
    bool conditional_ = false;
    std::vector<ScalarType> register_types_;
    std::vector<PendingInstruction> pending_;
    std::vector<uint32_t> start_of_;       // index of the first pending instruction of each parsed one
    std::vector<Reference> replacements_;  // of registers that remove_constant_copies has put away; 0: not
    std::map<std::tuple<uint8_t, uint8_t, uint8_t, uint8_t, uint32_t, uint64_t>, Reference> preload_numbers_;
    std::unordered_map<uint32_t, ParameterSlot> parameter_slots_;  // by Module::variables index
    std::unordered_map<uint32_t, uint32_t> local_offsets_;         // by Module::variables index
    std::unordered_map<uint32_t, uint32_t> kernel_parameter_offsets_;
    uint32_t parameter_area_end_ = 0;  // where the next slot of it may begin
    Reach reach_;
};

struct UnwrittenPolicy {
    bool every_use = false;                     // else those that decide an address, a branch or a guard
    Handlers row;                               // of RowOperation
    std::function<std::string(uint32_t)> name;  // of a register
};

// Makes uses of registers that the thread has not written faults (unwritten_registers.cpp).
void track_unwritten(std::vector<PendingInstruction>& pending, std::vector<ScalarType>& register_types,
                     Function& function, const UnwrittenPolicy& policy);

// Gives every register and preload its place in the frame and finishes `function` (register_allocation.cpp). If
// `places` is given each register gets a place that it shares with no other, holds poison before it is written, and is
// described there.
void allocate_registers(std::vector<PendingInstruction>& pending, const std::vector<ScalarType>& register_types,
                        Function& function, std::vector<RegisterPlace>* places = nullptr);

}  // namespace cuprum::simulator
