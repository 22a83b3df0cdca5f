#include "simulated_device.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace cuprum::simulator::test {

std::string read_ptx(const std::string& name) {
    std::ifstream file(std::string(CUPRUM_PTX_FOLDER) + "/" + name);
    if (!file) throw std::runtime_error("no file " + name + " in tests/data/ptx");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

SimulatedDevice::SimulatedDevice(DeviceModel model) : model_(model), engine_(model) {}

void SimulatedDevice::load(const std::string& ptx) {
    Program::Loaded loaded = Program::load(ptx, model_);
    if (loaded.error) throw std::runtime_error(loaded.error->log);
    program_ = loaded.program;
    variable_addresses_.clear();
    std::vector<std::byte*> storage;
    for (const ModuleVariable& variable : program_->variables()) {
        variable_addresses_.push_back(allocate(variable.size, "variable '" + variable.name + "'"));
        storage.push_back(host(variable_addresses_.back()));
    }
    program_->initialise(variable_addresses_, storage);
}

std::string SimulatedDevice::load_error(const std::string& ptx, LoadError::Kind* kind) {
    const Program::Loaded loaded = Program::load(ptx, model_);
    if (!loaded.error) return {};
    if (kind != nullptr) *kind = loaded.error->kind;
    return loaded.error->log;
}

uint64_t SimulatedDevice::allocate(size_t bytes, const std::string& description) {
    auto allocation = std::make_unique<Allocation>();
    allocation->address = next_address_;
    allocation->bytes = bytes;
    // Aligned to 256 bytes, like the driver's; the slack lets the storage start at a multiple of 64.
    allocation->storage.resize((bytes + 256) / 8 + 1);
    allocation->description = description;
    if (model_.checks.memory) allocation->written = std::make_shared<uint8_t[]>(bytes);
    next_address_ += (bytes + 4096) / 256 * 256;
    allocations_.push_back(std::move(allocation));
    snapshot_ = nullptr;
    return allocations_.back()->address;
}

namespace {
std::byte* aligned(std::vector<uint64_t>& storage) {
    const auto address = reinterpret_cast<uintptr_t>(storage.data());
    return reinterpret_cast<std::byte*>((address + 63) / 64 * 64);
}
}  // namespace

std::byte* SimulatedDevice::host(uint64_t address) {
    for (const auto& allocation : allocations_) {
        if (address >= allocation->address && address - allocation->address <= allocation->bytes) {
            return aligned(allocation->storage) + (address - allocation->address);
        }
    }
    throw std::runtime_error("no such allocation");
}

uint64_t SimulatedDevice::variable(const std::string& name) const {
    const auto& variables = program_->variables();
    for (size_t k = 0; k < variables.size(); ++k) {
        if (variables[k].name == name) return variable_addresses_[k];
    }
    throw std::runtime_error("no variable " + name);
}

SharedSnapshot SimulatedDevice::snapshot() {
    if (snapshot_) return snapshot_;
    auto memory = std::make_shared<MemorySnapshot>();
    for (const auto& allocation : allocations_) {
        MemoryRange range;
        range.begin = allocation->address;
        range.size = allocation->bytes;
        range.host_offset =
            static_cast<int64_t>(reinterpret_cast<uintptr_t>(aligned(allocation->storage)) - allocation->address);
        range.description = allocation->description;
        range.written = allocation->written;
        memory->ranges.push_back(std::move(range));
    }
    snapshot_ = std::move(memory);
    return snapshot_;
}

const KernelInformation& SimulatedDevice::information(const std::string& kernel) const {
    for (const KernelInformation& candidate : program_->kernels()) {
        if (candidate.name == kernel) return candidate;
    }
    throw std::runtime_error("no kernel " + kernel);
}

std::optional<Fault> SimulatedDevice::launch(const std::string& kernel, const Configuration& configuration,
                                             const Arguments& arguments) {
    LaunchRequest request;
    request.program = program_;
    request.kernel = static_cast<uint32_t>(&information(kernel) - program_->kernels().data());
    request.grid = configuration.grid;
    request.block = configuration.block;
    request.dynamic_shared_bytes = configuration.dynamic_shared_bytes;
    request.cooperative = configuration.cooperative;
    request.cluster = configuration.cluster;
    request.explicit_cluster = configuration.explicit_cluster;
    request.parameters = arguments.bytes;
    request.variable_addresses = variable_addresses_;
    request.memory = snapshot();
    request.heap = heap_;
    return engine_.launch(request);
}

}  // namespace cuprum::simulator::test
