// Races between streams (CUPRUM_SIM=check=races): each way to order two pieces of work, and each that is missing.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "driver_api.hpp"
#include "driver_log.hpp"

namespace cuprum::test {
namespace {

constexpr const char* kernels = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry store(.param .u64 to)
{
.reg .b32 %r<4>; .reg .b64 %d<4>;
ld.param.u64 %d0, [to]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1;
st.global.u32 [%d0], %r0;
ret;
}
.visible .entry load(.param .u64 from, .param .u64 to)
{
.reg .b32 %r<4>; .reg .b64 %d<4>;
ld.param.u64 %d0, [from]; ld.param.u64 %d2, [to];
mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1; add.u64 %d2, %d2, %d1;
ld.global.u32 %r1, [%d0];
st.global.u32 [%d2], %r1;
ret;
}
.visible .entry store_and_signal(.param .u64 to, .param .u64 flag)
{
.reg .b32 %r<4>; .reg .b64 %d<4>;
ld.param.u64 %d0, [to]; ld.param.u64 %d2, [flag];
st.global.u32 [%d0], 7;
fence.acq_rel.sys;
st.volatile.global.u32 [%d2], 1;
ret;
}
.visible .entry await(.param .u64 flag)
{
.reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p;
ld.param.u64 %d2, [flag];
W: ld.volatile.global.u32 %r0, [%d2];
setp.eq.u32 %p, %r0, 0;
@%p bra W;
ret;
}
.visible .entry add(.param .u64 to)
{
.reg .b32 %r<4>; .reg .b64 %d<4>;
ld.param.u64 %d0, [to];
red.global.add.u32 [%d0], 1;
ret;
}
.visible .entry add_after_a_guess(.param .u64 to)
{
.reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p;
ld.param.u64 %d0, [to];
ld.global.u32 %r0, [%d0];
A: add.u32 %r1, %r0, 1;
atom.global.cas.b32 %r2, [%d0], %r0, %r1;
setp.ne.u32 %p, %r2, %r0; mov.u32 %r0, %r2;
@%p bra A;
ret;
}
)";

constexpr size_t bytes = 4 * 32;

// In a process where races are looked for. A context out of service cannot be put away as TearDown does; so the process
// ends with each test.
class StreamRacesTest : public DriverTest {
protected:
    bool begin(const char* options = "check=races") {
        if (!in_process_of_its_own({std::string("CUPRUM_SIM=") + options})) return false;
        EXPECT_OK(cu().cuModuleLoadData(&loaded, kernels));
        first = new_stream();
        second = new_stream();
        first_name = name_of(first);
        second_name = name_of(second);
        data = allocate(bytes);
        other = allocate(bytes);
        flag = allocate(4);
        EXPECT_OK(cu().cuMemsetD32(flag, 0, 1));
        EXPECT_OK(cu().cuMemsetD32(data, 0, bytes / 4));
        EXPECT_OK(cu().cuCtxSynchronize());
        log = end_of_log();
        return true;
    }
    CUfunction kernel(const char* name) {
        CUfunction found = nullptr;
        EXPECT_OK(cu().cuModuleGetFunction(&found, loaded, name));
        return found;
    }
    void run(CUstream stream, const char* name, CUdeviceptr a, CUdeviceptr b = 0, unsigned int threads = 32) {
        EXPECT_OK(launch(kernel(name), 1, threads, stream, {&a, &b}));
    }
    void store(CUstream stream) { run(stream, "store", data); }
    void load(CUstream stream) { run(stream, "load", data, other); }

    // What has been submitted is done by then; nothing tells the driver that the program knows.
    static void let_run() { std::this_thread::sleep_for(std::chrono::milliseconds(200)); }

