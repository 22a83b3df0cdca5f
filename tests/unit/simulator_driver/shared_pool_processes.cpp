// Processes that share memory pools, memory and events, in every order: exports, imports and frees by several threads,
// workers that are killed in the middle, owners that end before their workers. Whatever a call answers, no process may
// crash or hang.
//
//     shared_pool_processes [FIRST_SEED [COUNT]]     CUPRUM_TEST_DRIVER names the driver
//
// Prints what went wrong with its seed; what a seed does depends on it alone, as far as the processes' timing lets it.
#include <cuda.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr unsigned int longest = 60;  // seconds that a process may take
constexpr int lost = 3;               // how a process ends that finds its surroundings wrong

void* driver() {
    const char* const path = std::getenv("CUPRUM_TEST_DRIVER");
    static void* const library = path != nullptr ? dlopen(path, RTLD_NOW) : nullptr;
    if (library == nullptr) {
        std::fprintf(stderr, "%s\n", path != nullptr ? dlerror() : "CUPRUM_TEST_DRIVER names no driver");
        std::_Exit(lost);
    }
    return library;
}

#define TEXT_OF(name) #name
#define NAME_OF(name) TEXT_OF(name)
// A function of the driver, under the name that it exports.
#define CU(name)                                                                                          \
    ([] {                                                                                                 \
        static const auto function = reinterpret_cast<decltype(&::name)>(dlsym(driver(), NAME_OF(name))); \
        return function;                                                                                  \
    }())

class Choice {
public:
    explicit Choice(std::uint64_t seed) : engine_(seed) {}
    std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
    bool one_in(std::uint64_t bound) { return below(bound) == 0; }
    template <class Value>
    Value of(const std::vector<Value>& values) {
        return values[below(values.size())];
    }

private:
    std::mt19937_64 engine_;
};

// What an owner tells a worker.
struct Message {
    enum class Kind : int { pool_memory, memory, event, end };
    Kind kind = Kind::end;
    CUmemPoolPtrExportData pool_memory{};
    CUipcMemHandle memory{};
    CUipcEventHandle event{};
};

constexpr const char* code = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 numbers) {
    .reg .u64 %address;
    .reg .u32 %value;
    ld.param.u64 %address, [numbers];
    ld.global.u32 %value, [%address];
    add.u32 %value, %value, 1;
    st.global.u32 [%address], %value;
    ret;
})";

// The driver in this process, with a context that every thread makes current.
struct Process {
    CUcontext context = nullptr;
    CUfunction add = nullptr;

    void begin() {
        CUdevice device = 0;
        CUmodule module = nullptr;
        if (CU(cuInit)(0) != CUDA_SUCCESS || CU(cuDeviceGet)(&device, 0) != CUDA_SUCCESS ||
            CU(cuDevicePrimaryCtxRetain)(&context, device) != CUDA_SUCCESS ||
            CU(cuCtxSetCurrent)(context) != CUDA_SUCCESS || CU(cuModuleLoadData)(&module, code) != CUDA_SUCCESS ||
            CU(cuModuleGetFunction)(&add, module, "add") != CUDA_SUCCESS) {
            std::fprintf(stderr, "the driver does not start\n");
            std::_Exit(lost);
        }
    }
};

// Memory of any origin; the list is shared by the threads of a process, the memory itself by whoever likes.
class Memory {
public:
    void add(CUdeviceptr address) {
        const std::lock_guard lock(mutex_);
        addresses_.push_back(address);
    }
    // Some of it, which stays in the list or not: what is freed may be freed again.
    CUdeviceptr some(Choice& choice) {
        const std::lock_guard lock(mutex_);
        if (addresses_.empty()) return 0;
        const std::size_t index = choice.below(addresses_.size());
        const CUdeviceptr address = addresses_[index];
        if (choice.one_in(3)) addresses_.erase(addresses_.begin() + static_cast<std::ptrdiff_t>(index));
        return address;
    }

private:
    std::mutex mutex_;
    std::vector<CUdeviceptr> addresses_;
};

