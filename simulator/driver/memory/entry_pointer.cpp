// What a pointer is: cuPointerGetAttribute(s).
#include "driver/memory/pointer_attributes.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

extern "C" {

CUresult CUDAAPI cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer) {
    return entry("cuPointerGetAttribute", [&] {
        require_pointer(data, "data");
        report_pointer_attribute(data, attribute, pointer);
    });
}

CUresult CUDAAPI cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** data,
                                        CUdeviceptr pointer) {
    return entry("cuPointerGetAttributes", [&] {
        require_pointer(attributes, "attributes");
        require_pointer(data, "data");
        const std::optional<Allocation> found = driver().addresses().find(pointer);
        for (unsigned int index = 0; index < count; ++index) {
            require_pointer(data[index], "an element of data");
            report_attribute_or_default(data[index], attributes[index], found, pointer);
        }
    });
}

CUresult CUDAAPI cuPointerSetAttribute(const void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
    return entry("cuPointerSetAttribute", [&] {
        require_pointer(value, "value");
        if (attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("pointer attribute %d cannot be set", attribute));
        }
        if (!driver().addresses().find(pointer)) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              hexadecimal(pointer) + " is not in any memory that the driver knows");
        }
    });
}

}  // extern "C"
