// Against the record: what pointers, pools and ranges say of themselves, and odd copies and fills.
#include <cstdlib>
#include <vector>

#include "driver_api.hpp"
#include "record.hpp"

namespace cuprum::test {
namespace {

// Also what is no type.
CUmemorytype memory_type_of(int number) {
    return static_cast<CUmemorytype>(number);
}

class MemoryRecordTest : public DriverTest {};

TEST_F(MemoryRecordTest, Pointers) {
    if (!Record::applies()) return;
    Record record("pointer");
    const size_t bytes = size_t{1} << 21;
    const CUstream stream = new_stream();
    CUdeviceptr managed = 0, ordered = 0, mapped = 0;
    void *pinned = nullptr, *portable = nullptr;
    ASSERT_OK(cu().cuMemAllocManaged(&managed, bytes, CU_MEM_ATTACH_GLOBAL));
    ASSERT_OK(cu().cuMemAllocAsync(&ordered, bytes, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    ASSERT_OK(cu().cuMemAllocHost(&pinned, bytes));
    ASSERT_OK(cu().cuMemHostAlloc(&portable, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_WRITECOMBINED));
    void* const registered = std::aligned_alloc(4096, bytes);
    ASSERT_OK(cu().cuMemHostRegister(registered, bytes, 0));
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemGenericAllocationHandle physical = 0;
    ASSERT_OK(cu().cuMemCreate(&physical, bytes, &properties, 0));
    ASSERT_OK(cu().cuMemAddressReserve(&mapped, 2 * bytes, 0, 0, 0));
    ASSERT_OK(cu().cuMemMap(mapped, bytes, 0, physical, 0));
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    ASSERT_OK(cu().cuMemSetAccess(mapped, bytes, &access, 1));
    std::vector<unsigned char> pageable(64);

    const struct {
        const char* name;
        CUdeviceptr pointer;
    } kinds[] = {
        {"device", allocate(bytes)},
        {"managed", managed},
        {"ordered", ordered},
        {"pinned", reinterpret_cast<CUdeviceptr>(pinned)},
        {"write_combined", reinterpret_cast<CUdeviceptr>(portable)},
        {"registered", reinterpret_cast<CUdeviceptr>(registered)},
        {"mapped", mapped},
        {"reserved", mapped + bytes},
        {"pageable", reinterpret_cast<CUdeviceptr>(pageable.data())},
    };
    for (const auto& kind : kinds) {
        for (int which = 0; which <= CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE + 1; ++which) {
            const std::string name = std::string(kind.name) + "." + std::to_string(which);
            const auto attribute = static_cast<CUpointer_attribute>(which);
            unsigned long long value[4] = {};
            const CUresult code = cu().cuPointerGetAttribute(value, attribute, kind.pointer + 16);
            std::string answer = short_name(code);
            if (code == CUDA_SUCCESS) {
                switch (attribute) {
                    case CU_POINTER_ATTRIBUTE_CONTEXT:
                    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
                    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
                    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
                    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: {
                        const auto found = value[0];
                        answer = found == kind.pointer + 16                               ? "itself"
                                 : found == kind.pointer                                  ? "its beginning"
                                 : found == reinterpret_cast<unsigned long long>(context) ? "the context"
                                 : found == 0                                             ? "null"
                                                                                          : "another";
                        break;
                    }
                    case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
                    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
                    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
                    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
                        answer = value[0] != 0 ? "something" : "zero";
                        break;
                    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
                    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
                        answer = std::to_string(value[0]);
                        break;
                    default:  // an int, an unsigned int or a bool
                        answer = std::to_string(static_cast<int>(value[0]));
                        break;
                }
            }
            record.check(name, answer);
        }
        CUcontext owner = nullptr;
        unsigned int type = 77, is_managed = 77;
        int ordinal = 77;
        CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_CONTEXT, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                        CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
        void* results[] = {&owner, &type, &is_managed, &ordinal};
        record.check(std::string(kind.name) + ".several",
                     short_name(cu().cuPointerGetAttributes(4, wanted, results, kind.pointer)) +
                         (owner == nullptr   ? " null "
                          : owner == context ? " context "
                                             : " another ") +
                         std::to_string(type) + " " + std::to_string(is_managed) + " " + std::to_string(ordinal));
        CUdeviceptr base = 0;
        size_t size = 0;
        record.check(std::string(kind.name) + ".range", cu().cuMemGetAddressRange(&base, &size, kind.pointer + 16));
    }
    EXPECT_OK(cu().cuMemUnmap(mapped, bytes));
    EXPECT_OK(cu().cuMemRelease(physical));
    EXPECT_OK(cu().cuMemAddressFree(mapped, 2 * bytes));
    EXPECT_OK(cu().cuMemHostUnregister(registered));
    std::free(registered);
    EXPECT_OK(cu().cuMemFreeHost(portable));
    EXPECT_OK(cu().cuMemFreeHost(pinned));
    EXPECT_OK(cu().cuMemFreeAsync(ordered, stream));
    EXPECT_OK(cu().cuMemFree(managed));
}

TEST_F(MemoryRecordTest, Pools) {
    if (!Record::applies()) return;
    Record record("pool");
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemoryPool pool = nullptr;
    ASSERT_OK(cu().cuMemPoolCreate(&pool, &properties));
    for (int which = 0; which <= 12; ++which) {
        const auto attribute = static_cast<CUmemPool_attribute>(which);
        const std::string name = "attribute." + std::to_string(which);
        cuuint64_t value = 0;
        const CUresult code = cu().cuMemPoolGetAttribute(pool, attribute, &value);
        record.check(name, code, static_cast<long long>(value));
        value = 0;
        record.check(name + ".set.0", cu().cuMemPoolSetAttribute(pool, attribute, &value));
        value = 1;
        record.check(name + ".set.1", cu().cuMemPoolSetAttribute(pool, attribute, &value));
    }
    CUmemLocation here{};
    here.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemAccess_flags flags{};
    const CUresult code = cu().cuMemPoolGetAccess(&flags, pool, &here);
    record.check("access", code, flags);
    CUmemAccessDesc access{};
    access.location = here;
    for (const int wanted : {0, 1, 2, 3, 4}) {
        access.flags = static_cast<CUmemAccess_flags>(wanted);
        record.check("access.set." + std::to_string(wanted), cu().cuMemPoolSetAccess(pool, &access, 1));
    }
    record.check("trim", cu().cuMemPoolTrimTo(pool, 0));
    EXPECT_OK(cu().cuMemPoolDestroy(pool));
    for (int type = 0; type <= 4; ++type) {
        for (int location = 0; location <= 5; ++location) {
            CUmemPoolProps other{};
            other.allocType = static_cast<CUmemAllocationType>(type);
            other.location.type = static_cast<CUmemLocationType>(location);
            const CUresult created = cu().cuMemPoolCreate(&pool, &other);
            record.check("create." + std::to_string(type) + "." + std::to_string(location), created);
            if (created == CUDA_SUCCESS) {
                EXPECT_OK(cu().cuMemPoolDestroy(pool));
            }
        }
    }
    for (const int handles : {0, 1, 2, 4, 8, 16}) {
        properties.handleTypes = static_cast<CUmemAllocationHandleType>(handles);
        const CUresult created = cu().cuMemPoolCreate(&pool, &properties);
        record.check("handles." + std::to_string(handles), created);
        if (created == CUDA_SUCCESS) {
            EXPECT_OK(cu().cuMemPoolDestroy(pool));
        }
    }
    properties.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
    properties.location.id = 77;
    record.check("create.no_device", cu().cuMemPoolCreate(&pool, &properties));
    cuuint64_t threshold = 77;
    CUmemoryPool default_pool = nullptr;
    ASSERT_OK(cu().cuDeviceGetDefaultMemPool(&default_pool, device));
    ASSERT_OK(cu().cuMemPoolGetAttribute(default_pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    record.check("default.threshold", std::to_string(threshold));
    record.check("default.destroy", cu().cuMemPoolDestroy(default_pool));
}

TEST_F(MemoryRecordTest, ManagedRanges) {
    if (!Record::applies()) return;
    Record record("range");
    CUdeviceptr managed = 0;
    ASSERT_OK(cu().cuMemAllocManaged(&managed, 1 << 21, CU_MEM_ATTACH_GLOBAL));
    for (int which = 0; which <= 9; ++which) {
        int value = 77;
        const CUresult code = cu().cuMemRangeGetAttribute(&value, sizeof value,
                                                          static_cast<CUmem_range_attribute>(which), managed, 1 << 21);
        record.check("attribute." + std::to_string(which), code, value);
    }
    CUmemLocation here{};
    here.type = CU_MEM_LOCATION_TYPE_DEVICE;
    for (int advice = 0; advice <= 10; ++advice) {
        record.check("advise." + std::to_string(advice),
                     cu().cuMemAdvise(managed, 1 << 21, static_cast<CUmem_advise>(advice), here));
    }
    for (unsigned int flags = 0; flags < 8; ++flags) {
        CUdeviceptr other = 0;
        const CUresult code = cu().cuMemAllocManaged(&other, 64, flags);
        record.check("attach." + std::to_string(flags), code);
        if (code == CUDA_SUCCESS) {
            EXPECT_OK(cu().cuMemFree(other));
        }
    }
    EXPECT_OK(cu().cuMemFree(managed));
}

TEST_F(MemoryRecordTest, OddCopiesAndFills) {
    if (!Record::applies()) return;
    Record record("copy");
    const CUdeviceptr memory = allocate(4096);
    const CUstream stream = new_stream();
    unsigned char host[64] = {};
    record.check("nothing_from_null", cu().cuMemcpyDtoH(nullptr, memory, 0));
    record.check("to_null", cu().cuMemcpyHtoD(0, host, 4));
    record.check("nothing_to_null", cu().cuMemcpyHtoD(0, host, 0));
    record.check("host_to_host",
                 cu().cuMemcpy(reinterpret_cast<CUdeviceptr>(host), reinterpret_cast<CUdeviceptr>(host + 32), 32));
    record.check("device_as_host", cu().cuMemcpyHtoD(memory, reinterpret_cast<void*>(memory + 64), 4));
    record.check("host_as_device", cu().cuMemcpyDtoD(memory, reinterpret_cast<CUdeviceptr>(host), 4));
    record.check("overlapping", cu().cuMemcpyDtoD(memory, memory + 2, 64));
    record.check("fill_nothing", cu().cuMemsetD8(memory, 1, 0));
    record.check("fill_null", cu().cuMemsetD8(0, 1, 4));
    record.check("fill_nothing_at_null", cu().cuMemsetD8(0, 1, 0));
    record.check("fill_misaligned_16", cu().cuMemsetD16(memory + 1, 1, 4));
    record.check("fill_misaligned_32", cu().cuMemsetD32(memory + 2, 1, 4));
    record.check("fill_rows_of_small_pitch", cu().cuMemsetD2D8(memory, 4, 1, 8, 2));
    record.check("fill_rows_of_misaligned_pitch", cu().cuMemsetD2D32(memory, 10, 1, 2, 2));
    record.check("fill_one_row_of_small_pitch", cu().cuMemsetD2D8(memory, 4, 1, 8, 1));
    record.check("fill_no_rows", cu().cuMemsetD2D8(memory, 8, 1, 8, 0));
    CUDA_MEMCPY2D rows{};
    rows.srcMemoryType = rows.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    rows.srcDevice = memory;
    rows.dstDevice = memory + 2048;
    rows.WidthInBytes = 16;
    rows.Height = 2;
    record.check("rows_without_pitch", cu().cuMemcpy2D(&rows));
    rows.srcPitch = rows.dstPitch = 8;
    record.check("rows_of_small_pitch", cu().cuMemcpy2D(&rows));
    rows.srcPitch = rows.dstPitch = 16;
    record.check("rows", cu().cuMemcpy2D(&rows));
    rows.srcXInBytes = 8;
    record.check("rows_beyond_pitch", cu().cuMemcpy2D(&rows));
    rows.srcXInBytes = 0;
    rows.Height = 0;
    record.check("no_rows", cu().cuMemcpy2D(&rows));
    rows.Height = 1;
    rows.srcMemoryType = memory_type_of(0);
    record.check("rows_of_no_type", cu().cuMemcpy2D(&rows));
    rows.srcMemoryType = memory_type_of(9);
    record.check("rows_of_type_9", cu().cuMemcpy2D(&rows));
    record.check("null_rows", cu().cuMemcpy2D(nullptr));
    record.check("null_box", cu().cuMemcpy3D(nullptr));
    CUdeviceptr result = 0;
    size_t pitch = 0;
    record.check("allocate_nothing", cu().cuMemAlloc(&result, 0));
    record.check("allocate_into_null", cu().cuMemAlloc(nullptr, 4));
    record.check("allocate_too_much", cu().cuMemAlloc(&result, size_t{1} << 50));
    record.check("pitch_of_element_3", cu().cuMemAllocPitch(&result, &pitch, 100, 4, 3));
    record.check("pitch_of_no_rows", cu().cuMemAllocPitch(&result, &pitch, 100, 0, 4));
    ASSERT_OK(cu().cuMemAllocPitch(&result, &pitch, 100, 4, 4));
    record.check("pitch", std::to_string(pitch));
    EXPECT_OK(cu().cuMemFree(result));
    record.check("free_inside", cu().cuMemFree(memory + 16));
    record.check("free_host", cu().cuMemFree(reinterpret_cast<CUdeviceptr>(host)));
    record.check("free_ordered_what_is_not", cu().cuMemFreeAsync(memory + 16, stream));
    record.check("free_device_as_host", cu().cuMemFreeHost(reinterpret_cast<void*>(memory)));
    record.check("unregister_device", cu().cuMemHostUnregister(reinterpret_cast<void*>(memory)));
    for (unsigned int flags = 0; flags < 16; ++flags) {
        void* pinned = nullptr;
        const CUresult code = cu().cuMemHostAlloc(&pinned, 4096, flags);
        record.check("pinned." + std::to_string(flags), code);
        if (code != CUDA_SUCCESS) continue;
        unsigned int got = 77;
        record.check("pinned." + std::to_string(flags) + ".flags", cu().cuMemHostGetFlags(&got, pinned), got);
        EXPECT_OK(cu().cuMemFreeHost(pinned));
    }
    record.check("stream", cu().cuStreamSynchronize(stream));
}

TEST_F(MemoryRecordTest, Miscellaneous) {
    if (!Record::applies()) return;
    Record record("miscellaneous");
    const CUdeviceptr memory = allocate(1 << 21);
    size_t width = 0;
    record.check("linear_texture", cu().cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 4, device),
                 static_cast<long long>(width));
    record.check("linear_texture_1",
                 cu().cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_UNSIGNED_INT8, 1, device),
                 static_cast<long long>(width));
    record.check("linear_texture_3_channels",
                 cu().cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 3, device));
    CUasyncCallbackHandle callback = nullptr;
    const auto notified = [](CUasyncNotificationInfo*, void*, CUasyncCallbackHandle) {};
    record.check("notify", cu().cuDeviceRegisterAsyncNotification(device, notified, nullptr, &callback));
    if (callback != nullptr) record.check("notify_no_more", cu().cuDeviceUnregisterAsyncNotification(device, callback));
    record.check("notify_null", cu().cuDeviceRegisterAsyncNotification(device, nullptr, nullptr, &callback));
    const void* table = nullptr;
    CUuuid identifier{};
    record.check("export_table_unknown", cu().cuGetExportTable(&table, &identifier));
    record.check("export_table_null", cu().cuGetExportTable(&table, nullptr));
    int descriptor = -1;
    record.check("dmabuf", cu().cuMemGetHandleForAddressRange(&descriptor, memory, 1 << 21,
                                                              CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD, 0));
    int blocks = 0;
    CUlaunchConfig config{};
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = 32;
    config.blockDimY = config.blockDimZ = 1;
    record.check("potential_cluster", cu().cuOccupancyMaxPotentialClusterSize(&blocks, function("fill"), &config),
                 blocks);
    CUlaunchAttribute cluster{};
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim = {1, 1, 1};
    config.attrs = &cluster;
    config.numAttrs = 1;
    record.check("active_clusters_of_one", cu().cuOccupancyMaxActiveClusters(&blocks, function("fill"), &config),
                 blocks);
    int supported = 77;
    record.check("affinity", cu().cuDeviceGetExecAffinitySupport(&supported, CU_EXEC_AFFINITY_TYPE_SM_COUNT, device),
                 supported);
    int other = 77;
    record.check("peer_of_itself", cu().cuDeviceCanAccessPeer(&other, device, device), other);
    record.check("peer_attribute_of_itself",
                 cu().cuDeviceGetP2PAttribute(&other, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, device, device));
    CUarray array = nullptr;
    record.check("device_count_of_null", cu().cuDeviceGetCount(nullptr));
    CUDA_ARRAY_DESCRIPTOR shape{};
    shape.Width = 16;
    shape.Format = CU_AD_FORMAT_FLOAT;
    shape.NumChannels = 3;
    record.check("array_of_3_channels", cu().cuArrayCreate(&array, &shape));
}

}  // namespace
}  // namespace cuprum::test
