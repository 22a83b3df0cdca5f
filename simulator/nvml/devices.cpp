#include "nvml/devices.hpp"

#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace cuprum::simulator::nvml {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto sample_period = std::chrono::milliseconds(100);
// Of a device of 300 W: what it takes at rest, and more for each percent of utilization. Chosen to be plausible.
constexpr unsigned int idle_power = 50'000;         // mW
constexpr unsigned int power_of_a_percent = 2'200;  // mW
constexpr unsigned int idle_temperature = 34;       // degrees Celsius
constexpr unsigned int fan_at_rest = 30;            // percent

struct Driver {
    CUresult (*init)(unsigned int) = nullptr;
    CUresult (*version)(int*) = nullptr;
    CUresult (*count)(int*) = nullptr;
    CUresult (*name)(char*, int, CUdevice) = nullptr;
    CUresult (*uuid)(CUuuid*, CUdevice) = nullptr;
    CUresult (*pci)(char*, int, CUdevice) = nullptr;
    CUresult (*attribute)(int*, CUdevice_attribute, CUdevice) = nullptr;
    int (*usage)(Usage*, int) = nullptr;
};

struct State {
    std::mutex mutex;
    std::string path;
    bool is_open = false;
    Driver driver;
    unsigned int initialisations = 0;
    std::unique_ptr<std::deque<Device>> devices;  // each in its place for good: a handle is an address
};

// Never destroyed: other threads may be in a call when the process ends.
State& state() {
    static State& instance = *new State;
    return instance;
}

// Beside this library's folder, unless the environment or the program names another.
std::string default_path() {
    if (const char* named = std::getenv("CUPRUM_SIMULATOR_PATH"); named != nullptr && *named != '\0') {
        const std::string path = named;
        return path.ends_with(".so.1") ? path : path + "/libcuda.so.1";
    }
    Dl_info own{};
    if (dladdr(reinterpret_cast<void*>(&default_path), &own) == 0) return {};
    std::string path = own.dli_fname;
    for (int level = 0; level < 2; ++level)
        path.erase(std::min(path.rfind('/'), path.size()));
    return path + "/libcuda.so.1";
}

template <class Function>
bool look_up(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

bool open_driver(State& current) {
    if (current.is_open) return true;
    const std::string path = current.path.empty() ? default_path() : current.path;
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    Driver& driver = current.driver;
    current.is_open =
        look_up(library, "cuInit", driver.init) && look_up(library, "cuDriverGetVersion", driver.version) &&
        look_up(library, "cuDeviceGetCount", driver.count) && look_up(library, "cuDeviceGetName", driver.name) &&
        look_up(library, "cuDeviceGetUuid_v2", driver.uuid) && look_up(library, "cuDeviceGetPCIBusId", driver.pci) &&
        look_up(library, "cuDeviceGetAttribute", driver.attribute) &&
        look_up(library, "cuprum_simulator_usage", driver.usage);
    return current.is_open;
}

std::string uuid_text(const CUuuid& uuid) {
    std::string text = "GPU-";
    for (int index = 0; index < 16; ++index) {
        std::array<char, 4> digits{};
        std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned char>(uuid.bytes[index]));
        if (index == 4 || index == 6 || index == 8 || index == 10) text += '-';
        text += digits.data();
    }
    return text;
}

}  // namespace

