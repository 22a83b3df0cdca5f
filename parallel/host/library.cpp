// What the library exports: one function, which gives all the others.
#include <cstring>

#include "blocks.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

const Registration results(&Functions::result_of, result_of);
const Registration common_types(&Functions::common_type, common_type);
const Registration conversions(
    &Functions::is_convertible,
    +[](TypeNumber from, TypeNumber to) -> int32_t { return convert_block(from, to) != nullptr ? 1 : 0; });
const Registration combinations(
    &Functions::is_associative,
    +[](OpNumber op, TypeNumber type) -> int32_t { return fold_block(op, type) != nullptr ? 1 : 0; });

}  // namespace

}  // namespace cuprum::parallel::host

extern "C" __attribute__((visibility("default"))) const cuprum::parallel::host::Functions* cuprum_host_functions(
    const char* version) {
    return std::strcmp(version, CUPRUM_PARALLEL_VERSION) == 0 ? &cuprum::parallel::host::functions : nullptr;
}
