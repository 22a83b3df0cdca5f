#include <thread>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

class ContextTest : public DriverTest {};

CUcontext current() {
    CUcontext context = nullptr;
    EXPECT_OK(cu().cuCtxGetCurrent(&context));
    return context;
}

CUcontext create(CUdevice device, unsigned int flags = 0) {
    CUcontext context = nullptr;
    EXPECT_OK(cu().cuCtxCreate(&context, nullptr, flags, device));
    return context;
}

TEST_F(ContextTest, ThePrimaryContextIsTheSameForEveryRetain) {
    CUcontext again = nullptr;
    ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&again, device));
    EXPECT_EQ(again, context);
    unsigned int flags = 0;
    int active = 0;
    EXPECT_OK(cu().cuDevicePrimaryCtxGetState(device, &flags, &active));
    EXPECT_EQ(active, 1);
    EXPECT_OK(cu().cuDevicePrimaryCtxRelease(device));
    EXPECT_OK(cu().cuCtxSynchronize());
}

TEST_F(ContextTest, APrimaryContextThatIsReleasedOnceTooOftenIsInvalid) {
    EXPECT_OK(cu().cuDevicePrimaryCtxRelease(device));
    unsigned int flags = 0;
    int active = 1;
    EXPECT_OK(cu().cuDevicePrimaryCtxGetState(device, &flags, &active));
    EXPECT_EQ(active, 0);
    EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu().cuDevicePrimaryCtxRelease(device));
    ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, device));
    ASSERT_OK(cu().cuCtxSetCurrent(context));
}

TEST_F(ContextTest, AReleasedPrimaryContextCannotBeUsed) {
    EXPECT_OK(cu().cuDevicePrimaryCtxRelease(device));
    CUdeviceptr pointer = 0;
    EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cu().cuMemAlloc(&pointer, 16));
    ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, device));
    ASSERT_OK(cu().cuCtxSetCurrent(context));
}

TEST_F(ContextTest, NothingIsCurrentToANewThread) {
    std::thread([] {
        EXPECT_EQ(current(), nullptr);
        CUdeviceptr pointer = 0;
        EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu().cuMemAlloc(&pointer, 16));
        CUdevice found = 0;
        EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu().cuCtxGetDevice(&found));
        CUcontext popped = nullptr;
        EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu().cuCtxPopCurrent(&popped));
        EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu().cuCtxSynchronize());
    }).join();
}

TEST_F(ContextTest, ACreatedContextIsCurrentAndGoneWhenDestroyed) {
    const CUcontext own = create(device);
    EXPECT_NE(own, context);
    EXPECT_EQ(current(), own);
    CUdevice found = -1;
    EXPECT_OK(cu().cuCtxGetDevice(&found));
    EXPECT_EQ(found, device);
    EXPECT_OK(cu().cuCtxDestroy(own));
    EXPECT_EQ(current(), context);
}

TEST_F(ContextTest, ThreadsKeepAStack) {
    const CUcontext own = create(device);
    EXPECT_OK(cu().cuCtxPushCurrent(context));
    EXPECT_EQ(current(), context);
    CUcontext popped = nullptr;
    EXPECT_OK(cu().cuCtxPopCurrent(&popped));
    EXPECT_EQ(popped, context);
    EXPECT_EQ(current(), own);
    EXPECT_OK(cu().cuCtxPopCurrent(&popped));
    EXPECT_EQ(popped, own);
    EXPECT_EQ(current(), context);
    EXPECT_OK(cu().cuCtxDestroy(own));
}

TEST_F(ContextTest, SettingTheCurrentOneReplacesTheTopOfTheStack) {
    const CUcontext own = create(device);
    EXPECT_OK(cu().cuCtxSetCurrent(context));
    EXPECT_EQ(current(), context);
    EXPECT_OK(cu().cuCtxSetCurrent(nullptr));
    EXPECT_EQ(current(), context) << "below own, which was replaced, lies the fixture's";
    EXPECT_OK(cu().cuCtxDestroy(own));
}

