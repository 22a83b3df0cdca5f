// What an inspection of a warp knows about a program beside the code: which register is where, which variables the
// source has, what was inlined. Kept for programs that are loaded while an Inspector asks for it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/instructions/form.hpp"
#include "ptx/module.hpp"

namespace cuprum::simulator {

// A register of the PTX. In programs that are inspected every register has a row of its own in the frame.
struct DebugRegister {
    std::string name;
    ScalarType type = ScalarType::none;  // as the instructions that use it read it
    uint32_t offset = 0;                 // of its row
    uint32_t bytes = 0;                  // of a lane's element; 0: a predicate
    uint32_t first = 0, last = 0;        // executable instructions between which it is in use
    bool in_use = false;                 // anywhere
};

// A type of the source language.
struct DebugType {
    enum class Kind : uint8_t {
        unknown,
        boolean,
        signed_integer,
        unsigned_integer,
        floating,
        pointer,
        structure,
        array
    };
    struct Member {
        std::string name;
        uint64_t offset = 0;
        std::shared_ptr<const DebugType> type;
    };
    Kind kind = Kind::unknown;
    std::string name;
    uint64_t size = 0;  // bytes
    std::vector<Member> members;
    std::shared_ptr<const DebugType> element;  // of an array
    uint64_t count = 0;
};

// Where a variable is, while instructions [begin, end) of the PTX run.
struct DebugPlace {
    enum class Kind : uint8_t { reg, local, shared, parameter };
    Kind kind = Kind::reg;
    uint32_t begin = 0, end = ~0u;
    uint32_t index = 0;     // reg: of DebugFunction::registers
    uint64_t offset = 0;    // local: in the function's variables; shared: in the block's; parameter: in the packed ones
    uint32_t variable = 0;  // shared: index into ptx::Module::variables
};

struct DebugVariable {
    std::string name;
    std::shared_ptr<const DebugType> type;
    uint32_t begin = 0, end = ~0u;  // PTX instructions of its scope
    std::vector<DebugPlace> places;
};

struct DebugInlinedCall {
    std::string function;  // its name, mangled; empty if unknown
    uint32_t file = 0, line = 0;
    uint32_t caller = 0;  // index of another; 0: the function itself
};

struct DebugParameter {
    std::string name;
    ScalarType type = ScalarType::none;
    uint32_t offset = 0;
    uint64_t size = 0;
};

struct DebugFunction {
    std::vector<uint32_t> ptx_instruction;  // of each executable one: its number in the PTX
    std::vector<uint32_t> inlined;          // of each PTX instruction: index into inlined_calls
    std::vector<DebugInlinedCall> inlined_calls;
    std::vector<DebugRegister> registers;
    std::vector<DebugParameter> parameters;  // of a kernel
    std::vector<DebugVariable> variables;    // of the source, with -G
};

struct DebugInformation {
    std::vector<DebugFunction> functions;  // as ProgramImage::functions
};

}  // namespace cuprum::simulator
