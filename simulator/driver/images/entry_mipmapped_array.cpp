// Mipmapped arrays.
#include "driver/graph/capture.hpp"
#include "driver/images/image_object.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace cuprum::simulator::libcuda {

std::shared_ptr<MipmappedArray> find_mipmapped_array(CUmipmappedArray handle) {
    std::shared_ptr<MipmappedArray> mipmaps = handles().mipmapped_arrays.find(handle);
    if (!mipmaps) {
        throw DriverError(CUDA_ERROR_INVALID_HANDLE,
                          describe_bad_handle(HandleKind::mipmapped_array, reinterpret_cast<uint64_t>(handle)));
    }
    require_usable(*mipmaps->context());
    return mipmaps;
}

}  // namespace cuprum::simulator::libcuda

extern "C" {

CUresult CUDAAPI cuMipmappedArrayCreate(CUmipmappedArray* handle, const CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                        unsigned int levels) {
    return entry("cuMipmappedArrayCreate", [&] {
        require_pointer(handle, "pHandle");
        require_pointer(descriptor, "pMipmappedArrayDesc");
        const std::shared_ptr<Context> context = current_context();
        refuse_unsafe_call("a mipmapped array cannot be created");
        *handle = handles().mipmapped_arrays.insert(std::make_shared<MipmappedArray>(context, *descriptor, levels));
    });
}

CUresult CUDAAPI cuMipmappedArrayGetLevel(CUarray* level_handle, CUmipmappedArray handle, unsigned int level) {
    return entry("cuMipmappedArrayGetLevel", [&] {
        require_pointer(level_handle, "pLevelArray");
        *level_handle = find_mipmapped_array(handle)->level_handle(level);
    });
}

CUresult CUDAAPI cuMipmappedArrayDestroy(CUmipmappedArray handle) {
    return entry("cuMipmappedArrayDestroy", [&] {
        const std::shared_ptr<MipmappedArray> mipmaps = find_mipmapped_array(handle);
        mipmaps->context()->synchronize();
        disable_objects_of(*mipmaps);
        mipmaps->forget_levels();
        handles().mipmapped_arrays.remove(handle);
    });
}

}  // extern "C"