    [[noreturn]] static void leave() { _exit(testing::Test::HasFailure() ? 1 : 0); }
    [[noreturn]] void expect_none() {
        EXPECT_CU(CUDA_SUCCESS, cu().cuCtxSynchronize()) << log_since(log);
        leave();
    }
    [[noreturn]] void expect_race(const std::vector<std::string>& parts = {"and nothing orders the two"}) {
        EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuCtxSynchronize());
        EXPECT_TRUE(says(log_since(log), parts));
        leave();
    }
    std::string name_of(CUstream stream) {
        unsigned long long number = 0;
        EXPECT_OK(cu().cuStreamGetId(stream, &number));
        return "stream " + std::to_string(number);
    }
    // Pinned memory of one word, 0.
    unsigned int* pinned_word() {
        void* word = nullptr;
        EXPECT_OK(cu().cuMemHostAlloc(&word, 4, 0));
        *static_cast<unsigned int*>(word) = 0;
        return static_cast<unsigned int*>(word);
    }

    CUmodule loaded = nullptr;
    CUstream first = nullptr, second = nullptr;
    std::string first_name, second_name;  // as the reports have them
    CUdeviceptr data = 0, other = 0, flag = 0;
    CUlogIterator log = 0;  // a race may be found before the test waits for it
};

// --- what is reported ---

TEST_F(StreamRacesTest, KernelsOfTwoStreamsAreNamedWithBothStreamsAndTheMemory) {
    if (!begin("check=races,seed=1")) return;
    store(first);
    load(second);
    expect_race({"kernel 'store'", "kernel 'load'", first_name, second_name,
                 "and nothing orders the two: record an event", "of the cuMemAlloc of 128 bytes at 0x",
                 "cuStreamWaitEvent", "block (0, 0, 0), thread (0, 0, 0)"});
}

TEST_F(StreamRacesTest, TwoWrites) {
    if (!begin()) return;
    store(first);
    let_run();
    store(second);
    expect_race({"kernel 'store' in " + first_name + " wrote", "in " + second_name + " wrote byte"});
}

TEST_F(StreamRacesTest, AnEventThatNobodyWaitsFor) {
    if (!begin()) return;
    store(first);
    ASSERT_OK(cu().cuEventRecord(new_event(), first));
    load(second);
    expect_race();
}

TEST_F(StreamRacesTest, AnEventThatIsRecordedBeforeTheWork) {
    if (!begin()) return;
    const CUevent event = new_event();
    ASSERT_OK(cu().cuEventRecord(event, first));
    store(first);
    ASSERT_OK(cu().cuStreamWaitEvent(second, event, 0));
    load(second);
    expect_race();
}

TEST_F(StreamRacesTest, WorkThatIsSubmittedBeforeTheWait) {
    if (!begin()) return;
    const CUevent event = new_event();
    load(second);
    store(first);
    // Refused where the race has been found by now.
    (void)cu().cuEventRecord(event, first);
    (void)cu().cuStreamWaitEvent(second, event, 0);
    expect_race();
}

TEST_F(StreamRacesTest, AnEventOnWhoseStreamNothingElseWaits) {
    if (!begin()) return;
    // The third stream waits for the event; the second does not.
    const CUstream third = new_stream();
    const CUevent event = new_event();
    store(first);
    ASSERT_OK(cu().cuEventRecord(event, first));
    ASSERT_OK(cu().cuStreamWaitEvent(third, event, 0));
    load(second);
    expect_race();
}

TEST_F(StreamRacesTest, ASynchronisationOfAnotherStream) {
    if (!begin()) return;
    store(first);
    ASSERT_OK(cu().cuStreamSynchronize(second));
    load(second);
    expect_race();
}

TEST_F(StreamRacesTest, ANonBlockingStreamAndTheLegacyDefaultStream) {
    if (!begin()) return;
    store(nullptr);
    load(second);
    expect_race({"the legacy default stream"});
}

TEST_F(StreamRacesTest, BlockingStreamsWithNothingInBetween) {
    if (!begin()) return;
    store(new_stream(CU_STREAM_DEFAULT));
    load(new_stream(CU_STREAM_DEFAULT));
    expect_race();
}

TEST_F(StreamRacesTest, PerThreadDefaultStreamsOfTwoThreads) {
    if (!begin()) return;
    // The other thread lives on: the stream of one that has ended counts as waited for.
    std::atomic<int> step{0};
    std::thread other_thread([&] {
        ASSERT_OK(cu().cuCtxSetCurrent(context));
        store(CU_STREAM_PER_THREAD);
        step = 1;
        while (step != 2)
            std::this_thread::yield();
    });
    while (step != 1)
        std::this_thread::yield();
    store(CU_STREAM_PER_THREAD);
    step = 2;
    other_thread.join();
    expect_race({"the per-thread default stream"});
}

