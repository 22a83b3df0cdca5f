// Lists of texts passed in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "call.hpp"

namespace cuprum::capi {

/// Throws InvalidArgument where one of the texts, or the list of them, is NULL.
inline std::vector<std::string> read_texts(const Call& call, const char* parameter, const char* const* texts,
                                           uint32_t count) {
    std::vector<std::string> result;
    if (count != 0) {
        call.require(texts, parameter);
    }
    for (uint32_t index = 0; index < count; ++index) {
        if (texts[index] == nullptr) {
            call.refuse(parameter, "text " + std::to_string(index) + " of " + std::to_string(count) + " is NULL");
        }
        result.emplace_back(texts[index]);
    }
    return result;
}

}  // namespace cuprum::capi
