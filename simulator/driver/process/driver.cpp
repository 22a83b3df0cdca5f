#include "driver/process/driver.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "driver/error/core_dump.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/error/log.hpp"
#include "driver/memory/managed_ranges.hpp"
#include "driver/memory/page.hpp"
#include "driver/memory/resting_memory.hpp"
#include "driver/process/process_end.hpp"
#include "driver/stream/executor.hpp"
#include "engine/checks/profile.hpp"

namespace cuprum::simulator::libcuda {

namespace {

uint64_t whole_pages(uint64_t size) {
    return (size + page - 1) / page * page;
}

}  // namespace

void show_inspection(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

Handles& handles() {
    static Handles* const instance = new Handles;
    return *instance;
}

Driver& driver() {
    static Driver* const instance = new Driver;
    return *instance;
}

void Driver::initialise() {
    const std::lock_guard lock(initialise_mutex_);
    if (initialised_) return;
    const char* text = std::getenv("CUPRUM_SIM");
    Configuration configuration = parse_configuration(text ? text : "");
    if (!configuration.trace.empty() && !log().trace_to(configuration.trace)) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "CUPRUM_SIM: trace=" + configuration.trace +
                                                        " cannot be opened for writing: " + std::strerror(errno));
    }
    configuration.inspector = configuration.breakpoint
                                  ? std::make_shared<Inspector>(*configuration.breakpoint, &show_inspection)
                                  : std::make_shared<Inspector>(&show_inspection);
    configuration.inspector->want_faults(configuration.shows_faults);
    std::vector<std::unique_ptr<Device>> devices;
    devices.reserve(configuration.devices);
    for (uint32_t ordinal = 0; ordinal < configuration.devices; ++ordinal) {
        devices.push_back(std::make_unique<Device>(ordinal, configuration));
    }
    devices_ = std::move(devices);
    for (const std::unique_ptr<Device>& device : devices_) {
        const CUmemoryPool pool = handles().pools.insert(std::make_shared<MemoryPool>(*device, 0, true));
        device->set_default_pool(pool);
        device->set_current_pool(pool);
    }
    launches_ = configuration.launches;
    inspector_ = configuration.inspector;
    shows_faults_ = configuration.shows_faults;
    core_dumps().begin();
    if (configuration.breakpoint) {
        std::atexit([] {
            if (const std::string reason = driver().inspector().why_nothing_was_shown();
                !reason.empty() && !driver().forked())
                show_inspection(reason);
        });
    }
    check_leaks_ = configuration.check_leaks;
    if (configuration.checks.memory) addresses_.keep_written();
    if (configuration.checks.races) look_for_stream_races();
    if (!configuration.profile.empty()) {
        profile_ = configuration.profile;
        write_profile();  // now, so that a file that cannot be written is refused
        std::atexit([] {
            if (driver().forked()) return;
            try {
                driver().write_profile();
            } catch (const DriverError& error) {
                std::fprintf(stderr, "Cuprum simulator: %s\n", error.what());
            }
        });
    }
    if (check_leaks_) std::atexit([] { driver().report_leaks(nullptr); });
    // Handlers run in reverse order: the work that is waited for may yet free memory.
    watch_process_end();
    if (configuration.seed) executor().set_seed(*configuration.seed);
    ::pthread_atfork(nullptr, nullptr, [] { driver().forked_.store(true, std::memory_order_relaxed); });
    initialised_.store(true, std::memory_order_release);
    callable_.store(true, std::memory_order_release);
}

Device& Driver::device(CUdevice ordinal) const {
    if (ordinal < 0 || static_cast<size_t>(ordinal) >= devices_.size()) {
        throw DriverError(
            CUDA_ERROR_INVALID_DEVICE,
            format("there is no device %d; the simulator has %zu (CUPRUM_SIM=devices=...)", ordinal, devices_.size()));
    }
    return *devices_[static_cast<size_t>(ordinal)];
}

namespace {

// What other processes may open (cuIpcGetMemHandle) has pages of its own: they move into a file then, and what else lay
// on them could be written meanwhile.
uint64_t arena_unit(const Allocation& allocation) {
    return allocation.kind == Allocation::Kind::device ? page : DeviceArena::alignment;
}

}  // namespace

uint64_t Driver::allocate_device_memory(Device& device, Allocation allocation) {
    const std::optional<uint64_t> address = device.arena().allocate(allocation.size, arena_unit(allocation));
    if (!address) {
        const uint64_t total = device.arena().total_bytes();
        throw DriverError(
            CUDA_ERROR_OUT_OF_MEMORY,
            format("%llu bytes do not fit: %llu of the device's %llu bytes are free (CUPRUM_SIM=memory=... sets how "
                   "many it has)",
                   static_cast<unsigned long long>(allocation.size),
                   static_cast<unsigned long long>(total - device.arena().used_bytes()),
                   static_cast<unsigned long long>(total)));
    }
    allocation.begin = *address;
    allocation.host_offset = device.arena().host_offset();
    allocation.device = device.ordinal();
    addresses_.add(std::move(allocation));
    return *address;
}