TEST_F(StreamRacesTest, ACopyAndAKernel) {
    if (!begin()) return;
    ASSERT_OK(cu().cuMemcpyDtoDAsync(data, other, bytes, first));
    let_run();
    run(second, "store", data);
    expect_race({"a copy in " + first_name + " wrote"});
}

TEST_F(StreamRacesTest, ACopyToTheHost) {
    if (!begin()) return;
    std::vector<char> host(bytes);
    store(first);
    let_run();
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuMemcpyDtoHAsync(host.data(), data, bytes, second));
    expect_race({"a copy in " + second_name + " read byte", "which kernel 'store' in " + first_name + " wrote",
                 "of the cuMemAlloc of 128 bytes"});
}

TEST_F(StreamRacesTest, AFillAndAKernel) {
    if (!begin()) return;
    ASSERT_OK(cu().cuMemsetD32Async(data, 1, bytes / 4, first));
    let_run();
    store(second);
    expect_race({"a fill in " + first_name + " wrote"});
}

TEST_F(StreamRacesTest, ASumThatIsReadByAnotherStream) {
    if (!begin()) return;
    run(first, "add", data);
    let_run();
    load(second);
    expect_race({"kernel 'add'", "kernel 'load'"});
}

TEST_F(StreamRacesTest, ASumThatIsReadTooEarlyByAnotherStream) {
    if (!begin()) return;
    load(second);
    let_run();
    run(first, "add", data);
    expect_race({"kernel 'add'", "kernel 'load'"});
}

TEST_F(StreamRacesTest, ManagedMemory) {
    if (!begin()) return;
    CUdeviceptr managed = 0;
    ASSERT_OK(cu().cuMemAllocManaged(&managed, bytes, CU_MEM_ATTACH_GLOBAL));
    // Both are submitted before one of them has run: else the host could have seen what it has written.
    for (const CUstream stream : {first, second}) {
        run(stream, "await", flag, 0, 1);
        run(stream, "store", managed);
    }
    ASSERT_OK(cu().cuStreamWriteValue32(new_stream(), flag, 1, 0));
    expect_race({"of the cuMemAllocManaged of 128 bytes"});
}

// --- what is in order ---

TEST_F(StreamRacesTest, OneStream) {
    if (!begin()) return;
    for (int k = 0; k < 3; ++k) {
        store(first);
        load(first);
    }
    expect_none();
}

TEST_F(StreamRacesTest, OtherBytes) {
    if (!begin()) return;
    ASSERT_OK(cu().cuMemsetD8Async(data, 1, 63, first));
    ASSERT_OK(cu().cuMemsetD8Async(data + 63, 1, bytes - 63, second));
    expect_none();
}

TEST_F(StreamRacesTest, TwoReads) {
    if (!begin()) return;
    load(first);
    run(second, "load", data, flag, 1);
    expect_none();
}

TEST_F(StreamRacesTest, AnEvent) {
    if (!begin("check=races,seed=3")) return;
    const CUevent event = new_event();
    for (int k = 0; k < 10; ++k) {
        store(first);
        ASSERT_OK(cu().cuEventRecord(event, first));
        ASSERT_OK(cu().cuStreamWaitEvent(second, event, 0));
        load(second);
        ASSERT_OK(cu().cuEventRecord(event, second));
        ASSERT_OK(cu().cuStreamWaitEvent(first, event, 0));
    }
    expect_none();
}

TEST_F(StreamRacesTest, AnEventThatHasHappened) {
    if (!begin()) return;
    const CUevent event = new_event();
    store(first);
    ASSERT_OK(cu().cuEventRecord(event, first));
    while (cu().cuEventQuery(event) == CUDA_ERROR_NOT_READY)
        std::this_thread::yield();
    load(second);
    expect_none();
}

