// The parsed form of one PTX module: what the front end (lexer, parser) hands to the engine.
//
// Everything is resolved by the parser that can be resolved without knowing what an instruction means: names to
// indices, scopes, literals to bits, labels to instruction indices. What an opcode and its modifiers mean is the
// engine's business (engine/instructions), so a new instruction never touches the parser.
//
// Source: PTX ISA 9.0, chapters 4 (syntax), 5 (state spaces, types), 7 (functions), 11 (directives).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cuprum::simulator::ptx {

// 1-based position in the PTX text; 0 means unknown.
struct SourceLocation {
    uint32_t line = 0;
    uint32_t column = 0;
};

enum class StateSpace : uint8_t { generic, constant, global, local, parameter, shared };

enum class ScalarType : uint8_t {
    none,
    b8,
    b16,
    b32,
    b64,
    b128,
    u8,
    u16,
    u32,
    u64,
    s8,
    s16,
    s32,
    s64,
    f16,
    f16x2,
    bf16,
    bf16x2,
    f32,
    f64,
    pred,
    // Only of operands, never of registers or variables: they lie in a register of as many bits.
    u16x2,
    s16x2,
    tf32,
    e4m3x2,
    e5m2x2,
    e4m3,
    e5m2,
    u4,
    s4,
    u2,
    s2,
    b1,
    f32x2,
    e2m3x2,
    e3m2x2,
    e2m1x2,
    ue8m0x2,
    s2f6x2,
    e4m3x4,
    e5m2x4,
    e2m3x4,
    e3m2x4,
    e2m1x4,
    e2m3,
    e3m2,
    e2m1,
};

// Bytes in memory, or in a register where a type is never in memory: b128 16, pred 1, none 0.
uint32_t size_of(ScalarType type);

enum class Linkage : uint8_t { internal, visible, external, weak, common };

// A word of an initialiser that holds the address of a symbol, filled in when the module is loaded.
struct Relocation {
    uint64_t offset = 0;  // byte offset within the variable; need not be a multiple of size
    uint32_t size = 8;    // bytes to write: 4 or 8; 1 or 2 only for a single byte or half of an address
    uint32_t symbol = 0;  // index into Module::symbols
    int64_t addend = 0;
    uint32_t shift = 0;    // the address is shifted right by so many bits first: `0xff00(symbol)` has size 1, shift 8
    bool generic = false;  // generic(symbol) was written: a generic address; else one in the symbol's space
};

// A variable of any state space: module-scope .global/.const/.shared, function-scope .local/.shared/.param, and the
// formal parameters of functions.
struct Variable {
    std::string name;
    StateSpace space = StateSpace::global;
    ScalarType type = ScalarType::none;
    uint32_t vector_length = 1;  // 1, 2 or 4
    uint32_t alignment = 1;      // bytes
    uint64_t size = 0;           // bytes in all; 0 for an extern or flexible array (`extern .shared x[]`)
    bool unsized_array = false;  // declared with [] and no size
    Linkage linkage = Linkage::internal;
    bool managed = false;                  // .attribute(.managed)
    bool in_register = false;              // a formal declared with .reg; its space is parameter all the same
    std::vector<std::byte> initial_value;  // `size` bytes, or empty: zero-initialised
    std::vector<Relocation> relocations;
    SourceLocation location;
};

// What a name at module scope, or of a function-scope variable, stands for.
struct Symbol {
    enum class Kind : uint8_t { variable, function };
    Kind kind = Kind::variable;
    uint32_t index = 0;  // into Module::variables or Module::functions
};

struct Register {
    std::string name;  // as written, "%r12"; two scopes may hold the same name
    ScalarType type = ScalarType::none;
};

struct Operand {
    enum class Kind : uint8_t {
        sink,              // `_`
        reg,               // index: Function::registers; negated: `!%p1`
        special_register,  // name: "%tid.x", "%clock64", ...
        immediate,         // bits: the integer value, sign-extended to 64 bits
        immediate_f32,     // bits: the 32 bits of a 0f literal
        immediate_f64,     // bits: the 64 bits of a 0d or decimal literal
        symbol,            // index: Module::symbols; offset: bytes added
        label,             // index: the target's index in Function::instructions (may be one past the last)
        branch_targets,    // index: Function::branch_tables
        prototype,         // index: Function::prototypes (a .callprototype label)
        address,           // `[base + offset]`: elements[0] is the base (reg, symbol or immediate), offset in bytes
        vector,            // `{a, b}`: elements
        list,              // `(a, b)` of a call: elements
        pair,              // `r|p`, `{a, b}|p`: elements[0], elements[1]
        name,              // any other bare word an instruction takes; name
    };
    Kind kind = Kind::sink;
    bool negated = false;  // `!%p1`, or `-%r1` where an instruction allows it
    uint32_t index = 0;
    uint64_t bits = 0;
    int64_t offset = 0;
    std::string_view name;  // a view into Module::text; of a reg, its selector: "b0" of `%r1.b0` (video)
    std::vector<Operand> elements;
};

