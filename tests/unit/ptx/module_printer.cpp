#include "module_printer.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace cuprum::simulator::ptx {
namespace {

std::string type_name(ScalarType type) {
    constexpr std::array<const char*, 21> kNames = {".none", ".b8",    ".b16",  ".b32",    ".b64", ".b128", ".u8",
                                                    ".u16",  ".u32",   ".u64",  ".s8",     ".s16", ".s32",  ".s64",
                                                    ".f16",  ".f16x2", ".bf16", ".bf16x2", ".f32", ".f64",  ".pred"};
    return kNames.at(static_cast<size_t>(type));
}

std::string space_name(StateSpace space) {
    constexpr std::array<const char*, 6> kNames = {".generic", ".const", ".global", ".local", ".param", ".shared"};
    return kNames.at(static_cast<size_t>(space));
}

std::string linkage_name(Linkage linkage) {
    constexpr std::array<const char*, 5> kNames = {"", ".visible ", ".extern ", ".weak ", ".common "};
    return kNames.at(static_cast<size_t>(linkage));
}

std::string hexadecimal(const char* format, uint64_t bits) {
    char text[32];
    std::snprintf(text, sizeof text, format, static_cast<unsigned long long>(bits));
    return text;
}

std::string concatenated(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) {
        text += part;
    }
    return text;
}

std::string numbered(std::string_view name, uint64_t number) {
    return concatenated({name, std::to_string(number)});
}

class Printer {
public:
    explicit Printer(const Module& module) : module_(module) {
        for (uint32_t i = 0; i < module.symbols.size(); ++i) {
            if (module.symbols[i].kind == Symbol::Kind::variable) {
                symbol_of_variable_.resize(std::max<size_t>(symbol_of_variable_.size(), module.symbols[i].index + 1));
                symbol_of_variable_[module.symbols[i].index] = i;
            }
        }
    }

    std::string print() {
        text_ = ".version " + std::to_string(module_.version_major) + "." + std::to_string(module_.version_minor) +
                "\n.target " + module_.target + "\n.address_size " + std::to_string(module_.address_size) + "\n";
        std::set<uint32_t> in_functions;
        for (const Function& function : module_.functions) {
            in_functions.insert(function.variables.begin(), function.variables.end());
            for (const std::vector<uint32_t>* symbols : {&function.return_symbols, &function.parameter_symbols}) {
                for (const uint32_t symbol : *symbols) {
                    in_functions.insert(module_.symbols[symbol].index);
                }
            }
            if (!function.is_kernel) {
                header(function);
                text_ += ";\n";
            }
        }
        for (uint32_t i = 0; i < module_.variables.size(); ++i) {
            // The formal parameters of a declaration that a definition replaced belong to no function.
            if (in_functions.count(i) == 0 && module_.variables[i].space != StateSpace::parameter) {
                variable(i);
            }
        }
        // In the order of the text, which an assembler's inlining depends on.
        std::vector<const Function*> defined;
        for (const Function& function : module_.functions) {
            if (function.has_body) {
                defined.push_back(&function);
            }
        }
        std::sort(defined.begin(), defined.end(), [](const Function* a, const Function* b) {
            return std::pair(a->location.line, a->location.column) < std::pair(b->location.line, b->location.column);
        });
        for (const Function* function : defined) {
            body(*function);
        }
        return text_;
    }

private:
    // Variables are numbered in the order in which they are first printed.
    std::string symbol_name(uint32_t symbol) {
        const Symbol& named = module_.symbols[symbol];
        if (named.kind == Symbol::Kind::function) {
            return module_.functions[named.index].name;
        }
        return numbered("variable_", variable_numbers_.emplace(symbol, variable_numbers_.size()).first->second);
    }

    static std::string offset_text(int64_t offset) { return concatenated({"+", std::to_string(offset)}); }

    static std::string suffix(const Operand& operand) {
        return operand.name.empty() ? "" : concatenated({".", operand.name});
    }

