// The loops: what one thread does to a contiguous block of elements. One function per operator and
// type, found in tables; everything above them knows types by their numbers only.
#pragma once

#include <cstddef>

#include "interface.hpp"

namespace cuprum::parallel::host {

// As many elements as are worked on at a time where they pass through buffers: these stay in the first cache.
constexpr size_t block_elements = 1024;
constexpr size_t max_element_size = max_block_element;

// Of positions: TypeKind::int64.
constexpr TypeNumber position_type = 4;

// Bytes per element.
size_t size_of(TypeNumber type);

using ConvertBlock = void (*)(const void* from, void* to, size_t count);
using CombineBlocks = void (*)(const void* first, const void* second, void* result, size_t count);
// Elements `position` and on of start, start + 1, ...
using CountBlock = void (*)(const void* start, uint64_t position, void* result, size_t count);
// *accumulator = op(*accumulator, op(elements...)).
using FoldBlock = void (*)(const void* elements, size_t count, void* accumulator);
// The same, and writes each intermediate result: after (inclusive) or before (exclusive) its element is added.
using ScanBlock = void (*)(const void* elements, void* result, size_t count, void* accumulator);
// Where `extreme` is first found among the elements, which it is one of: `count` if nowhere.
using FindBlock = size_t (*)(const void* elements, size_t count, const void* extreme);
// The first NaN; `count` if there is none.
using FindNan = size_t (*)(const void* elements, size_t count);

// Null where the combination is not defined.
ConvertBlock convert_block(TypeNumber from, TypeNumber to);
ConvertBlock unary_block(OpNumber op, TypeNumber type);
CombineBlocks binary_block(OpNumber op, TypeNumber type);
FoldBlock fold_block(OpNumber op, TypeNumber type);
ScanBlock inclusive_scan_block(OpNumber op, TypeNumber type);
ScanBlock exclusive_scan_block(OpNumber op, TypeNumber type);
CountBlock count_block(TypeNumber type);
FindBlock find_block(TypeNumber type);
FindNan find_nan(TypeNumber type);

// As in Functions (interface.hpp).
TypeNumber result_of(OpNumber op, TypeNumber operands);
TypeNumber common_type(TypeNumber first, TypeNumber second);

}  // namespace cuprum::parallel::host
