#include "call.hpp"

#include <array>
#include <cstring>

#include "cuprum/bindings/driver.hpp"
#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

namespace {

namespace driver = bindings::driver;

constexpr uint64_t storage_alignment = 256;

std::string elements(uint64_t count, const Type& type) {
    return std::to_string(count) + " elements of " + type.name() + " (" + std::to_string(count * type.size()) +
           " bytes)";
}

// The device whose own memory it is; -1 for memory of all devices, and where the driver does not know.
int32_t owner_of(core::DevicePointer address) {
    int owner = -1;
    CUmemorytype type{};
    unsigned int is_managed = 0;
    std::array names{CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                     CU_POINTER_ATTRIBUTE_IS_MANAGED};
    std::array<void*, names.size()> values{&owner, &type, &is_managed};
    // Of addresses that it does not know this one tells nothing, while cuPointerGetAttribute fails.
    const CUresult result = driver::cuPointerGetAttributes(names.size(), names.data(), values.data(), address);
    return result == CUDA_SUCCESS && type == CU_MEMORYTYPE_DEVICE && is_managed == 0 ? owner : -1;
}

// Whether the device's context has access to the peer's already. The driver has no question for it: an H100's says
// CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE of memory that a kernel's access to ends in a fault. What enabling says
// tells; where it was not enabled it is disabled again.
bool is_peer_of(CUcontext owner) {
    const CUresult enabled = driver::cuCtxEnablePeerAccess(owner, 0);
    if (enabled == CUDA_SUCCESS) driver::cuCtxDisablePeerAccess(owner);
    return enabled == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}

// Whether kernels of a device can use memory of another one: because its pool lets them, as it is mapped for them, or
// as a peer.
bool is_shared_with(const core::Device& device, core::DevicePointer address) {
    CUmemoryPool pool = nullptr;
    CUcontext owner = nullptr, former = nullptr;
    std::array names{CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, CU_POINTER_ATTRIBUTE_CONTEXT};
    std::array<void*, names.size()> values{&pool, &owner};
    if (driver::cuPointerGetAttributes(names.size(), names.data(), values.data(), address) != CUDA_SUCCESS) return true;
    CUmemLocation location{};
    location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    location.id = device.device_id();
    if (pool != nullptr) {
        CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
        return driver::cuMemPoolGetAccess(&access, pool, &location) != CUDA_SUCCESS ||
               access != CU_MEM_ACCESS_FLAGS_PROT_NONE;
    }
    unsigned long long access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    if (driver::cuMemGetAccess(&access, &location, address) == CUDA_SUCCESS)
        return access != CU_MEM_ACCESS_FLAGS_PROT_NONE;
    if (owner == nullptr || driver::cuCtxPushCurrent(device.context().handle()) != CUDA_SUCCESS) return true;
    const bool is_peer = is_peer_of(owner);
    driver::cuCtxPopCurrent(&former);
    return is_peer;
}

// Before a kernel of the device fails because of it, which would be the end of the device's context.
void check_device(const Call& call, const char* name, core::DevicePointer address, const core::BufferRef* buffer) {
    if (core::Device::count() == 1 || address == 0) [[likely]]
        return;
    const int32_t device_id = call.device.device_id();
    if (buffer != nullptr && buffer->device_id() == device_id) return;
    const int32_t owner = owner_of(address);
    if (owner < 0 || owner == device_id || is_shared_with(call.device, address)) return;
    const std::string here = "device " + std::to_string(device_id), there = "device " + std::to_string(owner);
    throw InvalidArgument(
        call.operation, name,
        "it is memory of " + there + ", the algorithm was built for " + here + ", which cannot use that memory",
        "copy it to " + here + ", or build one for each device: compiled code is shared");
}

void check_memory(const Call& call, const char* name, const Type& type, core::DevicePointer address,
                  const core::BufferRef* buffer, uint64_t count) {
    if (count == 0) return;
    check_count(call.operation, count, type.size());
    if (address == 0) [[unlikely]] {
        throw InvalidArgument(call.operation, name, "it is null, expected device memory for " + elements(count, type));
    }
    if (address % type.alignment() != 0) [[unlikely]] {
        throw InvalidArgument(call.operation, name,
                              "its address is not aligned to " + std::to_string(type.alignment()) + " bytes, which " +
                                  type.name() + " needs");
    }
    if (buffer != nullptr && buffer->size() / type.size() < count) [[unlikely]] {
        throw InvalidArgument(call.operation, name,
                              "it has " + std::to_string(buffer->size()) + " bytes, expected " + elements(count, type));
    }
    check_device(call, name, address, buffer);
}

// The memory that an iterator upon others reads or writes in the end. `state`: of its reader.
void check_memory_within(const Call& call, const char* name, const Iterator& shape, const std::byte* state) {
    if (shape.kind() == Iterator::Kind::pointer || shape.kind() == Iterator::Kind::cache_modified) {
        core::DevicePointer address = 0;
        std::memcpy(&address, state, sizeof(address));
        check_device(call, name, address, nullptr);
    }
    for (size_t i = 0; i < shape.part_count(); ++i)
        check_memory_within(call, name, shape.part(i), state + shape.part_offset(i));
}

[[noreturn]] void throw_other_shape(const Call& call, const char* name, const Iterator& expected,
                                    const Iterator* given) {
    throw InvalidArgument(call.operation, name,
                          "it is " + (given != nullptr ? given->shape_text() : std::string("plain memory")) +
                              ", the algorithm was built for " + expected.shape_text());
}

[[noreturn]] void throw_host_memory(const Call& call, const char* name) {
    throw InvalidArgument(call.operation, name, "it is host memory, and the algorithm was built for a device",
                          "copy it to a buffer, or build the algorithm for the host's cores");
}

}  // namespace

