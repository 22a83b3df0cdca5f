#include "cuprum/capi/bindings.h"

#include <map>
#include <mutex>
#include <string>

#include "call.hpp"
#include "cuprum/bindings/fault.hpp"
#include "cuprum/bindings/options.hpp"
#include "cuprum/bindings/table.hpp"
#include "cuprum/bindings/trace.hpp"
#include "struct_size.hpp"

using namespace cuprum::capi;
namespace bindings = cuprum::bindings;

namespace {

bindings::Library& library_named(const Call& call, const char* name) {
    call.require(name, "library");
    bindings::Library* library = bindings::find_library(name);
    if (library == nullptr) {
        call.refuse("library", "expected driver, runtime, nvrtc, nvjitlink, nvvm, nvml or nccl, given '" +
                                   std::string(name) + "'");
    }
    return *library;
}

const bindings::Function& function_named(const Call& call, const bindings::Library& library, const char* name) {
    call.require(name, "name");
    const bindings::Function* function = library.find(name);
    if (function == nullptr) {
        call.refuse("name", std::string(library.name()) + " has no function named '" + name + "' in its list");
    }
    return *function;
}

void give(const Call& call, cuprum_bindings_function* function_out, const bindings::Function& function) {
    check_struct_size(call, "function_out", function_out->struct_size, sizeof *function_out);
    cuprum_bindings_function given{};
    given.version = function.version;
    given.name = function.name;
    given.symbol = function.symbol;
    given.signature = function.signature;
    given.invoke = function.invoke;
    write_struct(function_out, given);
}

const bindings::Record& record_named(const Call& call, const bindings::Library& library, const char* type) {
    call.require(type, "type");
    const bindings::Record* record = library.types().find_record(type);
    if (record == nullptr) {
        call.refuse("type", std::string(library.name()) + " defines no structure or union '" + type + "'");
    }
    return *record;
}

// The faults that were given out, by number.
struct Faults {
    std::mutex mutex;
    uint64_t next = 1;
    std::map<uint64_t, bindings::FaultInjection> given;
};

// Never destroyed: calls may come from threads that outlive main.
Faults& faults() {
    static Faults& instance = *new Faults;
    return instance;
}

}  // namespace

cuprum_status cuprum_bindings_find(cuprum_bindings_function* function_out, const char* library, const char* name) {
    return run("cuprum_bindings_find", [&](const Call& call) {
        call.require(function_out, "function_out");
        give(call, function_out, function_named(call, library_named(call, library), name));
    });
}

cuprum_status cuprum_bindings_function_count(uint32_t* count_out, const char* library) {
    return run("cuprum_bindings_function_count", [&](const Call& call) {
        call.require(count_out, "count_out");
        *count_out = static_cast<uint32_t>(library_named(call, library).functions().size());
    });
}

cuprum_status cuprum_bindings_function_at(cuprum_bindings_function* function_out, const char* library, uint32_t index) {
    return run("cuprum_bindings_function_at", [&](const Call& call) {
        call.require(function_out, "function_out");
        const auto functions = library_named(call, library).functions();
        if (index >= functions.size()) {
            call.refuse("index",
                        "expected less than " + std::to_string(functions.size()) + ", given " + std::to_string(index));
        }
        give(call, function_out, functions[index]);
    });
}

cuprum_status cuprum_bindings_address_of(uint64_t* address_out, const char* library, const char* name) {
    return run("cuprum_bindings_address_of", [&](const Call& call) {
        call.require(address_out, "address_out");
        bindings::Library& of = library_named(call, library);
        const bindings::AnyFunction address = of.address_of(function_named(call, of, name).name);
        if (address == nullptr) {
            if (const auto failure = bindings::take_resolution_failure()) {
                throw failure->to_error();
            }
            call.refuse("name", "its address could not be found, and memory ran out explaining why");
        }
        *address_out = reinterpret_cast<uintptr_t>(address);
    });
}

cuprum_status cuprum_bindings_is_loaded(int32_t* loaded_out, const char* library) {
    return run("cuprum_bindings_is_loaded", [&](const Call& call) {
        call.require(loaded_out, "loaded_out");
        *loaded_out = library_named(call, library).loaded() ? 1 : 0;
    });
}

cuprum_status cuprum_bindings_library_version(int32_t* version_out, const char* library) {
    return run("cuprum_bindings_library_version", [&](const Call& call) {
        call.require(version_out, "version_out");
        *version_out = library_named(call, library).version();
    });
}

cuprum_status cuprum_bindings_take_failure(void) {
    return run("cuprum_bindings_take_failure", [&](const Call&) {
        if (const auto failure = bindings::take_resolution_failure()) {
            throw failure->to_error();
        }
    });
}

cuprum_status cuprum_bindings_record_layout(uint32_t* size_out, uint32_t* alignment_out, const char* library,
                                            const char* type) {
    return run("cuprum_bindings_record_layout", [&](const Call& call) {
        call.require(size_out, "size_out");
        call.require(alignment_out, "alignment_out");
        const bindings::Record& record = record_named(call, library_named(call, library), type);
        *size_out = record.size;
        *alignment_out = record.alignment;
    });
}

cuprum_status cuprum_bindings_field_layout(uint32_t* offset_out, uint32_t* size_out, const char* library,
                                           const char* type, const char* path) {
    return run("cuprum_bindings_field_layout", [&](const Call& call) {
        call.require(offset_out, "offset_out");
        call.require(size_out, "size_out");
        call.require(path, "path");
        const bindings::Library& of = library_named(call, library);
        for (const bindings::Field& field : of.types().fields_of(record_named(call, of, type))) {
            if (path == std::string_view(field.path)) {
                *offset_out = field.offset;
                *size_out = field.size;
                return;
            }
        }
        call.refuse("path", std::string(type) + " has no field '" + path + "'");
    });
}

cuprum_status cuprum_bindings_use_per_thread_default_stream(int32_t enabled) {
    return run("cuprum_bindings_use_per_thread_default_stream", [&](const Call& call) {
        if (enabled != 0 && enabled != 1) {
            call.refuse("enabled", "expected 0 or 1, given " + std::to_string(enabled));
        }
        bindings::use_per_thread_default_stream(enabled == 1);
    });
}

cuprum_status cuprum_bindings_start_trace(const char* path) {
    return run("cuprum_bindings_start_trace", [&](const Call& call) {
        call.require(path, "path");
        bindings::start_trace(path);
    });
}

cuprum_status cuprum_bindings_stop_trace(void) {
    return run("cuprum_bindings_stop_trace", [](const Call&) { bindings::stop_trace(); });
}

cuprum_status cuprum_bindings_inject_fault(uint64_t* fault_out, const char* item) {
    return run("cuprum_bindings_inject_fault", [&](const Call& call) {
        call.require(item, "item");
        bindings::FaultInjection fault(item);
        Faults& all = faults();
        const std::lock_guard lock(all.mutex);
        const uint64_t number = all.next;
        all.given.emplace(number, std::move(fault));
        ++all.next;
        if (fault_out != nullptr) {
            *fault_out = number;
        }
    });
}

cuprum_status cuprum_bindings_end_fault(uint64_t* injected_out, uint64_t fault) {
    return run("cuprum_bindings_end_fault", [&](const Call& call) {
        Faults& all = faults();
        const std::lock_guard lock(all.mutex);
        const auto found = all.given.find(fault);
        if (found == all.given.end()) {
            call.refuse("fault", "this fault was never injected or has already ended: " + std::to_string(fault));
        }
        if (injected_out != nullptr) {
            *injected_out = found->second.injected();
        }
        all.given.erase(found);
    });
}