TEST_F(ContextTest, ContextsHaveDifferentIdentifiers) {
    const CUcontext own = create(device);
    unsigned long long first = 0, second = 0, asked_current = 0;
    EXPECT_OK(cu().cuCtxGetId(context, &first));
    EXPECT_OK(cu().cuCtxGetId(own, &second));
    EXPECT_NE(first, second);
    EXPECT_OK(cu().cuCtxGetId(nullptr, &asked_current));
    EXPECT_EQ(asked_current, second);
    EXPECT_OK(cu().cuCtxDestroy(own));
}

TEST_F(ContextTest, RemembersItsFlags) {
    const CUcontext own = create(device, CU_CTX_SCHED_BLOCKING_SYNC);
    unsigned int flags = 0;
    EXPECT_OK(cu().cuCtxGetFlags(&flags));
    EXPECT_EQ(flags & CU_CTX_SCHED_MASK, static_cast<unsigned int>(CU_CTX_SCHED_BLOCKING_SYNC));
    EXPECT_OK(cu().cuCtxDestroy(own));
    CUcontext refused = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuCtxCreate(&refused, nullptr, 0x80000000u, device));
}

TEST_F(ContextTest, LimitsCanBeReadAndRaised) {
    size_t stack = 0;
    ASSERT_OK(cu().cuCtxGetLimit(&stack, CU_LIMIT_STACK_SIZE));
    EXPECT_GT(stack, 0u);
    EXPECT_OK(cu().cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    size_t raised = 0;
    EXPECT_OK(cu().cuCtxGetLimit(&raised, CU_LIMIT_STACK_SIZE));
    EXPECT_EQ(raised, 4096u);
    EXPECT_OK(cu().cuCtxSetLimit(CU_LIMIT_STACK_SIZE, stack));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuCtxGetLimit(&raised, static_cast<CUlimit>(15)));
}

TEST_F(ContextTest, PrioritiesRunFromLeastToGreatest) {
    int least = 1, greatest = 1;
    ASSERT_OK(cu().cuCtxGetStreamPriorityRange(&least, &greatest));
    EXPECT_EQ(least, 0);
    EXPECT_LT(greatest, 0);
    EXPECT_OK(cu().cuCtxGetStreamPriorityRange(nullptr, nullptr));
}

TEST_F(ContextTest, RemembersItsCacheConfiguration) {
    CUfunc_cache found{};
    int unknown = 4;
    for (const CUfunc_cache config :
         {CU_FUNC_CACHE_PREFER_SHARED, CU_FUNC_CACHE_PREFER_L1, CU_FUNC_CACHE_PREFER_NONE}) {
        ASSERT_OK(cu().cuCtxSetCacheConfig(config));
        ASSERT_OK(cu().cuCtxGetCacheConfig(&found));
        EXPECT_EQ(found, config);
    }
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuCtxSetCacheConfig(static_cast<CUfunc_cache>(unknown)));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuCtxGetCacheConfig(nullptr));
}

TEST_F(ContextTest, APrimaryContextIsNotDestroyed) {
    EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu().cuCtxDestroy(context));
    EXPECT_OK(cu().cuCtxSynchronize());
}

TEST_F(ContextTest, NullHandlesAreRefused) {
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuCtxDestroy(nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuCtxPushCurrent(nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemPoolDestroy(nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuModuleUnload(nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuLibraryUnload(nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuEventSynchronize(nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuEventQuery(nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuEventDestroy(nullptr));
    CUfunction function_found = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuModuleGetFunction(&function_found, nullptr, "fill"));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
}

TEST_F(ContextTest, ADestroyedContextTakesItsMemoryAlong) {
    const CUcontext own = create(device);
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemAlloc(&pointer, 1 << 20));
    ASSERT_OK(cu().cuCtxDestroy(own));
    unsigned int type = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer));
}

TEST_F(ContextTest, AResetPrimaryContextIsFreshAfterItsNextRetain) {
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemAlloc(&pointer, 64));
    unsigned long long before = 0, after = 0;
    ASSERT_OK(cu().cuCtxGetId(context, &before));
    const CUcontext old_handle = context;
    ASSERT_OK(cu().cuDevicePrimaryCtxReset(device));
    unsigned int flags = 0;
    int active = 1;
    EXPECT_OK(cu().cuDevicePrimaryCtxGetState(device, &flags, &active));
    EXPECT_EQ(active, 0);
    EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cu().cuCtxGetId(context, &after));
    ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, device));
    ASSERT_OK(cu().cuCtxSetCurrent(context));
    EXPECT_EQ(context, old_handle);
    EXPECT_OK(cu().cuCtxGetId(context, &after));
    EXPECT_NE(after, before);
    unsigned int type = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer));
    ASSERT_OK(cu().cuMemAlloc(&pointer, 64));
    EXPECT_OK(cu().cuMemFree(pointer));
}

