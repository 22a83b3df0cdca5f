// The names of one scope: the module, a function, or a `{ }` block inside a function body.
//
// Source: PTX ISA 9.0, sections 5.4.6 (parameterised names) and 4.4 (identifiers).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace cuprum::simulator::ptx {

// What a name stands for.
struct Meaning {
    enum class Kind : uint8_t {
        reg,             // index: Function::registers; length: 1, or 2 or 4 consecutive registers of a vector
        symbol,          // index: Module::symbols
        label,           // index: Function::instructions
        branch_targets,  // index: Function::branch_tables
        prototype,       // index: Function::prototypes
    };
    Kind kind = Kind::symbol;
    uint32_t index = 0;
    uint32_t length = 1;
};

// The views of the names must outlive the scope.
class Scope {
public:
    // False if the scope holds the name already.
    bool add(std::string_view name, const Meaning& meaning);
    // The registers prefix0 .. prefix<count-1>, `length` indices each, from `first_index` on. False if the scope holds
    // one of these names already.
    bool add_registers(std::string_view prefix, uint32_t count, uint32_t first_index, uint32_t length);
    std::optional<Meaning> find(std::string_view name) const;

private:
    struct Range {
        uint32_t count = 0;
        uint32_t first_index = 0;
        uint32_t length = 1;
    };
    std::optional<Meaning> find_in_ranges(std::string_view name) const;
    bool holds_any_of(std::string_view prefix, uint32_t count) const;

    std::unordered_map<std::string_view, Range> ranges_;  // by prefix
    std::unordered_map<std::string_view, Meaning> names_;
};

}  // namespace cuprum::simulator::ptx
