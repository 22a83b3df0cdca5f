// Functions: headers, bodies, scopes, labels.
//
// Source: PTX ISA 9.0, chapters 7 (functions) and 11 (directives).
#include <algorithm>
#include <limits>

#include "ptx/parser_implementation.hpp"

namespace cuprum::simulator::ptx {
namespace {

constexpr size_t kMaximumScopes = 256;

// Compilers name what debug sections refer to "$L__tmp7" and "$L__func_begin0", what is branched to "$L__BB0_2".
bool is_debug_label(std::string_view name) {
    return name.starts_with("$L__") && !name.starts_with("$L__BB");
}

bool same_parameters(const std::vector<Variable>& a, const std::vector<Variable>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Variable& x, const Variable& y) {
        return size_of(x.type) == size_of(y.type) && x.size == y.size && x.alignment == y.alignment &&
               x.in_register == y.in_register;
    });
}

}  // namespace

// `( .param ..., .param ... )`, the current token being '('.
std::vector<Variable> Parser::parse_formals(std::vector<Token>& names, std::string_view what) {
    std::vector<Variable> formals;
    tokens_.expect('(', "to open a list of parameters");
    while (!tokens_.at(')')) {
        if (!formals.empty()) {
            tokens_.expect(',', "or ')' after a parameter");
        }
        Token name;
        formals.push_back(parse_parameter(what, name));
        names.push_back(name);
    }
    tokens_.advance();
    return formals;
}

// The directives between the header and the body, in any order.
void Parser::parse_function_directives(Function& function) {
    const auto parse_dimensions = [this](uint32_t(&dimensions)[3], std::string_view what) {
        tokens_.advance();
        dimensions[1] = dimensions[2] = 1;
        size_t i = 0;
        do {
            if (i == 3) {
                tokens_.fail_expected("at most three sizes");
            }
            dimensions[i++] = static_cast<uint32_t>(parse_count(tokens_, what, std::numeric_limits<uint32_t>::max()));
        } while (tokens_.accept(','));
    };
    const auto parse_number = [this](std::string_view what) {
        tokens_.advance();
        return static_cast<uint32_t>(parse_count(tokens_, what, std::numeric_limits<uint32_t>::max()));
    };
    while (tokens_.current().kind == Token::Kind::dot_word) {
        const Token directive = tokens_.current();
        if (directive.text == ".maxntid") {
            parse_dimensions(function.max_threads, "the number of threads");
        } else if (directive.text == ".reqntid") {
            parse_dimensions(function.required_threads, "the number of threads");
        } else if (directive.text == ".reqnctapercluster") {
            parse_dimensions(function.required_cluster, "the number of blocks of a cluster");
        } else if (directive.text == ".minnctapersm") {
            function.min_blocks_per_multiprocessor = parse_number("the number of blocks");
        } else if (directive.text == ".maxnctapersm") {
            parse_number("the number of blocks");
        } else if (directive.text == ".maxnreg") {
            function.max_registers = parse_number("the number of registers");
        } else if (directive.text == ".maxclusterrank") {
            function.max_cluster_rank = parse_number("the number of blocks of a cluster");
        } else if (directive.text == ".explicitcluster") {
            function.explicit_cluster = true;
            tokens_.advance();
        } else if (directive.text == ".noreturn") {
            function.prototype.no_return = true;
            tokens_.advance();
        } else if (directive.text == ".blocksareclusters" || directive.text == ".abi_preserve" ||
                   directive.text == ".abi_preserve_control") {
            tokens_.advance();
            if (tokens_.current().kind == Token::Kind::integer) {
                parse_integer_expression(tokens_, "the number of preserved registers");
            }
        } else if (directive.text == ".attribute") {
            DeclarationType ignored;
            parse_attributes(ignored);
        } else if (directive.text == ".pragma") {
            parse_pragma();
        } else if (directive.text == ".loc") {
            parse_location();
        } else {
            TokenStream::fail(directive.location(), "unknown directive " + describe(directive) +
                                                        " before the body of '" + function.name + "'");
        }
    }
}

