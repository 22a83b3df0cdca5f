// What an NVIDIA H200 (driver 580) answers to questions that have one answer: tests/data/driver/h200.txt, a line
// "key<tab>answer" each, in sections named by the part of the key before its first '.'. The simulator, as a device of
// compute capability 9.0, gives the same answers, but for those in tests/data/driver/h200_differences.txt, which has
// its own answer and the reason behind the key.
//
// On an H200, CUPRUM_WRITE_RECORD=FILE appends the answers to a new record instead of comparing them.
#pragma once

#include <cuda.h>

#include <map>
#include <set>
#include <string>

namespace cuprum::test {

class Record {
public:
    explicit Record(std::string section);
    // Fails the test for every line of the section that was not asked for.
    ~Record();
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;

    // True in a process of its own whose device the record is about, or that stands for it.
    static bool applies();

    void check(const std::string& name, const std::string& answer);
    void check(const std::string& name, CUresult code);
    // The value if the call succeeded, else the code.
    void check(const std::string& name, CUresult code, long long value);

private:
    std::string section_;
    std::map<std::string, std::string> expected_;
    std::set<std::string> asked_;
};

// "INVALID_VALUE" for CUDA_ERROR_INVALID_VALUE, "SUCCESS" for CUDA_SUCCESS.
std::string short_name(CUresult code);

}  // namespace cuprum::test
