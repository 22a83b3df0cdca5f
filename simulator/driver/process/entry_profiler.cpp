// The profiler's switches. Nobody profiles here, so that they are granted and change nothing.
#include "driver/process/entry.hpp"

using namespace cuprum::simulator::libcuda;

extern "C" {

CUresult CUDAAPI cuProfilerStart() {
    return entry("cuProfilerStart", [] { current_context(); });
}

CUresult CUDAAPI cuProfilerStop() {
    return entry("cuProfilerStop", [] { current_context(); });
}

}  // extern "C"
