// The files of cases: which instruction forms, with which operands, give which results. README.md describes them.
#pragma once

#include <string>
#include <vector>

#include "value.hpp"

namespace cuprum::ptx_test {

struct Case {
    unsigned line = 0;
    std::vector<Bits> operands;
    std::vector<std::vector<Bits>> results;  // per result register, one per thread that runs the case
};

// Instruction forms that share operands, results and cases.
struct Group {
    std::string file;
    unsigned line = 0;
    std::vector<std::string> forms;  // full mnemonics: "add.sat.s32"
    std::vector<Type> results, operands;
    std::string code;       // `$` stands for the form
    std::string functions;  // device functions that the code calls
    unsigned target = 75;   // sm_XX
    char suffix = 0;        // of sm_XXa and sm_XXf
    std::string version = "8.8";
    unsigned threads = 1;     // that run one case together, in a block of their own if more than one
    bool in_cluster = false;  // each block is a cluster of its own
    bool random = true;       // any operands give a defined result
    bool hardware = true;     // hardware does what the ISA says
    Tolerance tolerance;
    std::vector<Case> cases;
};

// Throws std::runtime_error with file and line.
std::vector<Group> read_cases(const std::string& path);

}  // namespace cuprum::ptx_test
