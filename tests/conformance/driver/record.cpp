#include "record.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "driver_api.hpp"

namespace cuprum::test {

namespace {

const char* file_to_write() {
    const char* const path = std::getenv("CUPRUM_WRITE_RECORD");
    return path != nullptr && *path != '\0' ? path : nullptr;
}

// The lines of a file whose key begins with "<section>.", as key and what stands between the first tab and the second.
std::map<std::string, std::string> lines_of(const std::string& file, const std::string& section) {
    std::map<std::string, std::string> lines;
    std::ifstream in(data_folder() + "/driver/" + file);
    EXPECT_TRUE(in.good()) << file << " cannot be read";
    for (std::string line; std::getline(in, line);) {
        if (line.rfind(section + ".", 0) != 0) continue;
        const size_t end_of_key = line.find('\t');
        if (end_of_key == std::string::npos) {
            ADD_FAILURE() << file << ": no tab in the line: " << line;
            continue;
        }
        const size_t end_of_answer = std::min(line.find('\t', end_of_key + 1), line.size());
        lines[line.substr(0, end_of_key)] = line.substr(end_of_key + 1, end_of_answer - end_of_key - 1);
    }
    return lines;
}

}  // namespace

std::string short_name(CUresult code) {
    const char* name = nullptr;
    if (cu().cuGetErrorName(code, &name) != CUDA_SUCCESS || name == nullptr) return std::to_string(code);
    const std::string text = name;
    const std::string prefix = text.rfind("CUDA_ERROR_", 0) == 0 ? "CUDA_ERROR_" : "CUDA_";
    return text.rfind(prefix, 0) == 0 ? text.substr(prefix.size()) : text;
}

bool Record::applies() {
    if (!in_process_of_its_own({"CUPRUM_SIM=cc=9.0,cuda=13.0,multiprocessors=132"})) return false;
    if (cu().simulated || file_to_write() != nullptr) return true;
    char name[100] = "";
    EXPECT_OK(cu().cuDeviceGetName(name, sizeof name, 0));
    if (std::string(name).find("H200") != std::string::npos) return true;
    std::fprintf(stderr, "not compared: the record is an H200's, and this is a %s\n", name);
    return false;
}

Record::Record(std::string section) : section_(std::move(section)) {
    if (file_to_write() != nullptr) return;
    expected_ = lines_of("h200.txt", section_);
    EXPECT_FALSE(expected_.empty()) << "the record has no section " << section_;
    if (!cu().simulated) return;
    for (const auto& [key, answer] : lines_of("h200_differences.txt", section_)) {
        EXPECT_NE(expected_[key], answer) << key << " is no difference any more";
        expected_[key] = answer;
    }
}

Record::~Record() {
    for (const auto& [key, answer] : expected_) {
        EXPECT_TRUE(asked_.contains(key)) << key << " is in the record and was not asked for";
    }
}

void Record::check(const std::string& name, const std::string& answer) {
    const std::string key = section_ + "." + name;
    if (const char* const path = file_to_write()) {
        std::ofstream(path, std::ios::app) << key << '\t' << answer << '\n';
        return;
    }
    asked_.insert(key);
    const auto found = expected_.find(key);
    if (found == expected_.end()) {
        ADD_FAILURE() << key << " is not in the record; the answer is " << answer;
        return;
    }
    EXPECT_EQ(answer, found->second) << key;
}

void Record::check(const std::string& name, CUresult code) {
    check(name, short_name(code));
}

void Record::check(const std::string& name, CUresult code, long long value) {
    check(name, code == CUDA_SUCCESS ? std::to_string(value) : short_name(code));
}

}  // namespace cuprum::test