void Parser::check_redeclaration(const Function& before, const Function& now) {
    if (before.has_body && now.has_body) {
        // Thrown, so that the second body is skipped: it must not be read into the first.
        TokenStream::fail(now.location, "the function '" + now.name +
                                            "' is defined a second time; the first is in line " +
                                            std::to_string(before.location.line));
    }
    if (before.is_kernel != now.is_kernel || !same_parameters(before.prototype.returns, now.prototype.returns) ||
        !same_parameters(before.prototype.parameters, now.prototype.parameters)) {
        report(now.location, "the function '" + now.name +
                                 "' was declared with other parameters or another kind in line " +
                                 std::to_string(before.location.line));
    }
}

// `.entry name (params) directives { body }` or `.func (returns) name (params) directives { body }` or `;` for the
// body.
void Parser::parse_function(Linkage linkage, bool is_kernel) {
    Function function;
    function.is_kernel = is_kernel;
    function.linkage = linkage;
    parse_function_directives(function);
    std::vector<Token> return_names;
    std::vector<Token> parameter_names;
    if (!is_kernel && tokens_.at('(')) {
        function.prototype.returns = parse_formals(return_names, "a function");
    }
    const Token name = tokens_.expect_identifier("the name of a function");
    function.name = std::string(name.text);
    function.location = name.location();
    if (tokens_.at('(')) {
        function.prototype.parameters = parse_formals(parameter_names, "'" + function.name + "'");
    }
    parse_function_directives(function);
    if (is_kernel && std::ranges::any_of(function.prototype.parameters, &Variable::in_register)) {
        TokenStream::fail(name.location(),
                          "the parameters of the kernel '" + function.name + "' must be .param variables");
    }
    function.has_body = tokens_.at('{');
    if (!function.has_body) {
        tokens_.expect(';', "or '{' after the header of '" + function.name + "'");
    }

    uint32_t index = static_cast<uint32_t>(module_.functions.size());
    const std::optional<Meaning> known = scopes_[0].find(name.text);
    if (known && known->kind == Meaning::Kind::symbol && module_.symbols[known->index].kind == Symbol::Kind::function) {
        index = module_.symbols[known->index].index;
        check_redeclaration(module_.functions[index], function);
        if (!module_.functions[index].has_body) {
            // A definition is what the declaration said, .noreturn and visibility included.
            const Function& before = module_.functions[index];
            function.prototype.no_return |= before.prototype.no_return;
            if (function.linkage == Linkage::internal && before.linkage != Linkage::external) {
                function.linkage = before.linkage;
            }
            module_.functions[index] = std::move(function);
        } else if (!function.has_body) {
            return;  // a declaration after the definition adds nothing
        }
    } else {
        declare(name, {Meaning::Kind::symbol, static_cast<uint32_t>(module_.symbols.size()), 1});
        module_.symbols.push_back({Symbol::Kind::function, index});
        module_.functions.push_back(std::move(function));
    }

    // module_.functions does not grow while the body is read.
    function_ = &module_.functions[index];
    open_scope();
    const auto add_formals = [this](const std::vector<Variable>& formals, const std::vector<Token>& names,
                                    std::vector<uint32_t>& symbols, uint32_t first) {
        symbols.clear();
        for (size_t i = 0; i < formals.size(); ++i) {
            const auto symbol = static_cast<uint32_t>(module_.symbols.size());
            const auto variable = static_cast<uint32_t>(module_.variables.size());
            module_.symbols.push_back({Symbol::Kind::variable, variable});
            module_.variables.push_back(formals[i]);
            symbols.push_back(symbol);
            Meaning meaning{Meaning::Kind::symbol, symbol, 1};
            if (formals[i].in_register && reserve_registers(names[i].location(), 1)) {
                meaning = {Meaning::Kind::reg, static_cast<uint32_t>(function_->registers.size()), 1};
                function_->register_formals.emplace_back(first + static_cast<uint32_t>(i), meaning.index);
                function_->registers.push_back({std::string(names[i].text), formals[i].type});
            }
            if (names[i].text != "_") {
                declare(names[i], meaning);
            }
        }
    };
    add_formals(function_->prototype.returns, return_names, function_->return_symbols, 0);
    add_formals(function_->prototype.parameters, parameter_names, function_->parameter_symbols,
                static_cast<uint32_t>(return_names.size()));
    if (function_->has_body) {
        parse_body();
    } else {
        scopes_.pop_back();
        pending_begin_.pop_back();
        function_ = nullptr;
    }
}