TEST_F(StreamRacesTest, AnEventRecordedAgain) {
    if (!begin()) return;
    const CUevent event = new_event();
    store(first);
    ASSERT_OK(cu().cuEventRecord(event, first));
    ASSERT_OK(cu().cuStreamWaitEvent(second, event, 0));
    ASSERT_OK(cu().cuEventRecord(event, new_stream()));
    load(second);
    expect_none();
}

TEST_F(StreamRacesTest, AChainOfEvents) {
    if (!begin("check=races,seed=5")) return;
    const CUstream third = new_stream();
    const CUevent event = new_event(), next = new_event();
    store(first);
    ASSERT_OK(cu().cuEventRecord(event, first));
    ASSERT_OK(cu().cuStreamWaitEvent(third, event, 0));
    ASSERT_OK(cu().cuEventRecord(next, third));
    ASSERT_OK(cu().cuStreamWaitEvent(second, next, 0));
    load(second);
    expect_none();
}

TEST_F(StreamRacesTest, HostWaits) {
    if (!begin()) return;
    const CUevent event = new_event();
    const std::vector<std::function<void()>> waits = {
        [&] { ASSERT_OK(cu().cuStreamSynchronize(first)); }, [&] { ASSERT_OK(cu().cuCtxSynchronize()); },
        [&] {
            ASSERT_OK(cu().cuEventRecord(event, first));
            ASSERT_OK(cu().cuEventSynchronize(event));
        },
        [&] {
            while (cu().cuStreamQuery(first) == CUDA_ERROR_NOT_READY)
                std::this_thread::yield();
        },
        [&] {
            CUdeviceptr memory = 0;
            ASSERT_OK(cu().cuMemAlloc(&memory, 16));
            ASSERT_OK(cu().cuMemFree(memory));  // which waits for all work
        }};
    for (const std::function<void()>& wait : waits) {
        store(first);
        wait();
        load(second);
        ASSERT_OK(cu().cuStreamSynchronize(second));
    }
    expect_none();
}

TEST_F(StreamRacesTest, AHostWaitOfAnotherThread) {
    if (!begin()) return;
    store(first);
    std::thread([&] {
        ASSERT_OK(cu().cuCtxSetCurrent(context));
        ASSERT_OK(cu().cuStreamSynchronize(first));
    }).join();
    load(second);
    expect_none();
}

TEST_F(StreamRacesTest, TheLegacyDefaultStreamAndBlockingStreams) {
    if (!begin("check=races,seed=2")) return;
    const CUstream blocking = new_stream(CU_STREAM_DEFAULT), another = new_stream(CU_STREAM_DEFAULT);
    for (int k = 0; k < 5; ++k) {
        store(blocking);
        load(nullptr);
        store(another);
        store(nullptr);
    }
    expect_none();
}

TEST_F(StreamRacesTest, TheLegacyDefaultStreamBetweenTwoBlockingStreams) {
    if (!begin()) return;
    const CUstream blocking = new_stream(CU_STREAM_DEFAULT), another = new_stream(CU_STREAM_DEFAULT);
    store(blocking);
    run(nullptr, "add", flag);
    load(another);
    expect_none();
}

TEST_F(StreamRacesTest, ABlockingStreamThatIsDestroyedAndTheLegacyDefaultStream) {
    if (!begin()) return;
    CUstream blocking = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
    store(blocking);
    ASSERT_OK(cu().cuStreamDestroy(blocking));
    let_run();
    new_stream();
    load(nullptr);
    expect_none();
}

TEST_F(StreamRacesTest, ThePerThreadDefaultStreamAndTheLegacyOne) {
    if (!begin()) return;
    store(CU_STREAM_PER_THREAD);
    load(nullptr);
    store(CU_STREAM_PER_THREAD);
    expect_none();
}

TEST_F(StreamRacesTest, ABlockingCopyFromTheHost) {
    if (!begin()) return;
    const std::vector<char> host(bytes);
    for (int k = 0; k < 3; ++k) {
        ASSERT_OK(cu().cuMemcpyHtoD(data, host.data(), bytes));
        load(second);
        ASSERT_OK(cu().cuStreamSynchronize(second));
    }
    expect_none();
}

