// Names and descriptions of CUresult values.
#pragma once

namespace cuprum::simulator::libcuda {

struct ErrorText {
    int code;
    const char* name;
    const char* description;
};

// Sorted by code; written by generate.py.
extern const ErrorText error_table[];
extern const unsigned int error_table_count;

// Null for a value that is no CUresult.
const ErrorText* find_error(int code);

// The name, or "CUresult 12345" for any other value.
const char* error_name(int code);

}  // namespace cuprum::simulator::libcuda
