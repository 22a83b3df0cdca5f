// How kernels are shaped for a machine that was measured: tables of rows, as the preprocessor of a program sees them.
//
// A row: sm_90 scan element=4 operator=plus : threads=128 vectors=7 blocks=6
// Architecture and algorithm, what it holds for, and after the colon numbers whose names are the algorithm's. A row
// holds where all its conditions do; of several the one with the most conditions counts, and of equals the last. '#'
// begins a comment.
//
// Tables: the one that Cuprum comes with (parallel/tunings/), then the file that CUPRUM_TUNINGS names, whose rows come
// later. CUPRUM_TUNINGS=cub stands for no table: CUB's own choices.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/parallel/operator.hpp"

namespace cuprum::parallel {

// The value that means no tuning, in CUPRUM_TUNINGS and in BuildOptions::tuning.
constexpr std::string_view cubs_own_tuning = "cub";

// What is asked of the tables. A condition's value may have several spellings, from the widest to the narrowest.
struct TuningCase {
    std::string_view algorithm;                                                     // "scan"
    std::vector<std::pair<std::string_view, std::vector<std::string>>> conditions;  // "element", {"4"}
};
// "plus", "own" for an operator of the caller's, "own:0123456789abcdef" for the one with that text.
std::vector<std::string> tuning_names(const Operator& op);

// The numbers of a case by architecture ("sm_90"); "" for any, of a build that was given them (BuildOptions::tuning).
using Tunings = std::map<std::string, std::map<std::string, int64_t>>;
// Throws InvalidArgument for a table or numbers that cannot be read, with file and line.
Tunings find_tunings(const TuningCase& what, const std::string& given);

// #define CUPRUM_TUNED_NAME VALUE for each number, for the architectures that have them; they also get CUPRUM_IS_TUNED.
// Where they are missing, `from` is 0 and `look_back` 1. Empty for no tunings.
std::string tuning_lines(const Tunings& tunings);

// How the tuner writes a row.
std::string tuning_row(std::string_view architecture, const TuningCase& what, std::string_view numbers);

}  // namespace cuprum::parallel
