// What both sides of the benchmark compute: sizes that the problems have beside n.
#pragma once

namespace cuprum::benchmarks {

constexpr int segment_length = 1024;  // of elements: n / 1024 segments
constexpr int top_count = 1024;       // of the top keys
constexpr int bin_count = 256;        // of histograms over [0, 1)
constexpr int copy_slot = 4096;       // bytes: each copy of a batch has a slot of its own, which it fills in part

}  // namespace cuprum::benchmarks
