// cuCoredump*: whether and where a kernel's fault is written down.
#include "driver/error/core_dump.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator::libcuda;

extern "C" {

CUresult CUDAAPI cuCoredumpGetAttribute(CUcoredumpSettings attribute, void* value, size_t* size) {
    return entry("cuCoredumpGetAttribute", [&] { core_dumps().get(current_context().get(), attribute, value, size); });
}

CUresult CUDAAPI cuCoredumpGetAttributeGlobal(CUcoredumpSettings attribute, void* value, size_t* size) {
    return entry("cuCoredumpGetAttributeGlobal", [&] { core_dumps().get(nullptr, attribute, value, size); });
}

CUresult CUDAAPI cuCoredumpSetAttribute(CUcoredumpSettings attribute, void* value, size_t* size) {
    return entry("cuCoredumpSetAttribute", [&] { core_dumps().set(current_context().get(), attribute, value, size); });
}

CUresult CUDAAPI cuCoredumpSetAttributeGlobal(CUcoredumpSettings attribute, void* value, size_t* size) {
    return entry("cuCoredumpSetAttributeGlobal", [&] { core_dumps().set(nullptr, attribute, value, size); });
}

}  // extern "C"