bool Driver::free_device_memory(uint64_t address) {
    const std::optional<Allocation> known = addresses_.find(address);
    if (!known || known->begin != address || !known->device_only()) return false;
    const std::optional<Allocation> removed = addresses_.remove(address);
    if (!removed) return false;
    if (removed->mapping) {
        if (removed->charged) devices_[removed->device]->arena().discharge(removed->size);
    } else {
        devices_[removed->device]->arena().release(removed->begin, removed->size, arena_unit(*removed));
    }
    return true;
}

uint64_t Driver::allocate_host_memory(Allocation allocation) {
    // All of it is written when it is mapped, and so has to be there: more than all memory cannot be.
    static const uint64_t physical = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) * page;
    if (allocation.size > physical) {
        throw DriverError(
            CUDA_ERROR_OUT_OF_MEMORY,
            format("the system has %llu bytes of memory, and %llu were asked for",
                   static_cast<unsigned long long>(physical), static_cast<unsigned long long>(allocation.size)));
    }
    return map_host_memory(std::move(allocation), nullptr);
}

uint64_t Driver::map_host_memory(Allocation allocation, const SharedFile* file) {
    const uint64_t bytes = whole_pages(allocation.size);
    // A page without access behind it: what runs over its end faults.
    void* memory = ::mmap(nullptr, bytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    const auto make_accessible = [&] {
        if (file == nullptr) return ::mprotect(memory, bytes, PROT_READ | PROT_WRITE) == 0;
        return ::mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file->descriptor(), 0) == memory;
    };
    if (memory == MAP_FAILED || !make_accessible()) {
        if (memory != MAP_FAILED) ::munmap(memory, bytes + page);
        throw DriverError(CUDA_ERROR_OUT_OF_MEMORY,
                          format("the system has no %llu bytes of host memory to give: %s",
                                 static_cast<unsigned long long>(allocation.size), std::strerror(errno)));
    }
    if (file == nullptr) std::memset(memory, std::to_integer<int>(DeviceArena::poison), allocation.size);
    allocation.begin = reinterpret_cast<uint64_t>(memory);
    allocation.host_offset = 0;
    const uint64_t address = allocation.begin;
    addresses_.add(std::move(allocation));
    return address;
}

bool Driver::free_host_memory(uint64_t address) {
    const std::optional<Allocation> known = addresses_.find(address);
    if (!known || known->begin != address || known->device_only()) return false;
    const std::optional<Allocation> removed = addresses_.remove(address);
    if (!removed) return false;
    if (removed->kind == Allocation::Kind::managed) managed_ranges().forget(removed->begin, removed->size);
    const uint64_t span = whole_pages(removed->size) + page;
    if (removed->context == 0) {
        rest(removed->begin, span);  // of a pool: freed in a stream's order
    } else if (removed->kind != Allocation::Kind::registered_host) {
        ::munmap(reinterpret_cast<void*>(removed->begin), span);
    }
    return true;
}

void Driver::free_memory_of(const Context& context) {
    for (const Allocation& allocation : addresses_.of_context(reinterpret_cast<uint64_t>(context.handle()))) {
        if (allocation.device_only()) {
            free_device_memory(allocation.begin);
        } else {
            free_host_memory(allocation.begin);
        }
    }
}

void Driver::write_profile() const {
    const auto write = [](const std::string& name, const std::string& text) {
        std::ofstream file(name);
        if (file << text) return;
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          "CUPRUM_SIM: profile=" + name + " cannot be opened for writing: " + std::strerror(errno));
    };
    write(profile_, profile_table());
    write(profile_ + ".html", profile_page());
}

void Driver::report_leaks(const Context* context) const {
    if (!check_leaks_ || forked()) return;
    uint64_t count = 0, bytes = 0;
    std::string lines;
    for (const Allocation& allocation : addresses_.all()) {
        if (context != nullptr && allocation.context != reinterpret_cast<uint64_t>(context->handle())) continue;
        // Variables go with their modules, graphs' memory with their nodes.
        if (allocation.kind == Allocation::Kind::variable || allocation.free_requested) continue;
        if (allocation.kind == Allocation::Kind::graph && !allocation.accessible) continue;
        ++count;
        bytes += allocation.size;
        lines += "leak: the " + allocation.description + " at " + hexadecimal(allocation.begin) + " on device " +
                 std::to_string(allocation.device) + " has not been freed\n";
    }
    if (count == 0) return;
    lines += format("leaks: %llu bytes in %llu allocations\n", static_cast<unsigned long long>(bytes),
                    static_cast<unsigned long long>(count));
    std::fputs(lines.c_str(), stderr);
    log().trace(lines.substr(0, lines.size() - 1));
}

Device* Driver::device_of_address(uint64_t address) const {
    for (const std::unique_ptr<Device>& device : devices_) {
        if (device->arena().contains(address)) return device.get();
    }
    return nullptr;
}

}  // namespace cuprum::simulator::libcuda