TEST_F(StreamRacesTest, AHostFunctionThatLetsTheHostGoOn) {
    if (!begin()) return;
    std::atomic<bool> done{false};
    store(first);
    ASSERT_OK(cu().cuLaunchHostFunc(first, [](void* to) { static_cast<std::atomic<bool>*>(to)->store(true); }, &done));
    run(first, "add", flag);
    while (!done)
        std::this_thread::yield();
    load(second);
    expect_none();
}

TEST_F(StreamRacesTest, AHostFunctionThatWaitsForTheHost) {
    if (!begin()) return;
    Gate gate;
    gate.close_in(second);
    load(second);
    store(first);
    ASSERT_OK(cu().cuStreamSynchronize(first));
    gate.open();
    expect_none();
}

TEST_F(StreamRacesTest, AValueThatAStreamWritesAndAnotherWaitsFor) {
    if (!begin()) return;
    ASSERT_OK(cu().cuStreamWaitValue32(second, flag, 1, CU_STREAM_WAIT_VALUE_GEQ));
    load(second);
    store(first);
    ASSERT_OK(cu().cuStreamWriteValue32(first, flag, 1, 0));
    expect_none();
}

TEST_F(StreamRacesTest, AValueThatAKernelWritesAndAStreamWaitsFor) {
    if (!begin()) return;
    ASSERT_OK(cu().cuStreamWaitValue32(second, flag, 1, CU_STREAM_WAIT_VALUE_GEQ));
    load(second);
    run(first, "store_and_signal", data, flag, 1);
    expect_none();
}

TEST_F(StreamRacesTest, AFlagThatAKernelSetsAndAnotherWaitsFor) {
    if (!begin()) return;
    run(second, "await", flag, 0, 1);
    load(second);
    run(first, "store_and_signal", data, flag, 1);
    expect_none();
}

TEST_F(StreamRacesTest, AFlagThatACopySets) {
    if (!begin()) return;
    const std::vector<unsigned int> one{1};
    run(second, "await", flag, 0, 1);
    load(second);
    store(first);
    ASSERT_OK(cu().cuMemcpyHtoDAsync(flag, one.data(), 4, first));
    expect_none();
}

TEST_F(StreamRacesTest, AFlagInPinnedMemoryThatTheHostSees) {
    if (!begin()) return;
    unsigned int* const word = pinned_word();
    CUdeviceptr address = 0;
    ASSERT_OK(cu().cuMemHostGetDevicePointer(&address, word, 0));
    run(first, "store_and_signal", data, address, 1);
    while (std::atomic_ref(*word).load() == 0)
        std::this_thread::yield();
    load(second);
    expect_none();
}

TEST_F(StreamRacesTest, AFlagInPinnedMemoryThatTheHostSets) {
    if (!begin()) return;
    unsigned int* const word = pinned_word();
    CUdeviceptr address = 0;
    ASSERT_OK(cu().cuMemHostGetDevicePointer(&address, word, 0));
    run(second, "await", address, 0, 1);
    load(second);
    store(first);
    ASSERT_OK(cu().cuStreamSynchronize(first));
    std::atomic_ref(*word).store(1);
    expect_none();
}

TEST_F(StreamRacesTest, SumsOfTwoStreams) {
    if (!begin()) return;
    for (int k = 0; k < 5; ++k) {
        run(first, "add", data);
        run(second, "add_after_a_guess", data);
    }
    expect_none();
}

TEST_F(StreamRacesTest, MemoryThatIsUsedAgain) {
    if (!begin("check=races,memory=16MiB")) return;
    const size_t large = size_t{12} << 20;  // so the same addresses serve again
    for (const CUstream stream : {first, second, first}) {
        CUdeviceptr memory = 0;
        ASSERT_OK(cu().cuMemAllocAsync(&memory, large, stream));
        ASSERT_OK(cu().cuMemsetD8Async(memory, 1, large, stream));
        ASSERT_OK(cu().cuMemFreeAsync(memory, stream));
        while (cu().cuStreamQuery(stream) == CUDA_ERROR_NOT_READY)
            std::this_thread::yield();
    }
    expect_none();
}