void throw_too_many(const char* operation, uint64_t count, uint64_t element_size) {
    throw InvalidArgument(operation, std::to_string(count) + " elements",
                          "with " + std::to_string(element_size) +
                              " bytes each they are more than any memory holds, expected at most " +
                              std::to_string(max_bytes / element_size),
                          "a negative number may have become a large one on its way");
}

uint32_t grid_of(uint64_t blocks) {
    constexpr uint64_t most = INT32_MAX;
    if (blocks > most) {
        throw InvalidArgument(
            "launching", std::to_string(blocks) + " blocks",
            "there are too many elements for one call: a grid has at most " + std::to_string(most) + " blocks",
            "split the elements over several calls");
    }
    return static_cast<uint32_t>(blocks);
}

Target::Target(const Execution& execution, const BuildOptions& options, bool takes_outputs)
    : always_wide_(options.always_wide), tuning_(options.tuning), is_host_(execution.is_host()) {
    if (!takes_outputs && !options.outputs.empty()) {
        throw InvalidArgument("building an algorithm", "outputs",
                              "iterators are given, and this algorithm writes to memory only",
                              "write to memory, and transform that");
    }
    if (execution.kind() == Execution::Kind::device) {
        device_.emplace(execution.device_id());
        architectures_.push_back(architecture_of(*device_));
    }
    for (const std::string& name : execution.architectures()) {
        const size_t underscore = name.find('_');
        const std::string prefix = name.substr(0, underscore);
        const std::string number = underscore == std::string::npos ? std::string() : name.substr(underscore + 1);
        if ((prefix != "sm" && prefix != "compute") || number.empty() ||
            number.find_first_not_of("0123456789") != std::string::npos) {
            throw InvalidArgument("building an algorithm", "architecture '" + name + "'",
                                  "expected \"sm_90\" for machine code or \"compute_80\" for PTX");
        }
        architectures_.push_back({"sm_" + number, prefix == "sm" ? core::CodeType::cubin : core::CodeType::ptx});
    }
}

std::vector<Iterator> output_iterators(const BuildOptions& options, std::initializer_list<Type> types) {
    constexpr const char* building = "building an algorithm";
    std::vector<Iterator> outputs;
    for (const Type& type : types)
        outputs.push_back(Iterator::pointer(type));
    if (options.outputs.empty()) return outputs;
    if (options.outputs.size() != types.size()) {
        throw InvalidArgument(
            building, "outputs",
            std::to_string(options.outputs.size()) + " iterators are given, expected " + std::to_string(types.size()));
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
        const Iterator& given = options.outputs[i];
        if (given.value_type() != outputs[i].value_type()) {
            throw InvalidArgument(building, given.shape_text(),
                                  "it takes elements of " + given.value_type().text() + ", the results are of " +
                                      outputs[i].value_type().text());
        }
        if (!given.is_writable()) {
            throw InvalidArgument(building, given.shape_text(), "it can only be read, and is an output",
                                  "write to memory, or through strided, permutation, zip, transform_output or discard");
        }
        outputs[i] = given;
    }
    return outputs;
}

void Target::throw_without_device() const {
    if (is_host_) {
        throw Unsupported("calling an algorithm", "algorithm built for the host's cores",
                          "this one runs on devices only",
                          "build it for a device: on a machine without a GPU the simulator is one (CUPRUM_DRIVER=sim)");
    }
    throw InvalidState("calling an algorithm", "algorithm built ahead of time", "it has no device to run on",
                       "save it, load the builds where it is to run, and build it there for the device");
}

void Target::throw_nothing_to_save() {
    throw Unsupported("saving an algorithm", "algorithm built for the host's cores",
                      "nothing is compiled for it, so there is nothing to save");
}