void Parser::open_scope() {
    if (scopes_.size() >= kMaximumScopes) {
        TokenStream::fail(tokens_.current().location(),
                          "blocks are nested more than " + std::to_string(kMaximumScopes) + " deep");
    }
    scopes_.emplace_back();
    pending_begin_.push_back(pending_.size());
}

// Gives the names that waited for a label of this scope their label; the others go on waiting in the scope around it.
void Parser::close_scope() {
    const Scope& scope = scopes_.back();
    auto kept = pending_.begin() + static_cast<std::ptrdiff_t>(pending_begin_.back());
    for (auto waiting = kept; waiting != pending_.end(); ++waiting) {
        const std::optional<Meaning> meaning = scope.find(waiting->name);
        if (!meaning || meaning->kind != Meaning::Kind::label) {
            *kept++ = *waiting;
            continue;
        }
        if (waiting->operand != nullptr) {
            waiting->operand->kind = Operand::Kind::label;
            waiting->operand->index = meaning->index;
            waiting->operand->name = {};
        } else {
            function_->branch_tables[waiting->table][waiting->entry] = meaning->index;
        }
        function_->labels.push_back(meaning->index);
    }
    pending_.erase(kept, pending_.end());
    pending_begin_.pop_back();
    scopes_.pop_back();
}

void Parser::close_function() {
    close_scope();
    // Move out first: report() may throw.
    const std::vector<PendingName> undefined = std::move(pending_);
    pending_.clear();
    std::vector<uint32_t>& labels = function_->labels;
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    function_ = nullptr;
    for (const PendingName& waiting : undefined) {
        report(location_of(waiting.name), "undefined name " + quoted(waiting.name) +
                                              ": no register, variable, function or label of that name is in scope");
    }
}

void Parser::parse_body() {
    tokens_.expect('{', "to open the body");
    source_file_ = 0;
    source_line_ = 0;
    inlined_ = 0;
    inlined_places_.clear();
    const size_t function_scope = scopes_.size();
    while (scopes_.size() >= function_scope) {
        if (tokens_.at_end()) {
            const std::string name = function_->name;
            TokenStream::fail(tokens_.current().location(),
                              "expected '}' to close the body of '" + name + "', found the end of the text");
        }
        statement_braces_ = 0;
        try {
            if (tokens_.at('{')) {
                open_scope();
                tokens_.advance();
            } else if (tokens_.at('}')) {
                if (scopes_.size() == function_scope) {
                    close_function();
                } else {
                    close_scope();
                }
                tokens_.advance();
            } else {
                parse_statement();
            }
        } catch (const SyntaxError& error) {
            report(error.location, error.message);
            if (tokens_.at('{') && scopes_.size() >= kMaximumScopes) {
                throw;  // the rest of the function cannot be followed
            }
            skip_statement();
        }
    }
}

// After an error: goes on behind the ';', or before the '}' that closes a block.
void Parser::skip_statement() {
    uint64_t depth = statement_braces_;
    while (!tokens_.at_end()) {
        if (tokens_.accept(';')) {
            return;
        }
        if (tokens_.at('{')) {
            ++depth;
        } else if (tokens_.at('}') && depth-- == 0) {
            return;
        }
        tokens_.advance();
    }
}

