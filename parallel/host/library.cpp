// What the library exports: one function, which gives all the others.
#include <cstring>

#include "algorithms.hpp"
#include "blocks.hpp"

namespace cuprum::parallel::host {

namespace {

constexpr Functions functions{
    result_of,
    common_type,
    [](TypeNumber from, TypeNumber to) -> int32_t { return convert_block(from, to) != nullptr ? 1 : 0; },
    [](OpNumber op, TypeNumber type) -> int32_t { return fold_block(op, type) != nullptr ? 1 : 0; },
    reduce,
    segmented_reduce,
    scan,
    transform,
    arg_reduce,
    select,
    unique_by_key,
    sort,
};

}  // namespace

}  // namespace cuprum::parallel::host

extern "C" __attribute__((visibility("default"))) const cuprum::parallel::host::Functions* cuprum_host_functions(
    const char* version) {
    return std::strcmp(version, CUPRUM_PARALLEL_VERSION) == 0 ? &cuprum::parallel::host::functions : nullptr;
}
