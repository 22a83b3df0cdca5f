// Multicast objects.
#include "driver/graph/capture.hpp"
#include "driver/memory/multicast.hpp"
#include "driver/memory/virtual_memory.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

void require_granularity(uint64_t value, const char* parameter) {
    constexpr uint64_t granularity = PhysicalMemory::granularity;
    if (value % granularity == 0) return;
    throw DriverError(CUDA_ERROR_INVALID_VALUE,
                      format("%s is %llu; it must be a multiple of %llu bytes (cuMulticastGetGranularity)", parameter,
                             static_cast<unsigned long long>(value), static_cast<unsigned long long>(granularity)));
}

void require_whole_granules(uint64_t size, const char* parameter) {
    if (size == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, std::string(parameter) + " is 0");
    require_granularity(size, parameter);
}

void require_multicast(const Device& device) {
    if (device.model().compute_capability_major >= 9) return;
    throw DriverError(
        CUDA_ERROR_NOT_SUPPORTED,
        format("device %u does not support multicast (CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED), which needs "
               "compute capability 9.0 (CUPRUM_SIM=cc=9.0)",
               device.ordinal()));
}

void require_possible_multicast(const CUmulticastObjectProp* properties) {
    require_pointer(properties, "prop");
    require_whole_granules(properties->size, "prop.size");
    if (properties->flags != 0)
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("prop.flags is 0x%llx; it must be 0", properties->flags));
    if (properties->numDevices == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, "prop.numDevices is 0");
    if (properties->numDevices > 1) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                          format("prop.numDevices is %u; the simulator supports multicast objects of one device",
                                 properties->numDevices));
    }
    if (properties->handleTypes != 0) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                          "prop.handleTypes is not 0; the simulator cannot share multicast objects between processes");
    }
    require_multicast(driver().device(0));
}

std::shared_ptr<MulticastObject> find_multicast_object(CUmemGenericAllocationHandle handle) {
    std::shared_ptr<MulticastObject> object = handles().multicast_objects.find(handle);
    if (!object) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, describe_bad_handle(HandleKind::multicast_object, handle));
    }
    return object;
}

// [offset, offset + size) of the object: whole granules, all within it.
void require_within(const MulticastObject& object, uint64_t offset, uint64_t size) {
    require_granularity(offset, "mcOffset");
    require_whole_granules(size, "size");
    if (offset <= object.size() && size <= object.size() - offset) return;
    throw DriverError(
        CUDA_ERROR_INVALID_VALUE,
        format("%llu bytes from offset %llu run past the end of the multicast object, which has %llu bytes",
               static_cast<unsigned long long>(size), static_cast<unsigned long long>(offset),
               static_cast<unsigned long long>(object.size())));
}

void bind_memory(MulticastObject& object, uint64_t offset, const MulticastObject::Binding& binding) {
    const Device& device = object.device();
    const PhysicalMemory& memory = *binding.memory;
    if (memory.lies_on_host() || memory.device().ordinal() != device.ordinal()) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          "the memory is not that of a device in the multicast object (cuMulticastAddDevice)");
    }
    virtual_memory().bind(object, offset, binding);
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuMulticastGetGranularity(size_t* bytes, const CUmulticastObjectProp* properties,
                                           CUmulticastGranularity_flags option) {
    return entry("cuMulticastGetGranularity", [&] {
        require_pointer(bytes, "granularity");
        require_pointer(properties, "prop");
        if (option != CU_MULTICAST_GRANULARITY_MINIMUM && option != CU_MULTICAST_GRANULARITY_RECOMMENDED) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown granularity option %d", option));
        }
        *bytes = PhysicalMemory::granularity;
    });
}

CUresult CUDAAPI cuMulticastCreate(CUmemGenericAllocationHandle* handle, const CUmulticastObjectProp* properties) {
    return entry("cuMulticastCreate", [&] {
        require_pointer(handle, "mcHandle");
        require_possible_multicast(properties);
        refuse_unsafe_call("a multicast object cannot be created");
        *handle = handles().multicast_objects.insert(std::make_shared<MulticastObject>(properties->size));
    });
}

CUresult CUDAAPI cuMulticastAddDevice(CUmemGenericAllocationHandle handle, CUdevice device) {
    return entry("cuMulticastAddDevice", [&] {
        const std::shared_ptr<MulticastObject> object = find_multicast_object(handle);
        require_multicast(driver().device(device));
        object->add_device(driver().device(device));
    });
}

CUresult CUDAAPI cuMulticastBindMem(CUmemGenericAllocationHandle handle, size_t offset,
                                    CUmemGenericAllocationHandle memory_handle, size_t memory_offset, size_t size,
                                    unsigned long long flags) {
    return entry("cuMulticastBindMem", [&] {
        const std::shared_ptr<MulticastObject> object = find_multicast_object(handle);
        const std::shared_ptr<PhysicalMemory> memory = handles().physical_memory.find(memory_handle);
        if (!memory) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              describe_bad_handle(HandleKind::physical_memory, memory_handle));
        }
        require_no_flags(flags);
        require_within(*object, offset, size);
        require_granularity(memory_offset, "memOffset");
        if (memory_offset > memory->size() || size > memory->size() - memory_offset) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("%zu bytes from offset %zu run past the end of the memory, which has %llu bytes",
                                     size, memory_offset, static_cast<unsigned long long>(memory->size())));
        }
        bind_memory(*object, offset, {size, memory, memory_offset});
    });
}

CUresult CUDAAPI cuMulticastBindAddr(CUmemGenericAllocationHandle handle, size_t offset, CUdeviceptr pointer,
                                     size_t size, unsigned long long flags) {
    return entry("cuMulticastBindAddr", [&] {
        const std::shared_ptr<MulticastObject> object = find_multicast_object(handle);
        require_no_flags(flags);
        require_within(*object, offset, size);
        require_granularity(pointer, "memptr");
        const std::optional<Allocation> found = driver().addresses().find(pointer);
        if (found && found->kind != Allocation::Kind::mapped) {
            throw DriverError(
                CUDA_ERROR_NOT_SUPPORTED,
                format("memptr lies in the %s; the simulator binds only memory that comes from cuMemCreate",
                       found->description.c_str()));
        }
        const auto [memory, memory_offset] = virtual_memory().memory_at(pointer, size);
        bind_memory(*object, offset, {size, memory, memory_offset});
    });
}

CUresult CUDAAPI cuMulticastUnbind(CUmemGenericAllocationHandle handle, CUdevice device, size_t offset, size_t size) {
    return entry("cuMulticastUnbind", [&] {
        const std::shared_ptr<MulticastObject> object = find_multicast_object(handle);
        require_within(*object, offset, size);
        if (driver().device(device).ordinal() != object->device().ordinal())
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("device %d is not in the multicast object (cuMulticastAddDevice)", device));
        // As unmapping does: work in streams may still use it.
        for (const std::shared_ptr<Context>& context : handles().contexts.all()) {
            if (context->active()) context->synchronize();
        }
        virtual_memory().unbind(*object, offset, size);
    });
}

}  // extern "C"
