// A call of a built algorithm allocates nothing on the host and takes no lock. A program of its own, because it
// counts what operator new is asked for, and replaces pthread_mutex_lock.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <functional>

#include <cuda.h>

#include "count_allocations.hpp"
#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace {

// Of this thread: a driver's own threads may do what they like.
thread_local uint64_t locks = 0;

}  // namespace

// What std::mutex::lock calls.
extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    using Lock = int (*)(pthread_mutex_t*);
    static std::atomic<Lock> real = nullptr;
    Lock lock = real.load(std::memory_order_relaxed);
    if (lock == nullptr) {
        lock = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
        real.store(lock, std::memory_order_relaxed);
    }
    ++locks;
    return lock(mutex);
}

namespace cuprum::parallel {
namespace {

// The driver is replaced by nothing: what is left is ours.
int launches = 0;
CUresult accept_launch(const CUlaunchConfig*, CUfunction, void**, void**) {
    ++launches;
    return CUDA_SUCCESS;
}
CUresult accept_fill(CUdeviceptr, unsigned int, size_t, CUstream) {
    return CUDA_SUCCESS;
}
CUresult accept_allocation(CUdeviceptr* address, size_t, CUstream) {
    *address = CUdeviceptr{1} << 40;
    return CUDA_SUCCESS;
}
CUresult accept_free(CUdeviceptr, CUstream) {
    return CUDA_SUCCESS;
}

class CallCost : public test::Parallel {
protected:
    static constexpr uint64_t count = 100003;  // several tiles

    struct Cost {
        uint64_t allocations, locks;
        bool launched;
        friend bool operator==(const Cost&, const Cost&) = default;
    };
    static constexpr Cost nothing{0, 0, true};

    static Cost measure(const std::function<void()>& call) {
        bindings::Library& driver = bindings::driver::library();
        const bindings::TableOverride launch(driver, "cuLaunchKernelEx", &accept_launch);
        const bindings::TableOverride fill(driver, "cuMemsetD32Async", &accept_fill);
        const bindings::TableOverride allocate(driver, "cuMemAllocAsync", &accept_allocation);
        const bindings::TableOverride free(driver, "cuMemFreeAsync", &accept_free);
        call();  // reads the device's limits
        launches = 0;
        const uint64_t locks_before = locks;
        const cuprum::test::AllocationCount allocations;
        call();
        return {allocations.so_far(), locks - locks_before, launches > 0};
    }

    // With storage of the caller's, and with the pool's.
    template <class Algorithm, class Call>
    void expect_nothing(const char* name, const Algorithm& algorithm, const Call& call) {
        SCOPED_TRACE(name);
        const core::Buffer storage = device.allocate(algorithm.temp_storage_bytes(count));
        EXPECT_EQ(measure([&] { call(CallOptions{.temp_storage = storage}); }), nothing);
        EXPECT_EQ(measure([&] { call(CallOptions{}); }), nothing);
    }

    friend void PrintTo(const Cost& cost, std::ostream* stream_out) {
        *stream_out << cost.allocations << " allocations, " << cost.locks << " locks, "
                    << (cost.launched ? "launched" : "nothing launched");
    }