    static std::string declarator(const Variable& variable, const std::string& name) {
        std::string text = ".align " + std::to_string(variable.alignment) + " ";
        text += variable.vector_length > 1 ? concatenated({numbered(".v", variable.vector_length), " "}) : "";
        text += type_name(variable.type) + " " + name;
        const uint64_t element = uint64_t{size_of(variable.type)} * variable.vector_length;
        if (variable.unsized_array && variable.size == 0) {
            text += "[]";
        } else if (variable.size != element) {
            text += concatenated({numbered("[", variable.size / element), "]"});
        }
        return text;
    }

    void variable(uint32_t index) {
        const Variable& variable = module_.variables[index];
        text_ += linkage_name(variable.linkage) + space_name(variable.space) + " ";
        text_ += variable.managed ? ".attribute(.managed) " : "";
        const std::string name = symbol_name(symbol_of_variable_[index]);
        if (variable.initial_value.empty()) {
            text_ += declarator(variable, name) + ";\n";
            return;
        }
        std::vector<std::string> bytes;
        for (const std::byte byte : variable.initial_value) {
            bytes.push_back(std::to_string(static_cast<unsigned>(byte)));
        }
        for (const Relocation& relocation : variable.relocations) {
            std::string address = symbol_name(relocation.symbol);
            address = relocation.generic ? concatenated({"generic(", address, ")"}) : address;
            address += relocation.addend != 0 ? offset_text(relocation.addend) : "";
            for (uint32_t i = 0; i < relocation.size; ++i) {
                bytes[relocation.offset + i] =
                    concatenated({hexadecimal("0x%llx(", uint64_t{0xff} << (relocation.shift + 8 * i)), address, ")"});
            }
        }
        text_ += ".align " + std::to_string(variable.alignment) + " .u8 " + name + "[" + std::to_string(bytes.size()) +
                 "] = {";
        for (size_t i = 0; i < bytes.size(); ++i) {
            text_ += (i == 0 ? "" : ", ") + bytes[i];
        }
        text_ += "};\n";
    }

    std::string formals(const std::vector<Variable>& variables, const std::vector<uint32_t>* symbols) {
        std::string text = "(";
        for (size_t i = 0; i < variables.size(); ++i) {
            text += i == 0 ? "" : ", ";
            text += ".param " + declarator(variables[i], symbols != nullptr ? symbol_name((*symbols)[i]) : "_");
        }
        return text + ")";
    }

    void header(const Function& function) {
        text_ += linkage_name(function.linkage) + (function.is_kernel ? ".entry " : ".func ");
        if (!function.prototype.returns.empty()) {
            text_ += formals(function.prototype.returns, &function.return_symbols) + " ";
        }
        text_ += function.name + formals(function.prototype.parameters, &function.parameter_symbols);
        const auto dimensions = [this](const char* directive, const uint32_t(&sizes)[3]) {
            if (sizes[0] != 0) {
                text_ += std::string(" ") + directive + " " + std::to_string(sizes[0]) + ", " +
                         std::to_string(sizes[1]) + ", " + std::to_string(sizes[2]);
            }
        };
        const auto number = [this](const char* directive, uint32_t value) {
            if (value != 0) {
                text_ += std::string(" ") + directive + " " + std::to_string(value);
            }
        };
        text_ += function.explicit_cluster ? " .explicitcluster" : "";
        dimensions(".reqnctapercluster", function.required_cluster);
        number(".maxclusterrank", function.max_cluster_rank);
        dimensions(".maxntid", function.max_threads);
        dimensions(".reqntid", function.required_threads);
        number(".minnctapersm", function.min_blocks_per_multiprocessor);
        number(".maxnreg", function.max_registers);
        text_ += function.prototype.no_return ? " .noreturn" : "";
    }

