// The engine: turns a parsed module into executable form and runs kernels over it.
// It knows nothing of the driver API (driver/), which owns contexts, addresses, streams and error codes.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/memory/device_heap.hpp"
#include "engine/memory/image.hpp"
#include "engine/memory/memory.hpp"

namespace cuprum::simulator {

class Inspector;        // inspection/inspector.hpp
class StreamOperation;  // checks/stream_races.hpp

// What is looked for beyond what always is; each makes kernels slower. It takes effect when a module is loaded.
struct Checks {
    bool registers = false;  // reads of registers never written, also where they decide nothing
    bool memory = false;     // reads of memory never written
    bool races = false;      // accesses that nothing orders: to shared memory by threads, to device memory by blocks
                             // and by streams
    bool profile = false;    // finds nothing: counts what each instruction does (checks/profile.hpp)
};

// The limits of the simulated device that the engine must know. The driver fills it from its configuration.
struct DeviceModel {
    uint32_t compute_capability_major = 8;
    uint32_t compute_capability_minor = 0;
    uint32_t multiprocessors = 4;  // %nsmid
    uint32_t max_static_shared_bytes = 48 * 1024;
    uint32_t max_dynamic_shared_bytes = 163 * 1024;
    uint32_t worker_threads = 0;  // 0: one per hardware thread
    uint64_t printf_buffer_bytes = 1 << 20;
    std::chrono::milliseconds kernel_timeout{0};  // a kernel that runs for longer is ended; 0: none is
    Checks checks;
    bool emulates_video = false;           // scalar video instructions give what a GPU gives, not what the ISA says
    std::shared_ptr<Inspector> inspector;  // null: nobody looks at warps
};

struct Dimensions {
    uint32_t x = 1, y = 1, z = 1;
};

struct KernelParameter {
    uint32_t offset = 0;  // in the packed parameter buffer
    uint32_t size = 0;
    uint32_t alignment = 1;
};

// What the driver reports about a kernel (cuFuncGetAttribute, cuFuncGetParamInfo).
struct KernelInformation {
    std::string name;
    std::vector<KernelParameter> parameters;
    uint32_t parameter_bytes = 0;
    uint32_t static_shared_bytes = 0;
    uint32_t constant_bytes = 0;
    uint32_t local_bytes = 0;  // per thread
    uint32_t registers = 0;    // an estimate: the allocator's maximum of live 32-bit slots
    uint32_t ptx_target = 0;   // 75 for a module of .target sm_75
    uint32_t max_threads_per_block = 1024;
    std::array<uint32_t, 3> required_block = {0, 0, 0};    // .reqntid; zeros: none
    std::array<uint32_t, 3> required_cluster = {0, 0, 0};  // .reqnctapercluster; zeros: none
    uint32_t max_cluster_blocks = 0;                       // .maxclusterrank; 0: no limit of its own
    bool explicit_cluster = false;                         // .explicitcluster: launches must say what a cluster is
    bool uses_dynamic_shared = false;
};

// A variable of the module that has an address in device memory (.global and .const).
struct ModuleVariable {
    std::string name;
    uint64_t size = 0;
    uint32_t alignment = 1;
    bool constant = false;
    bool managed = false;  // .attribute(.managed): the host reaches it by the same address
};

struct LoadError {
    enum class Kind { invalid_ptx, unsupported_ptx, unresolved_symbol };
    Kind kind = Kind::invalid_ptx;
    std::string log;  // what the driver's error log buffer gets: line, instruction, reason
};

// A module in executable form. Immutable, independent of any context, shared by all that run it.
class Program {
public:
    struct Loaded {
        std::shared_ptr<const Program> program;  // null on failure
        std::optional<LoadError> error;
    };
    // What an `.extern` variable is that nothing defines. ptxas ignores the qualifier in a module by itself, and a
    // linker refuses what is used.
    enum class Undefined { own_variable, error };
    static Loaded load(std::string_view ptx, const DeviceModel& model, Undefined undefined = Undefined::own_variable);

    virtual ~Program() = default;
    virtual const std::vector<KernelInformation>& kernels() const = 0;
    virtual const std::vector<ModuleVariable>& variables() const = 0;
    // Writes the initial value of every variable, relocations applied. `addresses[i]` is the device address the driver
    // chose for variables()[i], `storage[i]` the host pointer to its bytes; null for those that are to stay as they
    // are.
    virtual void initialise(const std::vector<uint64_t>& addresses, const std::vector<std::byte*>& storage) const = 0;
};

// What went wrong in a kernel. The driver maps `kind` to a CUresult and makes the context's error sticky.
struct Fault {
    enum class Kind {
        illegal_address,  // out of bounds, freed, never allocated
        misaligned_address,
        illegal_instruction,  // `brkpt`, an indirect call to no function
        assertion,            // __assertfail
        trap,
        deadlock,  // every warp of a block waits for something that cannot come
        timeout,   // DeviceModel::kernel_timeout
        divergent_barrier,
        uninitialised_register,
        uninitialised_memory,
        race,
        stack_overflow,
        unsupported,
        cancelled,  // the context is being torn down
    };
    Kind kind = Kind::illegal_address;
    std::string kernel;
    Dimensions block, thread;
    uint32_t ptx_line = 0;
    std::string source_file;  // with -lineinfo, else empty
    uint32_t source_line = 0;
    uint64_t address = 0;    // for memory faults
    std::string message;     // the whole report, several sentences in one line
    std::string inspection;  // the warp, with its variables, where an Inspector wants faults: several lines
};

struct LaunchRequest {
    std::shared_ptr<const Program> program;
    uint32_t kernel = 0;  // index into program->kernels()
    Dimensions grid, block;
    Dimensions cluster;             // blocks of a cluster; they divide the grid
    bool explicit_cluster = false;  // the launch or the kernel asked for clusters, if only of one block
    uint32_t dynamic_shared_bytes = 0;
    std::vector<std::byte> parameters;         // packed as KernelInformation::parameters says
    std::vector<uint64_t> variable_addresses;  // as given to Program::initialise
    SharedSnapshot memory;
    SharedImages images;                                           // null: there are no texture and surface objects
    bool cooperative = false;                                      // all blocks resident, grid-wide barrier works
    const std::atomic<bool>* cancel = nullptr;                     // polled; may be null
    std::shared_ptr<DeviceHeap> heap;                              // of malloc; none: every malloc gives null
    std::shared_ptr<const std::vector<uint32_t>> multiprocessors;  // the ones it may say it runs on; null: all
    std::shared_ptr<StreamOperation> operation;                    // its place among others; null: nobody asks
};

// A pool of worker threads that runs kernels. One per simulated device; launch() may be called from several threads at
// once and returns when the grid has finished or faulted.
class Engine {
public:
    explicit Engine(const DeviceModel& model);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    std::optional<Fault> launch(const LaunchRequest& request);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cuprum::simulator
