#include "driver/error/error_table.hpp"

#include <algorithm>

namespace cuprum::simulator::libcuda {

const ErrorText* find_error(int code) {
    const ErrorText* end = error_table + error_table_count;
    const ErrorText* found =
        std::lower_bound(error_table, end, code, [](const ErrorText& text, int wanted) { return text.code < wanted; });
    return found != end && found->code == code ? found : nullptr;
}

const char* error_name(int code) {
    const ErrorText* text = find_error(code);
    return text ? text->name : "an unknown CUresult";
}

}  // namespace cuprum::simulator::libcuda
