// cuGetProcAddress.

#include "driver/process/cuda_version.hpp"
#include "driver/process/entry.hpp"
#include "driver/process/proc_address.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

DefaultStreamVariant variant_of(cuuint64_t flags) {
    constexpr cuuint64_t known = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    if ((flags & ~known) != 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("flags is 0x%llx", static_cast<unsigned long long>(flags)));
    }
    return (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0 ? DefaultStreamVariant::per_thread
                                                                        : DefaultStreamVariant::any;
}

}  // namespace

extern "C" {

// As the driver's own, this needs no cuInit: programs ask for cuInit itself this way.
CUresult CUDAAPI cuGetProcAddress_v2(const char* symbol, void** pfn, int version, cuuint64_t flags,
                                     CUdriverProcAddressQueryResult* status) {
    return entry_unchecked("cuGetProcAddress", [&]() -> CUresult {
        require_pointer(symbol, "symbol");
        require_pointer(pfn, "pfn");
        const DefaultStreamVariant variant = variant_of(flags);
        if (version > cuda_version()) {
            *pfn = nullptr;
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("cudaVersion is %d, newer than the driver's %d", version, cuda_version()));
        }
        const FoundProcAddress found = find_proc_address(symbol, version, variant);
        *pfn = found.function;
        if (status != nullptr) *status = found.status;
        // Not finding is no failure, with and without a status to fill: so does driver 580, whatever cuda.h says.
        return CUDA_SUCCESS;
    });
}

CUresult CUDAAPI cuGetProcAddress(const char* symbol, void** pfn, int version, cuuint64_t flags) {
    return cuGetProcAddress_v2(symbol, pfn, version, flags, nullptr);
}

// Tables of functions that no header declares, by which NVIDIA's own libraries reach into its driver. The simulator has
// none of them.
CUresult CUDAAPI cuGetExportTable(const void** table, const CUuuid* identifier) {
    return entry_unchecked("cuGetExportTable", [&] {
        require_pointer(table, "ppExportTable");
        require_pointer(identifier, "pExportTableId");
        std::string digits;
        for (const char byte : identifier->bytes) {
            digits += format("%02x", static_cast<unsigned char>(byte));
        }
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          "the simulator has no private table " + digits +
                              "; NVIDIA's runtime library (libcudart), which asks for them, does not start on it: what "
                              "runs is programs of the driver API");
    });
}

}  // extern "C"
