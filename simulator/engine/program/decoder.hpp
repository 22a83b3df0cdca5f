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
#include "engine/instructions/form.hpp"
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
    std::unordered_map<uint32_t, uint32_t> variable_numbers;  // Module::variables index to Program::variables index
    std::unordered_map<std::string_view, uint32_t> mnemonic_numbers;

    // The number of a variable in device memory; gives it one when it has none.
    uint32_t variable_number(uint32_t module_variable);
    uint32_t mnemonic_number(std::string_view mnemonic);
    uint32_t target = 0;                     // .target sm_80 is 80
    std::vector<std::optional<Form>> forms;  // by mnemonic number: what has been read and found legal
};

// An operand before registers have places: a register's number, or a preload's with the top bit set.
using Reference = uint32_t;
inline constexpr Reference preload_flag = 1u << 31;

// What becomes of an operand that the thread has not written, where it decides nothing.
enum class Unwritten : uint8_t {
    used,      // stored in device memory, told to other threads, or what else is not below: the result is written
    dropped,   // shfl, joined and picked bits, memory of the block or the thread: not followed, the result is written
    joined,    // arithmetic: the result is unwritten where an operand is
    bitwise,   // as joined, with one register; several may be parts that are put together: dropped
    selected,  // selp
    both,      // and.pred: a written operand that is false is enough
    either,    // or.pred: a written operand that is true is enough
    compared,  // setp, whose last operand may settle the result
    loaded,    // the results are as the check of the access before has found them (Checks::memory)
    stored,    // that check, of a store: told who has written operands 0 to 3
};

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

class FunctionDecoder {
public:
    FunctionDecoder(ModuleContext& context, uint32_t function_index);
    void decode();  // throws DecodeError
    Reach take_reach() { return std::move(reach_); }

private:
    // --- operands (decode_operands.cpp) ---
    Reference literal(uint64_t bits, uint32_t bytes);
    Reference special(Special which, uint32_t bytes, uint32_t index = 0);
    Reference preload(const Preload& wanted);
    Reference scratch(ScalarType type);
    Reference source(const ptx::Operand& operand, ScalarType type);
    Reference target(const ptx::Operand& operand, ScalarType type);
    Reference float_literal(const ptx::Operand& operand, ScalarType type);
    bool allows_wider_registers() const;
    Reference predicate_source(const ptx::Operand& operand, bool& negated);
    Reference special_source(const ptx::Operand& operand, uint32_t bytes);
    Reference symbol_address(const ptx::Operand& operand, uint32_t bytes);
    uint32_t row_bytes(Reference reference) const;
    const ptx::Operand& operand(size_t index) const;
    void check_register(uint32_t index, ScalarType type) const;  // that an operand of this type can be in it
    void expect_operands(size_t least, size_t most) const;
    [[noreturn]] void unsupported(const std::string& reason) const;
    [[noreturn]] void invalid(const std::string& reason) const;

    // --- emission (decoder.cpp) ---
    PendingInstruction& emit(Handlers handlers);
    void use(PendingInstruction& instruction, unsigned slot, Reference reference);
    void define(PendingInstruction& instruction, unsigned slot, Reference reference);
    Handlers select(Form& form) const;
    Handlers select_conversion(ScalarType to, ScalarType from) const;
    void begin_guard();            // a prefix that narrows the lanes for the one instruction that follows
    size_t begin_branch_around();  // for instructions that branch or wait: jumps over them where the guard is false
    void end_branch_around(size_t mark);
    void remove_constant_copies();
    void resolve_branches();

    // --- instructions ---
    const Form& legal_form();  // of the current instruction; throws if PTX or the simulator has none such
    void decode_instruction();
    void decode_arithmetic(const char* signature);  // decode_arithmetic.cpp
    void decode_setp();
    void decode_set();
    void decode_lop3();
    void decode_move();
    void decode_vector_move();
    void decode_convert_pack();
    void decode_video();  // decode_video.cpp
    uint32_t lane_selector(const ptx::Operand& operand, unsigned lanes, unsigned first) const;
    void decode_create_policy();
    void decode_cvta();
    void decode_isspacep();
    uint64_t window_of_form() const;
    void decode_load_store();  // decode_memory.cpp
    // Puts the check of an access before it, if the options ask for one and it is one to check.
    struct CheckedAccess {
        uint32_t bytes = 0, element_bytes = 0;
        int64_t offset = 0;
        bool reads = false, writes = false;
        std::span<const Reference> stored;  // by a store, element by element
    };
    bool emit_check(const ptx::Operand& address, AddressSpace space, const CheckedAccess& access);
    void decode_wide_move(bool splits);
    void decode_atomic();
    void decode_vector_atomic(uint32_t count);
    void emit_atomic(Form form, Reference result, Reference b, Reference c, const ptx::Operand& address, int64_t offset,
                     uint32_t alignment);
    bool decode_kernel_parameter_load();
    void decode_address(const ptx::Operand& address, AddressSpace space, PendingInstruction& instruction);
    uint32_t address_bytes(const ptx::Operand& address);
    void check_address(const ptx::Operand& address);
    uint64_t window_of_address(const ptx::Operand& base) const;
    AddressSpace address_space(const ptx::Operand& address);
    void decode_branch();  // decode_control.cpp
    void decode_branch_indexed();
    void decode_call();
    void decode_barrier();
    void decode_warp();
    void decode_fence();
    void decode_simple(Control which);
    void decode_return();
    void decode_without_effect();
    ParameterSlot hidden_slot(uint32_t size);  // in this function's parameter area
    void emit_slot_access(bool loading, const ParameterSlot& slot, Reference reg);
    void load_register_formals();
    void store_register_returns();
    const ptx::Prototype* prototype_of_call(const ptx::Operand& callee, size_t next) const;
    void decode_mbarrier();  // decode_asynchronous.cpp
    void decode_asynchronous_copy();
    void decode_small_copy(Form& form);
    void decode_bulk_copy(Form& form);
    Modifier first_space() const;
    Reference address_value(const ptx::Operand& address, ptx::StateSpace space, bool& narrow);
    void decode_stack();  // decode_control.cpp
    const ParameterSlot* parameter_slot(const ptx::Operand& operand) const;

    // --- layout ---
    void lay_out_variables();

    ModuleContext& context_;
    const ptx::Module& module_;
    const ptx::Function& parsed_;
    Function& out_;
    uint32_t function_index_;
    const ptx::Instruction* current_ = nullptr;
    Form form_;
    Origin origin_;
    bool conditional_ = false;
    std::vector<ScalarType> register_types_;
    std::vector<PendingInstruction> pending_;
    std::vector<uint32_t> start_of_;  // index of the first pending instruction of each parsed one
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

// Gives every register and preload its place in the frame and finishes `function` (register_allocation.cpp).
void allocate_registers(std::vector<PendingInstruction>& pending, const std::vector<ScalarType>& register_types,
                        Function& function);

}  // namespace cuprum::simulator