TEST_F(ContextTest, UsesAreCounted) {
    // Deprecated: cuda.h's declarations would be warned of.
    const auto attach = reinterpret_cast<CUresult (*)(CUcontext*, unsigned int)>(cu().symbol("cuCtxAttach"));
    const auto detach = reinterpret_cast<CUresult (*)(CUcontext)>(cu().symbol("cuCtxDetach"));
    CUcontext own = nullptr, attached = nullptr, current = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&own, nullptr, 0, device));
    ASSERT_OK(attach(&attached, 0));
    EXPECT_EQ(attached, own);
    EXPECT_OK(detach(own));
    EXPECT_OK(cu().cuCtxGetCurrent(&current));
    EXPECT_EQ(current, own);
    EXPECT_OK(cu().cuCtxDestroy(own));
}

TEST_F(ContextTest, SettingsThatOnlyTuneAreAccepted) {
    const auto set_banks = reinterpret_cast<CUresult (*)(CUsharedconfig)>(cu().symbol("cuCtxSetSharedMemConfig"));
    const auto get_banks = reinterpret_cast<CUresult (*)(CUsharedconfig*)>(cu().symbol("cuCtxGetSharedMemConfig"));
    CUsharedconfig config{};
    EXPECT_OK(set_banks(CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
    EXPECT_OK(get_banks(&config));
    EXPECT_OK(cu().cuCtxResetPersistingL2Cache());
    for (const char* const name : {"cuProfilerStart", "cuProfilerStop"}) {
        EXPECT_OK(reinterpret_cast<CUresult (*)()>(cu().symbol(name))()) << name;
    }
}

TEST_F(ContextTest, ThePrimaryContextsFlagsCanBeChangedByItsDevice) {
    const auto flags = [&] {
        unsigned int found = 0;
        int active = 0;
        EXPECT_OK(cu().cuDevicePrimaryCtxGetState(device, &found, &active));
        return found & CU_CTX_SCHED_MASK;
    };
    const unsigned int before = flags();
    ASSERT_OK(cu().cuDevicePrimaryCtxSetFlags(device, CU_CTX_SCHED_BLOCKING_SYNC));
    EXPECT_EQ(flags(), static_cast<unsigned int>(CU_CTX_SCHED_BLOCKING_SYNC));
    unsigned int seen_by_context = 0;
    ASSERT_OK(cu().cuCtxGetFlags(&seen_by_context));
    EXPECT_EQ(seen_by_context & CU_CTX_SCHED_MASK, static_cast<unsigned int>(CU_CTX_SCHED_BLOCKING_SYNC));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuDevicePrimaryCtxSetFlags(device, 0x1000));
    EXPECT_EQ(flags(), static_cast<unsigned int>(CU_CTX_SCHED_BLOCKING_SYNC));
    EXPECT_OK(cu().cuDevicePrimaryCtxSetFlags(device, before));
}

TEST_F(ContextTest, FlagsCanBeChanged) {
    unsigned int before = 0, after = 0;
    ASSERT_OK(cu().cuCtxGetFlags(&before));
    ASSERT_OK(cu().cuCtxSetFlags(CU_CTX_SCHED_BLOCKING_SYNC));
    ASSERT_OK(cu().cuCtxGetFlags(&after));
    EXPECT_EQ(after & CU_CTX_SCHED_MASK, static_cast<unsigned int>(CU_CTX_SCHED_BLOCKING_SYNC));
    EXPECT_OK(cu().cuCtxSetFlags(before & CU_CTX_SCHED_MASK));
}

}  // namespace
}  // namespace cuprum::test