TEST_F(StreamRacesTest, ManyStreamsOneAfterTheOther) {
    if (!begin()) return;
    for (int k = 0; k < 700; ++k) {  // more than there are strands
        CUstream stream = nullptr;
        ASSERT_OK(cu().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        store(stream);
        ASSERT_OK(cu().cuStreamSynchronize(stream));
        ASSERT_OK(cu().cuStreamDestroy(stream));
    }
    store(first);
    store(second);
    expect_race();
}

// --- graphs ---

class GraphRacesTest : public StreamRacesTest {
protected:
    CUgraphNode add(const char* name, CUdeviceptr a, CUdeviceptr b, std::vector<CUgraphNode> after = {}) {
        void* parameters[] = {&a, &b};
        CUDA_KERNEL_NODE_PARAMS node_parameters{};
        node_parameters.func = kernel(name);
        node_parameters.gridDimX = node_parameters.gridDimY = node_parameters.gridDimZ = 1;
        node_parameters.blockDimX = 32;
        node_parameters.blockDimY = node_parameters.blockDimZ = 1;
        node_parameters.kernelParams = parameters;
        CUgraphNode node = nullptr;
        EXPECT_OK(cu().cuGraphAddKernelNode(&node, graph, after.data(), after.size(), &node_parameters));
        return node;
    }
    void start() { ASSERT_OK(cu().cuGraphCreate(&graph, 0)); }
    CUgraphExec instantiate() {
        CUgraphExec execution = nullptr;
        EXPECT_OK(cu().cuGraphInstantiate(&execution, graph, 0));
        return execution;
    }
    CUgraph graph = nullptr;
};

TEST_F(GraphRacesTest, NodesWithoutAnEdge) {
    if (!begin()) return;
    start();
    add("store", data, 0);
    add("load", data, other);
    ASSERT_OK(cu().cuGraphLaunch(instantiate(), first));
    expect_race({"and no edge orders the two nodes: add one", "in a graph in " + first_name});
}

TEST_F(GraphRacesTest, NodesWithEdges) {
    if (!begin("check=races,seed=4")) return;
    start();
    // A diamond: both branches read what the first node has written, and the last one writes it.
    const CUgraphNode top = add("store", data, 0);
    const CUgraphNode left = add("load", data, other, {top});
    const CUgraphNode right = add("load", data, allocate(bytes), {top});
    add("store", data, 0, {left, right});
    const CUgraphExec execution = instantiate();
    for (int k = 0; k < 5; ++k)
        ASSERT_OK(cu().cuGraphLaunch(execution, k % 2 == 0 ? first : second));
    expect_none();
}

TEST_F(GraphRacesTest, ALaunchAndTheWorkBeforeAndBehindIt) {
    if (!begin()) return;
    start();
    add("load", data, other);
    add("load", data, allocate(bytes));
    const CUgraphExec execution = instantiate();
    store(first);
    ASSERT_OK(cu().cuGraphLaunch(execution, first));
    store(first);
    const CUevent event = new_event();
    ASSERT_OK(cu().cuGraphLaunch(execution, first));
    ASSERT_OK(cu().cuEventRecord(event, first));
    ASSERT_OK(cu().cuStreamWaitEvent(second, event, 0));
    store(second);
    expect_none();
}

TEST_F(GraphRacesTest, ALaunchAndAnotherStream) {
    if (!begin()) return;
    start();
    add("load", data, other);
    add("load", data, allocate(bytes));
    ASSERT_OK(cu().cuGraphLaunch(instantiate(), first));
    store(second);
    expect_race({"in a graph in " + first_name});
}

TEST_F(GraphRacesTest, EventsOfNodes) {
    if (!begin()) return;
    start();
    const CUevent event = new_event();
    const CUgraphNode work = add("store", data, 0);
    CUgraphNode record = nullptr;
    ASSERT_OK(cu().cuGraphAddEventRecordNode(&record, graph, &work, 1, event));
    ASSERT_OK(cu().cuGraphLaunch(instantiate(), first));
    ASSERT_OK(cu().cuStreamWaitEvent(second, event, 0));
    load(second);
    expect_none();
}

}  // namespace
}  // namespace cuprum::test