// One instruction. `opcode` is the part before the first dot; `modifiers` are the dotted parts after it in order,
// without dots: `ld.global.nc.v2.u64` is opcode "ld", modifiers {"global", "nc", "v2", "u64"}; a modifier with a scope
// separator stays whole ("L2::128B"). The names are views into Module::text.
struct Instruction {
    std::string_view mnemonic;  // opcode and modifiers as written: "ld.global.nc.v2.u64"
    std::string_view opcode;
    std::vector<std::string_view> modifiers;
    std::vector<Operand> operands;
    bool guarded = false;  // @p or @!p
    bool guard_negated = false;
    uint32_t guard_register = 0;  // index: Function::registers
    SourceLocation location;      // in the PTX text
    uint32_t source_file = 0;     // index into Module::source_files; 0 means none
    uint32_t source_line = 0;     // from .loc; 0 means none
    uint32_t inlined = 0;         // from .loc: index into Function::inlined_calls; 0 means not inlined
};

// A call that the compiler has replaced by the function's body: `.loc ..., function_name label, inlined_at ...`.
struct InlinedCall {
    std::string_view function;  // the label of its name in .debug_str
    uint32_t file = 0;          // of the call: index into Module::source_files
    uint32_t line = 0;
    uint32_t column = 0;
    uint32_t caller = 0;  // the inlined call that it is itself part of: index into Function::inlined_calls; 0: none
};

// A debugger's section, as it was written: what is between its braces.
struct DebugSection {
    std::string_view name;  // ".debug_info"
    std::string_view text;
};

// A place that debug sections name.
struct NamedLabel {
    std::string_view name;
    uint32_t instruction = 0;  // index into Function::instructions, or one past the last
};

struct Prototype {
    std::vector<Variable> returns;
    std::vector<Variable> parameters;
    bool no_return = false;
};

struct Function {
    std::string name;
    bool is_kernel = false;  // .entry
    bool has_body = false;   // false: a declaration (`.extern .func`)
    Linkage linkage = Linkage::internal;
    Prototype prototype;                      // its own returns and parameters (each also a symbol inside the body)
    std::vector<uint32_t> return_symbols;     // index into Module::symbols, one per return value
    std::vector<uint32_t> parameter_symbols;  // index into Module::symbols, one per parameter
    // Those declared with .reg: position among the returns and the parameters after them, and the register.
    std::vector<std::pair<uint32_t, uint32_t>> register_formals;
    std::vector<uint32_t> variables;  // .local, .shared, .param and .reg-less variables declared in the body
    std::vector<Register> registers;
    std::vector<Instruction> instructions;
    std::vector<InlinedCall> inlined_calls;  // [0] stands for none; empty if there are none
    std::vector<NamedLabel> debug_labels;    // those that are not a branch's: "$L__tmp7"
    std::vector<uint32_t> labels;            // sorted, distinct instruction indices that some branch or table can reach
    std::vector<std::vector<uint32_t>> branch_tables;  // .branchtargets: instruction indices
    std::vector<Prototype> prototypes;                 // .callprototype
    // Performance directives; 0 means absent.
    uint32_t max_threads[3] = {0, 0, 0};         // .maxntid
    uint32_t required_threads[3] = {0, 0, 0};    // .reqntid
    uint32_t min_blocks_per_multiprocessor = 0;  // .minnctapersm
    uint32_t max_registers = 0;                  // .maxnreg
    uint32_t required_cluster[3] = {0, 0, 0};    // .reqnctapercluster
    uint32_t max_cluster_rank = 0;               // .maxclusterrank
    bool explicit_cluster = false;               // .explicitcluster
    SourceLocation location;
};

struct Module {
    std::shared_ptr<const std::string> text;        // what the string_views of this module point into
    uint32_t version_major = 0, version_minor = 0;  // .version
    std::string target;                             // the first word of .target, "sm_80"
    uint32_t address_size = 64;
    std::vector<Variable> variables;
    std::vector<Function> functions;
    std::vector<Symbol> symbols;
    std::vector<std::string> source_files;  // [0] is empty; .file entries after it
    std::vector<DebugSection> debug_sections;
};

}  // namespace cuprum::simulator::ptx
