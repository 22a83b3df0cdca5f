// The parser proper. Internal to this folder: users include ptx/parser.hpp.
//
// Two kinds of error: one that leaves the parser not knowing where it is in a statement is thrown (SyntaxError) and the
// rest of the statement skipped; one that does not, such as an undefined name, is reported and the parse goes on, so
// that one mistake gives one diagnostic.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ptx/constant_expression.hpp"
#include "ptx/parser.hpp"
#include "ptx/scope.hpp"
#include "ptx/token_stream.hpp"

namespace cuprum::simulator::ptx {

class Parser {
public:
    Parser(std::string_view text, Module& module, std::vector<Diagnostic>& diagnostics);
    void parse_module();

private:
    // Thrown when there are as many diagnostics as a result may hold.
    struct TooManyDiagnostics {};

    // What is read between a directive such as .global and the names it declares.
    struct DeclarationType {
        ScalarType type = ScalarType::none;
        uint32_t vector_length = 1;
        uint32_t alignment = 0;  // 0: not written
        bool managed = false;
        SourceLocation location;
    };

    // The initial value being read.
    struct InitialValue {
        Variable& variable;
        std::vector<uint64_t> dimensions;  // of the array, then the vector's length if it is one
        uint64_t offset = 0;               // where the next element goes, bytes
        uint64_t row_size = 0;             // of an array without a size: bytes per element of its first dimension
    };

    // A name used before its label was seen. Either an operand or an entry of a branch table waits for it.
    struct PendingName {
        std::string_view name;
        Operand* operand = nullptr;
        uint32_t table = 0;
        uint32_t entry = 0;
    };

    // parser.cpp: the module, directives, errors.
    void parse_header();
    void parse_module_statement();
    void parse_linkage_statement();
    void parse_file_directive();
    void parse_section();
    void parse_pragma();
    void parse_alias();
    void resolve_aliases();
    void skip_module_statement();
    uint32_t source_file_index(uint64_t number);
    void report(SourceLocation location, std::string message);
    SourceLocation location_of(std::string_view part_of_text) const;
    size_t offset_of(const Token& token) const;  // in the text
    std::optional<Meaning> find(std::string_view name) const;
    std::optional<uint32_t> find_symbol(std::string_view name) const;
    // Reports a second declaration of a name in the innermost scope.
    void declare(const Token& name, const Meaning& meaning);

    // parser_declaration.cpp: variables and registers.
    DeclarationType parse_declaration_type(std::string_view directive);
    void parse_attributes(DeclarationType& type);
    void parse_variables(StateSpace space, Linkage linkage);
    Variable parse_declarator(const Token& name, const DeclarationType& type, StateSpace space,
                              std::vector<uint64_t>& dimensions);
    uint32_t add_variable(const Token& name, Variable variable);
    Variable parse_parameter(std::string_view what, Token& name);
    void parse_registers();
    uint32_t parse_register_count();
    void add_registers(std::string_view name, uint32_t count, const DeclarationType& type, bool numbered);
    bool reserve_registers(SourceLocation location, uint64_t count);

    // parser_initializer.cpp.
    void parse_initializer(uint32_t variable_index, const std::vector<uint64_t>& dimensions);
    void parse_initial_array(InitialValue& value, size_t level);
    void parse_initial_element(InitialValue& value);
    void parse_initial_address(InitialValue& value, uint32_t size, uint32_t shift);
    void reserve_initial_bytes(uint64_t count);

    // parser_function.cpp.
    void parse_function(Linkage linkage, bool is_kernel);
    std::vector<Variable> parse_formals(std::vector<Token>& names, std::string_view what);
    void parse_function_directives(Function& function);
    void check_redeclaration(const Function& before, const Function& now);
    void parse_body();
    void parse_statement();
    void parse_body_directive();
    void parse_labelled_directive(const Token& label);
    void parse_prototype(const Token& label);
    void parse_call_targets(const Token& label);
    void parse_branch_targets(const Token& label);
    void parse_location();
    uint32_t parse_inlining(std::string_view function);
    void open_scope();
    void close_scope();
    void close_function();
    void skip_statement();

    // parser_operand.cpp.
    void parse_instruction(const Token& opcode, const Instruction& guard);
    void parse_guard(Instruction& instruction);
    Operand parse_operand();
    Operand parse_operand_without_pair();
    Operand parse_named_operand();
    Operand parse_address();
    Operand parse_elements(char open, char close, Operand::Kind kind);
    Operand parse_constant_operand();
    Operand operand_for(const Meaning& meaning, const Token& name);
    void select_component(Operand& operand, const Token& name, const Meaning& meaning);
    int64_t parse_offset();
    void note_pending_names(Operand& operand);

    std::string_view text_;
    Module& module_;
    std::vector<Diagnostic>& diagnostics_;
    TokenStream tokens_;
    std::vector<Scope> scopes_;          // [0] the module, [1] the function, blocks after that
    std::vector<size_t> pending_begin_;  // per open scope from [1] on: the first of pending_ that is its own
    std::vector<PendingName> pending_;
    std::unordered_map<uint64_t, uint32_t> file_numbers_;  // .file number to Module::source_files
    std::vector<std::pair<Token, Token>> aliases_;

    Function* function_ = nullptr;  // whose body is being read
    uint32_t source_file_ = 0;      // from the last .loc
    uint32_t source_line_ = 0;
    uint32_t inlined_ = 0;  // and what it says of inlining: index into Function::inlined_calls
    // Where the calls that .loc directives have named last are inlined: file, line and column to inlined_.
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> inlined_places_;
    uint32_t statement_braces_ = 0;            // open '{' of operands or initialisers in the current statement
    uint32_t operand_depth_ = 0;               // open brackets of the operand being read
    bool call_operands_ = false;               // the instruction is a call: parentheses hold lists
    bool has_pending_names_ = false;           // the instruction has operands of kind name
    uint64_t registers_left_;                  // how many more registers the module may declare
    uint64_t initial_bytes_left_;              // how many more bytes of initial values the module may hold
    std::vector<std::string_view> modifiers_;  // scratch of parse_instruction
};

}  // namespace cuprum::simulator::ptx