    void body(const Function& function) {
        header(function);
        text_ += "\n{\n";
        for (size_t i = 0; i < function.registers.size(); ++i) {
            text_ += concatenated({".reg ", type_name(function.registers[i].type), numbered(" register_", i), ";\n"});
        }
        for (const uint32_t index : function.variables) {
            variable(index);
        }
        for (size_t i = 0; i < function.prototypes.size(); ++i) {
            const Prototype& prototype = function.prototypes[i];
            text_ += concatenated({numbered("prototype_", i), ": .callprototype ", formals(prototype.returns, nullptr),
                                   " _ ", formals(prototype.parameters, nullptr),
                                   prototype.no_return ? " .noreturn" : "", ";\n"});
        }
        for (size_t i = 0; i < function.branch_tables.size(); ++i) {
            text_ += concatenated({numbered("targets_", i), ": .branchtargets "});
            for (size_t entry = 0; entry < function.branch_tables[i].size(); ++entry) {
                text_ += numbered(entry == 0 ? "label_" : ", label_", function.branch_tables[i][entry]);
            }
            text_ += ";\n";
        }
        size_t label = 0;
        for (size_t i = 0; i <= function.instructions.size(); ++i) {
            if (label < function.labels.size() && function.labels[label] == i) {
                text_ += concatenated({numbered("label_", i), ":\n"});
                ++label;
            }
            if (i < function.instructions.size()) {
                instruction(function.instructions[i], function);
            }
        }
        text_ += "}\n";
    }

    void instruction(const Instruction& instruction, const Function& function) {
        if (instruction.guarded) {
            text_ += concatenated(
                {instruction.guard_negated ? "@!" : "@", numbered("register_", instruction.guard_register), " "});
        }
        text_ += instruction.opcode;
        for (const std::string_view modifier : instruction.modifiers) {
            text_ += '.';
            text_ += modifier;
        }
        text_ += instruction.operands.empty() ? "" : " ";
        text_ += joined(instruction.operands, function, ", ") + ";\n";
    }

    std::string joined(const std::vector<Operand>& operands, const Function& function, const char* separator) {
        std::string text;
        for (size_t i = 0; i < operands.size(); ++i) {
            text += (i == 0 ? "" : separator) + operand(operands[i], function);
        }
        return text;
    }

    std::string operand(const Operand& operand, const Function& function) {
        switch (operand.kind) {
            case Operand::Kind::sink:
                return "_";
            case Operand::Kind::reg: {
                const bool predicate = function.registers[operand.index].type == ScalarType::pred;
                std::string text = operand.negated ? (predicate ? "!" : "-") : "";
                text += numbered("register_", operand.index);
                return text + suffix(operand);
            }
            case Operand::Kind::special_register:
            case Operand::Kind::name:
                return std::string(operand.name);
            case Operand::Kind::immediate:
                return std::to_string(static_cast<int64_t>(operand.bits));
            case Operand::Kind::immediate_f32:
                return hexadecimal("0f%08llx", operand.bits);
            case Operand::Kind::immediate_f64:
                return hexadecimal("0d%016llx", operand.bits);
            case Operand::Kind::symbol:
                return symbol_name(operand.index) + (operand.offset != 0 ? offset_text(operand.offset) : "");
            case Operand::Kind::label:
                return numbered("label_", operand.index);
            case Operand::Kind::branch_targets:
                return numbered("targets_", operand.index);
            case Operand::Kind::prototype:
                return numbered("prototype_", operand.index);
            case Operand::Kind::address: {
                std::string text = "[";
                text += this->operand(operand.elements.front(), function);
                text += operand.offset != 0 ? offset_text(operand.offset) : "";
                for (size_t i = 1; i < operand.elements.size(); ++i) {
                    text += ", ";
                    text += this->operand(operand.elements[i], function);
                }
                return text + "]" + suffix(operand);
            }
            case Operand::Kind::vector:
                return concatenated({"{", joined(operand.elements, function, ", "), "}"});
            case Operand::Kind::list:
                return concatenated({"(", joined(operand.elements, function, ", "), ")"});
            case Operand::Kind::pair:
                return joined(operand.elements, function, "|");
        }
        return "?";
    }

    const Module& module_;
    std::vector<uint32_t> symbol_of_variable_;
    std::map<uint32_t, size_t> variable_numbers_;
    std::string text_;
};

}  // namespace

std::string print(const Module& module) {
    return Printer(module).print();
}

}  // namespace cuprum::simulator::ptx