// What both kinds of processes do with memory.
void use(const Process& process, Choice& choice, Memory& memory, CUstream stream) {
    CUdeviceptr address = memory.some(choice);
    std::array<unsigned char, 64> bytes{};
    switch (choice.below(11)) {
        case 0:
            CU(cuMemsetD8Async)(address, 7, 64, stream);
            break;
        case 1:
            CU(cuMemcpyDtoH)(bytes.data(), address, bytes.size());
            break;
        case 2:
            CU(cuMemcpyHtoDAsync)(address, bytes.data(), bytes.size(), stream);
            CU(cuStreamSynchronize)(stream);
            break;
        case 3:
        case 4:
            CU(cuMemFreeAsync)(address, stream);
            break;
        case 5:
            CU(cuMemFree)(address);
            break;
        case 6: {
            void* arguments[] = {&address};
            // Only of memory that there is: a fault would end all further work.
            CUdeviceptr begin = 0;
            std::size_t size = 0;
            if (choice.one_in(8) || CU(cuMemGetAddressRange)(&begin, &size, address) == CUDA_SUCCESS)
                CU(cuLaunchKernel)(process.add, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
            break;
        }
        case 7:
            CU(cuStreamSynchronize)(stream);
            break;
        case 8:
            CU(cuCtxSynchronize)();
            break;
        case 9:
            CU(cuIpcCloseMemHandle)(address);
            break;
        default: {
            CUmemPoolPtrExportData data{};
            CU(cuMemPoolExportPointer)(&data, address);
            break;
        }
    }
}

// Every way for a process to end by itself.
[[noreturn]] void end(Choice& choice) {
    switch (choice.below(4)) {
        case 0:
            std::_Exit(0);
        case 1:
            CU(cuCtxSynchronize)();
            std::exit(0);
        case 2:
            execl("/bin/true", "true", nullptr);
            std::_Exit(lost);
        default:
            std::exit(0);
    }
}

CUmemAccessDesc access_of_device(bool any) {
    CUmemAccessDesc access{};
    access.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    access.flags = any ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return access;
}

// --- a worker: `socket` brings messages, `pool_file` the pool
// ---------------------------------------------------------

int work(std::uint64_t seed, int socket, int pool_file) {
    alarm(longest);
    Process process;
    process.begin();
    std::vector<CUmemoryPool> pools(2);
    for (CUmemoryPool& pool : pools) {
        CU(cuMemPoolImportFromShareableHandle)
        (&pool, reinterpret_cast<void*>(static_cast<std::intptr_t>(pool_file)),
         CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    }
    close(pool_file);
    send(socket, "ready", 5, MSG_NOSIGNAL);
    Memory memory;
    const auto run = [&](std::uint64_t thread) {
        Choice choice(seed * 2 + thread);
        CU(cuCtxSetCurrent)(process.context);
        CUstream stream = nullptr;
        CU(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING);
        const std::uint64_t steps = 20 + choice.below(200);
        for (std::uint64_t step = 0; step < steps; ++step) {
            Message message{};
            pollfd waiting{socket, POLLIN, 0};
            const bool there =
                poll(&waiting, 1, 2) > 0 && recv(socket, &message, sizeof message, MSG_DONTWAIT) == sizeof message;
            if (there && message.kind == Message::Kind::end && choice.one_in(2)) break;
            const CUmemoryPool pool = choice.of(pools);
            CUdeviceptr address = 0;
            if (there && message.kind == Message::Kind::pool_memory) {
                const std::uint64_t times = choice.one_in(4) ? 2 : 1;  // it may be imported again
                for (std::uint64_t time = 0; time < times; ++time) {
                    if (CU(cuMemPoolImportPointer)(&address, pool, &message.pool_memory) == CUDA_SUCCESS)
                        memory.add(address);
                }
            } else if (there && message.kind == Message::Kind::memory) {
                if (CU(cuIpcOpenMemHandle)(&address, message.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) ==
                    CUDA_SUCCESS)
                    memory.add(address);
            } else if (there && message.kind == Message::Kind::event) {
                CUevent event = nullptr;
                if (CU(cuIpcOpenEventHandle)(&event, message.event) == CUDA_SUCCESS) {
                    CU(cuStreamWaitEvent)(stream, event, 0);
                    if (choice.one_in(2)) CU(cuEventRecord)(event, stream);
                    if (choice.one_in(2)) CU(cuEventDestroy)(event);
                }
            }
            use(process, choice, memory, stream);
            const CUmemAccessDesc access = access_of_device(!choice.one_in(4));
            if (choice.one_in(20)) CU(cuMemPoolSetAccess)(pool, &access, 1);
            if (choice.one_in(40)) CU(cuMemPoolDestroy)(pool);
            if (choice.one_in(60)) CU(cuMemPoolTrimTo)(pool, 0);
        }
        if (choice.one_in(2)) CU(cuStreamDestroy)(stream);
        if (choice.one_in(3)) end(choice);
    };
    std::thread other([&] { run(1); });
    run(0);
    Choice choice(seed);
    if (choice.one_in(3)) {
        other.detach();  // it runs on while the process ends
    } else {
        other.join();
    }
    end(choice);
}

// --- an owner
// ----------------------------------------------------------------------------------------------------------

class Workers {
public:
    Workers(std::uint64_t seed, int pool_file) : seed_(seed), pool_file_(pool_file) {}

    void start() {
        std::array<int, 2> ends{};
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) std::_Exit(lost);
        const std::string seed = std::to_string(seed_ * 100 + started_++);
        const std::string socket = std::to_string(ends[1]), pool = std::to_string(pool_file_);
        const pid_t child = fork();
        if (child == 0) {
            fcntl(ends[1], F_SETFD, 0);
            fcntl(pool_file_, F_SETFD, 0);
            execl("/proc/self/exe", "shared_pool_processes", "worker", seed.c_str(), socket.c_str(), pool.c_str(),
                  nullptr);
            _exit(lost);
        }
        close(ends[1]);
        workers_.push_back({child, ends[0]});
    }
    // Until they have the driver and the pool.
    void wait_until_ready() const {
        for (const Worker& worker : workers_) {
            std::array<char, 8> text{};
            if (recv(worker.socket, text.data(), text.size(), 0) < 0) std::_Exit(lost);
        }
    }
    void tell(Choice& choice, const Message& message) {
        const std::lock_guard lock(mutex_);
        if (!workers_.empty()) send(choice.of(workers_).socket, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    // In the middle of whatever it does. It is waited for by whoever waits for this process.
    void kill_one(Choice& choice) {
        const std::lock_guard lock(mutex_);
        if (!workers_.empty()) kill(choice.of(workers_).process, SIGKILL);
    }
    void wait() {
        for (const Worker& worker : workers_) {
            int status = 0;
            if (waitpid(worker.process, &status, 0) != worker.process) std::_Exit(lost);
            const bool ended = WIFEXITED(status) ? WEXITSTATUS(status) == 0 : WTERMSIG(status) == SIGKILL;
            if (!ended) {
                std::fprintf(stderr, "a worker of the owner %llu ended with %#x\n",
                             static_cast<unsigned long long>(seed_), status);
                std::_Exit(lost);
            }
        }
    }

private:
    struct Worker {
        pid_t process;
        int socket;
    };
    std::uint64_t seed_;
    int pool_file_;
    std::uint64_t started_ = 0;
    std::mutex mutex_;
    std::vector<Worker> workers_;
};

int own(std::uint64_t seed) {
    alarm(longest);
    Choice choice(seed);
    Process process;
    process.begin();
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = choice.one_in(3) ? CUmemLocation{CU_MEM_LOCATION_TYPE_HOST_NUMA, 0}
                                           : CUmemLocation{CU_MEM_LOCATION_TYPE_DEVICE, 0};
    properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    if (choice.one_in(2)) properties.maxSize = 2 << 20;
    CUmemoryPool pool = nullptr;
    int pool_file = -1;
    const CUmemAccessDesc access = access_of_device(true);
    if (CU(cuMemPoolCreate)(&pool, &properties) != CUDA_SUCCESS ||
        CU(cuMemPoolExportToShareableHandle)(&pool_file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) !=
            CUDA_SUCCESS ||
        CU(cuMemPoolSetAccess)(pool, &access, 1) != CUDA_SUCCESS) {
        std::fprintf(stderr, "there is no pool to share\n");
        return lost;
    }
    Workers workers(seed, pool_file);
    for (std::uint64_t worker = 1 + choice.below(3); worker > 0; --worker)
        workers.start();
    if (!choice.one_in(8)) workers.wait_until_ready();
    Memory memory;
    const auto run = [&](std::uint64_t thread) {
        Choice own_choice(seed * 2 + thread);
        CU(cuCtxSetCurrent)(process.context);
        CUstream stream = nullptr;
        CU(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING);
        const std::uint64_t steps = 50 + own_choice.below(300);
        for (std::uint64_t step = 0; step < steps; ++step) {
            if (own_choice.one_in(3)) std::this_thread::sleep_for(std::chrono::microseconds(own_choice.below(1000)));
            Message message{};
            CUdeviceptr address = 0;
            if (own_choice.one_in(2)) {
                const auto size = own_choice.of<std::size_t>({64, 4096, 5000, 100'000, 1 << 20});
                if (CU(cuMemAllocFromPoolAsync)(&address, size, pool, stream) == CUDA_SUCCESS) {
                    if (own_choice.one_in(2)) CU(cuMemsetD8Async)(address, 1, 64, stream);
                    memory.add(address);
                    message.kind = Message::Kind::pool_memory;
                    if (CU(cuMemPoolExportPointer)(&message.pool_memory, address) == CUDA_SUCCESS)
                        workers.tell(own_choice, message);
                }
            } else if (own_choice.one_in(3)) {
                if (CU(cuMemAlloc)(&address, 1 + own_choice.below(20'000)) == CUDA_SUCCESS) {
                    memory.add(address);
                    message.kind = Message::Kind::memory;
                    if (CU(cuIpcGetMemHandle)(&message.memory, address) == CUDA_SUCCESS)
                        workers.tell(own_choice, message);
                }
            } else if (own_choice.one_in(6)) {
                CUevent event = nullptr;
                message.kind = Message::Kind::event;
                if (CU(cuEventCreate)(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS &&
                    CU(cuEventRecord)(event, stream) == CUDA_SUCCESS &&
                    CU(cuIpcGetEventHandle)(&message.event, event) == CUDA_SUCCESS)
                    workers.tell(own_choice, message);
                if (own_choice.one_in(2)) CU(cuEventDestroy)(event);
            }
            use(process, own_choice, memory, stream);
            if (own_choice.one_in(200)) workers.kill_one(own_choice);
            if (own_choice.one_in(100)) CU(cuMemPoolTrimTo)(pool, 0);
            if (own_choice.one_in(500)) CU(cuMemPoolDestroy)(pool);
        }
        workers.tell(own_choice, {.kind = Message::Kind::end});
        if (own_choice.one_in(2)) CU(cuStreamDestroy)(stream);
    };
    std::thread other([&] { run(1); });
    run(0);
    other.join();
    if (choice.one_in(2)) CU(cuMemPoolDestroy)(pool);
    if (choice.one_in(2)) workers.wait();  // otherwise they outlive their owner
    end(choice);
}

// --- the one that starts owners and waits for all processes
// -----------------------------------------------------------

// Whether all processes of a seed ended as they should.
bool try_seed(std::uint64_t seed) {
    const pid_t owner = fork();
    if (owner == 0) {
        execl("/proc/self/exe", "shared_pool_processes", "owner", std::to_string(seed).c_str(), nullptr);
        _exit(lost);
    }
    bool fine = owner > 0;
    int status = 0;
    // Workers whose owner has ended are this process's children.
    for (pid_t process = 0; (process = waitpid(-1, &status, 0)) > 0;) {
        const bool ended = WIFEXITED(status) ? WEXITSTATUS(status) == 0 : WTERMSIG(status) == SIGKILL;
        if (ended) continue;
        fine = false;
        std::printf("seed %llu: the %s ended with %s %d\n", static_cast<unsigned long long>(seed),
                    process == owner ? "owner" : "worker", WIFEXITED(status) ? "status" : "signal",
                    WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        std::fflush(stdout);
    }
    return fine;
}

int supervise(std::uint64_t first, std::uint64_t count) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    std::uint64_t failed = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed)
        failed += try_seed(seed) ? 0 : 1;
    std::printf("%llu of %llu seeds failed\n", static_cast<unsigned long long>(failed),
                static_cast<unsigned long long>(count));
    return failed == 0 ? 0 : 1;
}

std::uint64_t number(const char* text) {
    return std::strtoull(text, nullptr, 10);
}

}  // namespace

int main(int count, char** arguments) {
    const std::string role = count > 1 ? arguments[1] : "";
    if (role == "worker" && count == 5)
        return work(number(arguments[2]), static_cast<int>(number(arguments[3])),
                    static_cast<int>(number(arguments[4])));
    if (role == "owner" && count == 3) return own(number(arguments[2]));
    return supervise(count > 1 ? number(arguments[1]) : 1, count > 2 ? number(arguments[2]) : 1);
}