std::shared_ptr<const Build> BuildRecords::get(const Architecture& architecture, const BuildRequest& request) {
    std::shared_ptr<const Build> build = get_build(architecture, request);
    const std::lock_guard lock(mutex_);
    records_.push_back({architecture, build_key(request), request.kernels, build});
    return build;
}

std::string BuildRecords::save() const {
    const std::lock_guard lock(mutex_);
    return pack_builds(records_);
}

void check_stream(const Call& call) {
    if (!call.stream.is_valid()) [[unlikely]] {
        throw InvalidArgument(call.operation, "stream",
                              "the stream is invalid (moved-from, closed or default-constructed)",
                              "use the device's default stream, or create a new one");
    }
    if (call.stream.device_id() != call.device.device_id()) [[unlikely]] {
        throw InvalidArgument(call.operation, "stream",
                              "it is one of device " + std::to_string(call.stream.device_id()) +
                                  ", the algorithm was built for device " + std::to_string(call.device.device_id()),
                              "build one for each device: compiled code is shared");
    }
}

void check_input(const Call& call, const char* name, const Iterator& expected, const Input& input) {
    if (input.host_bytes()) [[unlikely]]
        throw_host_memory(call, name);
    const Iterator* const given = input.iterator();
    const bool is_memory = expected.kind() == Iterator::Kind::pointer;
    if (given != nullptr ? !given->has_shape_of(expected) : !is_memory) [[unlikely]]
        throw_other_shape(call, name, expected, given);
    if (is_memory) {
        check_memory(call, name, expected.value_type(), input.address(), input.buffer(), call.count);
    } else if (call.count > 0) {
        check_memory_within(call, name, expected, static_cast<const std::byte*>(input.state()));
    }
}

void check_output(const Call& call, const char* name, const Type& type, const Output& output, uint64_t count) {
    if (output.host_bytes()) [[unlikely]]
        throw_host_memory(call, name);
    if (output.iterator() != nullptr && output.iterator()->kind() != Iterator::Kind::pointer) [[unlikely]]
        throw_other_shape(call, name, Iterator::pointer(type), output.iterator());
    check_memory(call, name, type, output.address(), output.buffer(), count);
}

void check_output(const Call& call, const char* name, const Iterator& expected, const Output& output, uint64_t count) {
    if (expected.kind() == Iterator::Kind::pointer)
        return check_output(call, name, expected.value_type(), output, count);
    if (output.iterator() == nullptr || !output.iterator()->has_shape_of(expected)) [[unlikely]]
        throw_other_shape(call, name, expected, output.iterator());
    check_count(call.operation, count, expected.value_type().size());
    if (count > 0) check_memory_within(call, name, expected, static_cast<const std::byte*>(output.state()));
}

void check_value(const Call& call, const char* name, const Type& expected, const Value& value) {
    if (value.type() != expected) [[unlikely]] {
        throw InvalidArgument(
            call.operation, name,
            "it is of type " + value.type().text() + ", the algorithm was built for " + expected.text());
    }
}

const void* operator_state(const Call& call, const Operator& built, const Operator* given) {
    static constexpr std::byte nothing{0};
    const Operator* op = &built;
    if (given != nullptr) {
        if (!given->has_code_of(built)) [[unlikely]] {
            throw InvalidArgument(
                call.operation, "operator '" + given->text() + "'",
                "the algorithm was built for '" + built.text() + "'",
                "only the state can differ from call to call: pass the same operator with another state");
        }
        op = given;
    }
    return op->state() ? op->state()->data() : &nothing;
}

void throw_overlap(const char* operation, const char* first, const char* second) {
    throw InvalidArgument(operation, std::string(first) + " and " + second,
                          "they overlap: one would be overwritten before it is read");
}

Workspace::Workspace(const Call& call, uint64_t needed, const CallOptions& options) {
    const core::BufferRef& given = options.temp_storage;
    if (!given.is_valid()) {
        if (needed > 0) owned_ = call.device.allocate(needed, call.stream);
        address_ = owned_.handle();
        return;
    }
    if (given.size() < needed) [[unlikely]] {
        throw InvalidArgument(call.operation, "temporary storage",
                              std::to_string(needed) + " bytes needed, " + std::to_string(given.size()) + " given",
                              "ask the algorithm how much it needs for that many elements");
    }
    if (given.handle() % storage_alignment != 0) [[unlikely]] {
        throw InvalidArgument(call.operation, "temporary storage",
                              "its address is not aligned to " + std::to_string(storage_alignment) + " bytes");
    }
    check_device(call, "temporary storage", given.handle(), &given);
    address_ = given.handle();
}

}  // namespace cuprum::parallel