    const Type type = Type::of<uint32_t>();
    const Iterator numbers = Iterator::pointer(type);
    const core::Buffer in = memory_for<uint32_t>(count);
    const core::Buffer out = memory_for<uint32_t>(count);
    const core::Buffer values = memory_for<uint32_t>(count);
    const core::Buffer values_out = memory_for<uint32_t>(count);
};

TEST_F(CallCost, OfReductionsScansAndSelectionsIsNoAllocationAndNoLock) {
    const Reduce reduce(numbers, OpKind::plus, type);
    expect_nothing("reduce", reduce,
                   [&](const CallOptions& options) { reduce(stream, in, out, count, uint32_t{0}, options); });
    expect_nothing("reduce without an initial value", reduce,
                   [&](const CallOptions& options) { reduce(stream, in, out, count, options); });
    const ArgReduce arg(ArgKind::minimum, numbers);
    expect_nothing("arg-min", arg, [&](const CallOptions& options) { arg(stream, in, out, count, options); });
    const Scan scan(ScanKind::exclusive, numbers, OpKind::plus, type);
    expect_nothing("scan", scan,
                   [&](const CallOptions& options) { scan(stream, in, out, count, uint32_t{0}, options); });
    expect_nothing("scan from device memory", scan,
                   [&](const CallOptions& options) { scan(stream, in, out, count, values, options); });
    const Select select(numbers, "a % 2 == 1");
    expect_nothing("select", select,
                   [&](const CallOptions& options) { select(stream, in, out, values, count, options); });
    const ThreeWayPartition partition(numbers, "a % 3 == 1", "a % 2 == 1");
    const core::Buffer counts = memory_for<uint64_t>(2);
    expect_nothing("partition in three", partition, [&](const CallOptions& options) {
        partition(stream, in, out, values, values_out, counts, count, options);
    });
    const PartitionFlagged flagged(numbers, numbers);
    expect_nothing("partition by flags", flagged,
                   [&](const CallOptions& options) { flagged(stream, in, values, out, counts, count, options); });
    const ReduceByKey by_key(numbers, numbers, OpKind::plus, type);
    expect_nothing("reduce by key", by_key, [&](const CallOptions& options) {
        by_key(stream, in, values, out, values_out, counts, count, options);
    });
    const InclusiveScanByKey scan_by_key(numbers, numbers, OpKind::plus, type);
    expect_nothing("scan by key", scan_by_key,
                   [&](const CallOptions& options) { scan_by_key(stream, in, values, out, count, options); });
    const NonTrivialRuns runs(numbers, type);
    expect_nothing("runs", runs,
                   [&](const CallOptions& options) { runs(stream, in, out, values_out, counts, count, options); });
    const Iterator none = Iterator::constant(uint64_t{0});
    const BatchedMemcpy copies(none, none, none);
    expect_nothing("batched copies", copies,
                   [&](const CallOptions& options) { copies(stream, none, none, none, count, options); });
    const MinMax extremes(numbers);
    expect_nothing("both extremes", extremes,
                   [&](const CallOptions& options) { extremes(stream, in, out, count, options); });
}

TEST_F(CallCost, OfSortsIsNoAllocationAndNoLock) {
    const RadixSort radix(SortOrder::ascending, type, type);
    expect_nothing("radix sort", radix,
                   [&](const CallOptions& options) { radix(stream, in, out, values, values_out, count, {}, options); });
    const MergeSort merge(OpKind::less, type, type);
    expect_nothing("merge sort", merge,
                   [&](const CallOptions& options) { merge(stream, in, out, values, values_out, count, options); });
    const SegmentedSort segmented(SortOrder::ascending, type, std::nullopt, Type::of<int32_t>());
    expect_nothing("segmented sort", segmented, [&](const CallOptions& options) {
        segmented(stream, in, out, count, 1000, values, values_out, options);
    });
    const TopkPairs top(SortOrder::ascending, numbers, numbers);
    expect_nothing("top pairs", top,
                   [&](const CallOptions& options) { top(stream, in, values, out, values_out, 100, count, options); });
}

TEST_F(CallCost, OfWhatNeedsNoStorageIsNoAllocationAndNoLock) {
    const Transform transform(numbers, numbers, "a + b", type);
    EXPECT_EQ(measure([&] { transform(stream, in, values, out, count); }), nothing);
    const SegmentedReduce segmented(numbers, OpKind::plus, type, Type::of<int32_t>());
    EXPECT_EQ(measure([&] { segmented(stream, in, out, 1000, values, values_out, uint32_t{0}); }), nothing);
    const BinarySearch search(Bound::lower, numbers, numbers, OpKind::less, type);
    EXPECT_EQ(measure([&] { search(stream, in, count, values, out, count); }), nothing);
    const SegmentedScan of_segments(ScanKind::exclusive, numbers, OpKind::plus, type, Type::of<int32_t>());
    EXPECT_EQ(measure([&] { of_segments(stream, in, out, count, 1000, values, values_out, uint32_t{0}); }), nothing);
    const MergePairs merge(numbers, numbers, numbers, numbers);
    EXPECT_EQ(measure([&] { merge(stream, in, values, count / 2, in, values, count / 2, out, values_out); }), nothing);
    const FindIf find(numbers, "a == 7");
    EXPECT_EQ(measure([&] { find(stream, in, out, count); }), nothing);
    const Equal equal(numbers, numbers);
    EXPECT_EQ(measure([&] { equal(stream, in, values, out, count); }), nothing);
    const AdjacentDifference difference(Neighbour::left, numbers, OpKind::minus, type);
    EXPECT_EQ(measure([&] { difference(stream, in, out, count); }), nothing);
    const ForEach for_each(numbers, "a + 1");
    EXPECT_EQ(measure([&] { for_each(stream, in, count); }), nothing);
    const HistogramRange ranges(numbers, type);
    EXPECT_EQ(measure([&] { ranges(stream, in, values, out, 100, count); }), nothing);
    const HistogramEven histogram(numbers, type);
    EXPECT_EQ(measure([&] { histogram(stream, in, out, 100, uint32_t{0}, uint32_t{1000}, count); }), nothing);
}

TEST_F(CallCost, WouldBeCounted) {
    const Cost cost = measure([] {
        static std::mutex mutex;
        const std::lock_guard lock(mutex);
        ::operator delete(::operator new(4));  // a new-expression might be left out by the compiler
    });
    EXPECT_GE(cost.allocations, 1U);
    EXPECT_EQ(cost.locks, 1U);
}

}  // namespace
}  // namespace cuprum::parallel