void Parser::parse_statement() {
    const Token token = tokens_.current();
    if (token.kind == Token::Kind::identifier) {
        tokens_.advance();
        if (!tokens_.at(':')) {
            parse_instruction(token, {});
            return;
        }
        tokens_.advance();
        const Token& next = tokens_.current();
        if (next.kind == Token::Kind::dot_word &&
            (next.text == ".branchtargets" || next.text == ".callprototype" || next.text == ".calltargets")) {
            parse_labelled_directive(token);
        } else {
            const auto place = static_cast<uint32_t>(function_->instructions.size());
            declare(token, {Meaning::Kind::label, place, 1});
            if (is_debug_label(token.text)) {
                function_->debug_labels.push_back({token.text, place});
            }
        }
    } else if (token.kind == Token::Kind::dot_word) {
        parse_body_directive();
    } else if (tokens_.at('@')) {
        Instruction instruction;
        parse_guard(instruction);
        const Token opcode = tokens_.expect_identifier("an instruction after the guard");
        parse_instruction(opcode, instruction);
    } else {
        tokens_.fail_expected("an instruction, a label, a directive or a block");
    }
}

void Parser::parse_body_directive() {
    const Token directive = tokens_.current();
    if (directive.text == ".loc") {
        parse_location();
        return;
    }
    if (directive.text == ".reg") {
        parse_registers();
        return;
    }
    if (directive.text == ".pragma") {
        parse_pragma();
        return;
    }
    if (directive.text == ".file") {
        parse_file_directive();
        return;
    }
    StateSpace space = StateSpace::generic;
    if (directive.text == ".param") {
        space = StateSpace::parameter;
    } else if (directive.text == ".shared") {
        space = StateSpace::shared;
    } else if (directive.text == ".local") {
        space = StateSpace::local;
    } else if (directive.text == ".global") {
        space = StateSpace::global;
    } else if (directive.text == ".const") {
        space = StateSpace::constant;
    } else {
        TokenStream::fail(directive.location(),
                          "unknown directive " + describe(directive) + " in the body of '" + function_->name + "'");
    }
    tokens_.advance();
    parse_variables(space, Linkage::internal);
}

void Parser::parse_labelled_directive(const Token& label) {
    if (tokens_.current().text == ".branchtargets") {
        parse_branch_targets(label);
    } else if (tokens_.current().text == ".calltargets") {
        parse_call_targets(label);
    } else {
        parse_prototype(label);
    }
}

// `label: .branchtargets a, b;` The labels usually follow later.
void Parser::parse_branch_targets(const Token& label) {
    tokens_.advance();
    const auto table = static_cast<uint32_t>(function_->branch_tables.size());
    std::vector<uint32_t>& targets = function_->branch_tables.emplace_back();
    declare(label, {Meaning::Kind::branch_targets, table, 1});
    do {
        const Token target = tokens_.expect_identifier("a label");
        const std::optional<Meaning> known = find(target.text);
        if (known && known->kind == Meaning::Kind::label) {
            function_->labels.push_back(known->index);
            targets.push_back(known->index);
        } else {
            pending_.push_back({target.text, nullptr, table, static_cast<uint32_t>(targets.size())});
            targets.push_back(0);
        }
    } while (tokens_.accept(','));
    tokens_.expect(';', "after '.branchtargets'");
}

// `label: .calltargets f, g;` All have one prototype, which is what a call through a pointer needs to know.
void Parser::parse_call_targets(const Token& label) {
    tokens_.advance();
    Prototype prototype;
    bool first = true;
    do {
        const Token target = tokens_.expect_identifier("the name of a function");
        const std::optional<uint32_t> symbol = find_symbol(target.text);
        if (!symbol || module_.symbols[*symbol].kind != Symbol::Kind::function) {
            report(target.location(),
                   "'.calltargets' names " + describe(target) + ", which is not a declared function");
        } else if (first) {
            prototype = module_.functions[module_.symbols[*symbol].index].prototype;
        }
        first = false;
    } while (tokens_.accept(','));
    tokens_.expect(';', "after '.calltargets'");
    declare(label, {Meaning::Kind::prototype, static_cast<uint32_t>(function_->prototypes.size()), 1});
    function_->prototypes.push_back(std::move(prototype));
}

