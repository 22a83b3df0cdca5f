// Everything of parallel, in one header.
#pragma once

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/arg_reduce.hpp"
#include "cuprum/parallel/execution.hpp"
#include "cuprum/parallel/iterator.hpp"
#include "cuprum/parallel/merge_sort.hpp"
#include "cuprum/parallel/one_shot.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/radix_sort.hpp"
#include "cuprum/parallel/reduce.hpp"
#include "cuprum/parallel/scan.hpp"
#include "cuprum/parallel/segmented_reduce.hpp"
#include "cuprum/parallel/select.hpp"
#include "cuprum/parallel/transform.hpp"
#include "cuprum/parallel/type.hpp"
#include "cuprum/parallel/unique_by_key.hpp"
#include "cuprum/parallel/value.hpp"
