#include "driver/stream/stream_memory.hpp"

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "driver/context/context.hpp"
#include "driver/device/device.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

namespace {

constexpr unsigned int most_operations = 255;  // an H200's driver (580) takes no more

bool is_wide(CUstreamBatchMemOpType operation) {
    return operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 || operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
}

// Where the word is for the simulator. Throws DriverError for what is no word in memory.
void* locate_word(const Context& context, CUdeviceptr address, bool wide) {
    const uint64_t size = wide ? 8 : 4;
    if (address % size != 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          hexadecimal(address) + format(" is not a multiple of the word's %llu bytes",
                                                        static_cast<unsigned long long>(size)));
    }
    const std::optional<Allocation> found = driver().addresses().find(address);
    if (!found || found->size - (address - found->begin) < size) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          hexadecimal(address) + " is not in memory that the device can reach: " +
                              driver().addresses().describe(context.device().ordinal(), address));
    }
    if (driver().addresses().reach(context.device().ordinal(), *found) == CU_MEM_ACCESS_FLAGS_PROT_NONE) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("device %u has no access to the ", context.device().ordinal()) + found->description +
                              " at " + hexadecimal(found->begin));
    }
    // As an H200's driver (580) has it.
    if (found->kind == Allocation::Kind::managed || found->kind == Allocation::Kind::pooled ||
        found->from_pinned_pool()) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          "memory of pools and managed memory cannot be waited for or written by a stream: the " +
                              found->description + " at " + hexadecimal(found->begin));
    }
    return reinterpret_cast<void*>(address + static_cast<uint64_t>(found->host_offset));
}

template <typename Word>
bool satisfied(Word found, Word wanted, unsigned int flags) {
    using Signed = std::make_signed_t<Word>;
    switch (flags) {
        case CU_STREAM_WAIT_VALUE_GEQ:
            return static_cast<Signed>(found - wanted) >= 0;
        case CU_STREAM_WAIT_VALUE_EQ:
            return found == wanted;
        case CU_STREAM_WAIT_VALUE_AND:
            return (found & wanted) != 0;
        default:  // CU_STREAM_WAIT_VALUE_NOR
            return static_cast<Word>(~(found | wanted)) != 0;
    }
}

// What an operation on a word means for the order of streams.
void note_operation(const Context& context, CUdeviceptr address, uint64_t bytes, bool writes) {
    const std::shared_ptr<StreamOperation>& operation = RunningOperation::current();
    if (!operation) return;
    const std::optional<Allocation> found = driver().addresses().find(address);
    const bool by_host = found && !found->device_only();
    if (!writes) {
        operation->races().hear_writers(*operation, address, bytes);
        if (by_host) hear_host();
        return;
    }
    if (by_host) tell_host();
    operation->set_description("a write of a value (cuStreamWriteValue)");
    const auto race = operation->races().access(operation, address, bytes, StreamRaces::Access::strong_write);
    if (race) {
        throw DriverError(
            CUDA_ERROR_LAUNCH_FAILED,
            race->report + "; " + driver().addresses().describe(context.device().ordinal(), race->address));
    }
}

template <typename Word>
void wait_for_word(const Context& context, CUdeviceptr address, Word wanted, unsigned int flags) {
    using namespace std::chrono_literals;
    void* word = locate_word(context, address, sizeof(Word) == 8);
    std::chrono::microseconds pause{1};
    while (!satisfied(std::atomic_ref(*static_cast<Word*>(word)).load(std::memory_order_acquire), wanted, flags)) {
        if (context.sticky_error() != CUDA_SUCCESS) return;
        std::this_thread::sleep_for(pause);
        pause = std::min<std::chrono::microseconds>(pause * 2, 500us);
        // It may be freed meanwhile.
        word = locate_word(context, address, sizeof(Word) == 8);
    }
    note_operation(context, address, sizeof(Word), false);
}

void run_one(const Context& context, const CUstreamBatchMemOpParams& operation) {
    switch (operation.operation) {
        case CU_STREAM_MEM_OP_WAIT_VALUE_32:
            return wait_for_word<uint32_t>(context, operation.waitValue.address, operation.waitValue.value,
                                           operation.waitValue.flags);
        case CU_STREAM_MEM_OP_WAIT_VALUE_64:
            return wait_for_word<uint64_t>(context, operation.waitValue.address, operation.waitValue.value64,
                                           operation.waitValue.flags);
        case CU_STREAM_MEM_OP_WRITE_VALUE_32:
            note_operation(context, operation.writeValue.address, 4, true);
            std::atomic_ref(*static_cast<uint32_t*>(locate_word(context, operation.writeValue.address, false)))
                .store(operation.writeValue.value, std::memory_order_release);
            return;
        case CU_STREAM_MEM_OP_WRITE_VALUE_64:
            note_operation(context, operation.writeValue.address, 8, true);
            std::atomic_ref(*static_cast<uint64_t*>(locate_word(context, operation.writeValue.address, true)))
                .store(operation.writeValue.value64, std::memory_order_release);
            return;
        default:  // barriers: operations in a stream are ordered here anyway
            return;
    }
}

}  // namespace

std::vector<CUstreamBatchMemOpParams> checked_memory_operations(const Context& context, unsigned int count,
                                                                const CUstreamBatchMemOpParams* list) {
    if (count > most_operations) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("count is %u; it can be %u at most", count, most_operations));
    }
    if (count > 0) require_pointer(list, "paramArray");
    std::vector<CUstreamBatchMemOpParams> operations(list, list + count);
    for (size_t index = 0; index < operations.size(); ++index) {
        const CUstreamBatchMemOpParams& operation = operations[index];
        switch (operation.operation) {
            case CU_STREAM_MEM_OP_WAIT_VALUE_32:
            case CU_STREAM_MEM_OP_WAIT_VALUE_64:
                if ((operation.waitValue.flags & CU_STREAM_WAIT_VALUE_FLUSH) != 0) {
                    throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                                      "the simulated device cannot flush remote writes "
                                      "(CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES)");
                }
                require_flags(operation.waitValue.flags, CU_STREAM_WAIT_VALUE_NOR, "flags");
                locate_word(context, operation.waitValue.address, is_wide(operation.operation));
                break;
            case CU_STREAM_MEM_OP_WRITE_VALUE_32:
            case CU_STREAM_MEM_OP_WRITE_VALUE_64:
                // CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER is a flag of the first version alone (cuda.h).
                require_flags(operation.writeValue.flags, CU_STREAM_WRITE_VALUE_DEFAULT, "flags");
                locate_word(context, operation.writeValue.address, is_wide(operation.operation));
                break;
            case CU_STREAM_MEM_OP_BARRIER:
                require_flags(operation.memoryBarrier.flags, CU_STREAM_MEMORY_BARRIER_TYPE_GPU, "flags");
                break;
            case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
                throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "the simulated device cannot flush remote writes");
            default:
                throw DriverError(CUDA_ERROR_INVALID_VALUE,
                                  format("operation %zu: unknown memory operation %d", index, operation.operation));
        }
    }
    return operations;
}

void run_memory_operations(Context& context, std::span<const CUstreamBatchMemOpParams> operations) {
    context.run_unless_failed([&] {
        for (const CUstreamBatchMemOpParams& operation : operations) {
            try {
                run_one(context, operation);
            } catch (const DriverError& error) {
                if (error.code() == CUDA_ERROR_LAUNCH_FAILED) throw;  // a race
                throw DriverError(CUDA_ERROR_ILLEGAL_ADDRESS,
                                  std::string("a memory operation in a stream: ") + error.what());
            }
        }
    });
}

}  // namespace cuprum::simulator::libcuda