// `label: .callprototype (.param .b32 _) _ (.param .b64 _, ...) .noreturn;`
void Parser::parse_prototype(const Token& label) {
    tokens_.advance();
    Prototype prototype;
    std::vector<Token> names;
    if (tokens_.at('(')) {
        prototype.returns = parse_formals(names, "a prototype");
    }
    tokens_.expect_identifier("'_' in the place of the function's name");
    if (tokens_.at('(')) {
        prototype.parameters = parse_formals(names, "a prototype");
    }
    Function directives;
    directives.name = std::string(label.text);
    parse_function_directives(directives);
    prototype.no_return = directives.prototype.no_return;
    tokens_.expect(';', "after '.callprototype'");
    declare(label, {Meaning::Kind::prototype, static_cast<uint32_t>(function_->prototypes.size()), 1});
    function_->prototypes.push_back(std::move(prototype));
}

// `.loc file line column [, function_name label [+ offset], inlined_at file line column]`
void Parser::parse_location() {
    constexpr uint64_t kAny = std::numeric_limits<uint32_t>::max();
    tokens_.advance();
    const uint64_t file = parse_count(tokens_, "a file number", kAny);
    const uint64_t line = parse_count(tokens_, "a line number", kAny);
    const uint64_t column = parse_count(tokens_, "a column number", kAny);
    source_file_ = source_file_index(file);
    source_line_ = static_cast<uint32_t>(line);
    inlined_ = 0;
    std::string_view function;
    while (tokens_.accept(',')) {
        const Token attribute = tokens_.expect_identifier("'function_name' or 'inlined_at'");
        if (attribute.text == "function_name") {
            function = tokens_.expect_identifier("the label of the function's name").text;
            if (tokens_.accept('+')) {
                parse_count(tokens_, "an offset", kAny);
            }
        } else if (attribute.text == "inlined_at") {
            inlined_ = parse_inlining(function);
        } else {
            TokenStream::fail(attribute.location(), "unknown attribute " + describe(attribute) + " of '.loc'");
        }
    }
    if (inlined_ != 0) {
        inlined_places_[{source_file_, source_line_, static_cast<uint32_t>(column)}] = inlined_;
    }
}

// Where the .loc's function is inlined, after the word. The place of a call that is inlined itself has had a .loc of
// its own before, which says where.
uint32_t Parser::parse_inlining(std::string_view function) {
    constexpr uint64_t kAny = std::numeric_limits<uint32_t>::max();
    const uint64_t file = parse_count(tokens_, "a file number", kAny);
    const uint64_t line = parse_count(tokens_, "a line number", kAny);
    const uint64_t column = parse_count(tokens_, "a column number", kAny);
    if (function_ == nullptr) {
        return 0;
    }
    InlinedCall call{function, source_file_index(file), static_cast<uint32_t>(line), static_cast<uint32_t>(column), 0};
    if (const auto caller = inlined_places_.find({call.file, call.line, call.column});
        caller != inlined_places_.end()) {
        call.caller = caller->second;
    }
    std::vector<InlinedCall>& calls = function_->inlined_calls;
    if (calls.empty()) {
        calls.emplace_back();
    }
    if (const InlinedCall& last = calls.back(); calls.size() == 1 || last.function != call.function ||
                                                last.file != call.file || last.line != call.line ||
                                                last.column != call.column || last.caller != call.caller) {
        calls.push_back(call);
    }
    return static_cast<uint32_t>(calls.size() - 1);
}

}  // namespace cuprum::simulator::ptx