Device::Device(int ordinal, Settings settings)
    : ordinal_(ordinal), settings_(settings), sampled_at_(Clock::now()), metered_at_(sampled_at_) {
    const Driver& driver = state().driver;
    std::array<char, 96> text{};
    driver.name(text.data(), static_cast<int>(text.size()), ordinal);
    name_ = text.data();
    CUuuid uuid{};
    driver.uuid(&uuid, ordinal);
    uuid_ = uuid_text(uuid);
    driver.pci(text.data(), static_cast<int>(text.size()), ordinal);
    pci_bus_id_ = "0000" + std::string(text.data());  // NVML's domains have eight digits
    std::transform(pci_bus_id_.begin(), pci_bus_id_.end(), pci_bus_id_.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    sampled_busy_ = usage().busy_nanoseconds;
}

unsigned int Device::bus() const {
    return static_cast<unsigned int>(std::stoul(pci_bus_id_.substr(9, 2), nullptr, 16));
}

int Device::attribute(int driver_attribute) const {
    int value = 0;
    state().driver.attribute(&value, static_cast<CUdevice_attribute>(driver_attribute), ordinal_);
    return value;
}

Usage Device::usage() const {
    Usage usage{};
    state().driver.usage(&usage, ordinal_);
    return usage;
}

unsigned int Device::utilization() {
    if (settings_.utilization) return *settings_.utilization;
    const uint64_t busy = usage().busy_nanoseconds;
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = Clock::now();
    const auto period = std::chrono::duration_cast<std::chrono::nanoseconds>(now - sampled_at_);
    if (period >= sample_period) {
        const uint64_t percent = (busy - sampled_busy_) * 100 / static_cast<uint64_t>(period.count());
        utilization_ = static_cast<unsigned int>(std::min<uint64_t>(percent, 100));
        sampled_at_ = now;
        sampled_busy_ = busy;
    }
    return utilization_;
}

unsigned int Device::temperature() {
    return settings_.temperature ? *settings_.temperature : idle_temperature + utilization() * 2 / 5;
}

unsigned int Device::power() {
    return settings_.power ? *settings_.power * 1000 : idle_power + utilization() * power_of_a_percent;
}

uint64_t Device::energy() {
    const uint64_t now_taken = power();
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = Clock::now();
    // mW times ms are microjoules.
    energy_ += now_taken *
               static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now - metered_at_).count());
    metered_at_ = now;
    return energy_ / 1000;
}

unsigned int Device::fan_speed() const {
    const std::lock_guard lock(mutex_);
    return fan_speed_.value_or(settings_.fan.value_or(fan_at_rest));
}

bool Device::fan_is_set() const {
    const std::lock_guard lock(mutex_);
    return fan_speed_.has_value();
}

void Device::set_fan_speed(std::optional<unsigned int> percent) {
    const std::lock_guard lock(mutex_);
    fan_speed_ = percent;
}

bool Device::persistence() const {
    const std::lock_guard lock(mutex_);
    return persistence_;
}

void Device::set_persistence(bool enabled) {
    const std::lock_guard lock(mutex_);
    persistence_ = enabled;
}

Result initialise() {
    State& current = state();
    const std::lock_guard lock(current.mutex);
    if (current.devices == nullptr) {
        const char* const text = std::getenv("CUPRUM_SIM_NVML");
        const std::optional<Settings> settings = parse_settings(text == nullptr ? "" : text);
        int count = 0;
        if (!settings || !open_driver(current)) return driver_not_loaded;
        const CUresult started = current.driver.init(0);
        if (started != CUDA_SUCCESS && started != CUDA_ERROR_NO_DEVICE) return driver_not_loaded;
        if (started == CUDA_SUCCESS && current.driver.count(&count) != CUDA_SUCCESS) return driver_not_loaded;
        auto made = std::make_unique<std::deque<Device>>();
        for (int ordinal = 0; ordinal < count; ++ordinal)
            made->emplace_back(ordinal, *settings);
        current.devices = std::move(made);
    }
    ++current.initialisations;
    return success;
}

Result shut_down() {
    State& current = state();
    const std::lock_guard lock(current.mutex);
    if (current.initialisations == 0) return uninitialized;
    --current.initialisations;
    return success;
}

std::deque<Device>* devices() {
    State& current = state();
    const std::lock_guard lock(current.mutex);
    return current.initialisations == 0 ? nullptr : current.devices.get();
}

void use_driver(const char* path) {
    State& current = state();
    const std::lock_guard lock(current.mutex);
    current.path = path;
}

int driver_version() {
    State& current = state();
    const std::lock_guard lock(current.mutex);
    int version = 0;
    if (open_driver(current)) current.driver.version(&version);
    return version;
}

Device* find(DeviceHandle* handle, Result& status) {
    std::deque<Device>* const all = devices();
    status = all == nullptr ? uninitialized : invalid_argument;
    if (all == nullptr) return nullptr;
    for (Device& device : *all) {
        if (handle_of(device) == handle) {
            status = success;
            return &device;
        }
    }
    return nullptr;
}

}  // namespace cuprum::simulator::nvml
