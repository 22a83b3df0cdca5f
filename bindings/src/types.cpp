#include "cuprum/bindings/types.hpp"

#include <algorithm>

namespace cuprum::bindings {

const Record* Types::find_record(std::string_view type) const noexcept {
    const auto found = std::lower_bound(records.begin(), records.end(), type,
                                        [](const Record& record, std::string_view name) { return record.type < name; });
    return found != records.end() && found->type == type ? &*found : nullptr;
}

const Enumerator* Types::find_enumerator(std::string_view enumeration, std::int64_t value) const noexcept {
    const auto found = std::ranges::find_if(enumerators, [&](const Enumerator& enumerator) {
        return enumerator.value == value && enumerator.enumeration == enumeration;
    });
    return found != enumerators.end() ? &*found : nullptr;
}

const Enumerator* Types::find_enumerator(std::string_view enumeration, std::string_view name) const noexcept {
    const auto found = std::ranges::find_if(enumerators, [&](const Enumerator& enumerator) {
        return enumerator.name == name && enumerator.enumeration == enumeration;
    });
    return found != enumerators.end() ? &*found : nullptr;
}

}  // namespace cuprum::bindings
